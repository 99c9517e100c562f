import type { Clock } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'

const FIRST_MS = 3000
const MOST_MS = 60_000

interface Options {
  clock: Clock
  log: Pick<Log, 'error'>
  /** True when the disk works again; without it only the retries of the storage find out. */
  probe: (() => Promise<boolean>) | undefined
  /** It does: what is to be tried. */
  onAnswer: () => void
}

/** Asks a disk that failed every few seconds whether it works again, one question at a time; what is tried in vain is tried less often. */
export class ReturnProbe {
  readonly #o: Options
  #waitMs = FIRST_MS
  #cancel: () => void = () => undefined
  #isOn = false

  constructor(options: Options) {
    this.#o = options
  }

  start(): void {
    this.#waitMs = FIRST_MS
    this.#isOn = true
    this.#next()
  }

  stop(): void {
    this.#isOn = false
    this.#cancel()
  }

  #next(): void {
    const { clock, probe, log } = this.#o
    if (probe === undefined) return
    this.#cancel()
    this.#cancel = clock.after(this.#waitMs, () => {
      probe()
        .then(
          (answers) => this.#answered(answers),
          (error: unknown) => log.error({ err: error }, 'the disk could not be asked')
        )
        .finally(() => {
          if (this.#isOn) this.#next()
        })
    })
  }

  #answered(answers: boolean): void {
    if (!this.#isOn) return
    if (!answers) {
      this.#waitMs = FIRST_MS
      return
    }
    this.#waitMs = Math.min(2 * this.#waitMs, MOST_MS)
    this.#o.onAnswer()
  }
}
