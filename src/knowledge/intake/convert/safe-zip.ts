import { stat } from 'node:fs/promises'
import type { Entry, ZipFile } from 'yauzl'
import { because, type Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { membersOf, openZip, streamOf } from '../../../platform/files/zip-members.ts'
import { ZIP_LIMITS } from './limits.ts'

/**
 * An archive from a stranger, looked through before anything is unpacked and never unpacked to disk: names are only names.
 * Refused: too many members, too much unpacked, members that overlap, a ratio no text reaches (a bomb), names that lead
 * out of the archive, encryption.
 */
export class SafeZip {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** @throws AppError `bad-input` no readable archive; `too-large` a bomb; `invalid` encrypted. */
  static async open(path: string): Promise<SafeZip> {
    const { size } = await stat(path)
    const zip = await openZip(path, { strictFileNames: false }).catch((error: unknown) => {
      throw damaged(error)
    })
    try {
      return new SafeZip(zip, await directoryOf(zip, size))
    } catch (error) {
      zip.close()
      throw error instanceof AppError ? error : damaged(error)
    }
  }

  /** Names in the order of the directory. */
  get names(): string[] {
    return [...this.#entries.keys()]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** A member as text, by its byte order mark, else as UTF-8; null when there is none of that name. @throws AppError */
  async text(name: string): Promise<string | null> {
    const bytes = await this.bytes(name, ZIP_LIMITS.textBytes)
    if (bytes === null) return null
    return decode(bytes)
  }

  /** A member unpacked; null when there is none of that name. @throws AppError `too-large`, `bad-input` */
  async bytes(name: string, limit: number): Promise<Buffer | null> {
    const entry = this.#entries.get(name)
    if (entry === undefined) return null
    if (entry.uncompressedSize > limit) {
      throw new AppError('too-large', because('member_too_large', { name, size: entry.uncompressedSize, limit }))
    }
    const parts: Buffer[] = []
    try {
      // The stream ends with an error when a member is longer than the directory says.
      for await (const part of await streamOf(this.#zip, entry)) parts.push(Buffer.from(part))
    } catch (error) {
      throw damaged(error)
    }
    return Buffer.concat(parts)
  }

  /** Size of a member unpacked; 0 when there is none of that name. */
  sizeOf(name: string): number {
    return this.#entries.get(name)?.uncompressedSize ?? 0
  }

  close(): void {
    this.#zip.close()
  }
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const declared = /encoding=["']([\w-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(declared).decode(bytes)
  } catch {
    // An encoding nobody knows: most of it will be ASCII.
    return new TextDecoder().decode(bytes)
  }
}

/** Told by the words of the reader, which are not for people. */
const LEADS_OUT = /^(?:invalid relative|absolute) path: /

function damaged(cause: unknown): AppError {
  const leadsOut = cause instanceof Error && LEADS_OUT.test(cause.message)
  return new AppError('bad-input', because(leadsOut ? 'zip_leads_out' : 'zip_damaged'), { cause })
}

async function directoryOf(zip: ZipFile, fileSize: number): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  let packed = 0
  let unpacked = 0
  let count = 0
  for await (const entry of membersOf(zip)) {
    count += 1
    packed += entry.compressedSize
    unpacked += entry.uncompressedSize
    if (count > ZIP_LIMITS.entries) throw bomb(because('zip_too_many_members', { count: ZIP_LIMITS.entries }))
    if (unpacked > ZIP_LIMITS.unpackedBytes) throw bomb(because('zip_too_large'))
    if (packed > fileSize) throw bomb(because('zip_overlap'))
    if ((entry.generalPurposeBitFlag & 1) === 1) {
      throw new AppError('invalid', because('zip_locked'))
    }
    if (isBomb(entry))
      throw bomb(because('zip_member_would_grow', { name: entry.fileName, size: entry.uncompressedSize }))
    if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
  }
  return entries
}

function isBomb({ compressedSize, uncompressedSize }: Entry): boolean {
  return uncompressedSize > ZIP_LIMITS.ratioFrom && uncompressedSize > compressedSize * ZIP_LIMITS.ratio
}

function bomb(why: Reason): AppError {
  return new AppError('too-large', because('zip_not_unpacked', { why }))
}
