/** Chance with a seed: the same parts give the same draws, so that one case of a million comes back by its number. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** The chance of one case of one parser. */
  static of(name: string, ...numbers: number[]): Chance {
    let hash = 0x811c9dc5
    for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
    for (const number of numbers) hash = Math.imul(hash ^ number, 0x01000193) ^ (hash >>> 15)
    return new Chance(hash)
  }

  /** 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  /** A whole number from 0 up to, not with, `most`. */
  below(most: number): number {
    return Math.floor(this.next() * most)
  }

  /** True once in so many times. */
  onceIn(times: number): boolean {
    return this.below(times) === 0
  }

  /** One of a list that is not empty. */
  of<T>(list: readonly T[]): T {
    const drawn = list[this.below(list.length)]
    if (drawn === undefined && list.length === 0) throw new Error('nothing to draw from')
    return drawn as T
  }
}
