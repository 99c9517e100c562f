/** The byte frames of the MeshCore companion protocol: a marker, the length as u16 little-endian, then the frame. USB serial and TCP alike. */

const TO_NODE = 0x3c
const FROM_NODE = 0x3e
const HEADER_BYTES = 3
/** The firmware stops at 176 bytes; room for a later one, while the high byte of a length stays 0 and tells frames from noise. */
const MAX_FRAME_BYTES = 255
const MIN_PUSH_CODE = 0x80
const MAX_ANSWER_CODE = 0x2f
const NOISE_KEPT_BYTES = 256

/** Room in a short frame for fields of a later firmware. */
const MAX_SHORT_BYTES = 40

/** Lengths of short frames, so that noise that happens to start like an answer is not taken for one. */
const LENGTHS = new Map<number, readonly [min: number, max: number]>([
  [0x00, [1, MAX_SHORT_BYTES]],
  [0x01, [1, MAX_SHORT_BYTES]],
  [0x02, [5, MAX_SHORT_BYTES]],
  [0x03, [100, MAX_FRAME_BYTES]],
  [0x04, [5, MAX_SHORT_BYTES]],
  [0x05, [58, MAX_FRAME_BYTES]],
  [0x06, [10, MAX_SHORT_BYTES]],
  [0x09, [5, MAX_SHORT_BYTES]],
  [0x0a, [1, MAX_SHORT_BYTES]],
  [0x0d, [2, MAX_FRAME_BYTES]],
  [0x12, [34, MAX_FRAME_BYTES]],
  [0x82, [5, MAX_SHORT_BYTES]],
  [0x83, [1, MAX_SHORT_BYTES]]
])

/** `payload` as it goes to the node. Throws RangeError for a frame no firmware reads whole. */
export function encodeFrame(payload: Uint8Array): Uint8Array {
  if (payload.length === 0 || payload.length > MAX_FRAME_BYTES) {
    throw new RangeError(`a frame has 1 to ${MAX_FRAME_BYTES} bytes, not ${payload.length}`)
  }
  const frame = new Uint8Array(HEADER_BYTES + payload.length)
  frame.set([TO_NODE, payload.length, 0])
  frame.set(payload, HEADER_BYTES)
  return frame
}

/**
 * Finds the node's frames in a stream that may be cut anywhere and have foreign bytes between the frames. What looks like a header
 * but cannot be one is skipped byte by byte, so noise costs at most the frame it announces.
 */
export class FrameParser {
  #buffer = new Uint8Array(0)
  readonly #noise = new Uint8Array(NOISE_KEPT_BYTES)
  #skipped = 0

  /** The first 256 bytes that belonged to no frame: they tell what else may be on the port. */
  get noise(): Uint8Array {
    return this.#noise.slice(0, this.#skipped)
  }

  /** The number of bytes that belonged to no frame. */
  get skipped(): number {
    return this.#skipped
  }

  /** The frames `chunk` completes, in order, without their headers. */
  push(chunk: Uint8Array): Uint8Array[] {
    this.#buffer = joined(this.#buffer, chunk)
    return this.#scan()
  }

  /** Gives up a frame that never came whole, for nothing answers any more, and answers the frames that were hidden in it. */
  giveUp(): Uint8Array[] {
    if (this.#buffer.length === 0) return []
    this.#skip(1)
    return this.#scan()
  }

  #scan(): Uint8Array[] {
    const frames: Uint8Array[] = []
    for (;;) {
      const start = this.#buffer.indexOf(FROM_NODE)
      this.#skip(start === -1 ? this.#buffer.length : start)
      if (this.#buffer.length === 0) return frames
      if (!plausible(this.#buffer)) {
        this.#skip(1)
        continue
      }
      const end = HEADER_BYTES + (this.#buffer[1] ?? 0)
      if (this.#buffer.length < HEADER_BYTES || this.#buffer.length < end) return frames
      frames.push(this.#buffer.slice(HEADER_BYTES, end))
      // A view, not a copy: many short frames in one chunk would cost the square of it.
      this.#buffer = this.#buffer.subarray(end)
    }
  }

  #skip(count: number): void {
    if (count === 0) return
    const room = Math.max(0, NOISE_KEPT_BYTES - this.#skipped)
    if (room > 0) this.#noise.set(this.#buffer.subarray(0, Math.min(count, room)), this.#skipped)
    this.#skipped += count
    this.#buffer = this.#buffer.subarray(count)
  }
}

/** True when `bytes`, which start with the marker, may be the beginning of a frame as far as they go. */
function plausible([, low, high, code]: Uint8Array): boolean {
  if (low === 0 || (high !== undefined && high !== 0)) return false
  if (code === undefined || low === undefined) return true
  if (code > MAX_ANSWER_CODE && code < MIN_PUSH_CODE) return false
  const lengths = LENGTHS.get(code)
  return lengths === undefined || (low >= lengths[0] && low <= lengths[1])
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
