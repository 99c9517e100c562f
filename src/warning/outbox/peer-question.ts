import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { LookoutEvent } from '../../model/event.ts'
import type { SaidAs } from './station-mark.ts'

/**
 * The question that a station asks another over IP about messages that wait for it, and the answer (docs/interface.md §6, *Two stations*).
 * Both are made of sums with a key from `standby.secret` and a nonce of the asker: whoever reads them on the way learns that something
 * waits, and how much; an answer that was recorded, or is another station's, fits no other question.
 */

/**
 * The words that a station has for one message: `coming` it waits here to be sent or is on its way, `not_here` this station will not say it,
 * `no_word` anything else: it is not known here, or was said. None of them means that anybody was told.
 */
export const PEER_WORDS = ['coming', 'not_here', 'no_word'] as const
export type PeerWord = (typeof PEER_WORDS)[number]

/** Messages in one question. */
export const MOST_ASKED = 16
/** Characters of a sum: 128 bits. */
export const SUM_LETTERS = 32
const NONCE_BYTES = 16

type Identified = Pick<LookoutEvent, 'family' | 'id' | 'revision'>

/** A message that is asked about. */
export interface AskedMessage {
  /** `mt:3`, `mc:north`. */
  channelKey: string
  event: Identified
  said: SaidAs
}

/** The sums of one message. */
export interface AskedSums {
  channel: string
  alert: string
  said: string
}

export interface PeerQuestion {
  nonce: string
  asked: readonly AskedSums[]
  proof: string
}

export interface PeerAnswer {
  /** One sum for each message asked about, in order. */
  words: readonly string[]
  proof: string
}

/** The sums of one question: of this secret, and to the station at this place in the order. */
export class PeerSums {
  readonly nonce: string
  readonly #key: Buffer
  readonly #order: number

  constructor(secret: string, order: number, nonce = randomBytes(NONCE_BYTES).toString('hex')) {
    // The marks on the air are sums of lists with the secret itself: no sum of the one is a sum of the other.
    this.#key = createHmac('sha256', secret).update('standby by IP').digest()
    this.#order = order
    this.nonce = nonce
  }

  question(messages: readonly AskedMessage[]): PeerQuestion {
    const asked = messages.map(({ channelKey, event, said }) => {
      const alert = this.alert(event)
      return { channel: this.channel(channelKey), alert, said: this.said(alert, said) }
    })
    return { nonce: this.nonce, asked, proof: this.#proofOf(asked) }
  }

  /** True for a question that a station of this secret asked this one. */
  isQuestion({ asked, proof }: PeerQuestion): boolean {
    return isSame(proof, this.#proofOf(asked))
  }

  answer({ asked, proof }: PeerQuestion, said: readonly PeerWord[]): PeerAnswer {
    const words = asked.map(({ alert }, at) => this.#word(at, alert, said[at] ?? 'no_word'))
    return { words, proof: this.#sum('answer', proof, words) }
  }

  /** The words of the answer about each message; null for one that is not the answer of this station to this question. */
  read({ asked, proof: asks }: PeerQuestion, { words, proof }: PeerAnswer): PeerWord[] | null {
    if (words.length !== asked.length || !isSame(proof, this.#sum('answer', asks, words))) return null
    const read = asked.map(({ alert }, at) =>
      PEER_WORDS.find((word) => isSame(words[at] ?? '', this.#word(at, alert, word)))
    )
    return read.some((word) => word === undefined) ? null : read.flatMap((word) => word ?? [])
  }

  channel(channelKey: string): string {
    return this.#sum('channel', channelKey)
  }

  alert({ family, id, revision }: Identified): string {
    return this.#sum('alert', family, id, revision)
  }

  /** How grave the alert was said, and whether it ended. */
  said(alert: string, { severity, ends }: SaidAs): string {
    return this.#sum('said', alert, severity, ends)
  }

  #word(at: number, alert: string, word: PeerWord): string {
    return this.#sum('word', at, alert, word)
  }

  #proofOf(asked: readonly AskedSums[]): string {
    return this.#sum('question', ...asked.map(({ channel, alert, said }) => [channel, alert, said]))
  }

  #sum(...of: readonly unknown[]): string {
    const all = JSON.stringify([this.#order, this.nonce, ...of])
    return createHmac('sha256', this.#key).update(all).digest('hex').slice(0, SUM_LETTERS)
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
