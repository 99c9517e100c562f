import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import * as v from 'valibot'
import { knowledgeMigrations } from '../../../src/knowledge/catalogue/schema.ts'
import { JobRunner } from '../../../src/knowledge/jobs/runner.ts'
import { JobStore } from '../../../src/knowledge/jobs/store.ts'
import { type ScraperConfig, scraperSchema } from '../../../src/knowledge/library/settings.ts'
import { BuiltInEngine } from '../../../src/knowledge/scrape/built-in-engine.ts'
import { ContainerEngine, type ContainerParts } from '../../../src/knowledge/scrape/container-engine.ts'
import { containerName, stationLabel } from '../../../src/knowledge/scrape/containers.ts'
import { Engines } from '../../../src/knowledge/scrape/engine.ts'
import type { ScrapeJob } from '../../../src/knowledge/scrape/job.ts'
import { ScrapeJobs } from '../../../src/knowledge/scrape/jobs.ts'
import { recoverScrapes } from '../../../src/knowledge/scrape/recover.ts'
import { scrapeJob } from '../../../src/knowledge/scrape/scrape-job.ts'
import { readSubmission, type Submission } from '../../../src/knowledge/scrape/submission.ts'
import type { Clock } from '../../../src/platform/clock/clock.ts'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'
import { findProgram } from '../../../src/platform/process/programs.ts'
import { makeArchive } from '../../helpers/archives.ts'
import { note } from '../../helpers/in-words.ts'
import { runnable } from '../../helpers/runnable.ts'
import { type FakeEngine, fakeEngine, IMAGE } from './fake-engine.ts'

/** Real time, and it keeps the process: jobs here have processes of their own. */
export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, Math.max(0, ms))
    return () => clearTimeout(timer)
  }
}

export const settings = v.parse(scraperSchema, {})
const ENTRY = runnable('test/knowledge/scrape/scrape-entry.ts')

export interface Setup {
  db: Database
  jobs: JobStore
  store: ScrapeJobs
  /** The data folder, and its folder of archives. */
  folder: string
  zimFolder: string
  engine: FakeEngine
  engines: Engines
  station: string
  /** The room that the disk is said to have. */
  /** `look` stands for `bytes` where each look finds something else. */
  free: { bytes: number; look?: () => number }
  /** The files that the library has taken; it takes them when `takes`. */
  library: { takes: boolean; refuses: string | null; looks: string[] }
  /** A worker: `stop` as when the station stops; `die` as after SIGKILL, but for the processes it had. */
  worker: () => Worker
  submit: (
    url: string,
    patch?: Omit<Submission, 'url'> & { delay?: number; settings?: Partial<ScraperConfig> }
  ) => ScrapeJob
  /** The documents that went to the document library; `hold` keeps it from answering. */
  documents: { taken: { address: string; bytes: Buffer; jobId: number }[]; before: () => Promise<void> | void }
  container: (job: ScrapeJob) => string
  until: (id: number, reached: (job: ScrapeJob) => boolean, what: string) => Promise<ScrapeJob>
  /** Names in the folder of archives. */
  files: () => string[]
  retryNow: (id: number) => void
}

export interface Worker {
  runner: JobRunner
  stop: () => Promise<void>
}

let archive: Promise<Buffer> | null = null

/** A real archive where one can be made. */
export function anArchive(): Promise<Buffer> {
  archive ??= (async () => {
    if (findProgram('zimwriterfs') === null) return Buffer.from('an archive')
    const folder = mkdtempSync(join(tmpdir(), 'lookout-one-'))
    await makeArchive(join(folder, 'a.zim'))
    const bytes = readFileSync(join(folder, 'a.zim'))
    rmSync(folder, { recursive: true, force: true })
    return bytes
  })()
  return archive
}

export interface SetupOptions {
  /** An empty folder to work in, such as one on a small disk. */
  folder?: string
  image?: boolean
  engine?: FakeEngine
  machine?: { arch: string; memoryBytes: number }
  times?: NonNullable<ContainerParts['times']>
  registerMs?: number
}

