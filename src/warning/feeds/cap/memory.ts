import { asBag, textOf } from '../reading/json.ts'
import { eachInTurn, eachRemembered } from '../reading/steps.ts'
import type { SourceMemory } from '../source.ts'

/** The state of one entry of an index. */
interface Known {
  stamp: string
  /** Epoch milliseconds of the last poll that listed it. */
  at: number
  done: boolean
  /** The number of times its detail could not be had. */
  failures: number
}

const DAY_MS = 24 * 3600 * 1000
const ENTRY_DAYS = 2
const TOLD_DAYS = 30

/**
 * The memory of a CAP source: entries of its index that are settled, and when each alert told was sent. Nothing is
 * written before `commit`, so that a poll that is given up half-way leaves no trace.
 */
export class CapMemory {
  readonly #memory: SourceMemory
  readonly #now: number
  readonly #changes = new Map<string, Known>()
  /** Details were left for the next poll. */
  waiting: boolean

  constructor(memory: SourceMemory, now: number) {
    this.#memory = memory
    this.#now = now
    this.waiting = memory.get('waiting') === true
  }

  /** True once the entry was told or left out for good, as long as its stamp stays. */
  isSettled(key: string, stamp: string): boolean {
    const known = this.#entry(key)
    return known?.done === true && known.stamp === stamp
  }

  failures(key: string, stamp: string): number {
    const known = this.#entry(key)
    return known !== null && known.stamp === stamp ? known.failures : 0
  }

  settle(key: string, stamp: string): void {
    this.#changes.set(key, { stamp, at: this.#now, done: true, failures: 0 })
  }

  failed(key: string, stamp: string): void {
    const failures = this.failures(key, stamp) + 1
    this.#changes.set(key, { stamp, at: this.#now, done: false, failures })
  }

  /** Writes what was settled. */
  commit(): void {
    for (const [key, known] of this.#changes) this.#memory.set(`entry:${key}`, known)
    if (this.waiting) this.#memory.set('waiting', true)
    else this.#memory.delete('waiting')
  }

  /** Keeps what the index lists, and forgets what it has not listed for two days and what was told a month ago. */
  *tidy(listed: ReadonlySet<string>): Generator<void, void> {
    yield* eachInTurn(this.#memory.keys('entry:'), (name) => this.#keep(name.slice('entry:'.length), listed))
    yield* eachRemembered(this.#memory, 'told:', (name, value) => {
      const at = asBag(value)?.['at']
      if (typeof at !== 'number' || this.#now - at > TOLD_DAYS * DAY_MS) this.#memory.delete(name)
    })
  }

  #keep(key: string, listed: ReadonlySet<string>): void {
    const known = this.#entry(key)
    const age = known === null ? Number.POSITIVE_INFINITY : this.#now - known.at
    // Written once a day only: the list of a quiet country does not change for hours.
    if (known !== null && listed.has(key)) {
      if (age > DAY_MS) this.#memory.set(`entry:${key}`, { ...known, at: this.#now })
    } else if (age > ENTRY_DAYS * DAY_MS) this.#memory.delete(`entry:${key}`)
  }

  /** The time of sending under which an alert was told first, or null. */
  toldAs(identifier: string): string | null {
    return textOf(asBag(this.#memory.get(`told:${identifier}`))?.['sent']) || null
  }

  told(identifier: string, sent: string): void {
    if (this.toldAs(identifier) === null) this.#memory.set(`told:${identifier}`, { sent, at: this.#now })
  }

  #entry(key: string): Known | null {
    const change = this.#changes.get(key)
    if (change !== undefined) return change
    const bag = asBag(this.#memory.get(`entry:${key}`))
    const [at, failures] = [bag?.['at'], bag?.['failures']]
    if (bag === null || typeof at !== 'number' || typeof failures !== 'number') return null
    return { stamp: textOf(bag['stamp']), at, done: bag['done'] === true, failures }
  }
}
