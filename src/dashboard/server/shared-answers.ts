import type { IncomingHttpHeaders } from 'node:http'
import { readersTurn } from '../../platform/clock/slices.ts'
import { languageOf } from '../words/language.ts'
import type { Identity } from './identity.ts'
import { Packed } from './packed.ts'
import type { Answer } from './reply.ts'
import { themeOf } from './theme.ts'

/** An answer is good for so long: what is said of time is not older. Milliseconds. */
const GOOD_MS = 1000
/** A copy that others were given is followed by the next so long after it was made: that one is there before it is over. Milliseconds. */
const AGAIN_MS = 700
/** Two of those are made so far apart, while there is time: a request between them waits for one at most. Milliseconds. */
const APART_MS = 25
/** Later than this after the one before, the next would not be there in time. Milliseconds. */
const LATEST_MS = 950
/** Somebody who took a copy not longer ago reads on: urgent news are made for him ahead. Milliseconds. */
const READ_MS = 2000
/** Copies of it were taken twice within so long: many read it, and the next one is made though nobody has taken this one yet. Milliseconds. */
const BUSY_MS = 3000
/** Of the bodies that are kept; a board of 512 MB spares it. Bytes. */
const MOST_BYTES = 512 * 1024
/** Small answers cost what stands around them. */
const MOST_KEPT = 100
/** One answer that takes more of the room than this share would drive out all others. */
const LARGEST = 0.5

export interface SharedAnswersOptions {
  now: () => number
  /** Calls back after so many milliseconds. */
  after: (ms: number, go: () => void) => () => void
  /** Another one after every message of the live stream and every change of the configuration. */
  revision: () => string
  /** Another one after whatever a reader has to see at once. */
  urgent: () => string
  mostBytes?: number
}

/** Whoever asks. */
export interface Asking {
  /** True once nobody reads the answer any more. */
  left: () => boolean
  /** Takes what was made within the last second, unless something urgent happened since. */
  takesCopies: boolean
}

/** An answer that may be kept is packed. */
type Made = Packed | Answer
type Make = (left: () => boolean) => Answer | Promise<Answer>

/** The state of the station that an answer tells of, taken before anything is read for it. */
interface Moment {
  /** A later one is greater. */
  number: number
  at: number
  urgent: string
  exact: string
}

interface Kept {
  moment: Moment
  answer: Packed
  /** Makes the next one, for nobody in particular. */
  make: Make
  isFollowed: boolean
  /** The time its making took. Milliseconds. */
  tookMs: number
  /** The last time somebody was given this copy, or one that it follows; null when nobody was. */
  takenAt: number | null
  /** The time before that. */
  takenBefore: number | null
}

const NEVER_TAKEN: Pick<Kept, 'takenAt' | 'takenBefore'> = { takenAt: null, takenBefore: null }

interface Coming {
  moment: Moment
  answer: Promise<Made>
  /** Of everybody who waits for it. */
  left: (() => boolean)[]
}

/**
 * Makes an answer once for all who ask for the same at the same moment: thirty phones that load a page again when something happens. It
 * is made anew after the next message of the live stream, the next change of the configuration, the next request that may change
 * anything, and in the next second.
 *
 * Readers who may change nothing take copies: a finished page is given for a second, and no longer than until something urgent happens.
 * While somebody takes them, and for three seconds more where several did, the next one is made ahead, beside all requests and one at a
 * time: at most once a second for each page, and one time more after urgent news. A request then costs sending bytes that are there.
 */
export class SharedAnswers {
  readonly #options: SharedAnswersOptions
  readonly #most: number
  /** The one that was given last is the last. */
  readonly #kept = new Map<string, Kept>()
  readonly #coming = new Map<string, Coming>()
  #line: Promise<void> = Promise.resolve()
  /** So many are being made for somebody who waits. */
  #asked = 0
  #urgentAt = Number.NEGATIVE_INFINITY
  /** The last time at which one will be made ahead. */
  #aheadAt = Number.NEGATIVE_INFINITY
  #changes = 0
  #moments = 0
  #isClosed = false

  constructor(options: SharedAnswersOptions) {
    this.#options = options
    this.#most = options.mostBytes ?? MOST_BYTES
  }

