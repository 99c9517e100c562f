import type { GeoJsonProperties } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryObject, Topology } from 'topojson-specification'
import type { Geometry } from '../../model/geojson.ts'
import { because } from '../../model/reason.ts'
import { AppError, errorText } from '../../platform/errors.ts'
import { canonicalCode, systemOf } from './codes.ts'
import type { ZoneShapes } from './zones.ts'

/** Properties in which zone files carry the code of a feature, the plainest first. */
const CODE_PROPERTIES = ['code', 'ugc', 'id', 'state_zone', 'zone', 'fips', 'geoid', 'same']
/** Properties that name the system of the code, where it is one of these; a `type` may mean anything else. */
const SYSTEM_PROPERTIES = ['system', 'code_type', 'type', 'valuename']
const SYSTEMS = /^(?:EMMA_ID|NUTS[0-3]|WARNCELLID)$/i

/** An arc is a border: an outline has it once, or from both sides. One that names it by the thousand is as large as its square. */
const MOST_USES = 2

type Report = (message: string) => void

/** How a file writes its codes, where it does not say so itself. */
export interface CodeRule {
  /** The system that all of them belong to. */
  system?: string | null | undefined
  /** The one property that is the code, whatever others look like one. */
  code?: string | undefined
  /** Digits of a code: a number has lost its leading zeros. */
  digits?: number | undefined
  /** Only so many of the first are named by alerts. */
  first?: number | undefined
}

/** Outlines, and of which codes. */
export interface ZonePack extends ZoneShapes {
  readonly codes: readonly string[]
}

/**
 * A zone pack: a GeoJSON FeatureCollection or a TopoJSON topology whose features carry a code as `id` or as a
 * property. `rule` says what a file does not. Kept small: outlines are decoded one at a time, when asked for; one that cannot be is reported and null.
 * @throws AppError `bad-input` when it is neither, or when no feature has a code.
 */
export function zoneShapesFromPack(pack: unknown, report: Report, rule: CodeRule = {}): ZonePack {
  if (isTopology(pack)) return zoneShapesFromTopology(pack, report, rule)
  if (isRecord(pack) && pack['type'] === 'FeatureCollection' && Array.isArray(pack['features'])) {
    return fromFeatures(pack['features'], report, rule)
  }
  throw new AppError('bad-input', because('not_a_zone_pack'))
}

/** The outlines of a TopoJSON topology, for example of the county atlas (FIPS ids). Throws as `zoneShapesFromPack` does. */
function zoneShapesFromTopology(topology: Topology, report: Report, rule: CodeRule): ZonePack {
  const arcs = packArcs(topology.arcs.map(positionsOf))
  const found = new Map<string, Member[]>()
  for (const object of Object.values(topology.objects)) {
    for (const member of membersOf(object)) add(found, codeOf(member, rule), withoutProperties(member))
  }
  // Nothing else of the topology is kept: parsed, it takes ten times the memory of what is kept here.
  const { transform } = topology
  return known(found, report, (member) => decode(transform, arcs, member))
}

function fromFeatures(features: readonly unknown[], report: Report, rule: CodeRule): ZonePack {
  const found = new Map<string, string[]>()
  for (const item of features) {
    // As text, an outline takes a fifth of the memory it takes as nested arrays.
    if (isRecord(item) && isRecord(item['geometry'])) add(found, codeOf(item, rule), JSON.stringify(item['geometry']))
  }
  return known(found, report, (text): unknown => JSON.parse(text))
}

/**
 * A pack as `lookout zones import` stores it: a line per outline, `{"code":"COZ039","geometry":{…}}`. Never parsed as a
 * whole: a line is read when its code is asked for. Lines that are cut off are left out. Throws as `zoneShapesFromPack` does.
 */
export function zoneShapesFromLines(text: string, report: Report): ZonePack {
  const lines = new ZoneLines()
  lines.take(text)
  return lines.pack(report)
}

/** The same as it is read, piece by piece: the text of a whole country takes many milliseconds to make in one go. */
export class ZoneLines {
  readonly #found = new Map<string, string[]>()
  /** The pieces of a line whose end has not come. */
  #begun: string[] = []

  /** The next piece, cut anywhere. */
  take(text: string): void {
    const [first = '', ...others] = text.split('\n')
    this.#begun.push(first)
    for (const next of others) {
      this.#line(this.#begun.join(''))
      this.#begun = [next]
    }
  }

