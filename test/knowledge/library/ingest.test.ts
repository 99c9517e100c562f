import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { knowledgeMigrations } from '../../../src/knowledge/catalogue/schema.ts'
import { articleHash } from '../../../src/knowledge/library/archive-articles.ts'
import { type ArchiveReader, archiveReader } from '../../../src/knowledge/library/archive-reader.ts'
import { ingestJob } from '../../../src/knowledge/library/ingest-job.ts'
import type { IngestParts } from '../../../src/knowledge/library/ingest-parts.ts'
import { ChildDied } from '../../../src/knowledge/library/line-child.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { storedReason } from '../../../src/platform/database/stored-reason.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { ownProgram } from '../../../src/platform/process/own-program.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { runnable } from '../../helpers/runnable.ts'
import { needsZimTools, pageHtml, redirectHtml, UUID, writeArchive, type ZimPage, zimBytes } from '../../helpers/zim.ts'
import { finish, type LibrarySetup, librarySetup, quickReader } from './setup.ts'

const { flags: execArgv, file: entry } = runnable('test/knowledge/library/zim-entry.ts')
const childReader = archiveReader((args) => ownProgram(args, { entry, execArgv }))

/** `count` articles; every seventh a stub, every tenth the text of the first. */
function pages(count: number): ZimPage[] {
  return Array.from({ length: count }, (_, n) => ({
    path: `p${n}`,
    cluster: n % 5,
    content:
      n % 7 === 3 ? '<p>Stub.</p>' : n % 10 === 9 ? pageHtml('Same', 'same') : pageHtml(`Page ${n}`, `number ${n}`)
  }))
}

/** A Zstandard frame that begins as one, and whose first block is of no kind there is. */
const BAD_BLOCK = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 7, 0, 0])

async function wanted(setup: LibrarySetup, bytes: Buffer, name = 'wiki.zim'): Promise<number> {
  setup.put(name, bytes)
  await setup.look()
  const { id } = setup.named(name)
  setup.sources.setIngest(id, true)
  return id
}

/** Everything that is stored of a source, in an order that does not depend on ids. */
function stored({ db }: LibrarySetup, sourceId: number): unknown {
  const rows = (sql: string) =>
    db
      .sql(sql)
      .all(sourceId)
      .map((row) => ({ ...row }))
  return {
    articles: rows(
      'SELECT path, title, state, reason, text_hash FROM archive_articles WHERE source_id = ? ORDER BY path'
    ),
    documents: rows(
      `SELECT hash, kind, filename, title, source, category, url, domain, status, page_count, text_hash, size_bytes,
         (SELECT group_concat(text) FROM pages WHERE document_id = documents.id) AS text,
         (SELECT count(*) FROM jobs WHERE kind = 'enrich' AND subject = CAST(documents.id AS TEXT)) AS jobs,
         (SELECT count(*) FROM document_hashes WHERE document_id = documents.id) AS hashes
       FROM documents WHERE source_id = ? ORDER BY hash`
    ),
    source: rows('SELECT checkpoint, read_to_end, reason FROM library_sources WHERE id = ?')
  }
}

