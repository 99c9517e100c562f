/**
 * The bytes of a MeshCore companion, seen from the node's side. Written from the protocol's description, apart from the driver: the two
 * share no code, so that a mistake in one shows.
 */

export const COMMAND = {
  appStart: 1,
  directText: 2,
  channelText: 3,
  getContacts: 4,
  getTime: 5,
  setTime: 6,
  advert: 7,
  setName: 8,
  nextText: 10,
  resetPath: 13,
  battery: 20,
  deviceQuery: 22,
  getChannel: 31,
  setChannel: 32,
  tuning: 43,
  floodScope: 54,
  stats: 56
} as const

export const u16 = (n: number): number[] => [n & 255, (n >> 8) & 255]
export const u32 = (n: number): number[] => [n & 255, (n >>> 8) & 255, (n >>> 16) & 255, (n >>> 24) & 255]
export const fixed = (text: string, length: number): number[] => {
  const bytes = [...Buffer.from(text)].slice(0, length)
  return [...bytes, ...Array(length - bytes.length).fill(0)]
}
export const framed = (payload: readonly number[]): Buffer => Buffer.from([0x3e, ...u16(payload.length), ...payload])

/** The firmware's way with a frame that is longer than its buffer. */
export type OversizeRule = 'serial' | 'tcp'

/** Takes the client's bytes apart. Like the firmware's, it has no timer: half a frame waits for ever and swallows what follows. */
export class CommandReader {
  #buffer: number[] = []
  #limit: number
  #rule: OversizeRule

  constructor(limit: number, rule: OversizeRule) {
    this.#limit = limit
    this.#rule = rule
  }

  read(bytes: Uint8Array): Buffer[] {
    this.#buffer.push(...bytes)
    const frames: Buffer[] = []
    for (;;) {
      const start = this.#buffer.indexOf(0x3c)
      this.#buffer.splice(0, start === -1 ? this.#buffer.length : start)
      if (this.#buffer.length < 3) return frames
      const length = this.#buffer[1]! + this.#buffer[2]! * 256
      if (this.#buffer.length < 3 + length) return frames
      const payload = Buffer.from(this.#buffer.splice(0, 3 + length).slice(3))
      if (length <= this.#limit) frames.push(payload)
      else if (this.#rule === 'serial') frames.push(payload.subarray(0, this.#limit))
    }
  }
}
