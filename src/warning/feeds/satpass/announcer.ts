import { because, type Reason } from '../../../model/reason.ts'
import { reasonOf } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import type { PushTools } from '../source.ts'
import { savedElements } from './elements-store.ts'
import { chooseSatellites } from './names.ts'
import { passEvent } from './pass-event.ts'
import { highestOfNear, type ObservedPass, predictInSlices } from './predict.ts'
import type { SatpassSettings } from './settings.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const PLAN_MS = 36 * HOUR_MS
/** The plan is made anew while it still reaches this far. */
const PLAN_REST_MS = 12 * HOUR_MS
/** The clock of a small board may be set at any time: nothing is waited for any longer. */
const LONGEST_WAIT_MS = MINUTE_MS
/** Newer elements move a rise by seconds, and the next pass of the same satellite is an orbit away. */
const SAME_PASS_MS = 20 * MINUTE_MS
const FORGET_MS = 6 * HOUR_MS

interface Plan {
  /** Of which elements: a plan of former ones is made anew. */
  generation: number
  from: number
  to: number
  passes: ObservedPass[]
  unusable: SkippedItem[]
  unknown: string[]
  followed: number
}

/** A pass that was told to an observer: epoch milliseconds. */
interface Told {
  number: number
  rise: number
  at: number
}

/** Works out passes ahead and hands each over `announce_minutes_before` its rise, the highest where several are near. */
export class Announcer {
  readonly #settings: SatpassSettings
  readonly #tools: PushTools
  #plan: Plan | null = null
  #generation = 0
  #cancel: () => void = () => undefined
  #closed = false
  #running: Promise<void> | null = null
  #problem: () => Reason | null = () => null

  constructor(settings: SatpassSettings, tools: PushTools) {
    this.#settings = settings
    this.#tools = tools
  }

  start(problem: () => Reason | null): void {
    this.#problem = problem
    this.#wake()
  }

  /** The elements were asked for; `fresh`: there are new ones, and a new plan is made. */
  refreshed({ fresh }: { fresh: boolean }): void {
    if (fresh) this.#generation++
    this.#wake()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#running
  }

  #wake(): void {
    this.#cancel()
    if (this.#closed || this.#running !== null) return
    const generation = this.#generation
    this.#running = this.#turn().finally(() => {
      this.#running = null
      if (this.#closed) return
      const wait = generation === this.#generation ? this.#wait() : 0
      this.#cancel = this.#tools.clock.after(wait, () => this.#wake())
    })
  }

  async #turn(): Promise<void> {
    try {
      const plan = await this.#currentPlan()
      if (this.#closed) return
      await this.#announce(plan)
      this.#report(plan)
    } catch (error) {
      if (this.#closed || this.#tools.signal.aborted) return
      this.#tools.log.error({ err: error }, 'satellite passes could not be announced')
      this.#tools.report('down', reasonOf(error))
    }
  }

  async #currentPlan(): Promise<Plan> {
    const now = this.#tools.clock.now()
    if (this.#plan !== null && this.#isGood(this.#plan, now)) return this.#plan
    const generation = this.#generation
    const { chosen, unknown } = chooseSatellites(savedElements(this.#tools.memory), this.#settings.satellites)
    const { observers, min_elevation: minElevation, max_age_days: maxAgeDays, spacing_minutes } = this.#settings
    const window = { from: now, to: now + PLAN_MS }
    const { passes, unusable } = await predictInSlices(
      { elements: chosen, observers, ...window, minElevation, maxAgeDays },
      this.#tools.signal
    )
    const near = highestOfNear(passes, spacing_minutes * MINUTE_MS)
    this.#plan = { generation, ...window, passes: near, unusable, unknown, followed: chosen.length }
    return this.#plan
  }

  #isGood({ generation, from, to }: Plan, now: number): boolean {
    return generation === this.#generation && now >= from && now <= to - PLAN_REST_MS
  }

  async #announce(plan: Plan): Promise<void> {
    const now = this.#tools.clock.now()
    const due = plan.passes.filter((pass) => this.#isDue(pass, now))
    if (due.length === 0) return
    const first = [...new Map([...due].reverse().map((pass) => [pass.observer.name, pass])).values()]
    await this.#tools.accept(first.map((pass) => passEvent(pass, { source: this.#tools.source, now })))
    for (const pass of first) this.#remember(pass, now)
  }

  #isDue({ rise, observer, satellite }: ObservedPass, now: number): boolean {
    if (now < this.#dueAt(rise) || now > Math.max(rise, this.#dueAt(rise) + MINUTE_MS)) return false
    const told = this.#told(observer.name)
    const spacing = this.#settings.spacing_minutes * MINUTE_MS
    if (told.some(({ at }) => Math.abs(now - at) < spacing)) return false
    return !told.some((other) => other.number === satellite.number && Math.abs(other.rise - rise) < SAME_PASS_MS)
  }

  #dueAt(rise: number): number {
    return rise - this.#settings.announce_minutes_before * MINUTE_MS
  }

  #told(observer: string): Told[] {
    const saved: unknown = this.#tools.memory.get(`told:${observer}`)
    return Array.isArray(saved) ? saved.filter(isTold) : []
  }

  #remember({ observer, satellite, rise }: ObservedPass, now: number): void {
    const told = this.#told(observer.name).filter(({ at }) => Math.abs(now - at) < FORGET_MS)
    this.#tools.memory.set(`told:${observer.name}`, [...told, { number: satellite.number, rise, at: now }])
  }

  /** Until the next announcement, at most a minute. */
  #wait(): number {
    const now = this.#tools.clock.now()
    const waits = (this.#plan?.passes ?? []).map(({ rise }) => this.#dueAt(rise) - now).filter((wait) => wait > 0)
    return Math.min(LONGEST_WAIT_MS, ...waits)
  }

  #report({ followed, unusable, unknown }: Plan): void {
    const problem = this.#problem()
    const [first] = unusable
    if (followed === 0) {
      const none = unknown.length > 0 ? because('no_elements_of', { satellites: unknown }) : because('no_elements_yet')
      this.#tools.report(problem === null && unknown.length === 0 ? 'connecting' : 'down', problem ?? none)
    } else if (first !== undefined && unusable.length === followed) {
      this.#tools.report('down', problem ?? because('none_can_be_followed', { id: first.id, why: first.reason }))
    } else this.#tools.report('ready', problem ?? leftOut(unusable, unknown))
  }
}

/** One sentence on the satellites that are not followed, or null. */
function leftOut(unusable: readonly SkippedItem[], unknown: readonly string[]): Reason | null {
  const [first] = unusable
  if (unknown.length > 0) return because('no_elements_of', { satellites: unknown })
  if (first === undefined) return null
  const { id, reason: why } = first
  const more = unusable.length - 1
  return more === 0 ? because('satellite_left_out', { id, why }) : because('satellites_left_out', { id, more, why })
}

function isTold(value: unknown): value is Told {
  if (typeof value !== 'object' || value === null) return false
  return ['number', 'rise', 'at'].every((key) => typeof Reflect.get(value, key) === 'number')
}
