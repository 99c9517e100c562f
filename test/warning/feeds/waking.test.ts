import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { highestSeverity, isAtLeast } from '../../../src/model/severity.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { readRecording } from '../../helpers/recordings.ts'

/** Messages of a recording that pass quiet hours, by name; those not listed here wake nobody. docs/measurements.md has the figures. */
const WAKING: Record<string, Record<string, number>> = {
  'nws-geojson/active-2025-12-15-northwest.json': {
    'Flash Flood Warning': 1,
    'Flash Flood Watch': 1,
    'Flood Warning': 4
  },
  'nws-geojson/alerts-500-part-a.json': { 'Flood Warning': 2, 'Special Marine Warning': 2, 'Tornado Watch': 3 },
  'nws-text/FFW_FFWLCH_0.txt': { 'Flash Flood Warning': 1 },
  'nws-text/TOR.txt': { 'Tornado Warning': 1 },
  'nws-text/TOR_emergency.txt': { 'Tornado Warning': 1 },
  'usgs-quakes/1.0_week-2022-04-04.geojson': { Earthquake: 3 }
}
/** Those that do so inside a named region only. */
const INSIDE: Record<string, number> = {
  'bc-wildfire/wildfire_feed_location_list.json': 2,
  'wfigs-incidents/incidents-fl.geojson': 1
}
const wakes = ({ severity }: LookoutEvent): boolean => isAtLeast(severity, 'critical')
const wakesInside = ({ severity, data }: LookoutEvent): boolean =>
  isAtLeast(highestSeverity([severity, data.severity_inside_region ?? 'routine']), 'critical')

t.test('of every recording those messages wake people that a sleeper must hear, and no other', async (t) => {
  const root = needsFixture(t, 'feeds')
  if (root === null) return
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:json|geojson|txt|xml|cap|atom|tle)$/.test(name) && !name.startsWith('mqtt'))
    .filter((name) => !/error-200|3-day-forecast/.test(name))
  for (const name of files.sort()) {
    const { events } = await readRecording(name, join(root, name))
    const found: Record<string, number> = {}
    for (const { data } of events.filter(wakes)) found[data.event_name ?? ''] = (found[data.event_name ?? ''] ?? 0) + 1
    t.strictSame(found, WAKING[name] ?? {}, name)
    const inside = events.filter((event) => wakesInside(event) && !wakes(event)).length
    t.equal(inside, INSIDE[name] ?? 0, `${name}, inside a region`)
  }
})
