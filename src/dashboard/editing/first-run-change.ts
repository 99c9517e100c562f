import { listFamilies } from '../../model/families.ts'
import { because } from '../../model/reason.ts'
import { hasNoRegion } from '../../model/vocabulary.ts'
import { type JsonObject, type JsonValue, objectAt, objectIn } from '../../platform/config/json.ts'
import { AppError } from '../../platform/errors.ts'
import type { Config } from '../../settings/schema.ts'
import { type NamedSettings, namedIn, OFFERED_KINDS, type OfferedKind } from '../../warning/feeds/settings.ts'
import { customsOf } from './country-customs.ts'
import type { FirstRunBody } from './first-run-body.ts'
import { firstRunDocument } from './first-run-document.ts'
import { knownFamilies, readMatrix, servedMatrix, storeMatrix } from './matrix-document.ts'
import { policyOf, storePolicy } from './policy-document.ts'

type Part<Name extends keyof FirstRunBody> = NonNullable<FirstRunBody[Name]>

/** Keys that say the shape of an area, in the long form and the short ones. */
const SHAPES = ['parts', 'bbox', 'circle', 'geometry', 'codes', 'west', 'south', 'east', 'north']

/**
 * Puts what one step says into the raw document and touches nothing else; unknown keys stay. Throws AppError `conflict`
 * for an area that was drawn by hand: it is changed where it was drawn.
 */
export function applyFirstRun(raw: JsonObject, body: FirstRunBody, config: Config): JsonObject {
  const { station, place, area, radios, sources, matrix } = body
  if (station !== undefined) setStation(raw, station)
  if (place !== undefined) setPlace(raw, place)
  if (area !== undefined) setArea(raw, area, config)
  if (radios !== undefined) setRadios(raw, radios)
  if (sources !== undefined) setSources(raw, sources)
  return matrix === undefined ? raw : setColumn(raw, matrix, config)
}

/**
 * The country says how times and distances are written, and in which language texts are, as long as nobody chose otherwise: what the country before said is
 * no choice. A station that has its country keeps its language: it has spoken it.
 */
function setStation(raw: JsonObject, given: Part<'station'>): void {
  const station = objectAt(raw, 'station')
  const before = customsOf(textAt(station['country']))
  const customs = customsOf(given.country ?? '')
  const isSame = textAt(station['country']) === given.country
  Object.assign(station, given)
  if (customs === null) return
  const keys = ['time_format', 'units', 'language'] as const
  for (const key of isSame ? keys.slice(0, 2) : keys) {
    const isChosen = station[key] !== undefined && station[key] !== before?.[key]
    if (!isChosen) station[key] = customs[key]
  }
}

function setPlace(raw: JsonObject, place: Part<'place'>): void {
  const anchors = listAt(objectAt(raw, 'station'), 'anchors')
  anchors[0] = { ...objectIn(anchors[0]), ...place }
}

function setArea(raw: JsonObject, { name, circle, codes }: Part<'area'>, config: Config): void {
  const coverage = objectAt(raw, 'coverage')
  coverage['region_tagging'] = true
  const areas = listAt(coverage, 'areas')
  const index = areas.findIndex((area) => {
    const called = objectIn(area)['name']
    return typeof called === 'string' && called.trim() === name
  })
  if (index >= 0 && firstRunDocument(config, raw).areas[index]?.drawn)
    throw new AppError('conflict', because('area_was_drawn', { name }))
  const kept = Object.entries(objectIn(areas[index])).filter(([key]) => !SHAPES.includes(key))
  const made: JsonObject = { name, ...Object.fromEntries(kept), ...shapeOf(circle, codes) }
  if (index < 0) areas.push(made)
  else areas[index] = made
}

function shapeOf(circle: Part<'area'>['circle'], codes: Part<'area'>['codes']): JsonObject {
  if (circle !== undefined) return { circle: { ...circle } }
  return codes === undefined ? {} : { codes: [...codes] }
}

function setRadios(raw: JsonObject, chosen: Part<'radios'>): void {
  const radios = listAt(raw, 'radios')
  for (const network of ['mt', 'mc'] as const) {
    const choice = chosen[network]
    if (choice === undefined) continue
    const index = radios.findIndex((radio) => objectIn(radio)['network'] === network)
    if (choice === null) {
      if (index >= 0) radios.splice(index, 1)
      continue
    }
    const kept = Object.entries(objectIn(radios[index])).filter(([key]) => !['path', 'host', 'port'].includes(key))
    const made: JsonObject = { id: freeId(radios, network), network, ...Object.fromEntries(kept), ...choice }
    if (index < 0) radios.push(made)
    else radios[index] = made
  }
}

