import { createHash } from 'node:crypto'

/** The fingerprint that tells two texts apart, whatever their layout, case and punctuation. */
export interface Fingerprint {
  /** SHA-256 of the normalised text, 64 hex digits; null when there is not one word. */
  textHash: string | null
  /** 64-bit simhash of the three-word shingles, 16 hex digits; null when there is not one word. */
  simhash: string | null
  words: number
}

/** Scripts written without spaces count sign by sign; else a shingle would be a paragraph. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu
const BITS = 64

/** The words of a text as they are compared: NFKC, lower case, letters and digits only. */
export function comparedWords(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? []
}

/** Fingerprint of a text given page by page; how it is cut into pages makes no difference. */
export function fingerprint(pages: Iterable<string>): Fingerprint {
  const printer = new Fingerprinter()
  for (const page of pages) printer.add(page)
  return printer.end()
}

/** `fingerprint` for whoever has other things to do between two pages. Charikar's simhash over shingles of three words: a few changed words flip a few bits. */
export class Fingerprinter {
  readonly #hash = createHash('sha256')
  readonly #sums = new Int32Array(BITS)
  readonly #last: [number, number][] = []
  #words = 0

  add(page: string): void {
    for (const word of comparedWords(page)) {
      this.#hash.update(this.#words === 0 ? word : ` ${word}`)
      this.#words += 1
      this.#last.push(wordHash(word))
      if (this.#last.length > 3) this.#last.shift()
      if (this.#last.length === 3) addShingle(this.#sums, this.#last)
    }
  }

  end(): Fingerprint {
    const words = this.#words
    if (words === 0) return { textHash: null, simhash: null, words }
    if (words < 3) addShingle(this.#sums, this.#last)
    return { textHash: this.#hash.digest('hex'), simhash: bitsOf(this.#sums), words }
  }
}

/** The number of the 64 bits that differ; texts that differ in a page or two of a book stay within 3. */
export function hammingDistance(a: string, b: string): number {
  let difference = BigInt(`0x${a}`) ^ BigInt(`0x${b}`)
  let count = 0
  for (; difference > 0n; difference &= difference - 1n) count += 1
  return count
}

/** Shingles of one text that are kept: those of a long novel. */
const MOST_SHINGLES = 131_072

/** The share of distinct three-word shingles that both texts have, 0…1. */
export function sharedShingles(a: Iterable<string>, b: Iterable<string>): number {
  const [one, other] = [new Shingles(), new Shingles()]
  for (const page of a) one.add(page)
  for (const page of b) other.add(page)
  return one.sharedWith(other)
}

/**
 * The distinct three-word shingles of a text. What a fingerprint only suspects, these know: forms and reports full of the same phrases
 * have near fingerprints and different texts. Of a text with more than can be held, every second one is kept, or every fourth …, the same ones
 * of every text (Broder, On the resemblance and containment of documents, 1997).
 */
export class Shingles {
  readonly #found = new Set<number>()
  readonly #last: number[] = []
  /** Kept are those whose last bits, as many as this has, are zero. */
  #mask = 0
  words = 0

  add(page: string): void {
    for (const word of comparedWords(page)) {
      this.words += 1
      this.#last.push(wordHash(word)[0])
      if (this.#last.length > 3) this.#last.shift()
      if (this.#last.length === 3) this.#keep(shingleHash(this.#last))
    }
  }

  #keep(shingle: number): void {
    if ((shingle & this.#mask) !== 0) return
    this.#found.add(shingle)
    if (this.#found.size <= MOST_SHINGLES) return
    this.#mask = this.#mask * 2 + 1
    for (const one of this.#found) if ((one & this.#mask) !== 0) this.#found.delete(one)
  }

  sharedWith(other: Shingles): number {
    const mask = this.#mask | other.#mask
    let [shared, mine, theirs] = [0, 0, 0]
    for (const shingle of this.#found) {
      if ((shingle & mask) !== 0) continue
      mine += 1
      if (other.#found.has(shingle)) shared += 1
    }
    for (const shingle of other.#found) if ((shingle & mask) === 0) theirs += 1
    const all = mine + theirs - shared
    return all === 0 ? 0 : shared / all
  }
}

/** One 32-bit number of the hashes of a shingle's words, in which every bit counts. */
export function shingleHash(words: readonly number[]): number {
  return words.reduce((sum, hash) => finish(Math.imul(sum, 31) + hash), 0)
}

/** Two independent 32-bit hashes of a word (FNV-1a and a multiplicative one), finished so that every bit counts. */
function wordHash(word: string): [number, number] {
  let low = 0x811c9dc5
  let high = 0x9e3779b9
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return [finish(low), finish(high)]
}

function finish(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function addShingle(sums: Int32Array, words: readonly [number, number][]): void {
  let low = 0
  let high = 0
  for (const [a, b] of words) {
    low = finish(Math.imul(low, 31) + a)
    high = finish(Math.imul(high, 37) + b)
  }
  for (let bit = 0; bit < 32; bit++) {
    sums[bit] = (sums[bit] ?? 0) + ((low >>> bit) & 1 ? 1 : -1)
    sums[bit + 32] = (sums[bit + 32] ?? 0) + ((high >>> bit) & 1 ? 1 : -1)
  }
}

function bitsOf(sums: Int32Array): string {
  let bits = 0n
  for (let bit = BITS - 1; bit >= 0; bit--) bits = (bits << 1n) | ((sums[bit] ?? 0) > 0 ? 1n : 0n)
  return bits.toString(16).padStart(16, '0')
}
