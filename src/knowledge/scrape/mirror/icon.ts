import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const SIZE = 48

/**
 * The picture an archive is known by in lists: 48 × 48 pixels (openZIM: `Illustration_48x48@1`), a globe on a ground whose
 * colour is the site's own, the same each time. PNG (ISO/IEC 15948), 8 bits, RGB, one IDAT chunk.
 */
export function siteIcon(host: string): Buffer {
  const [hue = 0] = createHash('sha256').update(host).digest()
  const ground = colour((hue / 256) * 360)
  const rows: Buffer[] = []
  for (let y = 0; y < SIZE; y++) {
    const row = Buffer.alloc(1 + SIZE * 3)
    for (let x = 0; x < SIZE; x++) row.set(isLine(x + 0.5, y + 0.5) ? [255, 255, 255] : ground, 1 + x * 3)
    rows.push(row)
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(SIZE, 0)
  head.writeUInt32BE(SIZE, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0))
  ])
}

/** Outline, equator, meridian and an ellipse of longitude. */
function isLine(x: number, y: number): boolean {
  const [dx, dy] = [x - SIZE / 2, y - SIZE / 2]
  const radius = Math.hypot(dx, dy)
  if (radius > 18.5) return false
  if (radius > 16 || Math.abs(dx) < 1.2 || Math.abs(dy) < 1.2) return true
  return Math.abs(Math.hypot(dx / 8, dy / 17) - 1) < 0.14
}

/** Dark enough for white lines. */
function colour(hue: number): [number, number, number] {
  const part = (offset: number): number => {
    const k = (offset + hue / 30) % 12
    return Math.round(255 * (0.38 - 0.23 * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [part(0), part(8), part(4)]
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
