import * as v from 'valibot'
import { severitySchema } from '../../model/channel-schema.ts'
import { isTooDeep } from '../../model/depth.ts'
import { type EventData, LIFECYCLES, type LookoutEvent } from '../../model/event.ts'
import { familyOf } from '../../model/families.ts'
import type { Geometry } from '../../model/geojson.ts'
import { because } from '../../model/reason.ts'
import { formatTime, parseTime } from '../../model/time.ts'
import { unstatedSeverity } from '../../model/unstated.ts'
import { FIRST_TIME_MS } from '../../platform/clock/clock-set.ts'
import { AppError, type Issue, issueOf, issueReason } from '../../platform/errors.ts'

const named = (what: string, max: number) =>
  v.pipe(
    v.string(`${what} is a text`),
    v.regex(/\S/, `${what} must not be empty`),
    v.maxLength(max, `${what} has at most ${max} characters`)
  )
const prose = v.nullish(v.pipe(v.string('must be a text'), v.maxLength(20_000, 'at most 20000 characters')), '')
const time = v.pipe(
  v.string('a time is an RFC 3339 text'),
  v.check((text) => parseTime(text) !== null, 'a time is RFC 3339 with an offset, such as 2026-07-01T12:00:00Z')
)
const finite = v.pipe(v.number('must be a number'), v.finite('must be a finite number'))
const latitude = v.pipe(
  finite,
  v.minValue(-90, 'latitude is between -90 and 90'),
  v.maxValue(90, 'latitude is between -90 and 90')
)
const code = v.pipe(v.string('a code is a text'), v.trim(), v.toUpperCase(), v.nonEmpty('a code must not be empty'))
const codes = v.nullish(v.array(code), [])
/** Deciding for an event takes each of its regions with each other one: 20,000 of them would stop the station for seconds. */
const MOST_REGIONS = 1000
const regionName = v.pipe(v.string('a region is a name'), v.nonEmpty('a region name must not be empty'))

const dataText = v.nullish(v.string('must be a text'))
const dataNumber = v.nullish(finite)
/** The keys of `data` that texts are composed from: of the right type, or refused. */
const knownData = {
  event_name: dataText,
  places: v.nullish(v.array(v.string('a place is a text'))),
  geocodes: v.nullish(v.array(v.string('a geocode is a text, such as EMMA_ID:DE356'))),
  awareness: dataText,
  detail: dataText,
  instruction: dataText,
  attribution: dataText,
  short_text: dataText,
  magnitude: dataNumber,
  depth_km: dataNumber,
  origin_time: dataText,
  vtec: v.nullish(v.looseObject({ key: v.string(), action: v.string() })),
  material: dataText
}

const fields = {
  id: named('id', 256),
  source: named('source', 128),
  title: named('title', 500),
  category: v.nullish(v.pipe(v.string('a category is a text'), v.maxLength(128)), ''),
  family: v.nullish(v.pipe(v.string('a family is a text'), v.maxLength(128)), ''),
  severity: v.nullish(severitySchema),
  revision: v.nullish(v.pipe(v.string('a revision is a text'), v.maxLength(256)), ''),
  summary: prose,
  body: prose,
  geometry: v.nullish(v.looseObject({ type: v.string('a geometry has a type, such as Polygon') }), null),
  bbox: v.nullish(v.strictTuple([finite, latitude, finite, latitude]), null),
  circle: v.nullish(
    v.object({
      lat: latitude,
      lon: finite,
      radius_km: v.pipe(finite, v.minValue(0, 'radius_km must not be negative'))
    }),
    null
  ),
  lat: v.nullish(latitude, null),
  lon: v.nullish(finite, null),
  zones: codes,
  same: codes,
  onset: v.nullish(time, null),
  expires: v.nullish(time, null),
  sent_at: v.nullish(time, null),
  /** Set on arrival, whatever was posted. */
  received_at: v.nullish(v.unknown()),
  thread_id: v.nullish(named('thread_id', 512)),
  lifecycle: v.nullish(v.picklist(LIFECYCLES, `a lifecycle is one of ${LIFECYCLES.join(', ')}`), 'new'),
  region: v.nullish(regionName, null),
  regions: v.nullish(
    v.pipe(v.array(regionName), v.maxLength(MOST_REGIONS, `an event has at most ${MOST_REGIONS} regions`)),
    []
  ),
  data: v.nullish(v.looseObject(knownData, 'data is an object'))
}

/** An event as posted: contract §2. `family` or a known `category` is needed too; unknown keys end up in `data`. */
export const eventInputSchema = v.pipe(
  v.looseObject({ ...knownData, ...fields }, ({ expected }) =>
    expected === 'Object' ? 'an event is a JSON object' : 'is required'
  ),
  v.title('Event'),
  v.description(
    'One message about one thing in the world. Required: id, source, title, and family or a known category.'
  )
)

