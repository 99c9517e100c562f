import { because } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { errorText } from '../../platform/errors.ts'
import { watchFolder } from '../../platform/files/watch-folder.ts'
import type { Log } from '../../platform/log/log.ts'
import type { JobStore } from '../jobs/store.ts'
import { type FoundArchive, listArchives, STILL_MS } from './archive-folder.ts'
import type { ArchiveReceiver } from './arrival.ts'
import { arrivedSubject, DETECT, DETECT_SUBJECT, GONE } from './detect-job.ts'
import type { Registration } from './registration.ts'
import { REMOVE } from './remove-job.ts'
import type { LibraryServer } from './server.ts'
import type { LibrarySource } from './source.ts'
import type { LibrarySources } from './sources.ts'

/** Somebody looks at the list again and again: the folder is not looked at more often. */
const LEAST_LOOK_MS = 10_000
/** After a file was touched; one that is being copied is touched all the time. */
const TOUCHED_MS = { debounceMs: 300, mostMs: 2000 }
const CHANGED = because('archive_changed')

interface Options {
  /** The folder of the archives. */
  folder: string
  sources: LibrarySources
  jobs: Pick<JobStore, 'add' | 'get'>
  server: Pick<LibraryServer, 'state'>
  registration: Pick<Registration, 'sync' | 'isDue'>
  receiver: Pick<ArchiveReceiver, 'sweep'>
  partials: { sweep: () => Promise<number> }
  /** The time after which folder, rows and feed are compared again. */
  everyMs: () => number
  clock: Clock
  /** There is work. */
  wake: () => void
  log: Pick<Log, 'info' | 'warn'>
}

/**
 * Sees to it that folder, rows and library server agree: at the start, on a schedule, and whenever something is known to have
 * changed. The worker is woken only when the folder is not what the rows say.
 */
export class LibraryReconciler {
  readonly #options: Options
  #cancel = (): void => undefined
  #cancelLook: (() => void) | null = null
  #unwatch = (): void => undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #seen = ''
  #stopped = false
  #wasUp = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Puts right first what a crash left: uploads under way, removals that had begun, entries nobody has a row for. */
  start(): void {
    this.#guard(async () => {
      const { receiver, partials } = this.#options
      await receiver.sweep()
      await partials.sweep()
      this.#resumeRemovals()
      await this.#look()
      await this.#options.registration.sync()
      this.#watch()
    })
    this.#follow()
  }

  /** Somebody wants to see the list. */
  lookSoon(): void {
    const { clock } = this.#options
    if (this.#stopped || clock.now() - this.#lookedAt < LEAST_LOOK_MS) return
    this.#guard(() => this.#look())
  }

  /** An upload is in its place: it is known to be whole. */
  arrived(filename: string): void {
    const { jobs, wake } = this.#options
    jobs.add(DETECT, arrivedSubject(filename))
    wake()
  }

  /** Rows may have changed: the server is told when it must know. */
  changed(): void {
    if (this.#stopped || !this.#options.registration.isDue) return
    this.#guard(async () => void (await this.#options.registration.sync()))
  }

  /** The server was started (again): what it lists is compared. */
  serverChanged(): void {
    const isUp = this.#options.server.state().status === 'running'
    const came = isUp && !this.#wasUp
    this.#wasUp = isUp
    if (came && !this.#stopped) this.#guard(async () => void (await this.#options.registration.sync()))
  }

  stop(): void {
    this.#stopped = true
    this.#cancel()
    this.#cancelLook?.()
    this.#unwatch()
  }

  #follow(): void {
    const { clock, everyMs, registration, partials } = this.#options
    this.#cancel = clock.after(everyMs(), () => {
      this.#guard(async () => {
        await this.#look()
        await registration.sync()
        await partials.sweep()
      })
      if (!this.#stopped) this.#follow()
    })
  }

  #resumeRemovals(): void {
    const { sources, jobs, wake } = this.#options
    const begun = sources.list().filter(({ state }) => state === 'removing')
    for (const { id } of begun) jobs.add(REMOVE, String(id))
    if (begun.length > 0) wake()
  }

  /** Changes that a file system does not tell of are found by the regular look. */
  #watch(): void {
    const { folder, clock, log } = this.#options
    if (this.#stopped) return
    this.#unwatch = watchFolder(folder, {
      clock,
      ...TOUCHED_MS,
      counts: (name) => name === null || /^[^.].*\.zim(?:[a-z]{2})?$/i.test(name),
      onTouched: () => this.#touched(),
      onBlind: (error) =>
        log.warn(
          { folder, error: errorText(error) },
          'the folder of archives cannot be watched: it is looked at regularly'
        )
    })
  }

  /** Readers come to no page of a file that is not what it was; what it is now is found once it is still. */
  #touched(): void {
    const { folder, clock } = this.#options
    if (this.#stopped) return
    this.#guard(async () => this.#withdraw(await listArchives(folder)))
    this.#cancelLook ??= clock.after(STILL_MS + 500, () => {
      this.#cancelLook = null
      this.#guard(() => this.#look())
    })
  }

  /** Sources whose file is gone, or has another size, are not registered any more, at once. */
  async #withdraw(archives: readonly FoundArchive[]): Promise<void> {
    const { sources, registration } = this.#options
    const sizes = new Map(archives.map(({ filename, sizeBytes }) => [filename, sizeBytes]))
    const wrong = sources.list().filter((row) => row.state === 'present' && sizes.get(row.filename) !== row.sizeBytes)
    for (const { id, filename } of wrong) sources.setState(id, 'missing', sizes.has(filename) ? CHANGED : GONE)
    if (wrong.length > 0 && !this.#stopped) await registration.sync()
  }

  async #look(): Promise<void> {
    const { folder, sources, clock } = this.#options
    this.#lookedAt = clock.now()
    const archives = await listArchives(folder)
    this.#tellWorker(newsOf(archives, sources.list()))
    await this.#withdraw(archives)
  }

  #tellWorker(news: string): void {
    const { jobs, wake } = this.#options
    if (news === '' || news === this.#seen || this.#stopped) return
    // The same difference again: the worker has seen it, and keeps it on purpose, such as an archive of a version to come.
    this.#seen = news
    jobs.add(DETECT, DETECT_SUBJECT)
    wake()
  }

  #guard(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      if (!this.#stopped)
        this.#options.log.warn({ err: error }, `the library could not be looked at: ${errorText(error)}`)
    })
  }
}

/** The state of the folder that the rows do not say, or say otherwise; '' when they agree. */
function newsOf(archives: readonly FoundArchive[], rows: readonly LibrarySource[]): string {
  const byName = new Map(rows.map((row) => [row.filename, row]))
  const differing = archives.filter(({ filename, sizeBytes, mtime }) => {
    const row = byName.get(filename)
    if (row?.state === 'removing') return false
    const isJudged = row?.state === 'present' || row?.state === 'damaged'
    return !isJudged || row.sizeBytes !== sizeBytes || row.mtime !== mtime
  })
  const here = new Set(archives.map(({ filename }) => filename))
  const gone = rows.filter(({ filename, state }) => state === 'present' && !here.has(filename))
  return [
    ...differing.map(({ filename, sizeBytes, changedAt }) => `${filename} ${sizeBytes} ${changedAt}`),
    ...gone.map(({ filename }) => `- ${filename}`)
  ].join('\n')
}
