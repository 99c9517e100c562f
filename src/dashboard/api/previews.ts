import * as v from 'valibot'
import { askerOf } from '../server/asker.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { saidPasses } from '../server/said-status.ts'
import { broadcastsAnswer, passesAnswer } from './answers/warnings.ts'
import type { Services } from './services.ts'

const MOST_HOURS = 48

export const passesQuery = v.object({
  observer: v.pipe(v.optional(v.string(), ''), v.description('Name of an observer; without it, the first.')),
  hours: v.pipe(
    v.optional(v.string(), '24'),
    v.regex(/^\d{1,2}$/, `hours is 1 to ${MOST_HOURS}`),
    v.transform(Number),
    v.minValue(1, `hours is 1 to ${MOST_HOURS}`),
    v.maxValue(MOST_HOURS, `hours is 1 to ${MOST_HOURS}`),
    v.description(`1 to ${MOST_HOURS}; default 24.`)
  )
})

/** `GET /api/notifications/broadcasts`: what each scheduled broadcast would say now, and when it is due. */
function previewBroadcasts({ context }: Services): Handler<unknown, undefined, Told<typeof broadcastsAnswer>> {
  return async () => {
    await context.config.refresh()
    return json(await context.broadcasts())
  }
}

/** `GET /api/satpasses`: passes of the next hours; 404 with the reason when they cannot be worked out. */
function readPasses({
  context,
  heavy
}: Services): Handler<v.InferOutput<typeof passesQuery>, undefined, Told<typeof passesAnswer>> {
  return async (call) => {
    await context.config.refresh()
    const passes = await heavy.run(call, (pace) => context.passes(call.query, pace))
    return json(saidPasses(passes, askerOf(context, call)))
  }
}

export const previewsRoutes = (services: Services): Route[] => [
  get('/api/satpasses', {
    summary: 'Satellite passes of the next hours.',
    about:
      '`{observer, observers, from, to, min_elevation, passes: [{satellite, rise_time, rise_azimuth, max_time, max_elevation, set_time, …}], unusable: [{id, reason}]}` of the satpass source, in order of their rise.',
    query: passesQuery,
    refuses: { 404: 'They cannot be worked out, and why', 422: 'Not valid' },
    answer: passesAnswer,
    handle: readPasses(services)
  }),
  get('/api/notifications/broadcasts', {
    summary: 'What scheduled broadcasts would say now.',
    about:
      'An array of `{name, enabled, what, at, days, next_run, channels: [{channel, text}]}`; `text` is null when there is nothing to tell.',
    answer: broadcastsAnswer,
    handle: previewBroadcasts(services)
  })
]
