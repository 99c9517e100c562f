import { mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { detectJob } from '../../../src/knowledge/library/detect-job.ts'
import { ingestJob } from '../../../src/knowledge/library/ingest-job.ts'
import { manifestOf } from '../../../src/knowledge/library/manifest.ts'
import type { LibrarySource, SourceCounts } from '../../../src/knowledge/library/source.ts'
import { uniqueCategory } from '../../../src/knowledge/library/source-rows.ts'
import { readingOf, sourceStatus, sourceView } from '../../../src/knowledge/library/status.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { pageHtml, withChecksum, type ZimOptions, zimBytes } from '../../helpers/zim.ts'
import { finish, librarySetup } from './setup.ts'

const NONE: SourceCounts = { articles: 10, extracted: 0, total: 0, in_vector_store: 0, skipped: 0, failed: 0 }
const uuidOf = (n: number): string => `${String(n).repeat(8)}-0000-4000-8000-000000000000`
const archive = (n: number, title: string, options: ZimOptions = {}): Buffer =>
  zimBytes(
    [1, 2, 3].map((page) => ({ path: `p${page}`, content: pageHtml(`Page ${page}`, `${title} ${n} ${page}`) })),
    { uuid: uuidOf(n), meta: { Title: title, Date: `2026-0${n}-09` }, ...options }
  )

t.test('the status of a source is derived, first match wins (contract §9)', async (t) => {
  const on = { ingestEnabled: true, readToEnd: false, checkpoint: 0 }
  const off = { ...on, ingestEnabled: false }
  const half = { ...NONE, extracted: 4, total: 4, in_vector_store: 2, skipped: 1 }
  const rows: [string, Parameters<typeof sourceStatus>, ReturnType<typeof sourceStatus>][] = [
    [
      'never read',
      [off, NONE, 'interrupted'],
      { status: 'DETECTED', progress: note('0 / 10 extracted'), activity: null, failed: '' }
    ],
    [
      'paused half-way: counts are still shown',
      [{ ...off, checkpoint: 5 }, half, 'running'],
      { status: 'DETECTED', progress: note('4 / 9 extracted'), activity: 'paused', failed: '' }
    ],
    [
      'read to its end, then turned off',
      [{ ...off, readToEnd: true, checkpoint: 10 }, half, 'interrupted'],
      { status: 'DETECTED', progress: note('4 / 9 extracted'), activity: null, failed: '' }
    ],
    [
      'waiting for its turn',
      [on, NONE, 'queued'],
      { status: 'EXTRACTING', progress: note('0 / 10 extracted'), activity: 'queued', failed: '' }
    ],
    [
      'being read',
      [on, half, 'running'],
      { status: 'EXTRACTING', progress: note('4 / 9 extracted'), activity: 'running', failed: '' }
    ],
    [
      'broken off, though everything read is searchable',
      [on, { ...half, in_vector_store: 4 }, 'interrupted'],
      { status: 'EXTRACTING', progress: note('4 / 9 extracted'), activity: 'interrupted', failed: '' }
    ],
    [
      'documents on their way',
      [{ ...on, readToEnd: true }, half, 'interrupted'],
      { status: 'PROCESSING', progress: note('2 / 4 in vector store'), activity: null, failed: '' }
    ],
    [
      'failed documents keep it from being complete (Z5)',
      [{ ...on, readToEnd: true }, { ...half, in_vector_store: 3, failed: 1 }, 'interrupted'],
      { status: 'PROCESSING', progress: note('3 / 4 in vector store'), activity: null, failed: note('1 failed') }
    ],
    [
      'all searchable; skipped ones are in no total, so nothing looks unfinished',
      [{ ...on, readToEnd: true }, { ...half, in_vector_store: 4, skipped: 6 }, 'interrupted'],
      { status: 'COMPLETE', progress: note('4 / 4 extracted'), activity: null, failed: '' }
    ],
    [
      'nothing worth reading in it',
      [{ ...on, readToEnd: true }, { ...NONE, skipped: 10 }, 'interrupted'],
      { status: 'EMPTY', progress: note('0 / 0 extracted'), activity: null, failed: '' }
    ],
    [
      'nothing of it could be read: it is not complete',
      [{ ...on, readToEnd: true }, { ...NONE, articles: 1, failed: 1 }, 'interrupted'],
      { status: 'EMPTY', progress: note('0 / 1 extracted'), activity: null, failed: note('1 failed') }
    ],
    [
      'the archive counts more articles than it has: read to its end, it does not look unfinished',
      [{ ...on, readToEnd: true }, { ...half, in_vector_store: 4, articles: 43 }, 'interrupted'],
      { status: 'COMPLETE', progress: note('4 / 4 extracted'), activity: null, failed: '' }
    ]
  ]
  for (const [name, args, want] of rows) t.same(inWords(sourceStatus(...args)), inWords(want), name)
  const job = { state: 'running', attempts: 1, leaseUntil: 100 } as const
  t.equal(readingOf(null, 50), 'interrupted')
  t.equal(readingOf(job, 50), 'running')
  t.equal(readingOf(job, 100), 'interrupted', 'its process is gone')
  t.equal(readingOf({ ...job, state: 'waiting', attempts: 0 }, 50), 'queued')
  t.equal(readingOf({ ...job, state: 'waiting' }, 50), 'interrupted', 'it failed and is tried again')
  t.equal(readingOf({ ...job, state: 'held' }, 50), 'queued')
  t.equal(readingOf({ ...job, state: 'dead' }, 50), 'interrupted')
})

t.test('categories are titles, made unique by the date of the archive, else by a number', async (t) => {
  const taken = new Set<string>()
  const add = (title: string, date: string): string => {
    const category = uniqueCategory(title, date, (name) => taken.has(name))
    taken.add(category)
    return category
  }
  t.same(
    [add('Wiki', '2026-05-01'), add('Wiki', '2026-06-01'), add('Wiki', '2026-06-20'), add('Wiki', ''), add('wiki', '')],
    ['Wiki', 'Wiki (2026-06)', 'Wiki (2)', 'Wiki (3)', 'wiki']
  )
})

t.test('archives in the folder become sources: new, changed, gone and back', async (t) => {
  const setup = await librarySetup(t)
  const { sources, jobs, put, look, named, folder } = setup
  t.equal(await look(), undefined, 'an empty folder')
  put('a.zim', archive(1, 'Wiki'))
  put('b.zim', archive(2, 'Wiki'))
  put('copy of a.zim', archive(1, 'Wiki'))
  put('untitled_2026.zim', archive(4, ''))
  put('.hidden.zim', archive(5, 'Hidden'))
  put('notes.txt', Buffer.from('no archive'))
  mkdirSync(join(folder, 'folder.zim'))
  t.match(await look(), { added: { length: 4 }, changed: [], gone: [], back: [], refused: [] })
  t.same(
    sources.list().map(({ filename, category }) => [filename, category]),
    [
      ['untitled_2026.zim', 'untitled_2026'],
      ['a.zim', 'Wiki'],
      ['copy of a.zim', 'Wiki (2026-01)'],
      ['b.zim', 'Wiki (2026-02)']
    ]
  )
  t.match(named('a.zim'), { title: 'Wiki', uuid: uuidOf(1), articleCount: 3, ingestEnabled: false, state: 'present' })
  t.equal(named('copy of a.zim').uuid, uuidOf(1), 'two files may be one archive')
  t.equal(jobs.get('ingest-archive', String(named('a.zim').id)), null, 'a new source is not read by itself')
  t.equal(await look(), undefined, 'nothing new, nothing told')
  renameSync(join(folder, 'b.zim'), join(folder, '..', 'away.zim'))
  const { id } = named('b.zim')
  t.match(await look(), { gone: [id] })
  t.match(inWords(named('b.zim')), { state: 'missing', reason: /is gone/, category: 'Wiki (2026-02)' })
  t.equal(await look(), undefined, 'told once')
  sources.setIngest(id, true)
  t.equal(jobs.get('ingest-archive', String(id)), null, 'there is nothing to read')
  renameSync(join(folder, '..', 'away.zim'), join(folder, 'b.zim'))
  t.match(await look(), { back: [id], added: [], changed: [] })
  t.match(named('b.zim'), { state: 'present', reason: null, category: 'Wiki (2026-02)' })
  t.ok(jobs.get('ingest-archive', String(id)), 'and is read on')
})

t.test('a file that is being written is waited for; a damaged one is refused with the reason', async (t) => {
  const setup = await librarySetup(t)
  const { sources, jobs, put, look, named, clock, detections } = setup
  const whole = archive(1, 'Wiki')
  put('half.zim', whole.subarray(0, 700))
  put('zero.zim', Buffer.alloc(0))
  t.match(await look(), { refused: { length: 2 }, added: [] })
  t.match(inWords(named('half.zim')), {
    state: 'damaged',
    reason: /^the archive is cut off: \d+ bytes are missing/,
    uuid: '',
    title: 'half'
  })
  t.match(inWords(named('zero.zim')), { state: 'damaged', reason: 'this is no ZIM archive' })
  t.equal(await look(), undefined, 'it is not read again while it is the same')
  put('zero.zim', null)
  t.match(await look(), { gone: { length: 1 } })
  t.equal(sources.byFilename('zero.zim'), null, 'refused and taken away, it is forgotten')
  put('half.zim', whole)
  t.match(await look(), { added: [named('half.zim').id] })
  t.match(named('half.zim'), { state: 'present', category: 'Wiki', articleCount: 3, reason: null })
  put('fresh.zim', archive(2, 'Fresh'), 2000)
  jobs.add('detect-archives', 'folder')
  t.equal(await setup.run(detectJob(setup.detect)), 'done')
  t.equal(sources.byFilename('fresh.zim'), null, 'still for less than 10 s')
  const again = jobs.get('detect-archives', 'folder')
  t.ok(again !== null && again.dueAt > clock.now() && again.dueAt <= clock.now() + 10_000, 'and looked at again')
  await clock.runTo(again?.dueAt ?? 0)
  await setup.run(detectJob(setup.detect))
  t.match(detections.at(-1), { added: [named('fresh.zim').id] })
  const passing = {
    ...setup.detect,
    reader: { ...setup.detect.reader, facts: () => Promise.reject(new AppError('unavailable', note('the disk fails'))) }
  }
  put('later.zim', archive(3, 'Later'))
  await clock.runTo(Date.now() + 20_000)
  jobs.add('detect-archives', 'folder')
  t.equal(await setup.run(detectJob(passing)), 'later', 'what is not the fault of the archive is tried again')
  t.equal(sources.byFilename('later.zim'), null)
})

t.test('archives in parts count as one, by the name the library server knows', async (t) => {
  const { folder, look, named } = await librarySetup(t)
  const bytes = archive(1, 'Split')
  for (const [at, part] of ['aa', 'ab', 'ac'].entries())
    writeFileSync(join(folder, `split.zim${part}`), bytes.subarray(at * 1000, at === 2 ? undefined : (at + 1) * 1000))
  await look()
  t.match(named('split.zim'), { title: 'Split', sizeBytes: bytes.length, articleCount: 3 })
})

t.test(
  'two archives of one title have documents of their own; counting by id or by category is the same (Z3)',
  async (t) => {
    const setup = await librarySetup(t)
    const { sources, catalogue, put, look, named, run, ingest } = setup
    put('a.zim', archive(1, 'Wiki'))
    put('b.zim', archive(2, 'Wiki'))
    await look()
    const [a, b] = [named('a.zim'), named('b.zim')]
    for (const { id } of [a, b]) {
      sources.setIngest(id, true)
      t.equal(await run(ingestJob(ingest)), 'done')
    }
    const [first, second, third] = catalogue.list({ sourceId: a.id, limit: 10 }).documents
    if (first === undefined || second === undefined || third === undefined) throw new Error('three documents')
    finish(setup, first.id, 'complete')
    finish(setup, second.id, 'skipped')
    finish(setup, third.id, 'failed')
    const counts = { articles: 3, extracted: 3, total: 2, in_vector_store: 1, skipped: 1, failed: 1 }
    t.same(sources.counts(a.id), counts)
    for (const { id } of [a, b]) t.same(sources.countsByCategory(id), sources.counts(id))
    t.match(sources.counts(b.id), { extracted: 3, total: 3, in_vector_store: 0 })
    const view = sourceView(named('a.zim'), counts, { job: null, now: 0, browseUrl: 'http://wiki/a/', goodCopy: null })
    t.same(inWords(view), {
      id: a.id,
      filename: 'a.zim',
      title: 'Wiki',
      description: '',
      language: '',
      category: 'Wiki',
      status: 'PROCESSING',
      progress: '1 / 2 in vector store',
      activity: null,
      failed: '1 failed',
      ingest_enabled: true,
      counts,
      browse_url: 'http://wiki/a/',
      size_bytes: a.sizeBytes,
      uuid: uuidOf(1),
      ...{ state: 'present', reason: null }
    })
    t.same(await setup.removeDocuments(a.id), { documents: 3, vectors: 3, busy: 0 })
    t.equal(catalogue.list({ sourceId: a.id, limit: 10 }).documents.length, 0)
    t.match(sources.counts(b.id), { extracted: 3, total: 3 }, 'the other archive keeps its own')
    t.same(await setup.removeDocuments(a.id), { documents: 0, vectors: 0, busy: 0 }, 'done twice is done once')
  }
)

t.test('removing waits for work under way, and leaves nothing of a document behind (Z12)', async (t) => {
  const setup = await librarySetup(t)
  const { sources, jobs, db, put, look, named, run, ingest } = setup
  put('a.zim', archive(1, 'Wiki'))
  await look()
  const { id } = named('a.zim')
  sources.setIngest(id, true)
  await run(ingestJob(ingest))
  const job = jobs.claim(['enrich'], { owner: 'a process', leaseMs: 60_000 })
  t.ok(sources.beginRemoval(id))
  t.throws(() => sources.setIngest(id, true), { code: 'conflict' })
  t.match(await setup.removeDocuments(id), { documents: 2, busy: 1 })
  t.equal(jobs.renew(job?.id ?? 0, 'a process', 1000), false, 'the work under way hears of it')
  t.match(await setup.removeDocuments(id), { documents: 1, busy: 0 })
  for (const table of ['documents', 'document_hashes', 'pages', 'items', 'windows', 'archive_articles', 'jobs'])
    t.equal(
      db
        .sql(`SELECT count(*) AS n FROM ${table} WHERE ${table === 'jobs' ? "kind <> 'detect-archives'" : '1'}`)
        .get()?.['n'],
      0,
      table
    )
  await look()
  t.equal(named('a.zim').state, 'removing', 'a look at the folder does not bring it back')
  sources.forget(id)
  t.equal(sources.byId(id), null)
  t.throws(() => sources.setIngest(id, true), { code: 'not-found' })
  t.equal(sources.beginRemoval(id), false)
})

t.test('another archive under the same name takes the place of the old one, and of its documents', async (t) => {
  const setup = await librarySetup(t)
  const { sources, catalogue, jobs, put, look, named, run, ingest } = setup
  put('wiki.zim', archive(1, 'Wiki'))
  await look()
  const { id } = named('wiki.zim')
  sources.setIngest(id, true)
  await run(ingestJob(ingest))
  t.match(named('wiki.zim'), { readToEnd: true, checkpoint: 3 })
  put('wiki.zim', archive(1, 'Wiki', { packing: 'zstd' }))
  t.match(await look(), { changed: [id] })
  t.match(
    named('wiki.zim'),
    { readToEnd: true, checkpoint: 3 },
    'the same archive, written anew: nothing is read again'
  )
  put('wiki.zim', archive(2, 'Wiki, second edition'))
  const job = jobs.claim(['enrich'], { owner: 'a process', leaseMs: 60_000 })
  t.equal(await look(), undefined, 'a document is being worked on')
  t.match(named('wiki.zim'), { state: 'missing', uuid: uuidOf(1) })
  jobs.finish(job?.id ?? 0, 'a process', () => undefined)
  t.match(await look(), { changed: [id] })
  t.match(named('wiki.zim'), {
    state: 'present',
    uuid: uuidOf(2),
    category: 'Wiki, second edition',
    checkpoint: 0,
    readToEnd: false,
    ingestEnabled: true
  })
  t.equal(catalogue.list({ sourceId: id, limit: 10 }).documents.length, 0)
  t.equal(await run(ingestJob(ingest)), 'done')
  t.same(
    new Set(catalogue.list({ sourceId: id, limit: 10 }).documents.map(({ category }) => category)),
    new Set(['Wiki, second edition'])
  )
  const seen: LibrarySource[] = sources.list()
  t.equal(seen.length, 1)
})

/** The first two entries change places: the library of the format refuses it. */
function unsorted(bytes: Buffer): Buffer {
  const list = Number(bytes.readBigUInt64LE(32))
  const wrong = Buffer.from(bytes)
  bytes.copy(wrong, list, list + 8, list + 16)
  bytes.copy(wrong, list + 8, list, list + 8)
  return withChecksum(wrong)
}

t.test('a damaged archive is never present, and a good copy that comes later is served', async (t) => {
  const setup = await librarySetup(t)
  const { sources, put, look, named } = setup
  put('bad_wiki.zim', unsorted(archive(1, 'Wiki')))
  t.match(await look(), { refused: { length: 1 }, added: [] })
  const bad = named('bad_wiki.zim')
  t.match(inWords(bad), { state: 'damaged', uuid: '', claimedUuid: uuidOf(1), reason: /out of order at entry 1/ })
  t.same(manifestOf(sources.list()).books, [])
  const view = (goodCopy: string | null): unknown =>
    inWords(
      sourceView(bad, sources.counts(bad.id), { job: null, now: 0, browseUrl: 'http://wiki/bad_wiki/', goodCopy })
    )
  t.match(view(null), {
    state: 'damaged',
    browse_url: null,
    reason: /^The archive is damaged: .* Fetch the file again/
  })
  t.match(view('wiki.zim'), { reason: /^The archive is damaged: .* A good copy is here as wiki\.zim/ })
  put('wiki.zim', archive(1, 'Wiki'))
  t.match(await look(), { added: { length: 1 } })
  const { books, leftOut } = manifestOf(sources.list())
  t.same([books.map(({ filename }) => filename), leftOut], [['wiki.zim'], []])
  t.equal(named('bad_wiki.zim').state, 'damaged')
})

t.test('a good copy takes over what was read from an archive whose file is damaged now', async (t) => {
  const setup = await librarySetup(t)
  const { sources, put, look, named, run, ingest } = setup
  put('wiki.zim', archive(1, 'Wiki'))
  await look()
  const { id } = named('wiki.zim')
  sources.setIngest(id, true)
  t.equal(await run(ingestJob(ingest)), 'done')
  put('wiki.zim', archive(1, 'Wiki').subarray(0, 900))
  t.match(await look(), { refused: [id] })
  t.match(named('wiki.zim'), { state: 'damaged', uuid: uuidOf(1) })
  t.equal(sources.counts(id).extracted, 3, 'what was read stays')
  put('again.zim', archive(1, 'Wiki'))
  t.match(await look(), { back: [id], added: [] })
  t.match(named('again.zim'), {
    id,
    state: 'present',
    reason: null,
    category: 'Wiki',
    readToEnd: true,
    ingestEnabled: true
  })
  t.equal(sources.counts(id).extracted, 3)
  t.match(named('wiki.zim'), { state: 'damaged', uuid: '', claimedUuid: uuidOf(1) })
  put('wiki.zim', null)
  await look()
  t.equal(sources.byFilename('wiki.zim'), null, 'nothing was ever read from it: taken away, it is forgotten')
  put('again.zim', archive(1, 'Wiki').subarray(0, 900))
  await look()
  put('again.zim', archive(1, 'Wiki'))
  t.match(await look(), { back: [id] }, 'under its own name, too')
})

t.test('a file that has changed is not read on before somebody has looked at it', async (t) => {
  const setup = await librarySetup(t)
  const { sources, put, look, named, run, ingest, folder } = setup
  put('wiki.zim', archive(1, 'Wiki'))
  await look()
  const { id } = named('wiki.zim')
  sources.setIngest(id, true)
  truncateSync(join(folder, 'wiki.zim'), 900)
  t.equal(await run(ingestJob(ingest)), 'held')
  t.match(inWords(named('wiki.zim')), { state: 'missing', reason: /^The file has changed/ })
  await look()
  t.equal(named('wiki.zim').state, 'damaged')
  put('wiki.zim', archive(1, 'Wiki'))
  await look()
  t.equal(named('wiki.zim').state, 'present')
})
