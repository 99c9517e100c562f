import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import type { LookoutEvent } from '../../src/model/event.ts'
import { kindOf } from '../../src/warning/feeds/create.ts'
import { sourceSchema } from '../../src/warning/feeds/settings.ts'
import type { SourceKind } from '../../src/warning/feeds/source.ts'
import type { StationConfig } from '../../src/warning/station-settings.ts'
import { setup } from '../warning/feeds/geo-harness.ts'
import { STATION } from '../warning/messages/samples.ts'

/** A recording, and the writing of the station that tells of it. */
interface Recording {
  folder: string
  kind: string
  /** The time at which it was fetched. */
  now: string
  settings?: object
  station?: Partial<StationConfig>
}

const US: Partial<StationConfig> = { units: 'imperial', anchors: [] }
const EUROPE: Partial<StationConfig> = { timezone: 'Europe/Berlin', time_format: '24h', anchors: [] }
const observers = [{ name: 'Boise', lat: 43.6, lon: -116.2 }]
const PASSES = { kind: 'satpass', now: '2024-05-09T12:00:00Z', settings: { observers, satellites: [25544] } }

const meteoalarm = (name: string, country: string, timezone = 'Europe/Berlin'): Recording => ({
  folder: `meteoalarm/${name}`,
  kind: 'meteoalarm',
  now: '2023-04-28T12:00:00Z',
  settings: { country },
  station: { ...EUROPE, timezone }
})
const nwsText = (name: string, timezone: string): Recording => ({
  folder: `nws-text/${name}`,
  kind: 'nws_text',
  now: '2026-08-01T12:00:00Z',
  settings: { folder: 'inbox' },
  station: { ...US, timezone }
})

/** The first whose folder, or beginning of a path, fits. */
const RECORDINGS: readonly Recording[] = [
  { folder: 'avalanche/us', kind: 'avalanche', now: '2026-01-10T16:00:00Z', station: US },
  { folder: 'avalanche/', kind: 'avalanche_canada', now: '2015-12-31T12:00:00Z', settings: { min_danger: 1 } },
  { folder: 'bc-wildfire/', kind: 'bc_wildfire', now: '2026-08-01T12:00:00Z' },
  {
    folder: 'cap/n',
    kind: 'cap',
    now: '2026-01-15T18:30:00Z',
    settings: { url: 'https://feed.example/' },
    station: US
  },
  {
    folder: 'cap/',
    kind: 'cap',
    now: '2026-01-15T18:30:00Z',
    settings: { url: 'https://feed.example/' },
    station: EUROPE
  },
  { folder: 'firms/', kind: 'firms', now: '2026-08-01T12:00:00Z', settings: { map_key: '0'.repeat(32) } },
  {
    folder: 'gdacs/',
    kind: 'gdacs',
    now: '2026-08-01T12:00:00Z',
    settings: { green: true, droughts: true },
    station: EUROPE
  },
  {
    folder: 'met-norway/',
    kind: 'met_alerts',
    now: '2024-01-01T12:00:00Z',
    station: { ...EUROPE, timezone: 'Europe/Oslo' }
  },
  meteoalarm('legacy-atom-germany', 'germany'),
  meteoalarm('legacy-atom-poland', 'poland'),
  meteoalarm('', 'united-kingdom', 'Europe/London'),
  {
    folder: 'nwis/',
    kind: 'nwis',
    now: '2026-08-07T19:00:00Z',
    settings: { sites: [{ id: '06904500', action: 1.5 }] },
    station: US
  },
  {
    folder: 'nws-geojson/active',
    kind: 'nws',
    now: '2025-12-15T22:00:00Z',
    station: { ...US, timezone: 'America/Los_Angeles' }
  },
  {
    folder: 'nws-geojson/',
    kind: 'nws',
    now: '2026-02-15T22:00:00Z',
    station: { ...US, timezone: 'America/New_York' }
  },
  nwsText('FLWCHS', 'America/New_York'),
  nwsText('RFW', 'America/Los_Angeles'),
  nwsText('', 'America/Chicago'),
  {
    folder: 'roads/cars',
    kind: 'cars',
    now: '2026-01-15T12:00:00Z',
    settings: { url: 'https://feed.example/' },
    station: US
  },
  {
    folder: 'roads/datex2',
    kind: 'datex2',
    now: '2019-11-26T13:40:00Z',
    settings: { url: 'https://feed.example/' },
    station: EUROPE
  },
  {
    folder: 'roads/digitraffic',
    kind: 'digitraffic',
    now: '2023-01-25T05:00:00Z',
    station: { ...EUROPE, timezone: 'Europe/Helsinki' }
  },
  { folder: 'roads/', kind: 'open511', now: '2026-01-15T12:00:00Z', station: { timezone: 'America/Vancouver' } },
  { folder: 'swpc/', kind: 'swpc', now: '2025-04-17T12:00:00Z' },
  { folder: 'tle-omm/stations', ...PASSES },
  { folder: 'tle-omm/', ...PASSES, now: '2026-02-25T12:00:00Z', settings: { observers, satellites: ['NOAA 20'] } },
  { folder: 'usgs-quakes/', kind: 'usgs', now: '2022-04-04T22:00:00Z', station: { anchors: [] } },
  {
    folder: 'wfigs-incidents/',
    kind: 'wfigs',
    now: '2026-08-01T12:00:00Z',
    station: { ...US, timezone: 'America/New_York' }
  },
  { folder: 'wfigs-perimeters/', kind: 'wfigs', now: '2025-03-13T22:00:00Z', station: US }
]

export interface ReadRecording {
  events: LookoutEvent[]
  station: StationConfig
  /** The time at which it was fetched, epoch milliseconds. */
  nowMs: number
}

/** The events of one recording, `name` being its path below the folder of feeds, and the station that tells of them. */
export async function readRecording(name: string, path: string): Promise<ReadRecording> {
  const recording = RECORDINGS.find(({ folder }) => name.startsWith(folder))
  if (recording === undefined) throw new Error(`No kind is known for ${name}.`)
  const { kind, settings = {}, station, now } = recording
  const reader = (await kindOf(kind)) as SourceKind
  const nowMs = Date.parse(now)
  const parsed = v.parse(sourceSchema, { kind, ...settings })
  const { events } = reader.read(new Uint8Array(readFileSync(path)), parsed as never, setup(kind).tools(nowMs))
  return { events, station: { ...STATION, ...station }, nowMs }
}
