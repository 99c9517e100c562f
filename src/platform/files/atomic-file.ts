import { randomBytes } from 'node:crypto'
import { chown, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError } from '../errors.ts'

/** The file operations an atomic write is made of; tests pass failing ones to prove the order. */
export const atomicFileSystem = { chown, open, readdir, rename, stat, unlink }
export type AtomicFileSystem = typeof atomicFileSystem

export interface AtomicOptions {
  /** Permission bits of the new file; without it those of the file it replaces, else 0o600. */
  mode?: number
  fs?: AtomicFileSystem
}

const DEFAULT_MODE = 0o600
const LEFTOVER_MS = 60_000
/** A few file systems cannot fsync a folder; they answer with one of these. */
const FOLDER_SYNC_UNSUPPORTED = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EBADF'])

/** The `code` of a file-system error such as `ENOENT`, or '' for anything else. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/**
 * Replaces `path` so that after a power cut it holds the old text or the new one, whole: temporary file beside it,
 * fsync, rename, fsync of the folder. On failure the old file is untouched and the temporary one is removed.
 * @throws AppError `no-space` when the disk is full, `unavailable` when it may not be written.
 */
export async function writeFileAtomic(path: string, text: string, options: AtomicOptions = {}): Promise<void> {
  const fs = options.fs ?? atomicFileSystem
  const temporary = join(dirname(path), `${temporaryPrefix(path)}${randomBytes(6).toString('hex')}.tmp`)
  try {
    await writeTemporary(fs, path, temporary, text, options.mode)
    await fs.rename(temporary, path)
  } catch (error) {
    await removeQuietly(fs, temporary)
    throw explained(error, path)
  }
  await syncFolder(dirname(path), fs)
}

/**
 * Writes a file that is not there yet, for its owner alone, and syncs it. What cannot be written whole is taken away again.
 * @throws AppError `usage` when the name is taken: nothing is overwritten; `no-space`, `unavailable`.
 */
export async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  const fs = atomicFileSystem
  let handle: Awaited<ReturnType<typeof open>>
  try {
    handle = await fs.open(path, 'wx', DEFAULT_MODE)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new AppError('usage', because('import_file_exists', { file: path }))
    throw explained(error, path)
  }
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } catch (error) {
    await removeQuietly(fs, path)
    throw explained(error, path)
  } finally {
    await handle.close()
  }
}

/** Removes temporary files which a power cut left beside `path`. Those younger than a minute may be in use and stay. */
export async function removeLeftovers(
  path: string,
  now: number,
  fs: AtomicFileSystem = atomicFileSystem
): Promise<void> {
  const folder = dirname(path)
  const prefix = temporaryPrefix(path)
  for (const name of await fs.readdir(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith('.tmp')) continue
    const file = join(folder, name)
    const { mtimeMs } = await fs.stat(file)
    if (now - mtimeMs > LEFTOVER_MS) await removeQuietly(fs, file)
  }
}

function temporaryPrefix(path: string): string {
  return `.${basename(path)}.`
}

async function writeTemporary(
  fs: AtomicFileSystem,
  path: string,
  temporary: string,
  text: string,
  mode: number | undefined
): Promise<void> {
  const previous = await statOrNull(fs, path)
  const bits = mode ?? (previous === null ? DEFAULT_MODE : previous.mode & 0o777)
  const handle = await fs.open(temporary, 'wx', bits)
  try {
    // The mode of `open` is cut by the umask; a file replaced keeps what it had.
    await handle.chmod(bits)
    await handle.writeFile(text, 'utf8')
    await handle.sync()
  } finally {
    await handle.close()
  }
  await keepOwner(fs, temporary, previous ?? (await statOrNull(fs, dirname(path))))
}

/** A verb run with sudo must not leave files that the service's own user cannot read. */
async function keepOwner(
  fs: AtomicFileSystem,
  temporary: string,
  like: { uid: number; gid: number } | null
): Promise<void> {
  if (like === null || process.getuid?.() !== 0) return
  if (like.uid !== 0 || like.gid !== 0) await fs.chown(temporary, like.uid, like.gid)
}

async function statOrNull(
  fs: AtomicFileSystem,
  path: string
): Promise<{ mode: number; uid: number; gid: number } | null> {
  try {
    return await fs.stat(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function removeQuietly(fs: AtomicFileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path)
  } catch (error) {
    // Never made, or gone already; anything else must not hide the failure that led here.
    if (errorCode(error) === '') throw error
  }
}

/**
 * Gives a whole file its place: its bytes are on the disk before the name, and the name is before this resolves. Only then
 * may anybody say that it is there.
 */
export async function placeFile(
  temporary: string,
  path: string,
  fs: Pick<AtomicFileSystem, 'open' | 'rename'> = atomicFileSystem
): Promise<void> {
  const handle = await fs.open(temporary, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  await fs.rename(temporary, path)
  await syncFolder(dirname(path), fs)
}

/** Names in this folder survive a power cut after this. */
export async function syncFolder(folder: string, fs: Pick<AtomicFileSystem, 'open'> = atomicFileSystem): Promise<void> {
  const handle = await fs.open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!FOLDER_SYNC_UNSUPPORTED.has(errorCode(error))) throw explained(error, folder)
  } finally {
    await handle.close()
  }
}

function explained(error: unknown, path: string): unknown {
  const code = errorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('no-space', because('no_space_to_write', { path }), { cause: error })
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const why = code === 'EROFS' ? because('disk_read_only') : because('user_may_not_write')
    return new AppError('unavailable', because('cannot_write', { path, why }), { cause: error })
  }
  if (code === 'EIO') return new AppError('unavailable', because('cannot_write_io', { path }), { cause: error })
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const why = because('folder_not_where_it_was')
    return new AppError('unavailable', because('cannot_write', { path, why }), { cause: error })
  }
  return error
}
