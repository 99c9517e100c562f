/** One request at a time per host, over all sources, and none while a host has asked for quiet. */
export class HostQueue {
  readonly #tails = new Map<string, Promise<unknown>>()
  readonly #quietUntil = new Map<string, number>()

  /** Runs `work` when everything asked of this host before has ended, however it ended. */
  async run<T>(host: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#tails.get(host) ?? Promise.resolve()).then(work)
    const tail = turn.catch(() => undefined)
    this.#tails.set(host, tail)
    try {
      return await turn
    } finally {
      if (this.#tails.get(host) === tail) this.#tails.delete(host)
    }
  }

  /** No request to this host before `time`: it answered 429, or 503 with Retry-After. */
  keepQuiet(host: string, time: number): void {
    this.#quietUntil.set(host, Math.max(time, this.#quietUntil.get(host) ?? 0))
  }

  /** Until when the host wants quiet; null when it does not. */
  quietUntil(host: string, now: number): number | null {
    const until = this.#quietUntil.get(host)
    if (until === undefined) return null
    if (until > now) return until
    this.#quietUntil.delete(host)
    return null
  }
}
