import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { type ReadAhead, readU64 } from './zim-file.ts'

/** The kind of an entry, by its first bytes: its path and title are read on demand. */
export interface EntryHead {
  kind: 'item' | 'redirect' | 'none'
  /** Number of its media type. */
  mime: number
  /** One letter. */
  namespace: string
  /** Of an item. */
  cluster: number
  blob: number
  /** Of a redirect: index of the entry it leads to. */
  target: number
}

/** The names of an entry as they stand in the file: they are ordered by their bytes. */
export interface EntryBytes {
  head: EntryHead
  path: Buffer
  /** Empty when it is the path. */
  title: Buffer
}

export interface ZimEntry extends EntryHead {
  index: number
  /** Without its namespace. */
  path: string
  /** Empty when it is the path. */
  title: string
}

const REDIRECT = 0xffff
/** `linktarget` and `deleted` of old archives: nothing to read. */
const FIRST_WITHOUT_CONTENT = 0xfffd
const HEAD_BYTES = 16
/** A longer path or title is none. */
const MAX_TEXT_BYTES = 16 * 1024
const POINTER_BYTES = 8

interface Lists {
  pathListAt: number
  entryCount: number
  pointers: ReadAhead
  entries: ReadAhead
}

/** The directory of an archive: its entries, ordered by namespace and path. */
export class Directory {
  readonly #lists: Lists

  constructor(lists: Lists) {
    this.#lists = lists
  }

  get count(): number {
    return this.#lists.entryCount
  }

  /** @throws AppError `bad-input`. */
  head(index: number): EntryHead {
    return headOf(this.#at(this.offset(index), HEAD_BYTES))
  }

  /** @throws AppError `bad-input`. */
  entry(index: number): ZimEntry {
    const { head, path, title } = this.bytes(index)
    return { ...head, index, path: path.toString('utf8'), title: title.toString('utf8') }
  }

  /** By binary search: bytes are compared, as the format orders them. Null: there is none. @throws AppError `bad-input`. */
  find(namespace: string, path: string): ZimEntry | null {
    const wanted = Buffer.from(path)
    const letter = namespace.charCodeAt(0)
    let low = 0
    let high = this.count - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const found = this.bytes(middle)
      const order = found.head.namespace.charCodeAt(0) - letter || Buffer.compare(found.path, wanted)
      if (order === 0) return this.entry(middle)
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return null
  }

  /** Where an entry lies in the file. @throws AppError `bad-input`. */
  offset(index: number): number {
    if (index < 0 || index >= this.count) throw new AppError('bad-input', because('zim_no_entry', { entry: index }))
    const at = this.#lists.pathListAt + index * POINTER_BYTES
    const bytes = this.#lists.pointers.at(at, POINTER_BYTES)
    if (bytes.length < POINTER_BYTES) throw cutOff()
    return readU64(bytes, 0)
  }

  #at(offset: number, least: number): Buffer {
    if (!Number.isFinite(offset)) throw cutOff()
    return this.#lists.entries.at(offset, least)
  }

  /** @throws AppError `bad-input`. */
  bytes(index: number): EntryBytes {
    const offset = this.offset(index)
    const bytes = this.#at(offset, HEAD_BYTES)
    const head = headOf(bytes)
    const start = head.kind === 'item' ? 16 : head.kind === 'redirect' ? 12 : 8
    for (const least of [256, 2 * MAX_TEXT_BYTES + HEAD_BYTES]) {
      const more = this.#at(offset, least)
      const pathEnd = more.indexOf(0, start)
      const titleEnd = pathEnd === -1 ? -1 : more.indexOf(0, pathEnd + 1)
      if (titleEnd === -1) continue
      if (Math.max(pathEnd - start, titleEnd - pathEnd) > MAX_TEXT_BYTES) break
      return { head, path: more.subarray(start, pathEnd), title: more.subarray(pathEnd + 1, titleEnd) }
    }
    throw new AppError('bad-input', because('zim_path_endless', { entry: index }))
  }
}

function headOf(bytes: Buffer): EntryHead {
  if (bytes.length < HEAD_BYTES) {
    // The last entry of a file may be a redirect with an empty path.
    if (bytes.length < 12) throw cutOff()
    return headOf(Buffer.concat([bytes, Buffer.alloc(HEAD_BYTES)]))
  }
  const mime = bytes.readUInt16LE(0)
  const kind = mime === REDIRECT ? 'redirect' : mime >= FIRST_WITHOUT_CONTENT ? 'none' : 'item'
  return {
    kind,
    mime,
    namespace: String.fromCharCode(bytes[3] ?? 0),
    cluster: kind === 'item' ? bytes.readUInt32LE(8) : 0,
    blob: kind === 'item' ? bytes.readUInt32LE(12) : 0,
    target: kind === 'redirect' ? bytes.readUInt32LE(8) : 0
  }
}

function cutOff(): AppError {
  return new AppError('bad-input', because('zim_entry_outside'))
}
