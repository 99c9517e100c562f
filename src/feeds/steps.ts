import { nextTurn } from '../lib/slices.ts'

/** Entries of a listing read in one go. */
export const ENTRIES_AT_ONCE = 20

/** Reads it all at once: a recorded body, a test. */
export function drain<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Reads it step by step, so that warnings go first (contract §6). Throws what `signal` was aborted with. */
export async function inTurns<Result>(steps: Generator<void, Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await nextTurn()
    signal.throwIfAborted()
  }
}
