import type { ComposeRequest } from '../../../src/warning/messages/compose.ts'
import type { StationConfig } from '../../../src/warning/station-settings.ts'
import {
  AVALANCHE,
  EVACUATION,
  event,
  FIRE,
  FLASH_FLOOD,
  LONG,
  NODE,
  PASS,
  QUAKE,
  RIVER,
  ROAD,
  STORM,
  TITLE_ONLY,
  TORNADO,
  WATCH
} from './sample-events.ts'

/** Friday 2026-07-03, 18:25 in Denver. */
export const NOW = Date.parse('2026-07-04T00:25:00Z')

export const STATION: StationConfig = {
  name: 'Ridge',
  contact: '',
  country: '',
  timezone: 'America/Denver',
  time_format: '12h',
  language: 'en',
  units: 'metric',
  anchors: [{ name: 'Ontario OR', lat: 44.0266, lon: -116.9629 }]
}

export function request(change: Partial<ComposeRequest> = {}): ComposeRequest {
  return {
    event: event(),
    kind: 'new',
    regions: [],
    station: STATION,
    limitBytes: 200,
    targetBytes: 140,
    nowMs: NOW,
    ...change
  }
}

const DEMO: Partial<ComposeRequest> = { simulatedMark: true, regions: ['North'] }
const MANY = ['North', 'East', 'South', 'West']
const IMPERIAL: StationConfig = { ...STATION, units: 'imperial', time_format: '24h' }
/** One row per text of the golden file. */
export const SAMPLES: readonly (readonly [name: string, request: ComposeRequest])[] = [
  ['weather', request({ event: TORNADO })],
  ['weather, region and county', request({ event: TORNADO, regions: ['North'] })],
  ['weather, region named as the county', request({ event: TORNADO, regions: ['Dawson'] })],
  ['weather, four regions', request({ event: TORNADO, regions: MANY })],
  ['weather, MC behind a 31-byte name', request({ event: TORNADO, regions: MANY, limitBytes: 127, targetBytes: 127 })],
  ['weather, 60 bytes', request({ event: TORNADO, regions: MANY, limitBytes: 60 })],
  ['weather, update', request({ event: TORNADO, kind: 'update', regions: ['North'] })],
  ['weather, new places only', request({ event: TORNADO, kind: 'update', regions: ['East'], newPlacesOnly: true })],
  ['weather, cancel', request({ event: TORNADO, kind: 'cancel' })],
  ['weather, cancel with region', request({ event: TORNADO, kind: 'cancel', regions: ['North'] })],
  ['weather, ended', request({ event: TORNADO, kind: 'expire', nowMs: NOW + 3_600_000 })],
  ['weather, 24 h', request({ event: TORNADO, station: IMPERIAL })],
  ['weather, phone text', request({ event: FLASH_FLOOD, regions: ['North'] })],
  ['weather, many counties', request({ event: FLASH_FLOOD })],
  ['weather, many counties in 90 bytes', request({ event: FLASH_FLOOD, limitBytes: 90, targetBytes: 90 })],
  [
    'weather, merged pieces',
    request({
      event: TORNADO,
      merged: [event({ ...TORNADO, expires: '2026-07-04T01:10:00Z', data: { places: ['Wibaux, MT'] } })]
    })
  ],
  ['weather, ahead', request({ event: WATCH, regions: ['North', 'East'] })],
  [
    'weather, until further notice',
    request({
      event: event({ data: { event_name: 'Flood Warning', places: ['Lewis, WA'], until_further_notice: true } })
    })
  ],
  [
    'weather, no end known',
    request({ event: event({ data: { event_name: 'Special Weather Statement' } }), regions: ['North'] })
  ],
  [
    'weather, product from the title',
    request({ event: event({ title: 'Red Flag Warning issued July 3 by NWS Boise ID' }), regions: ['South'] })
  ],
  [
    'weather, the level is a colour',
    request({
      event: event({ data: { event_name: 'gale-force gusts', awareness: 'orange', places: ['Kreis Lindau'] } }),
      regions: ['Allgäu']
    })
  ],
  [
    'weather, the name has the colour',
    request({ event: event({ data: { event_name: 'Yellow Wind Warning', awareness: 'yellow' } }), regions: ['North'] })
  ],
  ['weather, long detail', request({ event: LONG, regions: ['North'] })],
  ['weather, long in 2 parts', request({ event: LONG, regions: ['North'], maxParts: 2 })],
  ['weather, long in 3 parts, DEMO', request({ event: LONG, ...DEMO, maxParts: 3 })],
  ['weather, DEMO', request({ event: TORNADO, ...DEMO })],
  ['fire', request({ event: FIRE, regions: ['West'] })],
  ['fire, imperial', request({ event: FIRE, regions: ['West'], station: IMPERIAL })],
  ['fire, update', request({ event: FIRE, kind: 'update', regions: ['West'] })],
  ['fire, closed', request({ event: FIRE, kind: 'cancel', regions: ['West'] })],
  ['fire, far from every anchor', request({ event: event({ ...FIRE, lat: 40, lon: -105 }), regions: ['West'] })],
  [
    'fire, a very large one',
    request({ event: event({ ...FIRE, data: { ...FIRE.data, acres: 963_309 } }), regions: ['West'] })
  ],
  [
    'fire, a number for a name',
    request({ event: event({ ...FIRE, data: { ...FIRE.data, incident_name: '3910' } }), regions: ['West'] })
  ],
  [
    'fire, prescribed',
    request({ event: event({ ...FIRE, data: { ...FIRE.data, detail: 'Prescribed burn.' } }), regions: ['West'] })
  ],
  ['fire, title only', request({ event: event({ family: 'fire', title: 'Two Barrel Fire' }), regions: ['West'] })],
  ['seismic', request({ event: QUAKE, regions: ['North'] })],
  ['seismic, imperial', request({ event: QUAKE, station: IMPERIAL })],
  [
    'seismic, the source speaks of tsunamis',
    request({ event: event({ ...QUAKE, data: { ...QUAKE.data, detail: 'No tsunami expected' } }) })
  ],
  [
    'seismic, as the feed words it',
    request({ event: event({ ...QUAKE, data: { ...QUAKE.data, detail: 'Depth 38 km. Tsunami information is out.' } }) })
  ],
  ['seismic, shallow', request({ event: event({ ...QUAKE, data: { ...QUAKE.data, depth_km: -1.2 } }) })],
  ['seismic, withdrawn', request({ event: QUAKE, kind: 'cancel' })],
  ['rf_propagation', request({ event: STORM })],
  ['rf_propagation, regions', request({ event: STORM, regions: ['North', 'East'] })],
  [
    'rf_propagation, forecast',
    request({
      event: event({
        family: 'rf_propagation',
        expires: '2026-07-05T06:00:00Z',
        data: { scale: 'G2', event_name: 'Geomagnetic Storm Watch' }
      }),
      regions: ['North']
    })
  ],
  ['avalanche', request({ event: AVALANCHE })],
  ['avalanche, regions', request({ event: AVALANCHE, regions: ['North'] })],
  [
    'avalanche, warning',
    request({ event: event({ ...AVALANCHE, data: { ...AVALANCHE.data, event_name: 'Avalanche Warning' } }) })
  ],
  ['roads', request({ event: ROAD, regions: ['North'] })],
  ['roads, with an end', request({ event: event({ ...ROAD, expires: '2026-07-04T13:00:00Z' }) })],
  [
    'roads, a distance for a place',
    request({ event: event({ ...ROAD, data: { ...ROAD.data, road: 'Hwy 3', places: ['6 to 5 km east of Yahk'] } }) })
  ],
  [
    'roads, a report without a road',
    request({
      event: event({
        family: 'roads',
        category: 'road_incident',
        title: 'Pohjanmaa: Road incident',
        data: { event_name: 'Road incident', places: ['Pohjanmaa'], detail: 'Huono ajokeli' }
      })
    })
  ],
  [
    'roads, title only',
    request({
      event: event({ family: 'roads', category: 'road_closure', title: 'Hwy 26 at Quesnel' }),
      regions: ['North']
    })
  ],
  ['river, imperial', request({ event: RIVER, station: { ...STATION, units: 'imperial' } })],
  ['river', request({ event: RIVER })],
  ['satpass', request({ event: PASS })],
  ['satpass, region', request({ event: PASS, regions: ['North'] })],
  ['emergency', request({ event: EVACUATION, regions: ['West'] })],
  ['emergency, 200 bytes', request({ event: EVACUATION, regions: ['West'], targetBytes: 200 })],
  [
    'emergency, title',
    request({
      event: event({ family: 'emergency', title: 'Boil water before drinking', data: { attribution: 'City of Vale' } }),
      regions: ['West']
    })
  ],
  ['mesh_health', request({ event: NODE, regions: ['North'] })],
  [
    'custom family',
    request({
      event: event({ ...TITLE_ONLY, summary: 'Pylon washed away. Detour over CR 9. Crews arrive at noon.' }),
      regions: ['North', 'East']
    })
  ],
  ['custom family, title only', request({ event: TITLE_ONLY, regions: ['North', 'East'] })],
  ['custom family, title only, update', request({ event: TITLE_ONLY, kind: 'update', regions: ['North'] })],
  [
    'custom family, the place is the title',
    request({ event: event({ ...TITLE_ONLY, data: { places: [TITLE_ONLY.title] } }), regions: ['North'] })
  ],
  [
    'custom family, no title that can be read',
    request({ event: event({ ...TITLE_ONLY, title: '\u200B' }), regions: ['North'] })
  ],
  [
    'custom family, more than six days ahead',
    request({ event: event({ ...TITLE_ONLY, expires: '2026-07-20T18:30:00Z' }), regions: ['North'] })
  ],
  ['custom family, a point and nothing else', request({ event: event({ ...TITLE_ONLY, lat: 40, lon: -105 }) })]
]