export async function scrapeSetup(t: Test, options: SetupOptions = {}): Promise<Setup> {
  const engine = options.engine ?? fakeEngine(t, { image: options.image ?? true })
  engine.archive(await anArchive())
  const db = await openDatabase({ path: ':memory:', migrations: knowledgeMigrations, synchronous: 'NORMAL' })
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'lookout-scrape-'))
  const zimFolder = join(folder, 'zim')
  mkdirSync(zimFolder)
  t.teardown(() => {
    db.close()
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
  })
  const now = (): number => Date.now()
  const jobs = new JobStore({ db, now })
  const store = new ScrapeJobs({ db, jobs, now })
  const station = stationLabel(folder)
  const { machine = { arch: 'x64', memoryBytes: 8e9 } } = options
  // A docker or podman of this machine is none of ours.
  const engines = new Engines({ image: () => IMAGE, now, machine, path: engine.path })
  const free: Setup['free'] = { bytes: 1e12 }
  const library: Setup['library'] = { takes: true, refuses: null, looks: [] }
  const documents: Setup['documents'] = { taken: [], before: () => undefined }
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const setup: Setup = {
    db,
    jobs,
    store,
    folder,
    zimFolder,
    engine,
    engines,
    station,
    free,
    library,
    worker() {
      const runner = new JobRunner({
        store: jobs,
        limits: { scrape: 1 },
        owner: `test:${process.pid}:${Math.random()}`,
        clock: realClock,
        log,
        random: () => 0,
        kinds: [
          scrapeJob({
            store,
            intake: {
              take: async ({ address, path, jobId }) => {
                await documents.before()
                const bytes = readFileSync(path)
                const isThere = documents.taken.some((one) => one.bytes.equals(bytes) && one.jobId !== jobId)
                if (!isThere) documents.taken.push({ address, bytes, jobId })
                return { address, state: isThere ? 'here' : 'taken', hash: 'a'.repeat(64), reason: null }
              }
            },
            zimFolder,
            clock: realClock,
            log,
            minFreeBytes: () => 1_000_000,
            engines: {
              // The built-in archiver is found as it is on this machine.
              report: async () => {
                const report = await engines.report()
                const usable = findProgram('zimwriterfs') !== null
                const chosen = report.chosen ?? (usable ? 'built-in' : null)
                return { ...report, chosen, builtIn: { usable, missing: [] } }
              }
            },
            container: new ContainerEngine({
              engines,
              station,
              image: () => IMAGE,
              contact: () => 'ops@station.example',
              clock: realClock,
              log,
              walk: async ({ url }) => [{ host: new URL(url).hostname, address: '93.184.215.14' }],
              memoryBytes: 4e9,
              times: { lookMs: 20, ...options.times }
            }),
            builtIn: new BuiltInEngine({
              userAgent: () => 'Lookout/1.0',
              version: '1.0',
              log,
              program: (args) => ({ command: process.execPath, args: [...ENTRY.flags, ENTRY.file, ...args] })
            }),
            library: {
              look: (filename) => void library.looks.push(filename),
              registered: (filename) => {
                if (library.refuses !== null) return { refused: note(library.refuses) }
                return library.takes && existsSync(join(zimFolder, filename)) ? { sourceId: 7 } : null
              }
            },
            free: async () => free.look?.() ?? free.bytes,
            times: { lookMs: 20, diskMs: 20, registerMs: options.registerMs ?? 60_000 }
          })
        ]
      })
      const stop = (): Promise<void> => runner.stop()
      t.teardown(stop)
      return { runner, stop }
    },
    submit(url, { delay, settings: more, ...asked } = {}) {
      const config = { ...settings, ...more, ...(delay === undefined ? {} : { rate_limit_delay: delay }) }
      return store.submit(readSubmission({ url, ...asked }, config))
    },
    documents,
    container: ({ id }) => containerName(station, id),
    async until(id, reached, what) {
      const end = Date.now() + 30_000
      for (;;) {
        const job = store.get(id)
        if (reached(job)) return job
        if (Date.now() > end) throw new Error(`${what}: still ${JSON.stringify(job)}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    files: () => readdirSync(zimFolder).sort(),
    retryNow: (id) => void db.sql("UPDATE jobs SET due_at = 0 WHERE kind = 'scrape' AND subject = ?").run(String(id))
  }
  return setup
}

export const recover = (setup: Setup): Promise<void> =>
  recoverScrapes({
    store: setup.store,
    zimFolder: setup.zimFolder,
    station: setup.station,
    engines: new Engines({ image: () => IMAGE, now: () => Date.now(), path: setup.engine.path }),
    log: { info: () => undefined, warn: () => undefined }
  })

export const ended = ({ status }: ScrapeJob): boolean => ['completed', 'failed', 'cancelled'].includes(status)
