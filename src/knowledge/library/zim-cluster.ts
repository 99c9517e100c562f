import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { type ArchiveFile, readU64 } from './zim-file.ts'
import { unxz } from './zim-xz.ts'
import { type ReadFrame, unzstd } from './zim-zstd.ts'

/** A cluster is held unpacked as a whole: makers cut them at 2 MiB, one large page makes a larger one. */
export const MAX_CLUSTER_BYTES = 32 * 1024 * 1024
const POINTER_BYTES = 8
const CHUNK_BYTES = 256 * 1024
const EXTENDED = 0x10

/** The packings of the format; `zip` and `bzip2` were never in use. */
const PACKING: Readonly<Record<number, 'none' | 'xz' | 'zstd'>> = { 0: 'none', 1: 'none', 4: 'xz', 5: 'zstd' }

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

  constructor({ file, listAt, count, keep }: { file: ArchiveFile; listAt: number; count: number; keep: number }) {
    this.#file = file
    this.#listAt = listAt
    this.#keep = keep
    this.count = count
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
    if (index >= this.count) throw damaged()
    const what = because('zim_cluster', { number: index })
    const at = readU64(this.#file.read(this.#listAt + index * POINTER_BYTES, POINTER_BYTES, what), 0)
    const info = this.#file.read(at, 1, what)[0] ?? 0
    const width = (info & EXTENDED) === 0 ? 4 : 8
    const packing = PACKING[info & 0x0f]
    if (packing === undefined)
      throw new AppError('unsupported', because('zim_packing_unknown', { packing: info & 0x0f }))
    const start = at + 1
    if (packing === 'none') return { width, read: (from, length) => this.#file.read(start + from, length, what) }
    const unpack = packing === 'zstd' ? unzstd : unxz
    const content = await unpack(this.#ahead(start, what), MAX_CLUSTER_BYTES)
    return { width, read: (from, length) => slice(content, from, length) }
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

function slice(content: Buffer, from: number, length: number): Buffer {
  if (from + length > content.length) throw damaged()
  return content.subarray(from, from + length)
}

function damaged(): AppError {
  return new AppError('bad-input', because('zim_content_outside'))
}
