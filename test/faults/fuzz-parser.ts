import { createHash } from 'node:crypto'
import { AppError } from '../../src/platform/errors.ts'
import { brokenBytes, brokenInPlace, brokenMessage, pumpOfBytes } from './fuzz-bytes.ts'
import type { Chance } from './fuzz-chance.ts'
import { changedJson, pumpOfJson, slimJson } from './fuzz-json.ts'
import { brokenText, type Pieces, piecesOf, pumpOfText } from './fuzz-text.ts'

/** One parser of outside bytes as the fuzzer sees it. */
export interface Parser {
  /** Short, for `--only` and the table. */
  name: string
  /** Files of `src/` with their function. `test/scripts/fuzz-parsers.test.ts` tells what is missing. */
  covers: readonly string[]
  /** A sum over all that its inputs are made of. */
  seeds: string
  /** The most bytes that the way in lets through, or that are of use to try. */
  most: number
  /** A broken input of ordinary length. */
  broken(chance: Chance): string | Uint8Array
  /** An input that grows to any size. */
  pump(chance: Chance): (size: number) => string | Uint8Array
  /** Reads it and checks what came. Throws `Broken` for a broken promise; a typed refusal is an answer as well. */
  run(input: string | Uint8Array): void | Promise<void>
  /** True for what it may throw. Default: an AppError. */
  refuses(error: unknown): boolean
}

/** A promise of a parser that did not hold. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Broken(what)
}

interface Common {
  name: string
  covers: readonly string[]
  most?: number
  refuses?: (error: unknown) => boolean
}

const BODY_BYTES = 64 * 1024
export const isRefusal = (error: unknown): boolean => error instanceof AppError

/** A case is no longer than this unless its corpus is: a million short ones find more than a thousand long ones. */
const CASE_BYTES = 8 * 1024
/** Inputs below this are drawn as often as one another. Bytes. */
const SHORT_BYTES = 64

/**
 * Which of the corpus a case is made of: a short one as much more often as it is shorter, so that the million costs what
 * as many short ones do and none is left out.
 */
function drawnFrom<T>(all: readonly T[], lengthOf: (one: T) => number): (chance: Chance) => T {
  let sum = 0
  const upTo = all.map((one) => (sum += 1 / Math.max(SHORT_BYTES, lengthOf(one))))
  return (chance) => {
    const at = chance.next() * sum
    return all[upTo.findIndex((most) => at < most)] ?? chance.of(all)
  }
}

/** A sum over all that the inputs are made of. */
function seedsOf(corpus: readonly (string | Uint8Array)[], words: readonly string[] = []): string {
  const sum = createHash('sha256')
  for (const one of [...corpus, ...words]) sum.update(one).update('\0')
  return sum.digest('hex')
}

/** A parser of text. `words`: those of its language. */
export function ofText(
  parser: Common & { corpus: readonly string[]; words?: readonly string[]; run: (text: string) => void | Promise<void> }
): Parser {
  const { run, most = BODY_BYTES, refuses = isRefusal, words = [] } = parser
  const corpus = parser.corpus.map(piecesOf)
  const drawn = drawnFrom(corpus, lengthOfPieces)
  const longest = Math.min(most, Math.max(CASE_BYTES, ...parser.corpus.map(({ length }) => 2 * length)))
  return {
    ...parser,
    most,
    refuses,
    seeds: seedsOf(parser.corpus, words),
    broken: (chance) => brokenText(chance, { base: drawn(chance), corpus, words, most: longest }),
    pump: (chance) => pumpOfText(chance, { corpus, words }),
    run: (input) => run(String(input))
  }
}

/** A parser of bytes. `protobuf`: the messages are broken along their fields too. `inPlace`: most by exchanged bytes only. */
export function ofBytes(
  parser: Common & {
    corpus: readonly Uint8Array[]
    protobuf?: boolean
    /** Most cases keep their length. */
    inPlace?: boolean
    run: (bytes: Uint8Array) => void | Promise<void>
  }
): Parser {
  const { corpus, run, most = BODY_BYTES, refuses = isRefusal, protobuf = false, inPlace = false } = parser
  const drawn = drawnFrom(corpus, ({ length }) => length)
  const longest = Math.min(most, Math.max(CASE_BYTES, ...corpus.map(({ length }) => 2 * length)))
  return {
    ...parser,
    most,
    refuses,
    seeds: seedsOf(corpus),
    broken: (chance) => {
      let message = drawn(chance)
      if (inPlace && !chance.onceIn(4)) return brokenInPlace(chance, message)
      if (!protobuf || chance.onceIn(3)) return brokenBytes(chance, { base: message, corpus, most: longest })
      for (let left = 1 + chance.below(3); left > 0; left--) message = brokenMessage(message, chance)
      return message.subarray(0, longest)
    },
    pump: (chance) => pumpOfBytes(chance, corpus),
    run: (input) => run(typeof input === 'string' ? Buffer.from(input) : input)
  }
}

/** A parser of JSON texts: broken at their nodes, and one in four as a text besides. */
export function ofJson(
  parser: Common & {
    corpus: readonly unknown[]
    words?: readonly string[]
    run: (text: string) => void | Promise<void>
  }
): Parser {
  const { run, most = BODY_BYTES, refuses = isRefusal, words = [] } = parser
  const texts = parser.corpus.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const corpus = texts.map(piecesOf)
  const drawn = drawnFrom(
    texts.map((text, nth) => ({ text, pieces: corpus[nth] ?? [] })),
    ({ text }) => text.length
  )
  const longest = Math.min(most, Math.max(CASE_BYTES, ...texts.map(({ length }) => 2 * length)))
  const spoil = (chance: Chance) => (text: string) => {
    const base = piecesOf(text)
    return brokenText(chance, { base, corpus: [base], words, most: 2000 })
  }
  return {
    ...parser,
    most,
    refuses,
    seeds: seedsOf(texts, words),
    broken: (chance) => {
      const { text, pieces } = drawn(chance)
      if (chance.onceIn(4)) return brokenText(chance, { base: pieces, corpus, words, most: longest })
      let value: unknown = slimJson(JSON.parse(text), chance)
      for (let left = 1 + chance.below(3); left > 0; left--) value = changedJson(value, chance, spoil(chance))
      return (JSON.stringify(value) ?? 'null').slice(0, longest)
    },
    pump: (chance) => (chance.onceIn(2) ? pumpOfJson(chance.of(texts), chance) : pumpOfText(chance, { corpus, words })),
    run: (input) => run(String(input))
  }
}

const lengthOfPieces = (pieces: Pieces): number => pieces.reduce((sum, { length }) => sum + length, 0)

export const sizeOf = (input: string | Uint8Array): number =>
  typeof input === 'string' ? Buffer.byteLength(input) : input.length

/** An input as a line of a report. */
export function shownInput(input: string | Uint8Array): string {
  const text = typeof input === 'string' ? JSON.stringify(input) : `0x${Buffer.from(input).toString('hex')}`
  const middle = text.slice(text.length / 2, text.length / 2 + 100)
  return text.length > 340 ? `${text.slice(0, 160)}…${middle}…${text.slice(-60)} (${sizeOf(input)} bytes)` : text
}
