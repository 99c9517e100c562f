import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createDetector } from '../../src/knowledge/enrich/detector.ts'
import { hashEmbedder } from '../../src/knowledge/enrich/embed/hash.ts'
import { embedJob } from '../../src/knowledge/enrich/embed-job.ts'
import { enrichJob } from '../../src/knowledge/enrich/enrich-job.ts'
import { extractJob } from '../../src/knowledge/enrich/extract-job.ts'
import { pageReader } from '../../src/knowledge/enrich/read-pages.ts'
import { classifyItem } from '../../src/knowledge/intake/classify.ts'
import { copyReview, copyWarning, dispatchJob } from '../../src/knowledge/intake/dispatcher.ts'
import { FileMoves } from '../../src/knowledge/intake/file-moves.ts'
import { systemReaders } from '../../src/knowledge/intake/readers.ts'
import { refusals } from '../../src/knowledge/intake/refuse.ts'
import { secondLook } from '../../src/knowledge/intake/second-look.ts'
import { Shelver } from '../../src/knowledge/intake/shelve.ts'
import { takeAddress } from '../../src/knowledge/intake/take-address.ts'
import { Workbench } from '../../src/knowledge/intake/workbench.ts'
import type { JobKind } from '../../src/knowledge/jobs/job.ts'
import { openSearchIndex } from '../../src/knowledge/search/index-store.ts'
import { Searcher } from '../../src/knowledge/search/searcher.ts'
import { AppError } from '../../src/platform/errors.ts'
import { publicOnly } from '../../src/platform/net/public-address.ts'
import { ownProgram } from '../../src/platform/process/own-program.ts'
import { note } from '../helpers/in-words.ts'
import { type Intake, intake, newDocument } from '../helpers/knowledge.ts'
import { knowledgeContext } from '../helpers/knowledge-pages.ts'
import { runnable } from '../helpers/runnable.ts'
import { type Station, station } from './harness.ts'

