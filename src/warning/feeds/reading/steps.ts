import { nextTurn, paced } from '../../../platform/clock/slices.ts'

/** Entries of a listing read in one go. */
export const ENTRIES_AT_ONCE = 20

/** Reads it step by step, so that warnings go first (contract §6). Throws what `signal` was aborted with. */
export function inTurns<Result>(steps: Generator<void, Result>, signal: AbortSignal): Promise<Result> {
  return paced(steps, async () => {
    await nextTurn()
    signal.throwIfAborted()
  })
}
