import * as v from 'valibot'
import { because, type Reason } from '../../model/reason.ts'
import { parseTime } from '../../model/time.ts'
import { durationText, parseDuration } from '../../platform/clock/duration.ts'
import { strictObject } from '../../platform/config/object.ts'
import { type AppError, refusedAt } from '../../platform/errors.ts'
import { MAX_SILENCE_MS, type StoredSilence } from '../../warning/outbox/silence-store.ts'
import { knownFamilies, regionNames } from '../editing/matrix-document.ts'
import { askerOf } from '../server/asker.ts'
import type { HttpContext } from '../server/context.ts'
import { authorFor } from '../server/guest.ts'
import { notFound } from '../server/problem.ts'
import { json } from '../server/reply.ts'
import { del, get, type Handler, post, type Route, type Told } from '../server/route.ts'
import { nameOf, unlessStored } from './acks.ts'
import {
  endedSilenceAnswer,
  silenceAnswer,
  type silenceView as silenceShape,
  silencesAnswer
} from './answers/warnings.ts'
import type { Services } from './services.ts'

const matcher = v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.nonEmpty('leave it out, or give a name'))), null)

export const silenceBody = strictObject({
  family: v.pipe(matcher, v.description('Only this family.')),
  region: v.pipe(matcher, v.description('Only this region; a channel fed by other regions goes on for those.')),
  thread: v.pipe(matcher, v.description('Only this alert: its thread id or its code.')),
  duration: v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.description('30m, 2h, 1d: how long from now, at most 7d. Either this or until.')
  ),
  until: v.pipe(v.optional(v.nullable(v.string()), null), v.description('RFC 3339, at most 7 days ahead.')),
  reason: v.pipe(
    v.string('a silence has a reason'),
    v.trim(),
    v.nonEmpty('a silence has a reason'),
    v.maxLength(200, 'a reason has at most 200 characters')
  ),
  include_immediate: v.pipe(
    v.optional(v.boolean(), false),
    v.description('True: immediate alerts are silenced as well. Without it they always pass.')
  )
})

type Body = v.InferOutput<typeof silenceBody>

/** `GET /api/silences`: those in force, the one that ends first at the head. */
function listSilences({ context }: Services): Handler<unknown, undefined, Told<typeof silencesAnswer>> {
  return (call) => {
    const asker = askerOf(context, call)
    const silences = context.reactions.silences.active(context.now())
    const shown = silences.map((silence) => ({ ...silence, author: authorFor(silence.author, asker) }))
    return json({ silences: shown.map((silence) => silenceView(silence, context)) })
  }
}

/** `POST /api/silences`: 201 with the silence. */
function addSilence({ context }: Services): Handler<unknown, Body, Told<typeof silenceAnswer>> {
  return ({ body, identity }) => {
    const now = context.now()
    const silence = context.reactions.silences.add({
      ...matcherOf(body, context),
      includesImmediate: body.include_immediate,
      author: nameOf(identity),
      reason: body.reason,
      from: now,
      until: endOf(body, now)
    })
    const places = [body.family, body.region, body.thread].filter((one) => one !== null)
    context.audit?.add({
      by: nameOf(identity),
      what: because('audit_silenced', { places, until: silence.until, said: body.reason })
    })
    return json({ ...silenceView(silence, context), ...unlessStored(context) }, { status: 201 })
  }
}

/** `DELETE /api/silences/:id`: it ends now; 404 when it is not in force. */
function endSilence({ context }: Services): Handler<unknown, undefined, Told<typeof endedSilenceAnswer>> {
  return ({ params, identity }) => {
    const id = /^\d{1,15}$/.test(params['id'] ?? '') ? Number(params['id']) : 0
    const ended = context.reactions.silences.end(id, nameOf(identity), context.now())
    if (ended === null) throw notFound()
    context.audit?.add({ by: nameOf(identity), what: because('audit_silence_ended', { id }) })
    return json({ ok: true, silence: silenceView(ended, context), ...unlessStored(context) })
  }
}

function matcherOf(
  { family, region, thread }: Body,
  context: HttpContext
): Pick<StoredSilence, 'family' | 'region' | 'threadId'> {
  const config = context.config.current()
  if (family === null && region === null && thread === null) throw refused('', because('silence_names_something'))
  if (family !== null && !knownFamilies(config).has(family))
    throw refused('/family', because('family_unknown', { family }))
  if (region !== null && !knownRegions(context).has(region))
    throw refused('/region', because('no_region_is_named', { region }))
  if (thread === null) return { family, region, threadId: null }
  const threadId = context.ledger.thread(thread).length > 0 ? thread : context.ledger.codes.threadOf(thread)
  if (threadId === null) throw refused('/thread', because('no_alert_has_thread', { thread }))
  return { family, region, threadId }
}

function knownRegions(context: HttpContext): ReadonlySet<string> {
  const config = context.config.current()
  const cells = Object.values(config.notifications.region_routes.cells)
  return new Set([...regionNames(config), ...cells.flatMap((row) => Object.keys(row))])
}

function endOf({ duration, until }: Body, now: number): number {
  if ((duration === null) === (until === null)) throw refused('/duration', because('duration_or_until'))
  const end = duration === null ? parseTime(until ?? '') : now + (parseDuration(duration) ?? Number.NaN)
  const path = duration === null ? '/until' : '/duration'
  if (end === null || Number.isNaN(end))
    throw refused(path, because(duration === null ? 'until_is_rfc' : 'duration_is_written'))
  if (end <= now) throw refused(path, because('silence_ends_in_future'))
  if (end > now + MAX_SILENCE_MS)
    throw refused(path, because('silence_lasts_at_most', { longest: durationText(MAX_SILENCE_MS) }))
  return end
}

const refused = (path: string, why: Reason): AppError => refusedAt(path, 'rule', why)

function silenceView(silence: StoredSilence, { ledger }: Pick<HttpContext, 'ledger'>): Told<typeof silenceShape> {
  const { id, family, region, threadId, includesImmediate, author, reason, from, until } = silence
  return {
    id,
    family,
    region,
    thread_id: threadId,
    code: threadId === null ? null : ledger.codes.known(threadId),
    include_immediate: includesImmediate,
    author,
    reason,
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString()
  }
}

export const silencesRoutes = (services: Services): Route[] => [
  get('/api/silences', {
    summary: 'What is silenced at present.',
    about:
      '`{silences: [{id, family, region, thread_id, code, include_immediate, author, reason, from, until}]}`: those in force, the one that ends first at the head.',
    answer: silencesAnswer,
    handle: listSilences(services)
  }),
  post('/api/silences', {
    summary: 'Silences a family, a region or one alert for a while.',
    about:
      'Body: `{family?, region?, thread?, duration | until, reason, include_immediate?}`; at least one of the first three, at most 7 days. Answers the silence, with `stored: false` while nothing can be stored: a restart forgets it then. See [commands.md](commands.md#silences).',
    body: silenceBody,
    done: [201, 'Done'],
    withoutFolder: true,
    answer: silenceAnswer,
    handle: addSilence(services)
  }),
  del('/api/silences/:id', {
    summary: 'Ends a silence.',
    about: 'Answers `{ok, silence, stored?: false}`; 404 when it is not in force.',
    withoutFolder: true,
    answer: endedSilenceAnswer,
    handle: endSilence(services)
  })
]
