import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Place } from '../../src/knowledge/intake/bulk/places.ts'
import { because } from '../../src/model/reason.ts'
import { AppError } from '../../src/platform/errors.ts'
import { intake, newDocument, pdf } from '../helpers/knowledge.ts'
import { knowledgeContext } from '../helpers/knowledge-pages.ts'
import { type Answer, type Station, station } from './harness.ts'

const mainOf = ({ text }: Answer): string => /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''

const PLACES: Place[] = [
  { path: '/media/ann/BOOKS', label: 'BOOKS', removable: true, size: 32e9, free: 12e9, reason: null },
  {
    path: '/media/ann/LOCKED',
    label: 'LOCKED',
    removable: true,
    size: null,
    free: null,
    reason: because('source_not_permitted')
  }
]

async function library(t: Test, { mode = 'run' as 'run' | 'preview', config = {} } = {}) {
  const setup = await intake(t)
  const { folder, receiver, partials } = setup
  const knowledge = knowledgeContext(t, setup, { folder, receiver, partials })
  knowledge.bulk.places = async () => PLACES
  knowledge.bulk.check = async (path) => {
    if (!path.startsWith('/media/ann/BOOKS'))
      throw new AppError('invalid', because('bulk_folder_not_allowed', { folder: path, places: ['/media'] }))
    return { path, disk: 'x' }
  }
  return {
    ...(await station(t, { config, context: { knowledge, mode } })),
    setup,
    knowledge,
    store: knowledge.bulk.store
  }
}

const press = (s: Pick<Station, 'ask'>, path: string, fields: Record<string, string>, headers = {}) =>
  s.ask({
    method: 'POST',
    path,
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }
  })

t.test('a list or a folder becomes one job, whose outcomes are told page by page', async (t) => {
  const { ask, store, knowledge } = await library(t)
  const made = await ask({
    path: '/api/ingest/bulk',
    body: { text: '# wells\na.example\nb.example\n', category: 'Web' }
  })
  t.match(made, {
    status: 201,
    body: {
      id: 1,
      kind: 'addresses',
      folder: null,
      category: 'Web',
      state: 'waiting',
      found: 0,
      left: 0,
      actions: ['stop']
    }
  })
  t.equal(knowledge.woken(), 1)
  const folder = await ask({ path: '/api/ingest/bulk', body: { folder: '/media/ann/BOOKS/water' } })
  t.match(folder, { status: 201, body: { kind: 'folder', folder: '/media/ann/BOOKS/water' } })
  store.add(
    1,
    Array.from({ length: 250 }, (_, n) => ({ what: `https://a.example/${n}` }))
  )
  const hash = 'a'.repeat(64)
  const [first, second] = store.entries(1, { after: 0, limit: 2 })
  store.settle(1, first?.id ?? 0, { state: 'taken', hash })
  store.settle(1, second?.id ?? 0, { state: 'duplicate', duplicateOf: hash, reason: because('content_is_same') })
  t.match(await ask('/api/ingest/bulk/1'), { body: { found: 250, taken: 1, duplicate: 1, left: 248 } })
  const page = await ask('/api/ingest/bulk/1/entries?limit=100')
  t.match(page.body, {
    entries: [
      { what: 'https://a.example/0', state: 'taken', hash, status_url: `/api/upload/${hash}/status` },
      {
        state: 'duplicate',
        duplicate_of: hash,
        status_url: `/api/upload/${hash}/status`,
        reason: 'Its content is the same.'
      }
    ]
  })
  const { next } = page.body as { next: number }
  t.match(await ask(`/api/ingest/bulk/1/entries?limit=500&cursor=${next}`), { body: { next: null } })
  const lefts = await ask('/api/ingest/bulk/1/entries?state=left&limit=1')
  t.match(lefts.body, { entries: [{ what: 'https://a.example/2', state: 'left' }] })
  t.match(await ask({ path: '/api/ingest/bulk/1/stop', method: 'POST' }), {
    body: { ok: true, bulk: { state: 'stopped' } }
  })
  t.equal((await ask({ path: '/api/ingest/bulk/1/retry', method: 'POST' })).status, 409)
  t.match(await ask({ path: '/api/ingest/bulk/1/resume', method: 'POST' }), {
    body: { ok: true, bulk: { state: 'waiting', actions: ['stop'] } }
  })
  t.equal((await ask({ path: '/api/ingest/bulk/1', method: 'DELETE' })).status, 409)
  await ask({ path: '/api/ingest/bulk/1/stop', method: 'POST' })
  t.match(await ask('/api/ingest/bulk'), { body: { bulk: [{ id: 2 }, { id: 1 }] } })
  t.match(await ask({ path: '/api/ingest/bulk/1', method: 'DELETE' }), { body: { ok: true } })
  t.equal((await ask('/api/ingest/bulk/1')).status, 404)
  t.match(await ask('/api/ingest/places'), {
    body: {
      places: [{ path: '/media/ann/BOOKS', label: 'BOOKS', readable: true, free_bytes: 12e9 }, { readable: false }]
    }
  })
})