  /** The bytes of all bodies that are kept. */
  get bytes(): number {
    let bytes = 0
    for (const { answer } of this.#kept.values()) bytes += answer.bytes
    return bytes
  }

  /** To be called at every request that may change anything: nothing that was made before it is exact any more. */
  changed(): void {
    this.#changes++
  }

  /** The answer for such a reader at this moment, or the one that is being made. */
  find(key: string, { left, takesCopies }: Asking): Made | Promise<Made> | undefined {
    const isGood = (moment: Moment): boolean => (takesCopies ? this.#isRecent(moment) : moment.exact === this.#exact())
    const kept = this.#kept.get(key)
    if (kept !== undefined && isGood(kept.moment)) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      if (takesCopies) {
        kept.takenBefore = kept.takenAt
        kept.takenAt = this.#options.now()
        this.#follow(key, kept)
      }
      return kept.answer
    }
    const coming = this.#coming.get(key)
    if (coming === undefined || !isGood(coming.moment)) return undefined
    coming.left.push(left)
    return coming.answer
  }

  /** Makes it, unless somebody does already; `make` hears when nobody waits for it any more. Only a good answer is kept. */
  async answer(key: string, asking: Asking, make: Make): Promise<Made> {
    return this.find(key, asking) ?? this.#begin(key, make, { left: [asking.left] })
  }

  /** Something urgent happened: what somebody takes copies of is made anew at once, but in a storm of news once a second. */
  newsCame(): void {
    const at = this.#options.now()
    if (at >= this.#urgentAt && at - this.#urgentAt < GOOD_MS) return
    this.#urgentAt = at
    const read = [...this.#kept].filter(([, { takenAt }]) => takenAt !== null && at - takenAt < READ_MS)
    // The quickest first: so the fewest ask for one that is not there yet.
    for (const [key, kept] of read.sort(([, a], [, b]) => a.tookMs - b.tookMs)) this.#makeAhead(key, kept)
  }

  close(): void {
    this.#isClosed = true
    this.#kept.clear()
  }

  #begin(key: string, make: Make, { left, like }: { left: (() => boolean)[]; like?: Kept }): Promise<Made> {
    const moment = { ...this.#moment(), number: ++this.#moments }
    const gone = (): boolean => left.every((one) => one())
    const isAsked = like === undefined
    if (isAsked) this.#asked++
    const begun = (async () => make(gone))()
    const answer = begun
      .then(async (made) => {
        if ('takeOver' in made || made.status !== 200) {
          this.#kept.delete(key)
          return made
        }
        const packed = new Packed(made)
        if (like !== undefined) await packed.encodeLike(like.answer)
        const { takenAt, takenBefore } = like ?? NEVER_TAKEN
        const tookMs = this.#options.now() - moment.at
        const kept = { moment, answer: packed, make, isFollowed: false, tookMs, takenAt, takenBefore }
        this.#keep(key, kept)
        if (takenBefore !== null && moment.at - takenBefore < BUSY_MS) this.#follow(key, kept)
        return packed
      })
      .catch((error: unknown) => {
        // An older copy does not hide that it fails now.
        this.#kept.delete(key)
        throw error
      })
      .finally(() => {
        if (isAsked) this.#asked--
        if (this.#coming.get(key)?.moment === moment) this.#coming.delete(key)
      })
    this.#coming.set(key, { moment, answer, left })
    return answer
  }

  #keep(key: string, kept: Kept): void {
    if (this.#isClosed || kept.answer.bytes > this.#most * LARGEST) return
    // A slow one does not take the place of what was asked for later.
    if ((this.#kept.get(key)?.moment.number ?? 0) > kept.moment.number) return
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    let bytes = this.bytes
    for (const [oldest, { answer, moment }] of this.#kept) {
      const isOver = Math.abs(kept.moment.at - moment.at) > 2 * GOOD_MS
      if (!isOver && bytes <= this.#most && this.#kept.size <= MOST_KEPT) return
      bytes -= answer.bytes
      this.#kept.delete(oldest)
    }
  }

  #follow(key: string, kept: Kept): void {
    if (kept.isFollowed) return
    kept.isFollowed = true
    const now = this.#options.now()
    const { at } = kept.moment
    // Pages that urgent news made together would else be made together for as long as somebody reads them.
    const due = Math.min(Math.max(at + AGAIN_MS, this.#aheadAt + APART_MS), at + LATEST_MS)
    this.#aheadAt = due
    this.#options.after(Math.max(0, due - now), () => this.#makeAhead(key, kept))
  }

  #makeAhead(key: string, kept: Kept): void {
    this.#line = this.#line.then(async () => {
      do await readersTurn()
      while (this.#asked > 0)
      // Somebody was quicker, or it was taken away meanwhile.
      if (this.#kept.get(key) !== kept || this.#isClosed) return
      try {
        await this.#begin(key, kept.make, { left: [() => false], like: kept })
      } catch {
        // Nobody asked for this one: the next who does makes it again, and hears what is wrong.
      }
    })
  }

  #isRecent({ at, urgent }: Moment): boolean {
    const now = this.#options.now()
    return this.#options.urgent() === urgent && now >= at && now - at < GOOD_MS
  }

  #moment(): Omit<Moment, 'number'> {
    return { at: this.#options.now(), urgent: this.#options.urgent(), exact: this.#exact() }
  }

  #exact(): string {
    const { now, revision } = this.#options
    return `${this.#changes} ${Math.floor(now() / GOOD_MS)} ${revision()}`
  }
}

/** Whoever loads a page again, or follows the news on it, wants no copy (RFC 9111 §5.2.1). */
export function wantsNew({ 'cache-control': control = '', pragma = '' }: IncomingHttpHeaders): boolean {
  return /(?:^|[\s,])(?:no-cache|no-store|max-age=0)(?:[\s,]|$)/i.test(control) || /no-cache/i.test(String(pragma))
}

/** The parts of a request that an answer may depend on: what is asked for, language, colours and who asks. */
export function sharedKey(
  address: string,
  { headers, identity }: { headers: IncomingHttpHeaders; identity: Identity }
): string {
  return [address, languageOf(headers), themeOf(headers), JSON.stringify(identity)].join(' ')
}
