import type { Reason } from '../../../model/reason.ts'
import { settledWithin } from '../../../platform/clock/within.ts'
import { AppError, reasonOf } from '../../../platform/errors.ts'
import { backoff } from '../../../platform/net/backoff.ts'
import type { PushTools } from '../source.ts'

/** The end of a connection: what to tell, and how long to wait at least when trying at once makes no sense. */
export interface Ending {
  reason: Reason
  /** Milliseconds; default: by backoff. */
  wait?: number
}

/** One connection to a broker, from the first attempt to its end. */
export interface Connection {
  /** Resolves when it ended. `ready` is told when messages can come; what it says is what is not quite well. */
  run(ready: (complaint: Reason | null) => void): Promise<Ending>
  /** Ends it in good order; `run` resolves soon after. */
  end(): Promise<void>
}

/** Waits between attempts. Milliseconds. */
const BACKOFF = { min: 1000, max: 60_000 }
/** A connection that was ready this long counts as good: the next loss begins with a short wait. */
const GOOD_MS = 60_000
const END_MS = 1200

/** Connects, and comes back after every loss, waiting longer each time: 1 s up to 60 s. */
export function keepConnected(connect: () => Connection, tools: PushTools): { close(): Promise<void> } {
  const supervisor = new BrokerSupervisor(connect, tools)
  const work = supervisor.work()
  return {
    close: async () => {
      await supervisor.stop()
      await settledWithin(work, END_MS, tools.clock)
    }
  }
}

class BrokerSupervisor {
  readonly #connect: () => Connection
  readonly #tools: PushTools
  #connection: Connection | null = null
  #stopped = false
  #attempt = 0
  #wake: () => void = () => undefined

  constructor(connect: () => Connection, tools: PushTools) {
    this.#connect = connect
    this.#tools = tools
  }

  async work(): Promise<void> {
    this.#tools.report('connecting', null)
    while (!this.#stopped) {
      const { reason, wait } = await this.#once()
      if (this.#stopped) break
      this.#tools.report('down', reason)
      const pause = backoff(this.#attempt++, { ...BACKOFF, random: () => this.#tools.random() })
      await this.#pause(wait ?? pause)
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#wake()
    if (this.#connection !== null) await settledWithin(this.#connection.end(), END_MS, this.#tools.clock)
  }

  async #once(): Promise<Ending> {
    const { clock, log, report } = this.#tools
    let readyAt: number | null = null
    try {
      this.#connection = this.#connect()
      return await this.#connection.run((complaint) => {
        readyAt ??= clock.now()
        if (!this.#stopped) report('ready', complaint)
      })
    } catch (error) {
      if (!(error instanceof AppError)) log.error({ err: error }, 'a connection to a broker failed unexpectedly')
      return { reason: reasonOf(error) }
    } finally {
      this.#connection = null
      if (readyAt !== null && clock.now() - readyAt >= GOOD_MS) this.#attempt = 0
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#tools.clock.after(ms, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }
}
