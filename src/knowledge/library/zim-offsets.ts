import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { readU64 } from './zim-file.ts'

/** Read at once. */
const CHUNK_BYTES = 64 * 1024

/** One number of the list of offsets a cluster begins with. */
export function readOffset(bytes: Buffer, at: number, width: 4 | 8): number {
  return width === 8 ? readU64(bytes, at) : bytes.readUInt32LE(at)
}

interface OffsetList {
  /** Of the cluster. */
  index: number
  width: 4 | 8
  /** Bytes the cluster can have. */
  size: number
}

/**
 * The first offset says how long the list is; each piece begins where the one before it ends, the last ends within the
 * cluster (libzim: Cluster::read_header). @throws AppError `bad-input`.
 */
export function checkOffsets(read: (at: number, length: number) => Buffer, { index, width, size }: OffsetList): void {
  const wrong = (): AppError => new AppError('bad-input', because('zim_cluster_offsets', { number: index }))
  if (size < width) throw wrong()
  const first = readOffset(read(0, width), 0, width)
  if (first % width !== 0 || first < 2 * width || first > size) throw wrong()
  let before = first
  for (let at = 0; at < first; at += CHUNK_BYTES) {
    const bytes = read(at, Math.min(CHUNK_BYTES, first - at))
    for (let place = 0; place < bytes.length; place += width) {
      const offset = readOffset(bytes, place, width)
      if (offset < before || offset > size) throw wrong()
      before = offset
    }
  }
}
