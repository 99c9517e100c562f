import t, { type Test } from 'tap'
import type { Document, Item, Page } from '../../../src/knowledge/catalogue/document.ts'
import { DOCUMENT_STATES } from '../../../src/knowledge/catalogue/states.ts'
import { createDetector } from '../../../src/knowledge/enrich/detector.ts'
import type { Embedder, EmbeddingModel } from '../../../src/knowledge/enrich/embed/embedder.ts'
import { embedJob, reembedPending, type VectorSink } from '../../../src/knowledge/enrich/embed-job.ts'
import { enrichJob } from '../../../src/knowledge/enrich/enrich-job.ts'
import type { LanguageModel } from '../../../src/knowledge/enrich/llm/model.ts'
import { redoWindows } from '../../../src/knowledge/enrich/redo-windows.ts'
import { classifyItem } from '../../../src/knowledge/intake/classify.ts'
import type { Job, JobKind } from '../../../src/knowledge/jobs/job.ts'
import { ProviderError } from '../../../src/knowledge/keys/provider-error.ts'
import { AppError, reasonOf } from '../../../src/platform/errors.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { knowledgeSetup, newDocument } from '../../helpers/knowledge.ts'

const WATER =
  'Boil water for one minute before you drink it. Above two thousand metres boil it for three minutes. Store it in clean, closed cans and never dip a hand into them. '
const WASSER =
  'Kochen Sie das Wasser mindestens eine Minute lang, bevor Sie es trinken. Bewahren Sie es in sauberen, geschlossenen Kanistern auf und fassen Sie nie mit der Hand hinein. '

function textPages(count: number, text = WATER): Page[] {
  return Array.from({ length: count }, (_, at) => ({
    number: at + 1,
    text: `Chapter ${at + 1}\n\n${text.repeat(9)}`,
    method: 'text',
    startSeconds: null
  }))
}

/** Vectors kept in memory; the port's contract is tested where it is implemented. */
class Vectors implements VectorSink {
  readonly rows = new Map<number, { documentId: number; model: EmbeddingModel; vector: Float32Array }>()
  lose = 0

  async put(
    documentId: number,
    model: EmbeddingModel,
    vectors: readonly { itemId: number; vector: Float32Array }[]
  ): Promise<void> {
    for (const { itemId, vector } of vectors.slice(this.lose)) this.rows.set(itemId, { documentId, model, vector })
  }
  async keepOnly(documentId: number, itemIds: readonly number[]): Promise<number> {
    const gone = [...this.rows].filter(([id, row]) => row.documentId === documentId && !itemIds.includes(id))
    for (const [id] of gone) this.rows.delete(id)
    return gone.length
  }
  async count(documentId: number, model: EmbeddingModel): Promise<number> {
    return [...this.rows.values()].filter((row) => row.documentId === documentId && row.model.model === model.model)
      .length
  }
  async documents(model: EmbeddingModel): Promise<Map<number, number>> {
    const counts = new Map<number, number>()
    for (const row of this.rows.values())
      if (row.model.model === model.model) counts.set(row.documentId, (counts.get(row.documentId) ?? 0) + 1)
    return counts
  }
}

class FakeEmbedder implements Embedder {
  readonly provider = 'openai'
  model = 'small'
  readonly dims = 4
  asked: string[][] = []
  answer: (texts: readonly string[]) => Float32Array[] = (texts) => texts.map(() => new Float32Array([1, 0, 0, 0]))

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.asked.push([...texts])
    return this.answer(texts)
  }
}