const { flags: execArgv, file: entry } = runnable('test/helpers/work-entry.ts')
const PAGE = `<!doctype html><title>Boiling water | Camp Site</title><meta property="og:site_name" content="Camp Site">
<nav><a href="/">Home</a></nav><article><h1>Boiling water</h1>
<p>Boil cloudy water for one minute before you drink it, and for three minutes above two thousand metres.</p>
<p>Let it cool in the covered pot. Then pour it into clean cans, and never dip a hand into them.</p></article>`
const VTT = [
  'WEBVTT',
  '00:00:01.000 --> 00:00:06.000\n<v Ann>Today we build a slow sand filter for a well.</v>',
  '00:00:06.000 --> 00:00:12.000\nWash the sand five times before you fill the barrel.',
  '00:02:30.000 --> 00:02:36.000\nThe charcoal goes in last, below the gravel and the cloth.'
].join('\n\n')

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** A web site on 127.0.0.2, which stands for the public Internet. */
async function site(t: Test): Promise<string> {
  const server = createServer((req, res) => {
    if (req.url === '/inside') return void res.writeHead(302, { Location: 'http://169.254.169.254/latest/' }).end()
    if (req.url === '/picture') return void res.setHeader('Content-Type', 'image/png').end(PNG)
    if (req.url !== '/water') return void res.writeHead(404).end()
    res.setHeader('Content-Type', 'text/html').end(`${PAGE}<!-- ${Math.random()} -->`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.2:${(server.address() as AddressInfo).port}`
}

async function library(
  t: Test,
  { mode = 'run' as 'run' | 'preview', config = {} } = {}
): Promise<Station & { setup: Intake }> {
  const setup = await intake(t)
  const { folder, receiver, partials } = setup
  const guard = publicOnly({ isAllowed: (address) => address === '127.0.0.2' })
  const program = (args: string[]) => ownProgram(args, { entry, execArgv })
  const knowledge = knowledgeContext(t, setup, {
    folder,
    receiver,
    partials,
    takeAddress: (ask) =>
      takeAddress(ask, { receiver, userAgent: 'Lookout/1', guard, program, languages: ['en'], videoPlatform: 'video' })
  })
  return { ...(await station(t, { config, context: { knowledge, mode } })), setup }
}

/** Everything the worker does with what has come in, then a search for it. */
async function worked(t: Test, { catalogue, uploads, jobs, db, clock, folder }: Intake): Promise<Searcher> {
  const index = await openSearchIndex({ path: join(folder, 'search.db') })
  t.teardown(() => index.close())
  const now = (): number => clock.now()
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined } as never
  const moves = new FileMoves({ db, folder, now })
  const shelver = new Shelver({ db, catalogue, moves, log })
  const bench = new Workbench({ moves })
  const { vectors, lexical } = index
  const settings = {
    language_filter: true,
    allowed_languages: ['en'],
    llm: { provider: 'none' as const, url: '', model: '', window_pages: 5 }
  }
  const kinds: JobKind[] = [
    dispatchJob({
      catalogue,
      uploads,
      moves,
      shelver,
      bench,
      readers: systemReaders,
      model: () => null,
      now,
      log,
      videoPlatform: () => 'video'
    }),
    extractJob({
      catalogue,
      readPages: pageReader({ folder, ocr: () => ({ enabled: false, languages: [] }) }),
      ...refusals({ catalogue, uploads, moves, shelver, bench, log }),
      secondLook: secondLook({ catalogue, shelver }),
      copyReview,
      copyWarning,
      now
    }),
    enrichJob({
      catalogue,
      index: lexical,
      vectors,
      detector: createDetector({ small: false, allowed: () => ['en'] }),
      settings: () => settings,
      model: () => null,
      classifyItem,
      clock
    }),
    embedJob({ catalogue, vectors, embedder: () => hashEmbedder, clock })
  ]
  for (let runs = 0; runs < 50; runs++) {
    const job = jobs.claim(['dispatch', 'extract', 'enrich', 'embed'], { owner: 'test', leaseMs: 60_000 })
    const kind = kinds.find((one) => one.kind === job?.kind)
    if (job === null || kind === undefined) break
    const result = await kind.run(job, { signal: new AbortController().signal, progress: () => undefined })
    if (result.end === 'done') jobs.finish(job.id, 'test', result.commit)
    else throw new AppError('unavailable', result.reason)
  }
  return Searcher.open({ knowledge: db, lexical, vectors, embedder: () => hashEmbedder, clock })
}

t.test('a web page becomes a document with the badge WEB that is found and cited by its address', async (t) => {
  const { ask, setup } = await library(t)
  const url = await site(t)
  const answer = await ask({ path: '/api/ingest/url', body: { url: `${url}/water#top`, category: 'Water' } })
  t.match(answer, {
    status: 201,
    body: {
      filename: 'Boiling water.txt',
      status: 'pending',
      url: `${url}/water`,
      title: 'Boiling water',
      status_url: /^\/api\/upload\/[0-9a-f]{64}\/status$/
    }
  })
  t.equal(answer.headers['location'], answer.body.status_url)
  t.match((await ask(answer.body.status_url)).body, { status: 'pending' })
  const again = await ask({ path: '/api/ingest/url', body: { url: `${url}/water` } })
  t.match(again, {
    status: 409,
    body: { existing: { hash: answer.body.hash, status: 'pending', status_url: answer.body.status_url } }
  })
  const searcher = await worked(t, setup)
  t.match((await ask(answer.body.status_url)).body, {
    status: 'complete',
    document: { title: 'Boiling water', domain: 'Water Systems' }
  })
  t.match(setup.catalogue.byHash(answer.body.hash), {
    kind: 'web',
    source: 'web',
    url: `${url}/water`,
    language: 'en',
    category: 'Water'
  })
  const found = await searcher.query({ q: 'boil cloudy water', badge: 'WEB', limit: 5, offset: 0 })
  t.match(found.results, [
    {
      badge: 'WEB',
      title: 'Boiling water',
      language: 'en',
      citation: { text: 'Boiling water (127.0.0.2)', url: `${url}/water` }
    }
  ])
  t.match(await ask({ path: '/api/ingest/url', body: { url: `${url}/water` } }), {
    status: 409,
    body: { existing: { status: 'complete' } }
  })
})

t.test('what is not fetched is refused with the reason, and leaves nothing', async (t) => {
  const { ask, setup } = await library(t)
  const url = await site(t)
  for (const [address, status, detail] of [
    [`${url}/inside`, 422, /169\.254\.169\.254, which is not an address of the public Internet/],
    ['http://127.0.0.1:1/', 422, /127\.0\.0\.1, which is not/],
    ['http://[::1]/', 422, /::1/],
    ['file:///etc/passwd', 422, /not the address of a web page/],
    ['nonsense nonsense', 422, /not the address/],
    [`${url}/none`, 422, /answers 404/],
    [`${url}/picture`, 415, /a picture \(PNG\)/]
  ] as const) {
    const answer = await ask({ path: '/api/ingest/url', body: { url: address } })
    t.match(answer, { status, body: { detail, error: detail } }, address)
  }
  t.equal((await ask({ path: '/api/ingest/url', body: {} })).status, 422)
  t.equal((await ask({ path: '/api/ingest/url', method: 'GET' })).status, 405)
  t.same(setup.files(), {})
  t.equal(setup.uploads.list({ limit: 5 }).length, 0)
})

t.test('captions become a document with the badge transcript whose citations lead to the minute', async (t) => {
  const { ask, setup } = await library(t)
  const json = await ask({
    path: '/api/ingest/transcript',
    body: {
      text: VTT,
      filename: 'filter.vtt',
      title: 'A slow sand filter',
      source_url: 'https://www.youtube.com/watch?v=abc',
      language: 'EN'
    }
  })
  t.match(setup.uploads.get(json.body.hash), { source: 'video', sidecar: { language: 'en' } })
  t.match(json, { status: 201, body: { filename: 'filter.vtt', status: 'pending' } })
  const boundary = 'xx'
  const part = (head: string, body: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
  const form = (text: string) => ({
    path: '/api/ingest/transcript',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    raw: `${part('name="source_url"', 'https://tube.example/w/xyz')}${part('name="file"; filename="roof.srt"', text)}--${boundary}--\r\n`
  })
  const srt =
    '1\n00:00:01,000 --> 00:00:09,000\nRain from the roof is led over a gutter into the cistern, first flush aside.\n'
  const second = await ask(form(srt))
  t.match(second, { status: 201, body: { filename: 'roof.srt' } })
  t.match(await ask(form(srt)), { status: 409, body: { existing: { hash: second.body.hash } } })
  const searcher = await worked(t, setup)
  const documents = setup.catalogue.list({ limit: 10 }).documents
  t.match(
    documents.map(({ kind, status }) => [kind, status]),
    [
      ['transcript', 'complete'],
      ['transcript', 'complete']
    ]
  )
  const { results } = await searcher.query({ q: 'charcoal below the gravel', badge: 'transcript', limit: 1, offset: 0 })
  t.match(results, [
    {
      badge: 'transcript',
      title: 'A slow sand filter',
      page: 2,
      citation: { text: 'A slow sand filter, 2:30', url: 'https://www.youtube.com/watch?v=abc&t=150' }
    }
  ])
  const roof = await searcher.query({ q: 'gutter cistern', limit: 1, offset: 0 })
  t.match(roof.results, [{ citation: { url: 'https://tube.example/w/xyz?start=1s' } }])
})

t.test('what is no transcript is refused with the reason', async (t) => {
  const { ask, setup } = await library(t)
  for (const [body, status, detail] of [
    [{ text: 'WEBVTT\n\n00:01.000 --> 00:02.000\n[Music]' }, 422, /only 7 characters of text: 1 captions/],
    [{ text: 'a plain text without any captions in it, although it is long enough' }, 422, /0 captions/],
    [{ text: VTT, source_url: 'javascript:alert(1)' }, 422, /address/],
    [{ text: VTT, language: 'English' }, 422, /language/],
    [{ filename: 'x.vtt' }, 422, undefined],
    [[], 422, undefined]
  ] as const) {
    const answer = await ask({ path: '/api/ingest/transcript', body })
    t.equal(answer.status, status, JSON.stringify(body).slice(0, 60))
    if (detail !== undefined) t.match(answer.body.detail, detail)
  }
  t.equal(
    (await ask({ path: '/api/ingest/transcript', raw: VTT, headers: { 'content-type': 'text/vtt' } })).status,
    415
  )
  t.same(setup.files(), {})
})

t.test('only an operator takes pages in; in a preview they wait', async (t) => {
  const preview = await library(t, { mode: 'preview' })
  const kept = await preview.ask({ path: '/api/ingest/transcript', body: { text: VTT } })
  t.match(kept, { status: 201, body: { status: 'pending' } })
  t.match(await preview.ask(kept.body.status_url), { body: { status: 'pending' } })
  const { ask, setup } = await library(t, { config: { http: { auth: 'token' } } })
  for (const path of ['/api/ingest/url', '/api/ingest/transcript']) {
    const { status } = await ask({
      path,
      body: { url: 'https://example.org/', text: VTT },
      headers: { origin: 'https://evil.example' }
    })
    t.ok(status === 401 || status === 403, `${path}: ${status}`)
  }
  t.same(setup.files(), {})
})

t.test('a document whose language model failed here and there is retried for those windows alone', async (t) => {
  const { ask, setup } = await library(t)
  const { catalogue, jobs } = setup
  const id = catalogue.add(newDocument(7, { status: 'complete' }))
  const window = { firstPage: 1, lastPage: 5, provider: 'test' }
  catalogue.setWindow(id, { ...window, number: 0, state: 'done', reason: null })
  const path = `/api/documents/${'7'.repeat(64)}/retry`
  t.equal((await ask({ path, method: 'POST' })).status, 409, 'nothing failed')
  catalogue.setWindow(id, { ...window, number: 1, firstPage: 6, lastPage: 8, state: 'failed', reason: note('busy') })
  t.equal((await ask({ path, method: 'POST' })).status, 202)
  t.equal(catalogue.byId(id)?.status, 'extracted')
  t.ok(jobs.get('enrich', String(id)))
})