t.test('articles become documents with pages and work; stubs and equal texts do not', async (t) => {
  const setup = await librarySetup(t)
  const { catalogue, jobs, sources, db } = setup
  const long = { path: 'long', content: `<h1>Long</h1>${'<p>A paragraph of eight words, no more.</p>'.repeat(900)}` }
  const special: ZimPage[] = [
    { path: 'it', mime: 'text/html; charset=utf-8', content: pageHtml('Italian', 'it') },
    { path: 'x/no', content: pageHtml('Norwegian', 'no') },
    { path: 'été/水', title: 'Water / 水', content: pageHtml('Water', 'water') },
    { path: 'old', redirect: 'C/it' }
  ]
  const bytes = zimBytes([...pages(60), long, ...special], { meta: { Title: 'Wiki' } })
  const id = await wanted(setup, bytes)
  t.equal(await setup.run(ingestJob(setup.ingest)), 'done')
  t.same(sources.counts(id), { articles: 64, extracted: 51, total: 51, in_vector_store: 0, skipped: 13, failed: 0 })
  t.match(setup.named('wiki.zim'), {
    readToEnd: true,
    checkpoint: 64,
    startedAt: Number,
    completedAt: Number,
    reason: null
  })
  const found = catalogue.byHash(articleHash(UUID, 'été/水'))
  t.match(found, {
    kind: 'wiki',
    source: 'library',
    sourceId: id,
    category: 'Wiki',
    url: 'été/水',
    title: 'Water / 水',
    ...{
      filename: 'Water   水.html',
      status: 'extracted',
      domain: 'Water Systems',
      path: null,
      language: null,
      pageCount: 1
    }
  })
  t.ok(jobs.get('enrich', String(found?.id)))
  t.match(catalogue.page(found?.id ?? 0, 1), {
    text: /^# Water\n\nWater of a well is boiled/,
    method: 'html',
    startSeconds: null
  })
  for (const path of ['it', 'x/no']) t.ok(catalogue.byHash(articleHash(UUID, path)), `${path} is an article (Z6)`)
  t.equal(catalogue.byHash(articleHash(UUID, 'old')), null, 'a redirect is none')
  t.equal(catalogue.byHash(articleHash(UUID, 'long'))?.pageCount, 4, 'about 2000 words a page')
  const states = db
    .sql('SELECT state, reason FROM archive_articles WHERE path IN (?, ?) ORDER BY path')
    .all('p29', 'p3')
    .map(({ state, reason }) => ({ state, reason: inWords(storedReason(reason)) }))
  t.match(states, [
    { state: 'duplicate', reason: 'its text is that of p19' },
    { state: 'skipped', reason: 'it has only 5 characters of text' }
  ])
  sources.setIngest(id, true)
  t.equal(await setup.run(ingestJob(setup.ingest)), 'none', 'what is read to its end is not read again')
})

t.test('two files of one archive: what the first has is a duplicate in the second', async (t) => {
  const setup = await librarySetup(t)
  const bytes = zimBytes(pages(20), { meta: { Title: 'Wiki' } })
  const first = await wanted(setup, bytes, 'a.zim')
  await setup.run(ingestJob(setup.ingest))
  const second = await wanted(setup, bytes, 'b.zim')
  await setup.run(ingestJob(setup.ingest))
  const { extracted } = setup.sources.counts(first)
  t.same(setup.sources.counts(second), {
    articles: 20,
    extracted: 0,
    total: 0,
    in_vector_store: 0,
    skipped: 20,
    failed: 0
  })
  await setup.removeDocuments(second)
  t.equal(setup.sources.counts(first).extracted, extracted, 'and removing the second takes nothing from the first')
})

t.test('reading goes on where it ended, however it ended: nothing twice, nothing lost (Z4)', async (t) => {
  const bytes = zimBytes(pages(180), { meta: { Title: 'Wiki' } })
  const whole = await librarySetup(t)
  const wholeId = await wanted(whole, bytes)
  await whole.run(ingestJob(whole.ingest))
  const want = stored(whole, wholeId)
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          after: fc.nat(120),
          how: fc.constantFrom('killed', 'dies', 'stopped', 'paused', 'fails' as const)
        }),
        { maxLength: 6 }
      ),
      async (ends) => {
        const setup = await librarySetup(t)
        const id = await wanted(setup, bytes)
        for (const end of ends) await interrupted(setup, id, end)
        for (let n = 0; n < 20 && !setup.named('wiki.zim').readToEnd; n++) {
          await setup.clock.runTo(setup.clock.now() + 700_000)
          await setup.run(ingestJob(setup.ingest))
        }
        t.same(stored(setup, id), want, JSON.stringify(ends))
      }
    ),
    { numRuns: 40 }
  )
})

interface End {
  after: number
  how: 'killed' | 'dies' | 'stopped' | 'paused' | 'fails'
}