async function setup(t: Test, options: { model?: LanguageModel | null; allowed?: string[]; filter?: boolean } = {}) {
  const parts = await knowledgeSetup(t)
  const { catalogue, clock, jobs } = parts
  const indexed = new Map<number, Item[]>()
  const vectors = new Vectors()
  const embedder = new FakeEmbedder()
  const settings = {
    language_filter: options.filter ?? true,
    allowed_languages: options.allowed ?? ['en'],
    llm: { provider: 'none' as const, url: '', model: '', window_pages: 5 }
  }
  const state = { model: options.model ?? null }
  const kinds: Record<string, JobKind> = {
    enrich: enrichJob({
      catalogue,
      index: {
        put: (id, items) => void indexed.set(id, [...items]),
        putSlices: async (id, slices) => void indexed.set(id, [...slices].flat())
      },
      vectors,
      detector: createDetector({ small: false, allowed: () => settings.allowed_languages }),
      settings: () => settings,
      model: () => state.model,
      classifyItem,
      clock,
      random: () => 0.5
    }),
    embed: embedJob({ catalogue, vectors, embedder: () => embedder, clock })
  }
  /** One run of a job, as the runner would do it. */
  const run = async (kind: string, id: number, signal = new AbortController().signal): Promise<Job | null> => {
    const job = jobs.claim([kind], { owner: 'test', leaseMs: 60_000 })
    if (job === null || job.subject !== String(id)) throw new Error(`no job ${kind} for ${id}`)
    const work = kinds[kind]
    if (work === undefined) throw new Error(kind)
    try {
      const result = await work.run(job, { signal, progress: () => undefined })
      if (result.end === 'done') jobs.finish(job.id, 'test', result.commit)
      else jobs.hold(job.id, 'test', result)
    } catch (error) {
      jobs.retryLater(job.id, 'test', { reason: reasonOf(error), dueAt: clock.now() })
      throw error
    }
    return jobs.get(kind, String(id))
  }
  const add = (pages: Page[], patch: Partial<Document> = {}): number =>
    catalogue.transaction(() => {
      const id = catalogue.add(
        newDocument(indexed.size + Math.random(), { status: 'extracted', pageCount: pages.length, ...patch })
      )
      catalogue.setPages(id, pages)
      return id
    })
  const get = (id: number): Document => {
    const doc = catalogue.byId(id)
    if (doc === null) throw new Error('gone')
    return doc
  }
  return { ...parts, kinds, run, add, get, indexed, vectors, embedder, settings, state }
}

t.test(
  'a document goes from its pages to passages that hold all of it, found by words, then to a vector for each',
  async (t) => {
    const { add, run, get, catalogue, indexed, vectors, embedder, jobs } = await setup(t)
    const id = add(textPages(12), { domain: 'Water Systems' })
    t.equal(await run('enrich', id), null, 'the job is done')
    const doc = get(id)
    t.match(doc, { status: 'enriched', language: 'en', warnings: [], reason: null })
    const items = catalogue.items(id)
    t.equal(doc.itemCount, items.length)
    t.ok(items.length >= 12)
    const words = (text: string) => text.split(/\s+/).filter(Boolean)
    t.same(
      words(items.map(({ content }) => content).join(' ')),
      words(
        textPages(12)
          .map(({ text }) => text)
          .join(' ')
      ),
      'no word is lost'
    )
    t.same(items.map(({ window, firstPage }) => window === Math.floor((firstPage - 1) / 5)).every(Boolean), true)
    t.ok(items.every(({ origin, details }) => origin === 'extract' && details.domain === 'Water Systems'))
    t.same(
      indexed.get(id)?.map((item) => item.id),
      items.map((item) => item.id)
    )
    t.match(items[0]?.title, 'Chapter 1')
    t.equal(await run('embed', id), null)
    t.match(get(id), { status: 'complete', vectorCount: items.length })
    t.equal(vectors.rows.size, items.length)
    t.ok(
      embedder.asked.flat().every((text) => text.includes('Chapter')),
      'the title goes with the text'
    )
    t.equal(jobs.get('embed', String(id)), null)
  }
)

t.test(
  'R6: a document in another language is skipped with the reason; that is no failure and retry-all leaves it alone',
  async (t) => {
    const { add, run, get, catalogue, indexed, jobs, settings } = await setup(t)
    const id = add(textPages(2, WASSER))
    await run('enrich', id)
    t.match(inWords(get(id)), {
      status: 'skipped',
      language: 'de',
      failedStage: null,
      itemCount: 0,
      reason: 'the text is in German (de), not one of knowledge.allowed_languages: en'
    })
    t.equal(indexed.has(id), false, 'nothing of it is found')
    t.equal(jobs.get('embed', String(id)), null)
    t.equal(catalogue.retryAll(), 0)
    t.equal(catalogue.counts().failed, 0)
    settings.allowed_languages = ['en', 'deu']
    t.ok(catalogue.retry(id), 'after a change of the settings somebody may have it looked at again')
    await run('enrich', id)
    t.match(get(id), { status: 'enriched', language: 'de', reason: null })
  }
)

