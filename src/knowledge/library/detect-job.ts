import { because } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Job, JobKind, JobResult, JobTools } from '../jobs/job.ts'
import type { JobStore } from '../jobs/store.ts'
import { type FoundArchive, findArchive, listArchives, STILL_MS } from './archive-folder.ts'
import type { ArchiveFacts } from './archive-lines.ts'
import type { ArchiveReader } from './archive-reader.ts'
import type { LibrarySource } from './source.ts'
import { INGEST, type LibrarySources } from './sources.ts'
import { claimedUuid } from './zim-header.ts'

export const DETECT = 'detect-archives'
/** Its subject; `folder:NAME` says besides that the file of this name is whole, as whoever put it there knows. */
export const DETECT_SUBJECT = 'folder'
/** The subject after an archive was put into the folder in one step. */
export const arrivedSubject = (filename: string): string => `${DETECT_SUBJECT}:${filename}`
/** A document of the archive that was here before is being worked on; by then that has ended. */
const BUSY_MS = 30_000

/** The findings of one look at the folder; ids of sources. */
export interface Detection {
  added: number[]
  /** Another archive under the same name, or the same one written anew. */
  changed: number[]
  back: number[]
  gone: number[]
  refused: number[]
}

export interface DetectParts {
  sources: LibrarySources
  jobs: JobStore
  reader: ArchiveReader
  /** Absolute: where the archives lie. */
  folder: string
  /** Removes what was read from an archive that another one replaces; `busy`: some are being worked on, ask again. */
  removeDocuments: (sourceId: number, signal: AbortSignal) => Promise<{ busy: number }>
  /** Called after a look that changed something: the library file is to be written anew. */
  onChange: (detection: Detection) => void
  now: () => number
  log: Pick<Log, 'info' | 'warn'>
}

/** Faults of the archive; anything else passes, and is tried again. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['bad-input', 'unsupported', 'too-large', 'timeout'])
/** The reason of a source whose file is not in the folder. */
export const GONE = because('archive_gone')

/**
 * Job `detect-archives`, see `DETECT_SUBJECT`: compares the folder of archives with the sources. New archives become sources with
 * ingest off; what is damaged is refused with the reason; what is gone is marked and comes back with its file. Repeatable.
 */
export function detectJob(parts: DetectParts): JobKind {
  return {
    kind: DETECT,
    pool: 'detect',
    maxAttempts: 5,
    run: (job, tools) => new Look(parts, tools).run(job),
    onDead: (_job, reason) =>
      parts.log.warn({ reason: sentenceOf(reason) }, 'the folder of archives could not be looked at')
  }
}

class Look {
  readonly #parts: DetectParts
  readonly #tools: JobTools
  readonly #found: Detection = { added: [], changed: [], back: [], gone: [], refused: [] }
  /** The time to look again: something is being written, or worked on. */
  #again: number | null = null
  /** Somebody knows that this one is whole. */
  #whole = ''

  constructor(parts: DetectParts, tools: JobTools) {
    this.#parts = parts
    this.#tools = tools
  }

  async run({ kind, subject }: Pick<Job, 'kind' | 'subject'>): Promise<JobResult> {
    const { sources, jobs, folder } = this.#parts
    this.#whole = subject.slice(DETECT_SUBJECT.length + 1)
    try {
      const archives = await listArchives(folder)
      this.#markGone(new Set(archives.map(({ filename }) => filename)))
      for (const archive of archives) {
        this.#tools.signal.throwIfAborted()
        this.#tools.progress(because('note', { text: archive.filename }))
        await this.#look(archive)
      }
      // A job that was lost, for whatever reason, is nobody's wish.
      for (const { id } of sources.list()) if (jobs.get(INGEST, String(id)) === null) sources.expectJob(id)
    } finally {
      this.#tell()
    }
    const dueAt = this.#again
    return {
      end: 'done',
      commit: () => {
        if (dueAt !== null) jobs.add(kind, DETECT_SUBJECT, { dueAt })
      }
    }
  }

