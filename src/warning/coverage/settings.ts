import * as v from 'valibot'
import { forEverybody } from '../../platform/config/for-everybody.ts'
import { looseObject, strictObject } from '../../platform/config/object.ts'

/** Contract §3: what a coverage area may be made of. Refusals carry the path of the wrong value. */

const finite = v.pipe(v.number(), v.finite('must be a finite number'))
const latitude = v.pipe(
  finite,
  v.minValue(-90, 'latitude must be between -90 and 90'),
  v.maxValue(90, 'latitude must be between -90 and 90')
)
const longitude = finite

export const bboxSchema = v.pipe(
  v.strictTuple([longitude, latitude, longitude, latitude], 'a bbox is [west, south, east, north]'),
  v.check(([, south, , north]) => south <= north, 'south must not be north of north: [west, south, east, north]'),
  v.title('Box'),
  v.description('[west, south, east, north] in degrees; west > east crosses the antimeridian.')
)

export const circleSchema = v.pipe(
  strictObject({
    lat: latitude,
    lon: longitude,
    radius_km: v.pipe(finite, v.minValue(0, 'radius_km must not be negative'))
  }),
  v.title('Circle'),
  v.description('Everything within radius_km of a point, measured along the earth.')
)

const position = v.pipe(
  v.array(finite, 'a position is [longitude, latitude]'),
  v.minLength(2, 'a position is [longitude, latitude]'),
  v.check((at) => Math.abs(at[1] ?? 0) <= 90, 'latitude must be between -90 and 90')
)
const anyRing = v.array(position, 'a ring is a list of positions [longitude, latitude]')

/**
 * Outlines are most of a large configuration: a ring with nothing wrong in it passes at one look and is not copied, which takes a
 * tenth of the time. Of any other the schema tells the place.
 */
const ring: typeof anyRing = {
  ...anyRing,
  '~run'(dataset, config) {
    const given: unknown = dataset.value
    return isRing(given) ? { typed: true, value: given } : anyRing['~run'](dataset, config)
  }
}

function isRing(given: unknown): given is number[][] {
  return Array.isArray(given) && given.every(isPosition)
}

function isPosition(at: unknown): boolean {
  if (!Array.isArray(at) || at.length < 2) return false
  return at.every((degrees) => Number.isFinite(degrees)) && Math.abs(Number(at[1])) <= 90
}

export const areaGeometrySchema = v.pipe(
  v.variant('type', [
    looseObject({ type: v.literal('Polygon'), coordinates: v.array(ring, 'a Polygon is a list of rings') }),
    looseObject({
      type: v.literal('MultiPolygon'),
      coordinates: v.array(
        v.array(ring, 'a MultiPolygon is a list of polygons'),
        'a MultiPolygon is a list of polygons'
      )
    })
  ]),
  v.title('Outline'),
  v.description('A GeoJSON Polygon or MultiPolygon.')
)

export const codesSchema = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.trim(),
      v.toUpperCase(),
      v.regex(
        /^(?:[A-Z]{2}|[A-Z]{2}[CZ](?:\d{3}|ALL)|\d{5,6}|[A-Z][A-Z0-9_.:\- ]{0,60}:[A-Z0-9_.-]{1,40})$/,
        'a code is a state (ID), a UGC county or zone (IDC013, IDZ014), a FIPS (16013), a SAME code (016013), or one of another system with its name (EMMA_ID:DE356, NUTS3:FR101)'
      )
    )
  ),
  v.minLength(1, 'name at least one code'),
  v.title('Codes'),
  v.description(
    'UGC, FIPS or SAME codes, two-letter states, or codes of other systems with their name: EMMA_ID:DE356.'
  ),
  forEverybody()
)

const PART_KEYS = ['bbox', 'circle', 'geometry', 'codes'] as const

export const partSchema = v.pipe(
  strictObject({
    bbox: v.exactOptional(bboxSchema),
    circle: v.exactOptional(circleSchema),
    geometry: v.exactOptional(areaGeometrySchema),
    codes: v.exactOptional(codesSchema)
  }),
  v.check(
    (part) => PART_KEYS.filter((key) => part[key] !== undefined).length === 1,
    'a part is exactly one of bbox, circle, geometry or codes'
  ),
  v.title('Part')
)

const name = v.pipe(
  v.optional(
    v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1, 'a name must not be empty'), v.maxLength(80))),
    null
  ),
  v.description('The region name: column of the matrix. Null: covered, but never a region.'),
  forEverybody()
)

const COMPASS = ['west', 'south', 'east', 'north'] as const

/** Every key an area may have in `config.json`: others are kept, but mean nothing. */
export const AREA_KEYS: readonly string[] = ['name', 'parts', ...PART_KEYS, ...COMPASS]

/**
 * Brings the short forms (part keys directly on the area, or `west south east north`) into `parts`,
 * so that what follows knows one shape. A wrong area is left as it is for the schema to refuse.
 */
export function expandShortForm(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const area: Record<string, unknown> = { ...input }
  if ('parts' in area) return area
  const parts: unknown[] = []
  for (const key of PART_KEYS) {
    if (!(key in area)) continue
    parts.push({ [key]: area[key] })
    delete area[key]
  }
  if (parts.length === 0 && COMPASS.some((key) => key in area)) {
    parts.push({ bbox: COMPASS.map((key) => area[key]) })
    for (const key of COMPASS) delete area[key]
  }
  return parts.length === 0 ? area : { ...area, parts }
}

