import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { askerOf } from '../server/asker.ts'
import { HttpError } from '../server/problem.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, order, type Route, type Told } from '../server/route.ts'
import { saidSource } from '../server/said-status.ts'
import { polledAnswer, sourcesAnswer } from './answers/warnings.ts'
import type { Services } from './services.ts'

/** `GET /api/sources`: those of the configuration, and every kind there is. */
function listSources({ context }: Services): Handler<unknown, undefined, Told<typeof sourcesAnswer>> {
  return async (call) => {
    await context.config.refresh()
    const asker = askerOf(context, call)
    const sources = context.sources.list().map((source) => saidSource(source, asker))
    return json({ sources, kinds: context.sources.kinds() })
  }
}

/** `POST /api/sources/:name/poll`: 202; 429 while the provider's least interval has not passed, 409 for what is not asked. */
export function pollSource({ context }: Services): Handler<unknown, undefined, Told<typeof polledAnswer>> {
  return ({ params, headers, identity }) => {
    const name = params['name'] ?? ''
    const order = context.sources.poll(name)
    if (!order.asked && order.why === 'early') {
      const seconds = Math.max(1, Math.ceil(order.waitMs / 1000))
      const why = because('seconds_to_go', { why: order.reason, seconds })
      throw new HttpError('rate-limited', why, { 'Retry-After': String(seconds) })
    }
    if (!order.asked) throw new AppError('conflict', because('cannot_be_asked', { source: name, why: order.reason }))
    const found = context.sources.list().find((source) => source.name === name)
    return json(
      { ok: true, source: found === undefined ? null : saidSource(found, askerOf(context, { headers, identity })) },
      { status: 202 }
    )
  }
}

export const sourcesRoutes = (services: Services): Route[] => [
  get('/api/sources', {
    summary: 'What is listened to, and how it is.',
    about:
      '`{sources: [{name, kind, mode, enabled, state, reason, about, last_ok, last_attempt, last_change, items, skipped, skipped_reasons, bytes, requests, events, failures, error, next_due, interval_seconds}], kinds: [{kind, mode, title, about, state}]}`. A state is off, waiting, polling, ok, unchanged, failing, stale or blocked; of sources that come by themselves connecting, ready or down.',
    answer: sourcesAnswer,
    handle: listSources(services)
  }),
  order('/api/sources/:name/poll', {
    summary: 'Asks a source now.',
    about: 'No body. Answers `{ok, source}` once the question is on its way. 503 in preview.',
    done: [202, 'Done'],
    refuses: { 409: 'It is off, blocked or comes by itself', 429: 'Too soon; see Retry-After' },
    withoutFolder: true,
    answer: polledAnswer,
    handle: pollSource(services)
  })
]
