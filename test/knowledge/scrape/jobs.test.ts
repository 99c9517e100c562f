import t from 'tap'
import { actionsOf, SCRAPE_STATES, type ScrapeState } from '../../../src/knowledge/scrape/job.ts'
import { jobView } from '../../../src/knowledge/scrape/job-rows.ts'
import { ScrapeJobs } from '../../../src/knowledge/scrape/jobs.ts'
import { readSubmission } from '../../../src/knowledge/scrape/submission.ts'
import { checkTarget, walkToTarget } from '../../../src/knowledge/scrape/target.ts'
import { because } from '../../../src/model/reason.ts'
import { siteGuard } from '../../../src/platform/net/site-guard.ts'
import { note } from '../../helpers/in-words.ts'
import { knowledgeSetup } from '../../helpers/knowledge.ts'
import { settings } from './setup.ts'
import { serveSite } from './site.ts'

const wanted = (url = 'https://www.example.org/') => readSubmission({ url }, settings)

async function setup(t: import('tap').Test) {
  const { db, jobs, clock } = await knowledgeSetup(t)
  const store = new ScrapeJobs({ db, jobs, now: () => clock.now() })
  const put = (id: number, status: ScrapeState): void =>
    void db.sql('UPDATE scrape_jobs SET status = ? WHERE id = ?').run(status, id)
  return { db, jobs, clock, store, put }
}

t.test('contract §9: what may be done in which state, and everything else is a conflict (Z8)', async (t) => {
  const { store, put, jobs } = await setup(t)
  const table: Record<ScrapeState, readonly string[]> = {
    pending: ['cancel'],
    scraping: ['cancel'],
    registering: ['cancel'],
    completed: ['delete'],
    failed: ['retry', 'delete'],
    cancelled: ['delete']
  }
  for (const status of SCRAPE_STATES) {
    t.same(actionsOf(status), table[status], status)
    for (const action of ['cancel', 'retry', 'delete'] as const) {
      const { id } = store.submit(wanted())
      put(id, status)
      if (table[status].includes(action)) {
        store[action](id)
        t.pass(`${action} of ${status}`)
        if (action === 'delete') t.equal(store.byId(id), null)
        continue
      }
      t.throws(() => store[action](id), { code: 'conflict' }, `${action} of ${status}`)
      t.equal(store.get(id).status, status, 'and nothing has changed')
      if (action === 'delete') t.not(jobs.get('scrape', String(id)), null, 'an active job keeps its work')
    }
  }
  t.throws(() => store.cancel(999), { code: 'not-found' })
})

t.test('the store keeps jobs as the contract shows them', async (t) => {
  const { store, clock, db, jobs, put } = await setup(t)
  const job = store.submit(readSubmission({ url: 'https://www.example.org/a#top', language: 'de' }, settings))
  t.same(jobView(job), {
    id: 1,
    url: 'https://www.example.org/a',
    title: 'example.org',
    language: 'deu',
    status: 'pending',
    ...{ page_count: 0, total: null, message: null, archive: null, source_id: null, engine: null },
    ...{ resumed: null, missed: 0, capped: 0, documents: 0 },
    created_at: '2026-07-01T12:00:00.000Z',
    started_at: null,
    completed_at: null
  })
  t.same(job.limits, {
    ...{ maxPages: 2000, maxBytes: 2 ** 31, maxMinutes: 240, scope: 'host', delay: 0.5 },
    ...{ include: [], exclude: [], patternPercent: 25, documents: false, maxDocuments: 100, maxDocumentBytes: 2 ** 29 }
  })
  t.equal(jobs.get('scrape', '1')?.state, 'waiting')

  await clock.runTo(clock.now() + 1000)
  t.ok(store.begin(1, 'container'))
  store.progress(1, { done: 3, total: 12 })
  t.match(store.get(1), { status: 'scraping', engine: 'container', pageCount: 3, total: 12, attempt: 1 })
  store.failed(1, note('The crawler failed.'))
  t.equal(jobView(store.get(1)).completed_at, '2026-07-01T12:00:01.000Z')

  t.equal(db.sql('SELECT crawl_mode FROM scrape_jobs').get()?.['crawl_mode'], 'container')
  const again = store.retry(1)
  t.match(again, {
    status: 'pending',
    message: null,
    engine: null,
    pageCount: 0,
    startedAt: null,
    completedAt: null,
    attempt: 0
  })
  t.equal(db.sql('SELECT crawl_mode FROM scrape_jobs').get()?.['crawl_mode'], null, 'retry clears crawl_mode')

  const [second, third] = [store.submit(wanted()), store.submit(wanted())]
  put(second.id, 'failed')
  put(third.id, 'cancelled')
  t.same(
    store.list().map(({ id }) => id),
    [3, 2, 1],
    'newest first'
  )
  t.same(
    store.list({ status: 'failed' }).map(({ id }) => id),
    [2]
  )
  t.match(store.counts(), { pending: 1, failed: 1, cancelled: 1, completed: 0 })
  t.equal(store.clearFailed(), 2)
  t.same(
    store.list().map(({ id }) => id),
    [1]
  )
})