/** One run that is broken off after so many lines, as a process that is killed, a reader that dies, a stop, a pause, a fault. */
async function interrupted(setup: LibrarySetup, id: number, { after, how }: End): Promise<void> {
  const abort = new AbortController()
  let lines = 0
  const reader: ArchiveReader = {
    ...quickReader,
    articles: async function* (request) {
      for await (const line of quickReader.articles(request)) {
        if (++lines === after && how === 'dies') throw new ChildDied(note('killed for the test'))
        if (lines === after && how === 'fails') throw new AppError('unavailable', note('the disk fails'))
        if (lines === after && how === 'stopped')
          abort.abort(new AppError('unavailable', note('the program is stopping')))
        if (lines === after && how === 'paused') setup.sources.setIngest(id, false)
        if (lines === after && how === 'killed') {
          // A killed process never does its next step; its lease is taken back.
          setup.jobs.releaseOwner('a process')
          throw new AppError('unavailable', note('killed'))
        }
        yield line
      }
    }
  }
  await setup.run(ingestJob({ ...setup.ingest, reader }), abort.signal)
  if (how === 'paused') setup.sources.setIngest(id, true)
}

t.test('a toggle takes effect at once, and back again loses nothing (Z4)', async (t) => {
  const setup = await librarySetup(t)
  const { sources, clock, jobs } = setup
  const id = await wanted(setup, zimBytes(pages(150)))
  let lines = 0
  const reader = (at: number, act: () => void): ArchiveReader => ({
    ...quickReader,
    articles: async function* (request) {
      for await (const line of quickReader.articles(request)) {
        if (++lines === at) act()
        yield line
      }
    }
  })
  const paused = ingestJob({ ...setup.ingest, reader: reader(70, () => sources.setIngest(id, false)) })
  t.equal(await setup.run(paused), 'done')
  const { checkpoint } = setup.named('wiki.zim')
  t.ok(checkpoint > 0 && checkpoint < 70, `what was stored by then stays: ${checkpoint}`)
  t.equal(jobs.get('ingest-archive', String(id)), null)
  sources.setIngest(id, true)
  lines = 0
  const flicker = reader(20, () => {
    sources.setIngest(id, false)
    sources.setIngest(id, true)
  })
  t.equal(await setup.run(ingestJob({ ...setup.ingest, reader: flicker })), 'done')
  t.ok(setup.named('wiki.zim').readToEnd, 'off and on within a batch is as if nothing had been')
  const other = await wanted(setup, zimBytes(pages(3), { uuid: UUID.replace('0', 'f') }), 'stuck.zim')
  let begun = (): void => undefined
  const isBusy = new Promise<void>((resolve) => {
    begun = resolve
  })
  const stuck: ArchiveReader = {
    ...quickReader,
    articles: async function* ({ signal }) {
      yield { kind: 'begin', uuid: UUID.replace('0', 'f'), articles: 3 }
      begun()
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
  }
  const run = setup.run(ingestJob({ ...setup.ingest, reader: stuck }))
  // The file is looked at first, which takes a time that is not the clock's.
  await isBusy
  await clock.runTo(clock.now() + 500)
  sources.setIngest(other, false)
  await clock.runTo(clock.now() + 1000)
  t.equal(await run, 'done', 'a reader that is busy with one article is not waited for')
})

t.test(
  'an entry that ends the reader three times is recorded and passed; an archive that does so everywhere is given up',
  async (t) => {
    const setup = await librarySetup(t)
    const { sources, db } = setup
    const id = await wanted(setup, zimBytes(pages(30)))
    const deadly = (isDeadly: (entry: number) => boolean): ArchiveReader => ({
      ...quickReader,
      articles: async function* (request) {
        for await (const line of quickReader.articles(request)) {
          if (
            line.kind !== 'begin' &&
            line.kind !== 'next' &&
            line.kind !== 'end' &&
            'entry' in line &&
            isDeadly(line.entry)
          )
            throw new ChildDied(note('SIGSEGV'))
          yield line
        }
      }
    })
    t.equal(
      await setup.run(ingestJob({ ...setup.ingest, reader: deadly((entry) => entry === 11 || entry === 12) })),
      'done'
    )
    t.match(setup.named('wiki.zim'), { readToEnd: true })
    const failed = db.sql("SELECT path, reason FROM archive_articles WHERE state = 'failed'").all()
    t.equal(failed.length, 2)
    t.match(failed, [{ path: /^p\d+$/, reason: 'SIGSEGV' }, { path: /^p\d+$/ }])
    t.equal(sources.counts(id).failed, 2)
    sources.retry(id)
    t.equal(await setup.run(ingestJob(setup.ingest)), 'done')
    t.equal(sources.counts(id).failed, 0, 'a retry reads what failed, and only stores that')
    const other = await wanted(setup, zimBytes(pages(40), { uuid: UUID.replace('0', 'f') }), 'bad.zim')
    t.equal(await setup.run(ingestJob({ ...setup.ingest, reader: deadly(() => true) })), 'dead')
    t.match(inWords(setup.named('bad.zim').reason), /its reader ended/)
    sources.retry(other)
    t.equal(setup.named('bad.zim').reason, null)
    t.equal(await setup.run(ingestJob(setup.ingest)), 'done')
    const early: ArchiveReader = {
      ...quickReader,
      articles: () => ({
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new ChildDied(note('SIGKILL'))) })
      })
    }
    const third = await wanted(setup, zimBytes(pages(4), { uuid: UUID.replace('1', 'e') }), 'early.zim')
    t.equal(
      await setup.run(ingestJob({ ...setup.ingest, reader: early })),
      'later',
      'a reader that never began blames no article'
    )
    t.equal(sources.counts(third).failed, 0)
  }
)

