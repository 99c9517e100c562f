import { because, type Reason } from '../model/reason.ts'
import { NOTHING_SHED, SHED_ORDER, type Shed, type ShedState, type Strained, shed, shedAt } from '../model/shedding.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Log } from '../platform/log/log.ts'
import { machineStrain } from '../platform/metrics/strain.ts'

/** The pause between two looks at the machine, and so between two steps of relief. Milliseconds. */
const EVERY_MS = 15_000

export interface SheddingOptions {
  strain: () => Strained
  /** False in a preview, which gives nothing up. */
  works: boolean
  clock: Clock
  log: Pick<Log, 'warn' | 'info'>
}

/** Failed starts are held against this one for so long: by then it has done what they failed at. */
const START_COUNTS_MS = 10 * 60_000

/** The shedding of this machine. */
export function machineWatch({
  failedStarts,
  ...rest
}: Omit<SheddingOptions, 'strain'> & { failedStarts: number }): Shedding {
  const since = performance.now()
  const failed = (): number => (performance.now() - since < START_COUNTS_MS ? failedStarts : 0)
  return new Shedding({ strain: () => ({ ...machineStrain(), failed_starts: failed() }), ...rest })
}

/** Gives work up so that warnings go on: looks at the machine, says so, and takes up again by itself. */
export class Shedding {
  readonly #o: SheddingOptions
  #onChange: (given: ReadonlySet<Shed>) => void = () => undefined
  #state: ShedState = NOTHING_SHED
  #cancel: () => void = () => undefined

  constructor(options: SheddingOptions) {
    this.#o = options
  }

  /** `onChange` is told of every change, with all that is given up by then. Answers how to stop. */
  start(onChange: (given: ReadonlySet<Shed>) => void): () => void {
    this.#onChange = onChange
    if (this.#o.works) this.#look()
    return () => this.#cancel()
  }

  /** The reason why this is given up; null while it is not. */
  readonly reasonOf = (step: Shed): Reason | null =>
    SHED_ORDER.indexOf(step) < this.#state.level ? reasonFor([step], this.#state) : null

  /** All that is given up, and why; null while nothing is. */
  reason(): Reason | null {
    return this.#state.level === 0 ? null : reasonFor(shedAt(this.#state.level), this.#state)
  }

  #look(): void {
    const { clock, log, strain } = this.#o
    this.#cancel = clock.after(EVERY_MS, () => this.#look())
    const before = this.#state.level
    this.#state = shed(strain(), this.#state)
    const { level } = this.#state
    if (level === before) return
    const details = { level, given_up: shedAt(level), causes: this.#state.causes }
    if (level > before) log.warn(details, sentenceOf(reasonFor(shedAt(level), this.#state)))
    else log.info(details, level === 0 ? 'the strain is over' : 'the strain is less')
    this.#onChange(new Set(shedAt(level)))
  }
}

function reasonFor(steps: readonly Shed[], { causes }: ShedState): Reason {
  return because('is_shed', {
    steps: steps.map((step) => because(`shed_${step}`)),
    causes: causes.map(({ strain, value }) => because(`strain_${strain}`, { value }))
  })
}
