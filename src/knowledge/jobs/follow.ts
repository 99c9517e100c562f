import type { Clock } from '../../platform/clock/clock.ts'

/** Without anything due: other processes add jobs too. */
const LOOK_EVERY_MS = 60_000
/** While somebody works: what is due is seen by the worker itself. */
const LOOK_AT_WORK_MS = 10_000
const LEAST_MS = 1000
/** No job is put off for longer; a time further ahead comes from a clock that was wrong. */
export const MOST_WAIT_MS = 2 * 86_400_000

interface Options {
  /** The time at which a job that the worker knows is due; null: nothing is left. */
  nextDue: () => number | null
  /** True when the worker does not run. One that has crashed begins again by itself. */
  asleep: () => boolean
  wake: () => void
  clock: Clock
  /** The table cannot be read now: looked at again later. */
  onError: (error: unknown) => void
}

/**
 * Wakes a worker that ended because nothing was to be done, when something is; one that works is left alone, so that it can
 * end. `look` again when it has ended: it may have put something off for a moment.
 */
export function followJobs({ nextDue, asleep, wake, clock, onError }: Options): { look: () => void; stop: () => void } {
  let stopped = false
  let cancel = (): void => undefined
  const look = (): void => {
    if (stopped) return
    cancel()
    let wait = LOOK_EVERY_MS
    try {
      const due = nextDue()
      const left = due === null ? LOOK_EVERY_MS : due - clock.now()
      const isDue = left <= 0 || left > MOST_WAIT_MS
      if (isDue && asleep()) wake()
      wait = isDue ? LOOK_AT_WORK_MS : Math.min(LOOK_EVERY_MS, Math.max(LEAST_MS, left))
    } catch (error) {
      onError(error)
    }
    cancel = clock.after(wait, look)
  }
  cancel = clock.after(LEAST_MS, look)
  const stop = (): void => {
    stopped = true
    cancel()
  }
  return { look, stop }
}