  /** All that was taken. Throws as `zoneShapesFromPack` does. */
  pack(report: Report): ZonePack {
    this.take('\n')
    return known(this.#found, report, (line): unknown => {
      const value: unknown = JSON.parse(line)
      return isRecord(value) ? value['geometry'] : null
    })
  }

  #line(line: string): void {
    const code = /^\{"code":"([A-Z0-9_.:\- ]{2,102})",/.exec(line)?.[1]
    if (code !== undefined && line.endsWith('}')) add(this.#found, readCode(code), line)
  }
}

/** A code may stand on several features (a county cut by a time zone): its outline is all of them. */
function known<T>(found: ReadonlyMap<string, readonly T[]>, report: Report, read: (item: T) => unknown): ZonePack {
  if (found.size === 0) throw new AppError('bad-input', because('no_feature_has_code'))
  return {
    codes: [...found.keys()],
    shape(code) {
      const items = found.get(code)
      if (items === undefined) return null
      try {
        const geometries = items.map(read).filter(isGeometry)
        const [only] = geometries
        if (only === undefined) return null
        return geometries.length === 1 ? only : { type: 'GeometryCollection', geometries }
      } catch (error) {
        report(`the outline of ${code} is broken: ${errorText(error)}`)
        return null
      }
    }
  }
}

function add<T>(found: Map<string, T[]>, code: string | null, value: T): void {
  if (code === null) return
  const list = found.get(code)
  if (list === undefined) found.set(code, [value])
  else list.push(value)
}

/**
 * The code of a feature: what the rule's property holds; without one, of another system when it names one, or the rule does; else its id,
 * else the first property that reads as one; null without.
 */
export function codeOf(item: object, rule: CodeRule = {}): string | null {
  const properties = 'properties' in item && isRecord(item.properties) ? item.properties : {}
  const byName = new Map(Object.entries(properties).map(([key, value]) => [key.toLowerCase(), value]))
  if (rule.code !== undefined) return namedCode(byName.get(rule.code.toLowerCase()), rule)
  const id = 'id' in item ? item.id : undefined
  const other = otherCode(byName, id, rule.system ?? null)
  if (other !== null) return other
  const fromId = readCode(id)
  if (fromId !== null) return fromId
  for (const key of CODE_PROPERTIES) {
    const code = readCode(byName.get(key))
    if (code !== null) return code
  }
  return null
}

function namedCode(value: unknown, { system = null, digits = 0, first }: CodeRule): string | null {
  const text = plain(value)
  const code = (/^\d+$/.test(text) ? text.padStart(digits, '0') : text).slice(0, first)
  if (code === '') return null
  return system === null ? readCode(code) : withSystem(system, code)
}

/**
 * `EMMA_ID:DE356`. Told by a property that names the system; by Eurostat's NUTS_ID with its level; or by the `country` that
 * MeteoAlarm's own file gives beside code and name: `DE356` would be read as a zone of Delaware otherwise.
 */
function otherCode(byName: ReadonlyMap<string, unknown>, id: unknown, given: string | null): string | null {
  const text = (key: string): string => plain(byName.get(key))
  const code = text('code') || text('nuts_id') || plain(id)
  const named = given ?? SYSTEM_PROPERTIES.map(text).find((name) => SYSTEMS.test(name))
  if (named !== undefined) return withSystem(named, code)
  if (byName.has('nuts_id')) return withSystem(`NUTS${text('levl_code')}`, text('nuts_id'))
  const country = text('country').toUpperCase()
  const isEuropean = /^[A-Z]{2}$/.test(country) && country !== 'US' && code.toUpperCase().startsWith(country)
  return isEuropean && /^[A-Z]{2}\d{3}$/i.test(code) ? withSystem('EMMA_ID', code) : null
}

