import { because, type Reason } from '../../../model/reason.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { DISK_WAIT_MS, StorageError, waitsForDisk } from '../../../platform/database/storage-fault.ts'
import { AppError, reasonOf } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { UploadStore } from '../../catalogue/uploads.ts'
import type { Job, JobKind, JobResult, JobTools } from '../../jobs/job.ts'
import { DuplicateError, type Receiver } from '../receive.ts'
import { takeAddress } from '../take-address.ts'
import type { CaptionParts } from '../take-captions.ts'
import { type Bulk, type BulkEntry, isOver } from './bulk.ts'
import { listAddresses, listFolder } from './list.ts'
import { markedReceiver, wasTaken } from './marked-receiver.ts'
import { diskOf, faultReason, realPath } from './places.ts'
import { Politeness } from './politeness.ts'
import { BULK_KIND, type BulkStore, type Settled } from './store.ts'
import { SourceFault, takeFile } from './take-file.ts'

/** A run ends after so long and goes on as a new one: a process that dies is not this job's fault for hours. */
const SLICE_MS = 60_000
/** Somebody's "stop" is seen within this. */
const LOOK_MS = 1000
/** A stick that was pulled is looked for as often as this, and so long; then somebody must say that it is back. */
const WAIT_MS = 60_000
const MOST_WAITS = 30
/** A site that does not answer is asked again, after all others. */
const AGAIN_MS = 5 * 60_000
const MOST_TRIES = 3
/** A document may be large, and a site slow. */
const FILE_MS = 30 * 60_000
/** Of our own disk: no entry is to blame. */
const OWN_DISK: ReadonlySet<string> = new Set(['data_folder_unwritable', 'data_folder_fails'])

export interface BulkParts {
  store: BulkStore
  uploads: UploadStore
  receiver: Receiver
  /** The data folder: where a chosen folder holds it, it is left out. */
  dataFolder: string
  /** For what is fetched. */
  web: () => Omit<CaptionParts, 'receiver' | 'signal'>
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** By what a disk is known again; tests have their own. */
  disk?: (path: string) => Promise<string | null>
  /** Tests wait less. */
  times?: { pauseMs?: number; sliceMs?: number }
}

/** Job `bulk`, subject = id of the list or folder: every entry of it, one after the other, each with its outcome in the rows. */
export function bulkJob(parts: BulkParts): JobKind {
  const politeness = new Politeness(parts.clock, parts.times?.pauseMs)
  return {
    kind: BULK_KIND,
    pool: 'bulk',
    maxAttempts: 5,
    run: (job, tools) => new BulkRun(parts, politeness, { job, tools }).run(),
    onDead: (job, reason) => parts.store.end(Number(job.subject), 'failed', reason)
  }
}

/** Somebody wants it to end. */
class Stopped extends Error {}

/** Something from outside is not there. */
class Missing extends AppError {}

class BulkRun {
  readonly #parts: BulkParts
  readonly #politeness: Politeness
  readonly #id: number
  readonly #tools: JobTools
  readonly #abort = new AbortController()
  #cancelWatch: () => void = () => undefined

  constructor(parts: BulkParts, politeness: Politeness, { job, tools }: { job: Job; tools: JobTools }) {
    this.#parts = parts
    this.#politeness = politeness
    this.#id = Number(job.subject)
    this.#tools = tools
  }

