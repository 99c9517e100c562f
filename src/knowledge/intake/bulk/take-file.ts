import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { errorCode } from '../../../platform/files/atomic-file.ts'
import type { NewUpload } from '../../catalogue/uploads.ts'
import { checkSize } from '../parts.ts'
import { DuplicateError, type Receiver, refuseHead } from '../receive.ts'
import { HEAD_BYTES } from '../sniff.ts'
import type { Intake } from '../take-page.ts'
import { TRANSCRIPT_TYPES, UPLOAD_TYPES } from '../upload-type.ts'
import { faultReason, isWithin } from './places.ts'

/** Read at once: a stick is slow, and nothing of a file is kept. Bytes. */
const PIECE = 256 * 1024
const CAPTIONS = /\.(?:vtt|srt)$/i

/** The disk that a file is read from does not give it: perhaps it is gone. */
export class SourceFault extends AppError {
  constructor(cause: unknown) {
    super('unavailable', faultReason(cause), { cause })
  }
}

interface Parts {
  receiver: Intake & Pick<Receiver, 'find'>
  category: string
  signal: AbortSignal
}

/**
 * Takes in one file of a folder: a copy, the original stays as it is. Its bytes are hashed where they lie, so that a duplicate under whatever
 * name costs no byte on our own disk. @throws SourceFault; AppError `invalid`, `unsupported`, `too-large`, `no-space`; DuplicateError.
 */
export async function takeFile(root: string, path: string, parts: Parts): Promise<NewUpload> {
  const handle = await fromDisk(() => openBelow(root, path))
  try {
    const found = await fromDisk(() => handle.stat())
    if (!found.isFile()) throw new AppError('invalid', because('source_no_file'))
    return await take(handle, { path, size: found.size }, parts)
  } finally {
    await handle.close()
  }
}

async function take(
  handle: FileHandle,
  { path, size }: { path: string; size: number },
  { receiver, category, signal }: Parts
): Promise<NewUpload> {
  const filename = basename(path)
  checkSize(size, receiver.settings.maxBytes)
  if (size === 0) throw new AppError('invalid', because('upload_empty'))
  refuseHead(await fromDisk(() => headOf(handle)), filename)
  const hash = createHash('sha256')
  for await (const piece of piecesOf(handle, signal)) hash.update(piece)
  const existing = await receiver.find(hash.digest('hex'))
  if (existing !== null) throw new DuplicateError(existing)
  const part = await receiver.store(piecesOf(handle, signal), { announced: size, filename })
  try {
    const facts = { filename, category, source: 'folder', more: { path } }
    const types = CAPTIONS.test(filename) ? [...UPLOAD_TYPES, ...TRANSCRIPT_TYPES] : UPLOAD_TYPES
    return await receiver.accept(part, facts, types)
  } finally {
    await receiver.drop(part)
  }
}

/**
 * Opened without following a link, and without waiting where it is a pipe. A folder on the way may have become a link since it was looked
 * through: so the kernel is asked where that which was opened truly lies.
 */
async function openBelow(root: string, path: string): Promise<FileHandle> {
  const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const true_ = await readlink(`/proc/self/fd/${handle.fd}`)
  if (isWithin(true_, root)) return handle
  await handle.close()
  throw new AppError('invalid', because('source_is_link'))
}

async function headOf(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

async function* piecesOf(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    signal.throwIfAborted()
    const { buffer, bytesRead } = await fromDisk(() => handle.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at))
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Faults of the system while the source is read are the source's, and none of our own disk. */
async function fromDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError || errorCode(error) === '') throw error
    throw new SourceFault(error)
  }
}
