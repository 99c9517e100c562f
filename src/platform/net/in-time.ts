import { because } from '../../model/reason.ts'
import { FetchError } from './fetch-error.ts'

const TOTAL_MS = 60_000

interface Bounds {
  totalMs?: number | undefined
  signal?: AbortSignal | undefined
}

/** Does `work` under a signal that ends it after `totalMs`, or when the caller gives it up; its reason is a FetchError. */
export async function inTime<T>(
  { totalMs = TOTAL_MS, signal }: Bounds,
  work: (stop: AbortSignal) => Promise<T>
): Promise<T> {
  const stop = new AbortController()
  const timer = setTimeout(
    () => stop.abort(new FetchError('timeout', because('no_whole_answer', { seconds: totalMs / 1000 }))),
    totalMs
  )
  const abort = (): void => stop.abort(new FetchError('aborted', because('request_given_up')))
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted === true) abort()
  try {
    return await work(stop.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
