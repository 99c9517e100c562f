import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { because, type Reason } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'

interface Part {
  descriptor: number
  /** The offset of its beginning in the whole. */
  from: number
  size: number
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
/** Read at once where what follows is likely to be wanted next, and where somebody jumps about. */
const WINDOW_BYTES = 64 * 1024
const JUMP_BYTES = 4096

/** The files an archive lies in: the one of this name, or its parts `.zimaa`, `.zimab` …, up to the first that is absent. */
export function archiveParts(path: string, exists: (path: string) => boolean = existsSync): string[] {
  if (exists(path)) return [path]
  const parts: string[] = []
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const part = `${path}${first}${second}`
      if (!exists(part)) return parts
      parts.push(part)
    }
  }
  return parts
}

/** An archive as one row of bytes, whether it is one file or several. Every read is checked against its size. */
export class ArchiveFile {
  readonly #parts: readonly Part[]
  readonly size: number

  private constructor(parts: readonly Part[]) {
    this.#parts = parts
    this.size = parts.reduce((sum, { size }) => sum + size, 0)
  }

  /** @throws AppError `not-found`, `unavailable` when it cannot be opened. */
  static open(path: string): ArchiveFile {
    const names = archiveParts(path)
    if (names.length === 0) throw new AppError('not-found', because('no_archive_at', { path }))
    const parts: Part[] = []
    let from = 0
    try {
      for (const name of names) {
        const descriptor = openSync(name, 'r')
        const { size } = fstatSync(descriptor)
        parts.push({ descriptor, from, size })
        from += size
      }
    } catch (error) {
      for (const { descriptor } of parts) closeSync(descriptor)
      const code = errorCode(error) === 'ENOENT' ? 'not-found' : 'unavailable'
      throw new AppError(code, because('archive_not_opened', { said: reasonOf(error) }), { cause: error })
    }
    return new ArchiveFile(parts)
  }

  close(): void {
    for (const { descriptor } of this.#parts) closeSync(descriptor)
  }

  /** Exactly these bytes. @throws AppError `bad-input` when they do not lie in the file, `unavailable` when the disk fails. */
  read(offset: number, length: number, what: Reason): Buffer {
    if (!Number.isSafeInteger(offset) || offset < 0 || length < 0 || offset + length > this.size)
      throw new AppError('bad-input', because('zim_lies_outside', { what }))
    const bytes = Buffer.allocUnsafe(length)
    let done = 0
    while (done < length) done += this.#readSome(bytes, done, offset + done, what)
    return bytes
  }

  /** These bytes, fewer at the end of the file. */
  readUpTo(offset: number, length: number, what: Reason): Buffer {
    return this.read(offset, Math.max(0, Math.min(length, this.size - offset)), what)
  }

  #readSome(bytes: Buffer, at: number, offset: number, what: Reason): number {
    const part = this.#parts.find(({ from, size }) => offset >= from && offset < from + size)
    if (part === undefined) throw new AppError('bad-input', because('zim_not_in_file', { what }))
    const wanted = Math.min(bytes.length - at, part.from + part.size - offset)
    let count: number
    try {
      count = readSync(part.descriptor, bytes, at, wanted, offset - part.from)
    } catch (error) {
      throw new AppError('unavailable', because('archive_not_read', { said: reasonOf(error) }), { cause: error })
    }
    if (count === 0) throw new AppError('unavailable', because('archive_shorter', { what }))
    return count
  }
}

/** Small reads that follow one another, made of few large ones. */
export class ReadAhead {
  readonly #file: ArchiveFile
  readonly #what: Reason
  #from = 0
  #bytes: Buffer = Buffer.alloc(0)

  constructor(file: ArchiveFile, what: Reason) {
    this.#file = file
    this.#what = what
  }

  /** At least `least` bytes from `offset` on, fewer only at the end of the file. @throws AppError `bad-input`. */
  at(offset: number, least: number): Buffer {
    const start = offset - this.#from
    if (start < 0 || start + least > this.#bytes.length) {
      const atEnd = start >= 0 && start < this.#bytes.length && this.#from + this.#bytes.length === this.#file.size
      if (atEnd) return this.#bytes.subarray(start)
      const follows = start >= 0 && start <= this.#bytes.length + JUMP_BYTES
      this.#bytes = this.#file.readUpTo(offset, Math.max(least, follows ? WINDOW_BYTES : JUMP_BYTES), this.#what)
      this.#from = offset
      return this.#bytes
    }
    return this.#bytes.subarray(start)
  }
}

/** An unsigned 64-bit number, little end first; what no file can be long enough for becomes infinite. */
export function readU64(bytes: Buffer, at: number): number {
  const value = bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32
  return Number.isSafeInteger(value) ? value : Number.POSITIVE_INFINITY
}
