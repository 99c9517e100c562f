import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Outcome } from './fuzz-run.ts'

/** The state of a long run, so that it goes on after an interruption or a change of some parsers; and its next step. */

/** The cases of one parser, and the code of it that had them. */
export interface Tried extends Outcome {
  build: string
}

/** Of one seed: the cases of a parser go on where the last slice ended. */
export interface State {
  seed: number
  /** Wanted of each parser. */
  cases: number
  parsers: Record<string, Tried>
}

export interface Wanted {
  seed: number
  cases: number
  /** Of each parser that is to be tried, by its name. */
  builds: Readonly<Record<string, string>>
}

/** A part of the cases of a parser that one process tries: as many of them as fit into its time. */
export interface Slice {
  name: string
  from: number
  cases: number
  /** The first slice of a parser tries its growing inputs too. */
  pumps: number
}

export const MOST_FAULTS = 12

/**
 * The state of a file; a new one where there is none. A parser whose code has changed begins anew, the others keep what was
 * proved. Throws for the state of another seed or count.
 */
export function readState(file: string, { seed, cases, builds }: Wanted): State {
  if (!existsSync(file)) return { seed, cases, parsers: {} }
  const state = JSON.parse(readFileSync(file, 'utf8')) as State
  for (const [key, wanted] of Object.entries({ seed, cases }))
    if (state[key as 'seed' | 'cases'] !== wanted)
      throw new Error(
        `${file} is of ${key} ${state[key as 'seed']}, this is ${wanted}: give another file, or remove it`
      )
  const isOf = ([name, { build }]: [string, Tried]): boolean => (builds[name] ?? build) === build
  return { seed, cases, parsers: Object.fromEntries(Object.entries(state.parsers).filter(isOf)) }
}

/** In one step, so that an interruption leaves the one before. */
export function writeState(file: string, state: State): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 1)}\n`)
  renameSync(`${file}.new`, file)
}

/**
 * The next slice of the parser that has had the fewest cases, of those that nobody tries now; null: nothing is left for now.
 * One with so many faults waits for its mending.
 */
export function nextSlice(
  { cases, parsers }: Pick<State, 'cases' | 'parsers'>,
  names: readonly string[],
  { busy, pumps }: { busy: ReadonlySet<string>; pumps: number }
): Slice | null {
  const doneOf = (name: string): number => parsers[name]?.cases ?? 0
  const isLeft = (name: string): boolean =>
    !busy.has(name) && doneOf(name) < cases && (parsers[name]?.faults.length ?? 0) < MOST_FAULTS
  const [name] = names.filter(isLeft).sort((a, b) => doneOf(a) - doneOf(b))
  if (name === undefined) return null
  const from = doneOf(name)
  return { name, from, cases: cases - from, pumps: from === 0 ? pumps : 0 }
}

/** The outcomes of two parts of the cases of one parser as one. */
export function together<Told extends Outcome>(before: Told | undefined, more: Told): Told {
  if (before === undefined) return more
  const kinds = new Map([...more.faults, ...before.faults].map((fault) => [fault.replace(/: case .*$/s, ''), fault]))
  return {
    ...more,
    cases: before.cases + more.cases,
    seconds: before.seconds + more.seconds,
    refused: before.refused + more.refused,
    dearest: more.dearest.ms > before.dearest.ms ? more.dearest : before.dearest,
    grown: more.grown.ms > before.grown.ms ? more.grown : before.grown,
    faults: [...kinds.values()].slice(0, MOST_FAULTS)
  }
}
