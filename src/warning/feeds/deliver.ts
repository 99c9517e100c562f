import type { LookoutEvent } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import { nextTurn } from '../../platform/clock/slices.ts'
import { StorageError, storageFaultOf } from '../../platform/database/storage-fault.ts'
import { AppError } from '../../platform/errors.ts'
import type { SourceSettings } from './common-settings.ts'
import type { SkippedItem } from './feed.ts'
import { applyOverrides } from './overrides.ts'

/** Events are handed on in slices, so that a long listing does not hold up everything else. */
const SLICE = 100

/** An event on its way in; `coldStart`: contract §4 rule 6. */
export interface FeedArrival {
  event: LookoutEvent
  coldStart?: boolean
}

interface Delivery {
  accept: (arrivals: FeedArrival[]) => Promise<unknown>
  overrides: SourceSettings['overrides']
  coldStart: boolean
  signal: AbortSignal
}

/**
 * Hands events on, as the settings of their source want them; resolves once all are stored. Answers how many that were,
 * and what the settings left out. While nothing can be stored all of them are offered all the same: what is grave leaves from
 * memory, wherever it stands (contract §6). @throws StorageError then; AppError `unavailable` when `signal` is aborted in between.
 */
export async function deliver(
  found: readonly LookoutEvent[],
  { accept, overrides, coldStart, signal }: Delivery
): Promise<{ events: number; skipped: SkippedItem[] }> {
  const { events, skipped } = applyOverrides(found, overrides)
  let refused: StorageError | null = null
  for (let from = 0; from < events.length; from += SLICE) {
    refuseWhenAborted(signal)
    try {
      await accept(events.slice(from, from + SLICE).map((event) => ({ event, coldStart })))
    } catch (error) {
      const fault = storageFaultOf(error)
      if (fault === null) throw error
      refused = new StorageError(fault, error)
    }
    await nextTurn()
  }
  if (refused !== null) throw refused
  return { events: events.length, skipped }
}

/** @throws AppError `unavailable`. */
export function refuseWhenAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('unavailable', because('poll_given_up'))
}
