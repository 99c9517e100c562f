import { lstat, readdir, readFile } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { because, isReason, isSame as isSameReason, type Reason, shortened } from '../../../model/reason.ts'
import { sentenceOf } from '../../../model/words/sentences.ts'
import { sha256Hex } from '../../../platform/bytes/hash.ts'
import { AppError, errorText } from '../../../platform/errors.ts'
import { makeBelow } from '../../../platform/files/make-below.ts'
import { asBag, numberOf, textOf } from '../reading/json.ts'
import { clip } from '../reading/prose.ts'
import type { PushTools, SourceReading } from '../source.ts'
import { saidItems } from '../status.ts'
import { readAnyDropped } from './read.ts'
import type { FolderSettings } from './settings.ts'

/** Names programs give to files they have not finished. */
const UNFINISHED = /^\.|\.(?:part|partial|filepart|crdownload|tmp|temp|swp)$|~$/i
const MAX_FILES = 10_000

/** A file as the folder shows it: bytes, and milliseconds of its last change. */
interface Seen {
  name: string
  size: number
  mtime: number
}

/** The memory of a file that was taken; `refused` says why it brought nothing. */
interface Taken {
  size: number
  mtime: number
  hash: string
  refused: Reason | null
}

/**
 * The folder of the settings. A relative path must lead inside the data folder, and not to the data folder itself.
 * Throws AppError `bad-input`.
 */
export function folderOf({ path }: FolderSettings, dataFolder: string): string {
  if (isAbsolute(path)) return resolve(path)
  const folder = resolve(dataFolder, path)
  const inside = relative(resolve(dataFolder), folder)
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) {
    throw new AppError('bad-input', because('folder_not_inside', { path }))
  }
  return folder
}

/** Looks at a folder now and then, and takes every file in it once: when it is complete, and again when it has changed. */
export class FolderWatch {
  readonly #settings: FolderSettings
  readonly #tools: PushTools
  readonly #folder: string
  /** Files that may still grow, and since when (epoch milliseconds) they look the same. */
  #settling = new Map<string, Seen & { since: number }>()
  #cancel: () => void = () => undefined
  #scanning: Promise<void> = Promise.resolve()
  #closed = false

  constructor(settings: FolderSettings, tools: PushTools) {
    this.#settings = settings
    this.#tools = tools
    this.#folder = folderOf(settings, tools.dataFolder)
  }

