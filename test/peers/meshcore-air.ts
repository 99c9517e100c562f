import { createCipheriv, createHash, createHmac } from 'node:crypto'

/** The packets that a MeshCore node puts on the air, as far as the peer shows them to its client. */

export interface LoraSettings {
  frequencyKhz: number
  bandwidthHz: number
  sf: number
  cr: number
}

/** Milliseconds one packet of `bytes` occupies the channel. */
export function airMs(bytes: number, { bandwidthHz, sf, cr }: LoraSettings): number {
  const symbol = 2 ** sf / (bandwidthHz / 1000)
  const optimized = symbol > 16 ? 1 : 0
  const preamble = sf <= 8 ? 32 : 16
  const symbols = 8 + Math.max(Math.ceil((8 * bytes - 4 * sf + 44) / (4 * (sf - 2 * optimized))) * cr, 0)
  return (preamble + 4.25 + symbols) * symbol
}

/** The encrypted body of a channel text: key hash, MAC, AES-128 in blocks. */
export function channelBody(secret: Buffer, timestamp: number, text: Buffer): Buffer {
  const clear = Buffer.concat([Buffer.alloc(4), Buffer.of(0), text])
  clear.writeUInt32LE(timestamp, 0)
  const padded = Buffer.concat([clear, Buffer.alloc((16 - (clear.length % 16)) % 16)])
  const aes = createCipheriv('aes-128-ecb', secret, null)
  aes.setAutoPadding(false)
  const cipher = Buffer.concat([aes.update(padded), aes.final()])
  return Buffer.concat([
    createHash('sha256').update(secret).digest().subarray(0, 1),
    createHmac('sha256', secret).update(cipher).digest().subarray(0, 2),
    cipher
  ])
}

/** A flooded channel text as a neighbour repeats it, with the hashes of the repeaters it came over. */
export function repeatedPacket(body: Buffer, path: readonly number[]): Buffer {
  return Buffer.concat([Buffer.of((5 << 2) | 1, path.length), Buffer.from(path), body])
}

/** The key of a `#name` channel; of any other name here too, so that tests need no keys. */
export function secretOf(name: string): Buffer {
  return createHash('sha256').update(name).digest().subarray(0, 16)
}

export function keyOf(name: string): Buffer {
  return createHash('sha256').update(`node ${name}`).digest()
}
