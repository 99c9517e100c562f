import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { FeedEntry } from '../../../src/knowledge/library/feed.ts'
import { Library } from '../../../src/knowledge/library/library.ts'
import type { RegistrationView } from '../../../src/knowledge/library/registration.ts'
import { REMOVE, removeSourceJob } from '../../../src/knowledge/library/remove-job.ts'
import type { LibrarySource } from '../../../src/knowledge/library/source.ts'
import { LibrarySources } from '../../../src/knowledge/library/sources.ts'
import { systemClock } from '../../../src/platform/clock/clock.ts'
import { hold } from '../../helpers/archives.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { knowledgeSetup, newDocument } from '../../helpers/knowledge.ts'

const facts = (uuid: string, title = 'Wells') => ({
  uuid,
  title,
  description: '',
  language: 'eng',
  date: '2026-05-01',
  name: '',
  articleCount: 3,
  mainPath: null
})
const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

async function library(t: Test) {
  const setup = await knowledgeSetup(t)
  const { db, jobs, catalogue, clock } = setup
  const folder = t.testdir()
  const sources = new LibrarySources({ db, jobs, now: () => clock.now() })
  const gone: { lexical: number[]; vectors: number[] } = { lexical: [], vectors: [] }
  const logged: object[] = []
  const kind = removeSourceJob({
    db,
    jobs,
    catalogue,
    sources,
    folder,
    lexical: { remove: (id) => gone.lexical.push(id) },
    vectors: { remove: async (id) => gone.vectors.push(id) && 2 },
    now: () => clock.now(),
    log: { info: (said: unknown) => void logged.push(said as object) } as never
  })
  let next = 1
  const add = (filename: string, documents: number, title = 'Wells'): LibrarySource => {
    writeFileSync(join(folder, filename), 'ZIM')
    const source = sources.record({ filename, sizeBytes: 3, mtime: 1 }, facts(uuidOf(next++), title))
    for (let n = 0; n < documents; n++) {
      const hash = `${source.id}${n}`.padEnd(64, 'f')
      const row = { hash, kind: 'wiki', source: 'library', sourceId: source.id, category: source.category } as const
      const id = catalogue.add(newDocument(1, { ...row, filename: `a${n}.html`, status: 'complete' }))
      catalogue.update(id, { vectorCount: 2 })
      db.sql(
        "INSERT INTO archive_articles (source_id, path, title, state, document_id) VALUES (?, ?, '', 'document', ?)"
      ).run(source.id, `a${n}`, id)
    }
    return source
  }
  const scrape = (patch: { sourceId?: number; archive?: string; status?: string }) =>
    db
      .sql(
        `INSERT INTO scrape_jobs (url, title, language, status, limits, archive, source_id, created_at)
         VALUES ('http://a', '', 'eng', ?, '{}', ?, ?, 1)`
      )
      .run(patch.status ?? 'completed', patch.archive ?? null, patch.sourceId ?? null)
  const tools = { signal: new AbortController().signal, progress: () => undefined }
  /** The worker's way with the job, until it is gone or held. */
  const work = async () => {
    for (;;) {
      const job = jobs.claim([REMOVE], { owner: 'worker', leaseMs: 60_000 })
      if (job === null) return 'nothing left'
      const result = await kind.run(job, tools)
      if (result.end === 'held') return jobs.hold(job.id, 'worker', result) && result.reason
      jobs.finish(job.id, 'worker', result.commit)
    }
  }
  const count = (table: string): number => Number(db.sql(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
  return { ...setup, folder, sources, kind, gone, logged, add, scrape, work, count }
}

t.test('everything of a source goes by its id, and nothing of another with the same title (Z3, Z12)', async (t) => {
  const { add, scrape, sources, jobs, work, count, catalogue, folder, gone, logged } = await library(t)
  const one = add('one.zim', 3)
  const two = add('two.zim', 2)
  scrape({ sourceId: one.id })
  scrape({ archive: 'one.zim' })
  scrape({ archive: 'one.zim', status: 'scraping' })
  scrape({ sourceId: two.id })
  sources.beginRemoval(one.id)
  jobs.add(REMOVE, String(one.id))
  t.equal(await work(), 'nothing left')
  t.equal(sources.byId(one.id), null)
  t.notOk(existsSync(join(folder, 'one.zim')))
  t.ok(existsSync(join(folder, 'two.zim')))
  t.equal(catalogue.list({ sourceId: one.id, limit: 10 }).documents.length, 0)
  t.equal(catalogue.list({ sourceId: two.id, limit: 10 }).documents.length, 2)
  t.equal(count('archive_articles'), 2)
  t.equal(count('scrape_jobs'), 2, 'one that runs, and that of the other')
  t.equal(gone.vectors.length, 3)
  t.equal(gone.lexical.length, 3)
  t.match(logged, [{ documents: 3, vectors: 6, files: 1, archivings: 2 }])
  jobs.add(REMOVE, String(one.id))
  t.equal(await work(), 'nothing left', 'once more finds nothing, and is done')
})

t.test('a removal that died half-way is finished by the next run; parts of an archive all go', async (t) => {
  const { add, sources, jobs, kind, work, folder, count } = await library(t)
  const one = add('one.zim', 120)
  for (const part of ['aa', 'ab', 'ac']) writeFileSync(join(folder, `one.zim${part}`), '')
  const { unlinkSync } = await import('node:fs')
  unlinkSync(join(folder, 'one.zim'))
  jobs.add(REMOVE, String(one.id))
  const stop = new AbortController()
  const job = jobs.claim([REMOVE], { owner: 'dying', leaseMs: 1 })
  if (job === null) throw new Error('there is a job')
  const tools = { signal: stop.signal, progress: () => stop.abort(new Error('killed')) }
  await t.rejects(kind.run(job, tools), { message: 'killed' })
  t.equal(sources.byId(one.id)?.state, 'removing', 'it says what it is')
  t.equal(count('documents'), 20)
  jobs.releaseOwner('dying')
  t.equal(await work(), 'nothing left')
  t.equal(count('documents') + count('library_sources') + count('archive_articles'), 0)
  for (const part of ['aa', 'ab', 'ac']) t.notOk(existsSync(join(folder, `one.zim${part}`)))
})

t.test('work on its documents is ended first; what a late batch stored goes in one more run', async (t) => {
  const { add, sources, jobs, work, catalogue, clock, kind, count } = await library(t)
  const one = add('one.zim', 1)
  const [document] = catalogue.list({ sourceId: one.id, limit: 1 }).documents
  jobs.add('embed', String(document?.id))
  jobs.claim(['embed'], { owner: 'other', leaseMs: 60_000 })
  sources.beginRemoval(one.id)
  jobs.add(REMOVE, String(one.id))
  t.equal(inWords(await work()), 'work on its documents is being ended first')
  t.equal(sources.byId(one.id)?.state, 'removing')
  await clock.runTo(clock.now() + 30_000)
  const job = jobs.claim([REMOVE], { owner: 'worker', leaseMs: 60_000 })
  if (job === null) throw new Error('it is due again')
  const result = await kind.run(job, { signal: new AbortController().signal, progress: () => undefined })
  if (result.end !== 'done') throw new Error('it is done')
  const row = { kind: 'wiki', source: 'library', sourceId: one.id, hash: 'e'.repeat(64), status: 'extracted' } as const
  catalogue.add(newDocument(1, row))
  jobs.finish(job.id, 'worker', result.commit)
  t.ok(sources.byId(one.id), 'its row stays as long as there is something of it')
  t.equal(await work(), 'nothing left')
  t.equal(count('documents') + count('library_sources'), 0)
})

t.test('one that cannot be removed says why, and can be asked for again', async (t) => {
  const { add, sources, kind, jobs } = await library(t)
  const one = add('one.zim', 0)
  sources.beginRemoval(one.id)
  jobs.add(REMOVE, String(one.id))
  const job = jobs.claim([REMOVE], { owner: 'worker', leaseMs: 1 })
  if (job === null) throw new Error('there is a job')
  jobs.die(job.id, 'worker', note('the disk is read-only'), () => kind.onDead(job, note('the disk is read-only')))
  t.match(inWords(sources.byId(one.id)), {
    state: 'removing',
    reason: 'It could not be removed: the disk is read-only'
  })
  jobs.add(REMOVE, String(one.id))
  t.equal(jobs.get(REMOVE, String(one.id))?.state, 'waiting')
})

t.test('the answer tells what was looked for and is gone, and names what is not (Z1, Z12)', async (t) => {
  hold(t)
  const parts = await library(t)
  const { add, scrape, sources, work, db, jobs, catalogue, folder } = parts
  let listed: FeedEntry[] = []
  let works = true
  const view = (): RegistrationView => ({ listed, comparison: null, leftOut: [], problem: null })
  const setup = new Library({
    db,
    jobs,
    catalogue,
    sources,
    folder,
    clock: systemClock,
    patienceMs: 400,
    server: {
      kind: 'supervised',
      state: () => ({ status: 'running', url: 'http://127.0.0.1:1', version: null, reason: null }),
      place: () => ({ kind: 'supervised', url: 'http://127.0.0.1:1', prefix: '' })
    },
    registration: { view, sync: async () => view() },
    wikiUrl: () => '',
    wake: () => void (works ? work() : null)
  })
  const book = ({ uuid, title }: LibrarySource, name: string): FeedEntry => ({
    uuid,
    title,
    name,
    language: '',
    link: ''
  })
  const one = add('one.zim', 3)
  scrape({ sourceId: one.id })
  t.same(await setup.remove(one.id), {
    ok: true,
    removed: { documents: 3, vectors: 6, file: true, registration: true, jobs: 1 },
    pending: []
  })
  await t.rejects(setup.remove(one.id), { code: 'not-found' })

  const two = add('two.zim', 1)
  listed = [book(two, 'two')]
  works = false
  t.same(await setup.remove(two.id), {
    ok: true,
    removed: { documents: 0, vectors: 0, file: false, registration: false, jobs: 0 },
    pending: ['documents', 'vectors', 'file', 'registration']
  })
  t.throws(() => setup.setIngest(two.id, true, undefined), { code: 'conflict' })
  works = true
  t.match(await setup.remove(two.id), {
    removed: { documents: 1, file: true, registration: false },
    pending: ['registration']
  })

  const three = add('three.zim', 0)
  const twin = sources.record({ filename: 'twin.zim', sizeBytes: 3, mtime: 1 }, facts(three.uuid))
  listed = [book(twin, 'twin')]
  t.match(await setup.remove(three.id), { removed: { registration: true }, pending: [] })
  t.ok(sources.byId(twin.id))
})
