import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Outcome } from './fuzz-run.ts'

/** The state of a long run, so that it goes on after an interruption; and its next step. */

/** Of one build and one seed: the cases of a parser go on where the last slice ended. */
export interface State {
  build: string
  seed: number
  /** Wanted of each parser. */
  cases: number
  parsers: Record<string, Outcome>
}

/** A part of the cases of a parser that one process tries. */
export interface Slice {
  name: string
  from: number
  cases: number
  /** The first slice of a parser tries its growing inputs too. */
  pumps: number
}

/** An interruption costs no more than this. Seconds of CPU. */
const SLICE_SECONDS = 60
/** Until it is known how fast a parser is. */
const FIRST_SLICE = 20_000
const MOST_FAULTS = 12

/** The state of a file; a new one where there is none. Throws for the state of another build, seed or count. */
export function readState(file: string, wanted: Omit<State, 'parsers'>): State {
  if (!existsSync(file)) return { ...wanted, parsers: {} }
  const state = JSON.parse(readFileSync(file, 'utf8')) as State
  for (const key of ['build', 'seed', 'cases'] as const)
    if (state[key] !== wanted[key])
      throw new Error(`${file} is of ${key} ${state[key]}, this is ${wanted[key]}: give another file, or remove it`)
  return state
}

/** In one step, so that an interruption leaves the one before. */
export function writeState(file: string, state: State): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 1)}\n`)
  renameSync(`${file}.new`, file)
}

/** The next slice of the parser that has had the fewest cases, of those that nobody tries now; null: nothing is left for now. */
export function nextSlice(
  { cases, parsers }: Pick<State, 'cases' | 'parsers'>,
  names: readonly string[],
  { busy, pumps }: { busy: ReadonlySet<string>; pumps: number }
): Slice | null {
  const doneOf = (name: string): number => parsers[name]?.cases ?? 0
  const left = names.filter((name) => !busy.has(name) && doneOf(name) < cases)
  const [name] = left.sort((a, b) => doneOf(a) - doneOf(b))
  if (name === undefined) return null
  const { cases: from = 0, seconds = 0 } = parsers[name] ?? {}
  const atOnce = from === 0 ? FIRST_SLICE : Math.ceil((SLICE_SECONDS * from) / Math.max(seconds, 0.1))
  return { name, from, cases: Math.min(atOnce, cases - from), pumps: from === 0 ? pumps : 0 }
}

/** The outcomes of two parts of the cases of one parser as one. */
export function together(before: Outcome | undefined, more: Outcome): Outcome {
  if (before === undefined) return more
  const kinds = new Map([...more.faults, ...before.faults].map((fault) => [fault.replace(/: case .*$/s, ''), fault]))
  return {
    name: more.name,
    cases: before.cases + more.cases,
    seconds: before.seconds + more.seconds,
    refused: before.refused + more.refused,
    dearest: more.dearest.ms > before.dearest.ms ? more.dearest : before.dearest,
    grown: more.grown.ms > before.grown.ms ? more.grown : before.grown,
    faults: [...kinds.values()].slice(0, MOST_FAULTS)
  }
}
