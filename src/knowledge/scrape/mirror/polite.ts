import { setTimeout as wait } from 'node:timers/promises'
import { type FetchGuard, type GetAnswer, httpGet } from '../../../platform/net/fetch.ts'
import type { EntryKind } from './frontier.ts'
import type { Robots } from './robots.ts'

const PAGE_BYTES = 10 * 1024 * 1024
const PART_BYTES = 25 * 1024 * 1024
/** It is held in memory while it comes. */
const DOCUMENT_BYTES = 64 * 1024 * 1024
const DOCUMENT_MS = 10 * 60_000
const MOST_BYTES = { page: PAGE_BYTES, part: PART_BYTES, document: DOCUMENT_BYTES }
const TOTAL_MS = 60_000
/** Seconds between two parts of pages: a browser asks for them all at once. */
const PART_DELAY = 0.1
/** The longest `Retry-After` of a host that is waited for. Seconds. */
const MOST_BACK_OFF = 300
const BACK_OFF = 30

export interface PoliteOptions {
  userAgent: string
  guard: FetchGuard
  robots: Robots
  /** Seconds between two pages of a host. */
  delay: number
}

/** One request at a time, each host at its own pace: the configured pause, or the site's own if that is longer. */
export class PoliteFetch {
  readonly #options: PoliteOptions
  /** The time at which a host may be asked again. Epoch milliseconds. */
  readonly #next = new Map<string, number>()

  constructor(options: PoliteOptions) {
    this.#options = options
  }

  /** @throws FetchError. */
  async get(url: URL, kind: EntryKind): Promise<GetAnswer> {
    const { userAgent, guard, robots, delay } = this.#options
    await this.#turn(url)
    const own = kind === 'part' ? Math.min(delay, PART_DELAY) : delay
    const pause = Math.max(own, await robots.delay(url))
    try {
      const answer = await httpGet({
        url: url.href,
        userAgent,
        guard,
        totalMs: kind === 'document' ? DOCUMENT_MS : TOTAL_MS,
        maxBytes: MOST_BYTES[kind],
        headers: { Accept: kind === 'page' ? 'text/html, application/xhtml+xml, image/*;q=0.8, */*;q=0.1' : '*/*' }
      })
      const isBusy = answer.status === 429 || answer.status === 503
      this.#later(url, isBusy ? backOff(answer.retryAfter) : pause)
      return answer
    } catch (error) {
      this.#later(url, pause)
      throw error
    }
  }

  async #turn(url: URL): Promise<void> {
    const left = (this.#next.get(url.host) ?? 0) - Date.now()
    if (left > 0) await wait(left)
  }

  #later(url: URL, seconds: number): void {
    if (this.#next.size > 1000) this.#next.clear()
    this.#next.set(url.host, Date.now() + seconds * 1000)
  }
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function backOff(retryAfter: string | null): number {
  const told = retryAfter ?? ''
  const seconds = /^\d+$/.test(told) ? Number(told) : (Date.parse(told) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(MOST_BACK_OFF, Math.max(1, seconds)) : BACK_OFF
}
