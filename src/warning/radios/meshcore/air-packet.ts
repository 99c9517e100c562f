import { createCipheriv, createHash, createHmac } from 'node:crypto'

/** MeshCore packets as they are on the air: enough to know our own channel text again when a repeater passes it on. */

const GROUP_TEXT = 5
const BLOCK_BYTES = 16
const MAC_BYTES = 2

export interface AirPacket {
  /** 5 is a channel text. */
  type: number
  /** The hashes of the repeaters it came over, in hex, the one we heard it from last. */
  path: string[]
  payload: Uint8Array
}

export { GROUP_TEXT }

/** Takes a heard packet apart; null when its path is longer than the packet. */
export function parsePacket(raw: Uint8Array): AirPacket | null {
  const header = raw[0] ?? 0
  const route = header & 0x03
  // Route 0 and 3 carry two transport codes of two bytes.
  const pathAt = route === 0 || route === 3 ? 5 : 1
  const pathLength = raw[pathAt]
  if (pathLength === undefined) return null
  const hashBytes = (pathLength >> 6) + 1
  const count = pathLength & 0x3f
  const payloadAt = pathAt + 1 + count * hashBytes
  if (payloadAt >= raw.length) return null
  const path: string[] = []
  for (let at = pathAt + 1; at < payloadAt; at += hashBytes) {
    path.push(Buffer.from(raw.subarray(at, at + hashBytes)).toString('hex'))
  }
  return { type: (header >> 2) & 0x0f, path, payload: raw.slice(payloadAt) }
}

/**
 * The payload every transmission of this channel text has, in hex: one byte of the key's hash, two of the MAC, the cipher text.
 * `nameAndText` is what the firmware encrypts, `name: text`.
 */
export function groupTextPayload(secret: Uint8Array, timestamp: number, nameAndText: string): string {
  const text = Buffer.from(nameAndText)
  const plain = Buffer.alloc(BLOCK_BYTES * Math.ceil((5 + text.length) / BLOCK_BYTES))
  plain.writeUInt32LE(timestamp)
  text.copy(plain, 5)
  const cipher = createCipheriv('aes-128-ecb', secret, null).setAutoPadding(false)
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
  const mac = createHmac('sha256', secret).update(encrypted).digest().subarray(0, MAC_BYTES)
  const hash = createHash('sha256').update(secret).digest().subarray(0, 1)
  return Buffer.concat([hash, mac, encrypted]).toString('hex')
}
