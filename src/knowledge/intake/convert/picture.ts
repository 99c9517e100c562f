import type { Picture } from './embedded-picture.ts'
import { BOOK_LIMITS } from './limits.ts'
import { usablePng } from './png.ts'

/**
 * A picture that may be handed to the PDF library: looked through before, because the library trusts what it is given.
 * Null: damaged, too large, or another format.
 */
export function usablePicture(bytes: Buffer): Picture | null {
  const picture = isJpeg(bytes) ? usableJpeg(bytes) : usablePng(bytes)
  if (picture === null) return null
  const { width, height } = picture
  return width > 0 && height > 0 && width * height <= BOOK_LIMITS.picturePixels ? picture : null
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes[0] === 0xff && bytes[1] === 0xd8
}

/** Walks the segments (ITU T.81, B.1) to the frame header; 8 bits, one, three or four components. */
function usableJpeg(bytes: Buffer): Picture | null {
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return null
    if (isFrame(marker)) {
      const components = bytes[at + 9]
      if (bytes[at + 4] !== 8 || (components !== 1 && components !== 3 && components !== 4)) return null
      return { bytes, width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
    at += 2 + length
  }
  return null
}

/** SOF0 to SOF15 without DHT, JPG and DAC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
