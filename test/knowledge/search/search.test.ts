import fc from 'fast-check'
import t from 'tap'
import type { Embedder } from '../../../src/knowledge/enrich/embed/embedder.ts'
import { hashEmbedder, hashVector } from '../../../src/knowledge/enrich/embed/hash.ts'
import { openSearchIndex } from '../../../src/knowledge/search/index-store.ts'
import { rebuildIndex } from '../../../src/knowledge/search/rebuild.ts'
import { recallCheck } from '../../../src/knowledge/search/recall.ts'
import { missingFromIndex } from '../../../src/knowledge/search/reconcile.ts'
import { Searcher } from '../../../src/knowledge/search/searcher.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { anyText } from '../../helpers/any-text.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { ndcg, PASSAGES, QUERIES } from './labelled.ts'
import { labelledShelf, shelf } from './shelf.ts'

const HASH_MODEL = { provider: 'hash', model: hashEmbedder.model, dims: 1024 }

/** An embedder of meaning, as far as three words go; `up` says whether its server answers. */
function meaning(state: { up: boolean; asked: number; dims?: number }): Embedder {
  const dims = state.dims ?? 8
  return {
    provider: 'ollama',
    model: 'meaning',
    get dims() {
      return state.asked > 0 && state.up ? dims : null
    },
    embed: async (texts) => {
      state.asked++
      if (!state.up) throw new AppError('unavailable', note('the board in the attic is off'))
      return texts.map((text) => {
        const vector = new Float32Array(dims)
        vector[/blood|bleed/i.test(text) ? 0 : /water|river/i.test(text) ? 1 : 2] = 1
        return vector
      })
    }
  }
}

t.test('any text is a question: no error, bounded, and the answer has the shape of the contract', async (t) => {
  const { ask } = await labelledShelf(t)
  const nasty = [
    '"',
    '""',
    '"a',
    '* OR -',
    'NEAR(a b)',
    'title:x',
    'a AND',
    '{x} : ^y',
    "';--",
    '\u0000',
    '\ud800',
    '(((',
    '🙂',
    ''
  ]
  const words = fc.constantFrom(
    'water',
    'AND',
    'NOT',
    '"',
    "'",
    '*',
    '(',
    ')',
    'NEAR/2',
    ':',
    '-',
    '^',
    '+',
    '{',
    '\\',
    '%',
    '消毒',
    'ß'
  )
  const anything = fc.oneof(
    anyText({ maxLength: 200 }),
    fc.array(words, { maxLength: 30 }).map((parts) => parts.join(' ')),
    fc.constantFrom(...nasty, 'water '.repeat(2000), '"water '.repeat(300), 'x'.repeat(5000))
  )
  await fc.assert(
    fc.asyncProperty(anything, fc.integer({ min: 1, max: 100 }), async (q, limit) => {
      const answer = await ask(q, { limit })
      if (answer.query !== q || answer.results.length > limit || answer.count < answer.results.length) return false
      return answer.results.every(
        ({ snippet, matches }) =>
          snippet.length <= 330 &&
          matches.every(([from, to], at) => from < to && to <= snippet.length && from >= (matches[at - 1]?.[1] ?? 0))
      )
    })
  )
  t.same((await ask('???')).results, [])
  const [first] = (await ask('tourniquet')).results
  t.same(Object.keys(first ?? {}).toSorted(), [
    'badge',
    'citation',
    'domain',
    'hash',
    'item_id',
    'language',
    'matches',
    'more',
    'page',
    'passages',
    'score',
    'snippet',
    'title'
  ])
})

t.test('words are found whatever their case, accents and endings, and are marked in the snippet', async (t) => {
  const { file, ask, titles } = await shelf(t)
  const long = 'Nothing of interest stands here at all. '.repeat(30)
  await file([`${long}Crème brûlée is burned with a torch; burning takes a minute. ${long}`], { title: 'Cooking' })
  await file(['Boats need pumps.'], { title: 'Boats' })
  t.same(await titles('CREME burns'), ['Cooking'])
  const [found] = (await ask('CREME burns')).results
  const shown = (found?.matches ?? []).map(([from, to]) => found?.snippet.slice(from, to))
  t.same(shown, ['Crème', 'burned', 'burning'])
  t.ok((found?.snippet.length ?? 999) <= 330)
  t.same((await titles('"burning takes"')).slice(0, 1), ['Cooking'])
  t.same(await titles('"takes burning"'), [], 'a phrase is a phrase')
  t.same(await titles('"boats" torch'), ['Boats'], 'a quoted word must be there, the others need not')
  t.same(await titles('Cooking'), ['Cooking'], 'the title of a document finds its passages')
  await file(['净水 消毒方法'], { title: '水' })
  t.ok((await titles('消毒')).includes('水'), 'parts of words in scripts without blanks, by their letters')
})

