import type { Clock } from '../clock/clock.ts'
import { errorText } from '../errors.ts'
import type { Log } from '../log/log.ts'
import type { MetricsHistory } from './history.ts'
import { type Measured, type MetricType, POINT_EVERY_MS } from './point.ts'

/** Functions that measure, one per kind. One that throws leaves a gap, and the reason in the log. */
export type Samplers = Partial<Record<MetricType, () => Measured | Promise<Measured>>>

interface CollectorSetup {
  history: MetricsHistory
  samplers: Samplers
  clock: Clock
  log: Pick<Log, 'warn'>
}

/** Measures every 120 s, at whole intervals of the clock, so that a restart does not shift the points. */
export class Collector {
  readonly #setup: CollectorSetup
  #cancel: () => void = () => undefined
  #stopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(setup: CollectorSetup) {
    this.#setup = setup
  }

  start(): void {
    const { clock } = this.#setup
    const wait = POINT_EVERY_MS - (clock.now() % POINT_EVERY_MS)
    this.#cancel = clock.after(wait, () => {
      this.#running = this.#measure().finally(() => {
        if (!this.#stopped) this.start()
      })
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancel()
    await this.#running
  }

  async #measure(): Promise<void> {
    const { history, samplers, clock, log } = this.#setup
    const at = clock.now() - (clock.now() % POINT_EVERY_MS)
    const measured: Partial<Record<MetricType, Measured>> = {}
    for (const [type, sample] of Object.entries(samplers) as [MetricType, NonNullable<Samplers[MetricType]>][]) {
      try {
        measured[type] = await sample()
      } catch (error) {
        log.warn({ err: error, type }, `nothing was measured: ${errorText(error)}`)
      }
    }
    if (this.#stopped) return
    try {
      history.record(at, measured)
    } catch (error) {
      log.warn({ err: error }, `the measurements could not be stored: ${errorText(error)}`)
    }
  }
}
