import type { ByteTable } from './quantise.ts'

/** Not reachable: `ByteTable.limit` stays far above. */
const LEFT_OUT = -32_768

/**
 * One bit per dimension of every vector, in one piece of memory: 128 bytes a vector at 1024 dimensions, and 8 for whose it
 * is. 100,000 are scanned in about 8 ms.
 */
export class CodeTable {
  readonly #words: number
  #codes: Uint32Array
  #items: Uint32Array
  #documents: Uint32Array
  #scores = new Int16Array(0)
  #count = 0

  /** @param codeBytes bytes of one code, whole words of 32 bits. */
  constructor(codeBytes: number, expected = 0) {
    this.#words = codeBytes / 4
    this.#codes = new Uint32Array(expected * this.#words)
    this.#items = new Uint32Array(expected)
    this.#documents = new Uint32Array(expected)
  }

  get count(): number {
    return this.#count
  }

  /** `items` and `codes` are in the same order. */
  add(documentId: number, items: Uint32Array, codes: Uint8Array): void {
    this.#reserve(this.#count + items.length)
    new Uint8Array(this.#codes.buffer).set(codes, this.#count * this.#words * 4)
    this.#items.set(items, this.#count)
    this.#documents.fill(documentId, this.#count, this.#count + items.length)
    this.#count += items.length
  }

  remove(documents: ReadonlySet<number>): void {
    for (let slot = this.#count - 1; slot >= 0; slot--) {
      if (!documents.has(this.#documents[slot] ?? 0)) continue
      const last = --this.#count
      this.#items[slot] = this.#items[last] ?? 0
      this.#documents[slot] = this.#documents[last] ?? 0
      this.#codes.copyWithin(slot * this.#words, last * this.#words, (last + 1) * this.#words)
    }
  }

  /** The ids of the `k` items nearest to the question, ascending; of equals at the edge, the ones with the smallest ids. */
  nearest(table: ByteTable, k: number, allowed: ReadonlySet<number> | null): number[] {
    this.#scan(table.sums)
    if (allowed !== null) this.#leaveOut(allowed)
    const { edge, room } = this.#edge(table.limit, k)
    const found: number[] = []
    const equal: number[] = []
    for (let slot = 0; slot < this.#count; slot++) {
      const score = this.#scores[slot] ?? LEFT_OUT
      if (score > edge) found.push(this.#items[slot] ?? 0)
      else if (score === edge && score !== LEFT_OUT) equal.push(this.#items[slot] ?? 0)
    }
    equal.sort((a, b) => a - b)
    return [...found, ...equal.slice(0, room)].sort((a, b) => a - b)
  }

  #scan(sums: Int16Array): void {
    if (this.#scores.length < this.#count) this.#scores = new Int16Array(this.#items.length)
    const [codes, scores, words, count] = [this.#codes, this.#scores, this.#words, this.#count]
    for (let slot = 0, at = 0; slot < count; slot++) {
      let score = 0
      for (let word = 0, base = 0; word < words; word++, at++, base += 1024) {
        const code = codes[at] ?? 0
        score +=
          (sums[base + (code & 255)] ?? 0) +
          (sums[base + 256 + ((code >>> 8) & 255)] ?? 0) +
          (sums[base + 512 + ((code >>> 16) & 255)] ?? 0) +
          (sums[base + 768 + (code >>> 24)] ?? 0)
      }
      scores[slot] = score
    }
  }

  #leaveOut(allowed: ReadonlySet<number>): void {
    for (let slot = 0; slot < this.#count; slot++)
      if (!allowed.has(this.#documents[slot] ?? 0)) this.#scores[slot] = LEFT_OUT
  }

  /** The score above which there are fewer than `k`, and how many of that very score still fit. */
  #edge(limit: number, k: number): { edge: number; room: number } {
    const histogram = new Uint32Array(2 * limit + 1)
    for (let slot = 0; slot < this.#count; slot++) {
      const score = this.#scores[slot] ?? LEFT_OUT
      if (score !== LEFT_OUT) histogram[score + limit] = (histogram[score + limit] ?? 0) + 1
    }
    let room = k
    for (let bucket = 2 * limit; bucket >= 0; bucket--) {
      const here = histogram[bucket] ?? 0
      if (here >= room) return { edge: bucket - limit, room }
      room -= here
    }
    return { edge: LEFT_OUT, room: 0 }
  }

  #reserve(wanted: number): void {
    if (wanted <= this.#items.length) return
    const size = Math.max(wanted, Math.ceil(this.#items.length * 1.25), 256)
    this.#codes = grown(this.#codes, size * this.#words)
    this.#items = grown(this.#items, size)
    this.#documents = grown(this.#documents, size)
  }
}

function grown(old: Uint32Array, size: number): Uint32Array {
  const bigger = new Uint32Array(size)
  bigger.set(old)
  return bigger
}
