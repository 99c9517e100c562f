import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ScrapeService } from '../../src/dashboard/server/scraper.ts'
import type { RemovalReport } from '../../src/knowledge/library/library.ts'
import type { EngineReport } from '../../src/knowledge/scrape/engine.ts'
import { SCRAPE_STATES, type ScrapeState } from '../../src/knowledge/scrape/job.ts'
import { ScrapeJobs } from '../../src/knowledge/scrape/jobs.ts'
import { because } from '../../src/model/reason.ts'
import { note } from '../helpers/in-words.ts'
import { knowledgeSetup } from '../helpers/knowledge.ts'
import { FROM_AFAR, type Station, station } from './harness.ts'

const REPORT: EngineReport = {
  chosen: 'built-in',
  label: note('static pages only'),
  container: {
    usable: false,
    engine: null,
    image: 'zimit',
    imagePresent: false,
    missing: [note('neither docker nor podman is installed')]
  },
  builtIn: { usable: true, missing: [] }
}
const NOTHING: EngineReport = {
  ...REPORT,
  chosen: null,
  builtIn: { usable: false, missing: [note('zimwriterfs is not installed (package zim-tools)')] }
}

interface Setup extends Station {
  jobs: ScrapeJobs
  zimFolder: string
  wakes: () => number
  report: { now: EngineReport }
  removed: number[]
  put: (id: number, status: ScrapeState, more?: { archive?: string; sourceId?: number }) => void
}

async function setup(t: Test, mode: 'run' | 'preview' = 'run', config: unknown = {}): Promise<Setup> {
  const { db, jobs: work, clock } = await knowledgeSetup(t)
  const jobs = new ScrapeJobs({ db, jobs: work, now: () => clock.now() })
  const zimFolder = mkdtempSync(join(tmpdir(), 'lookout-zim-'))
  t.teardown(() => rmSync(zimFolder, { recursive: true, force: true }))
  const removed: number[] = []
  const report = { now: REPORT }
  let wakes = 0
  const removal: RemovalReport = {
    ok: true,
    removed: { documents: 12, vectors: 40, file: true, registration: true, jobs: 1 },
    pending: []
  }
  const scraper: ScrapeService = {
    jobs,
    zimFolder,
    engines: async () => report.now,
    library: {
      sourceOf: (filename) => (filename === 'known.zim' ? 5 : null),
      remove: async (id) => {
        removed.push(id)
        db.sql('DELETE FROM scrape_jobs WHERE source_id = ?').run(id)
        return removal
      }
    },
    rules: {
      resolve: async (host) => [{ address: host === 'inside.example' ? '10.0.0.1' : '93.184.215.14', family: 4 }]
    },
    wake: () => {
      wakes++
    }
  }
  const it = await station(t, { context: { scraper, mode }, config })
  return {
    ...it,
    jobs,
    zimFolder,
    removed,
    report,
    wakes: () => wakes,
    put(id, status, { archive, sourceId } = {}) {
      db.sql('UPDATE scrape_jobs SET status = ?, archive = ?, source_id = ? WHERE id = ?').run(
        status,
        archive ?? null,
        sourceId ?? null,
        id
      )
    }
  }
}

const submit = (it: Station, body: unknown) => it.ask({ path: '/api/scraper/submit', body })
const order = (it: Station, path: string) => it.ask({ method: 'POST', path: `/api/scraper/${path}` })

t.test('submit: 201 with the job, as the contract shows it, and the worker is woken at once', async (t) => {
  const it = await setup(t)
  const answer = await submit(it, { url: 'https://www.example.org/start#x', language: 'fr' })
  t.equal(answer.status, 201)
  t.same(answer.body, {
    id: 1,
    url: 'https://www.example.org/start',
    title: 'example.org',
    language: 'fra',
    status: 'pending',
    ...{ page_count: 0, total: null, message: null, archive: null, source_id: null, engine: null },
    ...{ resumed: null, missed: 0, capped: 0, documents: 0 },
    created_at: '2026-07-01T12:00:00.000Z',
    started_at: null,
    completed_at: null
  })
  t.equal(it.wakes(), 1, 'defect Z10: no job waits for a poll')
  t.equal((await submit(it, { url: 'https://example.org/', title: null, language: null })).status, 201)
  t.equal(
    (await submit(it, { url: 'https://example.org/', title: '', language: '', crawl_mode: 'static' })).status,
    201,
    'there is no crawl mode to choose'
  )
})

