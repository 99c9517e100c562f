import type { LookoutEvent } from '../../../src/model/event.ts'

/** A weather event with nothing but its time, and what a test changes of it. */
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

export const TORNADO = event({
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
export const FLASH_FLOOD = event({
  expires: '2026-07-04T01:00:00Z',
  data: {
    event_name: 'Flash Flood Warning',
    places: ['Blaine, ID; Custer, ID; Lemhi, ID; Butte, ID; Valley, ID; Ravalli, MT'],
    short_text: 'NWS: FLASH FLOOD WARNING this area til 7:00 PM MDT. Avoid flooded areas. Check media.',
    attribution: 'NWS PIH'
  }
})
export const WATCH = event({
  category: 'weather_watch',
  onset: '2026-07-05T00:00:00Z',
  expires: '2026-07-06T17:00:00Z',
  data: { event_name: 'Winter Storm Watch', places: ['Okanogan Highlands', 'Kootenai'], attribution: 'NWS OTX' }
})
export const FIRE = event({
  family: 'fire',
  category: 'wildfire_incident',
  title: 'Two Barrel',
  lat: 44.1029,
  lon: -116.857,
  sent_at: '2026-07-03T15:42:00Z',
  data: { incident_name: 'Two Barrel', acres: 1943.2, contained_percent: 80, attribution: 'WFIGS' }
})
export const QUAKE = event({
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
export const STORM = event({
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
export const AVALANCHE = event({
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
export const ROAD = event({
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
export const RIVER = event({
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
export const PASS = event({
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
export const EVACUATION = event({
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
export const NODE = event({
  family: 'mesh_health',
  category: 'infra_offline',
  title: 'Bear Ridge repeater not heard since 4:10p',
  sent_at: '2026-07-04T00:10:00Z'
})
export const TITLE_ONLY = event({ family: 'market', category: 'market', title: 'Bridge on CR 12 is out' })
export const LONG = event({
  ...TORNADO,
  data: {
    ...TORNADO.data,
    detail:
      'At 621 PM MDT a severe thunderstorm capable of a tornado was 5 miles southwest of Glendive, moving NE at 30 mph',
    instruction:
      'Take cover now. Move to a basement or an interior room on the lowest floor of a sturdy building. Avoid windows.'
  }
})
