import { listFamilies } from '../../model/families.ts'
import { hasNoRegion } from '../../model/vocabulary.ts'
import type { JsonObject } from '../../platform/config/json.ts'
import type { Config } from '../../settings/schema.ts'
import type { AreaConfig } from '../../warning/coverage/settings.ts'
import { namedIn, OFFERED_KINDS, type OfferedKind, sourceName } from '../../warning/feeds/settings.ts'
import { regionNames, servedMatrix } from './matrix-document.ts'
import { policyOf } from './policy-document.ts'

interface Circle {
  lat: number
  lon: number
  radius_km: number
}

/** One column of the matrix as one line. */
export interface Column {
  region: string
  families: string[]
  mt: number | null
  mc: string | null
  min_severity: string
  /** Its cells differ, or some are off: the routing pages show them, one line does not. */
  mixed: boolean
}

/** The subject of the five steps, and nothing else of the configuration: no secrets. */
export interface FirstRunDocument {
  /** `named`: somebody has saved a name. */
  station: { name: string; contact: string; country: string; timezone: string; named: boolean }
  place: { name: string; lat: number; lon: number } | null
  /** `drawn`: neither one circle nor one list of codes. `probe`: where a made-up event lies that is to touch it. */
  areas: { name: string | null; circle: Circle | null; codes: string[] | null; drawn: boolean; probe: Probe | null }[]
  radios: { id: string; network: 'mt' | 'mc'; link: string; path: string; host: string; port: number | null }[]
  sources: { kinds: string[]; states: string[] }
  /** `policies`: families without a region by nature that their policy sends. */
  matrix: { enabled: boolean; tagging: boolean; columns: Column[]; policies: string[] }
}

/** Fields of an event that say where it is. */
type Probe =
  | { circle: Circle }
  | { bbox: number[] }
  | { same: string[] }
  | { zones: string[] }
  | { lat: number; lon: number }

/** True when nothing of what makes a station is configured: no area, no cell of the matrix, no radio. */
export function isEmpty(config: Config): boolean {
  const { coverage, radios } = config
  return coverage.areas.length === 0 && radios.length === 0 && Object.keys(servedMatrix(config).cells).length === 0
}

/** The document of `GET /api/first-run`, which gives its revision. */
export function firstRunDocument(config: Config, raw: JsonObject): FirstRunDocument {
  const { name, contact, country, timezone, anchors } = config.station
  const [anchor] = anchors
  const written = raw['station']
  const named = typeof written === 'object' && written !== null && 'name' in written
  return {
    station: { name, contact, country, timezone, named },
    place: anchor === undefined ? null : { name: anchor.name, lat: anchor.lat, lon: anchor.lon },
    areas: config.coverage.areas.map(areaView),
    radios: config.radios.map(({ id, network, link, path = '', host = '', port = null }) => ({
      id,
      network,
      link,
      path,
      host,
      port
    })),
    sources: sourcesView(config),
    matrix: {
      enabled: config.notifications.region_routes.enabled,
      tagging: config.coverage.region_tagging,
      columns: regionNames(config).flatMap((region) => columnOf(config, region) ?? []),
      policies: listFamilies(config.families)
        .map(({ key }) => key)
        .filter((key) => hasNoRegion(key) && policyOf(config, key).enabled)
    }
  }
}

function areaView({ name, parts }: AreaConfig): FirstRunDocument['areas'][number] {
  const [part, ...more] = parts
  const single = part !== undefined && more.length === 0 ? part : {}
  const { circle = null, codes = null } = single
  return { name, circle, codes, drawn: circle === null && codes === null, probe: probeOf(part) }
}

function probeOf(part: AreaConfig['parts'][number] | undefined): Probe | null {
  const { circle, bbox, codes, geometry } = part ?? {}
  if (circle !== undefined) return { circle }
  if (bbox !== undefined) return { bbox: [...bbox] }
  const [code] = codes ?? []
  if (code !== undefined) return /^\d+$/.test(code) ? { same: [code] } : { zones: [code] }
  const vertex = geometry === undefined ? null : firstVertex(geometry)
  return vertex === null ? null : { lon: vertex[0], lat: vertex[1] }
}

/** Its rim is a part of a shape (contract §3), so any of its corners lies in it. */
function firstVertex(value: unknown): [number, number] | null {
  if (Array.isArray(value)) {
    const [lon, lat] = value
    return typeof lon === 'number' && typeof lat === 'number' ? [lon, lat] : firstVertex(lon)
  }
  if (typeof value !== 'object' || value === null) return null
  const { coordinates, geometries, features, geometry } = value as Record<string, unknown>
  return firstVertex(coordinates ?? geometries ?? features ?? geometry)
}

function sourcesView({ sources }: Config): FirstRunDocument['sources'] {
  const on = sources.filter(({ enabled }) => enabled)
  const isOn = (offer: OfferedKind): boolean => {
    const named = new Set(namedIn(offer).map(({ name }) => name))
    return on.some((source) => source.kind === offer.kind && (named.size === 0 || named.has(sourceName(source))))
  }
  const kinds = OFFERED_KINDS.filter(isOn)
  const states = kinds.flatMap(({ kind, states: by }) =>
    on.filter((source) => source.kind === kind).flatMap((source) => textsAt(source, by?.setting))
  )
  return { kinds: kinds.map(({ kind }) => kind), states: [...new Set(states)].sort() }
}

function textsAt(settings: object, key: string | undefined): string[] {
  const found: unknown = new Map<string, unknown>(Object.entries(settings)).get(key ?? '')
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
}

function columnOf(config: Config, region: string): Column | null {
  const cells = Object.entries(servedMatrix(config).cells).flatMap(([family, row]) => {
    const cell = Object.hasOwn(row, region) ? row[region] : undefined
    return cell === undefined ? [] : [{ family, cell }]
  })
  const [first] = cells
  if (first === undefined) return null
  const { mt, mc, min_severity } = first.cell
  const mixed = cells.some(
    ({ cell }) => cell.mt !== mt || cell.mc !== mc || cell.min_severity !== min_severity || !cell.enabled
  )
  return { region, families: cells.map(({ family }) => family), mt, mc, min_severity, mixed }
}
