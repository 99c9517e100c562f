import { because, type Reason, type ReasonCode } from '../../../model/reason.ts'
import { sha256Hex, sha256Steps } from '../../../platform/bytes/hash.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { nextTurn, paced } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { GetAnswer, GetRequest } from '../../../platform/net/fetch.ts'
import type { FetchFailure } from '../../../platform/net/fetch-error.ts'
import type { Fetched, FetchRequest } from '../source.ts'
import type { FeedStore, Validators } from './feed-store.ts'
import type { HostQueue } from './host-queue.ts'
import { retryAfterMs } from './schedule.ts'

/** One GET; rejects with a FetchError. */
export type Transport = (request: GetRequest) => Promise<GetAnswer>

/** The reason why there was no good answer, as the schedule needs it. */
export interface AskedInVain {
  kind: FetchFailure | 'status' | 'quiet'
  status: number | null
  retryAfterMs: number | null
}

export interface FetchSetup {
  transport: Transport
  hosts: HostQueue
  store: Pick<FeedStore, 'validators'>
  clock: Clock
  /** The User-Agent: product, version and whom to call. */
  userAgent: () => string
}

const QUIET_MS = 60_000
const GIVEN_UP: AskedInVain = { kind: 'aborted', status: null, retryAfterMs: null }

/**
 * The requests of one poll. Everything is asked with what was remembered of the last good poll; what is learned is kept
 * aside in `learned` until the caller stores it together with the events.
 */
export class FetchRound {
  readonly #o: FetchSetup
  readonly #source: string
  readonly #signal: AbortSignal
  readonly #learned = new Map<string, Validators>()
  requests = 0
  bytes = 0
  /** True once any server has answered anything. */
  reached = false
  /** Of the first good answer: that is the listing. Seconds. */
  maxAge: number | null = null
  failure: AskedInVain | null = null

  constructor(setup: FetchSetup, source: string, signal: AbortSignal) {
    this.#o = setup
    this.#source = source
    this.#signal = signal
  }

  /** By address, what to send with the next poll; only what is new. */
  get learned(): ReadonlyMap<string, Validators> {
    return this.#learned
  }

  /** @throws AppError `unavailable` when there is no good answer: `failure` says why. */
  async fetch(request: FetchRequest): Promise<Fetched> {
    const host = URL.canParse(request.url) ? new URL(request.url).host : ''
    return this.#unlessGivenUp(this.#o.hosts.run(host, () => this.#ask(host, request)))
  }

  /** A poll that is given up does not wait for its turn at a host that others keep busy. */
  #unlessGivenUp<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const givenUp = (): void => reject(this.#inVain(GIVEN_UP, because('poll_given_up')))
      this.#signal.addEventListener('abort', givenUp, { once: true })
      if (this.#signal.aborted) givenUp()
      work.then(resolve, reject).finally(() => this.#signal.removeEventListener('abort', givenUp))
    })
  }

  async #ask(host: string, request: FetchRequest): Promise<Fetched> {
    const now = this.#o.clock.now()
    const quiet = this.#o.hosts.quietUntil(host, now)
    if (quiet !== null) {
      const why = because('host_wants_quiet', { host, until: quiet })
      throw this.#inVain({ kind: 'quiet', status: null, retryAfterMs: quiet - now }, why)
    }
    if (this.#signal.aborted) throw this.#inVain(GIVEN_UP, because('poll_given_up'))
    const key = addressKey(request.url)
    const before =
      request.conditional === false ? null : (this.#learned.get(key) ?? this.#o.store.validators(this.#source, key))
    this.requests++
    const answer = await this.#get(request, before)
    this.reached = true
    this.bytes += answer.bytes
    return await this.#judge(answer, { host, key, before })
  }

  async #get(request: FetchRequest, before: Validators | null): Promise<GetAnswer> {
    const { url, headers, maxBytes } = request
    try {
      return await this.#o.transport({
        url,
        userAgent: this.#o.userAgent(),
        signal: this.#signal,
        ...(headers === undefined ? {} : { headers }),
        ...(maxBytes === undefined ? {} : { maxBytes }),
        ...(before === null ? {} : { etag: before.etag, modified: before.modified })
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const kind = kindOfFailure(error)
      if (kind !== 'unreachable') this.reached = true
      this.failure = { kind, status: null, retryAfterMs: null }
      throw error
    }
  }

  async #judge(
    answer: GetAnswer,
    { host, key, before }: { host: string; key: string; before: Validators | null }
  ): Promise<Fetched> {
    const { status, etag, modified, body, contentType, url } = answer
    if (status === 304 && before !== null) {
      this.maxAge ??= answer.maxAge
      this.#learn(key, { ...before, etag: etag ?? before.etag, modified: modified ?? before.modified }, before)
      return { state: 'unchanged' }
    }
    if (status !== 200) throw this.#refused(answer, host)
    this.maxAge ??= answer.maxAge
    const hash = await paced(sha256Steps(body), nextTurn)
    this.#learn(key, { etag, modified, hash }, before)
    return before?.hash === hash ? { state: 'unchanged' } : { state: 'new', body, contentType, url }
  }

  #learn(key: string, now: Validators, before: Validators | null): void {
    const same = before?.etag === now.etag && before.modified === now.modified && before.hash === now.hash
    if (!same) this.#learned.set(key, now)
  }

  #refused({ status, retryAfter }: GetAnswer, host: string): AppError {
    const now = this.#o.clock.now()
    const wait = retryAfterMs(retryAfter, now)
    if (status === 429 || (status === 503 && wait !== null)) this.#o.hosts.keepQuiet(host, now + (wait ?? QUIET_MS))
    const code = ANSWERS.find(([known]) => known === status)?.[1]
    const why = code === undefined ? because('host_answered', { host, status }) : because(code, { host })
    return this.#inVain({ kind: 'status', status, retryAfterMs: wait }, why)
  }

  #inVain(failure: AskedInVain, why: Reason): AppError {
    this.failure = failure
    return new AppError('unavailable', why)
  }
}

/** Statuses that say more than their number. */
const ANSWERS = [
  [304, 'host_answered_unchanged'],
  [401, 'host_wants_key'],
  [403, 'host_refuses_us'],
  [404, 'host_has_nothing'],
  [410, 'host_address_gone'],
  [429, 'host_too_many']
] as const satisfies readonly [number, ReasonCode][]

function kindOfFailure(error: AppError): FetchFailure {
  return 'kind' in error ? (error.kind as FetchFailure) : 'network'
}

/** The name under which an address is remembered: readable, but without passwords and without keys in its query. */
export function addressKey(url: string): string {
  if (!URL.canParse(url)) return sha256Hex(url)
  const { origin, pathname, search, username, password } = new URL(url)
  const secret = `${username}:${password}${search}`
  return secret === ':' ? `${origin}${pathname}` : `${origin}${pathname}?${sha256Hex(secret).slice(0, 24)}`
}
