import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { embedderSupply } from '../../../src/knowledge/enrich/embed/create-embedder.ts'
import { knownModel, modelOf } from '../../../src/knowledge/enrich/embed/embedder.ts'
import { hashEmbedder, hashVector } from '../../../src/knowledge/enrich/embed/hash.ts'
import type { CallerOptions } from '../../../src/knowledge/keys/keyed-call.ts'
import { knowledgeSchema } from '../../../src/knowledge/settings.ts'
import { sha256Hex } from '../../../src/platform/bytes/hash.ts'
import { systemClock } from '../../../src/platform/clock/clock.ts'
import { anyText } from '../../helpers/any-text.ts'

const { signal } = new AbortController()
const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

t.test('hash: every text gives the same vector of length 1, always', async (t) => {
  await fc.assert(
    fc.asyncProperty(anyText({ maxLength: 300 }), async (text) => {
      const [one, two] = await hashEmbedder.embed([text, text], signal)
      if (one === undefined || two === undefined) return false
      const length = Math.hypot(...one)
      return (
        one.length === 1024 && cosine(one, two) === cosine(one, one) && (length === 0 || Math.abs(length - 1) < 1e-5)
      )
    })
  )
  // Signs, not values: the last digits of a logarithm are the machine's.
  const signs = [...hashVector('Wasser abkochen: 3 Minuten. 水を沸かす')].map((value) => Math.sign(value)).join()
  t.equal(sha256Hex(signs).slice(0, 16), '4ba7792715741a0b', 'stored vectors are of this very function')
  t.same(modelOf(hashEmbedder), { provider: 'hash', model: 'ngrams-3-5-1024', dims: 1024 })
  t.ok(hashVector('—…! \n').every((value) => value === 0))
  t.same(await hashEmbedder.embed([], signal), [])
})

t.test('hash: texts that share words, or parts of words, are nearer than others, in any language', (t) => {
  for (const [text, near, far] of [
    ['boiling water', 'Boil the WATER for a minute', 'Sharpen the chain of a saw'],
    ['tourniquet', 'torniquets', 'hypothermia'],
    ['Trinkwasseraufbereitung', 'Aufbereitung von Trinkwasser', 'Kettensäge schärfen'],
    ['purifier l’eau', 'purification de l eau', 'affûter une chaîne'],
    ['飲料水の消毒', '消毒した水', 'のこぎりを研ぐ'],
    ['кипячение воды', 'кипятить воду', 'заточка цепи'],
    ['café', 'cafe', 'tea']
  ] as const) {
    const from = hashVector(text)
    t.ok(cosine(from, hashVector(near)) > cosine(from, hashVector(far)) + 0.05, text)
  }
  t.end()
})

interface Asked {
  url: string
  key: string | undefined
  body: { model?: string; input?: string[]; inputs?: string[] }
}

/** A server on this machine; `answer` says what it sends. */
async function server(
  t: Test,
  answer: (asked: Asked, res: ServerResponse) => unknown
): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const http = createServer(async (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const one = { url: req.url ?? '', key: req.headers.authorization, body: text === '' ? {} : JSON.parse(text) }
    asked.push(one)
    const value = answer(one, res)
    if (value === undefined) return
    res.setHeader('Content-Type', 'application/json')
    res.end(typeof value === 'string' ? value : JSON.stringify(value))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    http.closeAllConnections()
    http.close()
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, asked }
}

function noKeys(value?: string): CallerOptions & { recorded: string[] } {
  const recorded: string[] = []
  return {
    recorded,
    keys: {
      turn: async (_providers, tried) => {
        if (value === undefined) return { key: null, why: 'none' }
        if (tried.has('k1')) return { key: null, why: 'refused' }
        return { key: { provider: 'embedding', id: 'k1', value } }
      },
      record: (_id, outcome) => void recorded.push(outcome.kind)
    },
    clock: { now: () => systemClock.now(), after: (_ms, task) => systemClock.after(0, task) },
    random: () => 0
  }
}

