import t from 'tap'
import type { KnowledgeContext } from '../../src/dashboard/server/knowledge.ts'
import type { SearchQuery, SearchService } from '../../src/knowledge/search/service.ts'
import { AppError } from '../../src/platform/errors.ts'
import { note } from '../helpers/in-words.ts'
import { type Shelf, shelf } from '../knowledge/search/shelf.ts'
import { station } from './harness.ts'

/** The part of a station's knowledge that the route reaches; everything else is not asked for. */
function knowledge({ setup, searcher }: Shelf, asked: SearchQuery[] = []): KnowledgeContext {
  const search: SearchService = {
    query: (query) => {
      asked.push(query)
      return searcher.query(query)
    },
    status: () => searcher.status(),
    ask: () => Promise.reject(new AppError('unavailable', note('not asked here')))
  }
  return {
    folder: '',
    catalogue: setup.catalogue,
    uploads: setup.uploads,
    jobs: setup.jobs,
    search
  } as Partial<KnowledgeContext> as KnowledgeContext
}

t.test('GET /api/search answers as the contract says', async (t) => {
  const made = await shelf(t)
  await made.file(['Boil water for one minute.'], {
    title: 'Water',
    domain: 'Water Systems',
    language: 'en',
    pageCount: 3
  })
  await made.file(['Boil the nettles.'], { title: 'Plants', kind: 'text', source: 'folder' })
  const { ask } = await station(t, { context: { knowledge: knowledge(made) } })
  const { status, body, headers } = await ask('/api/search?q=boil%20water')
  t.equal(status, 200)
  t.match(headers['content-type'], /^application\/json/)
  const [hash] = body.results.map((result: { hash: string }) => result.hash)
  t.match(body, { query: 'boil water', mode: 'hybrid', count: 2 })
  t.notOk('reason' in body)
  t.match(body.results[0], {
    hash,
    title: 'Water',
    snippet: 'Boil water for one minute.',
    badge: 'PDF',
    domain: 'Water Systems',
    language: 'en',
    page: 1,
    citation: { text: 'Water, p. 1', url: `/documents/${hash}?page=1#p` },
    matches: [
      [0, 4],
      [5, 10]
    ]
  })
  t.type(body.results[0].score, 'number')
  t.same((await ask('/api/search?q=boil&badge=pDf')).body.count, 2, 'a badge in any case')
  t.same((await ask('/api/search?q=boil&domain=water%20systems')).body.results[0].title, 'Water')
  t.same((await ask('/api/search?q=boil&source=folder')).body.results[0].title, 'Plants')
  t.same((await ask('/api/search?q=boil&badge=&domain=&source=')).body.count, 2, 'empty filters are none')
  t.same((await ask('/api/search?q=boil&limit=1&offset=1')).body.results.length, 1)
})

t.test('what cannot be meant is refused with its place, and nothing is asked', async (t) => {
  const asked: SearchQuery[] = []
  const { ask } = await station(t, { context: { knowledge: knowledge(await shelf(t), asked) } })
  for (const [path, what] of [
    ['/api/search', /missing/],
    ['/api/search?q=', /what to look for/],
    ['/api/search?q=%20%20', /what to look for/],
    [`/api/search?q=${'a'.repeat(1001)}`, /1000/],
    ['/api/search?q=a&badge=EPUB', /PDF, WEB, WIKI, transcript/],
    ['/api/search?q=a&domain=Nonsense', /Water Systems/],
    ['/api/search?q=a&limit=0', /1 to 100/],
    ['/api/search?q=a&limit=101', /1 to 100/],
    ['/api/search?q=a&limit=ten', /1 to 100/],
    ['/api/search?q=a&offset=-1', /offset/],
    ['/api/search?q=a&offset=1.5', /offset/]
  ] as const) {
    const { status, body } = await ask(path)
    t.ok(status === 400 || status === 422, `${path} ${status}`)
    t.match(JSON.stringify(body), what, path)
  }
  t.same(asked, [])
  await ask('/api/search?q=a')
  t.same(asked, [{ q: 'a', limit: 20, offset: 0 }])
  t.equal((await ask({ method: 'POST', path: '/api/search?q=a' })).status, 405)
})

t.test('without knowledge, and when the search does not answer, the reason is told', async (t) => {
  const without = await station(t)
  t.match(await without.ask('/api/search?q=a'), { status: 404, body: { detail: /runs without knowledge/ } })
  const made = await shelf(t)
  const broken = knowledge(made)
  broken.search.query = () => Promise.reject(new AppError('unavailable', note('the search is starting')))
  const { ask } = await station(t, { context: { knowledge: broken } })
  t.match(await ask('/api/search?q=a'), { status: 503, body: { detail: 'the search is starting' } })
})
