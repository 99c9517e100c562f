import t, { type Test } from 'tap'
import { modelSupply } from '../../../src/knowledge/enrich/llm/create.ts'
import type { Completion, LanguageModel } from '../../../src/knowledge/enrich/llm/model.ts'
import { KeyTester } from '../../../src/knowledge/keys/key-test.ts'
import { embeddingProviders } from '../../../src/knowledge/keys/providers.ts'
import type { KnowledgeConfig } from '../../../src/knowledge/settings.ts'
import { systemClock } from '../../../src/platform/clock/clock.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { type KeySetup, keySetup } from '../../helpers/keys.ts'
import { type Asked, chat, gemini, modelServer, type Said } from '../../helpers/model-server.ts'

const A = 'AIzaSyA1234567890aaaaaaaa'
const B = 'AIzaSyB1234567890bbbbbbbb'
const C = 'AIzaSyC1234567890cccccccc'
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: { title: { type: 'string', maxLength: 80 }, year: { type: ['integer', 'null'] } },
  required: ['title', 'year']
}

interface Bench {
  setup: KeySetup
  model: LanguageModel
  asked: Asked[]
  url: string
  complete: (patch?: Partial<Completion>) => Promise<string>
}

/** A model whose server says what the test wants; pauses between tries take no time. */
async function bench(
  t: Test,
  provider: 'gemini' | 'openai',
  say: (asked: Asked, count: number) => Said,
  { keys = [A], answerMs = 2000, path = '' }: { keys?: string[]; answerMs?: number; path?: string } = {}
): Promise<Bench> {
  const server = await modelServer(t, say)
  const name = provider.toUpperCase()
  const setup = await keySetup(t, { text: keys.map((key, n) => `${name}_KEY_${n + 1}=${key}\n`).join('') })
  const config = { llm: { provider, url: server.url + path, model: 'small', window_pages: 5 } } as KnowledgeConfig
  const clock = { now: () => setup.clock.now(), after: (_ms: number, task: () => void) => systemClock.after(0, task) }
  const supply = modelSupply({
    keys: setup.store,
    clock,
    random: () => 0.5,
    answerMs,
    config: () => config,
    userAgent: () => 'Lookout/0'
  })
  const model = supply()
  if (model === null) throw new Error('no model')
  const complete: Bench['complete'] = (patch = {}) =>
    model.complete({
      system: 'Be brief.',
      prompt: 'Hello?',
      maxTokens: 100,
      signal: new AbortController().signal,
      ...patch
    })
  return { setup, model, asked: server.asked, url: server.url, complete }
}

const spoken = { gemini, openai: chat } as const
const PROVIDERS = ['gemini', 'openai'] as const

t.test(
  'Gemini is asked with the key in a header, never in the address; schema, limit and roles as its API has them',
  async (t) => {
    const { complete, asked, model } = await bench(t, 'gemini', () =>
      gemini('{"title":"x"}', {
        content: { parts: [{ text: 'I think', thought: true }, { text: '{"title":' }, { text: '"x"}' }] }
      })
    )
    t.equal(await complete({ schema: SCHEMA }), '{"title":"x"}', 'parts are joined, thoughts left out')
    t.equal(model.name, 'gemini small')
    const [one] = asked
    t.match(one, {
      method: 'POST',
      path: '/v1beta/models/small:generateContent',
      key: A,
      headers: { 'user-agent': 'Lookout/0' }
    })
    t.same(one?.body, {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hello?' }] }],
      generationConfig: {
        maxOutputTokens: 100,
        responseMimeType: 'application/json',
        responseSchema: {
          type: 'OBJECT',
          properties: { title: { type: 'STRING', maxLength: 80 }, year: { type: 'INTEGER', nullable: true } },
          required: ['title', 'year']
        }
      }
    })
  }
)

t.test('chat completions are asked as OpenAI, Ollama, llama.cpp and vLLM understand them', async (t) => {
  const { complete, asked, model } = await bench(t, 'openai', () => chat('{"title":"x"}'), { path: '/v1/' })
  t.equal(await complete({ schema: SCHEMA }), '{"title":"x"}')
  t.equal(model.name, 'openai small')
  t.match(asked[0], { path: '/v1/chat/completions', key: A })
  t.same(asked[0]?.body, {
    model: 'small',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello?' }
    ],
    stream: false,
    max_tokens: 100,
    temperature: 0,
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA, strict: true } }
  })
  await complete()
  t.notOk('response_format' in (asked[1]?.body ?? {}), 'plain text is not asked for as JSON')
  await complete({ schema: { type: 'object', properties: { a: { type: 'string' } } } })
  t.equal(asked[2]?.body.response_format.json_schema.strict, false, 'a schema with optional members is not strict')
})

