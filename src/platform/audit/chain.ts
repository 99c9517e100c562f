import type { Reason } from '../../model/reason.ts'
import { sha256Hex } from '../bytes/hash.ts'
import { type JsonObject, type JsonValue, memberOf } from '../config/json.ts'

/** One thing that somebody did, or that left. */
export interface AuditRecord {
  /** Counts from 1, over all generations of the file. */
  seq: number
  /** RFC 3339, UTC, of the clock of that moment. */
  at: string
  /** The name of whoever did it: a person, a token, a node, `station` itself, or `file` for an edit by hand. */
  by: string
  what: Reason
  /** Values that are kept besides, such as what a setting was; `{}` mostly. */
  more: JsonObject
}

/** The place in the chain that the next record is joined to. */
export interface ChainHead {
  seq: number
  hash: string
}

/** Before the first record. */
export const NO_HEAD: ChainHead = { seq: 0, hash: '0'.repeat(64) }

const SEAL = ',"hash":"'

/**
 * The line of a record, with its line end: the record as JSON, the hash of the line before it, and the hash (SHA-256) of all that
 * stands before its own. Whoever changes, takes out or puts in a line breaks every hash after it.
 */
export function sealedLine(record: AuditRecord, before: ChainHead): { line: string; head: ChainHead } {
  const { seq, at, by, what, more } = record
  const open = JSON.stringify({ seq, at, by, what, more, prev: before.hash }).slice(0, -1)
  const hash = sha256Hex(open)
  return { line: `${open}${SEAL}${hash}"}\n`, head: { seq, hash } }
}

/** A line as it was written; null when it is none, or its own hash does not fit. `prev` is the hash that it says stood before it. */
export function readLine(line: string): { record: AuditRecord; prev: string; head: ChainHead } | null {
  const at = line.lastIndexOf(SEAL)
  const hash = line.slice(at + SEAL.length, -2)
  if (at < 0 || line.slice(-2) !== '"}' || sha256Hex(line.slice(0, at)) !== hash) return null
  let parsed: JsonValue
  try {
    parsed = JSON.parse(line) as JsonValue
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  const prev = memberOf(parsed, 'prev')
  const seq = memberOf(parsed, 'seq')
  if (typeof prev !== 'string' || typeof seq !== 'number') return null
  // The hash says that this program wrote it.
  return { record: parsed as unknown as AuditRecord, prev, head: { seq, hash } }
}

/**
 * A place where the chain does not hold: `broken_line` is no record any more, `changed` does not follow the line before it,
 * `cut_before`: the station noticed there that lines were gone; `torn`: a power cut ended the line before it was whole, and the next one goes on from the last good one.
 */
export interface ChainFault {
  kind: 'broken_line' | 'changed' | 'cut_before' | 'torn'
  file: string
  line: number
}

/** Follows the chain line by line. */
export class ChainCheck {
  #head: ChainHead | null = null
  #broken: ChainFault | null = null
  #records = 0
  #first: number | null = null
  readonly faults: ChainFault[] = []

  get records(): number {
    return this.#records
  }

  /** The number of the first good line; null before there was one. */
  get first(): number | null {
    return this.#first
  }

  /** The last good line; null before there was one. */
  get head(): ChainHead | null {
    return this.#head
  }

  /** The first line of all may go on from a generation that was thrown away. */
  take(text: string, place: { file: string; line: number }): void {
    const read = readLine(text)
    if (read === null) {
      if (this.#broken !== null) this.faults.push(this.#broken)
      this.#broken = { kind: 'broken_line', ...place }
      return
    }
    const follows = this.#head === null || (read.prev === this.#head.hash && read.head.seq === this.#head.seq + 1)
    // Nothing is missing between the good lines round it: it was never whole.
    if (this.#broken !== null) this.faults.push(follows ? { ...this.#broken, kind: 'torn' } : this.#broken)
    else if (!follows) this.faults.push({ kind: 'changed', ...place })
    this.#broken = null
    this.#head = read.head
    this.#first ??= read.head.seq
    if (read.record.what.code === 'audit_cut') this.faults.push({ kind: 'cut_before', ...place })
    this.#records++
  }

  /** A last line that is not whole was cut off by the power, unless somebody cut it. */
  end(): void {
    if (this.#broken !== null) this.faults.push({ ...this.#broken, kind: 'torn' })
    this.#broken = null
  }
}