t.test('cancelling: at once where nobody works, asked for where somebody does', async (t) => {
  const { store, jobs } = await setup(t)
  const waiting = store.submit(wanted())
  t.equal(store.cancel(waiting.id).status, 'cancelled')
  t.equal(jobs.get('scrape', String(waiting.id)), null)

  const running = store.submit(wanted())
  jobs.claim(['scrape'], { owner: 'w', leaseMs: 1000 })
  store.begin(running.id, 'built-in')
  t.match(store.cancel(running.id), {
    status: 'scraping',
    cancelRequested: true,
    message: because('is_being_cancelled')
  })
  t.equal(store.isCancelRequested(running.id), true)
  t.equal(store.begin(running.id, 'built-in'), false, 'it is not begun any more')
  t.equal(store.cancel(running.id).cancelRequested, true, 'asked twice')
  store.cancelled(running.id)
  t.throws(() => store.cancel(running.id), { code: 'conflict' })

  const later = store.submit(wanted())
  jobs.claim(['scrape'], { owner: 'w', leaseMs: 1000 })
  store.begin(later.id, 'built-in')
  jobs.retryLater(jobs.get('scrape', String(later.id))?.id ?? 0, 'w', { reason: note('x'), dueAt: 9e15 })
  store.cancel(later.id)
  t.ok((jobs.get('scrape', String(later.id))?.dueAt ?? 9e15) < 9e15, 'what waits for long tidies up now')
})

t.test('Z9: whatever is not at an end gets its place in the queue back', async (t) => {
  const { store, jobs, put } = await setup(t)
  for (const status of SCRAPE_STATES) {
    const { id } = store.submit(wanted())
    put(id, status)
    jobs.remove('scrape', String(id))
  }
  t.equal(store.requeueLost(), 3)
  t.same(
    jobs
      .list({ limit: 9 })
      .map(({ subject }) => store.get(Number(subject)).status)
      .sort(),
    ['pending', 'registering', 'scraping']
  )
  t.equal(store.requeueLost(), 0)
})

t.test('what is submitted is checked', (t) => {
  const read = (body: Parameters<typeof readSubmission>[0]) => readSubmission(body, settings)
  for (const url of [
    '',
    'example.org',
    'ftp://example.org/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://',
    'https://u:p@example.org/',
    'https://u@example.org/',
    `https://e.org/${'x'.repeat(2000)}`
  ])
    t.throws(() => read({ url }), { code: 'invalid', issues: [{ path: '/url' }] }, url.slice(0, 40))
  for (const [url, title] of [
    ['https://www.example.org/a', 'example.org'],
    ['http://example.org:8080/', 'example.org:8080'],
    ['https://wiki.example.org/', 'wiki.example.org']
  ] as const)
    t.equal(read({ url }).title, title)
  t.equal(read({ url: 'https://e.org/', title: '  My\nsite ' }).title, 'My site')
  t.throws(() => read({ url: 'https://e.org/', title: 'x'.repeat(200) }), {
    code: 'invalid',
    issues: [{ path: '/title' }]
  })
  for (const [given, kept] of [
    ['', 'eng'],
    ['en', 'eng'],
    ['DEU', 'deu'],
    ['pt-BR', 'por'],
    ['eng, fr', 'eng,fra'],
    ['haw', 'haw']
  ] as const)
    t.equal(read({ url: 'https://e.org/', language: given }).language, kept, given)
  for (const language of ['English', 'xx', 'e1', 'eng;rm -rf', 'a,b,c,d,e,f'])
    t.throws(
      () => read({ url: 'https://e.org/', language }),
      { code: 'invalid', issues: [{ path: '/language' }] },
      language
    )
  t.end()
})

t.test(
  'only the public Internet is archived: by address, by name, by what a name stands for, at every hop',
  async (t) => {
    const resolve = async (host: string) =>
      host === 'inside.example'
        ? [
            { address: '93.184.215.14', family: 4 },
            { address: '10.0.0.5', family: 4 }
          ]
        : host === 'nowhere.example'
          ? Promise.reject(new Error('ENOTFOUND'))
          : [
              { address: '2606:2800::1', family: 6 },
              { address: '93.184.215.14', family: 4 }
            ]
    for (const host of [
      '127.0.0.1',
      '10.1.2.3',
      '192.168.1.1',
      '172.16.0.9',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '[::1]',
      '[fe80::1]',
      '[fd00::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      'localhost',
      'foo.localhost',
      'router.local',
      'nas.lan',
      'metadata.google.internal',
      'intranet',
      'inside.example'
    ])
      await t.rejects(checkTarget(`http://${host}/`, { resolve }), { code: 'invalid' }, host)
    t.same(await checkTarget('https://example.org/', { resolve }), { host: 'example.org', address: '93.184.215.14' })
    t.equal(
      await checkTarget('https://nowhere.example/', { resolve }),
      null,
      'what cannot be looked up now is looked at later'
    )
    t.throws(() => siteGuard().check(new URL('http://printer.local/')), { message: /local network/ })

    const site = await serveSite(t, {
      '/': { status: 302, headers: { Location: '/two' } },
      '/two': 'here',
      '/inside': { status: 302, headers: { Location: 'http://10.0.0.1/' } },
      '/long': 'x'.repeat(200_000)
    })
    const rules = { isAllowed: (address: string) => address === '127.0.0.1' }
    const walk = (path: string) =>
      walkToTarget(`${site.origin}${path}`, { userAgent: 'Lookout', rules, signal: new AbortController().signal })
    t.same(await walk('/'), [{ host: '127.0.0.1', address: '127.0.0.1' }])
    t.equal((await walk('/long')).length, 1)
    await t.rejects(walk('/inside'), { code: 'invalid', message: /10\.0\.0\.1/ })
    await site.close()
    await t.rejects(walk('/'), { code: 'unavailable' }, 'a site that is down may be up later')
  }
)