  #tell(): void {
    const { onChange, log } = this.#parts
    const counts = Object.fromEntries(Object.entries(this.#found).map(([name, ids]) => [name, ids.length]))
    if (Object.values(counts).every((count) => count === 0)) return
    log.info(counts, 'the archives of the library changed')
    onChange(this.#found)
  }

  #markGone(names: ReadonlySet<string>): void {
    const { sources } = this.#parts
    for (const { id, filename, uuid, state, reason } of sources.list()) {
      if (names.has(filename) || state === 'removing' || (state === 'missing' && reason?.code === GONE.code)) continue
      // One that was never anything but refused leaves nothing to come back to.
      if (uuid === '') sources.forget(id)
      else sources.setState(id, 'missing', GONE)
      this.#found.gone.push(id)
    }
  }

  async #look(archive: FoundArchive): Promise<void> {
    const { sources, now } = this.#parts
    const known = sources.byFilename(archive.filename)
    if (known?.state === 'removing') return
    const isSame = known?.sizeBytes === archive.sizeBytes && known.mtime === archive.mtime
    if (isSame && isJudged(known)) return
    // A scraper or a copy may be writing. A clock that was set back must not keep us waiting for ever.
    const age = now() - archive.changedAt
    const mayGrow = age >= 0 && age < STILL_MS && archive.filename !== this.#whole
    if (mayGrow) this.#lookAgain(archive.changedAt + STILL_MS)
    else await this.#read(archive, known)
  }

  #lookAgain(at: number): void {
    this.#again = Math.min(this.#again ?? Number.POSITIVE_INFINITY, Math.ceil(at))
  }

  async #read(archive: FoundArchive, known: LibrarySource | null): Promise<void> {
    const { reader, now } = this.#parts
    try {
      const facts = await reader.facts(archive.path, this.#tools.signal)
      if (await this.#isWritten(archive)) this.#lookAgain(now() + STILL_MS)
      else await this.#record(archive, facts, known)
    } catch (error) {
      if (!(error instanceof AppError) || !REFUSALS.has(error.code) || this.#tools.signal.aborted) throw error
      if (await this.#isWritten(archive)) this.#lookAgain(now() + STILL_MS)
      else this.#refuse(archive, error)
    }
  }

  async #isWritten({ filename, sizeBytes, changedAt }: FoundArchive): Promise<boolean> {
    const after = await findArchive(this.#parts.folder, filename)
    return after?.sizeBytes !== sizeBytes || after.changedAt !== changedAt
  }

  #refuse(archive: FoundArchive, error: AppError): void {
    const { sources, log } = this.#parts
    const { id } =
      error.code === 'bad-input'
        ? sources.damage(archive, { reason: error.reason, claimedUuid: claimedUuid(archive.path) ?? '' })
        : sources.refuse(archive, because('archive_refused', { why: error.reason }))
    this.#found.refused.push(id)
    log.warn({ file: archive.filename, reason: sentenceOf(error.reason) }, 'an archive cannot be used')
  }

  async #record(archive: FoundArchive, facts: ArchiveFacts, known: LibrarySource | null): Promise<void> {
    const { sources, removeDocuments, now } = this.#parts
    const isOther = known !== null && known.uuid !== '' && known.uuid !== facts.uuid
    if (isOther) {
      // Nothing more is read from the file while what was read from the old one goes.
      sources.setState(known.id, 'missing', because('archive_replaced'))
      const { busy } = await removeDocuments(known.id, this.#tools.signal)
      if (busy > 0) {
        // Neither size nor time of the new file is known yet: it is seen again.
        this.#lookAgain(now() + BUSY_MS)
        return
      }
    }
    const damaged = known === null ? sources.list().find((other) => isDamagedCopy(other, facts)) : undefined
    const { id } = damaged === undefined ? sources.record(archive, facts) : sources.adopt(damaged, archive, facts)
    const before = known ?? damaged
    const isBack = before !== undefined && before.state !== 'present' && before.uuid === facts.uuid
    const list = before === undefined || before.uuid === '' ? 'added' : isBack ? 'back' : 'changed'
    this.#found[list].push(id)
  }
}

/** An archive that is the same is known; one that was refused is refused still. */
function isJudged({ state, reason }: LibrarySource): boolean {
  return state === 'present' || state === 'damaged' || reason?.code === 'archive_refused'
}

/** One that was read when its file was whole. */
function isDamagedCopy({ state, uuid }: LibrarySource, facts: ArchiveFacts): boolean {
  return state === 'damaged' && uuid !== '' && uuid === facts.uuid
}
