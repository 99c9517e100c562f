import { coverageScope } from '../coverage-scope.ts'
import type { ReadTools } from '../source.ts'
import type { Layer } from './fire.ts'
import type { WfigsSettings } from './settings.ts'

/** Attributes that are read, by their names among the incidents. */
const ATTRIBUTES = [
  'IrwinID',
  'IncidentName',
  'IncidentTypeCategory',
  'IncidentSize',
  'PercentContained',
  'FireOutDateTime',
  'ModifiedOnDateTime_dt',
  'IncidentShortDescription',
  'FireBehaviorGeneral',
  'POOCounty',
  'POOState',
  'POOFips'
]
const OUTLINE = ['IncidentName', 'GISAcres', 'DateCurrent', 'FeatureCategory', 'DeleteThis']
const PAGE_SIZE = 1000
/** About 50 m: far below what matters on a map, a tenth of the bytes. */
const THINNED_DEGREES = '0.0005'

export interface PageRequest {
  layer: Layer
  offset: number
  /** Without names: all attributes, for a service that has renamed one. */
  everyField: boolean
}

/** The address of one page of a layer: the fires of some states, of a box, or all. */
export function pageUrl(request: PageRequest, settings: WfigsSettings, tools: Pick<ReadTools, 'coverage'>): string {
  const perimeters = request.layer === 'perimeters'
  const base = perimeters ? settings.perimeters_url : settings.incidents_url
  const prefix = perimeters ? 'attr_' : ''
  const fields = [
    ...ATTRIBUTES.map((name) => prefix + name),
    ...(perimeters ? OUTLINE.map((name) => `poly_${name}`) : [])
  ]
  const query = new URLSearchParams({
    ...where(`${prefix}POOState`, settings, tools),
    outFields: request.everyField ? '*' : ['OBJECTID', ...fields].join(','),
    orderByFields: 'OBJECTID',
    resultOffset: String(request.offset),
    resultRecordCount: String(PAGE_SIZE),
    outSR: '4326',
    geometryPrecision: '5',
    ...(perimeters ? { maxAllowableOffset: THINNED_DEGREES } : {}),
    f: 'geojson'
  })
  return `${base.replace(/\/+$/, '')}/query?${query}`
}

function where(
  field: string,
  settings: WfigsSettings,
  { coverage }: Pick<ReadTools, 'coverage'>
): Record<string, string> {
  if (settings.bbox !== undefined) return envelope(settings.bbox)
  if (settings.states.length > 0) return inStates(field, settings.states)
  const scope = coverageScope(coverage)
  if (scope.by === 'box') return envelope(scope.box)
  return scope.by === 'states' ? inStates(field, scope.states) : { where: '1=1' }
}

function inStates(field: string, states: readonly string[]): Record<string, string> {
  const names = states.map((state) => `'US-${state.slice(-2)}'`)
  return { where: `${field} IN (${names.join(',')})` }
}

function envelope([west, south, east, north]: readonly [number, number, number, number]): Record<string, string> {
  const [left, right] = west <= east ? [west, east] : [-180, 180]
  return {
    where: '1=1',
    geometry: [left, south, right, north].map((value) => Math.round(value * 1e5) / 1e5).join(','),
    geometryType: 'esriGeometryEnvelope',
    inSR: '4326',
    spatialRel: 'esriSpatialRelIntersects'
  }
}
