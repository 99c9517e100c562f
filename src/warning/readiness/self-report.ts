import type { ClockFact, StationFacts, StorageFact } from './facts.ts'

/** A stall is told this long after it happened: a monitor asks every few minutes. */
const REMEMBERED_MS = 10 * 60_000

type SelfFacts = Pick<StationFacts, 'storage' | 'loop' | 'writes'> & { clock: ClockFact }

/**
 * The program's observations of itself (contract §13): whoever meets one reports it here, whoever asks gets what is
 * still true. One per process; everything in it is forgotten with the process.
 */
export class SelfReport {
  #storage: StorageFact | null = null
  #loop: StationFacts['loop'] = null
  #jump: ClockFact['jump'] = null
  #clockFrom: string | null = null
  #writtenAt: number | null = null
  #unwrittenSince: number | null = null

  /** The loop stood still for so long that radios and sources waited. Only stalls over a second are worth it. */
  loopStalled(stalledMs: number, at: number): void {
    if (stalledMs <= 1000) return
    const worse = this.#loop === null || at - this.#loop.at > REMEMBERED_MS || stalledMs >= this.#loop.stalledMs
    this.#loop = worse ? { stalledMs, at } : this.#loop
  }

  /** A durable write failed. The first failure of a kind keeps its time until `written`. */
  storageFailed(code: StorageFact['code'], { at, detail = '' }: { at: number; detail?: string }): void {
    const since = this.#storage?.code === code ? this.#storage.since : at
    this.#storage = { code, since, detail }
  }

  /** Events have come that are not stored yet. */
  eventsCame(at: number): void {
    this.#unwrittenSince ??= at
  }

  /** A durable write succeeded: what waited is stored, and storage works. */
  written(at: number): void {
    this.#writtenAt = at
    this.#unwrittenSince = null
    this.#storage = null
  }

  /** The clock is not set: the time of this radio is used. Null: no more. */
  clockFrom(radio: string | null): void {
    this.#clockFrom = radio
  }

  clockJumped(seconds: number, at: number): void {
    this.#jump = { seconds, at }
  }

  facts(now: number): SelfFacts {
    const recent = <Fact extends { at: number } | null>(fact: Fact): Fact | null =>
      fact !== null && Math.abs(now - fact.at) <= REMEMBERED_MS ? fact : null
    return {
      storage: this.#storage,
      loop: recent(this.#loop),
      clock: { jump: recent(this.#jump), from: this.#clockFrom },
      writes: { lastAt: this.#writtenAt, unwrittenSince: this.#unwrittenSince }
    }
  }
}