const settings = (embedding: object) => () => v.parse(knowledgeSchema, { embedding })
const supply = (embedding: object, caller: CallerOptions = noKeys()) =>
  embedderSupply({
    ...caller,
    config: settings(embedding),
    userAgent: () => 'Lookout/test',
    models: '/nowhere',
    answerMs: 5000
  })

/** A vector that tells which text it belongs to. */
const vectorFor = (text: string, dims = 4): number[] =>
  Array.from({ length: dims }, (_, at) => (at === text.length % dims ? 3 : 0))
const TEXTS = Array.from({ length: 40 }, (_, n) => 'x'.repeat(n + 1))

t.test('openai, ollama and tei: asked in batches, answered in order, length 1, dimensions learned', async (t) => {
  const protocols = {
    openai: {
      path: '/embeddings',
      // Out of order, as the protocol allows.
      answer: ({ body }: Asked) => ({
        data: (body.input ?? []).map((text, index) => ({ index, embedding: vectorFor(text) })).reverse()
      }),
      model: 'my-model'
    },
    ollama: {
      path: '/api/embed',
      answer: ({ body }: Asked) => ({ embeddings: (body.input ?? []).map((text) => vectorFor(text)) }),
      model: 'my-model'
    },
    tei: {
      path: '/embed',
      answer: ({ url, body }: Asked) =>
        url === '/info' ? { model_id: 'acme/model-7' } : (body.inputs ?? []).map((text) => vectorFor(text)),
      model: 'acme/model-7'
    }
  }
  for (const [provider, { path, answer, model }] of Object.entries(protocols)) {
    const { url, asked } = await server(t, answer)
    const embedder = supply({ provider, url: `${url}/`, model: 'my-model' }, noKeys('secret-key'))()
    t.equal(embedder.dims, null)
    t.throws(() => modelOf(embedder), { code: 'unavailable' }, 'no model before the first answer')
    const vectors = await embedder.embed(TEXTS, signal)
    t.same(
      vectors.map((vector) => vector.indexOf(1)),
      TEXTS.map((text) => text.length % 4),
      provider
    )
    t.same(await knownModel(embedder, signal), { provider, model, dims: 4 })
    const batches = asked.filter((one) => one.url === path)
    t.same(
      batches.map(({ body }) => (body.input ?? body.inputs)?.length),
      [16, 16, 8],
      provider
    )
    t.ok(asked.every(({ key }) => key === 'Bearer secret-key'))
    if (provider !== 'tei') t.ok(batches.every(({ body }) => body.model === 'my-model'))
    t.same(await embedder.embed([], signal), [])
  }
})

t.test('a server of one’s own needs no key, the public one does', async (t) => {
  const { url, asked } = await server(t, ({ body }) => ({
    embeddings: (body.input ?? []).map((text) => vectorFor(text))
  }))
  const embedder = supply({ provider: 'ollama', url })()
  t.same(await knownModel(embedder, signal), { provider: 'ollama', model: 'nomic-embed-text', dims: 4 })
  t.equal(asked[0]?.key, undefined)
  const openai = supply({ provider: 'openai' })()
  await t.rejects(openai.embed(['x'], signal), { code: 'unauthenticated', message: /no key/ })
})

t.test('what is no answer is told with its reason, and nothing of it is taken', async (t) => {
  const list = (vectors: unknown) => ({
    data: Array.isArray(vectors) ? vectors.map((embedding) => ({ embedding })) : vectors
  })
  for (const [name, value] of Object.entries({
    html: '<html>Sign in to the hotel network</html>',
    empty: '',
    'too few': list([[1, 0]]),
    'too many': list([[1], [1], [1]]),
    'no numbers': list([['a'], ['b']]),
    'no finite numbers': '{"data":[{"embedding":[1e999]},{"embedding":[1]}]}',
    'an empty vector': list([[], []]),
    'huge vectors': list([new Array(9000).fill(0.1), new Array(9000).fill(0.1)]),
    'different lengths': list([[1, 0], [1]]),
    'an index out of range': {
      data: [
        { index: 7, embedding: [1] },
        { index: 0, embedding: [1] }
      ]
    },
    'one index twice': {
      data: [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [1] }
      ]
    },
    'no list': { data: { embedding: [1] } },
    'nothing of it': { object: 'list' }
  })) {
    const { url } = await server(t, () => value)
    const embedder = supply({ provider: 'openai', url })()
    await t.rejects(embedder.embed(['a', 'b'], signal), { name: 'AppError', code: 'unavailable' }, name)
    t.equal(embedder.dims, null, name)
  }
})

