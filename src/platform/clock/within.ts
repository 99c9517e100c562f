import type { Clock } from './clock.ts'

/** Resolves when `work` has ended, however it ended, and after `ms` at the latest. */
export function settledWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    const done = (): void => {
      cancel()
      resolve()
    }
    work.then(done, done)
  })
}
