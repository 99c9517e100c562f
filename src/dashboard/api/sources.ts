import { AppError } from '../../platform/errors.ts'
import { HttpError } from '../server/problem.ts'
import { json } from '../server/reply.ts'
import type { Handler } from '../server/route.ts'
import type { Services } from './services.ts'

/** `GET /api/sources`: those of the configuration, and every kind there is. */
export function listSources({ context }: Services): Handler<unknown, undefined> {
  return async () => {
    await context.config.refresh()
    return json({ sources: context.sources.list(), kinds: context.sources.kinds() })
  }
}

/** `POST /api/sources/:name/poll`: 202; 429 while the provider's least interval has not passed, 409 for what is not asked. */
export function pollSource({ context }: Services): Handler<unknown, undefined> {
  return ({ params }) => {
    const name = params['name'] ?? ''
    const order = context.sources.poll(name)
    if (!order.asked && order.why === 'early') {
      const seconds = Math.max(1, Math.ceil(order.waitMs / 1000))
      throw new HttpError('rate-limited', `${order.reason}: ${seconds} s to go.`, { 'Retry-After': String(seconds) })
    }
    if (!order.asked) throw new AppError('conflict', `${name} cannot be asked: ${order.reason}`)
    return json(
      { ok: true, source: context.sources.list().find((source) => source.name === name) ?? null },
      { status: 202 }
    )
  }
}
