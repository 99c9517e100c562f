import { readdir, rm, stat, unlink } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { because } from '../../model/reason.ts'
import { copyDatabase } from '../database/database-copy.ts'
import { AppError } from '../errors.ts'
import { errorCode } from '../files/atomic-file.ts'
import { holdLock } from '../files/data-lock.ts'
import {
  checkSpace,
  copyHashed,
  freeBytes,
  hashOf,
  isLeftover,
  makeFolder,
  setMode,
  sizeIfThere,
  syncNames
} from './copy.ts'
import { type BackedFile, BackupFolder, FOLDER_MODE, type LeftOut } from './manifest.ts'
import { rewind } from './rewind.ts'
import { DATABASES, type Seen, type Survey, survey } from './survey.ts'

export interface Progress {
  files: number
  ofFiles: number
  bytes: number
}

export interface BackupOptions {
  dataFolder: string
  backupFolder: string
  withKeys: boolean
  withArchives: boolean
  version: string
  now: () => number
  tell: (text: string) => void
  onProgress: (progress: Progress) => void
  /** Tests pass their own. */
  free?: (path: string) => Promise<number>
}

export interface MadeBackup {
  stamp: string
  folder: string
  files: number
  /** Bytes of everything the manifest names. */
  bytes: number
  /** Bytes that were written this time. */
  written: number
  leftOut: LeftOut[]
}

/** Files of a station at work move while they are copied; looked for again so often. */
const MAX_LOOKS = 5

/**
 * Adds one stamp to a folder of backups while the station may run: SQLite's own copies of its databases, its settings, and its
 * files by their content, each content once. What is in the folder already is never changed, so what is deleted on the
 * station stays in the stamps before (L6). Complete when the manifest is there, which comes last.
 * @throws AppError `missing`, `usage`, `no-space`, `conflict` when another backup runs, `unavailable`.
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const dataFolder = resolve(options.dataFolder)
  const folder = new BackupFolder(resolve(options.backupFolder))
  if (folder.path === dataFolder) throw new AppError('usage', because('backup_not_in_data'))
  const looked = await survey({ ...options, dataFolder, backupFolder: folder.path })
  if (looked.databases.length === 0 && !looked.settings.some(({ path }) => path === 'config.json'))
    throw new AppError('missing', because('no_station_folder', { folder: dataFolder }))
  await makeFolder(folder.path, FOLDER_MODE)
  await makeFolder(folder.objects, FOLDER_MODE)
  const release = await lock(folder)
  try {
    return await new Run(folder, { ...options, dataFolder }).make(looked)
  } finally {
    release()
  }
}

/** One at a time works on a folder of backups. @throws AppError `conflict`. */
export async function lock(folder: BackupFolder): Promise<() => void> {
  try {
    return await holdLock(join(folder.path, 'backup.lock'))
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'conflict') throw cause
    throw new AppError('conflict', because('other_backup_works', { folder: folder.path }), { cause })
  }
}

class Run {
  readonly #folder: BackupFolder
  readonly #options: BackupOptions
  /** Contents copied in this run, by what stays the same when a file is moved. */
  readonly #copied = new Map<string, string>()
  /** The newest stamp's record of each path. */
  #before = new Map<string, BackedFile>()
  #written = 0
  #bytes = 0

  constructor(folder: BackupFolder, options: BackupOptions) {
    this.#folder = folder
    this.#options = options
  }