t.test('a word that no document has is searched as its neighbours, and the answer says so', async (t) => {
  let current: Embedder = hashEmbedder
  const { ask, file } = await labelledShelf(t, { embedder: () => current })
  await file(['Triangulation from two hills.'], { title: 'Bearings' })
  current = meaning({ up: false, asked: 0 })
  for (const [q, corrected, best] of [
    ['tourniqet', 'tourniquet', 'Tourniquet for severe bleeding'],
    ['hypothermya', 'hypothermia', 'Hypothermia'],
    ['generater', 'generator', 'Running a generator'],
    ['tuorniquet bleeding', 'tourniquet bleeding', 'Tourniquet for severe bleeding'],
    ['triangu', 'triangulation', 'Bearings']
  ] as const) {
    const answer = await ask(q)
    t.match(answer, { mode: 'lexical', query: q, corrected }, q)
    t.equal(answer.results[0]?.title, best, q)
  }
  t.notOk('corrected' in (await ask('tourniquet bleeding')))
  t.equal((await ask('qqxxzzvv')).count, 0)
})

t.test(
  'a word is corrected only to one of several documents or of a title: one noisy document corrects nothing',
  async (t) => {
    let current: Embedder = hashEmbedder
    const { ask, file } = await labelledShelf(t, { embedder: () => current })
    const off = meaning({ up: false, asked: 0 })
    await file(['lrng watar bxil tourniqxet qenerators Zm9vYmFy'], { title: 'Scan 12' })
    await file(['bxilwater is a word of one document'], { title: 'One' })
    current = off
    t.notOk('corrected' in (await ask('larng boil')), 'lrng is one slip away, in the scan alone')
    t.match(await ask('tourniqet'), { corrected: 'tourniquet' }, 'not the word of the scan, which is as near')
    t.notOk('corrected' in (await ask('bxilwotre')))
    current = hashEmbedder
    await file(['as bxilwater is'], { title: 'Two' })
    current = off
    t.match(await ask('bxilwotre'), { corrected: 'bxilwater' }, 'now it is of two')
  }
)

t.test('L11: words and vectors both count: what only one of them finds is in the answer', async (t) => {
  const state = { up: true, asked: 0 }
  const { file, ask, titles } = await shelf(t, { embedder: () => meaning(state) })
  await file(['Press on it until the haemorrhage ends. It is blood that is lost.'], { title: 'Wounds' })
  await file(['A river is never clean.'], { title: 'Rivers' })
  await file(['Leeches suck; leeches bleed their host.'], { title: 'Leeches' })
  t.same((await titles('blood')).toSorted(), ['Leeches', 'Rivers', 'Wounds'])
  t.same(
    (await titles('blood')).slice(0, 2),
    ['Wounds', 'Leeches'],
    'found by both before found by one, meaning before nothing'
  )
  t.equal((await ask('blood')).mode, 'hybrid')
  t.same((await titles('water')).slice(0, 1), ['Rivers'], 'no passage has the word')
})

t.test(
  'every document comes once, by its best passage, and pages of an answer neither repeat nor miss any',
  async (t) => {
    const { file, ask } = await shelf(t)
    for (let n = 0; n < 120; n++)
      await file([`Knots for sails number ${n}.`, 'A page about the harbour.', `Knots, knots and sails ${n}`], {
        title: `Book ${n}`
      })
    const all = await ask('knots sails', { limit: 100 })
    t.equal(all.count, 120)
    t.equal(new Set(all.results.map(({ hash }) => hash)).size, 100)
    const paged: string[] = []
    for (let offset = 0; offset < 130; offset += 7)
      paged.push(...(await ask('knots sails', { limit: 7, offset })).results.map(({ hash }) => hash))
    t.equal(new Set(paged).size, 120)
    t.same(
      paged.slice(0, 100),
      all.results.map(({ hash }) => hash)
    )
    t.same(
      all.results.map(({ score }) => score),
      all.results.map(({ score }) => score).toSorted((a, b) => b - a)
    )
    t.same((await ask('knots sails', { offset: 500 })).results, [])
  }
)

