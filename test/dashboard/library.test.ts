import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { LibraryService } from '../../src/dashboard/server/library.ts'
import { PartialUploads } from '../../src/knowledge/intake/partial-uploads.ts'
import { ArchiveReceiver, cleanArchiveName } from '../../src/knowledge/library/arrival.ts'
import { Library } from '../../src/knowledge/library/library.ts'
import { LibrarySources } from '../../src/knowledge/library/sources.ts'
import type { SearchQuery } from '../../src/knowledge/search/service.ts'
import { systemClock } from '../../src/platform/clock/clock.ts'
import { hold } from '../helpers/archives.ts'
import { type KnowledgeSetup, knowledgeSetup, newDocument } from '../helpers/knowledge.ts'
import { eventually } from '../helpers/process.ts'
import { FROM_AFAR, station } from './harness.ts'

const uuidOf = (n: number): string => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`

/** The smallest thing that is an archive by its header: as long as it says, with its UUID. */
function zim(n: number, { cut = 0 } = {}): Buffer {
  const bytes = Buffer.alloc(200)
  bytes.writeUInt32LE(0x044d495a, 0)
  bytes.writeUInt16LE(6, 4)
  bytes.writeUInt16LE(1, 6)
  Buffer.from(uuidOf(n).replaceAll('-', ''), 'hex').copy(bytes, 8)
  for (const [at, value] of [
    [32, 82],
    [40, 82],
    [48, 82],
    [56, 80],
    [72, 184]
  ] as const)
    bytes.writeBigUInt64LE(BigInt(value), at)
  bytes.writeUInt32LE(0xffffffff, 64)
  return bytes.subarray(0, 200 - cut)
}

async function library(t: Test, options: { mode?: 'run' | 'preview'; listed?: boolean } = {}) {
  hold(t)
  const setup: KnowledgeSetup = await knowledgeSetup(t)
  const { db, jobs, catalogue } = setup
  const folder = join(t.testdir(), 'zim')
  const now = (): number => systemClock.now()
  const sources = new LibrarySources({ db, jobs, now })
  const arrived: string[] = []
  let free = 1e12
  const receiver: ArchiveReceiver = new ArchiveReceiver({
    folder,
    sources,
    minFreeBytes: () => 1000,
    free: async () => free,
    onArrival: (filename) => {
      arrived.push(filename)
      // The worker finds out these facts.
      const bytes = readFileSync(join(folder, filename))
      const said = { title: 'Wells', description: 'About', language: 'eng', date: '', name: '', articleCount: 4 }
      const facts = { uuid: uuidOf(bytes.readUInt32BE(8)), mainPath: null, ...said }
      sources.record({ filename, sizeBytes: bytes.length, mtime: 1 }, facts)
    }
  })
  const place = { kind: 'supervised', url: 'http://127.0.0.1:8081', prefix: '' } as const
  const shown = new Library({
    db,
    jobs,
    catalogue,
    sources,
    folder,
    clock: systemClock,
    patienceMs: 300,
    server: {
      kind: 'supervised',
      state: () => ({ status: 'running', url: place.url, version: '3.3.0', reason: null }),
      place: () => place
    },
    registration: { sync: async () => view(), view: () => view() },
    wikiUrl: () => '',
    wake: () => undefined
  })
  const view = () => ({
    listed: sources.list().map(({ uuid, title, filename }) => ({
      uuid,
      title,
      language: '',
      link: '',
      name: filename.replace('.zim', '')
    })),
    comparison: null,
    leftOut: [],
    problem: null
  })
  let looks = 0
  const context: LibraryService = {
    list: (host) => shown.list(host),
    one: (id, host) => shown.one(id, host),
    server: (host) => shown.server(host),
    wikiBase: (host) => shown.wikiBase(host),
    setIngest: (id, enabled, host) => shown.setIngest(id, enabled, host),
    retry: (id) => shown.retry(id),
    remove: (id) => shown.remove(id),
    settled: (archive) => shown.settled(archive),
    look: () => {
      looks++
    },
    receiver,
    partials: new PartialUploads({ receiver, now })
  }
  const hill = await station(t, { context: { library: context, mode: options.mode ?? 'run' } })
  const put = (filename: string, raw: Buffer, headers = {}) =>
    hill.ask({
      method: 'POST',
      path: `/api/library/sources?filename=${encodeURIComponent(filename)}`,
      raw,
      headers: { 'content-type': 'application/octet-stream', ...headers }
    })
  const fill = (bytes: number): void => {
    free = bytes
  }
  return { ...setup, hill, folder, sources, put, fill, arrived, looks: () => looks }
}

const SOURCES = '/api/library/sources'

t.test('an archive that is sent is stored, listed with everything the contract names, and can be opened', async (t) => {
  const { hill, put, folder, arrived, looks } = await library(t)
  t.match(await hill.ask(SOURCES), {
    status: 200,
    body: { sources: [], server: { status: 'running', version: '3.3.0' } }
  })
  t.equal(looks(), 1, 'files put there by hand are looked for when somebody looks')
  const taken = await put('Wikem (2026-05).zim', zim(1))
  t.match(taken, {
    status: 201,
    body: { ok: true, filename: 'wikem_2026-05.zim', source: { title: 'Wells' }, pending: [] }
  })
  t.same(arrived, ['wikem_2026-05.zim'])
  t.same(readFileSync(join(folder, 'wikem_2026-05.zim')), zim(1))
  const { body } = await hill.ask({ path: SOURCES, headers: { host: 'lookout.local:8080' } })
  t.match(body.sources, [
    {
      filename: 'wikem_2026-05.zim',
      title: 'Wells',
      description: 'About',
      language: 'eng',
      category: 'Wells',
      status: 'DETECTED',
      progress: '0 / 4 extracted',
      activity: null,
      ingest_enabled: false,
      size_bytes: 200,
      counts: { articles: 4, extracted: 0, total: 0, in_vector_store: 0, skipped: 0, failed: 0 },
      browse_url: 'http://lookout.local:8081/wikem_2026-05/'
    }
  ])
  t.match(body.server, {
    status: 'running',
    url: 'http://lookout.local:8081',
    version: '3.3.0',
    reason: null,
    problem: null
  })
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(zim(2))]), 'second.zim')
  const sent = await fetch(`${hill.service.url}${SOURCES}`, { method: 'POST', body: form })
  t.equal(sent.status, 201)
  t.match(await sent.json(), { filename: 'second.zim', source: { category: 'Wells (2)' } })
  t.same(readdirSync(join(folder, '.parts')), [], 'nothing is left of uploads')
})

t.test('what is no archive, is here already, or has no room is refused, and nothing is left of it (Z11)', async (t) => {
  const { hill, put, folder, fill, sources, arrived } = await library(t)
  t.match(await put('one.zim', zim(1)), { status: 201 })
  writeFileSync(join(folder, 'Dropped.zim'), 'by hand')
  const refused: [string, Buffer, number, RegExp][] = [
    ['one.zim', zim(2), 409, /There is an archive with this name already: one\.zim/],
    ['ONE.ZIM', zim(2), 409, /one\.zim/],
    ['../../one.zim', zim(2), 409, /one\.zim/],
    ['dropped.zim', zim(2), 409, /Dropped\.zim/],
    ['other.zim', zim(1), 409, /This archive is here already: one\.zim/],
    ['text.zim', Buffer.from('PK\x03\x04 this is a zip file, and not a ZIM archive'), 415, /no ZIM archive/],
    ['short.zim', Buffer.from('ZIM'), 415, /no ZIM archive/],
    ['empty.zim', Buffer.alloc(0), 422, /The file is empty/],
    ['cut.zim', zim(3, { cut: 50 }), 422, /cut off/],
    ['.zim', zim(3), 422, /needs a file name/],
    ['', zim(3), 422, /needs a file name/]
  ]
  for (const [name, bytes, status, detail] of refused) {
    const answer = await put(name, bytes)
    t.match(answer, { status, body: { detail } }, `${name}: ${answer.text}`)
  }
  fill(1100)
  t.match(await put('large.zim', zim(4)), { status: 507 })
  fill(1e12)
  t.match(await put('zipped.zim', zim(4), { 'content-encoding': 'gzip' }), { status: 415 })
  const form = new FormData()
  form.append('title', 'no file')
  const none = await fetch(`${hill.service.url}${SOURCES}`, { method: 'POST', body: form })
  t.equal(none.status, 422)
  const taken = new FormData()
  taken.append('file', new Blob([new Uint8Array(zim(9))]), 'one.zim')
  t.equal((await fetch(`${hill.service.url}${SOURCES}`, { method: 'POST', body: taken })).status, 409)
  t.same(readFileSync(join(folder, 'one.zim')), zim(1), 'the file that was there is as it was')
  t.equal(readFileSync(join(folder, 'Dropped.zim'), 'utf8'), 'by hand')
  t.same(readdirSync(join(folder, '.parts')), [])
  t.same(readdirSync(folder).sort(), ['.parts', 'Dropped.zim', 'one.zim'])
  t.equal(arrived.length, 1)
  sources.beginRemoval(1)
  t.match(await put('one.zim', zim(2)), { status: 409, body: { detail: /being removed: try again in a moment/ } })
})

t.test('two uploads of one name at the same time: one is taken, the other is refused', async (t) => {
  const { put, folder, arrived } = await library(t)
  const both = await Promise.all([put('same.zim', zim(1)), put('same.zim', zim(2))])
  t.same(both.map(({ status }) => status).sort(), [201, 409])
  t.equal(arrived.length, 1)
  t.same(readdirSync(folder).sort(), ['.parts', 'same.zim'])
})

t.test('an upload that breaks off leaves nothing; a resumable one goes on from where it was', async (t) => {
  const { hill, folder, sources } = await library(t)
  const port = hill.service.port
  await new Promise<void>((resolve) => {
    const req = request({
      port,
      method: 'POST',
      path: `${SOURCES}?filename=cut.zim`,
      headers: { 'content-length': 200 }
    })
    req.on('error', () => resolve())
    req.write(zim(1).subarray(0, 100), () => setTimeout(() => req.destroy(), 30))
  })
  const tus = { 'tus-resumable': '1.0.0' }
  const named = (name: string) => `filename ${Buffer.from(name).toString('base64')}`
  const begin = (name: string, length = 200) =>
    hill.ask({
      method: 'POST',
      path: '/api/library/uploads',
      headers: { ...tus, 'upload-length': String(length), 'upload-metadata': named(name) }
    })
  const patch = (path: string, offset: number, raw: Buffer) =>
    hill.ask({
      method: 'PATCH',
      path,
      raw,
      headers: { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
    })
  const options = await hill.ask({ method: 'OPTIONS', path: '/api/library/uploads' })
  t.match(options, { status: 204 })
  t.notOk(options.headers['tus-max-size'], 'the space is the limit')
  const begun = await begin('Big One.zim', 200)
  t.equal(begun.status, 201)
  const path = begun.headers.location ?? ''
  t.match(path, /^\/api\/library\/uploads\/[0-9a-f]{32}$/)
  t.match(await patch(path, 0, zim(1).subarray(0, 90)), { status: 204, headers: { 'upload-offset': '90' } })
  const where = await hill.ask({ method: 'HEAD', path, headers: tus })
  t.match(where, { status: 200, headers: { 'upload-offset': '90', 'upload-length': '200' } })
  t.match(await patch(path, 50, zim(1).subarray(50)), { status: 409 })
  t.match(await patch(path, 90, zim(1).subarray(90)), {
    status: 204,
    headers: { 'upload-offset': '200', 'upload-uuid': uuidOf(1) }
  })
  t.same(readFileSync(join(folder, 'big_one.zim')), zim(1))
  t.match(sources.list(), [{ filename: 'big_one.zim' }])
  t.match(await begin('BIG_one.zim'), { status: 409 }, 'a name that is taken is refused before a byte comes')
  const wrong = await begin('wrong.zim', 6000)
  const refused = await patch(wrong.headers.location ?? '', 0, Buffer.alloc(6000, 'x'))
  t.match(refused, { status: 415 })
  const twin = await begin('twin.zim')
  t.match(await patch(twin.headers.location ?? '', 0, zim(1)), { status: 409, body: { detail: /here already/ } })
  const ended = await begin('ended.zim')
  t.match(await hill.ask({ method: 'DELETE', path: ended.headers.location ?? '', headers: tus }), { status: 204 })
  t.same(readdirSync(folder).sort(), ['.parts', 'big_one.zim'])
  // The server learns of the broken connection in its own time.
  const pieces = (): string[] => readdirSync(join(folder, '.parts')).filter((name) => name.endsWith('.part'))
  await eventually('nothing is left of what broke off', () => pieces().length === 0)
})

t.test('ingest is turned on and off, and the answer is the state that is stored (Z5)', async (t) => {
  const { hill, put, catalogue, db, jobs } = await library(t)
  await put('one.zim', zim(1))
  const path = `${SOURCES}/1/ingest`
  t.match(await hill.ask({ path, body: { enabled: true } }), {
    status: 200,
    body: { ok: true, source: { status: 'EXTRACTING', activity: 'queued', ingest_enabled: true } }
  })
  t.ok(jobs.get('ingest-archive', '1'))
  t.match(
    (await hill.ask(SOURCES)).body.sources,
    [{ status: 'EXTRACTING', ingest_enabled: true }],
    'at once, everywhere'
  )
  t.match(await hill.ask({ path, body: { enabled: false } }), { body: { source: { status: 'DETECTED' } } })
  t.equal(jobs.get('ingest-archive', '1'), null)
  for (const [body, status] of [
    [{}, 422],
    [{ enabled: 'yes' }, 422],
    [null, 422]
  ] as const)
    t.equal((await hill.ask({ path, body })).status, status, JSON.stringify(body))
  t.equal((await hill.ask({ path: `${SOURCES}/77/ingest`, body: { enabled: true } })).status, 404)
  t.equal((await hill.ask({ path: `${SOURCES}/x/ingest`, body: { enabled: true } })).status, 404)

  await hill.ask({ path, body: { enabled: true } })
  const row = { kind: 'wiki', source: 'library', sourceId: 1, category: 'Wells' } as const
  catalogue.add(newDocument(1, { ...row, status: 'complete' }))
  catalogue.add(newDocument(2, { ...row, status: 'skipped' }))
  const failed = catalogue.add(newDocument(3, { ...row, status: 'failed' }))
  catalogue.update(failed, { failedStage: 'embed' })
  db.sql('UPDATE library_sources SET read_to_end = 1').run()
  t.match((await hill.ask(SOURCES)).body.sources, [
    {
      status: 'PROCESSING',
      progress: '1 / 2 in vector store',
      failed: '1 failed',
      counts: { total: 2, failed: 1, skipped: 1, in_vector_store: 1 }
    }
  ])
  t.match(await hill.ask({ method: 'POST', path: `${SOURCES}/1/retry` }), {
    status: 200,
    body: { ok: true, retried: 1 }
  })
  t.equal(catalogue.byId(failed)?.status, 'enriched')
  t.equal((await hill.ask({ method: 'POST', path: `${SOURCES}/77/retry` })).status, 404)
})

t.test('a removal that takes longer says what is left, and goes on', async (t) => {
  const { hill, put, sources, jobs, folder } = await library(t)
  await put('one.zim', zim(1))
  t.match(await hill.ask({ method: 'DELETE', path: `${SOURCES}/1` }), {
    status: 200,
    body: { ok: true, removed: { documents: 0, file: false }, pending: ['file', 'registration'] }
  })
  t.ok(jobs.get('remove-source', '1'))
  t.ok(existsSync(join(folder, 'one.zim')))
  t.match((await hill.ask(SOURCES)).body.sources, [{ state: 'removing', browse_url: null }])
  t.equal((await hill.ask({ path: `${SOURCES}/1/ingest`, body: { enabled: true } })).status, 409)
  sources.forget(1)
  t.equal((await hill.ask({ method: 'DELETE', path: `${SOURCES}/1` })).status, 404)
})

t.test('without a library every route says so; in preview it is read and not changed', async (t) => {
  const none = await station(t)
  const writes: [string, string, unknown?][] = [
    ['POST', `${SOURCES}?filename=a.zim`],
    ['POST', `${SOURCES}/1/ingest`, { enabled: true }],
    ['POST', `${SOURCES}/1/retry`],
    ['DELETE', `${SOURCES}/1`]
  ]
  for (const [method, path, body] of [['GET', SOURCES], ...writes] as typeof writes) {
    const answer = await none.ask({ method, path, ...(body === undefined ? {} : { body }) })
    t.match(answer, { status: 404, body: { detail: /runs without the library/ } }, `${method} ${path}`)
  }
  const { hill } = await library(t, { mode: 'preview' })
  t.equal((await hill.ask(SOURCES)).status, 200)
  for (const [method, path, body] of writes) {
    const answer = await hill.ask({ method, path, ...(body === undefined ? {} : { body }) })
    t.match(answer, { status: 503, body: { detail: /preview/ } }, `${method} ${path}`)
  }
})

t.test('a page of the wiki host, which is another port of the same machine, cannot write here', async (t) => {
  const { hill, put } = await library(t)
  await put('one.zim', zim(1))
  const { port } = hill.service
  const write = (headers: Record<string, string>) =>
    hill.ask({
      path: `${SOURCES}/1/ingest`,
      body: { enabled: true },
      headers: { host: `127.0.0.1:${port}`, ...headers }
    })
  t.equal((await write({ origin: 'http://127.0.0.1:8081' })).status, 403, 'Origin is compared with the port')
  t.equal((await write({ origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-site' })).status, 403)
  t.equal((await write({ origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' })).status, 200)
  t.equal((await write(FROM_AFAR)).status, 401, 'and nobody who is not known')
})

t.test('search, page and question carry the base of the wiki links, by the name that was used', async (t) => {
  const { hill: plain, catalogue, jobs, uploads } = await library(t)
  const asked: (string | undefined)[] = []
  const answer = { query: '', mode: 'lexical' as const, count: 0, results: [] }
  const knowledge = {
    catalogue,
    jobs,
    uploads,
    search: {
      query: async ({ wikiUrl }: SearchQuery) => {
        asked.push(wikiUrl)
        return answer
      },
      ask: async ({ wikiUrl }: { wikiUrl?: string }) => {
        asked.push(wikiUrl)
        return { question: '', answer: null, confidence: 'not_found', citations: [], passages: [] }
      }
    }
  } as never
  const hill = await station(t, { context: { knowledge, library: plain.context.library } })
  const headers = { host: 'lookout.local:8080' }
  await hill.ask({ path: '/api/search?q=wells', headers })
  await hill.ask({ path: '/search?q=wells', headers })
  await hill.ask({ path: '/api/ask', body: { question: 'where are the wells?' }, headers })
  t.same(asked, ['http://lookout.local:8081', 'http://lookout.local:8081', 'http://lookout.local:8081'])
  const without = await station(t, { context: { knowledge } })
  await without.ask('/api/search?q=wells')
  t.equal(asked.at(-1), undefined, 'articles open in the dashboard then')
})

t.test('a file gets a name that is the same in the folder, in the server and in an address', async (t) => {
  const cases: [string, string][] = [
    ['wikem_2026-05.zim', 'wikem_2026-05.zim'],
    ['WikiMed.ZIM', 'wikimed.zim'],
    ['C:\\Users\\me\\Größe & Maß.zim', 'gro_e_ma.zim'],
    ['../../etc/passwd', 'passwd.zim'],
    ['.hidden.zim', 'hidden.zim'],
    ['a b+c%20d.zim', 'a_b_c_20d.zim'],
    ['no extension', 'no_extension.zim']
  ]
  for (const [given, name] of cases) t.equal(cleanArchiveName(given), name, given)
  for (const given of ['', '.zim', '///', '日本.zim'])
    t.throws(() => cleanArchiveName(given), { code: 'invalid' }, given)
})