  async run(): Promise<JobResult> {
    const { store, log } = this.#parts
    while (store.sweep()) await Promise.resolve()
    const found = store.byId(this.#id)
    if (found === null || isOver(found.state)) return done()
    const ended = (): void => this.#abort.abort(this.#tools.signal.reason)
    this.#tools.signal.addEventListener('abort', ended, { once: true })
    this.#watch()
    try {
      return await this.#work(found)
    } catch (error) {
      if (this.#abort.signal.reason instanceof Stopped) return done(() => store.end(this.#id, 'stopped'))
      if (error instanceof Missing) return this.#wait(error.reason)
      if (isOwnDisk(error)) return this.#hold(reasonOf(error), DISK_WAIT_MS)
      if (this.#tools.signal.aborted) throw error
      log.warn({ err: error, bulk: this.#id }, 'a list or folder could not be gone on with')
      throw error
    } finally {
      this.#cancelWatch()
      this.#tools.signal.removeEventListener('abort', ended)
    }
  }

  #watch(): void {
    const { clock, store } = this.#parts
    this.#cancelWatch = clock.after(LOOK_MS, () => {
      if (this.#abort.signal.aborted) return
      if (store.isStopAsked(this.#id)) this.#abort.abort(new Stopped())
      else this.#watch()
    })
  }

  async #work(bulk: Bulk): Promise<JobResult> {
    const { store, clock, times } = this.#parts
    if (bulk.stopAsked) return done(() => store.end(this.#id, 'stopped'))
    await this.#demandPlace(bulk)
    store.retryAsked(this.#id)
    if (!bulk.listed) await this.#list(bulk)
    const until = clock.now() + (times?.sliceMs ?? SLICE_MS)
    for (;;) {
      this.#abort.signal.throwIfAborted()
      if (store.isStopAsked(this.#id)) return done(() => store.end(this.#id, 'stopped'))
      const entry = store.nextLeft(this.#id)
      if (entry === null) return this.#nothingDue()
      if (clock.now() >= until) return this.#again()
      await this.#entry(bulk, entry)
    }
  }

  /** A run of its own, with all its attempts. */
  #again(): JobResult {
    return done(() => this.#parts.store.again(this.#id))
  }

  #nothingDue(): JobResult {
    const { store } = this.#parts
    const due = store.nextDue(this.#id)
    if (due === null) return done(() => store.end(this.#id, 'done'))
    const reason = because('bulk_asks_again')
    return { end: 'held', reason, retryAt: due, commit: () => store.say(this.#id, 'paused', reason) }
  }

  async #list(bulk: Bulk): Promise<void> {
    const { store, dataFolder } = this.#parts
    store.say(this.#id, 'listing')
    if (bulk.kind === 'addresses') {
      listAddresses(bulk, store)
      return
    }
    const onStep = (found: number): void => this.#tools.progress(because('bulk_found', { count: found }))
    try {
      await listFolder(bulk, { store, dataFolder, signal: this.#abort.signal, onStep })
    } catch (error) {
      this.#abort.signal.throwIfAborted()
      if (error instanceof AppError) throw error
      await this.#demandPlace(bulk)
      throw new Missing('unavailable', faultReason(error), { cause: error })
    }
  }

  /** @throws Missing when the folder, or the disk it was on, is not there. */
  async #demandPlace({ kind, place, disk }: Bulk): Promise<void> {
    if (kind !== 'folder') return
    const now = await (this.#parts.disk ?? diskOf)(place)
    if (disk !== now) throw new Missing('unavailable', because('bulk_disk_gone', { folder: place }))
    // As it was chosen: links were resolved then, and one that stands there now came since.
    if ((await realPath(place)) !== place)
      throw new Missing('unavailable', because('bulk_folder_gone', { folder: place }))
    this.#parts.store.isBack(this.#id)
  }

  async #entry(bulk: Bulk, entry: BulkEntry): Promise<void> {
    const { store, uploads } = this.#parts
    if (wasTaken(bulk, entry, uploads)) return store.settle(this.#id, entry.id, { state: 'taken' })
    // It has ended this process, or what it did was never stored.
    if (entry.attempts >= MOST_TRIES)
      return store.settle(this.#id, entry.id, {
        state: 'failed',
        reason: entry.reason ?? because('bulk_entry_tried', { times: entry.attempts })
      })
    if (bulk.kind === 'addresses') await this.#politeness.turn(entry.what, this.#abort.signal)
    store.begin(this.#id, entry)
    const { done: over, found } = progressOf(store.get(this.#id))
    this.#tools.progress(because('bulk_progress', { done: over, total: found }))
    try {
      const { hash } = await this.#take(bulk, entry)
      store.settle(this.#id, entry.id, { state: 'taken', hash })
    } catch (error) {
      await this.#ended(bulk, entry, error)
    }
  }

  async #take(bulk: Bulk, entry: BulkEntry): Promise<{ hash: string }> {
    const receiver = markedReceiver(bulk, entry, this.#parts)
    const { signal } = this.#abort
    if (bulk.kind === 'folder') return takeFile(bulk.place, entry.what, { receiver, category: bulk.category, signal })
    const ask = { url: entry.what, category: bulk.category }
    return takeAddress(ask, { ...this.#parts.web(), totalMs: FILE_MS, receiver, signal })
  }

  async #ended(bulk: Bulk, entry: BulkEntry, error: unknown): Promise<void> {
    const { store, clock } = this.#parts
    if (this.#abort.signal.aborted || isOwnDisk(error)) {
      // Not the fault of the entry: it comes again.
      store.putBack(entry.id)
      throw error
    }
    if (!(error instanceof AppError)) throw error
    // A file whose disk was taken away meanwhile may look like a link, or cut off.
    if (!(error instanceof DuplicateError)) {
      try {
        await this.#demandPlace(bulk)
      } catch (gone) {
        if (gone instanceof Missing) store.putBack(entry.id)
        throw gone
      }
    }
    const passes = !(error instanceof SourceFault) && (error.code === 'unavailable' || error.code === 'timeout')
    if (passes && entry.attempts + 1 < MOST_TRIES)
      store.tryLater(entry.id, error.reason, clock.now() + AGAIN_MS * (entry.attempts + 1))
    else store.settle(this.#id, entry.id, outcomeOf(error))
  }

  #wait(reason: Reason): JobResult {
    const { store } = this.#parts
    if (store.get(this.#id).waits < MOST_WAITS) return this.#hold(reason, WAIT_MS)
    return done(() => store.wait(this.#id, reason))
  }

  #hold(reason: Reason, ms: number): JobResult {
    const { store, clock } = this.#parts
    // Everybody may read how jobs stand; folders and addresses are the operator's.
    const told = because('bulk_waits')
    return { end: 'held', reason: told, retryAt: clock.now() + ms, commit: () => store.wait(this.#id, reason) }
  }
}

/** Nothing can be kept at present, whatever is taken. What the source's disk says is no fault of ours. */
function isOwnDisk(error: unknown): boolean {
  if (error instanceof SourceFault) return false
  if (!(error instanceof AppError)) return waitsForDisk(error)
  return error.code === 'no-space' || error instanceof StorageError || OWN_DISK.has(error.reason.code)
}

function done(commit: () => void = () => undefined): JobResult {
  return { end: 'done', commit }
}

function progressOf({ counts }: Bulk): { done: number; found: number } {
  return { done: counts.found - counts.left, found: counts.found }
}

/** An address or file that is not there, or does not answer, has failed; one that is there and no document is refused. */
function outcomeOf(error: AppError): Settled {
  const { reason } = error
  if (error instanceof DuplicateError) return { state: 'duplicate', duplicateOf: error.existing.hash, reason }
  const failed =
    error instanceof SourceFault ||
    error.code === 'unavailable' ||
    error.code === 'timeout' ||
    reason.code === 'page_answers_other'
  return { state: failed ? 'failed' : 'refused', reason }
}
