import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { AppError, errorText } from '../../platform/errors.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'

interface Part {
  descriptor: number
  /** Where it begins in the whole. */
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
    if (names.length === 0) throw new AppError('not-found', `there is no archive ${path}`)
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
      throw new AppError(code, `the archive cannot be opened: ${errorText(error)}`, { cause: error })
    }
    return new ArchiveFile(parts)
  }

  close(): void {
    for (const { descriptor } of this.#parts) closeSync(descriptor)
  }

  /** Exactly these bytes. @throws AppError `bad-input` when they do not lie in the file, `unavailable` when the disk fails. */
  read(offset: number, length: number, what: string): Buffer {
    if (!Number.isSafeInteger(offset) || offset < 0 || length < 0 || offset + length > this.size)
      throw new AppError('bad-input', `the archive is damaged or cut off: ${what} lies outside of the file`)
    const bytes = Buffer.allocUnsafe(length)
    let done = 0
    while (done < length) done += this.#readSome(bytes, done, offset + done, what)
    return bytes
  }

  /** These bytes, fewer at the end of the file. */
  readUpTo(offset: number, length: number, what: string): Buffer {
    return this.read(offset, Math.max(0, Math.min(length, this.size - offset)), what)
  }

  #readSome(bytes: Buffer, at: number, offset: number, what: string): number {
    const part = this.#parts.find(({ from, size }) => offset >= from && offset < from + size)
    if (part === undefined) throw new AppError('bad-input', `the archive is cut off: ${what} is not in the file`)
    const wanted = Math.min(bytes.length - at, part.from + part.size - offset)
    let count: number
    try {
      count = readSync(part.descriptor, bytes, at, wanted, offset - part.from)
    } catch (error) {
      throw new AppError('unavailable', `the archive cannot be read: ${errorText(error)}`, { cause: error })
    }
    if (count === 0) throw new AppError('unavailable', `the archive became shorter while it was read: ${what} is gone`)
    return count
  }
}

/** Small reads that follow one another, made of few large ones. */
export class ReadAhead {
  readonly #file: ArchiveFile
  readonly #what: string
  #from = 0
  #bytes: Buffer = Buffer.alloc(0)

  constructor(file: ArchiveFile, what: string) {
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