/** Samples whose length the text study fixed: they prove that the templates write what was asked for. */
export const FIXED: Readonly<Record<string, string>> = {
  weather: 'TOR WARN Dawson Co MT til 6:45p. Radar: tornado 5mi SW Glendive mvg NE 30mph. Shelter now. NWS BYZ',
  'weather, region and county':
    'TOR WARN North, Dawson MT til 6:45p. Radar: tornado 5mi SW Glendive mvg NE 30mph. Shelter now. NWS BYZ',
  'weather, cancel': 'CANCEL TOR WARN Dawson Co MT (6:21p). NWS BYZ',
  fire: 'FIRE Two Barrel 786ha 80% cont. 12km NE Ontario OR (DN14nc). Upd 9:42a. WFIGS',
  seismic: 'QUAKE M4.6 27km NNW Susitna AK, 38km deep, 2:17p. USGS',
  'seismic, the source speaks of tsunamis':
    'QUAKE M4.6 27km NNW Susitna AK, 38km deep, 2:17p. No tsunami expected. USGS',
  rf_propagation: 'G3 geomag storm Kp7 obs 4:00p. HF/GPS degraded, aurora. SWPC',
  avalanche: 'AVY HIGH(4) Sawtooth Mtns til Sat 7a. Avoid avalanche terrain. SNFAC',
  roads: 'ROAD CLOSED Hwy 26/97 Quesnel-Hixon: landslide at Cottonwood br. Upd 10:30a. DriveBC',
  'river, imperial': 'RIVER Payette@Horseshoe Bend 12.4ft rising, FLOOD 11.0, crest 13.1 Sun 4a (6:21p). NWPS',
  satpass: 'PASS NOAA 20 rise 3:41p NNE max 62 E 3:48p set 3:55p S',
  'custom family, title only': 'Bridge on CR 12 is out, North/East (6:21p)'
}
