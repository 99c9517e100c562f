import { isUtf8 } from 'node:buffer'

/** A character of UTF-8 has four bytes at most: so many of its bytes may stand at the end of a piece without the others. */
const LONGEST_REST = 3
/** Bytes in which UTF-16 without a mark must show itself. */
const WIDE_SAMPLE = 4096
const FEWEST_WIDE = 16
/** Units with a zero half, of all units: Latin letters, digits and blanks. */
const WIDE_SHARE = 0.6
/** Whole characters of UTF-8 to bytes that fit in none: above this it is UTF-8 with some damage. */
const WHOLE_TO_BROKEN = 10

type Unicode = 'utf-8' | 'utf-16le' | 'utf-16be'

/** The encoding that the first bytes say: by a byte order mark, else by where the zeros of UTF-16 are. Null: they say nothing. */
export function unicodeOf(head: Uint8Array): Unicode | null {
  return markOf(head) ?? wideWithoutMark(head.subarray(0, WIDE_SAMPLE))
}

/** By a byte order mark alone. */
export function markOf([first, second, third]: Uint8Array): Unicode | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

function wideWithoutMark(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head.length < FEWEST_WIDE) return null
  const zeros: [even: number, odd: number] = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2 === 0 ? 0 : 1]++
  const [even, odd] = zeros
  const most = (head.length * WIDE_SHARE) / 2
  if (odd > most && even === 0) return 'utf-16le'
  return even > most && odd === 0 ? 'utf-16be' : null
}

/** Tells piece by piece whether all of a text is UTF-8. */
export class Utf8Check {
  #rest = new Uint8Array(0)

  /** False: it is not. */
  add(piece: Uint8Array): boolean {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const whole = bytes.length - unfinished(bytes)
    this.#rest = Uint8Array.from(bytes.subarray(whole))
    return isUtf8(bytes.subarray(0, whole))
  }

  /** `cut`: the bytes may end within a character. */
  end(cut = false): boolean {
    return cut || this.#rest.length === 0
  }
}

/** The number of bytes at the end that begin a character and do not finish it. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(LONGEST_REST, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0
  }
  return 0
}

function lengthOf(first: number): number {
  if (first >= 0xf0) return 4
  return first >= 0xe0 ? 3 : 2
}

/** True for UTF-8 in which a few bytes are damaged, or of another encoding: what was joined of two files. */
export function isMostlyUtf8(bytes: Uint8Array): boolean {
  let [whole, broken] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at] ?? 0
    if (first < 0x80) continue
    const length = lengthOf(first)
    if (first >= 0xc2 && first < 0xf5 && isUtf8(bytes.subarray(at, at + length)) && at + length <= bytes.length) {
      whole++
      at += length - 1
    } else broken++
  }
  return whole > broken * WHOLE_TO_BROKEN
}