t.test(
  'L8: the language that is stored is the one that was detected, whatever the filter says; kinds have one name each',
  async (t) => {
    const { add, run, get } = await setup(t, { filter: false })
    for (const [text, language, kind] of [
      [WATER, 'en', 'pdf'],
      [WASSER, 'de', 'web'],
      ['12 34 56', 'und', 'transcript']
    ] as const) {
      const id = add(
        textPages(1, text).map((page) => ({ ...page, text: text.repeat(3) })),
        { kind }
      )
      await run('enrich', id)
      t.match(get(id), { status: 'enriched', language, kind })
    }
    t.equal(new Set(DOCUMENT_STATES).size, DOCUMENT_STATES.length)
  }
)

t.test('a document found under other settings leaves nothing behind when it is skipped later', async (t) => {
  const { add, run, get, catalogue, indexed, vectors, settings } = await setup(t, { allowed: ['de'] })
  const id = add(textPages(2, WASSER))
  await run('enrich', id)
  await run('embed', id)
  settings.allowed_languages = ['en']
  catalogue.again(id, 'enrich')
  await run('enrich', id)
  t.equal(get(id).status, 'skipped')
  t.same([catalogue.items(id).length, indexed.get(id)?.length, vectors.rows.size], [0, 0, 0])
})

t.test('a second run gives the same items under the same ids; changed pages change theirs only', async (t) => {
  const { add, run, catalogue } = await setup(t)
  const id = add(textPages(12))
  await run('enrich', id)
  const first = catalogue.items(id)
  catalogue.again(id, 'enrich')
  await run('enrich', id)
  t.same(catalogue.items(id), first)
  catalogue.setPages(id, textPages(7))
  catalogue.again(id, 'enrich')
  await run('enrich', id)
  const third = catalogue.items(id)
  t.same(
    third.filter(({ window }) => window === 0),
    first.filter(({ window }) => window === 0)
  )
  t.equal(Math.max(...third.map(({ lastPage }) => lastPage)), 7, 'nothing is left of pages that are gone')
})

t.test('an empty document is enriched and complete without items', async (t) => {
  const { add, run, get } = await setup(t)
  const id = add([{ number: 1, text: ' ', method: 'none', startSeconds: null }])
  await run('enrich', id)
  t.match(get(id), { status: 'enriched', language: 'und', itemCount: 0 })
  await run('embed', id)
  t.match(get(id), { status: 'complete', vectorCount: 0 })
})

t.test('a stop ends the run with nothing committed, and the next one goes on', async (t) => {
  const { add, run, get } = await setup(t)
  const id = add(textPages(12))
  const stop = new AbortController()
  stop.abort(new AppError('unavailable', note('stopping')))
  await t.rejects(run('enrich', id, stop.signal), /stopping/)
  t.equal(get(id).status, 'enriching')
  await run('enrich', id)
  t.equal(get(id).status, 'enriched')
})

