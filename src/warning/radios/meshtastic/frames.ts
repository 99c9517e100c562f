/** The stream framing of Meshtastic's serial and TCP interface: 94 C3, length (big-endian, at most 512), protobuf. */

const START_1 = 0x94
const START_2 = 0xc3
const HEADER_BYTES = 4
const MAX_PAYLOAD_BYTES = 512
const KEPT_NOISE_BYTES = 256

/** Wakes a sleeping node, and ends a frame somebody left half written. */
export const WAKE_BYTES: Uint8Array = new Uint8Array(32).fill(START_2)

/** One frame. Throws RangeError above 512 bytes, which no node takes. */
export function encodeFrame(payload: Uint8Array): Uint8Array {
  const { length } = payload
  if (length > MAX_PAYLOAD_BYTES) throw new RangeError(`${length} bytes do not fit a frame of ${MAX_PAYLOAD_BYTES}`)
  const frame = new Uint8Array(HEADER_BYTES + length)
  frame.set([START_1, START_2, length >> 8, length & 0xff])
  frame.set(payload, HEADER_BYTES)
  return frame
}

/**
 * Finds frames in a byte stream that may be cut anywhere and hold other bytes between frames: boot messages, log lines, noise.
 * What looks like a frame but is refused by `accept` was noise that looked like a header: the search goes on behind that header,
 * so that the frames it seemed to hold are not lost.
 */
export class FrameParser {
  readonly #accept: (payload: Uint8Array) => boolean
  #buffer: Uint8Array = new Uint8Array(0)
  /** Filled from its end. */
  readonly #noise = new Uint8Array(KEPT_NOISE_BYTES)
  #skipped = 0

  constructor(accept: (payload: Uint8Array) => boolean = () => true) {
    this.#accept = accept
  }

  /** The last 256 bytes that were no frame: what a wrong device says. */
  get noise(): Uint8Array {
    return this.#noise.slice(KEPT_NOISE_BYTES - Math.min(KEPT_NOISE_BYTES, this.#skipped))
  }

  /** The number of bytes that were no frame. */
  get skipped(): number {
    return this.#skipped
  }

  /** True when a frame has begun and waits for its end. */
  get waiting(): boolean {
    return this.#buffer.length > 0
  }

  /** The payloads completed by `chunk`, in order. */
  push(chunk: Uint8Array): Uint8Array[] {
    this.#buffer = concat(this.#buffer, chunk)
    return this.#take()
  }

  /** The end of the frame that has begun is not coming: the search goes on behind its header. */
  giveUp(): Uint8Array[] {
    if (this.#buffer.length === 0) return []
    this.#keepNoise(this.#buffer.subarray(0, 1))
    this.#buffer = this.#buffer.subarray(1)
    return this.#take()
  }

  /** Noise may hold a header at every other byte: it is kept run by run, not header by header. */
  #take(): Uint8Array[] {
    const payloads: Uint8Array[] = []
    const bytes = this.#buffer
    let noiseFrom = 0
    let at = startOf(bytes, 0)
    for (; bytes.length - at >= HEADER_BYTES; at = startOf(bytes, at)) {
      const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
      const end = at + HEADER_BYTES + length
      if (length <= MAX_PAYLOAD_BYTES && end > bytes.length) break
      const payload = length <= MAX_PAYLOAD_BYTES ? bytes.subarray(at + HEADER_BYTES, end) : null
      if (payload !== null && this.#accept(payload)) {
        this.#keepNoise(bytes.subarray(noiseFrom, at))
        payloads.push(payload.slice())
        noiseFrom = end
        at = end
      } else at++
    }
    this.#keepNoise(bytes.subarray(noiseFrom, at))
    this.#buffer = bytes.subarray(at)
    return payloads
  }

  #keepNoise(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    const last = bytes.subarray(Math.max(0, bytes.length - KEPT_NOISE_BYTES))
    this.#noise.copyWithin(0, last.length)
    this.#noise.set(last, KEPT_NOISE_BYTES - last.length)
    this.#skipped += bytes.length
  }
}

/** The place from `from` on where a header begins or may begin; the length where none does. */
function startOf(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(START_1, from)
  while (at !== -1) {
    if (at + 1 === bytes.length || bytes[at + 1] === START_2) return at
    at = bytes.indexOf(START_1, at + 1)
  }
  return bytes.length
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}
