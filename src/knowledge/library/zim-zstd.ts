import * as zlib from 'node:zlib'
import { because } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'

const MAGIC = 0xfd2fb528
const MAX_BLOCK = 128 * 1024
/** The longest header of a frame. */
export const FRAME_HEADER_BYTES = 18
/** RFC 8878, §3.1.1.1.2; what makes archives uses 8 MiB. */
const MAX_WINDOW = 128 * 1024 * 1024

type Unpack = (bytes: Buffer, most: number) => Buffer

let unpacker: Promise<Unpack> | null = null

/** Bytes from a position of the frame on, at least so many or those that are left. */
export type ReadFrame = (at: number, length: number) => Buffer

/**
 * Unpacks one Zstandard frame of unknown length (RFC 8878) whose bytes `read` gives. Node's own decoder where there is one,
 * else one in JavaScript. @throws AppError `bad-input` for anything that is no such frame, `too-large` beyond `limit` bytes.
 */
export async function unzstd(read: ReadFrame, limit: number): Promise<Buffer> {
  const { length, most } = measureFrame(read, limit)
  unpacker ??= loadUnpacker()
  const unpack = await unpacker
  try {
    const content = unpack(read(0, length).subarray(0, length), most)
    if (content.length > limit) throw tooLarge(limit)
    return content
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('bad-input', because('zim_damaged', { said: reasonOf(error) }), { cause: error })
  }
}

async function loadUnpacker(): Promise<Unpack> {
  const native: unknown = Reflect.get(zlib, 'zstdDecompressSync')
  if (typeof native === 'function')
    return (bytes, most) => Reflect.apply(native, zlib, [bytes, { maxOutputLength: Math.max(1, most) }])
  const { decompress } = await import('fzstd')
  return (bytes, most) => {
    const room = Buffer.alloc(most)
    decompress(bytes, room)
    return room
  }
}

/** Goes from block to block: where the frame ends, and how much it can hold at the most. */
function measureFrame(read: ReadFrame, limit: number): { length: number; most: number } {
  const { length: start, hasChecksum } = readFrameHeader(read(0, FRAME_HEADER_BYTES))
  for (let at = start, most = 0; ; ) {
    const block = readBlockHeader(read(at, 3))
    at += block.length
    most += block.most
    if (most > limit + MAX_BLOCK) throw tooLarge(limit)
    if (block.isLast) return { length: at + (hasChecksum ? 4 : 0), most }
  }
}

/** RFC 8878, §3.1.1.2: raw, one byte repeated, or compressed. */
function readBlockHeader(head: Buffer): { length: number; most: number; isLast: boolean } {
  if (head.length < 3) throw damaged()
  const bits = head.readUIntLE(0, 3)
  const [type, size] = [(bits >> 1) & 3, bits >> 3]
  if (type === 3 || size > MAX_BLOCK) throw damaged()
  return { length: 3 + (type === 1 ? 1 : size), most: type === 2 ? MAX_BLOCK : size, isLast: (bits & 1) === 1 }
}

/** @throws AppError `bad-input`, also for a frame that needs a dictionary or a window no board has room for. */
export function readFrameHeader(head: Buffer): { length: number; hasChecksum: boolean } {
  if (head.length < 6 || head.readUInt32LE(0) !== MAGIC) throw damaged()
  const descriptor = head[4] ?? 0
  const single = (descriptor >> 5) & 1
  const sizeBytes = [single, 2, 4, 8][descriptor >> 6] ?? 0
  if ((descriptor & 0b1011) !== 0 || windowOf(head, single) > MAX_WINDOW) throw damaged()
  return { length: 6 - single + sizeBytes, hasChecksum: (descriptor & 4) !== 0 }
}

function windowOf(head: Buffer, single: number): number {
  if (single === 1) return 0
  const byte = head[5] ?? 0
  const base = 2 ** (10 + (byte >> 3))
  return base + (base / 8) * (byte & 7)
}

function damaged(): AppError {
  return new AppError('bad-input', because('zim_cluster_packing'))
}

function tooLarge(limit: number): AppError {
  return new AppError('too-large', because('zim_cluster_too_large', { limit: limit / 2 ** 20 }))
}
