import { AppError } from '../../src/platform/errors.ts'
import { brokenBytes, brokenInPlace, brokenMessage, pumpOfBytes } from './fuzz-bytes.ts'
import type { Chance } from './fuzz-chance.ts'
import { changedJson, pumpOfJson } from './fuzz-json.ts'
import { brokenText, type Pieces, piecesOf, pumpOfText } from './fuzz-text.ts'

/** One parser of outside bytes as the fuzzer sees it. */
export interface Parser {
  /** Short, for `--only` and the table. */
  name: string
  /** Files of `src/` with their function. `test/scripts/fuzz-parsers.test.ts` tells what is missing. */
  covers: readonly string[]
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
/** A longer input is broken once in so many cases only; pumps grow from all. */
const SHORT_BYTES = 2500
const LONG_ONCE_IN = 400

/** The inputs that a case is made of: short ones as a rule. Where there are only long ones, the shortest. */
function corpusFor<T>(all: readonly T[], lengthOf: (one: T) => number): (chance: Chance) => readonly T[] {
  const shortest = Math.min(...all.map(lengthOf))
  const isShort = (one: T): boolean => lengthOf(one) <= Math.max(SHORT_BYTES, shortest)
  const [short, long] = [all.filter(isShort), all.filter((one) => !isShort(one))]
  return (chance) => (long.length > 0 && chance.onceIn(LONG_ONCE_IN) ? long : short)
}

/** Pieces of each text, split when they are asked for first. */
function splitLater(): (text: string) => Pieces {
  const split = new Map<string, Pieces>()
  return (text) => {
    const pieces = split.get(text) ?? piecesOf(text)
    split.set(text, pieces)
    return pieces
  }
}

/** A parser of text. `words`: those of its language. */
export function ofText(
  parser: Common & { corpus: readonly string[]; words?: readonly string[]; run: (text: string) => void | Promise<void> }
): Parser {
  const { run, most = BODY_BYTES, refuses = isRefusal, words = [] } = parser
  const split = splitLater()
  const drawn = corpusFor(parser.corpus, ({ length }) => length)
  const longest = Math.min(most, Math.max(CASE_BYTES, ...parser.corpus.map(({ length }) => 2 * length)))
  return {
    ...parser,
    most,
    refuses,
    broken: (chance) => brokenText(chance, { corpus: drawn(chance).map(split), words, most: longest }),
    pump: (chance) => pumpOfText(chance, { corpus: parser.corpus.map(split), words }),
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
  const drawn = corpusFor(corpus, ({ length }) => length)
  const longest = Math.min(most, Math.max(CASE_BYTES, ...corpus.map(({ length }) => 2 * length)))
  return {
    ...parser,
    most,
    refuses,
    broken: (chance) => {
      if (inPlace && !chance.onceIn(4)) return brokenInPlace(chance, drawn(chance))
      if (!protobuf || chance.onceIn(3)) return brokenBytes(chance, { corpus: drawn(chance), most: longest })
      let message = chance.of(corpus)
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
  const split = splitLater()
  const drawn = corpusFor(texts, ({ length }) => length)
  const longest = Math.min(most, Math.max(CASE_BYTES, ...texts.map(({ length }) => 2 * length)))
  const spoil = (chance: Chance, pieces: readonly Pieces[]) => (text: string) =>
    brokenText(chance, { corpus: [piecesOf(text), ...pieces.slice(0, 1)], words, most: 2000 })
  return {
    ...parser,
    most,
    refuses,
    broken: (chance) => {
      const some = drawn(chance)
      if (chance.onceIn(4)) return brokenText(chance, { corpus: some.map(split), words, most: longest })
      let value: unknown = JSON.parse(chance.of(some))
      for (let left = 1 + chance.below(3); left > 0; left--) value = changedJson(value, chance, spoil(chance, []))
      return (JSON.stringify(value) ?? 'null').slice(0, longest)
    },
    pump: (chance) =>
      chance.onceIn(2) ? pumpOfJson(chance.of(texts), chance) : pumpOfText(chance, { corpus: texts.map(split), words }),
    run: (input) => run(String(input))
  }
}

export const sizeOf = (input: string | Uint8Array): number =>
  typeof input === 'string' ? Buffer.byteLength(input) : input.length

/** An input as a line of a report. */
export function shownInput(input: string | Uint8Array): string {
  const text = typeof input === 'string' ? JSON.stringify(input) : `0x${Buffer.from(input).toString('hex')}`
  const middle = text.slice(text.length / 2, text.length / 2 + 100)
  return text.length > 340 ? `${text.slice(0, 160)}…${middle}…${text.slice(-60)} (${sizeOf(input)} bytes)` : text
}
