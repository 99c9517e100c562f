import * as v from 'valibot'
import { isDemo, type LookoutEvent } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import { nextTurn, Slices } from '../../platform/clock/slices.ts'
import { AppError, type Issue, issueReason, refusedAt } from '../../platform/errors.ts'
import { eventInputSchema } from '../../warning/events/input.ts'
import type { Ledger } from '../../warning/outbox/ledger.ts'
import type { Result } from '../../warning/outbox/results.ts'
import type { ListedEvent, StoredEvent } from '../../warning/outbox/stored-event.ts'
import type { Accepted } from '../../warning/routing/accepted.ts'
import { isGraveAndLost } from '../../warning/routing/lost.ts'
import { saidSteps, storedSteps } from '../../warning/routing/said-trace.ts'
import { askerOf } from '../server/asker.ts'
import { eventFilter } from '../server/filters.ts'
import { publicReason, publicUrls } from '../server/guest.ts'
import { shownDelivery, shownResult } from '../server/guest-view.ts'
import { listEventsInSlices } from '../server/long-lists.ts'
import { notFound } from '../server/problem.ts'
import { json, jsonText } from '../server/reply.ts'
import { get, type Handler, post, type Route, type Told } from '../server/route.ts'
import { ackView } from './acks.ts'
import { acceptedAnswer, type deliverySteps, eventAnswer, eventsAnswer, traceAnswer } from './answers/warnings.ts'
import { eventQuery, eventsQuery } from './query.ts'
import type { Services } from './services.ts'
import { parseEvent, under } from './trial.ts'

/** Contract §2. */
const MAX_EVENTS = 500
/** More refusals than this help nobody. */
const MAX_ISSUES = 100

export const eventsDocumented = v.union([eventInputSchema, v.pipe(v.array(eventInputSchema), v.maxLength(MAX_EVENTS))])

/** `POST /api/events`: takes one event or up to 500, all or none. 202 once they are stored. */
export function acceptEvents({ context }: Services): Handler<unknown, unknown, Told<typeof acceptedAnswer>> {
  return async ({ body }) => {
    const events = Array.isArray(body)
      ? await parseAll(body, (input) => parseEvent(context, input))
      : [parseEvent(context, body)]
    refuseDemo(context, events)
    const accepted = await context.acceptEvents(events)
    const duplicates = accepted.filter(({ duplicate }) => duplicate).length
    const warnings = accepted.filter(isGraveAndLost).map(lostWarning)
    return json(
      {
        accepted: accepted.length - duplicates,
        duplicates,
        // Told from memory while nothing can be stored: the next restart knows nothing of it (contract §6).
        ...(accepted.some(({ stored }) => !stored) ? { stored: false } : {}),
        events: accepted.map(({ id, threadId }) => ({ id, thread_id: threadId })),
        ...(warnings.length === 0 ? {} : { warnings })
      },
      { status: 202 }
    )
  }
}

/** Contract §13: what is marked as invented exists only where everything is. */
function refuseDemo({ demo }: Services['context'], events: readonly LookoutEvent[]): void {
  const index = demo() === null ? events.findIndex(isDemo) : -1
  if (index < 0) return
  const path = events.length === 1 ? '/data/demo' : `/${index}/data/demo`
  throw refusedAt(path, 'rule', because('demo_only_while_playing'))
}

/** A sender that hears 202 believes that people are warned. */
function lostWarning({ id, decision }: Accepted): { code: string; id: string; message: string } {
  const message =
    'Nobody can tell where it is, so it is sent to nobody: give it geometry, circle, lat and lon, or codes that are known here, or name its source in coverage.everywhere_sources.'
  return { code: decision?.reason ?? 'unlocated_weather', id, message }
}

async function parseAll(inputs: readonly unknown[], parse: (input: unknown) => LookoutEvent): Promise<LookoutEvent[]> {
  if (inputs.length > MAX_EVENTS) {
    const why = because('most_events_at_once', { most: MAX_EVENTS, count: inputs.length })
    throw refusedAt('', 'range', why)
  }
  const events: LookoutEvent[] = []
  const issues: Issue[] = []
  // The reading of a large body was a step of its own.
  if (inputs.length > 1) await nextTurn()
  const slices = new Slices()
  for (const [index, input] of inputs.entries()) {
    try {
      events.push(under(`/${index}`, () => parse(input)))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      issues.push(...error.issues)
    }
    if (issues.length >= MAX_ISSUES) break
    await slices.pause()
  }
  const [first] = issues
  if (first === undefined) return events
  const why = because('none_of_events_taken', { place: first.path, why: issueReason(first) })
  throw new AppError('invalid', why, { issues })
}

/** Such a list costs as much as a page; a longer one waits for its turn among other heavy work. */
const SHORT_LIST = 200

/** `GET /api/events`: newest first, each with what was decided. */
function listEvents({
  context,
  heavy
}: Services): Handler<v.InferOutput<typeof eventsQuery>, undefined, Told<typeof eventsAnswer>> {
  return async ({ query: { limit, ...asked }, isGuest, from, left }) => {
    const texts = (rows: readonly ListedEvent[]): string[] => {
      const written = eventTexts(rows, context.ledger.results, { isGuest })
      return isGuest ? written.map(publicUrls) : written
    }
    const listed = (pause?: () => Promise<void>) =>
      listEventsInSlices(context.ledger, eventFilter(asked, limit), texts, left, pause)
    const { rows, next } = await (limit > SHORT_LIST ? heavy.run({ left, isGuest, from }, listed) : listed())
    // Written row by row: half a thousand events at once would hold up whoever else waits.
    return jsonText(`{"events":[${rows.join(',')}],"next":${next}}`)
  }
}

