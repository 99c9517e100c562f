import t from 'tap'
import type { Item } from '../../../src/knowledge/catalogue/document.ts'
import { openSearchIndex, type SearchIndex } from '../../../src/knowledge/search/index-store.ts'

const FACTS = { title: 'Wells', author: 'Ann Lee' }
const itemOf = (id: number): Item => ({
  id,
  documentId: 7,
  window: 0,
  ordinal: id,
  origin: 'extract',
  firstPage: 1,
  lastPage: 1,
  title: `Well ${id}`,
  summary: '',
  content: `The water of well number${id} is clear.`,
  details: {
    domain: 'Water Systems',
    subdomain: [],
    keywords: [`key${id}`],
    knowledge_type: 'foundational',
    complexity: 'basic',
    key_facts: []
  }
})
const items = Array.from({ length: 45 }, (_, at) => itemOf(at + 1))

const told = ({ lexical }: SearchIndex) => ({
  count: lexical.count(7),
  documents: [...lexical.documents()],
  water: [...lexical.ranked('water')],
  first: [...lexical.ranked('number1')],
  words: [...lexical.dictionary('a', 'zzz')]
})

function* slices(size: number, of: readonly Item[] = items): Generator<Item[]> {
  for (let at = 0; at < of.length; at += size) yield of.slice(at, at + size)
}

t.test('a document that is indexed in slices is found like one that is indexed at once', async (t) => {
  const whole = await openSearchIndex({ path: ':memory:' })
  t.teardown(() => whole.close())
  whole.lexical.put(7, items, FACTS)
  for (const size of [1, 10, 45, 100]) {
    const index = await openSearchIndex({ path: ':memory:' })
    index.lexical.put(7, [itemOf(900), itemOf(901)], FACTS)
    index.lexical.put(8, [itemOf(500)], FACTS)
    await index.lexical.putSlices(7, slices(size), FACTS)
    index.lexical.remove(8)
    t.same(told(index), told(whole), `slices of ${size}`)
    await index.lexical.putSlices(7, slices(size, []), FACTS)
    t.equal(index.lexical.count(7), 0, 'nothing is left of one without items')
    t.same([...index.lexical.dictionary('a', 'zzz')], [])
    index.close()
  }
})

t.test('what was broken off is whole after the next run', async (t) => {
  const index = await openSearchIndex({ path: ':memory:' })
  t.teardown(() => index.close())
  const abort = new AbortController()
  function* interrupted(): Generator<Item[]> {
    for (const slice of slices(10)) {
      if (slice[0]?.id === 31) abort.abort(new Error('stopped'))
      yield slice
    }
  }
  await t.rejects(index.lexical.putSlices(7, interrupted(), FACTS, abort.signal), /stopped/)
  t.ok(index.lexical.count(7) < 45)
  await index.lexical.putSlices(7, slices(10), FACTS)
  t.equal(index.lexical.count(7), 45)
  t.equal([...index.lexical.ranked('water')].length, 45)
})

t.test('the words of a document without end are bounded; its items are all found', async (t) => {
  const index = await openSearchIndex({ path: ':memory:' })
  t.teardown(() => index.close())
  const many = Array.from({ length: 300 }, (_, at) => ({
    ...itemOf(at + 1),
    content: Array.from({ length: 1000 }, (_, word) => `w${(at * 1000 + word).toString(36)}x`).join(' ')
  }))
  await index.lexical.putSlices(7, slices(20, many), FACTS)
  const words = [...index.lexical.dictionary('a', 'zzz')].length
  t.ok(words > 90_000 && words < 110_000, String(words))
  t.equal([...index.lexical.ranked('w6fhbx')].length, 1, '299,999 in base 36')
})