t.test('partial success of the model is a warning that names the pages, and redoing tries only those', async (t) => {
  const item = (page: number) =>
    JSON.stringify({
      items: [
        {
          title: `Boiling ${page}`,
          summary: 's',
          content: 'Boil the water for one minute, then let it cool.',
          page,
          last_page: page,
          domain: 'Water Systems',
          subdomain: [],
          keywords: ['boil'],
          knowledge_type: 'procedural',
          complexity: 'basic',
          key_facts: []
        }
      ]
    })
  const asked: string[] = []
  let broken = true
  const model: LanguageModel = {
    name: 'test',
    complete: async ({ prompt }) => {
      asked.push(prompt)
      const page = Number(/\[page (\d+)\]/.exec(prompt)?.[1])
      if (broken && page === 6) throw new ProviderError('permanent', note('the answer was withheld'))
      return item(page)
    }
  }
  const { add, run, get, catalogue, indexed, vectors } = await setup(t, { model })
  const id = add(textPages(12), { warnings: [note('2 pages were read by tesseract')] })
  await run('enrich', id)
  const passages = catalogue.items(id).filter(({ origin }) => origin === 'extract').length
  t.match(inWords(get(id)), {
    status: 'enriched',
    itemCount: passages + 2,
    warnings: ['2 pages were read by tesseract'],
    modelWarning: 'The language model wrote nothing for pages 6–10: the answer was withheld'
  })
  t.equal(indexed.get(id)?.length, passages + 2)
  t.notOk(redoWindows(catalogue, 999))
  await run('embed', id)
  t.equal(asked.length, 3)
  broken = false
  t.ok(redoWindows(catalogue, id))
  t.notOk(redoWindows(catalogue, id), 'it is on its way')
  await run('enrich', id)
  t.equal(asked.length, 4, 'one window, the failed one')
  t.match(inWords(get(id)), {
    status: 'enriched',
    itemCount: passages + 3,
    warnings: ['2 pages were read by tesseract'],
    modelWarning: null
  })
  await run('embed', id)
  t.match(get(id), { status: 'complete', vectorCount: passages + 3 })
  t.equal(vectors.rows.size, passages + 3)
  t.notOk(redoWindows(catalogue, id), 'nothing failed')
})

t.test('windows of another size are written anew, without leftovers', async (t) => {
  const model: LanguageModel = { name: 'test', complete: async () => '{"items": []}' }
  const { add, run, catalogue, settings } = await setup(t, { model })
  const id = add(textPages(12))
  await run('enrich', id)
  t.equal(catalogue.windows(id).length, 3)
  settings.llm.window_pages = 10
  catalogue.again(id, 'enrich')
  await run('enrich', id)
  t.match(catalogue.windows(id), [
    { firstPage: 1, lastPage: 10 },
    { firstPage: 11, lastPage: 12 }
  ])
  t.same([...new Set(catalogue.items(id).map(({ window }) => window))], [0, 1])
})

t.test('L4: a document is complete with a vector for every item, or not at all', async (t) => {
  const { add, run, get, embedder, vectors, clock } = await setup(t)
  const id = add(textPages(40))
  await run('enrich', id)
  const expected = get(id).itemCount
  t.ok(expected > 64, 'several batches')
  const right = embedder.answer
  for (const [name, answer, reason] of [
    ['one left out', (texts: readonly string[]) => right(texts).slice(1), /answered 63 vectors to 64 texts/],
    [
      'another length',
      (texts: readonly string[]) => right(texts).map((vector, at) => (at === 3 ? new Float32Array(3) : vector)),
      /vector of 3 numbers instead of 4/
    ],
    [
      'no numbers',
      (texts: readonly string[]) => right(texts).map(() => new Float32Array([1, Number.NaN, 0, 0])),
      /numbers that are none/
    ]
  ] as const) {
    embedder.answer = answer
    const job = await run('embed', id)
    t.match(inWords(job), { state: 'held', reason }, name)
    t.match(get(id), { status: 'enriched', vectorCount: 0 })
    await clock.runTo(clock.now() + 5 * 60_000)
  }
  embedder.answer = right
  vectors.lose = 2
  await t.rejects(run('embed', id), /of \d+ vectors were stored/, 'a store that loses some is found out')
  t.not(get(id).status, 'complete')
  vectors.lose = 0
  await run('embed', id)
  t.match(get(id), { status: 'complete', vectorCount: expected })
  t.equal(vectors.rows.size, expected)
})

