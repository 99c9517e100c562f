import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, statfsSync } from 'node:fs'
import { type FileHandle, open, statfs, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import { namesIn } from '../../platform/files/names-in.ts'
import { INTAKE_FOLDERS } from '../catalogue/status.ts'
import { HEAD_BYTES } from './sniff.ts'

/** Bytes that have arrived, under a name nobody looks at. */
export interface Part {
  path: string
  size: number
  /** SHA-256, 64 hex digits. */
  hash: string
}

export interface PartLimits {
  /** Null: no limit but the space. */
  maxBytes: number | null
  /** So much stays free on the disk. */
  minFreeBytes: number
  /** The length it says it has; 0 = it does not say. A longer one than allowed is refused before a byte is read. */
  announced?: number
  /** Gets the first 4096 bytes, or all of a shorter file; throws to refuse the rest. */
  look?: (head: Buffer) => void
}

/** Free bytes of the file system a folder is on; tests pass their own. */
export type FreeBytes = (folder: string) => Promise<number>

export const freeBytes: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Beside the parts: the folder of a web page that is being read begins with this. */
export const PAGE_FOLDER = 'page-'

/** Other writers fill the disk too: looked at again after so many bytes. */
const LOOK_AGAIN_BYTES = 16 * 1024 * 1024

/** @throws AppError `no-space` when less than the floor would be left. */
export async function checkSpace(folder: string, wanted: number, minFree: number, free = freeBytes): Promise<void> {
  const left = (await free(folder)) - wanted
  if (left < minFree)
    throw new AppError(
      'no-space',
      because('upload_no_space', { left: megabytes(Math.max(0, left)), kept: megabytes(minFree) })
    )
}

/** Of the floor of uploads this much is left to the ledger alone: what came in before may use the rest. */
const LEDGER_SHARE = 1 / 4

/** Why no work is begun that takes room; null: there is some. */
export function shortOfRoom(folder: string, minFree: number): AppError | null {
  const { bavail, bsize } = statfsSync(folder)
  const floor = minFree * LEDGER_SHARE
  const left = bavail * bsize
  if (left >= floor) return null
  return new AppError('no-space', because('room_for_warnings_alone', { left: megabytes(left), kept: megabytes(floor) }))
}

/** @throws AppError `too-large`. */
export function checkSize(size: number, maxBytes: number | null): void {
  if (maxBytes !== null && size > maxBytes)
    throw new AppError('too-large', because('upload_too_large', { limit: megabytes(maxBytes), bytes: maxBytes }))
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)

/**
 * Writes a stream to a new file in `folder`, hashed on the way, never holding more than a piece of it, fsynced. Whatever
 * goes wrong, nothing is left behind. @throws AppError `too-large`, `no-space`, `bad-input` when the stream breaks off.
 */
export async function storePart(
  content: AsyncIterable<Uint8Array>,
  folder: string,
  limits: PartLimits,
  free: FreeBytes = freeBytes
): Promise<Part> {
  expectErrors(content)
  // A folder of its own beside what arrives, in a folder of the data folder.
  await makeBelow(dirname(dirname(folder)), folder)
  checkSize(limits.announced ?? 0, limits.maxBytes)
  await checkSpace(folder, limits.announced ?? 0, limits.minFreeBytes, free)
  const path = join(folder, `${randomBytes(12).toString('hex')}.part`)
  const handle = await open(path, 'wx')
  try {
    const { hash, size } = await fill(handle, content, { ...limits, folder, free })
    await handle.sync()
    await handle.close()
    return { path, size, hash }
  } catch (error) {
    await handle.close()
    await removeFile(path)
    throw explained(error)
  }
}

/**
 * Removes what uploads left in `acquired/` that were cut off with the program: their bytes, and temporary files of sidecars.
 * Only at the start of the process that takes uploads: all of it is its own. Answers how many files went.
 */
export async function removeCutOff(acquired: string): Promise<number> {
  const left = [
    ...(await namesIn(join(acquired, '.parts')))
      .filter((name) => name.endsWith('.part'))
      .map((name) => join('.parts', name)),
    ...(await Promise.all(INTAKE_FOLDERS.map((folder) => temporaryIn(acquired, folder)))).flat()
  ]
  for (const name of left) await removeFile(join(acquired, name))
  return left.length
}

async function temporaryIn(acquired: string, folder: string): Promise<string[]> {
  const names = await namesIn(join(acquired, folder))
  return names.filter((name) => name.startsWith('.') && name.endsWith('.tmp')).map((name) => join(folder, name))
}

/** A stream may break before anybody reads it: that is told to the reader then, and must not end the program. */
export function expectErrors(content: AsyncIterable<Uint8Array>): void {
  if (content instanceof Readable) content.on('error', () => undefined)
}

async function fill(
  handle: FileHandle,
  content: AsyncIterable<Uint8Array>,
  { maxBytes, minFreeBytes, look, folder, free }: PartLimits & { folder: string; free: FreeBytes }
): Promise<{ hash: string; size: number }> {
  const hash = createHash('sha256')
  const head = new Head(look)
  let size = 0
  let unchecked = 0
  for await (const chunk of pieces(content)) {
    size += chunk.length
    unchecked += chunk.length
    checkSize(size, maxBytes)
    head.take(chunk)
    if (unchecked >= LOOK_AGAIN_BYTES) {
      await checkSpace(folder, 0, minFreeBytes, free)
      unchecked = 0
    }
    hash.update(chunk)
    await writeAll(handle, chunk)
  }
  head.end()
  return { hash: hash.digest('hex'), size }
}

/** A stream that breaks is the sender's doing, not ours. */
async function* pieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('bad-input', because('upload_cut_off'), { cause })
  }
}

/** Gathers the first bytes until there are enough to look at. */
class Head {
  #look: ((head: Buffer) => void) | undefined
  #pieces: Uint8Array[] = []
  #size = 0

  constructor(look: ((head: Buffer) => void) | undefined) {
    this.#look = look
  }

  take(chunk: Uint8Array): void {
    if (this.#look === undefined) return
    this.#pieces.push(chunk)
    this.#size += chunk.length
    if (this.#size >= HEAD_BYTES) this.end()
  }

  end(): void {
    const look = this.#look
    this.#look = undefined
    if (look !== undefined) look(Buffer.concat(this.#pieces).subarray(0, HEAD_BYTES))
    this.#pieces = []
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
}

/** SHA-256 of a file, read piece by piece. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}

/** A file that is gone already is as good. */
export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

/** A full disk and a read-only one are told as what they are. */
export function explained(error: unknown): unknown {
  const code = errorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('no-space', because('disk_full_remove'), { cause: error })
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
    return new AppError('unavailable', because('data_folder_unwritable'), { cause: error })
  if (code === 'EIO') return new AppError('unavailable', because('data_folder_fails'), { cause: error })
  return error
}