type EventInput = v.InferOutput<typeof eventInputSchema>

/** `families` are the keys an event may name: built-in ones and those of the configuration. `now` is epoch milliseconds. */
export interface InputOptions {
  now: number
  families: ReadonlySet<string>
}

/**
 * The event of a posted JSON value: checked, defaults filled in, times in UTC. Shapes are looked at only as far as their
 * type; whoever reads coordinates checks them. Throws AppError `invalid` with a JSON pointer for every refused place.
 */
export function parseEventInput(input: unknown, options: InputOptions): LookoutEvent {
  refuseLists(input)
  if (isTooDeep(input)) throw refusal([{ path: '', code: 'depth', message: 'its lists and objects nest too deep' }])
  const parsed = v.safeParse(eventInputSchema, input)
  if (!parsed.success) throw refusal(parsed.issues.map(toIssue))
  const { category, family, issues } = resolveFamily(parsed.output, options.families)
  if (issues.length > 0) throw refusal(issues)
  return build(parsed.output, category, family, formatTime(options.now))
}

/** Valibot takes a list for an object without keys. */
function refuseLists(input: unknown): void {
  if (Array.isArray(input)) throw refusal([issueOf('', 'object', because('event_is_an_object'))])
  const isObject = typeof input === 'object' && input !== null
  if (isObject && 'data' in input && Array.isArray(input.data)) {
    throw refusal([issueOf('/data', 'object', because('data_is_an_object'))])
  }
}

function refusal(issues: Issue[]): AppError {
  const [first] = issues
  const why = first === undefined ? because('not_an_event') : issueReason(first)
  const place = first?.path ?? ''
  const said = place === '' ? because('event_refused', { why }) : because('event_refused_at', { place, why })
  return new AppError('invalid', said, { issues })
}

function toIssue(issue: v.BaseIssue<unknown>): Issue {
  const keys = issue.path?.map(({ key }) => String(key).replaceAll('~', '~0').replaceAll('/', '~1')) ?? []
  const code = issue.received === 'undefined' ? 'required' : issue.type
  return { path: keys.map((key) => `/${key}`).join(''), code, message: issue.message }
}

function resolveFamily(
  input: EventInput,
  families: ReadonlySet<string>
): { category: string; family: string; issues: Issue[] } {
  const category = input.category.trim()
  const family = input.family.trim() || (familyOf(category, families) ?? '')
  const issues: Issue[] = []
  if (family === '') {
    const message =
      category === '' ? 'name a family or a known category' : `unknown category ${category}: name its family too`
    issues.push({ path: category === '' ? '/family' : '/category', code: 'unknown', message })
  } else if (!families.has(family)) {
    issues.push({
      path: '/family',
      code: 'unknown',
      message: `unknown family ${family}: one of ${[...families].join(', ')}`
    })
  }
  return { category, family, issues }
}

function build(input: EventInput, category: string, family: string, receivedAt: string): LookoutEvent {
  const regions = input.regions.length === 0 && input.region !== null ? [input.region] : [...new Set(input.regions)]
  const data = dataOf(input)
  return {
    id: input.id,
    source: input.source,
    revision: input.revision,
    category,
    family,
    severity: input.severity ?? unstatedSeverity({ ...input, category, family, data }),
    title: input.title.trim(),
    summary: input.summary,
    body: input.body,
    geometry: looseGeometry(input.geometry),
    bbox: input.bbox,
    circle: input.circle,
    lat: input.lat,
    lon: input.lon,
    zones: [...new Set(input.zones)],
    same: [...new Set(input.same)],
    onset: utc(input.onset),
    expires: utc(input.expires),
    sent_at: saidAt(utc(input.sent_at), receivedAt),
    received_at: receivedAt,
    thread_id: input.thread_id ?? `${input.source}:${input.id}`,
    lifecycle: input.lifecycle,
    region: regions[0] ?? null,
    regions,
    data
  }
}

/** The one place where an unchecked shape becomes a Geometry: readers of coordinates check what they read. */
function looseGeometry(value: { type: string } | null): Geometry | null {
  return value as Geometry | null
}

function utc(text: string | null): string | null {
  const ms = text === null ? null : parseTime(text)
  return ms === null ? null : formatTime(ms)
}

function dataOf(input: EventInput): EventData {
  const strays = Object.entries(input).filter(([key]) => !Object.hasOwn(fields, key))
  const entries = [...strays, ...Object.entries(input.data ?? {})]
  return Object.fromEntries(entries.filter(([key, value]) => value !== null || !Object.hasOwn(knownData, key)))
}

/** A sender whose clock nobody had set told no time: it makes nothing stale. */
const CLOCKS_SET = new Date(FIRST_TIME_MS).toISOString()

function saidAt(sent: string | null, receivedAt: string): string {
  return sent === null || (sent < CLOCKS_SET && receivedAt >= CLOCKS_SET) ? receivedAt : sent
}
