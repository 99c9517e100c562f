import * as v from 'valibot'
import { AppError } from '../../../src/platform/errors.ts'
import { kindOf } from '../../../src/warning/feeds/create.ts'
import { mqttSourceSchema } from '../../../src/warning/feeds/mqtt/settings.ts'
import { mqttSource } from '../../../src/warning/feeds/mqtt/source.ts'
import { sourceSchema } from '../../../src/warning/feeds/settings.ts'
import type { PushKind, SourceKind, SourceReading } from '../../../src/warning/feeds/source.ts'

/** Every recording there is, by its path: the kind that reads it, and so many events, entries skipped, and ends in it. */

export interface Expected {
  kind: string
  settings?: object
  now: string
  counts?: [events: number, skipped: number, ends: number]
  /** Not a listing, and refused as such. */
  refused?: RegExp
}

const address = { url: 'https://feed.example/' }
const MAP_KEY = { map_key: '0123456789abcdef0123456789abcdef' }
const SITES = { sites: [{ id: '06904500', action: 1.5 }] }
const observers = [{ name: 'Boise', lat: 43.6, lon: -116.2 }]
const PACKETS = {
  id: { template: '{/origin_id}-{/timestamp}' },
  title: { template: 'Packet heard by {/origin}' },
  family: { value: 'mesh_health' },
  sent_at: '/timestamp'
}

const canada = (events: number, skipped: number, settings = {}): Expected => ({
  kind: 'avalanche_canada',
  settings,
  now: '2015-12-31T12:00:00Z',
  counts: [events, skipped, 0]
})
const cap = (events = 1, skipped = 0, ends = 0): Expected => ({
  kind: 'cap',
  settings: address,
  now: '2026-01-15T18:30:00Z',
  counts: [events, skipped, ends]
})
const meteoalarm = (country: string, events: number): Expected => ({
  kind: 'meteoalarm',
  settings: { country },
  now: '2026-01-15T18:30:00Z',
  counts: [events, 0, 0]
})
const text = (events = 1, ends = 0): Expected => ({
  kind: 'nws_text',
  settings: { folder: 'inbox' },
  now: '2026-08-01T12:00:00Z',
  counts: [events, 0, ends]
})
const datex = (events: number, skipped = 0): Expected => ({
  kind: 'datex2',
  settings: address,
  now: '2019-11-26T13:40:00Z',
  counts: [events, skipped, 0]
})
const swpc = (events = 0, skipped = 0): Expected => ({
  kind: 'swpc',
  now: '2025-04-17T12:00:00Z',
  counts: [events, skipped, 0]
})
const stations: Expected = {
  kind: 'satpass',
  settings: { observers, satellites: [25544] },
  now: '2024-05-09T12:00:00Z',
  counts: [5, 0, 0]
}
const of = (kind: string, now: string, counts: [number, number, number], settings = {}): Expected => ({
  kind,
  now,
  counts,
  settings
})

