import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { LibraryService } from '../../src/dashboard/server/library.ts'
import type { ScrapeService } from '../../src/dashboard/server/scraper.ts'
import type { DocumentStatus } from '../../src/knowledge/catalogue/states.ts'
import { PartialUploads } from '../../src/knowledge/intake/partial-uploads.ts'
import { ArchiveReceiver } from '../../src/knowledge/library/arrival.ts'
import { Library } from '../../src/knowledge/library/library.ts'
import type { RegistrationView } from '../../src/knowledge/library/registration.ts'
import { REMOVE } from '../../src/knowledge/library/remove-job.ts'
import type { ServerState } from '../../src/knowledge/library/server.ts'
import { INGEST, LibrarySources } from '../../src/knowledge/library/sources.ts'
import type { EngineReport } from '../../src/knowledge/scrape/engine.ts'
import type { ScrapeLimits } from '../../src/knowledge/scrape/job.ts'
import { ScrapeJobs } from '../../src/knowledge/scrape/jobs.ts'
import { because } from '../../src/model/reason.ts'
import { note } from './in-words.ts'
import { type KnowledgeSetup, newDocument } from './knowledge.ts'

/** The library of a station whose rows, folder and uploads are real; no server runs and no archive is read. */
export interface Archives {
  setup: KnowledgeSetup
  library: LibraryService
  sources: LibrarySources
  /** The folder of the archives. */
  folder: string
  /** The state of the server; tests change it. */
  server: ServerState
  /** The state of the registration; tests change it. */
  registration: RegistrationView
  /** The work that the worker does when it is woken; nothing by default. */
  worker: { work: () => void }
}

export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

export function archives(t: Pick<Test, 'teardown'>, setup: KnowledgeSetup): Archives {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-archives-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, '.parts'))
  const { db, jobs, catalogue, clock } = setup
  const now = (): number => clock.now()
  const sources = new LibrarySources({ db, jobs, now })
  const worker = { work: (): void => undefined }
  const server: ServerState = { status: 'running', url: 'http://127.0.0.1:8081', version: '3.3.0', reason: null }
  const registration: RegistrationView = { listed: null, comparison: null, leftOut: [], problem: null }
  const library = new Library({
    db,
    jobs,
    catalogue,
    sources,
    folder,
    clock,
    wikiUrl: () => '',
    wake: () => worker.work(),
    registration: { view: () => registration, sync: async () => registration },
    server: {
      kind: 'supervised',
      state: () => server,
      place: () => (server.url === null ? null : { kind: 'supervised', url: server.url, prefix: '' })
    },
    patienceMs: 0
  })
  const receiver = new ArchiveReceiver({
    folder,
    sources,
    minFreeBytes: () => 0,
    onArrival: () => worker.work(),
    free: async () => 1e12
  })
  return {
    setup,
    sources,
    folder,
    server,
    registration,
    worker,
    library: {
      list: (host) => library.list(host),
      one: (id, host) => library.one(id, host),
      server: (host) => library.server(host),
      wikiBase: (host) => library.wikiBase(host),
      setIngest: (id, enabled, host) => library.setIngest(id, enabled, host),
      retry: (id) => library.retry(id),
      remove: (id) => library.remove(id),
      settled: (arrived) => library.settled(arrived),
      receiver,
      partials: new PartialUploads({ receiver, now }),
      look: () => undefined
    }
  }
}

export const NAMES = [
  'fresh',
  'queued',
  'running',
  'interrupted',
  'paused',
  'processing',
  'complete',
  'missing',
  'broken',
  'removing'
] as const
export type Seeded = Readonly<Record<(typeof NAMES)[number], number>>

/** One source in every state that pages show; each with 40 articles. */
export function seedArchives(made: Archives): Seeded {
  const { sources, setup } = made
  const { jobs, clock } = setup
  const add = (name: string, n: number, title: string, language = 'eng'): number => {
    writeFileSync(join(made.folder, `${name}_2026-05.zim`), 'ZIM\u0004')
    const file = { filename: `${name}_2026-05.zim`, sizeBytes: n * 91_000_000, mtime: clock.now() }
    const description = `What ${title} says about everyday emergencies, for reading without a network`
    const facts = { uuid: uuid(n), title, description, language, date: '2026-05-14', name, articleCount: 40 }
    return sources.record(file, { ...facts, mainPath: null }).id
  }
  const read = (id: number, states: Partial<Record<DocumentStatus, number>>, isEnd: boolean): void => {
    addDocuments(made, id, states)
    const [checkpoint, end] = [isEnd ? 60 : 20, isEnd ? 1 : 0]
    setup.db.sql('UPDATE library_sources SET checkpoint = ?, read_to_end = ? WHERE id = ?').run(checkpoint, end, id)
    if (isEnd) jobs.remove(INGEST, String(id))
  }
  const ids = {
    fresh: add('wikem', 1, 'WikEM'),
    running: add('wikimed', 2, 'WikiMed <Medicine> & more', 'eng,fra'),
    queued: add('ifixit', 3, 'iFixit'),
    interrupted: add(
      'gutenberg',
      4,
      'A_very_long_title_without_any_blank_in_it_that_must_break_somewhere_or_stick_out'
    ),
    paused: add('wikivoyage', 5, 'Wikivoyage', 'deu'),
    processing: add('water', 6, 'Water treatment', 'spa'),
    complete: add('knots', 7, 'Knots'),
    missing: add('gone', 8, 'Gone'),
    removing: add('old', 9, 'Old field notes')
  }
  const claim = (): number => jobs.claim([INGEST], { owner: 'test', leaseMs: 1e12 })?.id ?? 0
  sources.setIngest(ids.running, true)
  claim()
  sources.setIngest(ids.interrupted, true)
  jobs.die(claim(), 'test', note('the reader of archives ended: out of memory'), () => undefined)
  for (const id of [ids.queued, ids.processing, ids.complete]) sources.setIngest(id, true)
  sources.setIngest(ids.paused, true)
  read(ids.paused, { complete: 12 }, false)
  sources.setIngest(ids.paused, false)
  read(ids.running, { complete: 3, extracted: 9 }, false)
  read(ids.interrupted, { complete: 2 }, false)
  read(ids.processing, { complete: 30, enriching: 4, failed: 2, skipped: 3 }, true)
  read(ids.complete, { complete: 38, skipped: 2 }, true)
  sources.setState(ids.missing, 'missing', note('Its file is not in the folder of archives any more.'))
  sources.beginRemoval(ids.removing)
  const { id: broken } = sources.damage(
    { filename: 'cut-off.zim', sizeBytes: 12_000, mtime: clock.now() },
    { reason: because('zim_cut_off', { missing: because('zim_bytes_are', { count: 73_728 }) }), claimedUuid: '' }
  )
  made.registration.listed = sources
    .list()
    .filter(({ state }) => state === 'present')
    .map(({ uuid: id, title, filename }) => ({ uuid: id, title, name: filename.replace('.zim', '') }) as never)
  return { ...ids, broken }
}