t.test(
  'what a server refuses to be told is left out from then on, and the schema is said in words instead',
  async (t) => {
    const complaints: [string, number, string, (body: Record<string, unknown>) => boolean][] = [
      [
        'LM Studio of old',
        400,
        "'response_format.type' must be 'json_object' or 'text'",
        (body) => JSON.stringify(body).includes('json_schema')
      ],
      ['a server with 500', 500, 'response_format type must be one of "text"', (body) => 'response_format' in body],
      [
        'a reasoning model',
        400,
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.",
        (body) => 'max_tokens' in body
      ],
      ['no temperature', 400, "Unsupported value: 'temperature' does not support 0", (body) => 'temperature' in body]
    ]
    const { complete, asked } = await bench(t, 'openai', ({ body }) => {
      const found = complaints.find(([, , , isMet]) => isMet(body))
      return found === undefined ? chat('{"title":"x"}') : { status: found[1], body: { error: { message: found[2] } } }
    })
    t.equal(await complete({ schema: SCHEMA }), '{"title":"x"}')
    const last = asked.at(-1)?.body
    t.same(Object.keys(last), ['model', 'messages', 'stream', 'max_completion_tokens'])
    t.match(last.messages[0].content, /^Be brief\.\n\nAnswer with one JSON document.*\{"type":"object"/s)
    const count = asked.length
    await complete({ schema: SCHEMA })
    t.equal(asked.length, count + 1, 'it is remembered')
  }
)

t.test('Gemini that refuses a schema gets it in words', async (t) => {
  const { complete, asked } = await bench(t, 'gemini', ({ body }) =>
    body.generationConfig.responseSchema === undefined
      ? gemini('{}')
      : {
          status: 400,
          body: {
            error: {
              code: 400,
              status: 'INVALID_ARGUMENT',
              message: 'Invalid JSON payload: generation_config.response_schema'
            }
          }
        }
  )
  t.equal(await complete({ schema: SCHEMA }), '{}')
  t.match(asked[1]?.body.systemInstruction.parts[0].text, /JSON Schema/)
  t.equal(asked[1]?.body.generationConfig.responseMimeType, 'application/json')
})

for (const provider of PROVIDERS) {
  const good = spoken[provider]

  t.test(
    `L3 ${provider}: a key over its limit rests as long as Retry-After says; the same request goes on with the next`,
    async (t) => {
      const { complete, asked, setup } = await bench(
        t,
        provider,
        ({ key }) =>
          key === A
            ? { status: 429, headers: { 'Retry-After': '90' }, body: { error: { message: 'slow down' } } }
            : good('ok'),
        { keys: [A, B] }
      )
      t.equal(await complete(), 'ok')
      t.same(
        asked.map(({ key }) => key),
        [A, B]
      )
      for (let count = 0; count < 3; count++) await complete()
      t.same(
        asked.slice(2).map(({ key }) => key),
        [B, B, B],
        'it is left alone'
      )
      t.match(await setup.store.list(), [
        { calls: 1, errors: 1, state: 'cooling', ready_at: '2026-07-01T12:01:30.000Z' },
        { calls: 4, errors: 0, state: 'healthy', valid: true }
      ])
      await setup.clock.runTo(setup.clock.now() + 90_000)
      await complete()
      t.same(
        asked.slice(-2).map(({ key }) => key),
        [A, B],
        'afterwards it takes its turn again'
      )
    }
  )

  t.test(
    `L3 ${provider}: a refused key is put aside with the provider's reason, and not used again until it is tested`,
    async (t) => {
      let isRepaired = false
      const { complete, asked, setup } = await bench(
        t,
        provider,
        ({ key }) =>
          key !== A || isRepaired ? good('ok') : { status: 403, body: { error: { message: `key ${A} is blocked` } } },
        { keys: [A, B] }
      )
      for (let count = 0; count < 3; count++) t.equal(await complete(), 'ok')
      t.same(
        asked.map(({ key }) => key),
        [A, B, B, B]
      )
      const [row] = await setup.store.list()
      t.match(inWords(row), { state: 'quarantined', valid: false, reason: /answers 403: key \[key\] is blocked/ })
      isRepaired = true
      setup.store.tested(row?.id ?? '', true, note(''))
      await complete()
      t.equal(asked.at(-1)?.key, A)
    }
  )

  t.test(`L3 ${provider}: when every key rests or is refused, the reason says so and when to ask again`, async (t) => {
    const status: Record<string, number> = { [A]: 429, [B]: 401 }
    const { complete, setup, asked } = await bench(
      t,
      provider,
      ({ key }) => ({ status: status[key ?? ''] ?? 500, headers: { 'Retry-After': '30' } }),
      { keys: [A, B] }
    )
    const retryAt = setup.clock.now() + 30_000
    await t.rejects(complete(), {
      kind: 'resting',
      code: 'rate-limited',
      retryAt,
      message: /over its limit until 2026-07-01T12:00:30Z/
    })
    await t.rejects(complete(), { kind: 'resting', message: /./ })
    t.equal(asked.length, 2, 'nobody is asked in vain')
    await setup.store.remove('0')
    await t.rejects(complete(), {
      kind: 'no-key',
      code: 'unauthenticated',
      message: /every key for .* is refused: the page Keys says why/
    })
  })

  t.test(
    `L2 ${provider}: each of many requests at once carries the key it was given, and is counted under it`,
    async (t) => {
      const { complete, asked, setup } = await bench(t, provider, ({ key }) => good(`with ${key}`), { keys: [A, B, C] })
      const answers = await Promise.all(Array.from({ length: 30 }, () => complete()))
      const used = (key: string): number => asked.filter((one) => one.key === key).length
      t.same([A, B, C].map(used), [10, 10, 10])
      for (const [index, key] of [A, B, C].entries()) {
        t.equal(answers.filter((answer) => answer === `with ${key}`).length, 10)
        t.equal((await setup.store.list())[index]?.calls, 10)
      }
    }
  )

  t.test(`L1 ${provider}: a request sees the keys of now, not those of the start`, async (t) => {
    const { complete, asked, setup } = await bench(t, provider, () => good('ok'), { keys: [A] })
    await complete()
    setup.write(`${provider.toUpperCase()}_KEY_1=${B}\n`)
    await complete()
    t.same(
      asked.map(({ key }) => key),
      [A, B]
    )
  })

  t.test(`${provider}: a server in trouble is asked again, then given up for now; the key is not blamed`, async (t) => {
    const { complete, asked, setup } = await bench(t, provider, (_asked, count) =>
      count < 3 ? { status: 503 } : good('ok')
    )
    t.equal(await complete(), 'ok')
    t.equal(asked.length, 3)
    t.match(await setup.store.list(), [{ calls: 3, errors: 2, state: 'healthy', valid: true }])
  })

  t.test(`${provider}: every way an answer can fail has its kind, and no error holds a key`, async (t) => {
    const whole = good('a whole answer').body
    const rows: [string, Said, string, RegExp, number][] = [
      ['500 for good', { status: 500, body: 'oops' }, 'transient', /answers 500$/, 3],
      ['a body that is cut off', { body: whole, cut: true }, 'transient', /cut off|aborted|closed/, 3],
      ['no answer in time', { silent: true }, 'transient', /no whole answer within 0\.2 s/, 3],
      [
        'a page instead of JSON',
        { body: '<html>', headers: { 'Content-Type': 'text/html' } },
        'transient',
        /no answer of a language model/,
        3
      ],
      [
        'JSON of another shape',
        { body: { choices: 'x', candidates: 7 } },
        'transient',
        /no answer of a language model/,
        3
      ],
      [
        'an unknown model',
        { status: 404, body: { error: { message: 'no such model' } } },
        'permanent',
        /answers 404: no such model$/,
        1
      ],
      ['a redirect', { status: 302, headers: { Location: 'http://evil.example/' } }, 'permanent', /sends elsewhere/, 1],
      ['too much', { body: 'x'.repeat(9 * 1024 * 1024) }, 'permanent', /more than/, 1],
      [
        'too long an answer',
        provider === 'gemini'
          ? gemini('half', { finishReason: 'MAX_TOKENS' })
          : chat('half', { finish_reason: 'length' }),
        'permanent',
        /did not fit/,
        1
      ],
      [
        'a withheld answer',
        provider === 'gemini' ? gemini('', { finishReason: 'SAFETY' }) : chat('', { finish_reason: 'content_filter' }),
        'permanent',
        /withheld/,
        1
      ],
      [
        'an echoed key',
        { status: 400, body: { error: { message: `bad request with ${A}` } } },
        'permanent',
        /bad request with \[key\]/,
        1
      ]
    ]
    for (const [name, said, kind, message, tries] of rows) {
      const { complete, asked, url } = await bench(t, provider, () => said, { answerMs: said.silent ? 200 : 20_000 })
      const error = await complete().catch((thrown: unknown) => thrown as Error)
      t.match(error, { kind, message }, name)
      t.match(error, { message: new RegExp(`^${url.slice('http://'.length)}`) }, `${name}: names the server`)
      t.notMatch(JSON.stringify([error, String(error)]), A, `${name}: no key`)
      t.equal(asked.length, tries, `${name}: asked ${tries} times`)
    }
  })

  t.test(`${provider}: a server that is not there, and a caller that gives up`, async (t) => {
    const { complete, model, url } = await bench(t, provider, () => ({ silent: true }), { answerMs: 5000 })
    const stop = new AbortController()
    const waiting = complete({ signal: stop.signal })
    setImmediate(() => stop.abort())
    await t.rejects(waiting, { kind: 'aborted', message: /given up/ })
    await t.rejects(complete({ signal: stop.signal }), { kind: 'aborted', message: /given up/ })
    t.ok(model.name !== '' && url !== '')
  })
}

t.test('Google tells a wrong key by 400 and a pause in the body; OpenAI an empty account by 429', async (t) => {
  const wrong = {
    error: {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: 'API key not valid.',
      details: [{ reason: 'API_KEY_INVALID' }]
    }
  }
  const first = await bench(t, 'gemini', ({ key }) => (key === A ? { status: 400, body: wrong } : gemini('ok')), {
    keys: [A, B]
  })
  t.equal(await first.complete(), 'ok')
  t.match(await first.setup.store.list(), [{ state: 'quarantined' }, { state: 'healthy' }])
  const full = {
    error: { code: 429, details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37.2s' }] }
  }
  const second = await bench(t, 'gemini', () => ({ status: 429, body: full }))
  await t.rejects(second.complete(), { kind: 'resting', retryAt: second.setup.clock.now() + 37_200, message: /./ })
  const third = await bench(t, 'openai', () => ({
    status: 429,
    body: { error: { code: 'insufficient_quota', message: 'no credit' } }
  }))
  await t.rejects(third.complete(), { kind: 'resting', retryAt: third.setup.clock.now() + 3_600_000, message: /./ })
})

t.test("without a key: Gemini says what to do, a server of one's own is asked without one", async (t) => {
  const gem = await bench(t, 'gemini', () => gemini('ok'), { keys: [] })
  await t.rejects(gem.complete(), { kind: 'no-key', message: 'no key for gemini: add one on the page Keys' })
  t.equal(gem.asked.length, 0)
  const own = await bench(t, 'openai', ({ key }) => (key === null ? chat('ok') : { status: 401 }), { keys: [] })
  t.equal(await own.complete(), 'ok')
  const closed = await bench(t, 'openai', () => ({ status: 401, body: { error: 'who are you' } }), { keys: [] })
  await t.rejects(closed.complete(), { kind: 'no-key', message: /wants a key .*401: who are you.*page Keys/ })
  const busy = await bench(t, 'openai', () => ({ status: 429 }), { keys: [] })
  await t.rejects(busy.complete(), { kind: 'resting', retryAt: busy.setup.clock.now() + 30_000, message: /./ })
})

t.test('the model of the configuration of now: none, another one, the same object while nothing changes', async (t) => {
  const setup = await keySetup(t)
  const llm = { provider: 'none', url: '', model: '', window_pages: 5 } as KnowledgeConfig['llm']
  const supply = modelSupply({
    keys: setup.store,
    clock: setup.clock,
    random: Math.random,
    config: () => ({ llm, embedding: { provider: 'hash', url: '', model: '' } }),
    userAgent: () => 'Lookout/0'
  })
  t.equal(supply(), null)
  llm.provider = 'gemini'
  const model = supply()
  t.equal(model?.name, 'gemini gemini-3.5-flash-lite')
  t.equal(supply(), model)
  llm.provider = 'openai'
  t.equal(supply()?.name, 'openai gpt-5.6-luna')
  llm.model = 'qwen3:4b'
  t.equal(supply()?.name, 'openai qwen3:4b')
})

t.test('a key is tested where it is used, costs nothing, and the result is kept', async (t) => {
  const rows: [string, Said, boolean | null, RegExp][] = [
    ['200', { body: { models: [], data: [] } }, true, /accepts it/],
    ['401', { status: 401, body: { error: { message: 'unknown key' } } }, false, /401: unknown key/],
    ['403', { status: 403 }, false, /403/],
    ["Google's 400", { status: 400, body: { error: { message: 'API key not valid' } } }, false, /API key not valid/],
    ['429', { status: 429 }, true, /over its limit/],
    ['503', { status: 503 }, null, /503/],
    ['cut off', { body: { models: 'x'.repeat(100) }, cut: true }, null, /./],
    ['another page', { status: 404 }, null, /404/]
  ]
  const paths = { gemini: '/v1beta/models?pageSize=1', openai: '/models', embedding: '/api/tags' }
  for (const provider of ['gemini', 'openai', 'embedding'] as const)
    for (const [name, said, valid, message] of rows) {
      const server = await modelServer(t, () => said)
      const setup = await keySetup(t, { text: `${provider.toUpperCase()}_KEY_1=${A}\n` })
      const llm = provider === 'embedding' ? { provider: 'none', url: '' } : { provider, url: server.url }
      const config = { llm, embedding: { provider: 'ollama', url: server.url, model: '' } } as KnowledgeConfig
      const tester = new KeyTester({
        keys: setup.store,
        config: () => config,
        now: () => setup.clock.now(),
        userAgent: () => 'x'
      })
      const [{ id } = { id: '' }] = await setup.store.list()
      const results = await tester.testAll()
      t.match(inWords(results), [{ index: 0, id, valid, message }], `${provider}: ${name}`)
      t.match(server.asked, [{ method: 'GET', path: paths[provider], key: A }])
      t.match(await setup.store.list(), [
        { valid, last_validated: '2026-07-01T12:00:00.000Z', state: valid === false ? 'quarantined' : 'healthy' }
      ])
      t.notMatch(JSON.stringify(results), A)
    }
  const setup = await keySetup(t, { text: `EMBEDDING_KEY=${A}` })
  const config = { llm: { provider: 'none', url: '' }, embedding: { provider: 'hash', url: '' } } as KnowledgeConfig
  const tester = new KeyTester({ keys: setup.store, config: () => config, now: () => 0, userAgent: () => 'x' })
  t.match(inWords(await tester.test('0')), { valid: null, message: /no embedding server/ }, 'nobody to ask')
})

t.test('a key of OpenAI is shown to an embedding server only when that is the very server it is for', async (t) => {
  const rows: [Partial<KnowledgeConfig['llm']>, Partial<KnowledgeConfig['embedding']>, string[]][] = [
    [{ provider: 'openai', url: '' }, { provider: 'openai', url: '' }, ['embedding', 'openai']],
    [{ provider: 'none', url: '' }, { provider: 'openai', url: 'https://api.openai.com/v1/' }, ['embedding', 'openai']],
    [
      { provider: 'openai', url: 'http://box:1/v1' },
      { provider: 'openai', url: 'http://box:1/v1' },
      ['embedding', 'openai']
    ],
    [{ provider: 'openai', url: 'http://box:1/v1' }, { provider: 'openai', url: '' }, ['embedding']],
    [{ provider: 'openai', url: '' }, { provider: 'openai', url: 'https://elsewhere.example/v1' }, ['embedding']],
    [{ provider: 'openai', url: '' }, { provider: 'tei', url: 'http://box:2' }, ['embedding']]
  ]
  for (const [llm, embedding, providers] of rows)
    t.same(embeddingProviders({ llm, embedding } as KnowledgeConfig), providers, JSON.stringify([llm, embedding]))
})