export const EXPECTED: Record<string, Expected> = {
  'avalanche/ca-cariboos.geojson': canada(0, 1),
  'avalanche/ca-glacier.geojson': canada(0, 1),
  'avalanche/ca-purcells.geojson': canada(0, 1),
  'avalanche/ca-sea-to-sky.geojson': canada(0, 1),
  'avalanche/ca-sea-to-sky-forecast.json': canada(1, 0, { min_danger: 1 }),
  'avalanche/us-zones-part-a.geojson': of('avalanche', '2026-01-10T16:00:00Z', [0, 37, 0]),
  'bc-wildfire/wildfire_feed_location_list.json': of('bc_wildfire', '2026-08-01T12:00:00Z', [7, 0, 0]),
  'cap/alertswiss-POA-1216107687-4.xml': cap(),
  'cap/alertswiss-TEST-1163.xml': cap(0, 1),
  'cap/australia.cap': cap(),
  'cap/canada.cap': cap(1, 0, 1),
  'cap/ie-2.49.0.1.372.0.250413231648.N_Norm002_SmallCraft.xml': cap(),
  'cap/kz-2.49.0.0.398.0-20250306-133701-0284797-00-EN.xml': cap(),
  'cap/mo-cap_monsoon.xml': cap(1, 0, 1),
  'cap/noaa-2.49.0.1.840.0.bde6c30c43ead9c23c42bea7977652a7de76d87d.002.1.xml': cap(),
  'cap/nws-weather-2010.cap': cap(),
  'cap/nws-weather_index-2010.atom': cap(2),
  'firms/MODIS_C6_1_Global_24h.csv': of('firms', '2026-08-01T12:00:00Z', [1716, 2, 0], MAP_KEY),
  'firms/world_fires_1_day.csv': of('firms', '2026-08-01T12:00:00Z', [276, 2, 0], MAP_KEY),
  'gdacs/gdacs-cap_1001150.xml': of('gdacs', '2026-08-01T12:00:00Z', [1, 0, 0]),
  'gdacs/gdacs-cap_1470644.xml': of('gdacs', '2026-08-01T12:00:00Z', [1, 0, 0]),
  'gdacs/gdacs-rss-24h.xml': of('gdacs', '2026-08-01T12:00:00Z', [12, 9, 0], { green: true, droughts: true }),
  'met-norway/metno_alerts.json': of('met_alerts', '2024-01-01T12:00:00Z', [29, 0, 0]),
  'meteoalarm/legacy-atom-germany.xml': meteoalarm('germany', 21),
  'meteoalarm/legacy-atom-poland.xml': meteoalarm('poland', 2),
  'meteoalarm/uk_detail.xml': meteoalarm('united-kingdom', 1),
  'mqtt/meshcore-packets.json': of('mqtt', '2026-08-01T12:00:00Z', [10, 0, 0], {
    url: 'mqtt://broker.example',
    topics: [{ filter: 'meshcore/SEA/+/packets', mapping: { fields: PACKETS } }]
  }),
  'nwis/dv-range.json': of('nwis', '2026-08-07T19:00:00Z', [0, 10, 0], SITES),
  'nwis/iv-two-sites.json': of('nwis', '2026-08-07T19:00:00Z', [0, 2, 0], SITES),
  'nwis/ogc-api-samples.json': of('nwis', '2026-08-07T19:00:00Z', [1, 1, 0], SITES),
  'nws-geojson/active-2025-12-15-northwest.json': of('nws', '2025-12-15T22:00:00Z', [529, 0, 4]),
  'nws-geojson/active-zone.json': of('nws', '2025-12-15T22:00:00Z', [1, 0, 0]),
  'nws-geojson/alerts-500-part-a.json': of('nws', '2026-02-15T22:00:00Z', [214, 35, 24]),
  'nws-text/FFW_FFSLCH_1.txt': text(1, 1),
  'nws-text/FFW_FFWLCH_0.txt': text(),
  'nws-text/FLWCHS_2019_0.txt': text(),
  'nws-text/FLWCHS_2019_1.txt': text(),
  'nws-text/FLWCHS_2019_2.txt': text(),
  'nws-text/FLWCHS_2019_3.txt': text(),
  'nws-text/FLWCHS_2019_4.txt': text(),
  'nws-text/FLWCHS_2019_5.txt': text(),
  'nws-text/FLWCHS_2019_6.txt': text(),
  'nws-text/RFWVEF_RFW_00.txt': text(),
  'nws-text/RFWVEF_RFW_01.txt': text(),
  'nws-text/RFWVEF_RFW_02.txt': text(2, 1),
  'nws-text/RFWVEF_RFW_03.txt': text(2, 1),
  'nws-text/SEL_SEL9.txt': text(),
  'nws-text/SPS_SPSBMX_IBW1.txt': text(),
  'nws-text/TOR.txt': text(),
  'nws-text/TOR_emergency.txt': text(),
  'nws-text/TSU_TSUPAC.txt': text(1, 1),
  'roads/cars-chain-ups.json': of('cars', '2026-01-15T12:00:00Z', [18, 0, 0], address),
  'roads/datex2-GUID50365428-v1.xml': datex(2),
  'roads/datex2-GUID50365428-v2.xml': datex(2),
  'roads/datex2-roadwork2.xml': datex(0, 1),
  'roads/datex2-vehicle-obstruction.xml': datex(1),
  'roads/digitraffic-GUID50409331.json': of('digitraffic', '2023-01-25T05:00:00Z', [1, 0, 0]),
  'roads/open511-drivebc-five.json': of('open511', '2026-01-15T12:00:00Z', [1, 4, 0]),
  'swpc/alerts.2025_04_17.json': swpc(54, 146),
  'swpc/noaa-planetary-k-index-forecast.2025_04_10.json': swpc(),
  'swpc/noaa-planetary-k-index-forecast.2025_04_17.json': swpc(),
  'swpc/noaa-planetary-k-index.2026_08_01.json': swpc(),
  'swpc/noaa-scales.2025_04_10.json': swpc(),
  'swpc/noaa-scales.2025_04_16.json': swpc(),
  'swpc/3-day-forecast.2025_04_17.txt': {
    kind: 'swpc',
    now: '2025-04-17T12:00:00Z',
    refused: /text product for people/
  },
  'tle-omm/stations.csv': stations,
  'tle-omm/stations.json': stations,
  'tle-omm/stations.tle': stations,
  'tle-omm/weather.tle': {
    ...stations,
    settings: { observers, satellites: ['NOAA 20'] },
    now: '2026-02-25T12:00:00Z',
    counts: [3, 0, 0]
  },
  'usgs-quakes/1.0_day-2022-04-04.geojson': of('usgs', '2022-04-04T22:00:00Z', [47, 113, 0]),
  'usgs-quakes/1.0_week-2022-04-04.geojson': of('usgs', '2022-04-04T22:00:00Z', [331, 1074, 0]),
  'wfigs-incidents/incidents-fl.geojson': of('wfigs', '2026-08-01T12:00:00Z', [14, 0, 0]),
  'wfigs-perimeters/perimeters-2025-03-12.geojson': of('wfigs', '2025-03-12T22:00:00Z', [33, 0, 0]),
  'wfigs-perimeters/perimeters-2025-03-13.geojson': of('wfigs', '2025-03-13T22:00:00Z', [39, 0, 0]),
  'wfigs-perimeters/error-200.json': { kind: 'wfigs', now: '2025-03-13T22:00:00Z', refused: /Invalid field: POOState/ }
}

