import { crc32, deflateSync, inflateSync } from 'node:zlib'
import type { Picture } from './embedded-picture.ts'
import { BOOK_LIMITS } from './limits.ts'
import { flatPixels, type PngHeader, pixelBytesOf } from './png-pixels.ts'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** Bits per sample that each colour type allows (PNG specification, 11.2.2). */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16]
}

interface Parts {
  header: PngHeader
  data: Buffer
}

/**
 * The PNG made anew from the chunks that matter, so that nothing unexpected reaches the PDF library. One with transparency or
 * interlacing is laid on white. Null: damaged, or its pixels are not as many as its header says (a bomb).
 */
export function usablePng(bytes: Buffer): Picture | null {
  const parts = partsOf(bytes)
  if (parts === null) return null
  const { header } = parts
  const { width, height } = header
  if (width * height > BOOK_LIMITS.picturePixels) return null
  try {
    const raw = inflateSync(parts.data, { maxOutputLength: pixelBytesOf(header) + 1 })
    if (raw.length !== pixelBytesOf(header)) return null
    if (!needsFlattening(header)) return { bytes: rebuilt(header, parts.data), width, height }
    const flat: PngHeader = {
      width,
      height,
      depth: 8,
      colourType: 2,
      interlaced: false,
      palette: null,
      transparency: null
    }
    return { bytes: rebuilt(flat, deflateSync(flatPixels(raw, header))), width, height }
  } catch {
    // zlib: damaged, or longer than it may be.
    return null
  }
}

function needsFlattening(header: PngHeader): boolean {
  return header.interlaced || header.transparency !== null || header.colourType >= 4 || header.depth === 16
}

function partsOf(bytes: Buffer): Parts | null {
  const chunks = [...chunksOf(bytes)]
  const first = chunks[0]
  const header = first?.type === 'IHDR' ? headerOf(first.body) : null
  if (header === null) return null
  header.palette = chunks.find(({ type }) => type === 'PLTE')?.body ?? null
  header.transparency = chunks.find(({ type }) => type === 'tRNS')?.body ?? null
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body))
  return data.length > 0 && hasPalette(header) ? { header, data } : null
}

/** True when a picture has the palette that colour type 3 cannot do without. */
function hasPalette({ colourType, palette }: PngHeader): boolean {
  return (
    colourType !== 3 || (palette !== null && palette.length > 0 && palette.length % 3 === 0 && palette.length <= 768)
  )
}

/** Up to the end mark, or to where the file is cut off. */
function* chunksOf(bytes: Buffer): Generator<{ type: string; body: Buffer }> {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + 8 + length)
    if (body.length !== length || type === 'IEND') return
    yield { type, body }
    at += 12 + length
  }
}

function headerOf(body: Buffer): PngHeader | null {
  if (body.length !== 13) return null
  const depth = body[8] ?? 0
  const colourType = body[9] ?? 0
  if (DEPTHS[colourType]?.includes(depth) !== true || body[10] !== 0 || body[11] !== 0) return null
  return {
    width: body.readUInt32BE(0),
    height: body.readUInt32BE(4),
    depth,
    colourType,
    interlaced: body[12] === 1,
    palette: null,
    transparency: null
  }
}

function rebuilt(header: PngHeader, data: Buffer): Buffer {
  const body = Buffer.alloc(13)
  body.writeUInt32BE(header.width, 0)
  body.writeUInt32BE(header.height, 4)
  body[8] = header.depth
  body[9] = header.colourType
  const palette = header.colourType === 3 && header.palette !== null ? [chunk('PLTE', header.palette)] : []
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', body),
    ...palette,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0))
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const out = Buffer.alloc(data.length + 12)
  out.writeUInt32BE(data.length, 0)
  out.write(type, 4, 'latin1')
  data.copy(out, 8)
  out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8)
  return out
}
