import { because, type Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { reasonOf } from '../../platform/errors.ts'

/** 45 s and 10 s make less than the minute in which a radio that no longer answers has to be found. */
const PROBE_EVERY_MS = 45_000
const SLOW_MS = 5000
const DEAD_MS = 10_000

export interface Probe {
  /** Asks; resolves with the answer, rejects when the link is gone. */
  ask: () => Promise<void>
  /** No answer for 5 s; it is asked once more. */
  slow: (reason: Reason) => void
  answered: () => void
  /** No answer for 10 s. */
  dead: (reason: Reason) => void
}

/** Asks a radio for a sign of life, now or in 45 s. One question at a time; who asks meanwhile gets the same answer. */
export class Prober {
  readonly #clock: Clock
  #cancelLater: (() => void) | null = null
  #running: { answer: Promise<boolean>; stop: () => void } | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The next regular question. */
  later(probe: () => void): void {
    this.#cancelLater?.()
    this.#cancelLater = this.#clock.after(PROBE_EVERY_MS, probe)
  }

  /** Resolves with whether the radio answered, after `answered` or `dead` was called; with false when stopped. */
  ask(probe: Probe): Promise<boolean> {
    if (this.#running !== null) return this.#running.answer
    let finish: (answered: boolean) => void = () => undefined
    const answer = new Promise<boolean>((resolve) => {
      finish = resolve
    })
    const timers = [
      this.#clock.after(SLOW_MS, () => {
        probe.slow(because('asked_again', { seconds: SLOW_MS / 1000 }))
        ask()
      }),
      this.#clock.after(DEAD_MS, () => over(false, because('stopped_answering', { seconds: DEAD_MS / 1000 })))
    ]
    const running = { answer, stop: () => over(false, null) }
    const over = (answered: boolean, reason: Reason | null): void => {
      if (this.#running !== running) return
      this.#running = null
      for (const cancel of timers) cancel()
      if (answered) probe.answered()
      else if (reason !== null) probe.dead(reason)
      finish(answered)
    }
    const ask = (): void => {
      probe.ask().then(
        () => over(true, null),
        (error: unknown) => over(false, reasonOf(error))
      )
    }
    this.#running = running
    ask()
    return answer
  }

  stop(): void {
    this.#cancelLater?.()
    this.#cancelLater = null
    this.#running?.stop()
  }
}