/** Nothing else can be a code: an object from a file may refuse to be written as a text. */
function plain(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

/** Null unless both together are a code: then others may be tried. */
function withSystem(system: string, code: string): string | null {
  const canonical = canonicalCode(code.includes(':') ? code : `${system}:${code}`)
  return canonical !== null && systemOf(canonical) !== null ? canonical : null
}

/** Also reads what zone files write: `https://…/zones/forecast/COZ039`, `CO039` (a zone), `04` (a state), numbers. */
function readCode(value: unknown): string | null {
  if (typeof value === 'number') return canonicalCode(String(value).padStart(value < 100 ? 2 : 5, '0'))
  if (typeof value !== 'string') return null
  const text = value.slice(value.lastIndexOf('/') + 1).trim()
  if (/^\d\d$/.test(text)) return canonicalCode(`${text}000`)
  if (/^[A-Za-z]{2}\d{3}$/.test(text)) return canonicalCode(`${text.slice(0, 2)}Z${text.slice(2)}`)
  return canonicalCode(text)
}

type Member = GeometryObject<GeoJsonProperties>

/** Whatever stands there in a broken file is no member. */
function membersOf(object: unknown): readonly Member[] {
  if (!isRecord(object)) return []
  if (object['type'] !== 'GeometryCollection') return [object as unknown as Member]
  return listOf(object['geometries']).filter(isRecord) as unknown as Member[]
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** An arc without what is no position: an outline made of it is broken, others are not. */
function positionsOf(arc: unknown): number[][] {
  return listOf(arc).filter(
    (position): position is number[] =>
      Array.isArray(position) && typeof position[0] === 'number' && typeof position[1] === 'number'
  )
}

/** Names, offices and time zones of 5,000 zones are memory nobody reads. */
function withoutProperties(member: Member): Member {
  return { ...member, properties: {} }
}

interface PackedArcs {
  /** Pairs of all arcs, one after the other, as the file has them. */
  readonly xy: Float64Array
  /** One past the last pair of each arc. */
  readonly ends: Uint32Array
}

/** A tenth of the memory of the nested arrays a parsed topology is made of. */
function packArcs(arcs: readonly (readonly number[][])[]): PackedArcs {
  const ends = new Uint32Array(arcs.length)
  let total = 0
  for (const [at, arc] of arcs.entries()) {
    total += arc.length
    ends[at] = total
  }
  const xy = new Float64Array(2 * total)
  let slot = 0
  for (const arc of arcs) {
    for (const position of arc) {
      xy[slot++] = position[0] ?? Number.NaN
      xy[slot++] = position[1] ?? Number.NaN
    }
  }
  return { xy, ends }
}

/** Decodes one object with nothing but its own arcs. */
function decode(transform: Topology['transform'], packed: PackedArcs, member: Member): unknown {
  const arcs: number[][][] = []
  if ('arcs' in member) unpack(member.arcs, packed, { arcs, uses: new Map() })
  const bare: Topology = { type: 'Topology', objects: {}, arcs }
  const small = transform === undefined ? bare : { ...bare, transform }
  const decoded = feature(small, member)
  return 'geometry' in decoded ? decoded.geometry : null
}

interface Unpacked {
  readonly arcs: number[][][]
  /** How often each arc was named. */
  readonly uses: Map<number, number>
}

function unpack(numbers: unknown, { xy, ends }: PackedArcs, { arcs, uses }: Unpacked): void {
  if (Array.isArray(numbers)) {
    for (const inner of numbers) unpack(inner, { xy, ends }, { arcs, uses })
    return
  }
  if (typeof numbers !== 'number') return
  const arc = numbers < 0 ? ~numbers : numbers
  const end = ends[arc]
  if (end === undefined) throw new AppError('bad-input', because('arc_is_missing', { arc }))
  const used = (uses.get(arc) ?? 0) + 1
  if (used > MOST_USES) throw new AppError('bad-input', because('arc_too_often', { arc, most: MOST_USES }))
  uses.set(arc, used)
  if (used > 1) return
  const arcPairs: number[][] = []
  for (let pair = arc === 0 ? 0 : (ends[arc - 1] ?? 0); pair < end; pair++) {
    arcPairs.push([xy[2 * pair] ?? 0, xy[2 * pair + 1] ?? 0])
  }
  arcs[arc] = arcPairs
}

function isTopology(value: unknown): value is Topology {
  return isRecord(value) && value['type'] === 'Topology' && Array.isArray(value['arcs']) && isRecord(value['objects'])
}

const GEOMETRY_TYPES = [
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection'
]

/** Types only: whoever reads the coordinates checks them. */
function isGeometry(value: unknown): value is Geometry {
  return isRecord(value) && typeof value['type'] === 'string' && GEOMETRY_TYPES.includes(value['type'])
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
