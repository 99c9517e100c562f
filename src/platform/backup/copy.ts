import { createHash, randomBytes } from 'node:crypto'
import { chmod, type FileHandle, mkdir, open, rename, stat, statfs, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError, errorText } from '../errors.ts'
import { errorCode } from '../files/atomic-file.ts'

export interface Copied {
  /** SHA-256 of what was read and written. */
  hash: string
  size: number
}

/** Bytes within a file: a member of an archive. */
export interface Span {
  path: string
  at: number
  size: number
}

const CHUNK_BYTES = 256 * 1024
/** File systems without modes or without synced folders (a USB stick) answer with one of these. */
const NOT_HERE = new Set(['EPERM', 'ENOTSUP', 'EINVAL', 'ENOSYS', 'EISDIR', 'EBADF'])

/** Recognises the name of a copy that is not whole yet. */
export const isLeftover = (name: string): boolean => /^\.copying-[0-9a-f]{16}$/.test(name)

/**
 * Copies a file, hashed on the way, on the disk before it gets its name; `nameOf` may want the hash for that, and answers
 * null when the bytes are there already. Nothing is left of a copy that fails. Throws ENOENT when the source is gone.
 */
export async function copyHashed(
  from: string | Span,
  folder: string,
  nameOf: (copied: Copied) => Promise<string | null>,
  mode: number
): Promise<Copied> {
  const span = typeof from === 'string' ? { path: from, at: 0, size: Number.POSITIVE_INFINITY } : from
  const source = await open(span.path, 'r')
  const temporary = join(folder, `.copying-${randomBytes(8).toString('hex')}`)
  try {
    const target = await open(temporary, 'wx', 0o600)
    let copied: Copied
    try {
      copied = await pour(source, target, span)
      await target.sync()
    } finally {
      await target.close()
    }
    const name = await nameOf(copied)
    if (name === null) await unlink(temporary)
    else {
      await setMode(temporary, mode)
      await rename(temporary, join(folder, name))
    }
    return copied
  } catch (error) {
    await removeIfThere(temporary)
    throw spaceOr(error, folder)
  } finally {
    await source.close()
  }
}

/** SHA-256 and length of a file, read piece by piece. */
export async function hashOf(path: string): Promise<Copied> {
  const source = await open(path, 'r')
  try {
    return await pour(source, null, { at: 0, size: Number.POSITIVE_INFINITY })
  } finally {
    await source.close()
  }
}

async function pour(source: FileHandle, target: FileHandle | null, span: Pick<Span, 'at' | 'size'>): Promise<Copied> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  let size = 0
  for (;;) {
    const wanted = Math.min(CHUNK_BYTES, span.size - size)
    const { bytesRead } = wanted === 0 ? { bytesRead: 0 } : await source.read(buffer, 0, wanted, span.at + size)
    if (bytesRead === 0) return { hash: hash.digest('hex'), size }
    const piece = buffer.subarray(0, bytesRead)
    hash.update(piece)
    size += bytesRead
    for (let at = 0; target !== null && at < bytesRead; ) at += (await target.write(piece, at)).bytesWritten
  }
}

/** A file system that knows no modes keeps its own: the manifest has them. */
export async function setMode(path: string, mode: number): Promise<void> {
  try {
    await chmod(path, mode)
  } catch (error) {
    if (!NOT_HERE.has(errorCode(error))) throw error
  }
}

/** Makes a folder that others may not look into. @throws AppError `unavailable`. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode })
  } catch (error) {
    throw new AppError('unavailable', because('cannot_make_folder', { folder: path, said: errorText(error) }), {
      cause: error
    })
  }
}

/** Names in a folder survive a power cut after this. */
export async function syncNames(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!NOT_HERE.has(errorCode(error))) throw error
  } finally {
    await handle.close()
  }
}

/** Bytes that may still be written where `path` is, or will be. */
export async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    return freeBytes(dirname(path))
  }
}

/** Stays free beside what is written: a disk filled to its last byte helps nobody. */
const SPARE_BYTES = 32 * 1024 * 1024

/** @throws AppError `no-space` saying how much is missing. */
export async function checkSpace(folder: string, needed: number, free = freeBytes): Promise<void> {
  const missing = needed + SPARE_BYTES - (await free(folder))
  if (missing > 0)
    throw new AppError(
      'no-space',
      because('not_enough_space_in', { folder, needed: inMegabytes(needed), missing: inMegabytes(missing) })
    )
}

export const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`

/** Size of a file, or null when there is none. */
export async function sizeIfThere(path: string): Promise<number | null> {
  try {
    const found = await stat(path)
    return found.isFile() ? found.size : null
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
    throw error
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (errorCode(error) === '') throw error
  }
}

function spaceOr(error: unknown, folder: string): unknown {
  const code = errorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('no-space', because('disk_of_is_full', { folder }), { cause: error })
  if (code === 'EFBIG')
    return new AppError('unavailable', because('file_system_too_small', { folder: basename(folder) }), { cause: error })
  return error
}