/** One question after results reads 5,000 messages at most: those of so few events are far fewer. */
const RESULTS_AT_ONCE = 8

/** The part of an answer that stands beside the event. */
type BesideEvent = Omit<Told<typeof eventAnswer>, keyof LookoutEvent>

/** Each as `GET /api/events/:id` answers it. The event itself is passed on as it is stored. */
function eventTexts(rows: readonly ListedEvent[], results: Ledger['results'], asker: { isGuest: boolean }): string[] {
  const found = new Map<number, Result>()
  for (let at = 0; at < rows.length; at += RESULTS_AT_ONCE)
    for (const [seq, result] of results.ofEvents(rows.slice(at, at + RESULTS_AT_ONCE))) found.set(seq, result)
  return rows.map((row) => {
    const beside: BesideEvent = besideEvent(row, found.get(row.seq), asker)
    return `${row.json.slice(0, -1)},${JSON.stringify(beside).slice(1)}`
  })
}

function besideEvent(
  { seq, event, decision, reason, code }: Omit<ListedEvent, 'json'>,
  known: Result | undefined,
  asker: { isGuest: boolean }
): BesideEvent {
  const result = known === undefined ? null : shownResult(known, asker)
  return { seq, result, decision, reason, code, demo: isDemo(event) }
}

/** `GET /api/events/:id`: the newest revision. */
export function readEvent(
  services: Services
): Handler<v.InferOutput<typeof eventQuery>, undefined, Told<typeof eventAnswer>> {
  return ({ params, query, isGuest }) => {
    const stored = findEvent(services, params['id'], query.source)
    const { codes, results } = services.context.ledger
    const listed = { ...stored, code: codes.known(stored.event.thread_id) }
    const view = { ...stored.event, ...besideEvent(listed, results.ofEvents([stored]).get(stored.seq), { isGuest }) }
    return isGuest ? jsonText(publicUrls(JSON.stringify(view))) : json(view)
  }
}

/** `GET /api/events/:id/trace`: every step of the decision, and of each message it led to (contract §4 rule 7). */
function readTrace(services: Services): Handler<v.InferOutput<typeof eventQuery>, undefined, Told<typeof traceAnswer>> {
  const { deliveries, reactions, ledger } = services.context
  return ({ params, query, ...call }) => {
    const asker = askerOf(services.context, call)
    const { seq, event, decision, reason, trace: stored } = findEvent(services, params['id'], query.source)
    const trace = saidSteps(asker.isGuest ? storedSteps(stored).map(publicReason) : storedSteps(stored), asker.language)
    const stepsOf = (id: number): Told<typeof deliverySteps> =>
      deliveries.steps(id).map(({ step, ...known }) => {
        const told = asker.isGuest ? publicReason(step) : step
        return { ...known, detail: sentenceOf(told, asker.language), ...told }
      })
    const messages = deliveries.ofEvent(seq).map((view) => ({ ...shownDelivery(view, asker), steps: stepsOf(view.id) }))
    const acks = reactions.acks.of(event.thread_id).map((ack) => ackView(ack, asker))
    const escalation = reactions.followUp(event.thread_id)
    const code = ledger.codes.known(event.thread_id)
    const shown = { event, demo: isDemo(event), code, decision, reason, trace, acks, escalation, deliveries: messages }
    return asker.isGuest ? jsonText(publicUrls(JSON.stringify(shown))) : json(shown)
  }
}

function findEvent({ context }: Services, id: string | undefined, source: string | undefined): StoredEvent {
  const found = context.ledger.find(id ?? '').find(({ event }) => source === undefined || event.source === source)
  if (found === undefined) throw notFound()
  return found
}

export const eventsRoutes = (services: Services): Route[] => [
  get('/api/events', {
    summary: 'Stored events, newest first.',
    about: '`{events: [event with seq, decision, reason, result, code, demo], next}`.',
    query: eventsQuery,
    refuses: { 422: 'Not valid' },
    answer: eventsAnswer,
    shared: true,
    handle: listEvents(services)
  }),
  post('/api/events', {
    summary: 'Takes one event, or up to 500.',
    about:
      'Body: one event or an array, all or none. Answers `{accepted, duplicates, events: [{id, thread_id}], warnings?: [{code, id, message}]}` once they are stored; a warning is a grave event that is sent to nobody because nobody can tell where it is. While nothing can be stored `critical` and above is answered with `stored: false`, the rest with 507 (disk full) or 503; of a mixed array the grave ones leave all the same and `issues` names the others: send all of them again. 503 in preview.',
    access: 'events',
    body: v.unknown(),
    documented: eventsDocumented,
    done: [202, 'Done'],
    answer: acceptedAnswer,
    handle: acceptEvents(services)
  }),
  get('/api/events/:id', {
    summary: 'One event.',
    about: 'The newest revision, with `seq`, `decision`, `reason`, `result`, `code` and `demo`.',
    query: eventQuery,
    answer: eventAnswer,
    handle: readEvent(services)
  }),
  get('/api/events/:id/trace', {
    summary: 'Why an event was sent, or not.',
    about:
      '`{event, demo, code, decision, reason, trace, acks, escalation, deliveries}`; each delivery with its `steps`. Words: [states.md](states.md).',
    query: eventQuery,
    answer: traceAnswer,
    handle: readTrace(services)
  })
]
