import type { Clock } from '../../../platform/clock/clock.ts'

/** Between two addresses of one host: a list of a thousand is no attack. */
const PAUSE_MS = 1000
const MOST_HOSTS = 1000

/** Keeps the pause between two addresses of one host. */
export class Politeness {
  readonly #clock: Clock
  readonly #pauseMs: number
  readonly #last = new Map<string, number>()

  constructor(clock: Clock, pauseMs = PAUSE_MS) {
    this.#clock = clock
    this.#pauseMs = pauseMs
  }

  /** Resolves when the host of this address may be asked again. @throws what `signal` is aborted with meanwhile. */
  async turn(address: string, signal: AbortSignal): Promise<void> {
    const host = URL.canParse(address) ? new URL(address).host : address
    const since = this.#clock.now() - (this.#last.get(host) ?? Number.NEGATIVE_INFINITY)
    // A clock that was set back makes nobody wait for an hour.
    if (since >= 0 && since < this.#pauseMs) await wait(this.#clock, this.#pauseMs - since, signal)
    if (this.#last.size >= MOST_HOSTS) this.#last.clear()
    this.#last.set(host, this.#clock.now())
  }
}

function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => {
      cancel()
      reject(signal.reason)
    }
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', aborted)
      resolve()
    })
    if (signal.aborted) aborted()
    else signal.addEventListener('abort', aborted, { once: true })
  })
}
