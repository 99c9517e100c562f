import { join } from 'node:path'
import type { LookoutEvent } from '../../../model/event.ts'
import { because, type Reason } from '../../../model/reason.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { parseWith } from '../../../platform/config/issues.ts'
import type { WarningConfig } from '../../settings.ts'
import { warningSchema } from '../../settings.ts'
import { type DemoRun, demoEventsAt, demoSteps, loadDemoScenario } from './demo.ts'

export interface DemoOptions {
  root: string
  demo: 'on' | 'off' | 'again'
  /** The saved configuration; the demo ends when something of one's own stands in it. */
  config: () => WarningConfig
  /** Hears of every new configuration. */
  onConfigChange: (listener: () => void) => void
  /** False when any radio is real. */
  allSimulated: boolean
  clock: Clock
}

/** The parts of the walk that the demo needs. */
export interface DemoStage {
  accept: (arrivals: { event: LookoutEvent }[]) => Promise<unknown>
  /** A remembered value of this data folder. */
  fact: (name: string) => string | null
  setFact: (name: string, value: string) => void
  /** Takes out what the demo left, its run with it; true while something of it is on its way. */
  remove: () => boolean
  onError: (error: unknown) => void
}

const DEMO_FACT = 'demo_run'
/** Longer than a commit waits, and than a text takes to leave. */
const CLEAR_AGAIN_MS = 5000

/**
 * Plays the bundled scenario into the real pipeline, on simulated radios only and only while nothing is configured.
 * Its events are judged by the scenario's own coverage and matrix, which are never saved; yours are not touched by it.
 */
export class DemoPlayer {
  readonly #o: DemoOptions
  readonly #title: string
  readonly #config: WarningConfig
  readonly #cancels = new Set<() => void>()
  #remaining = 0
  #over = false
  #seenBefore = false
  #run: DemoRun = { startMs: 0, runId: '' }

  private constructor(options: DemoOptions, title: string, config: WarningConfig) {
    this.#o = options
    this.#title = title
    this.#config = config
  }

  /** Null when the demo is not to be offered here. */
  static async open(options: DemoOptions): Promise<DemoPlayer | null> {
    if (options.demo === 'off' || !options.allSimulated || !isEmpty(options.config())) return null
    const scenario = await loadDemoScenario(join(options.root, 'demo'))
    return new DemoPlayer(options, scenario.title, parseWith(warningSchema, scenario.config, 'the demo scenario'))
  }

  /** True while the demo stands for this station: nothing of one's own is configured. */
  get offered(): boolean {
    return isEmpty(this.#o.config())
  }

  configFor(event: LookoutEvent): WarningConfig | null {
    return event.data['demo'] === true && this.offered ? this.#config : null
  }

  /** The configuration that the pages show as coverage and matrix while the demo stands in for one. */
  shownConfig(): WarningConfig | null {
    return this.offered ? this.#config : null
  }

  state(): { playing: boolean; note: Reason } | null {
    return this.offered ? { playing: this.#remaining > 0, note: this.note() } : null
  }

  note(): Reason {
    return because(this.#seenBefore ? 'demo_was_seen' : 'demo_plays', { title: this.#title })
  }

  /** Finds the run this folder knows, or begins a new one. */
  prepare(stage: DemoStage): void {
    const known = this.#o.demo === 'again' ? null : stage.fact(DEMO_FACT)
    this.#seenBefore = known !== null
    const startMs = this.#o.clock.now()
    this.#run = known === null ? { startMs, runId: String(startMs) } : (JSON.parse(known) as DemoRun)
    if (known === null) stage.setFact(DEMO_FACT, JSON.stringify(this.#run))
  }

  /** Plays the prepared run from its beginning. */
  async play(stage: DemoStage): Promise<void> {
    this.#o.onConfigChange(() => {
      if (this.offered || this.#over) return
      this.#over = true
      this.stop()
      this.#clear(stage)
    })
    if (!this.offered) return
    const steps = await demoSteps(join(this.#o.root, 'demo'), this.#run)
    this.#remaining = steps.length
    for (const step of steps) {
      const cancel = this.#o.clock.after(step.atSeconds * 1000, () => {
        this.#cancels.delete(cancel)
        this.#remaining--
        const events = demoEventsAt(step, this.#o.clock.now())
        const marked = events.map((event) => ({ event: { ...event, data: { ...event.data, demo: true } } }))
        stage.accept(marked).catch(stage.onError)
      })
      this.#cancels.add(cancel)
    }
  }

  /** Takes back what the demo told: now, and again for what was just being stored or sent. */
  #clear(stage: DemoStage): void {
    stage.remove()
    const again = this.#o.clock.after(CLEAR_AGAIN_MS, () => {
      this.#cancels.delete(again)
      if (stage.remove()) this.#clear(stage)
    })
    this.#cancels.add(again)
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels.clear()
    this.#remaining = 0
  }
}

function isEmpty({ radios, sources, coverage, notifications }: WarningConfig): boolean {
  const cells = Object.values(notifications.region_routes.cells)
  const isBare = radios.length === 0 && sources.length === 0 && coverage.areas.length === 0
  return isBare && cells.every((row) => Object.keys(row).length === 0)
}
