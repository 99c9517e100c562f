import { createReadStream } from 'node:fs'
import { storageFaultOf } from '../../platform/database/storage-fault.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'

/** Of an identity this many letters are kept: 66 bits, so that no two events are taken for one. */
const LETTERS = 11
const PIECE_BYTES = 32_768
const SMALLEST = 1024

/** A set of identities in 8 bytes each, open addressing; 0 stands for an empty place. */
class Identities {
  #places = new BigUint64Array(SMALLEST)
  #size = 0

  add(value: bigint): void {
    if (this.#size * 2 >= this.#places.length) this.#grow()
    const at = this.#placeOf(value)
    if (this.#places[at] === value) return
    this.#places[at] = value
    this.#size++
  }

  has(value: bigint): boolean {
    return this.#places[this.#placeOf(value)] === value
  }

  #placeOf(value: bigint): number {
    const mask = this.#places.length - 1
    let at = Number(value & 0xffff_ffffn) & mask
    while (this.#places[at] !== 0n && this.#places[at] !== value) at = (at + 1) & mask
    return at
  }

  #grow(): void {
    const before = this.#places
    this.#places = new BigUint64Array(before.length * 2)
    this.#size = 0
    for (const value of before) if (value !== 0n) this.add(value)
  }
}

/**
 * Which events the log has heard of, in memory: asked while the file cannot be read, when the disk may not answer for seconds. Two
 * generations of the log, 8 bytes an event.
 */
export class HeardIndex {
  #older = new Identities()
  #newer = new Identities()

  has(identity: string): boolean {
    const value = numberOf(identity)
    return this.#newer.has(value) || this.#older.has(value)
  }

  add(identity: string): void {
    this.#newer.add(numberOf(identity))
  }

  /** The log begins a new file: the oldest one is gone. */
  turn(): void {
    this.#older = this.#newer
    this.#newer = new Identities()
  }

  /** Takes in what the two files of the log have, the older first, piece by piece beside everything else. */
  async load(older: string, newer: string): Promise<void> {
    for (const [path, into] of [[older, this.#older] as const, [newer, this.#newer] as const])
      for await (const line of linesOf(path)) {
        // `checksum identity time …`; the checksum is not looked at: a damaged identity is nobody's.
        const identity = line.slice(9, 31)
        if (identity.length === 22 && line[31] === ' ') into.add(numberOf(identity))
      }
  }
}

/** The first bytes of a hash, never 0. */
function numberOf(identity: string): bigint {
  const value = Buffer.from(identity.slice(0, LETTERS), 'base64url')
  return value.length < 8 ? 1n : value.readBigUInt64LE(0) || 1n
}

/** Lines of a file that may not be there, or not be given by its disk. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  try {
    for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES, encoding: 'latin1' })) {
      const lines = (rest + String(piece)).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    yield rest
  } catch (error) {
    if (storageFaultOf(error) === null && errorCode(error) !== 'EISDIR') throw error
  }
}
