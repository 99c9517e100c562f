import t, { type Test } from 'tap'
import type { NewItem } from '../../../src/knowledge/catalogue/document.ts'
import { type RemovalCounts, type RemoveParts, removeJob } from '../../../src/knowledge/intake/remove-job.ts'
import { openSearchIndex } from '../../../src/knowledge/search/index-store.ts'
import { inWords } from '../../helpers/in-words.ts'
import { book, type IntakeSetup, intakeSetup, Killer, restart } from './setup.ts'

const MODEL = { provider: 'hash', model: 'test', dims: 64 }

async function filled(t: Test, killer = new Killer()) {
  const s = await intakeSetup(t)
  const index = await openSearchIndex({ path: ':memory:' })
  t.teardown(() => index.close())
  const told: RemovalCounts[] = []
  const partsOf = (setup: IntakeSetup): RemoveParts => ({
    catalogue: setup.catalogue,
    uploads: setup.uploads,
    jobs: setup.jobs,
    moves: setup.moves,
    shelver: setup.shelver,
    lexical: index.lexical,
    vectors: index.vectors,
    now: () => setup.clock.now(),
    log: { info: (fields: RemovalCounts) => void told.push(fields), warn: () => undefined } as never,
    fs: setup.fs
  })
  const hashes: string[] = []
  for (const [n, name] of ['goats.epub', 'sheep.pdf'].entries()) {
    const hash = await s.arrive(name, book({ title: `Goats ${n}`, text: 'goats' }))
    hashes.push(hash)
    await s.work()
    await fill(s, index, hash)
  }
  const [hash = '', other = ''] = hashes
  const id = s.catalogue.byHash(hash)?.id ?? 0
  const setup = await intakeSetup(t, { killer, from: s })
  return { s: setup, index, hash, other, id, told, partsOf, job: removeJob(partsOf(setup)) }
}

async function fill({ catalogue, put }: IntakeSetup, index: Awaited<ReturnType<typeof openSearchIndex>>, hash: string) {
  const found = catalogue.byHash(hash)
  if (found === null) throw new Error('no document')
  catalogue.setPages(found.id, [{ number: 1, text: 'goats', method: 'pdftotext', startSeconds: null }])
  const details = { domain: 'Medical', subdomain: [], keywords: [], key_facts: [] }
  const item: NewItem = {
    window: 0,
    ordinal: 0,
    origin: 'extract',
    firstPage: 1,
    lastPage: 1,
    title: '',
    summary: '',
    content: 'goats eat hay',
    details: { ...details, knowledge_type: 'foundational', complexity: 'basic' }
  }
  const items = catalogue.replaceItems(found.id, 0, 'extract', [item, { ...item, ordinal: 1 }])
  index.lexical.put(found.id, items, found)
  const vector = new Float32Array(MODEL.dims).fill(1 / 8)
  await index.vectors.put(
    found.id,
    MODEL,
    items.map(({ id }) => ({ itemId: id, vector }))
  )
  await put(`processing/${hash}/extract/page-1.txt`, 'left over')
  await put(`rejected/${hash}/goats.epub`, 'a second copy')
}

t.test('everything of a document goes: files, rows, words, vectors; nothing of any other', async (t) => {
  const { s, index, hash, other, id, told, job } = await filled(t)
  const others = (await s.tree()).filter((path) => path.includes(other) || path.includes('Goats 1'))
  s.catalogue.discard(id)
  await s.work(job)
  t.same(await s.tree(), others)
  t.equal(s.catalogue.byId(id), null)
  t.equal(s.catalogue.byHash(hash), null)
  t.equal(s.uploads.get(hash), null)
  t.equal(s.catalogue.pages(id).length + s.catalogue.countItems(id), 0)
  t.equal(index.lexical.count(id), 0)
  t.equal(await index.vectors.count(id, MODEL), 0)
  t.equal(s.db.sql('SELECT count(*) AS n FROM file_moves WHERE hash = ?').get(hash)?.['n'], 0)
  t.same(
    s.jobs.list({ limit: 9 }).map(({ kind }) => kind),
    ['extract'],
    'that of the other one'
  )
  t.match(told, [{ files: 2, indexed: 2, vectors: 2, pages: 1, items: 2, hashes: 1 }])
  const left = s.catalogue.byHash(other)?.id ?? 0
  t.equal(index.lexical.count(left), 2)
  t.equal(await index.vectors.count(left, MODEL), 2)
  await s.arrive('goats.epub', book({ title: 'Goats 0', text: 'goats' }))
  await s.work()
  t.equal(s.catalogue.byHash(hash)?.status, 'queued', 'it can come again')
})

t.test('work under way is ended first; a document that is gone is no failure', async (t) => {
  const { s, id, job } = await filled(t)
  s.jobs.claim(['extract'], { owner: 'somebody', leaseMs: 60_000 })
  s.catalogue.discard(id)
  await s.work(job)
  t.match(inWords(s.jobs.get('remove', String(id))), { state: 'held', reason: /its work is being ended/ })
  t.equal(s.jobs.get('extract', String(id)), null)
  t.ok(s.catalogue.byId(id), 'nothing is taken from under it')
  s.jobs.releaseHeld('remove')
  await s.work(job)
  t.equal(s.catalogue.byId(id), null)
  s.catalogue.discard(id)
  t.equal(await s.work(job), 1)
  t.equal(s.jobs.get('remove', String(id)), null)
})

t.test('killed at any step, the next run ends with nothing left', async (t) => {
  for (let at = 1, last = false; !last; at++) {
    for (const after of [false, true]) {
      const killer = new Killer(at, after)
      const { s, index, id, other, partsOf, job } = await filled(t, killer)
      s.catalogue.discard(id)
      await s.work(job)
      last = !killer.killed
      const again = await restart(t, s)
      await again.work(removeJob(partsOf(again)))
      const left = (await again.tree()).filter((path) => !path.includes(other) && !path.includes('Goats 1'))
      if (left.length > 0 || again.catalogue.byId(id) !== null || index.lexical.count(id) > 0)
        t.fail(`step ${at}: ${left.join(', ')}`)
      t.ok(again.catalogue.byHash(other), `step ${at}`)
    }
  }
})