/**
 * The way back: where in the area *as the user wrote it* the place `parts/…` of its long form stands.
 * `rest` is the path behind `parts`. An area written in the long form answers `null`: nothing to translate.
 */
function shortFormPath(area: object, rest: readonly (string | number)[]): (string | number)[] | null {
  if ('parts' in area) return null
  const [index, , ...inside] = rest
  const written = PART_KEYS.filter((key) => key in area)
  if (written.length === 0) return COMPASS.some((key) => key in area) ? compassPath(inside) : null
  const key = typeof index === 'number' ? written[index] : undefined
  return key === undefined ? [] : [key, ...inside]
}

/** Place 0 to 3 in the box is west, south, east, north; the box as a whole is the area itself. */
function compassPath([place]: readonly (string | number)[]): string[] {
  const key = typeof place === 'number' ? COMPASS[place] : undefined
  return key === undefined ? [] : [key]
}

/** The first key that says again, in the short form, what an area has said already. It would be ignored: a hole in the coverage. */
function repeatedShape(area: object): string | undefined {
  return [...PART_KEYS, ...COMPASS].find((key) => key in area)
}

function memberOf(object: Record<string, unknown>, key: string): v.ObjectPathItem {
  return { type: 'object', origin: 'value', input: object, key, value: object[key] }
}

const longAreaSchema = v.pipe(
  v.unknown(),
  v.transform(expandShortForm),
  looseObject(
    {
      name,
      parts: v.pipe(
        v.array(partSchema, 'parts is a list'),
        v.minLength(1, 'an area needs at least one part'),
        v.description('The area is the union of its parts.')
      )
    },
    'an area needs a shape: bbox, circle, geometry, codes, a list of parts, or west, south, east and north'
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const key = repeatedShape(dataset.value)
    if (key !== undefined) {
      addIssue({
        message: `give the shape once: "${key}" stands beside another shape; put both into parts`,
        path: [memberOf(dataset.value, key)]
      })
    }
  }),
  v.title('Coverage area')
)

/** An issue of an area is told where it stands as the user wrote it (docs/interface.md §3): `circle/lat`, not `parts/0/circle/lat`. */
export const areaSchema: typeof longAreaSchema = {
  ...longAreaSchema,
  '~run'(dataset, config) {
    const written: unknown = dataset.value
    const result = longAreaSchema['~run'](dataset, config)
    if (typeof written !== 'object' || written === null) return result
    for (const issue of result.issues ?? []) rewritePath(issue, written)
    return result
  }
}

function rewritePath(issue: v.BaseIssue<unknown>, area: object): void {
  const [first, ...rest] = issue.path ?? []
  if (first?.key !== 'parts' || rest.length === 0) return
  const keys = rest.map(({ key }) => key).filter((key) => typeof key === 'string' || typeof key === 'number')
  const place = shortFormPath(area, keys)
  if (place === null) return
  const [head, ...others] = place.map((key) => memberOf({ ...area }, String(key)))
  Object.assign(issue, { path: head === undefined ? undefined : [head, ...others] })
}

/** Translates a path into the parsed form of a configuration, or of a part of it, back to the form that was given. */
export function originalPath(path: readonly (string | number)[], input: unknown): (string | number)[] {
  let at: unknown = input
  for (const [index, key] of path.entries()) {
    if (typeof at !== 'object' || at === null) break
    const written = key === 'parts' && index + 1 < path.length ? shortFormPath(at, path.slice(index + 1)) : null
    if (written !== null) return [...path.slice(0, index), ...written]
    at = Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined
  }
  return [...path]
}

export const coverageSchema = looseObject({
  enabled: v.pipe(
    v.optional(v.boolean(), true),
    v.title('Coverage on'),
    v.description('Off: events from everywhere pass.')
  ),
  region_tagging: v.pipe(
    v.optional(v.boolean(), false),
    v.title('Region tagging'),
    v.description('Stamp every event with the names of the areas it touches.')
  ),
  excluded_sources: v.pipe(
    v.optional(v.array(v.string()), []),
    v.title('Sources with a scope of their own'),
    v.description('Their events skip the coverage gate, not the tagging.'),
    forEverybody()
  ),
  everywhere_sources: v.pipe(
    v.exactOptional(v.array(v.string())),
    v.title('Told everywhere without a place'),
    v.description(
      'Sources that push events: their weather of critical and above goes to every region when nobody can tell where it is. Of others it goes to none, and the sender is told.'
    ),
    forEverybody()
  ),
  zones_online: v.pipe(
    v.optional(v.boolean(), true),
    v.title('Fetch missing outlines'),
    v.description(
      'While a weather source is on and station.contact is set, outlines of zones no pack has are fetched from the weather service, one in 5 s, and kept a year.'
    )
  ),
  areas: v.pipe(
    v.optional(v.array(areaSchema), []),
    v.title('Areas'),
    v.description('In order: the first match is the primary region.')
  )
})

export type AreaConfig = v.InferOutput<typeof areaSchema>
export type AreaPart = v.InferOutput<typeof partSchema>
export type CoverageConfig = v.InferOutput<typeof coverageSchema>