function freeId(radios: readonly JsonValue[], network: string): string {
  const taken = new Set(radios.map((radio) => objectIn(radio)['id']))
  for (let nth = 1; ; nth++) {
    const id = nth === 1 ? network : `${network}-${nth}`
    if (!taken.has(id)) return id
  }
}

function setSources(raw: JsonObject, { kinds, states }: Part<'sources'>): void {
  const sources = listAt(raw, 'sources')
  const country = textAt(objectAt(raw, 'station')['country'])
  for (const offer of OFFERED_KINDS) {
    const isWanted = kinds.includes(offer.kind)
    if (offer.services === undefined) setOnly(sources, offer, isWanted ? settingsIn(offer, country, states) : null)
    else setNamed(sources, offer, isWanted ? (servicesIn(offer.services, country) ?? []) : [])
  }
}

function settingsIn(
  { states: by, byCountry = {} }: OfferedKind,
  country: string,
  states: readonly string[]
): JsonObject {
  const here = Object.hasOwn(byCountry, country) ? byCountry[country] : {}
  return { ...here, ...(by === undefined ? {} : { [by.setting]: [...states] }) }
}

function servicesIn(
  services: NonNullable<OfferedKind['services']>,
  country: string
): readonly NamedSettings[] | undefined {
  return Object.hasOwn(services, country) ? services[country] : undefined
}

/** The one source of a kind: on with these settings, or off for null, its own kept for whoever switches it on again. */
function setOnly(sources: JsonValue[], { kind }: OfferedKind, wanted: JsonObject | null): void {
  const entry = sources.map(objectIn).find((source) => source['kind'] === kind)
  if (wanted === null) {
    if (entry !== undefined) entry['enabled'] = false
  } else if (entry === undefined) sources.push({ kind, ...wanted, enabled: true })
  else Object.assign(entry, wanted, { enabled: true })
}

/** Of a kind with several sources in a country: those that are wanted on, those of other countries off. Somebody's own source of the kind has another name, and stays. */
function setNamed(sources: JsonValue[], offer: OfferedKind, wanted: readonly NamedSettings[]): void {
  const { kind } = offer
  const entryOf = (name: string): JsonObject | undefined =>
    sources.map(objectIn).find((source) => source['kind'] === kind && source['name'] === name)
  for (const { name } of namedIn(offer)) {
    const entry = entryOf(name)
    if (entry !== undefined && !wanted.some((one) => one.name === name)) entry['enabled'] = false
  }
  for (const { name, settings } of wanted) {
    const entry = entryOf(name)
    if (entry === undefined) sources.push({ kind, name, ...settings, enabled: true })
    else entry['enabled'] = true
  }
}

/** Cells alone route nothing: tagging gives events their regions, and what has none goes by its policy (contract §4 rule 11). */
function setColumn(raw: JsonObject, column: Part<'matrix'>, config: Config): JsonObject {
  const { region, mt, mc, min_severity } = column
  const families = column.families.filter((family) => !hasNoRegion(family))
  objectAt(raw, 'coverage')['region_tagging'] = true
  setPolicies(raw, column, config)
  const { cells, ...rest } = servedMatrix(config)
  const rows = new Map(Object.entries(cells).map(([family, row]) => [family, withoutKey(row, region)]))
  for (const family of families) {
    const before = Object.hasOwn(cells, family) ? cells[family]?.[region] : undefined
    rows.set(family, { ...rows.get(family), [region]: { ...before, mt, mc, min_severity, enabled: true } })
  }
  const on = { ...(mt === null ? {} : { mt_enabled: true }), ...(mc === null ? {} : { mc_enabled: true }) }
  const changed = readMatrix({ ...rest, ...on, enabled: true, cells: Object.fromEntries(rows) }, rest)
  return storeMatrix(raw, changed, knownFamilies(config))
}

/** Policies that name destinations are somebody's own work and stay as they are. */
function setPolicies(raw: JsonObject, { families, mt, mc, min_severity }: Part<'matrix'>, config: Config): void {
  for (const { key } of listFamilies(config.families)) {
    const { destinations, enabled } = policyOf(config, key)
    const wanted = families.includes(key)
    if (!hasNoRegion(key) || destinations.length > 0 || (!wanted && !enabled)) continue
    const toggle = objectAt(objectAt(objectAt(raw, 'notifications'), 'toggles'), key)
    if (wanted) storePolicy(toggle, { enabled: true, min_severity, mt, mc })
    else toggle['enabled'] = false
  }
}

function withoutKey<T>(row: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== key))
}

function textAt(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function listAt(parent: JsonObject, key: string): JsonValue[] {
  const found = parent[key]
  const list = Array.isArray(found) ? found : []
  parent[key] = list
  return list
}