t.test(
  'while the provider is away the job is held, the document stays enriched and says why, and goes on by itself',
  async (t) => {
    const { add, run, get, embedder, jobs, clock } = await setup(t)
    const id = add(textPages(3))
    await run('enrich', id)
    const right = embedder.answer
    embedder.answer = () => {
      throw new AppError('unavailable', note('127.0.0.1:11434 refused the connection'))
    }
    const from = clock.now()
    t.match(inWords(await run('embed', id)), { state: 'held', reason: /refused/, dueAt: from + 300_000, attempts: 0 })
    t.match(inWords(get(id)), { status: 'enriched', reason: /refused/ })
    t.equal(jobs.claim(['embed'], { owner: 'test', leaseMs: 1 }), null, 'not at once')
    await clock.runTo(from + 300_000)
    embedder.answer = () => {
      throw new ProviderError('resting', note('over the limit'), { retryAt: from + 900_000 })
    }
    t.match(await run('embed', id), { state: 'held', dueAt: from + 900_000 })
    await clock.runTo(from + 900_000)
    embedder.answer = right
    await run('embed', id)
    t.match(get(id), { status: 'complete', reason: null })
  }
)

t.test(
  'another model embeds complete documents again in the background; the old vectors are there until then',
  async (t) => {
    const { add, run, get, embedder, vectors, catalogue, jobs, clock, kinds } = await setup(t)
    const id = add(textPages(3))
    await run('enrich', id)
    await run('embed', id)
    const parts = { catalogue, vectors, embedder: () => embedder, clock, jobs }
    const { signal } = new AbortController()
    t.equal(await reembedPending(parts, signal), 0, 'nothing has changed')
    embedder.model = 'large'
    t.equal(await reembedPending(parts, signal), 1)
    t.equal(get(id).status, 'complete', 'it stays searchable')
    t.ok([...vectors.rows.values()].every(({ model }) => model.model === 'small'))
    const right = embedder.answer
    embedder.answer = () => {
      throw new AppError('unavailable', note('away'))
    }
    t.match(await run('embed', id), { state: 'held' })
    t.equal(get(id).status, 'complete')
    t.ok(
      [...vectors.rows.values()].every(({ model }) => model.model === 'small'),
      'the old ones stay until the new ones come'
    )
    embedder.answer = right
    jobs.releaseHeld('embed')
    await run('embed', id)
    t.match(get(id), { status: 'complete', vectorCount: get(id).itemCount })
    t.ok([...vectors.rows.values()].every(({ model }) => model.model === 'large'))
    t.equal(await reembedPending(parts, signal), 0)
    kinds['embed']?.onDead({ subject: String(id) } as Job, note('given up'))
    t.equal(get(id).status, 'complete', 'giving up on new vectors does not lose the document')
  }
)

t.test('work that the old provider fails while another one is chosen does not wait for the old one', async (t) => {
  const { add, run, get, embedder, kinds, catalogue, vectors, clock } = await setup(t)
  const id = add(textPages(2))
  await run('enrich', id)
  const chosen = new FakeEmbedder()
  let isChosen = false
  kinds['embed'] = embedJob({ catalogue, vectors, embedder: () => (isChosen ? chosen : embedder), clock })
  embedder.answer = () => {
    isChosen = true
    throw new ProviderError('transient', note('old.example answers 500'))
  }
  const job = await run('embed', id)
  t.match(job, { state: 'held', dueAt: clock.now() })
  await run('embed', id)
  t.match(get(id), { status: 'complete', vectorCount: get(id).itemCount })
  t.equal(chosen.asked.length, 1)
})

t.test('a model that changes half-way mixes nothing', async (t) => {
  const { add, run, get, embedder, vectors } = await setup(t)
  const id = add(textPages(40))
  await run('enrich', id)
  embedder.answer = (texts) => {
    embedder.model = `model ${embedder.asked.length}`
    return texts.map(() => new Float32Array([1, 0, 0, 0]))
  }
  await t.rejects(run('embed', id), /changed half-way/)
  t.equal(vectors.rows.size, 0)
  t.not(get(id).status, 'complete')
})

t.test('a stage that has given up leaves its reason at the document', async (t) => {
  const { add, get, kinds, catalogue, run } = await setup(t)
  const id = add(textPages(1))
  kinds['enrich']?.onDead({ subject: String(id) } as Job, note('broken'))
  t.match(inWords(get(id)), { status: 'failed', failedStage: 'enrich', reason: 'broken' })
  catalogue.retry(id)
  await run('enrich', id)
  kinds['embed']?.onDead({ subject: String(id) } as Job, note('no vectors'))
  t.match(get(id), { status: 'failed', failedStage: 'embed' })
})
