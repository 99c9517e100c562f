import type { AirLanguage } from '../../../src/model/air-languages.ts'
import type { ComposeRequest } from '../../../src/warning/messages/compose.ts'
import {
  AVALANCHE,
  event,
  FIRE,
  FLASH_FLOOD,
  NODE,
  PASS,
  QUAKE,
  RIVER,
  ROAD,
  STORM,
  TORNADO,
  WATCH
} from './sample-events.ts'
import { NOW, request, STATION } from './samples.ts'

const DAY = '2026-07-05T06:00:00Z'
const product = (event_name: string, places: string[], data: Record<string, unknown> = {}) =>
  event({ expires: DAY, data: { event_name, places, attribution: 'NWS', ...data } })
const EUROPE = (event_name: string, awareness: string, category: string, places: string[]) =>
  event({ category, expires: DAY, data: { event_name, awareness, places, cap: { language: 'en-GB' } } })

const exercise = (lifecycle: 'new' | 'cancel') =>
  event({
    family: 'roads',
    category: 'drill',
    lifecycle,
    title: 'EXERCISE, no danger: Hilltop 12',
    expires: DAY,
    data: { drill: true, exercise: 'Hilltop' }
  })

/** Events of every template, each as an English source tells it: a text of each is written in every language. */
export const TOLD: readonly (readonly [name: string, request: Partial<ComposeRequest>])[] = [
  ['tornado', { event: TORNADO, regions: ['North'] }],
  ['tornado, update', { event: TORNADO, kind: 'update', regions: ['North'] }],
  ['tornado, cancel', { event: TORNADO, kind: 'cancel', regions: ['North'] }],
  ['tornado, ended', { event: TORNADO, kind: 'expire', regions: ['North'], nowMs: NOW + 3_600_000 }],
  ['tornado, repeated', { event: TORNADO, mark: 'RPT', regions: ['North'], code: 'K7QF' }],
  [
    'tornado emergency',
    {
      event: event({
        ...TORNADO,
        data: {
          ...TORNADO.data,
          detail: 'TORNADO EMERGENCY for Moore. A large tornado is moving northeast',
          instruction: 'Take cover now!'
        }
      })
    }
  ],
  ['flash flood', { event: FLASH_FLOOD, regions: ['North'] }],
  ['watch, ahead', { event: WATCH, regions: ['North', 'East'] }],
  [
    'watch that became a warning',
    { event: product('Winter Storm Warning', ['Kootenai, ID'], { replaces: 'Winter Storm Watch' }) }
  ],
  [
    'watch that became something else',
    {
      kind: 'cancel',
      event: product('High Wind Watch', ['San Gorgonio Pass'], { replaced_by: { event_name: 'Wind Advisory' } })
    }
  ],
  [
    'part of it ended',
    { kind: 'cancel', event: product('Tornado Watch', ['Levy, FL'], { remains: ['Dixie, FL', 'Gilchrist, FL'] }) }
  ],
  ['thunderstorm', { event: product('Severe Thunderstorm Warning', ['Canyon, ID'], { instruction: 'Go indoors.' }) }],
  [
    'flood of a river',
    {
      event: event({
        data: {
          event_name: 'Flood Warning',
          places: ['Lyon, KS'],
          detail: 'Cottonwood River near Emporia: minor flooding, 21.3ft',
          until_further_notice: true
        }
      })
    }
  ],
  ['snow', { event: product('Heavy Snow Warning', ['Sawtooths'], { instruction: 'Avoid travel.' }) }],
  ['advisory', { event: product('Dense Fog Advisory', ['Ada, ID'], { instruction: 'Drive with care.' }) }],
  ['heat', { event: product('Extreme Heat Warning', ['Boise'], { instruction: 'Drink plenty of fluids.' }) }],
  ['red flag', { event: product('Red Flag Warning', ['Camas Prairie']) }],
  ['gale', { event: product('Gale Warning', ['Cape Suckling'], { instruction: 'Stay in port.' }) }],
  ['rip current', { event: product('Rip Current Statement', ['Coastal Volusia']) }],
  ['hurricane', { event: product('Hurricane Warning', ['Vieques'], { instruction: 'Evacuate now.' }) }],
  ['colour of a scale', { event: EUROPE('Moderate Wind Warning', 'orange', 'weather_wind_warning', ['Kreis Lindau']) }],
  ['colour, national name', { event: EUROPE('Vent violent', 'red', 'weather_wind_statement', ['Landes']) }],
  ['quake', { event: QUAKE, regions: ['North'] }],
  [
    'quake, shallow, from an anchor',
    { event: event({ ...QUAKE, lat: 44.1, lon: -116.8, data: { ...QUAKE.data, places: [], depth_km: 0 } }) }
  ],
  ['quake, withdrawn', { event: QUAKE, kind: 'cancel' }],
  ['tsunami', { event: product('Tsunami Warning', ['Homer, AK'], { instruction: 'Move to higher ground now.' }) }],
  ['volcano, level', { event: product('Volcano Level 5', ['Sakurajima'], { detail: 'Residents in danger: leave' }) }],
  ['volcano', { event: product('Volcano Watch', ['Great Sitkin']) }],
  [
    'heavy rain of the JMA',
    {
      event: product('Heavy Rain Emergency Warning', ['Kagoshima'], {
        instruction: 'Level 5: lives in danger, save yourself now.'
      })
    }
  ],
  ['avalanche danger', { event: AVALANCHE, regions: ['North'] }],
  [
    'avalanche warning',
    { event: event({ ...AVALANCHE, data: { ...AVALANCHE.data, event_name: 'Avalanche Warning' } }) }
  ],
  ['fire', { event: FIRE, regions: ['West'] }],
  ['fire, closed', { event: FIRE, kind: 'cancel', regions: ['West'] }],
  [
    'fire by its title',
    { event: event({ family: 'fire', title: 'Ainslie Creek Fire', data: { hectares: 695, detail: 'Out of control' } }) }
  ],
  [
    'hotspots',
    {
      event: event({
        family: 'fire',
        category: 'unattributed_hotspot_cluster',
        title: '3 hotspots, 77 MW',
        lat: 44.2,
        lon: -116.5,
        data: { detail: 'Heat seen by satellite, away from any known fire' }
      })
    }
  ],
  ['river gauge', { event: RIVER }],
  ['road closed', { event: ROAD, regions: ['North'] }],
  ['road work, until', { event: event({ ...ROAD, category: 'work_zone', expires: DAY }) }],
  ['space weather', { event: STORM }],
  [
    'space weather, forecast',
    {
      event: event({
        family: 'rf_propagation',
        expires: DAY,
        data: { scale: 'G2', event_name: 'Geomagnetic Storm Watch' }
      })
    }
  ],
  ['satellite pass', { event: PASS }],
  ['mesh health', { event: event({ ...NODE, title: 'Bear Ridge not heard for 2h' }) }],
  [
    'mesh health, radio',
    { event: event({ family: 'mesh_health', title: 'Meshtastic radio Ridge out of service for 2h' }) }
  ],
  [
    'mesh health, radio, nothing leaves',
    {
      event: event({
        family: 'mesh_health',
        title: 'MeshCore radio Ridge out of service for 1d2h',
        data: { detail: 'No alerts on MeshCore until it is back' }
      })
    }
  ],
  ['feed silent', { event: event({ family: 'mesh_health', title: 'Feed NWS silent for 2h30m' }) }],
  ['feed never heard', { event: event({ family: 'mesh_health', title: 'Feed NWS silent since the start' }) }],
  ['station goes off', { event: event({ family: 'mesh_health', title: 'Ridge switching off: battery 9 %' }) }],
  [
    'station goes off, supply',
    { event: event({ family: 'mesh_health', title: 'Ridge switching off: supply too weak' }) }
  ],
  ['mesh health, battery', { event: event({ family: 'mesh_health', title: 'Hilltop battery 12%, shuts down soon' }) }],
  [
    'drill',
    {
      event: event({
        family: 'weather',
        category: 'drill',
        title: 'DRILL, no danger: Ridge',
        expires: DAY,
        data: { drill: true }
      }),
      regions: ['North']
    }
  ],
  ['exercise', { event: exercise('new'), regions: ['North'] }],
  ['exercise, ended', { event: exercise('cancel'), kind: 'cancel', regions: ['North'] }],
  ['demo', { event: TORNADO, simulatedMark: true, regions: ['North'] }],
  ['said again, still in force', { event: product('Flood Watch', ['Yakima Valley']), mark: 'STILL' }],
  ['told late', { event: event({ ...WATCH, onset: '2026-07-03T20:00:00Z' }), late: true }],
  ['by the other network', { event: QUAKE, mark: 'VIA MC' }]
]

/** The requests of one language. A European station writes 24 hours. */
export function toldIn(language: AirLanguage): (readonly [string, ComposeRequest])[] {
  const station = { ...STATION, time_format: language === 'en' ? ('12h' as const) : ('24h' as const) }
  return TOLD.map(([name, change]) => [name, request({ station, language, ...change })])
}
