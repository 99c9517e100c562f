import robots from 'robots-parser'
import { because, type Reason } from '../../../model/reason.ts'
import { type FetchGuard, httpGet } from '../../../platform/net/fetch.ts'
import { FetchError } from '../../../platform/net/fetch-error.ts'

/** RFC 9309 §2.5: at least 500 KiB are read. */
const MAX_BYTES = 512 * 1024
const TOTAL_MS = 20_000
/** A site that wants more than this between two pages is asked this often. Seconds. */
const MOST_DELAY = 60
const MOST_HOSTS = 500

interface Rules {
  allows: (url: string) => boolean
  /** The reason why there are none, when the file could not be read. */
  fault?: Reason
  /** Seconds. */
  delay: number
}

const ALL: Rules = { allows: () => true, delay: 0 }
const nothing = (fault: Reason): Rules => ({ allows: () => false, delay: 0, fault })

/** The permissions of the sites for robots (RFC 9309), asked once for each host. */
export class Robots {
  readonly #known = new Map<string, Promise<Rules>>()
  readonly #userAgent: string
  readonly #guard: FetchGuard

  constructor({ userAgent, guard }: { userAgent: string; guard: FetchGuard }) {
    this.#userAgent = userAgent
    this.#guard = guard
  }

  async allows(url: URL): Promise<boolean> {
    return (await this.#rules(url)).allows(url.href)
  }

  /**
   * The reason why nothing may be fetched though the site forbids nothing: its robots.txt could not be read. Null
   * otherwise.
   */
  async fault(url: URL): Promise<Reason | null> {
    return (await this.#rules(url)).fault ?? null
  }

  /** `Crawl-delay`, at most a minute; 0 when the site does not say. Seconds. */
  async delay(url: URL): Promise<number> {
    return (await this.#rules(url)).delay
  }

  #rules(url: URL): Promise<Rules> {
    const known = this.#known.get(url.origin)
    if (known !== undefined) return known
    if (this.#known.size >= MOST_HOSTS) this.#known.clear()
    const asked = this.#ask(url.origin)
    this.#known.set(url.origin, asked)
    return asked
  }

  /** RFC 9309 §2.3.1: a file that is not there forbids nothing; a server that fails, or cannot be reached, forbids all. */
  async #ask(origin: string): Promise<Rules> {
    const address = `${origin}/robots.txt`
    try {
      const userAgent = this.#userAgent
      const options = { userAgent, guard: this.#guard, maxBytes: MAX_BYTES, totalMs: TOTAL_MS }
      const { status, body } = await httpGet({ url: address, ...options })
      if (status !== 200)
        return status >= 400 && status < 500 && status !== 429 ? ALL : nothing(because('robots_answers', { status }))
      return rulesOf(address, Buffer.from(body).toString('utf8'), userAgent)
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      // Redirects without end, or more than anybody would write: as if it were not there.
      return error.kind === 'answer' || error.kind === 'too-large' ? ALL : nothing(error.reason)
    }
  }
}

/** The thing its types call `default` is the module itself (CommonJS). */
const robotsParser = robots as unknown as typeof robots.default

/** The rules of a `robots.txt` at this address. */
export function rulesOf(address: string, text: string, userAgent: string): Rules {
  const robot = robotsParser(address, text)
  const delay = Number(robot.getCrawlDelay(userAgent) ?? 0)
  return {
    allows: (url) => robot.isAllowed(url, userAgent) !== false,
    delay: Number.isFinite(delay) ? Math.min(MOST_DELAY, Math.max(0, delay)) : 0
  }
}
