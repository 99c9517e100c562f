import { parentPort } from 'node:worker_threads'
import { filesAtOnce } from './fuzz-files.ts'
import { everyParser } from './fuzz-parsers.ts'
import { type Outcome, tryParser } from './fuzz-run.ts'

/** Tries parsers in a thread of its own, so that one that never comes back is seen from outside. */

export interface Work {
  names: readonly string[]
  seed: number
  /** Number of the first case. */
  from: number
  /** Of each parser, or as many as fit into `seconds` of CPU where that is not null. */
  cases: number
  seconds: number | null
  pumps: number
  /** Number of the parser, number of the case. */
  place: SharedArrayBuffer
}

export type Told = { kind: 'outcome'; outcome: Outcome } | { kind: 'end' }

/** Lines of a trace that a fault shows: with ten of them a refusal costs what the reading does. */
const TRACED = 3

/** Runs in the thread. */
export async function work({ names, seed, from, cases, seconds, pumps, place }: Work): Promise<void> {
  const told = new Int32Array(place)
  const parsers = await everyParser()
  filesAtOnce()
  Error.stackTraceLimit = TRACED
  for (const [nth, name] of names.entries()) {
    const parser = parsers.find((one) => one.name === name)
    if (parser === undefined) throw new Error(`no parser ${name}`)
    Atomics.store(told, 0, nth)
    const begin = (at: number): void => {
      Atomics.store(told, 1, at)
    }
    const outcome = await tryParser(parser, { seed, from, cases, pumps, begin, seconds })
    parentPort?.postMessage({ kind: 'outcome', outcome } satisfies Told)
  }
  parentPort?.postMessage({ kind: 'end' } satisfies Told)
}