  /** A relative folder is made when it is not there; one elsewhere is the owner's. */
  async start(): Promise<void> {
    if (!isAbsolute(this.#settings.path)) await makeBelow(this.#tools.dataFolder, this.#folder)
    this.#next(0)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#scanning
  }

  #next(ms: number): void {
    this.#cancel = this.#tools.clock.after(ms, () => {
      this.#scanning = this.#scan().then(() => {
        if (!this.#closed) this.#next(this.#waitMs())
      })
    })
  }

  /** Sooner while a file settles. */
  #waitMs(): number {
    const { scan_seconds, settle_seconds } = this.#settings
    return 1000 * (this.#settling.size > 0 ? Math.min(scan_seconds, settle_seconds) : scan_seconds)
  }

  async #scan(): Promise<void> {
    try {
      const files = await this.#list()
      for (const file of this.#complete(files)) {
        if (this.#closed) return
        await this.#take(file)
      }
      this.#forget(new Set(files.map(({ name }) => name)))
      this.#tools.report('ready', this.#refusals())
    } catch (error) {
      if (this.#closed) return
      const said = clip(errorText(error), 300)
      this.#tools.report('down', because('folder_unusable', { folder: this.#settings.path, said }))
    }
  }

  /** Plain files, longest unchanged first; links, folders and pipes are left alone. */
  async #list(): Promise<Seen[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true })
    const names = entries.flatMap((entry) => (entry.isFile() && !UNFINISHED.test(entry.name) ? [entry.name] : []))
    const files: Seen[] = []
    for (const name of names.slice(0, MAX_FILES)) {
      const seen = await this.#look(name)
      if (seen !== null) files.push(seen)
    }
    return files.sort((a, b) => a.mtime - b.mtime || (a.name < b.name ? -1 : 1))
  }

  /** Null when it is gone, or no plain file any more. */
  async #look(name: string): Promise<Seen | null> {
    try {
      const found = await lstat(join(this.#folder, name))
      return found.isFile() ? { name, size: found.size, mtime: found.mtimeMs } : null
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }
  }

  /** The files that are not taken yet and have kept size and time long enough. */
  #complete(files: readonly Seen[]): Seen[] {
    const now = this.#tools.clock.now()
    const settling = new Map<string, Seen & { since: number }>()
    const complete: Seen[] = []
    for (const file of files) {
      if (isSame(this.#taken(file.name), file)) continue
      const before = this.#settling.get(file.name)
      const since = isSame(before, file) ? (before?.since ?? now) : now
      if (now - since >= this.#settings.settle_seconds * 1000) complete.push(file)
      else settling.set(file.name, { ...file, since })
    }
    this.#settling = settling
    return complete
  }

  async #take(file: Seen): Promise<void> {
    const body = await this.#bodyOf(file)
    // It changed while it was read: it settles anew.
    if (!isSame(await this.#look(file.name), file)) return
    const hash = isReason(body) ? '' : sha256Hex(body)
    const before = this.#taken(file.name)
    if (hash !== '' && before?.hash === hash) {
      this.#remember(file, { ...before, size: file.size, mtime: file.mtime })
      return
    }
    const refused = isReason(body) ? body : await this.#handOn(body, file.name)
    // A file that could not be read may be readable at the next look, with the same size and time.
    const size = refused?.code === 'dropped_cannot_be_read' ? -1 : file.size
    this.#remember(file, { size, mtime: file.mtime, hash, refused })
    if (refused === null) return this.#tools.counted({ bytes: file.size })
    if (isSameReason(before?.refused ?? null, refused)) return
    this.#tools.counted({ bytes: file.size, refused: because('file_said', { file: file.name, why: refused }) })
    this.#tools.log.warn({ file: file.name, reason: sentenceOf(refused) }, 'a file was refused')
  }

  /** The bytes, or why there are none. */
  async #bodyOf({ name, size }: Seen): Promise<Uint8Array | Reason> {
    const { max_megabytes } = this.#settings
    if (size > max_megabytes * 1024 * 1024) return because('dropped_too_long', { mb: max_megabytes })
    try {
      return await readFile(join(this.#folder, name))
    } catch (error) {
      return because('dropped_cannot_be_read', { said: clip(errorText(error), 200) })
    }
  }

  /** Hands the events of a file on; answers why there are none, or null. Rejects when they cannot be stored now. */
  async #handOn(body: Uint8Array, name: string): Promise<Reason | null> {
    const reading = await this.#read(body)
    if (isReason(reading)) return reading
    const { events, skipped } = reading
    const [first] = skipped
    if (first !== undefined) {
      this.#tools.log.warn({ file: name, skipped: saidItems(skipped) }, 'some of a file was skipped')
    }
    if (events.length > 0) await this.#tools.accept(events)
    return events.length === 0 && first !== undefined
      ? because('file_said', { file: first.id, why: first.reason })
      : null
  }

  async #read(body: Uint8Array): Promise<SourceReading | Reason> {
    const { source, families, clock, readAny } = this.#tools
    try {
      return await readAnyDropped(body, this.#settings, {
        source,
        families: families(),
        receivedAt: clock.now(),
        readAny
      })
    } catch (error) {
      if (error instanceof AppError) return shortened(error.reason, 300)
      throw error
    }
  }

  #taken(name: string): Taken | null {
    const kept = asBag(this.#tools.memory.get(`file:${name}`))
    const [size, mtime] = [numberOf(kept?.['size']), numberOf(kept?.['mtime'])]
    if (kept === null || size === null || mtime === null) return null
    return { size, mtime, hash: textOf(kept['hash']), refused: refusalFrom(kept['refused']) }
  }

  #remember({ name }: Seen, taken: Taken): void {
    this.#tools.memory.set(`file:${name}`, taken)
  }

  /** Of files that are gone nothing is kept. */
  #forget(names: ReadonlySet<string>): void {
    for (const [key] of this.#tools.memory.entries('file:')) {
      if (!names.has(key.slice('file:'.length))) this.#tools.memory.delete(key)
    }
  }

  /** One sentence on the files that lie there and were refused, or null. */
  #refusals(): Reason | null {
    const refused = this.#tools.memory.entries('file:').flatMap(([key, value]) => {
      const why = refusalFrom(asBag(value)?.['refused'])
      return why === null ? [] : [because('file_said', { file: key.slice('file:'.length), why })]
    })
    const [first] = refused
    return first === undefined ? null : because('files_refused', { count: refused.length, first })
  }
}

/** As it is remembered; versions before codes remembered a sentence, or '' for none. */
function refusalFrom(kept: unknown): Reason | null {
  if (isReason(kept)) return kept
  const text = textOf(kept)
  return text === '' ? null : because('note', { text })
}

function isSame(one: { size: number; mtime: number } | null | undefined, other: Seen): boolean {
  return one?.size === other.size && one.mtime === other.mtime
}