t.test('only the operator begins, sees or ends one', async (t) => {
  const s = await library(t, { config: { http: { trusted_proxies: ['10.0.0.1'] } } })
  s.store.create({ kind: 'addresses', place: '', disk: null, category: '', list: 'a.example' })
  for (const path of ['/api/ingest/bulk', '/api/ingest/bulk/1', '/api/ingest/bulk/1/entries', '/api/ingest/places'])
    t.equal((await s.ask(path)).status, 401, path)
  t.equal((await s.ask({ path: '/api/ingest/bulk', body: { text: 'a.example' } })).status, 401)
  t.equal((await s.ask({ path: '/api/ingest/bulk/1/stop', method: 'POST' })).status, 401)
  t.equal((await press(s, '/knowledge/bulk/1', { do: 'stop' })).status, 401)
  t.equal(s.store.get(1).state, 'waiting')
  for (const path of ['/knowledge/bulk', '/knowledge/bulk/1']) {
    const page = await s.ask(path)
    t.match(mainOf(page), /Sign in/)
    t.notMatch(page.text, /a\.example|BOOKS/)
  }
  const preview = await library(t, { mode: 'preview' })
  t.equal((await preview.ask({ path: '/api/ingest/bulk', body: { text: 'a.example' } })).status, 503)
})

t.test('what cannot be a list or a folder is refused with the reason', async (t) => {
  const { ask, store } = await library(t)
  for (const [body, detail] of [
    [{}, /either addresses/],
    [{ text: 'a.example', folder: '/media/ann/BOOKS' }, /either addresses/],
    [{ text: '# nothing' }, /no address/],
    [{ urls: Array.from({ length: 2001 }, () => 'a.example') }, /2001 addresses/],
    [{ folder: '/etc' }, /not below a place/]
  ] as const)
    t.match(await ask({ path: '/api/ingest/bulk', body }), { status: 422, body: { detail } })
  t.same(store.list(), [])
  for (let n = 0; n < 10; n++) await ask({ path: '/api/ingest/bulk', body: { text: 'a.example' } })
  t.equal((await ask({ path: '/api/ingest/bulk', body: { text: 'a.example' } })).status, 429)
})

t.test('the pages work without a script: begin, look, stop, go on', async (t) => {
  const s = await library(t)
  const page = mainOf(await s.ask('/knowledge/bulk'))
  t.match(page, /BOOKS<\/b>[\s\S]*\/media\/ann\/BOOKS · stick · 32 GB, 12 GB free/)
  t.match(page, /LOCKED[\s\S]*cannot be read[\s\S]*may not read it/)
  t.match(mainOf(await s.ask('/knowledge/upload')), /href="\/knowledge\/bulk">Many at once/)
  const begun = await press(s, '/knowledge/bulk', { place: '/media/ann/BOOKS', below: 'water', category: 'Stick' })
  t.match(begun, { status: 303, headers: { location: '/knowledge/bulk/1?done=started' } })
  t.equal(s.store.get(1).place, '/media/ann/BOOKS/water')
  const out = await press(s, '/knowledge/bulk', { place: '/media/ann/BOOKS', below: '../../../etc' })
  t.match(out, { status: 422 })
  t.match(mainOf(out), /\/etc is not below a place/)
  s.store.add(1, [{ what: 'a <b>.pdf' }, { what: 'c.jpg', end: { state: 'refused', reason: because('upload_empty') } }])
  const one = mainOf(await s.ask('/knowledge/bulk/1?state=refused'))
  t.match(one, /c\.jpg[\s\S]*The file is empty/)
  t.notMatch(one, /a &lt;b&gt;/)
  t.match(mainOf(await s.ask('/knowledge/bulk/1')), /a &lt;b&gt;\.pdf/)
  s.store.add(
    1,
    Array.from({ length: 150 }, (_, n) => ({ what: `books/${n}.pdf` }))
  )
  const next = /href="(\/knowledge\/bulk\/1\?cursor=\d+)"/.exec(mainOf(await s.ask('/knowledge/bulk/1')))?.[1] ?? ''
  const rest = mainOf(await s.ask(next))
  t.match(rest, /books\/149\.pdf[\s\S]*To the beginning/)
  t.notMatch(rest, /books\/0\.pdf|Further ones/)
  t.match((await press(s, '/knowledge/bulk/1', { do: 'stop' })).headers, { location: '/knowledge/bulk/1?done=stop' })
  t.equal(s.store.get(1).state, 'stopped')
  await press(s, '/knowledge/bulk/1', { do: 'resume' })
  t.equal(s.store.get(1).state, 'waiting')
  t.equal((await s.ask('/knowledge/bulk/99')).status, 404)
  t.equal((await press(s, '/knowledge/bulk/1', { do: 'burn' })).status, 404)
  const german = mainOf(await s.ask({ path: '/knowledge/bulk', headers: { 'accept-language': 'de' } }))
  t.match(german, /Ein Stick oder ein Ordner[\s\S]*32\sGB, davon 12\sGB frei/)
})

