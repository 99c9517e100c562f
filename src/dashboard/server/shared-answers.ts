import type { IncomingHttpHeaders } from 'node:http'
import { languageOf } from '../words/language.ts'
import type { Identity } from './identity.ts'
import type { Answer, Reply } from './reply.ts'
import { themeOf } from './theme.ts'

/** An answer is good for so long, unless something happens: what is said of time is not older. Milliseconds. */
const GOOD_MS = 1000
/** Of the bodies that are kept; a board of 512 MB spares it. Bytes. */
const MOST_BYTES = 1024 * 1024

export interface SharedAnswersOptions {
  now: () => number
  /** Another one after every message of the live stream and every change of the configuration. */
  revision: () => string
  mostBytes?: number
}

interface Kept {
  stamp: string
  answer: Promise<Answer>
  bytes: number
  /** Of everybody who waits for it: true when that one has gone. */
  left: (() => boolean)[]
}

type Make = (left: () => boolean) => Answer | Promise<Answer>

/**
 * Makes an answer once for all who ask for the same at the same moment: thirty phones that load a page again when something
 * happens. It is made anew after the next message of the live stream, the next change of the configuration, the next request
 * that may change anything, and in the next second.
 */
export class SharedAnswers {
  readonly #options: SharedAnswersOptions
  readonly #most: number
  readonly #kept = new Map<string, Kept>()
  #bytes = 0
  #changes = 0

  constructor(options: SharedAnswersOptions) {
    this.#options = options
    this.#most = options.mostBytes ?? MOST_BYTES
  }

  /** The bytes of all bodies that are kept. */
  get bytes(): number {
    return this.#bytes
  }

  /** To be called at every request that may change anything: nothing that was made before it counts any more. */
  changed(): void {
    this.#changes++
  }

  /** The answer that was made for such a reader at this moment, or is being made. */
  find(key: string, left: () => boolean): Promise<Answer> | undefined {
    const known = this.#kept.get(key)
    if (known?.stamp !== this.#stamp()) return undefined
    if (known.bytes === 0) known.left.push(left)
    return known.answer
  }

  /** Makes it, unless somebody does already; `make` hears when nobody waits for it any more. Only a good answer is kept. */
  answer(key: string, left: () => boolean, make: Make): Promise<Answer> {
    const known = this.find(key, left)
    if (known !== undefined) return known
    this.#forget(key)
    const waiting = [left]
    const kept: Kept = { stamp: this.#stamp(), bytes: 0, left: waiting, answer: this.#made(waiting, make) }
    this.#kept.set(key, kept)
    return this.#settled(key, kept)
  }

  async #made(left: readonly (() => boolean)[], make: Make): Promise<Answer> {
    return make(() => left.every((one) => one()))
  }

  async #settled(key: string, kept: Kept): Promise<Answer> {
    try {
      const answer = await kept.answer
      if (this.#kept.get(key) !== kept) return answer
      if ('takeOver' in answer || answer.status !== 200) this.#forget(key)
      else this.#count(kept, answer)
      return answer
    } catch (error) {
      if (this.#kept.get(key) === kept) this.#forget(key)
      throw error
    }
  }

  #count(kept: Kept, { body }: Reply): void {
    kept.bytes = body.length
    this.#bytes += body.length
    kept.left = []
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#most) return
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0
    this.#kept.delete(key)
  }

  #stamp(): string {
    const { now, revision } = this.#options
    return `${this.#changes} ${Math.floor(now() / GOOD_MS)} ${revision()}`
  }
}

/** The parts of a request that an answer may depend on: what is asked for, language, colours and who asks. */
export function sharedKey(
  address: string,
  { headers, identity }: { headers: IncomingHttpHeaders; identity: Identity }
): string {
  return [address, languageOf(headers), themeOf(headers), JSON.stringify(identity)].join(' ')
}
