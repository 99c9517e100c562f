import type { Clock } from '../../platform/clock/clock.ts'
import { errorText } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { JobStore } from '../jobs/store.ts'
import { type FoundArchive, listArchives } from './archive-folder.ts'
import type { ArchiveReceiver } from './arrival.ts'
import { arrivedSubject, DETECT, DETECT_SUBJECT } from './detect-job.ts'
import type { Registration } from './registration.ts'
import { REMOVE } from './remove-job.ts'
import type { LibraryServer } from './server.ts'
import type { LibrarySource } from './source.ts'
import type { LibrarySources } from './sources.ts'

/** Somebody looks at the list again and again: the folder is not looked at more often. */
const LEAST_LOOK_MS = 10_000

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

  async #look(): Promise<void> {
    const { folder, sources, jobs, wake, clock } = this.#options
    this.#lookedAt = clock.now()
    const news = newsOf(await listArchives(folder), sources.list())
    if (news === '' || news === this.#seen || this.#stopped) return
    // The same difference again: the worker has seen it, and keeps it on purpose, such as a broken file.
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
    return row?.state !== 'present' || row.sizeBytes !== sizeBytes || row.mtime !== mtime
  })
  const here = new Set(archives.map(({ filename }) => filename))
  const gone = rows.filter(({ filename, state }) => state === 'present' && !here.has(filename))
  return [
    ...differing.map(({ filename, sizeBytes, changedAt }) => `${filename} ${sizeBytes} ${changedAt}`),
    ...gone.map(({ filename }) => `- ${filename}`)
  ].join('\n')
}
