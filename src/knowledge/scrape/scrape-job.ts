import { statfs, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { because, isReason, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { DISK_WAIT_MS, waitsForDisk } from '../../platform/database/storage-fault.ts'
import { AppError, type ErrorCode, reasonOf } from '../../platform/errors.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Job, JobKind, JobResult, JobTools } from '../jobs/job.ts'
import { archiveNameOf, checkArchive, isThere, placeArchive } from './archive-file.ts'
import { Cancelled, type CrawlEngine, type Crawled, type FetchedDocument } from './crawl-engine.ts'
import { type EngineReport, whatIsMissing } from './engine.ts'
import { DOCUMENT_STATES, type DocumentState, type LinkedDocument } from './findings.ts'
import type { ScrapeJob } from './job.ts'
import { SCRAPE_KIND, type ScrapeJobs } from './jobs.ts'
import { pause } from './pause.ts'

/** Free bytes of the file system a folder is on; tests pass their own. */
type FreeBytes = (folder: string) => Promise<number>

const freeBytes: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** A crawl with less than this beyond the floor is not begun. */
const ROOM_TO_BEGIN = 100 * 1024 * 1024

const megabytes = (bytes: number): string => `${Math.max(0, Math.round(bytes / 1e6))} MB`

/** Said when the disk is too full. */
function diskFull(free: number, floor: number): AppError {
  return new AppError('no-space', because('disk_not_enough_space', { free: megabytes(free), kept: megabytes(floor) }))
}

const MAX_ATTEMPTS = 3
const LOOK_MS = 1000
const DISK_EVERY_MS = 5000
/** Each is written to the disk. */
const TELL_MS = 1500
const HELD_MS = 5 * 60_000
const DETECT_EVERY_MS = 20_000
/** Detection of a large archive on a small board takes minutes. */
const REGISTER_MS = 20 * 60_000
/** Of no use to be tried again; the runner gives such a job up at once. */
const PERMANENT: ReadonlySet<ErrorCode> = new Set(['bad-input', 'invalid', 'unsupported', 'too-large'])

/** The fate of a file in the folder of archives. */
export type Registered = { sourceId: number } | { refused: Reason }

/** The part of the library that the archiver needs. */
export interface ScrapeLibrary {
  /** A whole archive has got this name, or has lost it: the library looks at it soon. */
  look: (filename: string) => void
  /** Null: the library has not looked yet. */
  registered: (filename: string) => Registered | null
}

/** The way into the document library. */
export interface DocumentIntake {
  /**
   * Takes a copy of the file. Whoever asks twice for one job is answered the same twice. @throws AppError `no-space` and other
   * passing trouble; what cannot be taken ever is an answer.
   */
  take: (document: FetchedDocument & { jobId: number }) => Promise<LinkedDocument>
}

export interface ScrapeParts {
  store: ScrapeJobs
  intake: DocumentIntake
  /** `<data>/zim`. */
  zimFolder: string
  engines: { report: () => Promise<EngineReport> }
  container: CrawlEngine
  builtIn: CrawlEngine
  library: ScrapeLibrary
  /** Bytes that stay free on the disk. */
  minFreeBytes: () => number
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  free?: FreeBytes
  /** Tests wait less. */
  times?: { lookMs?: number; diskMs?: number; registerMs?: number }
}

/** The folder in which the crawl of a job is under way. */
export function crawlFolder(zimFolder: string, jobId: number): string {
  return join(zimFolder, `.scrape-${jobId}`)
}

/** Job `scrape`, subject = id of the scrape job: crawl, move the archive into the library, wait until it is registered. */
export function scrapeJob(parts: ScrapeParts): JobKind {
  return {
    kind: SCRAPE_KIND,
    pool: 'scrape',
    maxAttempts: MAX_ATTEMPTS,
    run: (job, tools) => new ScrapeRun(parts, job, tools).run(),
    onDead: (job, reason) => parts.store.failed(Number(job.subject), reason)
  }
}

/** The last word about the pages. */
interface Told {
  text: string
  at: number
  /** Not told yet. */
  rest: { done: number; total: number | null } | null
}

class ScrapeRun {
  readonly #parts: ScrapeParts
  readonly #job: Job
  readonly #tools: JobTools
  readonly #id: number
  readonly #folder: string
  readonly #abort = new AbortController()
  #stopWatching: () => void = () => undefined
  #diskLooked = Number.NEGATIVE_INFINITY
  #told: Told = { text: '', at: Number.NEGATIVE_INFINITY, rest: null }

  constructor(parts: ScrapeParts, job: Job, tools: JobTools) {
    this.#parts = parts
    this.#job = job
    this.#tools = tools
    this.#id = Number(job.subject)
    this.#folder = crawlFolder(parts.zimFolder, this.#id)
  }

  async run(): Promise<JobResult> {
    const { store } = this.#parts
    const found = store.byId(this.#id)
    if (found === null || !store.isActive(this.#id)) return { end: 'done', commit: () => undefined }
    const stopped = (): void => this.#abort.abort(this.#tools.signal.reason)
    this.#tools.signal.addEventListener('abort', stopped, { once: true })
    this.#watch()
    try {
      return await this.#work(found)
    } catch (error) {
      return await this.#failed(error)
    } finally {
      this.#stopWatching()
      this.#tools.signal.removeEventListener('abort', stopped)
    }
  }

  async #work(job: ScrapeJob): Promise<JobResult> {
    if (this.#parts.store.isCancelRequested(this.#id)) throw new Cancelled()
    const placed = await this.#placedEarlier(job)
    if (placed !== null) {
      await this.#abandon()
      return this.#register(placed)
    }
    const held = await this.#mayBegin(job)
    if ('params' in held) return this.#hold(held)
    if (held instanceof AppError) return this.#hold(held.reason, DISK_WAIT_MS)
    const { store } = this.#parts
    if (!store.begin(this.#id, held.kind)) throw new Cancelled()
    await makeBelow(dirname(this.#parts.zimFolder), this.#folder)
    const crawled = await held.crawl(store.get(this.#id), this.#folder, {
      signal: this.#abort.signal,
      progress: (numbers) => this.#progress(numbers),
      resumed: (pages) => store.resumed(this.#id, { pages, after: interruptionOf(job) })
    })
    if (this.#told.rest !== null) this.#progress(this.#told.rest, true)
    store.findings.put(this.#id, crawled.findings)
    // Before the archive has its place: a run after that one looks at nothing of the crawl any more.
    await this.#takeDocuments(crawled)
    return this.#register(await this.#place(job, crawled))
  }

  /** Into the document library, one after the other; what an interrupted run has brought there is known there. */
  async #takeDocuments({ documents }: Crawled): Promise<void> {
    const { store, intake } = this.#parts
    for (const { address, path } of documents) {
      this.#abort.signal.throwIfAborted()
      store.findings.putDocument(this.#id, await intake.take({ address, path, jobId: this.#id }))
    }
  }

  /** The engine, or what has to be waited for. */
  async #mayBegin(job: ScrapeJob): Promise<CrawlEngine | Reason | AppError> {
    const { engines, container, builtIn, zimFolder, minFreeBytes, free = freeBytes } = this.#parts
    await makeBelow(dirname(zimFolder), zimFolder)
    const [left, report] = await Promise.all([free(zimFolder), engines.report()])
    if (!hasRoom(left, minFreeBytes())) return diskFull(left, minFreeBytes())
    if (job.engine === 'container' && report.chosen !== 'container')
      // It may only be starting, and the crawl goes on in it.
      return because('waits_for_engine', { missing: report.container.missing })
    if (report.chosen === null) return whatIsMissing(report)
    return report.chosen === 'container' ? container : builtIn
  }

  #hold(reason: Reason, ms = HELD_MS): JobResult {
    const { store, clock } = this.#parts
    return { end: 'held', reason, retryAt: clock.now() + ms, commit: () => store.wait(this.#id, reason) }
  }

  #progress({ done, total }: { done: number; total: number | null }, isLast = false): void {
    const { clock } = this.#parts
    const what = total === null ? because('count_pages', { count: done }) : because('pages_of_pages', { done, total })
    if (!isLast && clock.now() - this.#told.at < TELL_MS) {
      this.#told.rest = { done, total }
      return
    }
    this.#told.rest = null
    const text = sentenceOf(what)
    if (text === this.#told.text) return
    this.#told = { text, at: clock.now(), rest: null }
    this.#parts.store.progress(this.#id, { done, total })
    this.#tools.progress(what)
  }

  /** Cancelling and a full disk end the crawl within a second or a few. */
  #watch(): void {
    const { clock, store, times = {} } = this.#parts
    this.#stopWatching = clock.after(times.lookMs ?? LOOK_MS, () => {
      if (this.#abort.signal.aborted) return
      if (store.isCancelRequested(this.#id)) this.#abort.abort(new Cancelled())
      else this.#watch()
      if (clock.now() - this.#diskLooked >= (times.diskMs ?? DISK_EVERY_MS)) void this.#lookAtDisk()
    })
  }

  async #lookAtDisk(): Promise<void> {
    const { clock, zimFolder, minFreeBytes, free = freeBytes, log } = this.#parts
    this.#diskLooked = clock.now()
    try {
      const left = await free(zimFolder)
      if (left < minFreeBytes()) this.#abort.abort(new DiskFull(left, minFreeBytes()))
    } catch (error) {
      log.warn({ err: error }, 'the free space of the disk could not be read')
    }
  }

  /** The name of an archive that an earlier run made and put into its place. */
  async #placedEarlier({ archive }: ScrapeJob): Promise<string | null> {
    return archive !== null && (await isThere(join(this.#parts.zimFolder, archive))) ? archive : null
  }

  async #place(job: ScrapeJob, { file, notes }: Crawled): Promise<string> {
    const { zimFolder, store, clock } = this.#parts
    await checkArchive(file, this.#abort.signal)
    this.#abort.signal.throwIfAborted()
    const name = await placeArchive(file, {
      zimFolder,
      nameOf: (attempt) => archiveNameOf(job, clock.now(), attempt),
      planned: (planned) => store.registering(this.#id, planned)
    })
    const all = [...notes, ...documentNotes(store.findings.documents(this.#id))]
    store.say(this.#id, all.length === 0 ? null : because('sentences', { all }))
    await this.#abandon()
    return name
  }

  async #register(archive: string): Promise<JobResult> {
    const { store, library, clock, times = {} } = this.#parts
    store.registering(this.#id, archive)
    this.#tools.progress(because('waits_for_library'))
    const until = clock.now() + (times.registerMs ?? REGISTER_MS)
    let asked = Number.NEGATIVE_INFINITY
    for (;;) {
      const found = library.registered(archive)
      if (found !== null && 'refused' in found) throw new AppError('invalid', found.refused)
      if (found !== null) return { end: 'done', commit: () => store.completed(this.#id, found.sourceId) }
      if (clock.now() >= until) throw new AppError('unavailable', because('archive_not_taken_yet', { archive }))
      if (clock.now() - asked >= DETECT_EVERY_MS) {
        asked = clock.now()
        library.look(archive)
      }
      await pause(clock, times.lookMs ?? LOOK_MS, this.#abort.signal)
    }
  }

  async #failed(thrown: unknown): Promise<JobResult> {
    const { store, log } = this.#parts
    // Whatever an interrupted step threw: why it was interrupted counts.
    const error = this.#abort.signal.aborted ? this.#abort.signal.reason : thrown
    if (error instanceof Cancelled) return this.#cancelled()
    if (this.#tools.signal.aborted) {
      // The next run tells what interrupted this one.
      if (store.byId(this.#id)?.status === 'scraping') store.say(this.#id, because('crawl_station_stopped'))
      throw error
    }
    if (waitsForDisk(error)) {
      const result = await this.#outOfRoom(error)
      if (result !== null) return result
    }
    const last = this.#job.attempts >= MAX_ATTEMPTS
    const permanent = error instanceof AppError && PERMANENT.has(error.code)
    if (permanent || last) await this.#abandon()
    else {
      log.info({ err: error, job: this.#id }, 'an archiving is tried again')
      if (store.byId(this.#id)?.status === 'scraping')
        store.wait(this.#id, because('is_tried_again', { said: reasonOf(error) }))
    }
    // There is room, whatever the crawler says: such a run counts.
    throw waitsForDisk(error) ? new AppError('unavailable', reasonOf(error)) : error
  }

  /**
   * Removes what came so far, for it may be what the disk is full of. When there is still no room the crawl waits for
   * it; when there is now, the site is larger than this disk, and waiting would fill it again. Null: the disk is not to
   * blame.
   */
  async #outOfRoom(error: unknown): Promise<JobResult | null> {
    const { store, zimFolder, minFreeBytes, free = freeBytes } = this.#parts
    await this.#abandon()
    const left = await free(zimFolder)
    const stopped = because('crawl_stopped_note', { said: reasonOf(error) })
    if (!hasRoom(left, minFreeBytes()))
      return this.#hold(because('sentences', { all: [stopped, because('begins_again')] }), DISK_WAIT_MS)
    if (!(error instanceof DiskFull)) return null
    return { end: 'done', commit: () => store.failed(this.#id, stopped) }
  }

  async #cancelled(): Promise<JobResult> {
    const { store, library, zimFolder } = this.#parts
    await this.#abandon()
    const archive = store.byId(this.#id)?.archive ?? null
    const found = archive === null ? null : library.registered(archive)
    // It was quicker than the one who cancelled it: what is in the library is removed there.
    if (found !== null && 'sourceId' in found)
      return { end: 'done', commit: () => store.completed(this.#id, found.sourceId) }
    if (archive !== null) {
      await removeFile(join(zimFolder, archive))
      library.look(archive)
    }
    return { end: 'done', commit: () => store.cancelled(this.#id) }
  }

  /** Whichever engine has it. */
  async #abandon(): Promise<void> {
    const { container, builtIn } = this.#parts
    await builtIn.abandon(this.#id, this.#folder)
    if (this.#parts.store.byId(this.#id)?.engine !== 'built-in') await container.abandon(this.#id, this.#folder)
  }
}

/** The reason why the run before this one ended. */
function interruptionOf({ status, message }: ScrapeJob): Reason {
  if (message?.code === 'crawl_station_stopped') return message
  if (status === 'scraping' || message === null) return because('crawl_station_cut_off')
  const said = message.params['said']
  return isReason(said) ? said : message
}

function documentNotes(documents: readonly LinkedDocument[]): Reason[] {
  const count = (state: DocumentState): number => documents.filter((one) => one.state === state).length
  const notes = {
    taken: because('documents_taken_in', { count: count('taken') }),
    here: because('documents_here_already', { count: count('here') }),
    refused: because('documents_not_taken', { count: count('refused') })
  }
  return DOCUMENT_STATES.filter((state) => count(state) > 0).map((state) => notes[state])
}

function hasRoom(left: number, floor: number): boolean {
  return left >= floor + ROOM_TO_BEGIN
}

class DiskFull extends AppError {
  constructor(free: number, floor: number) {
    super('no-space', diskFull(free, floor).reason)
  }
}

/** One that is gone already is what was wanted. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}