let count = 0

export function addDocuments(
  { setup }: Archives,
  sourceId: number,
  states: Partial<Record<DocumentStatus, number>>
): void {
  const category = String(setup.db.sql('SELECT category FROM library_sources WHERE id = ?').get(sourceId)?.['category'])
  for (const [status, many] of Object.entries(states))
    for (let n = 0; n < many; n++) {
      const hash = (++count).toString(16).padStart(64, '0')
      const kind = { kind: 'wiki', source: 'library', filename: `A/${count}`, title: `Article ${count}` } as const
      const document = { ...kind, hash, sourceId, category, status: status as DocumentStatus, vectorCount: 2 }
      const id = setup.catalogue.add({ ...newDocument(1), ...document }, [hash])
      setup.db
        .sql(
          `INSERT INTO archive_articles (source_id, path, title, state, document_id) VALUES (?, ?, ?, 'document', ?)`
        )
        .run(sourceId, `A/${count}`, `Article ${count}`, id)
    }
}

/** The worker does what is asked for: removals, at once. */
export function removeAtOnce({ worker, setup, sources, folder }: Archives): void {
  worker.work = () => {
    for (const { id, filename, state } of sources.list()) {
      if (state !== 'removing') continue
      for (const row of setup.db.sql('SELECT id FROM documents WHERE source_id = ?').all(id))
        setup.catalogue.removeRows(Number(row['id']))
      rmSync(join(folder, filename), { force: true })
      setup.jobs.remove(REMOVE, String(id))
      setup.db.sql('DELETE FROM scrape_jobs WHERE source_id = ?').run(id)
      sources.forget(id)
    }
  }
}

/** Archiving on this library: rows are real, nothing is fetched, and every name stands for a public address. */
export function scrapeSetup(
  { setup, library, sources, folder, worker }: Archives,
  report: EngineReport
): ScrapeService {
  return {
    jobs: new ScrapeJobs({ db: setup.db, jobs: setup.jobs, now: () => setup.clock.now() }),
    engines: async () => report,
    zimFolder: folder,
    library: { sourceOf: (filename) => sources.byFilename(filename)?.id ?? null, remove: (id) => library.remove(id) },
    rules: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
    wake: () => worker.work()
  }
}

/** One archiving job in every state that pages show; the completed one made the archive `complete`. */
export function seedJobs({ jobs, ids }: { jobs: ScrapeJobs; ids: Seeded }) {
  const limits: ScrapeLimits = {
    ...{ maxPages: 2000, maxBytes: 2e9, maxMinutes: 240, scope: 'host', delay: 0.5 },
    ...{ include: [], exclude: [], patternPercent: 25, documents: false, maxDocuments: 100, maxDocumentBytes: 2 ** 29 }
  }
  const add = (title: string, language = 'eng'): number =>
    jobs.submit({ url: `https://${title.toLowerCase().replaceAll(' ', '-')}.example.org/`, title, language, limits }).id
  const made = {
    pending: add('Hand pumps'),
    scraping: add('A very long title of a web site about water, wells and everything that belongs to them', 'deu,fra'),
    cancelling: add('Roofs'),
    registering: add('Wells'),
    completed: add('Knots'),
    failed: add('Broken'),
    cancelled: add('Left')
  }
  jobs.begin(made.scraping, 'container')
  jobs.progress(made.scraping, { done: 120, total: 400 })
  jobs.begin(made.cancelling, 'built-in')
  jobs.progress(made.cancelling, { done: 7, total: null })
  jobs.cancel(made.cancelling)
  jobs.begin(made.registering, 'built-in')
  jobs.progress(made.registering, { done: 30, total: 30 })
  jobs.registering(made.registering, 'wells.zim')
  jobs.begin(made.completed, 'container')
  jobs.progress(made.completed, { done: 38, total: 38 })
  jobs.registering(made.completed, 'knots_2026-05.zim')
  jobs.completed(made.completed, ids.complete)
  jobs.begin(made.failed, 'built-in')
  jobs.progress(made.failed, { done: 2, total: null })
  jobs.failed(made.failed, note('The site does not answer: connect ETIMEDOUT after 30 s. Two pages were read before.'))
  jobs.cancel(made.cancelled)
  return made
}
