import * as v from 'valibot'
import type { LookoutEvent } from '../../model/event.ts'
import type { Geometry } from '../../model/geojson.ts'
import { because } from '../../model/reason.ts'
import { parseTime } from '../../model/time.ts'
import { paced, readersTurn, Slices } from '../../platform/clock/slices.ts'
import { AppError } from '../../platform/errors.ts'
import { eventInputSchema, parseEventInput } from '../../warning/events/input.ts'
import { saidExplanation } from '../../warning/routing/said-trace.ts'
import { type RegionRoutes, regionRoutesBodySchema } from '../../warning/routing/settings.ts'
import { knownFamilies, readMatrix } from '../editing/matrix-document.ts'
import type { HttpContext } from '../server/context.ts'
import type { Pace } from '../server/heavy-work.ts'
import { json, type Reply } from '../server/reply.ts'
import { type Handler, post, type Route, type Told } from '../server/route.ts'
import { languageOf } from '../words/language.ts'
import { backtestAnswer, explainAnswer } from './answers/warnings.ts'
import type { Services } from './services.ts'

/** Corners of a shape that is no page's work. */
const LARGE_SHAPE = 500

const matrix = v.optional(v.nullable(v.unknown()))
export const explainBody = v.looseObject({ event: v.unknown(), matrix })
export const explainDocumented = v.object({ event: eventInputSchema, matrix: v.optional(regionRoutesBodySchema) })

const time = v.pipe(
  v.string('a time is an RFC 3339 text'),
  v.check((text) => parseTime(text) !== null, 'a time is RFC 3339, such as 2026-07-01T12:00:00Z')
)
const span = { since: time, until: v.optional(v.nullable(time)) }
export const backtestBody = v.looseObject({ matrix: v.unknown(), ...span })
export const backtestDocumented = v.object({ matrix: regionRoutesBodySchema, ...span })

/** `POST …/explain`: what would become of this event now, with every reason. Stores nothing, sends nothing. */
export function explain({
  context,
  heavy
}: Services): Handler<unknown, v.InferOutput<typeof explainBody>, Told<typeof explainAnswer>> {
  return async (call) => {
    const { body } = call
    await context.config.refresh()
    const event = under('/event', () => parseEvent(context, body.event))
    const unsaved =
      body.matrix === undefined || body.matrix === null
        ? []
        : [under('/matrix', () => readMatrix(body.matrix, routesOf(context)))]
    const explained = async (pace: Pace): Promise<Reply<Told<typeof explainAnswer>>> =>
      json(saidExplanation(await paced(context.explain(event, ...unsaved), pace), languageOf(call.headers)))
    const slices = new Slices(readersTurn)
    return isLarge(event) ? heavy.run(call, explained) : explained(() => slices.pause())
  }
}

/** `POST …/backtest`: what an unsaved matrix would have sent between `since` and `until` (default: now). */
export function backtest({
  context,
  heavy
}: Services): Handler<unknown, v.InferOutput<typeof backtestBody>, Told<typeof backtestAnswer>> {
  return async (call) => {
    const { body } = call
    const unsaved = under('/matrix', () => readMatrix(body.matrix, routesOf(context)))
    const since = parseTime(body.since) ?? 0
    const until = parseTime(body.until ?? '') ?? context.now()
    if (since >= until) {
      const issues = [{ path: '/until', code: 'rule', message: 'until must be later than since' }]
      throw new AppError('invalid', because('until_after_since'), { issues })
    }
    return json(await heavy.run(call, (pace) => context.backtest(unsaved, since, until, pace)))
  }
}

const routesOf = ({ config }: Pick<HttpContext, 'config'>): RegionRoutes => config.current().notifications.region_routes

/** Comparing a large shape with every area is no page's work. */
function isLarge({ geometry }: LookoutEvent): boolean {
  return geometry !== null && cornersOf(geometry) > LARGE_SHAPE
}

function cornersOf(geometry: Geometry): number {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.reduce((sum, one) => sum + cornersOf(one), 0)
  if (geometry.type === 'Point') return 1
  if (geometry.type === 'MultiPoint' || geometry.type === 'LineString') return geometry.coordinates.length
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat(2).length : geometry.coordinates.flat().length
}

/** The event of a posted value; families are those of the present configuration. */
export function parseEvent(context: Pick<HttpContext, 'config' | 'now'>, input: unknown): LookoutEvent {
  return parseEventInput(input, { now: context.now(), families: knownFamilies(context.config.current()) })
}

/** Runs a check of a part of the body, and lets its pointers begin where that part stands. */
export function under<T>(pointer: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const issues = error.issues.map((issue) => ({ ...issue, path: `${pointer}${issue.path}` }))
    throw new AppError(error.code, error.reason, { cause: error, issues })
  }
}

export const trialRoutes = (services: Services): Route[] => [
  post('/api/notifications/region-routing/explain', {
    summary: 'What would become of an event; nothing is sent.',
    about:
      'Body: `{event, matrix?}`. Answers `{event, outcome, reason, messages, cells: [{family, region, state, reason, change, wanted: [{reason, text, values}], channels: [{channel, state, reason, change, wanted}]}], trace}`: the code of the live path, with what was really sent before as its memory. A cell is sent, held, stood_by (it stands in for another channel), suppressed or none (it has no say); `change` says what would have to change for it to send, `wanted` the same as templates for translation.',
    access: 'trial',
    body: explainBody,
    documented: explainDocumented,
    answer: explainAnswer,
    handle: explain(services)
  }),
  // A week of events costs a board seconds: ten at once, then three in two seconds.
  post('/api/notifications/region-routing/backtest', {
    summary: 'What a matrix would have sent.',
    about:
      'Body: `{matrix, since, until?}`. Answers `{since, until, events, messages, channels: [{channel, messages, bytes, airtime_seconds}], networks: [{network, airtime_seconds, busiest_hour: {from, airtime_seconds} | null}], silent: {reason: count}}`.',
    access: 'trial',
    cost: 6,
    body: backtestBody,
    documented: backtestDocumented,
    answer: backtestAnswer,
    handle: backtest(services)
  })
]
