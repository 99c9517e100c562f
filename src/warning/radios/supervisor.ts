import { randomUUID } from 'node:crypto'
import { because, isSame, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { Listeners } from '../../platform/listeners.ts'
import { backoff } from '../../platform/net/backoff.ts'
import type { Link, LinkSource } from './link/link.ts'
import { Prober } from './prober.ts'
import type { RadioHealth, RadioState } from './radio.ts'
import { Reopener } from './reopener.ts'

/** A link that held this long was a good one: the next loss starts the waiting times anew. */
const STABLE_MS = 30_000
/** Lost this soon after it came up, this many times running: somebody else takes the radio away from us. */
const QUICK_LOSS_MS = 10_000
const QUICK_LOSSES = 3

/** The log of the supervisor and its drivers. Never bytes: a handshake holds keys. */
export interface RadioLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

/** One conversation with a device over one link. Made by a driver before the link is open, so that no byte is missed. */
export interface Session {
  /**
   * The handshake. Resolves with null when the radio is ready, or with what keeps it from sending. Rejects with an AppError
   * that says why it failed, its own time-out included.
   */
  start(): Promise<Reason | null>
  /** Asks for a sign of life; resolves with the answer. It may never settle: the supervisor has the time limit. */
  probe(): Promise<void>
  /** Tells the device that we go; only at our own close. */
  farewell?(): Promise<void>
  /** The link is gone: settles what is pending and stops every timer. Called once. */
  end(reason: Reason): void
}

export interface SupervisorOptions {
  id: string
  source: LinkSource
  session: (link: Link) => Session
  clock: Clock
  /** Spreads the waiting times: 0…1. */
  random: () => number
  log?: RadioLog
}

interface Attempt {
  link: Link
  session: Session
  openedAt: number | null
  readyAt: number | null
  /** The problem that keeps a radio that answers from sending. */
  problem: Reason | null
}

interface Waiter {
  resolve: () => void
  reject: (error: AppError) => void
}

/**
 * Keeps one radio connected: connecting → ready → suspect (no answer for 5 s, or it cannot send) → down, and again, after 2 to 60 s.
 * A device that stopped answering is found within 60 s; a serial device that was away is back within seconds of its file.
 */
export class RadioSupervisor {
  readonly #o: SupervisorOptions
  readonly #listeners = new Listeners<[]>()
  readonly #reopener: Reopener
  readonly #prober: Prober
  #waiters: Waiter[] = []
  #attempt: Attempt | null = null
  #started = false
  #quickLosses = 0
  #lastFailure: Reason | null = null
  #conversation: string = randomUUID()
  #health: RadioHealth

  constructor(options: SupervisorOptions) {
    this.#o = options
    const { clock, random, source } = options
    this.#reopener = new Reopener({ source, clock, delay: (n) => backoff(n, { min: 2000, max: 60_000, random }) })
    this.#prober = new Prober(clock)
    this.#health = { state: 'connecting', reason: because('not_started'), since: clock.now() }
  }

  get health(): RadioHealth {
    return this.#health
  }

  /** Names the conversation with the device, see `Radio.session`. */
  get conversation(): string {
    return this.#conversation
  }

  /** Resolves at the first `ready`; rejects with AppError `unavailable` when closed before, or already. */
  open(): Promise<void> {
    if (this.#health.state === 'closed') return Promise.reject(this.#closedError())
    if (this.#health.state === 'ready') return Promise.resolve()
    const opened = new Promise<void>((resolve, reject) => this.#waiters.push({ resolve, reject }))
    if (!this.#started) this.#try()
    return opened
  }

  /** Told of every change of health, and of whatever the driver announces with `changed`. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  changed(): void {
    this.#listeners.tell()
  }

  /** Gives the link up and opens a new one after the usual wait. */
  fail(reason: Reason): void {
    if (this.#attempt !== null) this.#ended(this.#attempt, reason)
  }

  /**
   * Resolves with true when the radio answers now. Without an answer in 10 s the link is given up before this resolves
   * with false.
   */
  check(): Promise<boolean> {
    const attempt = this.#attempt
    return attempt === null || attempt.readyAt === null ? Promise.resolve(false) : this.#probe(attempt)
  }

  async close(): Promise<void> {
    if (this.#health.state === 'closed') return
    const attempt = this.#attempt
    this.#attempt = null
    this.#reopener.stop()
    this.#prober.stop()
    this.#set('closed', because('closed'))
    this.#listeners.clear()
    for (const { reject } of this.#waiters.splice(0)) reject(this.#closedError())
    if (attempt === null) return
    attempt.session.end(because('closed_before_answer'))
    if (attempt.openedAt !== null) {
      // The link may be gone already; then there is nobody to tell.
      await attempt.session.farewell?.().catch(() => undefined)
    }
    await attempt.link.close()
  }

  #try(): void {
    this.#started = true
    const link = this.#o.source.make()
    const attempt: Attempt = {
      link,
      session: this.#o.session(link),
      openedAt: null,
      readyAt: null,
      problem: null
    }
    this.#attempt = attempt
    this.#conversation = randomUUID()
    link.onClose((reason) => this.#ended(attempt, reason, true))
    const to = { link: link.label }
    const last = this.#lastFailure
    this.#set('connecting', last === null ? because('connecting_to', to) : because('connecting_again', { ...to, last }))
    this.#connect(attempt).catch((error: unknown) => this.#ended(attempt, reasonOf(error)))
  }

  async #connect(attempt: Attempt): Promise<void> {
    const { link, session } = attempt
    const { clock, id, log } = this.#o
    await link.open()
    if (this.#attempt !== attempt) return link.close()
    attempt.openedAt = clock.now()
    log?.info({ radio: id, link: link.label }, 'link open, speaking to the radio')
    const problem = await session.start()
    if (this.#attempt !== attempt) return
    attempt.readyAt = clock.now()
    attempt.problem = problem
    this.#lastFailure = null
    this.#reopener.connected()
    this.#prober.later(() => void this.#probe(attempt))
    this.#steady(attempt)
  }

  /** The state of a radio that answers. */
  #steady({ problem }: Attempt): void {
    if (problem !== null) {
      this.#set('suspect', problem)
      return
    }
    this.#set('ready', null)
    for (const { resolve } of this.#waiters.splice(0)) resolve()
  }

  #probe(attempt: Attempt): Promise<boolean> {
    return this.#prober.ask({
      ask: () => attempt.session.probe(),
      slow: (reason) => this.#set('suspect', reason),
      answered: () => {
        this.#steady(attempt)
        this.#prober.later(() => void this.#probe(attempt))
      },
      dead: (reason) => this.#ended(attempt, reason)
    })
  }

  /** `closed`: the other side ended the link; false for a handshake that failed or a link that went deaf. */
  #ended(attempt: Attempt, reason: Reason, closed = false): void {
    if (this.#attempt !== attempt) return
    this.#attempt = null
    this.#prober.stop()
    const { clock } = this.#o
    if (attempt.readyAt !== null && clock.now() - attempt.readyAt >= STABLE_MS) {
      this.#quickLosses = 0
      this.#reopener.forget()
    }
    const full = this.#blame(attempt, reason, closed)
    this.#lastFailure = full
    attempt.session.end(full)
    // A link's close never rejects; nobody waits for the end of a lost one.
    void attempt.link.close()
    this.#reopener.schedule(() => this.#try())
    this.#set('down', full)
  }

  /** One client at a time: a second one throws us out as soon as it comes back, again and again. */
  #blame({ openedAt, readyAt }: Attempt, reason: Reason, closed: boolean): Reason {
    // A wrong device answers nothing we know, again and again: that is nobody else's doing.
    if (!closed && readyAt === null) {
      this.#quickLosses = 0
      return reason
    }
    if (openedAt !== null) {
      this.#quickLosses = this.#o.clock.now() - openedAt < QUICK_LOSS_MS ? this.#quickLosses + 1 : 0
    }
    if (this.#quickLosses < QUICK_LOSSES) return reason
    return because('taken_away', { why: reason, times: this.#quickLosses })
  }

  #set(state: RadioState, reason: Reason | null): void {
    if (state === this.#health.state && isSame(reason, this.#health.reason)) return
    const { clock, id, log, source } = this.#o
    const from = this.#health.state
    this.#health = { state, reason, since: clock.now() }
    const details = {
      radio: id,
      link: source.label,
      from,
      state,
      ...(reason === null ? {} : { reason: sentenceOf(reason) })
    }
    if (state === 'down' || state === 'suspect') log?.warn(details, `radio ${state}`)
    else log?.info(details, `radio ${state}`)
    this.changed()
  }

  #closedError(): AppError {
    return new AppError('unavailable', because('radio_was_closed', { radio: this.#o.id }))
  }
}