t.test('L8: filters know one vocabulary, and language and badge are those of the document', async (t) => {
  const { file, ask, titles } = await shelf(t)
  const water = ['Water is filtered through sand.']
  await file(water, { title: 'pdf', kind: 'pdf', domain: 'Water Systems', language: 'de' })
  await file(water, { title: 'text', kind: 'text', domain: 'Medical', language: 'en', source: 'folder' })
  await file(water, { title: 'web', kind: 'web', url: 'https://example.org/a', source: 'web', language: 'und' })
  await file(water, { title: 'talk', kind: 'transcript', url: 'https://video.example/x', source: 'transcript' })
  await file(water, { title: 'wiki', kind: 'wiki', url: 'A/Water', source: 'library', sourceId: 7, category: 'Wiki' })
  const found = (await ask('water')).results
  t.same(found.map(({ title, badge, language }) => [title, badge, language]).toSorted(), [
    ['pdf', 'PDF', 'de'],
    ['talk', 'transcript', null],
    ['text', 'PDF', 'en'],
    ['web', 'WEB', 'und'],
    ['wiki', 'WIKI', null]
  ])
  for (const [filter, expected] of [
    [{ badge: 'PDF' }, ['pdf', 'text']],
    [{ badge: 'WIKI' }, ['wiki']],
    [{ domain: 'Medical' }, ['text']],
    [{ domain: 'Unsorted' }, ['talk', 'web', 'wiki']],
    [{ source: 'folder' }, ['text']],
    [{ source: '7' }, ['wiki']],
    [{ badge: 'PDF', domain: 'Medical' }, ['text']],
    [{ badge: 'WEB', domain: 'Medical' }, []],
    [{ source: 'no such' }, []]
  ] as const) {
    const answer = await ask('water', filter)
    t.same(answer.results.map(({ title }) => title).toSorted(), expected, JSON.stringify(filter))
    t.equal(answer.count, expected.length)
  }
  t.same(await titles('water', { badge: 'transcript' }), ['talk'])
})

t.test('a filter finds what is far down among thousands', async (t) => {
  const { file, titles } = await shelf(t)
  await file(
    Array.from({ length: 3000 }, (_, n) => `Water water water ${n}`),
    { title: 'long' }
  )
  await file(['Some words about many things, and at the end of it all there is a little water.'], {
    title: 'other',
    domain: 'Medical'
  })
  t.same(await titles('water', { domain: 'Medical' }), ['other'])
  t.same((await titles('water')).toSorted(), ['long', 'other'], 'one long book does not push out the others')
})

