import { isDeepStrictEqual } from 'node:util'
import type { Reason } from '../model/reason.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError, errorText, reasonOf } from '../platform/errors.ts'
import type { Log } from '../platform/log/log.ts'
import type { Profile } from '../settings/profile.ts'
import { createRadios, type Wanted, wantedRadios } from '../warning/radios/create.ts'
import type { Radio } from '../warning/radios/radio.ts'
import type { RadioConfig } from '../warning/radios/settings.ts'
import type { Core } from './core.ts'

interface StationRadiosOptions {
  config: { current: () => { readonly radios: readonly RadioConfig[] } }
  /** `simulated_radios`: one of each network stands in while none is configured. */
  profile: Pick<Profile, 'simulated_radios'>
  /** False: there are none (preview). */
  transmit: boolean
  /** See `RadioSetup`. */
  mcNames: () => string[]
  clock: Clock
  log: Log
  /** Told of every radio that is made, before it connects. */
  onMade?: (radio: Radio) => void
}

/** The parts of the core that follow the radios. */
type Stage = Pick<Core, 'takeRadio' | 'dropRadio' | 'radioStatus' | 'observers'>

interface Made {
  entry: Wanted
  radio: Radio
  unwatch: () => void
}

/**
 * The radios of the running station. They follow the configuration: one that is chosen is connected at once, one that is taken away is
 * closed once the text on its way has settled, and all others stay connected. A restart is never needed.
 */
export class StationRadios {
  /** Those that there are now, in the order of the configuration; whoever holds this list sees every change. */
  readonly list: Radio[] = []
  /** Reasons why configured radios could not be made; the same list for ever, too. */
  readonly problems: Reason[] = []
  readonly #o: StationRadiosOptions
  readonly #made = new Map<Radio, Made>()
  #stage: Stage | null = null
  #changing: Promise<boolean> = Promise.resolve(false)
  #closed = false

  /** Makes what is configured now; nothing connects before `start`. */
  static async open(options: StationRadiosOptions): Promise<StationRadios> {
    const radios = new StationRadios(options)
    await radios.#make(radios.#wanted())
    return radios
  }

  private constructor(options: StationRadiosOptions) {
    this.#o = options
  }

  /** Connects them; from now on `follow` may be called. */
  start(stage: Stage): void {
    this.#stage = stage
    for (const made of this.#made.values()) this.#connect(made, stage)
  }

  /** Makes the radios what the configuration says, one change after the other. True when there are others now. Never rejects. */
  follow(): Promise<boolean> {
    this.#changing = this.#changing
      .then(() => this.#change())
      .catch((error: unknown) => {
        this.#o.log.error({ err: error }, 'the radios could not follow the configuration')
        return true
      })
    return this.#changing
  }

  /** Their watchers end before the core does: a radio that closes changes once more, when the database is closed already. */
  unwatch(): void {
    this.#closed = true
    for (const { unwatch } of this.#made.values()) unwatch()
  }

  async close(): Promise<void> {
    this.unwatch()
    await Promise.all([...this.#made.keys()].map((radio) => radio.close()))
  }

  #wanted(): Wanted[] {
    const { config, profile, transmit } = this.#o
    if (!transmit) return []
    return wantedRadios({ configured: config.current().radios, allowSimulatedDefault: profile.simulated_radios })
  }

  async #change(): Promise<boolean> {
    const stage = this.#stage
    if (this.#closed || stage === null) return false
    const wanted = this.#wanted()
    const gone = [...this.#made.values()].filter(({ entry }) => !wanted.some((one) => isDeepStrictEqual(one, entry)))
    const known = new Set([...this.#made.values()].map(({ radio }) => radio))
    for (const made of gone) await this.#drop(made, stage)
    await this.#make(wanted)
    const fresh = [...this.#made.values()].filter(({ radio }) => !known.has(radio))
    for (const made of fresh) {
      if (this.#closed) return false
      stage.takeRadio(made.radio)
      this.#connect(made, stage)
    }
    return gone.length + fresh.length > 0
  }

  async #drop({ entry, radio, unwatch }: Made, stage: Stage): Promise<void> {
    unwatch()
    this.#made.delete(radio)
    this.list.splice(this.list.indexOf(radio), 1)
    await stage.dropRadio(radio, () => radio.close())
    this.#o.log.info({ radio: entry.id }, 'radio let go: it is no longer configured')
  }

  /** Makes those that are missing. A radio that cannot be made is told as a problem: the others, and everything else, go on. */
  async #make(wanted: readonly Wanted[]): Promise<void> {
    const { log, onMade } = this.#o
    this.problems.length = 0
    const setup = { ...this.#o, allowSimulatedDefault: false, random: Math.random }
    for (const entry of wanted) {
      if ([...this.#made.values()].some((made) => isDeepStrictEqual(made.entry, entry))) continue
      try {
        const [radio] = await createRadios({ ...setup, configured: [entry] })
        if (radio === undefined) continue
        this.#made.set(radio, { entry, radio, unwatch: () => undefined })
        onMade?.(radio)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        this.problems.push(reasonOf(error))
        log.error({ radio: entry.id }, errorText(error))
      }
    }
    const inOrder = wanted.flatMap((entry) => this.#radioOf(entry) ?? [])
    this.list.splice(0, this.list.length, ...inOrder)
  }

  #radioOf(entry: Wanted): Radio | undefined {
    return [...this.#made.values()].find((made) => isDeepStrictEqual(made.entry, entry))?.radio
  }

  #connect(made: Made, stage: Stage): void {
    const { radio } = made
    const { id } = radio.description
    made.unwatch = radio.onChange(() => {
      const status = stage.radioStatus().find((one) => one.id === id)
      if (status !== undefined) stage.observers.tell('radio', status)
    })
    radio.connect().catch((error: unknown) => {
      // Closed before it was ever ready: what its supervisor said of it stands in the log already.
      if (!(error instanceof AppError && error.code === 'unavailable'))
        this.#o.log.error({ err: error, radio: id }, 'the radio did not connect')
    })
  }
}