t.test('submit: what is not archived is refused before there is a job', async (t) => {
  const it = await setup(t)
  for (const [body, status, words] of [
    [{}, 422, /url/],
    [{ url: 7 }, 422, /url/],
    [{ url: '' }, 422, /http/],
    [{ url: 'ftp://example.org/' }, 422, /http/],
    [{ url: 'https://me:secret@example.org/' }, 422, /password/],
    [{ url: 'http://127.0.0.1:8080/' }, 422, /public/],
    [{ url: 'http://[::1]/' }, 422, /public/],
    [{ url: 'http://169.254.169.254/latest/' }, 422, /public/],
    [{ url: 'http://localhost/' }, 422, /local network/],
    [{ url: 'https://inside.example/' }, 422, /10\.0\.0\.1/],
    [{ url: 'https://example.org/', language: 'English' }, 422, /ISO 639/]
  ] as const) {
    const answer = await submit(it, body)
    t.equal(answer.status, status, JSON.stringify(body))
    t.match(JSON.stringify(answer.body), words)
    t.notMatch(answer.text, /secret/)
  }
  it.report.now = NOTHING
  const missing = await submit(it, { url: 'https://example.org/' })
  t.equal(missing.status, 503)
  t.match(missing.body.detail, /zimwriterfs is not installed.*docker nor podman/)
  t.same(it.jobs.list(), [])
  t.equal(it.wakes(), 0)
})

t.test('jobs: newest first, by status', async (t) => {
  const it = await setup(t)
  for (const [index, status] of SCRAPE_STATES.entries()) {
    await submit(it, { url: `https://example.org/${index}` })
    it.put(index + 1, status)
  }
  const all = await it.ask('/api/scraper/jobs')
  t.same(
    all.body.jobs.map((job: { id: number }) => job.id),
    [6, 5, 4, 3, 2, 1]
  )
  for (const status of SCRAPE_STATES) {
    const { body } = await it.ask(`/api/scraper/jobs?status=${status}`)
    t.same(
      body.jobs.map((job: { status: string }) => job.status),
      [status]
    )
  }
  t.equal((await it.ask('/api/scraper/jobs?status=')).body.jobs.length, 6)
  t.equal((await it.ask('/api/scraper/jobs?status=running')).status, 422)
})

t.test(
  'contract §9: cancel, retry and delete where they are offered, 409 where they are not, 404 for what is not there',
  async (t) => {
    const it = await setup(t)
    const offered: Record<string, readonly ScrapeState[]> = {
      cancel: ['pending', 'scraping', 'registering'],
      retry: ['failed'],
      delete: ['completed', 'failed', 'cancelled']
    }
    for (const [action, states] of Object.entries(offered)) {
      for (const status of SCRAPE_STATES) {
        const { body } = await submit(it, { url: 'https://example.org/' })
        it.put(body.id, status)
        const wakes = it.wakes()
        const answer = await order(it, `${action}/${body.id}`)
        t.equal(answer.status, states.includes(status) ? 200 : 409, `${action} of ${status}`)
        if (answer.status === 409) t.match(answer.body, { status: 409, error: new RegExp(status) })
        else if (action !== 'delete') {
          t.match(answer.body, { ok: true, job: { id: body.id } })
          t.ok(it.wakes() > wakes, 'the worker hears of it')
        }
      }
      for (const id of ['999', '0', 'x', '-1', '1e3'])
        t.equal((await order(it, `${action}/${id}`)).status, 404, `${action}/${id}`)
    }
  }
)