t.test('citations name the place and open it', async (t) => {
  const wikiLink = (doc: { category: string; url: string | null }, base: string) => `${base}/${doc.category}/${doc.url}`
  const { file, ask, setup } = await shelf(t, { wikiLink })
  const two = ['The first page is about something else.', 'Zeppelins are filled with helium.']
  const cite = async (more = {}) => (await ask('zeppelins', more)).results[0]?.citation
  const cases = [
    [{ title: 'Airships', kind: 'pdf' }, 'Airships, p. 2', /^\/documents\/[0-9a-f]{64}\?page=2#p$/],
    [{ title: 'Airships', kind: 'text' }, 'Airships, p. 2', /^\/documents\/[0-9a-f]{64}\?page=2#p$/],
    [{ title: '', filename: 'scan 7.pdf', kind: 'pdf', pageCount: 1 }, 'scan 7.pdf', /\?page=2#p$/],
    [
      { title: 'Airships', kind: 'web', url: 'https://example.org/a#b' },
      'Airships (example.org)',
      /^https:\/\/example.org\/a#b$/
    ],
    [{ title: 'Airships', kind: 'web', url: 'javascript:alert(1)' }, 'Airships (web page)', /^\/documents\//],
    [
      { title: 'Airships', kind: 'transcript', url: 'https://v.example/x#t=9' },
      'Airships, 2:05',
      /^https:\/\/v.example\/x#t=125$/
    ],
    [{ title: 'Airships', kind: 'transcript', url: null }, 'Airships, 2:05', /^\/documents\//],
    [{ title: 'Airships', kind: 'wiki', url: 'A/Zeppelin', category: 'Wiki' }, 'Airships (Wiki)', /^\/documents\//]
  ] as const
  for (const [doc, text, url] of cases) {
    const id = await file(two, { ...doc })
    t.match(await cite(), { text, url }, `${doc.kind} ${text}`)
    if (doc.kind === 'wiki')
      t.equal((await cite({ wikiUrl: 'http://w.example:8081' }))?.url, 'http://w.example:8081/Wiki/A/Zeppelin')
    setup.catalogue.removeRows(id)
  }
})

t.test(
  'without an answer of the embedding server words alone are searched, and it is left in peace for a while',
  async (t) => {
    const state = { up: true, asked: 0 }
    const server = meaning(state)
    const { file, ask, setup, searcher } = await shelf(t, { embedder: () => server })
    await file(['Blood and water.'], { title: 'both' })
    t.equal((await ask('water')).mode, 'hybrid')
    state.up = false
    const before = state.asked
    const answer = await ask('water')
    t.match(inWords(answer), { mode: 'lexical', reason: /ollama.*the board in the attic is off/, count: 1 })
    t.match(inWords(await ask('water')), { mode: 'lexical', reason: /attic/ })
    t.equal(state.asked, before + 1, 'asked once')
    t.match(inWords(await searcher.status()), {
      mode: 'lexical',
      reason: /attic/,
      embedding: { provider: 'ollama', semantic: true }
    })
    state.up = true
    await setup.clock.runTo(setup.clock.now() + 31_000)
    t.equal((await ask('water')).mode, 'hybrid')
  }
)

t.test('a server that hangs costs four seconds, once', async (t) => {
  const hanging: Embedder = {
    provider: 'tei',
    model: 'slow',
    dims: 8,
    embed: (_texts, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new AppError('unavailable', note('the request was given up'))), {
          once: true
        })
      })
  }
  const { file, ask, setup, index } = await shelf(t)
  const id = await file(['Water.'], { title: 'one' })
  const itemId = setup.catalogue.items(id)[0]?.id ?? 0
  await index.vectors.put(id, { ...hanging, dims: 8 }, [{ itemId, vector: new Float32Array(8) }])
  const searcher = await Searcher.open({
    knowledge: setup.db,
    lexical: index.lexical,
    vectors: index.vectors,
    embedder: () => hanging,
    clock: setup.clock
  })
  t.teardown(() => searcher.close())
  const asked = searcher.query({ q: 'water', limit: 5, offset: 0 })
  await setup.clock.runTo(setup.clock.now() + 4000)
  t.match(inWords(await asked), { mode: 'lexical', reason: /no answer within 4 s/, count: 1 })
  t.equal((await ask('water')).mode, 'lexical', 'the other embedder has no vectors any more')
})

t.test(
  'while documents are embedded anew by another model, words alone are searched, and it is told how far it is',
  async (t) => {
    const state = { up: true, asked: 0 }
    const next = meaning(state)
    let current: Embedder = hashEmbedder
    const { file, ask, setup, index, searcher, signal } = await shelf(t, { embedder: () => current })
    t.match(inWords(await ask('water')), { mode: 'lexical', reason: 'no passage has a vector yet', count: 0 })
    for (let n = 0; n < 4; n++) await file([`Water ${n}`, `River ${n}`], { title: `Book ${n}` })
    t.equal((await ask('water')).mode, 'hybrid')
    current = next
    t.match(inWords(await ask('water')), {
      mode: 'lexical',
      reason: 'vectors are being made anew with ollama meaning: 0 of 8 passages have them'
    })
    const parts = { knowledge: setup.db, lexical: index.lexical, vectors: index.vectors }
    const missing = await missingFromIndex({ ...parts, model: { provider: 'ollama', model: 'meaning', dims: 8 } })
    t.same(missing, { words: [], vectors: [1, 2, 3, 4], gone: [] })
    await rebuildIndex({ ...parts, embedder: next, signal, documents: [1, 2] })
    t.match(inWords(await ask('water')), { mode: 'lexical', reason: /4 of 8/ })
    await rebuildIndex({ ...parts, embedder: next, signal, documents: [3, 4] })
    t.equal((await ask('water')).mode, 'hybrid')
    t.same((await searcher.status()).models, [{ provider: 'ollama', model: 'meaning', dims: 8, vectors: 8 }])
    current = meaning({ up: true, asked: 0, dims: 16 })
    t.match(
      inWords(await ask('water')),
      { mode: 'lexical', reason: /0 of 8/ },
      'the same name with other dimensions is another model'
    )
  }
)

t.test('removing a document removes all of it from the index', async (t) => {
  const { file, ask, setup, index } = await shelf(t)
  const gone = await file(['A unicornish word stands here.', 'And a second one.'], { title: 'Gone' })
  const kept = await file(['Another book.'], { title: 'Kept' })
  t.equal((await ask('unicornish')).count, 1)
  setup.catalogue.removeRows(gone)
  t.equal((await ask('unicornish')).count, 0, 'rows that are gone are not shown, even before the index knows')
  const parts = { knowledge: setup.db, lexical: index.lexical, vectors: index.vectors, model: HASH_MODEL }
  t.same(await missingFromIndex(parts), { words: [], vectors: [], gone: [gone] })
  t.equal(index.lexical.remove(gone), 2)
  t.same((await missingFromIndex(parts)).gone, [gone], 'its vectors are left')
  t.equal(await index.vectors.remove(gone), 2)
  t.same(await missingFromIndex(parts), { words: [], vectors: [], gone: [] })
  t.equal(index.lexical.count(gone), 0)
  t.notOk(index.lexical.knows('"unicornish"'))
  t.same([...index.lexical.dictionary('unic', 'unid')], [], 'nor does the dictionary know its words')
  for (const table of ['indexed', 'vectors', 'codes'])
    t.same(
      index.db
        .sql(`SELECT DISTINCT document_id FROM ${table}`)
        .all()
        .map((row) => row['document_id']),
      [kept],
      table
    )
})

t.test('L5: search.db made again from knowledge.db answers every question with the same results', async (t) => {
  const { setup, index, searcher, signal } = await labelledShelf(t)
  const fresh = await openSearchIndex({ path: ':memory:' })
  t.teardown(() => fresh.close())
  const again = await Searcher.open({
    knowledge: setup.db,
    lexical: fresh.lexical,
    vectors: fresh.vectors,
    embedder: () => hashEmbedder,
    clock: setup.clock
  })
  t.teardown(() => again.close())
  const parts = { knowledge: setup.db, lexical: fresh.lexical, vectors: fresh.vectors }
  t.equal((await missingFromIndex({ ...parts, model: HASH_MODEL })).words.length, PASSAGES.length)
  t.equal((await missingFromIndex({ ...parts, model: HASH_MODEL })).vectors.length, PASSAGES.length)
  t.same((await missingFromIndex({ ...parts, model: null })).vectors, [], 'nothing is said of vectors nobody can name')
  const progress: number[] = []
  const made = await rebuildIndex({
    ...parts,
    embedder: hashEmbedder,
    signal,
    onProgress: (done) => progress.push(done)
  })
  t.same(made, { documents: PASSAGES.length, items: PASSAGES.length })
  t.equal(progress.at(-1), PASSAGES.length)
  t.same(await missingFromIndex({ ...parts, model: HASH_MODEL }), { words: [], vectors: [], gone: [] })
  for (const { q } of QUERIES)
    t.same(await again.query({ q, limit: 20, offset: 0 }), await searcher.query({ q, limit: 20, offset: 0 }), q)
  await rebuildIndex({ ...parts, embedder: hashEmbedder, signal })
  t.same(await fresh.vectors.models(), await index.vectors.models(), 'making it twice doubles nothing')
})

t.test('start-up finds items that were replaced while the index was not there', async (t) => {
  const { file, setup, index } = await shelf(t)
  const id = await file(['Old text.', 'More of it.'])
  const items = setup.catalogue.items(id)
  setup.catalogue.replaceItems(id, 0, 'extract', items)
  const parts = { knowledge: setup.db, lexical: index.lexical, vectors: index.vectors, model: HASH_MODEL }
  t.same((await missingFromIndex(parts)).words, [id], 'as many items, but others')
  for (const status of ['extracted', 'needs_review', 'skipped'] as const) {
    setup.catalogue.update(id, { status })
    t.same((await missingFromIndex(parts)).gone, [id], status)
  }
  setup.catalogue.update(id, { status: 'failed', failedStage: 'embed' })
  t.same((await missingFromIndex(parts)).words, [id], 'what failed at its vectors is still found by its words')
})

t.test('labelled questions: hybrid is not worse than words alone, and both are good', async (t) => {
  const { searcher, setup, index } = await labelledShelf(t)
  const off = await Searcher.open({
    knowledge: setup.db,
    lexical: index.lexical,
    vectors: index.vectors,
    embedder: () => meaning({ up: false, asked: 0 }),
    clock: setup.clock
  })
  t.teardown(() => off.close())
  const idOf = new Map(PASSAGES.map(({ title, id }) => [title, id]))
  const mean = async (by: Searcher): Promise<number> => {
    let sum = 0
    for (const { q, relevant } of QUERIES) {
      const { results } = await by.query({ q, limit: 10, offset: 0 })
      sum += ndcg(
        results.map(({ title }) => idOf.get(title) ?? ''),
        relevant
      )
    }
    return sum / QUERIES.length
  }
  const [hybrid, lexical] = [await mean(searcher), await mean(off)]
  t.comment(`nDCG@10: words ${lexical.toFixed(3)}, hybrid ${hybrid.toFixed(3)}`)
  t.ok(hybrid >= lexical, `${hybrid} >= ${lexical}`)
  t.ok(lexical > 0.75, `${lexical}`)
})

t.test('the self-check compares the scan with reading everything', async (t) => {
  const { index } = await labelledShelf(t)
  const check = await recallCheck(index.vectors, HASH_MODEL)
  t.equal(check.questions, 20)
  t.ok(check.recall > 0.95, `${check.recall}`)
  t.same(await recallCheck(index.vectors, { ...HASH_MODEL, model: 'unknown' }), { questions: 0, recall: 1 })
  const near = await index.vectors.search(hashVector('tourniquet'), { model: HASH_MODEL, k: 10 })
  t.same(near, index.vectors.searchExactly(hashVector('tourniquet'), { model: HASH_MODEL, k: 10 }))
})

t.test('a large library answers nonsense with nothing: the more passages, the nearer some are by chance', async (t) => {
  const { file, ask } = await shelf(t)
  // Words of two letters of the alphabet each: none of them shares a run of letters with the questions.
  const word = (seed: number): string => ['ba', 'do', 'ge', 'ku', 'li', 'mo', 'na', 'pe'][seed % 8] ?? ''
  const passage = (n: number): string =>
    Array.from({ length: 12 }, (_, at) =>
      [1, 3, 7].map((by) => word(Math.floor((n * 31 + at * 17) / by))).join('')
    ).join(' ')
  await file(Array.from({ length: 800 }, (_, n) => passage(n)))
  for (const q of ['zzqqxx flurble', 'quorbleflax', 'wyzzix frith', 'xyloph', 'tessyract', 'vrrtw shh'])
    t.match(await ask(q), { mode: 'hybrid', count: 0 }, q)
})

t.test(
  'a document is one result with its best three passages; all of them are results of a search in it alone',
  async (t) => {
    const made = await shelf(t)
    await made.file(['A goat.', 'A goat and a goat.', 'Goat cheese.', 'The goat sleeps.', 'Nothing.'], {
      title: 'Herd'
    })
    await made.file(['A goat with a bell.'], { title: 'Bells' })
    const { results, count } = await made.ask('goat')
    t.equal(count, 2)
    const goats = results.find(({ title }) => title === 'Herd')
    t.equal(goats?.passages.length, 3)
    t.match(goats, { more: true, page: goats?.passages[0]?.page, snippet: goats?.passages[0]?.snippet })
    t.match(
      results.find(({ title }) => title === 'Bells'),
      { more: false, passages: { length: 1 } }
    )
    const inside = await made.ask('goat', { document: goats?.hash ?? '', limit: 3, offset: 1 })
    t.match(inside, { count: 4, results: { length: 3 } })
    t.ok(inside.results.every(({ hash }) => hash === goats?.hash))
  }
)

t.test('the score is the share of the weight of a question that stands in a passage', async (t) => {
  const made = await shelf(t)
  await made.file(['The goat wears a bell.'], { title: 'Farm' })
  await made.file(['The goat eats.'], { title: 'Feed' })
  const [both, one] = (await made.ask('goat bell')).results
  t.equal(both?.score, 1)
  t.ok((one?.score ?? 0) > 0 && (one?.score ?? 1) < 0.5, 'the rarer word weighs more')
})

t.test('an answer gets three passages of a book beside those of others, and neighbours are one', async (t) => {
  const made = await shelf(t)
  const far = (text: string): string[] => [text, 'Nothing of this.']
  await made.file(['A goat.', 'A goat eats.', ...['x', 'y', 'z'].flatMap((one) => far(`The goat ${one}.`))], {
    title: 'Book'
  })
  await made.file(['A goat.'], { title: 'Leaflet' })
  const passages = await made.searcher.passages({ question: 'goat', limit: 5 })
  t.ok(passages.some(({ title }) => title === 'Leaflet'))
  t.ok(passages.some(({ text }) => text.includes('A goat.\n\nA goat eats.')))
  t.same(
    passages.map(({ n }) => n),
    passages.map((_, at) => at + 1)
  )
})