  async make(first: Survey): Promise<MadeBackup> {
    const { now, version, dataFolder } = this.#options
    await this.#clear()
    await this.#readNewest()
    await this.#checkSpace(first)
    const madeAt = now()
    const stamp = await this.#folder.freeStamp(madeAt)
    // Most of the bytes, before the moment that counts.
    await this.#copyDocuments(first.documents)
    await makeFolder(this.#folder.stampFolder(stamp), FOLDER_MODE)
    const databases = await this.#copyDatabases(first, stamp)
    const { looked, documents } = await this.#settle()
    const settings = await this.#copySettings(looked.settings, stamp)
    const hasRows = databases.some(({ path }) => path === 'knowledge.db')
    const copy = join(this.#folder.stampFolder(stamp), 'knowledge.db')
    const filed = hasRows ? await rewind(documents, { dataFolder, copy }) : documents
    const files = [...databases, ...settings, ...filed].sort((a, b) => (a.path < b.path ? -1 : 1))
    await syncNames(this.#folder.objects)
    await syncNames(this.#folder.stampFolder(stamp))
    const made_at = new Date(madeAt).toISOString()
    await this.#folder.complete(stamp, { made_by: version, made_at, files, left_out: looked.leftOut })
    await syncNames(this.#folder.path)
    return {
      stamp,
      folder: this.#folder.stampFolder(stamp),
      files: files.length,
      leftOut: looked.leftOut,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      written: this.#written
    }
  }

  /** Removes the remains of runs that were cut off: no manifest names them. */
  async #clear(): Promise<void> {
    for (const stamp of (await this.#folder.stamps()).cutOff) {
      this.#options.tell(`${stamp} was cut off and is removed`)
      await rm(this.#folder.stampFolder(stamp), { recursive: true })
    }
    for (const name of await readdir(this.#folder.objects))
      if (isLeftover(name)) await unlink(join(this.#folder.objects, name))
  }

  async #readNewest(): Promise<void> {
    const newest = (await this.#folder.stamps()).complete.at(-1)
    if (newest === undefined) return
    const { files } = await this.#folder.manifest(newest)
    this.#before = new Map(files.map((file) => [file.path, file]))
  }

  async #checkSpace({ databases, settings, documents }: Survey): Promise<void> {
    let needed = 0
    for (const { bytes } of databases) needed += bytes
    for (const { size } of settings) needed += size
    for (const file of documents) if ((await this.#kept(file)) === null) needed += file.size
    await checkSpace(this.#folder.path, needed, this.#options.free ?? freeBytes)
  }

  /** The hash of a file that has not been touched since the newest stamp, when its content is there. */
  async #kept({ path, size, modifiedMs }: Seen): Promise<string | null> {
    const before = this.#before.get(path)
    if (before?.stored !== 'objects' || before.size !== size || before.modified_ms !== modifiedMs) return null
    return (await sizeIfThere(join(this.#folder.objects, before.hash))) === size ? before.hash : null
  }

  async #copyDatabases({ databases }: Survey, stamp: string): Promise<BackedFile[]> {
    const copied: BackedFile[] = []
    for (const name of DATABASES.filter((name) => databases.some((found) => found.name === name))) {
      this.#options.tell(`copying ${name}`)
      const [from, to] = [join(this.#options.dataFolder, name), join(this.#folder.stampFolder(stamp), name)]
      const { mode, mtimeMs } = await stat(from)
      await copyDatabase(from, to)
      await setMode(to, mode & 0o777)
      const { hash, size } = await hashOf(to)
      this.#written += size
      copied.push({ path: name, hash, size, mode: mode & 0o777, modified_ms: mtimeMs, stored: 'stamp' })
    }
    return copied
  }

  async #copySettings(settings: readonly Seen[], stamp: string): Promise<BackedFile[]> {
    const copied: BackedFile[] = []
    for (const { path, mode, modifiedMs } of settings) {
      const from = join(this.#options.dataFolder, path)
      const done = await unlessGone(() => copyHashed(from, this.#folder.stampFolder(stamp), async () => path, mode))
      if (done === null) continue
      this.#written += done.size
      copied.push({ ...done, path, mode, modified_ms: modifiedMs, stored: 'stamp' })
    }
    return copied
  }

  /** Looks until nothing has moved between looking and copying; what was copied once is known wherever it goes. */
  async #settle(): Promise<{ looked: Survey; documents: BackedFile[] }> {
    const { dataFolder } = this.#options
    for (let looks = 1; ; looks++) {
      const looked = await survey({ ...this.#options, dataFolder, backupFolder: this.#folder.path })
      const { files, gone } = await this.#copyDocuments(looked.documents)
      if (gone.length === 0 || looks === MAX_LOOKS) return { looked, documents: files }
    }
  }

  async #copyDocuments(documents: readonly Seen[]): Promise<{ files: BackedFile[]; gone: string[] }> {
    const files: BackedFile[] = []
    const gone: string[] = []
    this.#bytes = 0
    for (const file of documents) {
      const done = await unlessGone(() => this.#content(file))
      if (done === null) gone.push(file.path)
      else files.push({ path: file.path, ...done, mode: file.mode, modified_ms: file.modifiedMs, stored: 'objects' })
      this.#bytes += file.size
      this.#options.onProgress({ files: files.length, ofFiles: documents.length, bytes: this.#bytes })
    }
    return { files, gone }
  }

  async #content(file: Seen): Promise<{ hash: string; size: number }> {
    const key = `${file.inode} ${file.size} ${file.modifiedMs}`
    const known = this.#copied.get(key) ?? (await this.#kept(file))
    if (known !== null && known !== undefined) {
      this.#copied.set(key, known)
      return { hash: known, size: file.size }
    }
    const { objects } = this.#folder
    const done = await copyHashed(
      join(this.#options.dataFolder, file.path),
      objects,
      async ({ hash, size }) => {
        if ((await sizeIfThere(join(objects, hash))) === size) return null
        this.#written += size
        return hash
      },
      0o600
    )
    // One that was still being written is read again at the next look.
    if (done.size === file.size) this.#copied.set(key, done.hash)
    return done
  }
}

/** Null when the file went away before it was read. */
async function unlessGone<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** True when `inner` is `outer` or lies below it. */
export function isBelow(inner: string, outer: string): boolean {
  const way = relative(outer, inner)
  return way !== '..' && !way.startsWith(`..${sep}`)
}