t.test('Z8: a job that is under way is never deleted', async (t) => {
  const it = await setup(t)
  for (const status of ['pending', 'scraping', 'registering'] as const) {
    const { body } = await submit(it, { url: 'https://example.org/' })
    it.put(body.id, status, { archive: 'known.zim', sourceId: 5 })
    t.equal((await order(it, `delete/${body.id}`)).status, 409, status)
    t.equal(it.jobs.get(body.id).status, status)
  }
  t.same(it.removed, [])
})

t.test('deleting a job with an archive is the full cleanup of its source', async (t) => {
  const it = await setup(t)
  const make = async (status: ScrapeState, more: { archive?: string; sourceId?: number }): Promise<number> => {
    const { body } = await submit(it, { url: 'https://example.org/' })
    it.put(body.id, status, more)
    return body.id
  }
  const done = await make('completed', { archive: 'a.zim', sourceId: 3 })
  const answer = await order(it, `delete/${done}`)
  t.same(answer.body, {
    ok: true,
    removed: { documents: 12, vectors: 40, file: true, registration: true, jobs: 1 },
    pending: []
  })
  t.same(it.removed, [3])
  t.equal(it.jobs.byId(done), null)

  const late = await make('failed', { archive: 'known.zim' })
  t.equal((await order(it, `delete/${late}`)).status, 200)
  t.same(it.removed, [3, 5], 'one that the library took after all')
  t.equal(it.jobs.byId(late), null)

  writeFileSync(join(it.zimFolder, 'left.zim'), 'x')
  const left = await make('failed', { archive: 'left.zim' })
  t.same((await order(it, `delete/${left}`)).body, {
    ok: true,
    removed: { documents: 0, vectors: 0, file: true, registration: false, jobs: 1 },
    pending: []
  })
  t.notOk(existsSync(join(it.zimFolder, 'left.zim')))

  const bare = await make('cancelled', {})
  t.match((await order(it, `delete/${bare}`)).body, { removed: { file: false, jobs: 1 } })
  await make('failed', {})
  await make('cancelled', {})
  const kept = await make('completed', { archive: 'b.zim', sourceId: 9 })
  t.same((await order(it, 'clear-failed')).body, { ok: true, deleted: 2 })
  t.same(
    it.jobs.list().map(({ id }) => id),
    [kept]
  )
})

t.test('preview reads and writes nothing; a profile without it says so', async (t) => {
  const preview = await setup(t, 'preview')
  t.equal((await preview.ask('/api/scraper/jobs')).status, 200)
  for (const path of ['cancel/1', 'retry/1', 'delete/1', 'clear-failed'])
    t.equal((await order(preview, path)).status, 503, path)
  t.equal((await submit(preview, { url: 'https://example.org/' })).status, 503)
  const off = await station(t, {})
  for (const question of ['/api/scraper/jobs', { method: 'POST', path: '/api/scraper/clear-failed' }])
    t.match((await off.ask(question)).body, { status: 404, detail: /subsystems\.scraper/ })
})

t.test('of a site that is archived a guest reads scheme and host', async (t) => {
  const it = await setup(t)
  const url = 'https://site.example:8443/members/topic-93/?key=k-94'
  t.equal((await submit(it, { url, title: url })).status, 201)
  for (const path of ['/api/scraper/jobs', '/library/scraper']) {
    t.match((await it.ask(path)).text, 'topic-93', `the operator reads ${path}`)
    const { text } = await it.ask({ path, headers: FROM_AFAR })
    t.notMatch(text, /topic-93|k-94/, path)
    t.match(text, 'https://site.example:8443', path)
  }
})

