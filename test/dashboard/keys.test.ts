import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { KnowledgeContext } from '../../src/dashboard/server/knowledge.ts'
import { KeyTester } from '../../src/knowledge/keys/key-test.ts'
import { PassageCodes } from '../../src/knowledge/search/codes.ts'
import type { AskQuery } from '../../src/knowledge/search/service.ts'
import { note } from '../helpers/in-words.ts'
import { type KeySetup, keySetup } from '../helpers/keys.ts'
import { knowledgeSetup, newDocument } from '../helpers/knowledge.ts'
import { type Asked, modelServer, type Said } from '../helpers/model-server.ts'
import { FROM_AFAR, type Station, station } from './harness.ts'

const A = 'AIzaSyA1234567890aaaaaaaa'
const B = 'AIzaSyB1234567890bbbbbbbb'
const C = 'sk-proj-1234567890cccccc'

interface WithKeys {
  s: Station
  setup: KeySetup
  asked: Asked[]
}

async function withKeys(
  t: Test,
  { text = '', say = () => ({}) }: { text?: string; say?: (asked: Asked) => Said } = {}
): Promise<WithKeys> {
  const server = await modelServer(t, say)
  const folder = mkdtempSync(join(tmpdir(), 'lookout-keys-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const setup = await keySetup(t, { text, folder })
  const llm = { provider: 'gemini', url: server.url }
  const config = { knowledge: { llm } }
  let current: Station | null = null
  const tester = new KeyTester({
    keys: setup.store,
    config: () =>
      current?.context.config.current().knowledge ?? {
        llm: { ...llm, provider: 'gemini', model: '', window_pages: 5 },
        embedding: { provider: 'hash', url: '', model: '' }
      },
    now: () => setup.clock.now(),
    userAgent: () => 'Lookout/0'
  })
  current = await station(t, { config, context: { keys: { store: setup.store, tester } } })
  return { s: current, setup, asked: server.asked }
}

const anonymous = FROM_AFAR

t.test('keys are listed masked, added, replaced, removed; by index and by id', async (t) => {
  const { s, setup } = await withKeys(t, { text: `# mine\nGEMINI_KEY_2=${A}\n` })
  const listed = await s.ask('/api/keys')
  t.match(listed, {
    status: 200,
    body: {
      keys: [
        {
          index: 0,
          provider: 'gemini',
          masked: 'AIzaSyA1...aaaa',
          length: 25,
          calls: 0,
          errors: 0,
          last_used: null,
          valid: null,
          last_validated: null
        }
      ]
    }
  })
  const { id } = listed.body.keys[0]
  t.match(id, /^[0-9a-f]{8}$/)
  t.match(await s.ask({ path: '/api/keys', body: { provider: 'openai', key: C } }), {
    status: 201,
    body: { ok: true, index: 1, provider: 'openai', masked: 'sk-proj-...cccc', count: 2 }
  })
  t.match(await s.ask({ method: 'PUT', path: `/api/keys/${id}`, body: { key: B } }), {
    status: 200,
    body: { ok: true, index: 0, masked: 'AIzaSyB1...bbbb', count: 2 }
  })
  t.equal(setup.file(), `# mine\nGEMINI_KEY_2=${B}\nOPENAI_KEY_1=${C}\n`)
  t.match(await s.ask({ method: 'DELETE', path: '/api/keys/1' }), {
    status: 200,
    body: { ok: true, removed: 'sk-proj-...cccc', count: 1 }
  })
  t.match(
    await s.ask({ method: 'DELETE', path: '/api/keys/0' }),
    { status: 200, body: { count: 0 } },
    'the last one may go'
  )
  t.same((await s.ask('/api/keys')).body, { keys: [] })
  t.match(await s.ask({ path: '/api/keys', body: { key: A } }), { status: 201, body: { provider: 'gemini', index: 0 } })
})

t.test('refusals say what to do, and neither answer nor log ever holds a key', async (t) => {
  const { s } = await withKeys(t, { text: `GEMINI_KEY_1=${A}\n` })
  const secret = 'secret-1234567890-key'
  const rows: [string, Parameters<Station['ask']>[0], number, RegExp][] = [
    [
      'the same key twice',
      { path: '/api/keys', body: { provider: 'gemini', key: A } },
      409,
      /there already, as AIzaSyA1\.\.\.aaaa/
    ],
    [
      'an unknown provider',
      { path: '/api/keys', body: { provider: 'tomtom', key: secret } },
      422,
      /gemini, openai, embedding/
    ],
    ['no key', { path: '/api/keys', body: { provider: 'gemini' } }, 422, /key/],
    ['an empty key', { path: '/api/keys', body: { provider: 'gemini', key: ' ' } }, 422, /give the key/],
    ['two lines', { path: '/api/keys', body: { provider: 'gemini', key: `${secret}\nX=1` } }, 422, /1 to 512/],
    ['another field', { path: '/api/keys', body: { provider: 'gemini', key: secret, name: 'x' } }, 422, /name/],
    ['nobody to replace', { method: 'PUT', path: '/api/keys/7', body: { key: secret } }, 404, /no key 7/],
    ['nobody to remove', { method: 'DELETE', path: '/api/keys/deadbeef' }, 404, /no key deadbeef/],
    ['nobody to test', { method: 'POST', path: '/api/keys/x/validate' }, 404, /no key x/],
    ['a wrong method', { method: 'PUT', path: '/api/keys', body: {} }, 405, /GET, HEAD, POST/],
    ['a wrong method for one', { method: 'POST', path: '/api/keys/0', body: {} }, 405, /PUT, DELETE/]
  ]
  for (const [name, question, status, detail] of rows) {
    const answer = await s.ask(question)
    t.match(answer, { status, body: { detail } }, name)
    t.notMatch(answer.text + JSON.stringify(answer.headers), /1234567890/, `${name}: no key`)
  }
  t.notMatch(s.logged.join('\n'), /1234567890/)
})

t.test('only the operator sees and changes keys; a list of them is no open read', async (t) => {
  const { s, setup } = await withKeys(t, { text: `GEMINI_KEY_1=${A}\n` })
  const before = setup.file()
  const rows: [string, string, unknown][] = [
    ['GET', '/api/keys', undefined],
    ['POST', '/api/keys', { key: B }],
    ['PUT', '/api/keys/0', { key: B }],
    ['DELETE', '/api/keys/0', undefined],
    ['POST', '/api/keys/0/validate', undefined],
    ['POST', '/api/keys/validate', undefined],
    ['POST', '/api/keys/reload', undefined]
  ]
  for (const [method, path, body] of rows) {
    const asked = body === undefined ? { method, path } : { method, path, body }
    t.equal((await s.ask({ ...asked, headers: anonymous })).status, 401, `${method} ${path}`)
    t.equal(
      (await s.ask({ ...asked, headers: { origin: 'http://evil.example' } })).status,
      403,
      `${method} ${path} from elsewhere`
    )
  }
  const page = await s.ask({ path: '/settings/keys', headers: anonymous })
  t.match(page, { status: 200, text: /Only the operator sees the keys/ })
  t.notMatch(page.text, /AIza/)
  t.equal(setup.file(), before)
})

t.test('a test asks the provider, and what it says is kept with the key', async (t) => {
  const { s, asked } = await withKeys(t, {
    text: `GEMINI_KEY_1=${A}\nGEMINI_KEY_2=${B}\n`,
    say: ({ key }) =>
      key === A ? { body: { models: [] } } : { status: 400, body: { error: { message: `API key not valid: ${B}` } } }
  })
  t.match(await s.ask({ method: 'POST', path: '/api/keys/0/validate' }), {
    status: 200,
    body: { index: 0, valid: true, message: /accepts it/ }
  })
  const all = await s.ask({ method: 'POST', path: '/api/keys/validate' })
  t.match(all, {
    status: 200,
    body: {
      results: [
        { index: 0, valid: true },
        { index: 1, valid: false, message: /API key not valid: \[key\]/ }
      ]
    }
  })
  t.notMatch(all.text, B)
  t.match(
    asked.map(({ path }) => path),
    ['/v1beta/models?pageSize=1', '/v1beta/models?pageSize=1', '/v1beta/models?pageSize=1']
  )
  const [good, bad] = (await s.ask('/api/keys')).body.keys
  t.match(
    [good, bad],
    [
      { valid: true, last_validated: /T/, state: 'healthy' },
      { valid: false, state: 'quarantined', reason: /not valid/ }
    ]
  )
  const page = await s.ask({ path: '/settings/keys', headers: { 'accept-language': 'de' } })
  const given = /<script type="application\/json" id="data">(.*)<\/script>/.exec(page.text)?.[1] ?? '{}'
  t.match(JSON.parse(given).keys, [{ reason: null }, { reason: /^\S.*\S$/ }], 'the script begins with sentences')
  t.match(await s.ask({ method: 'POST', path: '/api/keys/reload' }), { status: 200, body: { ok: true, count: 2 } })
  t.match((await s.ask('/api/keys')).body.keys[1], { state: 'healthy', reason: null })
})

t.test('the page shows every key masked without a script; /keys leads there', async (t) => {
  const { s, setup } = await withKeys(t, { text: `GEMINI_KEY_1=${A}\nOPENAI_KEY_1=${C}\nEMBEDDING_KEY=short\n` })
  const [, openai] = await setup.store.list()
  setup.store.record(openai?.id ?? '', { kind: 'refused', reason: note('answers 401: <b>no</b>') })
  t.match(await s.ask('/keys'), { status: 302, headers: { location: '/settings/keys' } })
  const { status, text } = await s.ask('/settings/keys')
  t.equal(status, 200)
  for (const shown of [
    'AIzaSyA1...aaaa',
    'sk-proj-...cccc',
    '****',
    'refused',
    'answers 401: &lt;b&gt;no',
    'not tested',
    '127.0.0.1'
  ])
    t.ok(text.includes(shown), shown)
  t.notMatch(text, /1234567890|short/)
  t.match((await s.ask('/settings')).text, /href="\/settings\/keys"/)
  setup.write('x'.repeat(300_000))
  t.match(await s.ask('/settings/keys'), { status: 200, text: /keys\.env in the data folder cannot be read/ })
  const without = await station(t)
  t.match(await without.ask('/settings/keys'), { status: 200, text: /runs without knowledge/ })
  t.match(await without.ask('/api/keys'), { status: 404, body: { detail: /runs without knowledge/ } })
})

async function withLibrary(t: Test): Promise<{
  s: Station
  asked: AskQuery[]
  code: string
  hash: string
  codes: PassageCodes
  knowledge: Awaited<ReturnType<typeof knowledgeSetup>>
}> {
  const knowledge = await knowledgeSetup(t)
  const { catalogue, db, clock } = knowledge
  const codes = new PassageCodes({ db, now: () => clock.now() })
  const document = newDocument(1, { title: 'Field <Sanitation>', author: 'A. Writer' })
  const id = catalogue.add(document)
  catalogue.update(id, { pageCount: 3 })
  catalogue.setPages(id, [{ number: 2, text: 'The whole second page.', method: 'text', startSeconds: null }])
  const [item] = catalogue.replaceItems(id, 0, 'extract', [
    {
      ...{
        window: 0,
        ordinal: 0,
        origin: 'extract',
        firstPage: 2,
        lastPage: 2,
        title: '',
        summary: '',
        content: 'Boil <b>water</b> for one minute.'
      },
      details: {
        domain: 'Medical',
        subdomain: [],
        keywords: [],
        knowledge_type: 'procedural',
        complexity: 'basic',
        key_facts: []
      }
    }
  ])
  const asked: AskQuery[] = []
  const search = {
    ask: async (query: AskQuery) => {
      asked.push(query)
      return {
        question: query.question,
        answer: null,
        confidence: 'not_found',
        reason: 'no language model',
        citations: [],
        passages: []
      }
    }
  }
  const parts = { catalogue, codes, search } as unknown as KnowledgeContext
  const s = await station(t, { context: { knowledge: parts } })
  return {
    s,
    asked,
    code: codes.codeOf({ documentId: id, page: 2, itemId: item?.id ?? null }),
    hash: document.hash,
    codes,
    knowledge
  }
}

t.test('POST /api/ask is open, limited in rate, and passes a checked question on', async (t) => {
  const { s, asked } = await withLibrary(t)
  const ask = (body: unknown) => s.ask({ path: '/api/ask', body, headers: anonymous })
  t.match(await ask({ question: '  How do I boil water? ' }), {
    status: 200,
    body: { answer: null, reason: 'no language model', passages: [] }
  })
  t.match(await ask({ question: 'How?', limit: 3 }), { status: 200 })
  t.same(asked, [
    { question: 'How do I boil water?', limit: 5 },
    { question: 'How?', limit: 3 }
  ])
  t.match(
    await ask({ question: 'How?' }),
    { status: 429, headers: { 'retry-after': /\d/ } },
    'a third at once is too much: each may hold a language model'
  )
  for (const body of [
    {},
    { question: '' },
    { question: 'x'.repeat(1001) },
    { question: 'How?', limit: 11 },
    { question: 'How?', limit: 0 },
    []
  ]) {
    await s.clock.runTo(s.clock.now() + 10_000)
    t.equal((await ask(body)).status, 422, JSON.stringify(body).slice(0, 40))
  }
  t.match(await (await station(t)).ask({ path: '/api/ask', body: { question: 'How?' } }), {
    status: 404,
    body: { detail: /without knowledge/ }
  })
})

t.test('/k/CODE opens the passage in plain HTML, with the way to its page', async (t) => {
  const { s, code, hash, codes, knowledge } = await withLibrary(t)
  const { status, text } = await s.ask(`/k/${code.toLowerCase()}`)
  t.equal(status, 200)
  for (const shown of [
    'Boil &lt;b&gt;water&lt;/b&gt; for one minute.',
    '<h1>Field &lt;Sanitation&gt;</h1>',
    `/documents/${hash}?page=2`,
    'page 2'
  ])
    t.ok(text.includes(shown), shown)
  t.notMatch(text, /<script/)
  t.match(await s.ask('/k/ZZZZZ'), { status: 404, text: /No passage has this code/ })
  t.equal((await s.ask('/k/%3Cscript%3E')).status, 404)
  const page = codes.codeOf({ documentId: 1, page: 2, itemId: 999 })
  t.match((await s.ask(`/k/${page}`)).text, /The whole second page/, 'an item that is gone: its page')
  await knowledge.clock.runTo(knowledge.clock.now() + 8 * 86_400_000)
  t.equal((await s.ask(`/k/${code}`)).status, 404, 'after 7 days')
})