t.test('a broken archive: what can be read is read, the rest says why, and a retry goes on', async (t) => {
  const setup = await librarySetup(t)
  const { sources, folder } = setup
  const id = await wanted(setup, zimBytes(pages(30)))
  truncateSync(join(folder, 'wiki.zim'), 400)
  t.equal(await setup.run(ingestJob(setup.ingest)), 'held')
  await setup.look()
  t.match(inWords(setup.named('wiki.zim')), { id, state: 'damaged', reason: /cut off/ })
  setup.put('wiki.zim', zimBytes(pages(30)))
  await setup.look()
  t.equal(await setup.run(ingestJob(setup.ingest)), 'done')
  t.match(setup.named('wiki.zim'), { readToEnd: true, reason: null })
  const all = Array.from({ length: 260 }, (_, n) => ({ path: `q${n}` }))
  await wanted(
    setup,
    zimBytes(all, {
      uuid: UUID.replace('0', 'f'),
      packing: 'zstd',
      pack: () => BAD_BLOCK
    }),
    'rotten.zim'
  )
  t.equal(await setup.run(ingestJob(setup.ingest)), 'dead')
  t.match(inWords(setup.named('rotten.zim').reason), /200 articles in a row cannot be read/)
  const replaced = await wanted(setup, zimBytes(pages(5), { uuid: UUID.replace('0', 'd') }), 'replaced.zim')
  writeFileSync(join(folder, 'replaced.zim'), zimBytes(pages(5), { uuid: UUID.replace('0', 'c') }))
  t.equal(await setup.run(ingestJob(setup.ingest)), 'later', 'another archive under this name is not read as this one')
  t.equal(sources.counts(replaced).extracted, 0)
})

