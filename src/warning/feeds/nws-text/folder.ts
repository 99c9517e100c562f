import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { because, type Reason } from '../../../model/reason.ts'
import { sha256Hex } from '../../../platform/bytes/hash.ts'
import { errorText, reasonOf } from '../../../platform/errors.ts'
import { asBag, textOf } from '../reading/json.ts'
import type { PushTools } from '../source.ts'

export interface FolderWatch {
  folder: string
  everySeconds: number
  /** Takes the bytes of one file. `known`: the file lay there long before anybody looked. Never rejects. */
  take(name: string, bytes: Uint8Array, known: boolean): Promise<void>
}

/** A file is whole when it has not changed for so long. Milliseconds. */
const STILL_MS = 2000
/** On the very first look, files older than this are history. Milliseconds. */
const HISTORY_MS = 2 * 3600 * 1000
const MAX_BYTES = 8 * 1024 * 1024
const MAX_FILES = 20_000
/** Names that programs give to files they still write. */
const UNFINISHED = /^\.|~$|\.(?:tmp|part|partial|filepart|crdownload|swp)$/i

/** The state of a file at the last look, and since when. */
interface Look {
  size: number
  mtimeMs: number
  since: number
}

/** A file as it was read. */
interface Remembered {
  size: number
  mtimeMs: number
  hash: string
}

/** Files read longer ago than this are looked at in every twentieth scan only. Milliseconds. */
const SETTLED_MS = 3600 * 1000
const SETTLED_SCANS = 20

/**
 * Reads every file of a folder once it is whole, also those that are replaced later. Files are never moved or deleted.
 * A folder that is not there yet is waited for.
 */
export function watchFolder(watch: FolderWatch, tools: PushTools): { close(): Promise<void> } {
  const watcher = new Watcher(watch, tools)
  watcher.start()
  return { close: () => watcher.close() }
}

class Watcher {
  readonly #watch: FolderWatch
  readonly #tools: PushTools
  readonly #looks = new Map<string, Look>()
  /** The files that were read, as they are remembered. */
  readonly #read = new Map<string, Remembered>()
  #scans = 0
  #problem: Reason | null = null
  #state = ''
  #closed = false
  #cancel: () => void = () => undefined
  #work: Promise<void> = Promise.resolve()

  constructor(watch: FolderWatch, tools: PushTools) {
    this.#watch = watch
    this.#tools = tools
    for (const [key, value] of tools.memory.entries('file:')) {
      const remembered = rememberedOf(value)
      if (remembered !== null) this.#read.set(key.slice('file:'.length), remembered)
    }
  }

  start(): void {
    this.#work = this.#scan()
      .catch((error: unknown) => this.#report('down', reasonOf(error)))
      .then(() => {
        if (this.#closed) return
        this.#cancel = this.#tools.clock.after(this.#watch.everySeconds * 1000, () => this.start())
      })
  }

  async #scan(): Promise<void> {
    const { folder } = this.#watch
    const names = await this.#list(folder)
    if (names === null) return
    const isFirst = this.#tools.memory.get('begun') !== true
    this.#problem = null
    const all = this.#scans++ % SETTLED_SCANS === 0
    for (const name of names) if (!this.#closed && (all || !this.#isSettled(name))) await this.#look(name, isFirst)
    this.#forget(new Set(names))
    if (isFirst && !this.#closed && names.every((name) => this.#read.has(name))) this.#tools.memory.set('begun', true)
    this.#report('ready', this.#problem)
  }

  #isSettled(name: string): boolean {
    const remembered = this.#read.get(name)
    return remembered !== undefined && this.#tools.clock.now() - remembered.mtimeMs > SETTLED_MS
  }

  /** Names of files, oldest names first; null when the folder cannot be read now. */
  async #list(folder: string): Promise<string[] | null> {
    try {
      const entries = await readdir(folder, { withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name))
      const names = files.map(({ name }) => name).sort()
      if (names.length <= MAX_FILES) return names
      this.#report('down', because('folder_too_many_files', { most: MAX_FILES, folder }))
    } catch (error) {
      this.#report('down', because('folder_unreadable', { folder, said: errorText(error) }))
    }
    return null
  }

  async #look(name: string, isFirst: boolean): Promise<void> {
    const path = join(this.#watch.folder, name)
    const now = this.#tools.clock.now()
    const found = await this.#attempt(name, () => stat(path))
    if (found === null) return
    const { size, mtimeMs } = found
    const remembered = this.#read.get(name)
    if (remembered?.mtimeMs === mtimeMs && remembered.size === size) return
    const before = this.#looks.get(name)
    if (before === undefined || before.size !== size || before.mtimeMs !== mtimeMs) {
      this.#looks.set(name, { size, mtimeMs, since: now })
      return
    }
    if (now - before.since < STILL_MS) return
    await this.#readFile(name, path, { size, mtimeMs }, isFirst && now - mtimeMs > HISTORY_MS)
  }

  /** Null for a file that went away meanwhile, or that may not be read: the second is reported, and tried again. */
  async #attempt<T>(name: string, task: () => Promise<T>): Promise<T | null> {
    try {
      return await task()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
        this.#problem = because('dropped_unreadable', { file: name, said: errorText(error) })
      return null
    }
  }

  async #readFile(name: string, path: string, look: { size: number; mtimeMs: number }, known: boolean): Promise<void> {
    const { counted, memory } = this.#tools
    const bytes = look.size > MAX_BYTES ? null : await this.#attempt(name, () => readFile(path))
    if (bytes === null && look.size <= MAX_BYTES) return
    this.#looks.delete(name)
    const hash = bytes === null ? '' : sha256Hex(bytes)
    if (bytes === null)
      counted({ bytes: look.size, refused: because('file_longer_than', { file: name, mib: MAX_BYTES / 1024 / 1024 }) })
    else if (hash !== this.#read.get(name)?.hash) await this.#watch.take(name, bytes, known)
    this.#read.set(name, { ...look, hash })
    memory.set(`file:${name}`, { ...look, hash })
  }

  /** Files that are gone are forgotten: one of the same name is a new one. */
  #forget(names: ReadonlySet<string>): void {
    for (const name of this.#looks.keys()) if (!names.has(name)) this.#looks.delete(name)
    for (const name of this.#read.keys()) {
      if (names.has(name)) continue
      this.#read.delete(name)
      this.#tools.memory.delete(`file:${name}`)
    }
  }

  #report(state: 'ready' | 'down', reason: Reason | null): void {
    const now = JSON.stringify([state, reason])
    if (now === this.#state) return
    this.#state = now
    this.#tools.report(state, reason)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#work
  }
}

function rememberedOf(value: unknown): Remembered | null {
  const bag = asBag(value)
  const [size, mtimeMs] = [bag?.['size'], bag?.['mtimeMs']]
  return typeof size === 'number' && typeof mtimeMs === 'number' ? { size, mtimeMs, hash: textOf(bag?.['hash']) } : null
}
