import type { Clock } from '../../platform/clock/clock.ts'

/** Waits. @throws what `signal` is aborted with meanwhile. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const aborted = (): void => {
      cancel()
      reject(signal.reason)
    }
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', aborted)
      resolve()
    })
    signal.addEventListener('abort', aborted, { once: true })
  })
}
