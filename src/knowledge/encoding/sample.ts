/** Bytes that a detector is given at most: more tells it nothing new. */
const MOST = 32 * 1024
/** Of one line, so that one that never ends is not all of the sample. */
const MOST_OF_LINE = 4 * 1024
const LINE_END = 0x0a

/** The lines of a text that have more than ASCII, from the beginning on: all that can tell its encoding. */
export class Sample {
  readonly #lines: Uint8Array[] = []
  #length = 0

  get isFull(): boolean {
    return this.#length >= MOST
  }

  /** A piece that ends within a line is taken for its end: encodings of several bytes have no line end within a character. */
  add(piece: Uint8Array): void {
    for (let at = 0; at < piece.length && !this.isFull; ) {
      const telling = firstBeyondAscii(piece, at)
      if (telling === -1) return
      const start = piece.lastIndexOf(LINE_END, telling) + 1
      const end = piece.indexOf(LINE_END, telling)
      const line = piece.subarray(Math.max(start, at), end === -1 ? piece.length : end + 1)
      this.#take(line, telling - Math.max(start, at))
      at = end === -1 ? piece.length : end + 1
    }
  }

  /** Of a long line the part where it begins to tell. */
  #take(line: Uint8Array, telling: number): void {
    const from = line.length <= MOST_OF_LINE ? 0 : telling
    const taken = Uint8Array.from(line.subarray(from, from + MOST_OF_LINE))
    this.#lines.push(taken)
    this.#length += taken.length
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#lines)
  }
}

function firstBeyondAscii(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) if ((bytes[at] ?? 0) > 0x7f) return at
  return -1
}