t.test(
  'a hash that is announced tells a copy before a byte is sent, and bytes that are others at the end',
  async (t) => {
    const { ask, setup, knowledge } = await library(t)
    const bytes = pdf('one')
    const hash = createHash('sha256').update(bytes).digest('hex')
    const raw = (query: string, body: Buffer) =>
      ask({ method: 'POST', path: `/api/upload?${query}`, raw: body, headers: { 'content-type': 'application/pdf' } })
    t.equal((await raw(`filename=one.pdf&sha256=${hash}`, bytes)).status, 201)
    let stored = 0
    const store = knowledge.receiver.store.bind(knowledge.receiver)
    knowledge.receiver.store = (...given) => {
      stored++
      return store(...given)
    }
    t.match(await raw(`filename=another.pdf&sha256=${hash.toUpperCase()}`, bytes), {
      status: 409,
      body: { existing: { hash } }
    })
    t.equal(stored, 0)
    const metadata = (sha256: string): string =>
      `filename ${Buffer.from('x.pdf').toString('base64')},sha256 ${Buffer.from(sha256).toString('base64')}`
    const create = (sha256: string, length: number) =>
      ask({
        method: 'POST',
        path: '/api/uploads',
        headers: { 'tus-resumable': '1.0.0', 'upload-length': String(length), 'upload-metadata': metadata(sha256) }
      })
    t.match(await create(hash, bytes.length), { status: 409, body: { existing: { hash, filename: 'one.pdf' } } })
    const other = pdf('other')
    const begun = await create('b'.repeat(64), other.length)
    t.equal(begun.status, 201)
    const sent = await ask({
      method: 'PATCH',
      path: String(begun.headers['location']),
      raw: other,
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    })
    t.match(sent, { status: 400, body: { detail: /SHA-256 is another/ } })
    t.equal(setup.uploads.list({ limit: 5 }).length, 1)
  }
)

t.test('work on a list, a crawl or an archive of the same number says nothing of a document', async (t) => {
  const { ask, setup, store } = await library(t)
  const id = setup.catalogue.add(newDocument(1, { title: 'Wells' }))
  const { hash } = setup.catalogue.byId(id) ?? { hash: '' }
  const bulk = store.create({ kind: 'addresses', place: '', disk: null, category: '', list: 'a.example' })
  t.equal(bulk.id, id, 'both are number one')
  const job = setup.jobs.claim(['bulk'], { owner: 'test', leaseMs: 60_000 })
  setup.jobs.hold(job?.id ?? 0, 'test', { reason: because('bulk_asks_again'), retryAt: Date.now() + 1e6 })
  t.match(await ask(`/api/upload/${hash}/status`), { body: { status: 'queued', reason: null } })
  const told = await ask('/api/knowledge')
  t.match(told.body, { held: [{ kind: 'bulk', subject: '1', hash: null, filename: null }] })
  t.notMatch(mainOf(await ask('/knowledge')), /Many at once<\/span> <a href="\/documents/)
})
