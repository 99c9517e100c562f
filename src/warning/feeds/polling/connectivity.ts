import type { Clock } from '../../../platform/clock/clock.ts'

/** The time after its last answer for which a source still shows that the network is up. */
const EVIDENCE_MS = 10 * 60_000
const PROBE_MS = 60_000
const SPREAD_MS = 30_000

/** A source as far as the network is concerned. */
export interface Member {
  readonly name: string
  /** Asks now, in place of everybody. */
  probe(): void
  /** Waits for the network instead of its own backoff. */
  suspend(): void
  /** The network is back: ask in `ms`. */
  resume(ms: number): void
}

interface Seen {
  reached: boolean
  at: number
  /** In vain in a row. */
  vain: number
}

/**
 * Tells "this provider is down" from "we are offline". While nobody can be reached, one source in turn is asked each
 * minute; as soon as one answers, all the others are asked too, spread over half a minute.
 */
export class Connectivity {
  readonly #clock: Clock
  readonly #random: () => number
  readonly #onChange: (offline: boolean) => void
  readonly #seen = new Map<Member, Seen>()
  #offline = false
  #cancelProbe: () => void = () => undefined

  constructor(options: { clock: Clock; random: () => number; onChange: (offline: boolean) => void }) {
    this.#clock = options.clock
    this.#random = options.random
    this.#onChange = options.onChange
  }

  get offline(): boolean {
    return this.#offline
  }

  /** After every poll: whether any server answered. */
  report(member: Member, reached: boolean): void {
    const vain = reached ? 0 : (this.#seen.get(member)?.vain ?? 0) + 1
    this.#seen.delete(member)
    this.#seen.set(member, { reached, at: this.#clock.now(), vain })
    if (reached) this.#cameBack(member)
    else if (this.#offline) member.suspend()
    // The second time: by then the others have been asked, too.
    else if (vain > 1 && this.#nobodyReached()) this.#goOffline()
  }

  /** A source that stopped says nothing about the network. */
  forget(member: Member): void {
    this.#seen.delete(member)
    if (this.#unreached().length === 0 && this.#offline) this.#endOutage()
  }

  stop(): void {
    this.#cancelProbe()
    this.#seen.clear()
  }

  #unreached(): Member[] {
    return [...this.#seen].filter(([, { reached }]) => !reached).map(([member]) => member)
  }

  #nobodyReached(): boolean {
    const now = this.#clock.now()
    return [...this.#seen.values()].every(({ reached, at }) => !reached || now - at > EVIDENCE_MS)
  }

  #goOffline(): void {
    this.#offline = true
    for (const member of this.#unreached()) member.suspend()
    this.#armProbe()
    this.#onChange(true)
  }

  /** Whoever was asked longest ago is next: reports put a source at the end. */
  #armProbe(): void {
    this.#cancelProbe = this.#clock.after(PROBE_MS, () => {
      this.#unreached()[0]?.probe()
      this.#armProbe()
    })
  }

  #cameBack(first: Member): void {
    if (!this.#offline) return
    this.#endOutage()
    for (const member of this.#unreached()) if (member !== first) member.resume(Math.round(this.#random() * SPREAD_MS))
  }

  #endOutage(): void {
    this.#offline = false
    this.#cancelProbe()
    this.#onChange(false)
  }
}
