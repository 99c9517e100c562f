import { readFileSync } from 'node:fs'
import t from 'tap'
import * as v from 'valibot'
import { readMessage } from '../../../src/warning/feeds/reading/mapping.ts'
import { mappingSchema } from '../../../src/warning/feeds/reading/mapping-settings.ts'
import { restSourceSchema } from '../../../src/warning/feeds/rest/settings.ts'

/** The worked examples of docs/mapping.md, read as they stand there. */

const page = readFileSync(new URL('../../../docs/mapping.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) =>
  v.parse(restSourceSchema, JSON.parse(text))
)
const NOW = Date.parse('2026-06-01T18:00:00Z')

function read(name: string, body: unknown) {
  const example = examples.find((source) => source.name === name)
  t.ok(example, name)
  return readMessage(JSON.stringify(body), example?.mapping, { source: name, receivedAt: NOW })
}

t.test('a listing of GeoNet becomes quakes with their place, level and facts', async (t) => {
  const quake = (publicID: string, mmi: number) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [176.1, -39.2] },
    properties: {
      publicID,
      mmi,
      time: '2026-06-01T17:55:00.000Z',
      depth: 12.4,
      magnitude: 5.1,
      locality: '10 km north-west of Taihape',
      quality: 'best'
    }
  })
  const { events, skipped } = read('geonet', {
    type: 'FeatureCollection',
    features: [quake('2026p1', 6), quake('2026p2', 3)]
  })
  t.same(skipped, [])
  t.match(events, [
    {
      id: '2026p1',
      category: 'earthquake_event',
      family: 'seismic',
      severity: 'critical',
      title: 'M 5.1 earthquake, 10 km north-west of Taihape',
      sent_at: '2026-06-01T17:55:00.000Z',
      geometry: { type: 'Point', coordinates: [176.1, -39.2] },
      data: { magnitude: 5.1, depth_km: 12.4, attribution: 'GeoNet' }
    },
    { id: '2026p2', severity: 'routine' }
  ])
})

t.test('an overview of NINA becomes warnings of the region that is named, with levels and ends', async (t) => {
  const entry = (id: string, severity: string, type: string) => ({
    id,
    version: 2,
    startDate: '2026-06-01T19:40:00+02:00',
    severity,
    type,
    i18nTitle: { de: 'Rauchentwicklung nach Großbrand' }
  })
  const { events, skipped } = read('nina', [entry('mow.1', 'Severe', 'Alert'), entry('mow.2', 'Minor', 'Cancel')])
  t.same(skipped, [])
  t.match(events, [
    {
      id: 'mow.1',
      revision: '2',
      family: 'emergency',
      severity: 'critical',
      lifecycle: 'new',
      title: 'Rauchentwicklung nach Großbrand',
      sent_at: '2026-06-01T17:40:00.000Z',
      regions: ['Kassel']
    },
    { id: 'mow.2', severity: 'routine', lifecycle: 'cancel' }
  ])
})

t.test('every key of a mapping and of a rule stands on the page', async (t) => {
  const { entries } = mappingSchema.pipe[0]
  for (const key of [...Object.keys(entries), 'pointer', 'value', 'template', 'table', 'otherwise'])
    t.match(page, `| \`${key}\` |`, key)
  const fields = entries.fields.pipe[0].entries
  for (const key of Object.keys(fields)) t.match(page, `\`${key}\``, key)
})
