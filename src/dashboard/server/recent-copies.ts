import type { IncomingHttpHeaders } from 'node:http'
import { readersTurn } from '../../platform/clock/slices.ts'
import { type Answer, encodeLike, type Reply } from './reply.ts'

/** A copy is given for so long. Milliseconds. */
const GOOD_MS = 1000
/** One that others were given is followed by the next so long after it was made: that one is there before it is over. Milliseconds. */
const AGAIN_MS = 700
/** Of the bodies that are kept; a board of 512 MB spares it. Bytes. */
const MOST_BYTES = 512 * 1024

export interface RecentCopiesOptions {
  now: () => number
  /** Calls back after so many milliseconds. */
  after: (ms: number, go: () => void) => () => void
  /** Another one after whatever a reader has to see at once. */
  urgent: () => string
  mostBytes?: number
}

/** The moment of which a copy tells. */
export interface Moment {
  at: number
  urgent: string
}

type Make = () => Answer | Promise<Answer>

interface Copy {
  moment: Moment
  reply: Reply
  /** Makes the next one, for nobody in particular. */
  make: Make
  isFollowed: boolean
}

interface Coming {
  moment: Moment
  answer: Promise<Answer>
}

/**
 * Finished pages for readers who may change nothing: each is given for a second, and no longer than until something urgent happens. While
 * somebody takes them the next one is made ahead, beside all requests and one at a time: at most once a second for each page, and one time
 * more after urgent news. A request then costs sending bytes that are there.
 */
export class RecentCopies {
  readonly #options: RecentCopiesOptions
  readonly #most: number
  readonly #copies = new Map<string, Copy>()
  readonly #coming = new Map<string, Coming>()
  #line: Promise<void> = Promise.resolve()
  #urgentAt = Number.NEGATIVE_INFINITY
  #bytes = 0
  #isClosed = false

  constructor(options: RecentCopiesOptions) {
    this.#options = options
    this.#most = options.mostBytes ?? MOST_BYTES
  }

  /** The bytes of all bodies that are kept. */
  get bytes(): number {
    return this.#bytes
  }

  /** To be asked before anything is read for a copy. */
  moment(): Moment {
    return { at: this.#options.now(), urgent: this.#options.urgent() }
  }

  /** The copy for such a reader, or the one that is being made. */
  find(key: string): Answer | Promise<Answer> | undefined {
    const copy = this.#copies.get(key)
    if (copy === undefined || !this.#isGood(copy.moment)) {
      const coming = this.#coming.get(key)
      return coming !== undefined && this.#isGood(coming.moment) ? coming.answer : undefined
    }
    // The one that was given last is the last to go.
    this.#copies.delete(key)
    this.#copies.set(key, copy)
    this.#follow(key, copy)
    return copy.reply
  }

  /** Keeps an answer that was made for somebody. */
  keep(key: string, moment: Moment, answer: Answer, make: Make): void {
    if ('takeOver' in answer || answer.status !== 200 || this.#isClosed) return
    // All who waited for it keep it.
    if (this.#copies.get(key)?.reply === answer) return
    this.#forget(key)
    this.#copies.set(key, { moment, reply: answer, make, isFollowed: false })
    this.#bytes += answer.body.length
    for (const oldest of this.#copies.keys()) {
      if (this.#bytes <= this.#most) return
      this.#forget(oldest)
    }
  }

  /** Something urgent happened: what somebody takes is made anew at once, but in a storm of news once a second. */
  newsCame(): void {
    const { at } = this.moment()
    if (at >= this.#urgentAt && at - this.#urgentAt < GOOD_MS) return
    this.#urgentAt = at
    for (const [key, copy] of this.#copies) if (copy.isFollowed) this.#makeAhead(key, copy)
  }

  close(): void {
    this.#isClosed = true
    this.#copies.clear()
    this.#bytes = 0
  }

  #isGood({ at, urgent }: Moment): boolean {
    const now = this.moment()
    return now.urgent === urgent && now.at >= at && now.at - at < GOOD_MS
  }

  #follow(key: string, copy: Copy): void {
    if (copy.isFollowed) return
    copy.isFollowed = true
    const wait = Math.max(0, copy.moment.at + AGAIN_MS - this.#options.now())
    this.#options.after(wait, () => this.#makeAhead(key, copy))
  }

  #makeAhead(key: string, copy: Copy): void {
    this.#line = this.#line.then(async () => {
      await readersTurn()
      // Somebody was quicker, or it was taken away meanwhile.
      if (this.#copies.get(key) !== copy || this.#isClosed) return
      const moment = this.moment()
      const coming = { moment, answer: this.#made(copy) }
      this.#coming.set(key, coming)
      try {
        const answer = await coming.answer
        if (this.#copies.get(key) === copy) this.keep(key, moment, answer, copy.make)
      } catch {
        // Nobody asked for this one: the next who does makes it again, and hears what is wrong.
        this.#forget(key)
      } finally {
        if (this.#coming.get(key) === coming) this.#coming.delete(key)
      }
    })
  }

  async #made({ make, reply }: Copy): Promise<Answer> {
    const answer = await make()
    if (!('takeOver' in answer)) await encodeLike(reply, answer)
    return answer
  }

  #forget(key: string): void {
    this.#bytes -= this.#copies.get(key)?.reply.body.length ?? 0
    this.#copies.delete(key)
  }
}

/** Whoever loads a page again, or follows the news on it, wants no copy (RFC 9111 §5.2.1). */
export function wantsNew({ 'cache-control': control = '', pragma = '' }: IncomingHttpHeaders): boolean {
  return /(?:^|[\s,])(?:no-cache|no-store|max-age=0)(?:[\s,]|$)/i.test(control) || /no-cache/i.test(String(pragma))
}