t.test('refusals say what to do: key, limit, model, trouble', async (t) => {
  const refuse = (status: number, message: string) => (_: Asked, res: ServerResponse) => {
    res.statusCode = status
    return { error: { message } }
  }
  for (const [status, caller, code] of [
    [401, noKeys('bad'), 'unauthenticated'],
    [401, noKeys(), 'unauthenticated'],
    [404, noKeys(), 'unavailable'],
    [400, noKeys(), 'unavailable'],
    [429, noKeys(), 'rate-limited'],
    [503, noKeys(), 'unavailable']
  ] as const) {
    const { url, asked } = await server(t, refuse(status, 'model "my-model" is not here'))
    const embedder = supply({ provider: 'openai', url, model: 'my-model' }, caller)()
    await t.rejects(embedder.embed(['a'], signal), { code }, String(status))
    t.equal(asked.length, status === 503 ? 3 : 1, 'asked again only when that is of use')
  }
  const { url } = await server(t, refuse(404, 'model "my-model" is not here'))
  await t.rejects(supply({ provider: 'openai', url })().embed(['a'], signal), { message: /my-model.*is not here/ })
  await t.rejects(supply({ provider: 'ollama', url: 'http://127.0.0.1:9' })().embed(['a'], signal), {
    code: 'unavailable'
  })
})

t.test('a server that hangs is given up when the caller gives up', async (t) => {
  const { url } = await server(t, () => undefined)
  const stop = new AbortController()
  const asked = supply({ provider: 'ollama', url })().embed(['a'], stop.signal)
  setImmediate(() => stop.abort())
  await t.rejects(asked, { message: /given up/ })
})

t.test('the same server with another model is another model', async (t) => {
  let dims = 4
  let name = 'one'
  const { url } = await server(t, (asked) =>
    asked.url === '/info' ? { model_id: name } : (asked.body.inputs ?? []).map((text) => vectorFor(text, dims))
  )
  const embedder = supply({ provider: 'tei', url })()
  await embedder.embed(['a'], signal)
  t.same(modelOf(embedder), { provider: 'tei', model: 'one', dims: 4 })
  dims = 6
  name = 'two'
  await embedder.embed(['a'], signal)
  t.same(modelOf(embedder), { provider: 'tei', model: 'two', dims: 6 })
})

t.test('the embedder follows the settings, and stays the same object while they do', (t) => {
  let config = v.parse(knowledgeSchema, {})
  const embedder = embedderSupply({
    ...noKeys(),
    config: () => config,
    userAgent: () => 'Lookout/test',
    models: '/nowhere'
  })
  t.equal(embedder(), hashEmbedder, 'without settings')
  config = v.parse(knowledgeSchema, { embedding: { provider: 'ollama', model: ' mini ' } })
  const ollama = embedder()
  t.match(ollama, { provider: 'ollama', model: 'mini' })
  t.equal(embedder(), ollama)
  config = v.parse(knowledgeSchema, { embedding: { provider: 'ollama', model: ' mini ' }, ocr: false })
  t.equal(embedder(), ollama, 'other settings are none of its business')
  config = v.parse(knowledgeSchema, { embedding: { provider: 'tei' } })
  t.match(embedder(), { provider: 'tei', model: '' })
  config = v.parse(knowledgeSchema, { embedding: { provider: 'static', model: 'small' } })
  t.match(embedder(), { provider: 'static', model: '', dims: null })
  t.end()
})
