import { rm } from 'node:fs/promises'
import { because, type Reason } from '../model/reason.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { errorText } from '../platform/errors.ts'
import { writeFileAtomic } from '../platform/files/atomic-file.ts'
import type { Log } from '../platform/log/log.ts'
import type { Power } from '../platform/metrics/power.ts'
import type { PowerConfig } from '../platform/metrics/power-settings.ts'

const LOOK_MS = 10_000
/** Of the looks of that time so many saw a voltage that was too low: it comes and goes. */
const MOSTLY = 0.5
/** The message to the mesh may take so long to go out: then the board is switched off without it. */
const FLUSH_MS = 90_000
/**
 * Root does not see what changes while it works at the change before (see UnansweredWish), and does not answer: so each state is written again some
 * looks later, and a board that is to go says so each minute. The file is in memory.
 */
const [AGAIN, GOING_AGAIN] = [new Set([1, 3, 7]), 6]

/** The states of a lamp. `good` needs proof: nothing is wrong, and sources and radios are known to work. */
export type Lamp = 'starting' | 'good' | 'bad' | 'alert'

export interface BoardFacts {
  /** There are problems, or it cannot be known that there are none. */
  troubled: boolean
  /** A warning is in force. */
  alert: boolean
  /** Messages that wait or fly. */
  waiting: number
}

export interface BoardOptions {
  /** Read by deploy/systemd/lookout-board. */
  file: string
  clock: Clock
  log: Pick<Log, 'warn' | 'info'>
  facts: () => BoardFacts
  power: () => Power
  /** Percent of a battery that is being used up; null without one. */
  battery: () => number | null
  config: () => PowerConfig
  /** Tells the mesh, once, why the board is switched off. */
  warn: (why: Reason) => Promise<void>
}

type Going = 'battery' | 'voltage'

/**
 * Tells root what the lamp shows, and that the board is to be switched off: one line each in a file of `/run` (docs/decisions/0054). The
 * station writes that file when something changes; nothing of it is on the card.
 */
export class BoardWatch {
  readonly #o: BoardOptions
  #cancel: () => void = () => undefined
  #written = ''
  /** Looks since the text was another one. */
  #same = 0
  #closed = false
  /** Looks at the voltage, the newest last; true: too low. */
  #looks: boolean[] = []
  #going: { why: Going; since: number; isWarned: boolean } | null = null

  constructor(options: BoardOptions) {
    this.#o = options
  }

  start(): void {
    this.#later(0)
  }

  /** Nobody speaks for the station from then on: without the file the lamp shows that something is wrong. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await rm(this.#o.file, { force: true })
  }

  #later(ms: number): void {
    this.#cancel = this.#o.clock.after(ms, () => {
      this.#look()
        .catch((error: unknown) => this.#say(error))
        .finally(() => {
          if (!this.#closed) this.#later(LOOK_MS)
        })
    })
  }

  async #look(): Promise<void> {
    const facts = this.#o.facts()
    await this.#followPower(facts)
    await this.#tell(facts.alert ? 'alert' : facts.troubled ? 'bad' : 'good')
  }

  async #followPower({ waiting }: BoardFacts): Promise<void> {
    const why = this.#whyGoing()
    const now = this.#o.clock.now()
    if (why === null) this.#going = null
    else if (this.#going === null) {
      this.#going = { why, since: now, isWarned: false }
      const reason =
        why === 'battery'
          ? because('board_off_battery', { percent: this.#o.battery() ?? 0 })
          : because('board_off_voltage')
      this.#o.log.warn(reason)
      await this.#o.warn(reason)
    } else if (!this.#going.isWarned && (waiting === 0 || now - this.#going.since >= FLUSH_MS))
      this.#going = { ...this.#going, isWarned: true }
  }

  #whyGoing(): Going | null {
    const { shutdown, battery_percent, low_voltage_minutes } = this.#o.config()
    const most = Math.ceil((low_voltage_minutes * 60_000) / LOOK_MS)
    const { low } = this.#o.power()
    if (low !== null) this.#looks.push(low)
    this.#looks = this.#looks.slice(-Math.max(1, most))
    if (!shutdown) return null
    const battery = this.#o.battery()
    if (battery !== null && battery <= battery_percent) return 'battery'
    const seen = this.#looks.filter((one) => one).length
    const isFull = most > 0 && this.#looks.length >= most
    // Once it is to go it stays so until most looks are good again.
    return isFull && seen > most * MOSTLY ? 'voltage' : null
  }

  async #tell(lamp: Lamp): Promise<void> {
    const off = this.#going?.isWarned === true ? `poweroff=${this.#going.why}\n` : ''
    const text = `lamp=${lamp}\n${off}`
    this.#same = text === this.#written ? this.#same + 1 : 0
    const isDue = this.#same === 0 || AGAIN.has(this.#same) || (off !== '' && this.#same % GOING_AGAIN === 0)
    if (!isDue || this.#closed) return
    await writeFileAtomic(this.#o.file, text, { mode: 0o644 })
    this.#written = text
  }

  /** The folder of `/run` may be missing where nobody installed the units: said once. */
  #say(error: unknown): void {
    if (this.#written === 'failed') return
    this.#written = 'failed'
    this.#o.log.info({ file: this.#o.file }, `the state of the station is not shown on a lamp: ${errorText(error)}`)
  }
}
