import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { JobTools } from '../jobs/job.ts'
import type { ArchiveLine, EntryLine } from './archive-lines.ts'
import type { IngestParts } from './ingest-parts.ts'
import { ChildDied } from './line-child.ts'
import type { LibrarySource } from './source.ts'
import { isWanted } from './sources.ts'

/** Documents of a batch, entries of a batch, characters of a batch: whichever is reached first. */
const BATCH_ARTICLES = 50
const BATCH_ENTRIES = 500
const BATCH_TEXT = 2_000_000
/** So many documents of one source may wait for what follows; below the second number reading goes on. */
const MOST_OPEN = 500
const FEW_OPEN = 250
/** The time for which the reader waits for that, and for which we wait without one, before the job is put aside. */
const READER_WAITS_MS = 20_000
const WE_WAIT_MS = 120_000
const LOOK_MS = 1000
/** An entry that ends the reader this often is passed. */
const MOST_DEATHS = 3
/** So many in a row, or so many entries that end the reader: it is the archive that is broken. */
const MOST_FAILED = 200
const MOST_PASSED = 20

/** `stopped`: nobody wants it read any more. `crowded`: what was read before must be worked off. An error: no space. */
export type IngestOutcome = 'read' | 'stopped' | 'crowded' | AppError

interface Task extends JobTools {
  source: LibrarySource
  path: string
}

/** One run of `ingest-archive`: stretches of reading, each with a reader of its own. */
export class IngestRun {
  readonly #parts: IngestParts
  readonly #task: Task
  #checkpoint: number
  #lines: EntryLine[] = []
  #characters = 0
  #articles = 0
  #total: number | null = null
  #failedInRow = 0
  /** The article that the reader was at when it ended, and how often it did there. */
  #next: { entry: number; path: string; title: string } | null = null
  #deaths = { entry: -1, count: 0, passed: 0 }

  constructor(parts: IngestParts, task: Task) {
    this.#parts = parts
    this.#task = task
    this.#checkpoint = task.source.checkpoint
  }

