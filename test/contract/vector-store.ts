import type { Test } from 'tap'
import type { EmbeddingModel } from '../../src/knowledge/enrich/embed/embedder.ts'
import { hashVector } from '../../src/knowledge/enrich/embed/hash.ts'
import type { ItemVector, VectorStore } from '../../src/knowledge/search/ports.ts'

const MODEL: EmbeddingModel = { provider: 'hash', model: 'contract', dims: 1024 }
const OTHER: EmbeddingModel = { provider: 'tei', model: 'acme/other-model', dims: 64 }
/** A question of 1024 numbers in the shape of the other model. */
const short = (text: string): Float32Array => hashVector(text).slice(0, OTHER.dims)

const SUBJECTS = ['tourniquet bleeding', 'slow sand filter', 'dipole antenna', 'goat mastitis', 'pole star']

function vectorsOf(subject: string, firstId: number, count: number): ItemVector[] {
  return Array.from({ length: count }, (_, at) => ({
    itemId: firstId + at,
    vector: hashVector(`${subject} ${subject} passage number ${at}`)
  }))
}

/** The promises of every vector store. `open` answers an empty one. */
export async function keepsVectorPromises(t: Test, open: (t: Test) => Promise<VectorStore>): Promise<void> {
  const near = (store: VectorStore, text: string, k = 5, filter?: ReadonlySet<number>) =>
    store.search(hashVector(text), { model: MODEL, k, ...(filter === undefined ? {} : { filter }) })

  await t.test('what is put is found, nearest first, with its document and its cosine', async (t) => {
    const store = await open(t)
    for (const [at, subject] of SUBJECTS.entries()) await store.put(at + 1, MODEL, vectorsOf(subject, at * 100 + 1, 20))
    for (const [at, subject] of SUBJECTS.entries()) {
      const hits = await near(store, subject)
      t.equal(hits.length, 5)
      t.same([...new Set(hits.map(({ documentId }) => documentId))], [at + 1], subject)
      t.same(
        hits.map(({ score }) => score),
        hits.map(({ score }) => score).toSorted((a, b) => b - a)
      )
    }
    const [self] = await near(store, `${SUBJECTS[0]} ${SUBJECTS[0]} passage number 3`, 1)
    t.equal(self?.itemId, 4)
    t.ok(Math.abs((self?.score ?? 0) - 1) < 0.01, 'its own vector has cosine 1')
    t.same(await near(store, SUBJECTS[0] ?? '', 0), [])
    t.same(await near(store, ''), [], 'a question without a direction finds nothing')
  })

  await t.test('a filter leaves nothing of other documents, and finds those that are far down', async (t) => {
    const store = await open(t)
    for (const [at, subject] of SUBJECTS.entries()) await store.put(at + 1, MODEL, vectorsOf(subject, at * 100 + 1, 20))
    const hits = await near(store, 'tourniquet bleeding', 30, new Set([2, 5]))
    t.equal(hits.length, 30)
    t.same([...new Set(hits.map(({ documentId }) => documentId))].toSorted(), [2, 5])
    t.same(await near(store, 'tourniquet bleeding', 30, new Set()), [])
    t.same(await near(store, 'tourniquet bleeding', 30, new Set([99])), [])
  })

  await t.test('putting again replaces, and other items of the document stay', async (t) => {
    const store = await open(t)
    const all = vectorsOf('compass', 1, 10)
    await store.put(1, MODEL, all)
    await store.put(1, MODEL, all.slice(0, 4))
    t.equal(await store.count(1, MODEL), 10)
    await store.put(1, MODEL, [{ itemId: 2, vector: hashVector('beehive') }])
    t.equal(await store.count(1, MODEL), 10)
    t.equal((await near(store, 'beehive', 1))[0]?.itemId, 2)
    t.same(await store.documents(MODEL), new Map([[1, 10]]))
    await store.put(1, MODEL, [])
    t.equal(await store.count(1, MODEL), 10)
  })

  await t.test('keepOnly forgets the vectors of items that are gone', async (t) => {
    const store = await open(t)
    await store.put(1, MODEL, vectorsOf('compass', 1, 10))
    await store.put(2, MODEL, vectorsOf('compass', 101, 3))
    t.equal(await store.keepOnly(1, [1, 2, 3, 777]), 7)
    t.equal(await store.keepOnly(1, [1, 2, 3]), 0)
    t.equal(await store.count(1, MODEL), 3)
    t.equal(await store.keepOnly(1, []), 3)
    t.same(await store.documents(MODEL), new Map([[2, 3]]))
  })

  await t.test('R5: removing touches every vector of a document with more than 2000 items, and no other', async (t) => {
    const store = await open(t)
    await store.put(1, MODEL, vectorsOf('long book', 1, 2500))
    await store.put(2, MODEL, vectorsOf('long book', 10_001, 5))
    t.equal(await store.count(1, MODEL), 2500)
    t.equal(await store.remove(1), 2500)
    t.equal(await store.remove(1), 0)
    t.equal(await store.count(1, MODEL), 0)
    t.same(
      (await near(store, 'long book', 50)).map(({ itemId }) => itemId).toSorted(),
      [10_001, 10_002, 10_003, 10_004, 10_005]
    )
    t.same(await store.models(), [{ ...MODEL, vectors: 5 }])
  })

  await t.test(
    'vectors of different models are never compared; a new model replaces the old one item by item',
    async (t) => {
      const store = await open(t)
      await store.put(1, MODEL, vectorsOf('compass', 1, 10))
      await store.put(
        1,
        OTHER,
        [1, 2, 3].map((itemId) => ({ itemId, vector: short(`compass ${itemId}`) }))
      )
      t.equal(await store.count(1, MODEL), 7)
      t.equal(await store.count(1, OTHER), 3)
      t.same(
        (await store.models()).toSorted((a, b) => b.dims - a.dims),
        [
          { ...MODEL, vectors: 7 },
          { ...OTHER, vectors: 3 }
        ]
      )
      const found = await store.search(short('compass 2'), { model: OTHER, k: 10 })
      t.same(found.map(({ itemId }) => itemId).toSorted(), [1, 2, 3])
      t.notOk((await near(store, 'compass', 50)).some(({ itemId }) => itemId <= 3))
      t.same(
        await store.search(short('compass'), { model: { ...OTHER, dims: 65 }, k: 3 }),
        [],
        'a model without vectors'
      )
      t.equal(await store.remove(1), 10, 'of every model')
      t.same(await store.models(), [])
    }
  )

  await t.test('a vector of the wrong length is refused and nothing of the call is kept', async (t) => {
    const store = await open(t)
    const vectors = [...vectorsOf('compass', 1, 2), { itemId: 3, vector: short('compass') }]
    await t.rejects(store.put(1, MODEL, vectors), { code: 'invalid' })
    t.equal(await store.count(1, MODEL), 0)
  })
}
