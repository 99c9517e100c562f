import type { Log } from '../log/log.ts'
import type { Clock } from './clock.ts'

const TOTAL_MS = 5000
const STEP_MS = 2000

export type Stop = () => void | Promise<void>

interface Step {
  name: string
  stop: Stop
}

/**
 * Stops what was started, last in first out. Each step has at most 2 s, all together 5 s (contract §12); a step that
 * throws or takes too long is logged by name and the next one runs. Only what throws has failed: on a busy machine a step
 * that is cut off is parked, as by a power cut, and the next start takes it up.
 */
export class Stopper {
  readonly #clock: Clock
  readonly #log: Pick<Log, 'error'>
  readonly #totalMs: number
  readonly #stepMs: number
  readonly #steps: Step[] = []
  #stopping: Promise<string[]> | null = null
  #deadline = 0

  constructor(options: { clock: Clock; log: Pick<Log, 'error'>; totalMs?: number; stepMs?: number }) {
    this.#clock = options.clock
    this.#log = options.log
    this.#totalMs = options.totalMs ?? TOTAL_MS
    this.#stepMs = options.stepMs ?? STEP_MS
  }

  /** Registers a stop the moment the thing exists. What is registered after stopping began is stopped at once. */
  add(name: string, stop: Stop): void {
    this.#steps.push({ name, stop })
    if (this.#stopping !== null) this.#stopping = this.#stopping.then(async (failed) => this.#drain(failed))
  }

  /** Runs all stops once, however often it is called. Answers the names of those that threw; never rejects. */
  stop(): Promise<string[]> {
    if (this.#stopping === null) {
      this.#deadline = this.#clock.now() + this.#totalMs
      this.#stopping = this.#drain([])
    }
    return this.#stopping
  }

  async #drain(failed: string[]): Promise<string[]> {
    // The clock's timers do not keep the process alive; without this it could end in the middle of a slow step.
    const hold = setInterval(() => undefined, this.#totalMs)
    try {
      for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
        if (!(await this.#run(step))) failed.push(step.name)
      }
      return failed
    } finally {
      clearInterval(hold)
    }
  }

  async #run({ name, stop }: Step): Promise<boolean> {
    const limit = Math.max(0, Math.min(this.#stepMs, this.#deadline - this.#clock.now()))
    try {
      if (!(await this.#within(limit, stop))) this.#log.error({ step: name, limit_ms: limit }, 'stopping took too long')
      return true
    } catch (error) {
      this.#log.error({ err: error, step: name }, 'stopping failed')
      return false
    }
  }

  #within(limit: number, stop: Stop): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(limit, () => resolve(false))
      Promise.resolve()
        .then(stop)
        .then(() => resolve(true), reject)
        .finally(cancel)
    })
  }
}