  /** @throws AppError `bad-input` when the archive is broken; others when something passes. */
  async work(): Promise<IngestOutcome> {
    for (;;) {
      this.#task.signal.throwIfAborted()
      const outcome = await this.#stretch()
      if (outcome === 'again') continue
      if (outcome !== 'crowded') return outcome
      if (!(await this.#waitForRoom(WE_WAIT_MS))) return this.#isWanted() ? 'crowded' : 'stopped'
    }
  }

  /** Reads until something comes in between; the reader ends with it. */
  async #stretch(): Promise<IngestOutcome | 'again'> {
    const { reader } = this.#parts
    const stop = new AbortController()
    const stopWatching = this.#watch(stop)
    this.#lines = []
    this.#total = null
    try {
      const lines = reader.articles({
        path: this.#task.path,
        from: this.#checkpoint,
        announce: this.#deaths.count > 0,
        signal: AbortSignal.any([this.#task.signal, stop.signal])
      })
      for await (const line of lines) {
        const outcome = await this.#take(line)
        if (outcome !== null) return outcome
      }
      throw new ChildDied(because('archive_reader_no_end'))
    } catch (error) {
      if (stop.signal.aborted && !this.#task.signal.aborted) return 'stopped'
      if (error instanceof ChildDied) return this.#died(error)
      throw error
    } finally {
      stopWatching()
    }
  }

  /** A toggle takes effect at once, however long the reader is at one article. */
  #watch(stop: AbortController): () => void {
    const { clock } = this.#parts
    let cancel = (): void => undefined
    const look = (): void => {
      if (this.#isWanted()) cancel = clock.after(LOOK_MS, look)
      else stop.abort(new AppError('conflict', because('not_wanted')))
    }
    cancel = clock.after(LOOK_MS, look)
    return () => cancel()
  }

  #isWanted(): boolean {
    const { sources } = this.#parts
    const { id, uuid } = this.#task.source
    const now = sources.byId(id)
    return isWanted(now) && now.uuid === uuid
  }

  /** Null: go on. */
  async #take(line: ArchiveLine): Promise<IngestOutcome | null> {
    if (line.kind === 'begin') this.#begin(line)
    else if (line.kind === 'next') this.#next = line
    else if (line.kind === 'end')
      return this.#store({ to: Math.max(line.entry, this.#checkpoint), isEnd: true }) ? 'read' : 'stopped'
    else if (line.kind !== 'error') return this.#takeEntry(line)
    return null
  }

  #begin({ uuid, articles }: { uuid: string; articles: number }): void {
    if (uuid !== this.#task.source.uuid) throw new AppError('unavailable', because('archive_replaced_first'))
    this.#total = articles
  }

  async #takeEntry(line: EntryLine): Promise<IngestOutcome | null> {
    this.#lines.push(line)
    this.#failedInRow = line.kind === 'fail' ? this.#failedInRow + 1 : 0
    if (line.kind === 'article') {
      this.#articles++
      this.#characters += line.text.length
    }
    const isFull =
      this.#articles >= BATCH_ARTICLES || this.#lines.length >= BATCH_ENTRIES || this.#characters >= BATCH_TEXT
    if (this.#failedInRow >= MOST_FAILED)
      throw new AppError('bad-input', because('archive_articles_unreadable', { count: MOST_FAILED }))
    if (!isFull) return null
    if (!this.#store({ to: line.entry + 1, isEnd: false })) return 'stopped'
    return this.#pause()
  }

  #store({ to, isEnd }: { to: number; isEnd: boolean }): boolean {
    const { articles } = this.#parts
    const isStored = articles.store(this.#task.source, { lines: this.#lines, from: this.#checkpoint, to, isEnd })
    this.#lines = []
    this.#articles = 0
    this.#characters = 0
    if (isStored) this.#checkpoint = to
    this.#task.progress(because('articles_looked_at', { done: this.#checkpoint, total: String(this.#total ?? '?') }))
    return isStored
  }

  /** Between two batches: is there space on the disk, and is what was read before worked off? */
  async #pause(): Promise<IngestOutcome | null> {
    this.#task.signal.throwIfAborted()
    try {
      await this.#parts.checkSpace()
    } catch (error) {
      if (error instanceof AppError && error.code === 'no-space') return error
      throw error
    }
    if (this.#open() <= MOST_OPEN || (await this.#waitForRoom(READER_WAITS_MS))) return null
    return this.#isWanted() ? 'crowded' : 'stopped'
  }

  #open(): number {
    const { extracted, enriching, enriched, embedding } = this.#parts.catalogue.countsBySource(this.#task.source.id)
    return extracted + enriching + enriched + embedding
  }

  /** False: it did not become free in this time, or nobody wants it read any more. */
  async #waitForRoom(ms: number): Promise<boolean> {
    const { clock } = this.#parts
    for (const end = clock.now() + ms; this.#open() > FEW_OPEN; ) {
      if (clock.now() >= end || !this.#isWanted()) return false
      await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve))
      this.#task.signal.throwIfAborted()
    }
    return true
  }

  /** Keeps what was read before the reader ended; the article it ended at is tried again, and passed at last. */
  #died(error: ChildDied): IngestOutcome | 'again' {
    // It had not begun: this is not about an article.
    if (this.#total === null) throw error
    const entry = (this.#lines.at(-1)?.entry ?? this.#checkpoint - 1) + 1
    if (!this.#store({ to: entry, isEnd: false })) return 'stopped'
    const { deaths, log } = { deaths: this.#deaths, log: this.#parts.log }
    deaths.count = deaths.entry === entry ? deaths.count + 1 : 1
    deaths.entry = entry
    log.warn({ err: error, source: this.#task.source.id, entry, times: deaths.count }, 'the reader of an archive ended')
    return deaths.count < MOST_DEATHS ? 'again' : this.#pass(entry, error)
  }

  #pass(entry: number, error: ChildDied): IngestOutcome | 'again' {
    this.#deaths.passed++
    if (this.#deaths.passed > MOST_PASSED)
      throw new AppError('bad-input', because('archive_reader_gave_up', { count: MOST_PASSED }))
    const { path, title } = this.#next?.entry === entry ? this.#next : { path: `(article ${entry})`, title: '' }
    this.#lines = [{ kind: 'fail', entry, path, title, reason: error.reason }]
    return this.#store({ to: entry + 1, isEnd: false }) ? 'again' : 'stopped'
  }
}
