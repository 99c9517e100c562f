import { nextTurn, paced } from '../../../platform/clock/slices.ts'
import type { SourceMemory } from '../source.ts'

/** Entries of a listing read in one go. */
export const ENTRIES_AT_ONCE = 10

/** The entries of a listing, with a step after every few of them. */
export function* eachInTurn<Entry>(entries: readonly Entry[], read: (entry: Entry) => void): Generator<void, void> {
  for (const [at, entry] of entries.entries()) {
    if (at % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) yield
    read(entry)
  }
}

/** Reads what a source remembers under `prefix`, and looks at it a few at a time. */
export function eachRemembered(
  memory: Pick<SourceMemory, 'keys' | 'get'>,
  prefix: string,
  look: (key: string, value: unknown) => void
): Generator<void, void> {
  return eachInTurn(memory.keys(prefix), (key) => look(key, memory.get(key)))
}

/** Reads it step by step, so that warnings go first (contract §6). Throws what `signal` was aborted with. */
export function inTurns<Result>(steps: Generator<void, Result>, signal: AbortSignal): Promise<Result> {
  return paced(steps, async () => {
    await nextTurn()
    signal.throwIfAborted()
  })
}
