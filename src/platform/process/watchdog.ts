import { because } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { Clock } from '../clock/clock.ts'
import type { Loop } from '../clock/pulse.ts'
import { storageFaultOf } from '../database/storage-fault.ts'
import type { Log } from '../log/log.ts'
import type { ServiceManager } from './service-manager.ts'

/** Three words in the time of one, for a busy machine may cost two; and a look between, so that a standstill is seen early. */
const WORDS_IN_TIME = 3
const LOOKS_A_WORD = 2
/** A start may have a database to mend or to bring up to date; one that takes longer than this is given up by the service manager. */
const LONGEST_START_MS = 15 * 60_000
const LATE_MS = 1000
/** Each time during a start it is asked for this much more. */
const START_MORE_MS = 60_000

export interface WatchdogOptions {
  manager: Pick<ServiceManager, 'watchdogMs' | 'tell'>
  clock: Clock
  log: Pick<Log, 'error' | 'info'>
  /** Milliseconds of a clock that only goes forward. */
  steady?: () => number
}

interface Watched {
  loop: Loop
  beats: number
  /** The steady time of its last move. */
  movedAt: number
  stuck: boolean
}

/**
 * Tells the service manager that we live, as long as every loop moves on or has nothing to do (contract §12). One that
 * stands still gets no word sent any more, and we are started anew. Our own standstill is nobody's: sockets and timers have their turn first.
 */
export class Watchdog {
  readonly #o: WatchdogOptions
  readonly #steady: () => number
  #watched: Watched[] = []
  #loops: () => readonly Loop[] = () => []
  #status: () => string = () => ''
  #cancel: () => void = () => undefined
  #due = 0
  #begunAt = 0
  #looks = 0

  constructor(options: WatchdogOptions) {
    this.#o = options
    this.#steady = options.steady ?? (() => performance.now())
  }

  /** The start is under way: it has as long as it needs, within reason, while the program does not stand still. */
  starting(): void {
    this.#begunAt = this.#steady()
    const more = (): void => {
      if (this.#steady() - this.#begunAt >= LONGEST_START_MS) return
      const STATUS = sentenceOf(because('service_starts'))
      this.#o.manager.tell({ EXTEND_TIMEOUT_USEC: String(START_MORE_MS * 1000), STATUS })
      this.#cancel = this.#o.clock.after(START_MORE_MS / 3, more)
    }
    more()
  }

  /** The port answers and all loops run. `loops` is asked at every look: a radio may come or go while the program runs. */
  ready(loops: () => readonly Loop[], status: () => string): void {
    this.#cancel()
    this.#status = status
    this.#loops = loops
    this.#follow()
    this.#o.manager.tell({ READY: '1', ...this.#said() })
    this.#again()
  }

  stopping(): void {
    this.#cancel()
    this.#o.manager.tell({ STOPPING: '1', STATUS: sentenceOf(because('service_stops')) })
  }

  #again(): void {
    const { watchdogMs } = this.#o.manager
    if (watchdogMs === null) return
    const ms = watchdogMs / WORDS_IN_TIME / LOOKS_A_WORD
    this.#due = this.#steady() + ms
    this.#cancel = this.#o.clock.after(ms, () => this.#look())
  }

  #follow(): void {
    const known = new Map(this.#watched.map((one) => [one.loop, one]))
    const movedAt = this.#steady()
    this.#watched = this.#loops().map(
      (loop) => known.get(loop) ?? { loop, beats: loop.pulse.beats, movedAt, stuck: false }
    )
  }

  #look(): void {
    const late = Math.max(0, this.#steady() - this.#due)
    this.#again()
    this.#follow()
    for (const watched of this.#watched) this.#judge(watched, late)
    this.#looks++
    // A look that came late may be the last in time.
    if (late < LATE_MS && this.#looks % LOOKS_A_WORD !== 0) return
    const stuck = this.#watched.filter((one) => one.stuck).map(({ loop }) => loop.name)
    if (stuck.length > 0)
      this.#o.manager.tell({ STATUS: sentenceOf(because('service_stands_still', { loops: stuck })) })
    else this.#o.manager.tell({ WATCHDOG: '1', ...this.#said() })
  }

  /** Counting is done in the file, which may fail. */
  #said(): { STATUS?: string } {
    try {
      return { STATUS: this.#status() }
    } catch (error) {
      if (storageFaultOf(error) === null) throw error
      return {}
    }
  }

  #judge(watched: Watched, late: number): void {
    const { loop } = watched
    this.#tick(loop)
    const { beats, patienceMs } = loop.pulse
    const now = this.#steady()
    watched.movedAt = beats === watched.beats ? Math.min(now, watched.movedAt + late) : now
    watched.beats = beats
    const stuck = now - watched.movedAt > patienceMs
    if (stuck === watched.stuck) return
    watched.stuck = stuck
    const seconds = Math.round((now - watched.movedAt) / 1000)
    if (stuck)
      this.#o.log.error({ loop: loop.name, seconds }, 'a loop stands still: the service manager hears no more of us')
    else this.#o.log.info({ loop: loop.name }, 'the loop goes on')
  }

  /** A disk that fails is no standstill: a restart would forget what was sent without it. */
  #tick(loop: Loop): void {
    try {
      loop.tick()
    } catch (error) {
      if (storageFaultOf(error) === null) throw error
      loop.pulse.beat()
    }
  }
}