/**
 * The part that is damaged: the whole recording, but of long tables of pixels the first lines, every one of which is
 * read alike. So a copy takes a millisecond and not a tenth of a second, and more damage is tried.
 */
export function damagedPart(file: string, body: Uint8Array): Uint8Array {
  const limit = 60_000
  return file.endsWith('.csv') && body.length > limit ? body.slice(0, body.lastIndexOf(10, limit) + 1) : body
}

type Kind = SourceKind | PushKind

export async function readerOf({
  kind,
  settings = {}
}: Expected): Promise<{ reader: Kind; parsed: { kind: string; enabled: boolean; overrides: object } }> {
  if (kind === 'mqtt') return { reader: mqttSource as Kind, parsed: v.parse(mqttSourceSchema, { kind, ...settings }) }
  return { reader: await kindOf(kind), parsed: v.parse(sourceSchema, { kind, ...settings }) }
}

/** Reads every broken copy of what is refused as it is: it stays refused, or says nothing. */
export function refusedStays(read: (body: Uint8Array) => SourceReading, copies: Iterable<Uint8Array>): string[] {
  return [...copies].flatMap((copy) => {
    try {
      return read(copy).events.map(({ id }) => id)
    } catch (error) {
      return error instanceof AppError ? [] : [String(error)]
    }
  })
}
