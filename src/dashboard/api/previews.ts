import * as v from 'valibot'
import { json } from '../server/reply.ts'
import type { Handler } from '../server/route.ts'
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
export function previewBroadcasts({ context }: Services): Handler<unknown, undefined> {
  return async () => {
    await context.config.refresh()
    return json(await context.broadcasts())
  }
}

/** `GET /api/satpasses`: passes of the next hours; 404 with the reason when they cannot be worked out. */
export function readPasses({ context }: Services): Handler<v.InferOutput<typeof passesQuery>, undefined> {
  return async ({ query }) => {
    await context.config.refresh()
    return json(await context.passes(query))
  }
}