t.test('patterns and documents are asked for with the site; what is no pattern is refused by its field', async (t) => {
  const it = await setup(t)
  const asked = {
    url: 'https://example.org/',
    include: ['/docs/*'],
    exclude: ['/*?print=*', '/calendar/*'],
    documents: true
  }
  const answer = await submit(it, asked)
  t.equal(answer.status, 201)
  t.match(it.jobs.get(1).limits, { include: ['/docs/*'], exclude: ['/*?print=*', '/calendar/*'], documents: true })
  t.match((await it.ask('/api/scraper/jobs/1')).body, {
    ...{ include: ['/docs/*'], exclude: ['/*?print=*', '/calendar/*'], takes_documents: true },
    job: { id: 1, missed: 0, capped: 0, documents: 0, resumed: null }
  })
  for (const [body, words] of [
    [{ exclude: ['calendar/*'] }, /\/exclude.*begins with/],
    [{ include: ['/*'] }, /\/include.*every page/],
    [{ include: Array.from({ length: 21 }, (_, n) => `/${n}`) }, /at most 20/],
    [{ include: [`/${'x'.repeat(300)}`] }, /at most 200/],
    [{ documents: 'yes' }, /documents/]
  ] as const) {
    const refused = await submit(it, { url: 'https://example.org/', ...body })
    t.equal(refused.status, 422, JSON.stringify(body))
    t.match(refused.text, words)
  }
})

t.test("the operator's own hosts are archived where the settings allow them, and the refusal says where", async (t) => {
  const inside = { url: 'https://inside.example/' }
  const refused = await submit(await setup(t), inside)
  t.equal(refused.status, 422)
  t.match(refused.text, /scraper\.allowed_hosts/)
  const it = await setup(t, 'run', { scraper: { allowed_hosts: ['inside.example', '192.168.5.0/24'] } })
  t.equal((await submit(it, inside)).status, 201)
  t.equal((await submit(it, { url: 'http://192.168.5.7/' })).status, 201)
  for (const url of ['http://192.168.6.7/', 'http://127.0.0.1/', 'http://169.254.169.254/', 'http://localhost/'])
    t.equal((await submit(it, { url })).status, 422, url)
})

t.test(
  'one job with its lists: what was not fetched and why, what was cut, the documents; a guest sees hosts alone',
  async (t) => {
    const it = await setup(t)
    await submit(it, { url: 'https://www.example.org/start', exclude: ['/inner/*'] })
    const { findings } = it.jobs
    findings.put(1, {
      missed: [
        { address: 'https://www.example.org/inner/a?key=1', reason: because('page_answers', { status: 404 }) },
        { address: 'https://www.example.org/b', reason: because('page_robots_forbid') }
      ],
      missedCount: 250,
      capped: [{ pattern: 'example.org/inner/calendar/#', kept: 37, pages: 2 }]
    })
    findings.putDocument(1, {
      address: 'https://www.example.org/inner/m.pdf',
      state: 'taken',
      hash: 'a'.repeat(64),
      reason: null
    })
    it.jobs.resumed(1, { pages: 96, after: because('crawl_station_stopped') })
    const { body, text } = await it.ask('/api/scraper/jobs/1')
    t.match(body, {
      job: {
        ...{ missed: 250, capped: 1, documents: 1 },
        resumed: { pages: 96, after: 'the station was stopped', times: 1 }
      },
      missed: [
        { url: 'https://www.example.org/b', code: 'page_robots_forbid', reason: 'robots.txt forbids it' },
        { url: 'https://www.example.org/inner/a?key=1', code: 'page_answers', reason: 'the site answers 404' }
      ],
      capped: [{ pattern: 'example.org/inner/calendar/#', kept: 37, pages: 2 }],
      documents: [{ state: 'taken', hash: 'a'.repeat(64), code: null, reason: null }]
    })
    t.match(text, 'inner')
    const guest = await it.ask({ path: '/api/scraper/jobs/1', headers: FROM_AFAR })
    t.equal(guest.status, 200)
    t.notMatch(guest.text, /inner|key=1/)
    for (const path of ['/api/scraper/jobs/2', '/api/scraper/jobs/x', '/api/scraper/jobs/0'])
      t.equal((await it.ask(path)).status, 404, path)
  }
)
