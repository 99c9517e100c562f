import { crc32 } from 'node:zlib'
import { because } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { exportsOf } from '../../platform/process/exports-of.ts'
import type { ReadFrame } from './zim-zstd.ts'

const HEADER_BYTES = 12
const FOOTER_BYTES = 12
const MAGIC = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])
const FOOTER_MAGIC = Buffer.from('YZ')
const CHUNK_BYTES = 256 * 1024
/** The decoder gives empty pieces when it waits; so many in a row, and it waits for what will never come. */
const MOST_EMPTY = 1000

/**
 * Unpacks one XZ stream (archives made before 2021) of unknown length whose bytes `read` gives. @throws AppError `bad-input`
 * for anything that is no such stream, `too-large` beyond `limit` bytes, packed or not.
 */
export async function unxz(read: ReadFrame, limit: number): Promise<Buffer> {
  const bytes = streamOf(read, limit)
  const { XzReadableStream } = exportsOf(await import('xz-decompress'))
  const packed = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    }
  })
  const chunks: Uint8Array[] = []
  let length = 0
  let empty = 0
  try {
    for await (const chunk of new XzReadableStream(packed)) {
      length += chunk.length
      empty = chunk.length === 0 ? empty + 1 : 0
      if (length > limit) throw tooLarge(limit)
      if (empty > MOST_EMPTY) throw damaged()
      if (chunk.length > 0) chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('bad-input', because('zim_damaged', { said: reasonOf(error) }), { cause: error })
  }
  return Buffer.concat(chunks)
}

/** The stream without what follows it: the decoder takes that for another stream. Its footer tells where it ends. */
function streamOf(read: ReadFrame, limit: number): Buffer {
  const header = readStreamHeader(read)
  let from = HEADER_BYTES
  for (let size = CHUNK_BYTES; ; size *= 2) {
    const bytes = read(0, size)
    for (let at = bytes.indexOf(FOOTER_MAGIC, from); at !== -1; at = bytes.indexOf(FOOTER_MAGIC, at + 1)) {
      if (isFooter(bytes.subarray(at + 2 - FOOTER_BYTES, at + 2), header)) return bytes.subarray(0, at + 2)
    }
    if (bytes.length < size) throw damaged()
    if (size > limit) throw tooLarge(limit)
    from = bytes.length - 1
  }
}

/** @throws AppError `bad-input` when no XZ stream begins here. */
export function readStreamHeader(read: ReadFrame): Buffer {
  const header = read(0, HEADER_BYTES)
  if (header.length < HEADER_BYTES || !header.subarray(0, 6).equals(MAGIC)) throw damaged()
  return header
}

/** XZ file format, §2.1.2: CRC32, size of the index, the flags of the header, `YZ`. */
function isFooter(footer: Buffer, header: Buffer): boolean {
  return (
    footer.length === FOOTER_BYTES &&
    footer.subarray(8, 10).equals(header.subarray(6, 8)) &&
    footer.readUInt32LE(0) === crc32(footer.subarray(4, 10))
  )
}

function damaged(): AppError {
  return new AppError('bad-input', because('zim_cluster_packing'))
}

function tooLarge(limit: number): AppError {
  return new AppError('too-large', because('zim_cluster_too_large', { limit: limit / 2 ** 20 }))
}
