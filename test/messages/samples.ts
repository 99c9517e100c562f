import type { StationConfig } from '../../src/config/schema.ts'
import type { LookoutEvent } from '../../src/events/event.ts'
import type { ComposeRequest } from '../../src/messages/compose.ts'

/** Friday 2026-07-03, 18:25 in Denver. */
export const NOW = Date.parse('2026-07-04T00:25:00Z')

export const STATION: StationConfig = {
  name: 'Ridge',
  contact: '',
  timezone: 'America/Denver',
  time_format: '12h',
  units: 'metric',
  anchors: [{ name: 'Ontario OR', lat: 44.0266, lon: -116.9629 }]
}

export function event(change: Partial<LookoutEvent> = {}): LookoutEvent {
  return {
    id: '1',
    source: 'nws',
    revision: '',
    category: 'weather_warning',
    family: 'weather',
    severity: 'priority',
    title: '',
    summary: '',
    body: '',
    geometry: null,
    bbox: null,
    circle: null,
    lat: null,
    lon: null,
    zones: [],
    same: [],
    onset: null,
    expires: null,
    sent_at: '2026-07-04T00:21:00Z',
    received_at: '2026-07-04T00:22:00Z',
    thread_id: 't',
    lifecycle: 'new',
    region: null,
    regions: [],
    data: {},
    ...change
  }
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

const TORNADO = event({
  title: 'Tornado Warning issued July 3 at 6:21PM MDT until July 3 at 6:45PM MDT by NWS Billings MT',
  expires: '2026-07-04T00:45:00Z',
  severity: 'immediate',
  data: {
    event_name: 'Tornado Warning',
    places: ['Dawson, MT'],
    detail: 'Radar: tornado 5mi SW Glendive mvg NE 30mph.',
    instruction: 'Shelter now.',
    attribution: 'NWS BYZ'
  }
})
const FLASH_FLOOD = event({
  expires: '2026-07-04T01:00:00Z',
  data: {
    event_name: 'Flash Flood Warning',
    places: ['Blaine, ID; Custer, ID; Lemhi, ID; Butte, ID; Valley, ID; Ravalli, MT'],
    short_text: 'NWS: FLASH FLOOD WARNING this area til 7:00 PM MDT. Avoid flooded areas. Check media.',
    attribution: 'NWS PIH'
  }
})
const WATCH = event({
  category: 'weather_watch',
  onset: '2026-07-05T00:00:00Z',
  expires: '2026-07-06T17:00:00Z',
  data: { event_name: 'Winter Storm Watch', places: ['Okanogan Highlands', 'Kootenai'], attribution: 'NWS OTX' }
})
const FIRE = event({
  family: 'fire',
  category: 'wildfire_incident',
  title: 'Two Barrel',
  lat: 44.1029,
  lon: -116.857,
  sent_at: '2026-07-03T15:42:00Z',
  data: { incident_name: 'Two Barrel', acres: 1943.2, contained_percent: 80, attribution: 'WFIGS' }
})
const QUAKE = event({
  family: 'seismic',
  category: 'earthquake_event',
  title: 'M 4.6 - 27 km NNW of Susitna, Alaska',
  data: {
    magnitude: 4.6,
    depth_km: 38.2,
    origin_time: '2026-07-03T20:17:09Z',
    places: ['27 km NNW of Susitna, Alaska'],
    attribution: 'USGS'
  }
})
const STORM = event({
  family: 'rf_propagation',
  category: 'geomagnetic_storm',
  title: 'G3 observed',
  data: {
    scale: 'G3',
    kp: 7,
    origin_time: '2026-07-03T22:00:00Z',
    detail: 'HF/GPS degraded, aurora',
    attribution: 'SWPC'
  }
})
const AVALANCHE = event({
  family: 'avalanche',
  category: 'avalanche_warning',
  title: 'Danger HIGH',
  expires: '2026-07-04T13:00:00Z',
  data: {
    danger_level: 4,
    places: ['Sawtooth Mtns'],
    detail: 'Avoid avalanche terrain',
    attribution: 'SNFAC'
  }
})
const ROAD = event({
  family: 'roads',
  category: 'road_closure',
  title: 'Hwy 26/97 closed',
  sent_at: '2026-07-03T16:30:00Z',
  data: {
    road: 'Hwy 26/97',
    places: ['Quesnel-Hixon'],
    detail: 'landslide at Cottonwood br',
    attribution: 'DriveBC'
  }
})
const RIVER = event({
  family: 'seismic',
  category: 'stream_flood_warning',
  title: 'Payette above flood stage',
  data: {
    gauge: 'Payette@Horseshoe Bend',
    stage_ft: 12.4,
    trend: 'rising',
    flood_stage_ft: 11,
    crest_ft: 13.1,
    crest_time: '2026-07-05T10:00:00Z',
    attribution: 'NWPS'
  }
})
const PASS = event({
  family: 'satpass',
  category: 'sat_pass',
  title: 'NOAA 20 pass',
  data: {
    satellite: 'NOAA 20',
    rise_time: '2026-07-03T21:41:00Z',
    rise_azimuth: 22,
    max_time: '2026-07-03T21:48:00Z',
    max_azimuth: 91,
    max_elevation: 62.3,
    set_time: '2026-07-03T21:55:00Z',
    set_azimuth: 178
  }
})
const EVACUATION = event({
  family: 'emergency',
  category: 'emergency_evacuation',
  expires: '2026-07-04T06:00:00Z',
  data: {
    event_name: 'Evacuation Immediate',
    places: ['Malheur County, OR'],
    detail: 'Wildfire moving on Vale from the west',
    instruction: 'Leave now by US 20 east. Take nothing that delays you. Do not return until told.',
    attribution: 'Malheur Co SO'
  }
})
const NODE = event({
  family: 'mesh_health',
  category: 'infra_offline',
  title: 'Bear Ridge repeater not heard since 4:10p',
  sent_at: '2026-07-04T00:10:00Z'
})
const TITLE_ONLY = event({ family: 'market', category: 'market', title: 'Bridge on CR 12 is out' })
const DEMO: Partial<ComposeRequest> = { simulatedMark: true, regions: ['North'] }
const MANY = ['North', 'East', 'South', 'West']
const IMPERIAL: StationConfig = { ...STATION, units: 'imperial', time_format: '24h' }
const LONG = event({
  ...TORNADO,
  data: {
    ...TORNADO.data,
    detail:
      'At 621 PM MDT a severe thunderstorm capable of a tornado was 5 miles southwest of Glendive, moving NE at 30 mph',
    instruction:
      'Take cover now. Move to a basement or an interior room on the lowest floor of a sturdy building. Avoid windows.'
  }
})

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
  ['weather, long detail', request({ event: LONG, regions: ['North'] })],
  ['weather, long in 2 parts', request({ event: LONG, regions: ['North'], maxParts: 2 })],
  ['weather, long in 3 parts, DEMO', request({ event: LONG, ...DEMO, maxParts: 3 })],
  ['weather, DEMO', request({ event: TORNADO, ...DEMO })],
  ['fire', request({ event: FIRE, regions: ['West'] })],
  ['fire, imperial', request({ event: FIRE, regions: ['West'], station: IMPERIAL })],
  ['fire, update', request({ event: FIRE, kind: 'update', regions: ['West'] })],
  ['fire, closed', request({ event: FIRE, kind: 'cancel', regions: ['West'] })],
  ['fire, far from every anchor', request({ event: event({ ...FIRE, lat: 40, lon: -105 }), regions: ['West'] })],
  ['fire, title only', request({ event: event({ family: 'fire', title: 'Two Barrel Fire' }), regions: ['West'] })],
  ['seismic', request({ event: QUAKE, regions: ['North'] })],
  ['seismic, imperial', request({ event: QUAKE, station: IMPERIAL })],
  [
    'seismic, the source speaks of tsunamis',
    request({ event: event({ ...QUAKE, data: { ...QUAKE.data, detail: 'No tsunami expected' } }) })
  ],
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
  fire: 'FIRE Two Barrel 1943ac 80% cont. 12km NE Ontario OR (DN14nc). Upd 9:42a. WFIGS',
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