t.test('it waits for the documents read before, and for space on the disk', async (t) => {
  const setup = await librarySetup(t)
  const { catalogue, clock, sources } = setup
  const id = await wanted(
    setup,
    zimBytes(
      Array.from({ length: 700 }, (_, n) => ({ path: `p${n}`, cluster: n % 9, content: pageHtml(`P${n}`, `n ${n}`) }))
    )
  )
  const run = setup.run(ingestJob(setup.ingest))
  let ended = ''
  void run.then((end) => {
    ended = end
  })
  for (let n = 0; n < 5000 && sources.counts(id).total < 550; n++) await new Promise((resolve) => setImmediate(resolve))
  for (let n = 0; n < 300 && ended === ''; n++) await clock.runTo(clock.now() + 1000)
  t.equal(await run, 'held')
  t.equal(sources.counts(id).total, 550, 'at most 500, and the batch that went beyond')
  await clock.runTo(clock.now() + 60_000)
  for (const { id: document } of catalogue.list({ sourceId: id, limit: 400 }).documents)
    finish(setup, document, 'complete')
  t.equal(await setup.run(ingestJob(setup.ingest)), 'done')
  t.same(sources.counts(id), { articles: 700, extracted: 700, total: 700, in_vector_store: 400, skipped: 0, failed: 0 })
  const full: IngestParts = {
    ...setup.ingest,
    checkSpace: () => Promise.reject(new AppError('no-space', note('There is not enough space.')))
  }
  await wanted(setup, zimBytes(pages(120), { uuid: UUID.replace('0', 'f') }), 'other.zim')
  t.equal(await setup.run(ingestJob(full)), 'held')
  t.match(inWords(setup.jobs.get('ingest-archive', String(setup.named('other.zim').id))), {
    reason: 'There is not enough space.'
  })
})

t.test('a real archive, read by a process of its own', async (t) => {
  if (!needsZimTools(t)) return
  const files: Record<string, string | Buffer> = {
    'index.html': pageHtml('Start'),
    'moved.html': redirectHtml('n/3.html'),
    'style.css': 'p {}'
  }
  for (let n = 0; n < 150; n++)
    files[`n/${n}.html`] =
      n % 50 === 49 ? '<html><title>Stub</title><p>Stub</p></html>' : pageHtml(`Note ${n}`, `${n} `.repeat(20))
  const { path } = writeArchive(t, files)
  const setup = await librarySetup(t, childReader)
  const id = await wanted(setup, readFileSync(path), 'notes.zim')
  t.match(setup.named('notes.zim'), {
    title: 'Field notes',
    description: 'Notes of the field',
    language: 'eng',
    articleCount: 151
  })
  t.equal(await setup.run(ingestJob(setup.ingest)), 'done')
  t.same(setup.sources.counts(id), {
    articles: 151,
    extracted: 148,
    total: 148,
    in_vector_store: 0,
    skipped: 3,
    failed: 0
  })
})

t.test('killed at any moment, a process leaves whole batches behind, and another one goes on', async (t) => {
  const folder = t.testdir({ zim: {} })
  const bytes = zimBytes(pages(400), { meta: { Title: 'Wiki' } })
  writeFileSync(join(folder, 'zim', 'wiki.zim'), bytes)
  const { flags, file } = runnable('test/knowledge/library/ingest-process.ts')
  const begin = (limit: number) =>
    spawn(process.execPath, [...flags, file, folder, String(limit)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let kills = 0
  for (let run = 0; run < 12; run++) {
    const child = begin(40 + run * 37)
    const [code, signal] = await once(child, 'exit')
    if (signal === 'SIGKILL') kills++
    else if (code === 0) break
  }
  t.ok(kills >= 3, `killed ${kills} times`)
  const db = await openDatabase({
    path: join(folder, 'knowledge.db'),
    migrations: knowledgeMigrations,
    synchronous: 'NORMAL'
  })
  t.teardown(() => db.close())
  const count = (sql: string): number => Number(db.sql(sql).get()?.['n'])
  t.equal(count('SELECT count(*) AS n FROM archive_articles'), 400)
  const documents = count("SELECT count(*) AS n FROM archive_articles WHERE state = 'document'")
  t.equal(count('SELECT count(*) AS n FROM documents'), documents)
  t.equal(count("SELECT count(*) AS n FROM jobs WHERE kind = 'enrich'"), documents)
  t.equal(count('SELECT count(DISTINCT document_id) AS n FROM pages'), documents)
  t.equal(count('SELECT read_to_end AS n FROM library_sources'), 1)
})
