import type { Bytes } from './upload-type.ts'

const CHUNK_BYTES = 1024 * 1024
const SAMPLE_BYTES = 4096

/** Control characters no text has: all below blank but tab, line ends, form feed, and the end-of-file sign of old systems. */
const FORBIDDEN = new Uint8Array(256)
for (let code = 0; code < 0x20; code++) FORBIDDEN[code] = 1
for (const code of [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a]) FORBIDDEN[code] = 0
FORBIDDEN[0x7f] = 1

/** True when all of it is text, in UTF-8, UTF-16 or a single-byte code such as Latin-1: nowhere a control character. */
export async function isText(file: Bytes): Promise<boolean> {
  const wide = wideOrder(await file.read(0, SAMPLE_BYTES))
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    const chunk = await file.read(at, CHUNK_BYTES)
    if (wide === null ? hasControl(chunk) : hasWideControl(chunk, wide)) return false
    if (chunk.length === 0) break
  }
  return file.size > 0
}

/** The place of the high byte in a UTF-16 unit: by the byte order mark, else because nearly all high bytes are zero. */
function wideOrder(head: Buffer): 'little' | 'big' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'little'
  if (head[0] === 0xfe && head[1] === 0xff) return 'big'
  const units = head.length >> 1
  if (units < 8) return null
  const zeros = [0, 0]
  for (let at = 0; at < units * 2; at++) if (head[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > units * 0.8 && even === 0) return 'little'
  return even > units * 0.8 && odd === 0 ? 'big' : null
}

/** True when there is a byte no text in a single-byte code or UTF-8 has. */
export function hasControl(chunk: Buffer): boolean {
  for (const byte of chunk) if (FORBIDDEN[byte] === 1) return true
  return false
}

function hasWideControl(chunk: Buffer, order: 'little' | 'big'): boolean {
  for (let at = 0; at + 1 < chunk.length; at += 2) {
    const unit = order === 'little' ? chunk.readUInt16LE(at) : chunk.readUInt16BE(at)
    if (unit < 0x80 ? FORBIDDEN[unit] === 1 : unit === 0xffff) return true
  }
  return false
}
