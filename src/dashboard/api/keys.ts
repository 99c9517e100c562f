import * as v from 'valibot'
import { PROVIDERS } from '../../knowledge/keys/providers.ts'
import { because } from '../../model/reason.ts'
import { strictObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import type { HttpContext, KeysContext } from '../server/context.ts'
import { jsonSaid } from '../server/reply.ts'
import { del, get, type Handler, order, post, put, type Route, type Told } from '../server/route.ts'
import {
  keyAnswer,
  keyCountAnswer,
  keysAnswer,
  removedKeyAnswer,
  testedKeyAnswer,
  testedKeysAnswer
} from './answers/station.ts'
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
  throw new AppError('not-found', because('profile_uses_no_keys'))
}

const ref = (params: Readonly<Record<string, string>>): string => params['index'] ?? ''

/** `GET /api/keys`: masked, and how each fares. */
function listKeys({ context }: Services): Handler<unknown, undefined, Told<typeof keysAnswer>> {
  return async () => jsonSaid({ keys: await keysOf(context).store.list() })
}

function addKey({ context }: Services): Handler<unknown, v.InferOutput<typeof addKeyBody>, Told<typeof keyAnswer>> {
  return async ({ body }) => {
    const { store } = keysOf(context)
    const row = await store.add(body.provider, body.key)
    return jsonSaid({ ok: true, ...row, count: (await store.list()).length }, { status: 201 })
  }
}

function replaceKey({
  context
}: Services): Handler<unknown, v.InferOutput<typeof replaceKeyBody>, Told<typeof keyAnswer>> {
  return async ({ params, body }) => {
    const { store } = keysOf(context)
    const row = await store.replace(ref(params), body.key)
    return jsonSaid({ ok: true, ...row, count: (await store.list()).length })
  }
}

function removeKey({ context }: Services): Handler<unknown, undefined, Told<typeof removedKeyAnswer>> {
  return async ({ params }) => {
    const { masked, count } = await keysOf(context).store.remove(ref(params))
    return jsonSaid({ ok: true, removed: masked, count })
  }
}

/** Asks the provider; what it says is kept with the key. */
function validateKey({ context }: Services): Handler<unknown, undefined, Told<typeof testedKeyAnswer>> {
  return async ({ params }) => jsonSaid(await keysOf(context).tester.test(ref(params)))
}

function validateKeys({ context }: Services): Handler<unknown, undefined, Told<typeof testedKeysAnswer>> {
  return async () => jsonSaid({ results: await keysOf(context).tester.testAll() })
}

/** Reads the file again at once; keys that were put aside get another chance. */
function reloadKeys({ context }: Services): Handler<unknown, undefined, Told<typeof keyCountAnswer>> {
  return async () => jsonSaid({ ok: true, count: await keysOf(context).store.reload() })
}

export const keysRoutes = (services: Services): Route[] => [
  get('/api/keys', {
    summary: 'Keys of language models, masked.',
    about:
      '`{keys: [{index, id, provider, masked, length, calls, errors, last_used, valid, last_validated, state, reason, ready_at}]}`. `state` is healthy, cooling (over its limit until `ready_at`) or quarantined (refused: `reason`). See [keys.md](keys.md).',
    access: 'operator',
    answer: keysAnswer,
    handle: listKeys(services)
  }),
  post('/api/keys', {
    summary: 'Adds a key.',
    about:
      'Body: `{provider, key}`; `provider` is gemini (the default), openai or embedding. Answers the row, with `ok` and `count`.',
    body: addKeyBody,
    done: [201, 'Done'],
    refuses: { 409: 'The key is there already' },
    answer: keyAnswer,
    handle: addKey(services)
  }),
  order('/api/keys/validate', {
    summary: 'Tests every key.',
    about: 'No body. Answers `{results: [{index, id, valid, message}]}`.',
    answer: testedKeysAnswer,
    handle: validateKeys(services)
  }),
  order('/api/keys/reload', {
    summary: 'Reads the file of keys again.',
    about: 'No body. Reads `keys.env` again; keys that were refused or rest get another chance. Answers `{ok, count}`.',
    answer: keyCountAnswer,
    handle: reloadKeys(services)
  }),
  put('/api/keys/:index', {
    summary: 'Puts another key in the place of one.',
    about: 'Body: `{key}`. Answers the row, with `ok` and `count`. The name in the file stays.',
    body: replaceKeyBody,
    refuses: { 409: 'The key is there already' },
    answer: keyAnswer,
    handle: replaceKey(services)
  }),
  del('/api/keys/:index', {
    summary: 'Removes a key.',
    about: 'Answers `{ok, removed, count}`; `removed` is the masked key. The last one may be removed.',
    answer: removedKeyAnswer,
    handle: removeKey(services)
  }),
  order('/api/keys/:index/validate', {
    summary: 'Tests a key.',
    about:
      'No body. Asks the provider for its models with this key. Answers `{index, id, valid, message}`; `valid` is null when there was no clear answer. The result is kept with the key.',
    answer: testedKeyAnswer,
    handle: validateKey(services)
  })
]
