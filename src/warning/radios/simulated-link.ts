import { because, isSame, type Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { Listeners } from '../../platform/listeners.ts'
import type { RadioHealth, RadioState } from './radio.ts'

interface Waiter {
  resolve: () => void
  reject: (error: AppError) => void
}

/** The effect of a fault on the link. `true` gives the usual reason, a text gives its own. */
export interface LinkFault {
  /** The link is lost. */
  down?: boolean | string
  /** The link stands, but the node has stopped answering. */
  suspect?: boolean | string
}

/** The link of a simulated radio: it is up as soon as it is opened, unless a fault holds it down. */
export class SimulatedLink {
  readonly #id: string
  readonly #clock: Clock
  readonly #listeners = new Listeners<[]>()
  #waiters: Waiter[] = []
  #opened = false
  #fault: LinkFault = {}
  #health: RadioHealth

  constructor(id: string, clock: Clock) {
    this.#id = id
    this.#clock = clock
    this.#health = { state: 'connecting', reason: because('not_started'), since: clock.now() }
  }

  get health(): RadioHealth {
    return this.#health
  }

  get state(): RadioState {
    return this.#health.state
  }

  /** Resolves at the first `ready`; rejects with AppError `unavailable` when the radio is closed before. */
  open(): Promise<void> {
    this.#opened = true
    this.#follow()
    if (this.state === 'ready') return Promise.resolve()
    if (this.state === 'closed') return Promise.reject(this.#closedError())
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }))
  }

  /** Adds to or, with `false`, takes from what is wrong with the link. */
  fail(fault: LinkFault): void {
    this.#fault = { ...this.#fault, ...fault }
    this.#follow()
  }

  close(): void {
    if (this.state === 'closed') return
    this.#set('closed', because('closed'))
    this.#listeners.clear()
    for (const { reject } of this.#waiters.splice(0)) reject(this.#closedError())
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  #follow(): void {
    if (!this.#opened || this.state === 'closed') return
    const { down, suspect } = this.#fault
    if (down) this.#set('down', down === true ? because('sim_link_lost') : because('note', { text: down }))
    else if (suspect)
      this.#set('suspect', suspect === true ? because('sim_silent') : because('note', { text: suspect }))
    else this.#ready()
  }

  #ready(): void {
    if (this.state === 'ready') return
    if (this.state === 'down') this.#set('connecting', because('sim_link_back'))
    this.#set('ready', null)
    for (const { resolve } of this.#waiters.splice(0)) resolve()
  }

  #set(state: RadioState, reason: Reason | null): void {
    if (state === this.#health.state && isSame(reason, this.#health.reason)) return
    this.#health = { state, reason, since: this.#clock.now() }
    this.#listeners.tell()
  }

  #closedError(): AppError {
    return new AppError('unavailable', because('radio_was_closed', { radio: this.#id }))
  }
}
