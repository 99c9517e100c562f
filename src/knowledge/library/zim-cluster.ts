import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { type ArchiveFile, ReadAhead, readU64 } from './zim-file.ts'
import { checkOffsets, readOffset } from './zim-offsets.ts'
import { readStreamHeader, unxz } from './zim-xz.ts'
import { FRAME_HEADER_BYTES, type ReadFrame, readFrameHeader, unzstd } from './zim-zstd.ts'

/** A cluster is held unpacked as a whole: makers cut them at 2 MiB, one large page makes a larger one. */
export const MAX_CLUSTER_BYTES = 32 * 1024 * 1024
const POINTER_BYTES = 8
const CHUNK_BYTES = 256 * 1024
const EXTENDED = 0x10

/** The packings of the format; `zip` and `bzip2` were never in use. */
const PACKING: Readonly<Record<number, Packing>> = { 0: 'none', 1: 'none', 4: 'xz', 5: 'zstd' }
type Packing = 'none' | keyof typeof UNPACK
const UNPACK = { xz: unxz, zstd: unzstd }

/** Pieces of content that are stored together. */
interface Cluster {
  /** Bytes from a position within it; of one that is not packed, straight from the file. */
  read: (at: number, length: number) => Buffer
  /** Bytes of one number of its list of offsets. */
  width: 4 | 8
}

/** The contents of an archive; the last `keep` unpacked clusters stay in memory. */
export class Clusters {
  readonly #file: ArchiveFile
  readonly #listAt: number
  readonly #keep: number
  readonly count: number
  readonly #held = new Map<number, Cluster>()
  readonly #pointers: ReadAhead

  constructor({ file, listAt, count, keep }: { file: ArchiveFile; listAt: number; count: number; keep: number }) {
    this.#file = file
    this.#listAt = listAt
    this.#keep = keep
    this.count = count
    this.#pointers = new ReadAhead(file, because('zim_list_clusters'))
  }

  /** One piece. @throws AppError `bad-input`; `too-large` beyond `limit` bytes; `unsupported`. */
  async blob(cluster: number, blob: number, limit: number): Promise<Buffer> {
    const { read, width } = await this.#cluster(cluster)
    const number = (at: number): number => {
      const bytes = read(at * width, width)
      return width === 8 ? readU64(bytes, 0) : bytes.readUInt32LE(0)
    }
    const first = number(0)
    if (first % width !== 0 || blob + 1 >= first / width) throw damaged()
    const [from, to] = [number(blob), number(blob + 1)]
    if (from < first || to < from || !Number.isFinite(to)) throw damaged()
    if (to - from > limit) throw new AppError('too-large', because('more_than_mib', { limit: limit / 2 ** 20 }))
    return read(from, to - from)
  }

  /** Where a piece lies in the file; null when it is packed. @throws AppError `bad-input`. */
  place(cluster: number, blob: number): { at: number; length: number } | null {
    const { start, width, packing, what } = this.#open(cluster)
    if (packing !== 'none') return null
    const number = (index: number): number => readOffset(this.#file.read(start + index * width, width, what), 0, width)
    const [from, to] = [number(blob), number(blob + 1)]
    if (to < from || !Number.isFinite(to)) throw damaged()
    return { at: start + from, length: to - from }
  }

  /**
   * Looks at how a cluster begins, and at the order of its offsets: of a packed one only with `unpack`. Content that cannot be
   * unpacked is no fault here: whoever reads it hears of it. @throws AppError `bad-input`.
   */
  async check(index: number, { unpack }: { unpack: boolean }): Promise<void> {
    const { start, width, packing, what } = this.#open(index)
    if (packing === 'none') {
      checkOffsets((at, length) => this.#file.read(start + at, length, what), {
        index,
        width,
        size: this.#file.size - start
      })
      return
    }
    const ahead = this.#ahead(start, what)
    if (packing === 'zstd') readFrameHeader(ahead(0, FRAME_HEADER_BYTES))
    else readStreamHeader(ahead)
    const content = unpack ? await unpacked(packing, ahead) : null
    if (content !== null)
      checkOffsets((at, length) => slice(content, at, length), { index, width, size: content.length })
  }

  async #cluster(index: number): Promise<Cluster> {
    const held = this.#held.get(index)
    if (held !== undefined) return held
    // Room first: two are never in memory where one is to be kept.
    for (const oldest of this.#held.keys()) {
      if (this.#held.size < this.#keep) break
      this.#held.delete(oldest)
    }
    const cluster = await this.#load(index)
    this.#held.set(index, cluster)
    return cluster
  }

  async #load(index: number): Promise<Cluster> {
    const { start, width, packing, what } = this.#open(index)
    if (packing === 'none') return { width, read: (from, length) => this.#file.read(start + from, length, what) }
    const content = await UNPACK[packing](this.#ahead(start, what), MAX_CLUSTER_BYTES)
    return { width, read: (from, length) => slice(content, from, length) }
  }

  /** How a cluster begins. @throws AppError `bad-input`, `unsupported`. */
  #open(index: number): { start: number; width: 4 | 8; packing: Packing; what: Reason } {
    if (index >= this.count) throw damaged()
    const what = because('zim_cluster', { number: index })
    const at = this.offset(index)
    const info = this.#file.read(at, 1, what)[0] ?? 0
    const packing = PACKING[info & 0x0f]
    if (packing === undefined)
      throw new AppError('unsupported', because('zim_packing_unknown', { packing: info & 0x0f }))
    return { start: at + 1, width: (info & EXTENDED) === 0 ? 4 : 8, packing, what }
  }

  /** Where a cluster lies in the file. @throws AppError `bad-input`. */
  offset(index: number): number {
    return readU64(this.#pointers.at(this.#listAt + index * POINTER_BYTES, POINTER_BYTES), 0)
  }

  /** Bytes from a position on, fewer at the end of the file; what was read is held until the cluster is unpacked. */
  #ahead(start: number, what: Reason): ReadFrame {
    let held: Buffer = Buffer.alloc(0)
    return (at, length) => {
      if (at + length > held.length)
        held = this.#file.readUpTo(start, Math.max(at + length, held.length * 2, CHUNK_BYTES), what)
      return held.subarray(at, at + length)
    }
  }
}

/** Null when it cannot be unpacked, or only by somebody with more memory. */
async function unpacked(packing: keyof typeof UNPACK, read: ReadFrame): Promise<Buffer | null> {
  try {
    return await UNPACK[packing](read, MAX_CLUSTER_BYTES)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable') return null
    throw error
  }
}

function slice(content: Buffer, from: number, length: number): Buffer {
  if (from + length > content.length) throw damaged()
  return content.subarray(from, from + length)
}

function damaged(): AppError {
  return new AppError('bad-input', because('zim_content_outside'))
}
