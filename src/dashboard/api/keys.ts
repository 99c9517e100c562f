import * as v from 'valibot'
import { PROVIDERS } from '../../knowledge/keys/providers.ts'
import { strictObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import type { HttpContext, KeysContext } from '../server/context.ts'
import { json } from '../server/reply.ts'
import type { Handler } from '../server/route.ts'
import type { Services } from './services.ts'

const key = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'give the key'),
  v.maxLength(512, 'a key has at most 512 characters'),
  v.description('The key alone.')
)

export const addKeyBody = strictObject({
  provider: v.pipe(
    v.optional(v.picklist(PROVIDERS, `a provider is ${PROVIDERS.join(', ')}`), 'gemini'),
    v.description('Whose key it is: gemini, openai (any compatible server) or embedding.')
  ),
  key
})
export const replaceKeyBody = strictObject({ key })

/** @throws AppError `not-found` where nothing uses keys. */
function keysOf({ keys }: Pick<HttpContext, 'keys'>): KeysContext {
  if (keys !== null) return keys
  throw new AppError('not-found', 'This profile runs without knowledge: nothing here uses keys.')
}

const ref = (params: Readonly<Record<string, string>>): string => params['index'] ?? ''

/** `GET /api/keys`: masked, and how each fares. */
export function listKeys({ context }: Services): Handler<unknown, undefined> {
  return async () => json({ keys: await keysOf(context).store.list() })
}

export function addKey({ context }: Services): Handler<unknown, v.InferOutput<typeof addKeyBody>> {
  return async ({ body }) => {
    const { store } = keysOf(context)
    const row = await store.add(body.provider, body.key)
    return json({ ok: true, ...row, count: (await store.list()).length }, { status: 201 })
  }
}

export function replaceKey({ context }: Services): Handler<unknown, v.InferOutput<typeof replaceKeyBody>> {
  return async ({ params, body }) => {
    const { store } = keysOf(context)
    const row = await store.replace(ref(params), body.key)
    return json({ ok: true, ...row, count: (await store.list()).length })
  }
}

export function removeKey({ context }: Services): Handler<unknown, undefined> {
  return async ({ params }) => {
    const { masked, count } = await keysOf(context).store.remove(ref(params))
    return json({ ok: true, removed: masked, count })
  }
}

/** Asks the provider; what it says is kept with the key. */
export function validateKey({ context }: Services): Handler<unknown, undefined> {
  return async ({ params }) => json(await keysOf(context).tester.test(ref(params)))
}

export function validateKeys({ context }: Services): Handler<unknown, undefined> {
  return async () => json({ results: await keysOf(context).tester.testAll() })
}

/** Reads the file again at once; keys that were put aside get another chance. */
export function reloadKeys({ context }: Services): Handler<unknown, undefined> {
  return async () => json({ ok: true, count: await keysOf(context).store.reload() })
}
