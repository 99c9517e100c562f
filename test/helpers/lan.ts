import type { Clock } from '../../src/platform/clock/clock.ts'
import type { AskPeer } from '../../src/warning/outbox/peer-asker.ts'
import { PEER_WORDS, type PeerQuestion, PeerSums, type PeerWord } from '../../src/warning/outbox/peer-question.ts'
import type { Station } from './station.ts'

/**
 * The way of an answer: as it is; nobody there; after the time that an answer may take; what is no answer; one of another secret; that of
 * an earlier question; or the word of a station that has the secret and says what is not so.
 */
export const LAN_KINDS = ['true', 'dead', 'late', 'garbage', 'forged', 'replayed', 'lies'] as const
export type LanKind = (typeof LAN_KINDS)[number]

interface Place {
  order: number
  station: () => Station | null
}

export interface LanOptions {
  clock: Clock
  secret: string
  /** The kind of the next answer. */
  kind: () => LanKind
  /** Of a liar. */
  lie?: () => PeerWord
  /** Milliseconds on the way, there and back. */
  delay?: () => number
}

/** The network that stations share, in memory. `asked`: every question, and when. */
export class Lan {
  readonly asked: { url: string; question: PeerQuestion; at: number }[] = []
  readonly #o: LanOptions
  readonly #places = new Map<string, Place>()
  #earlier: unknown = null

  constructor(options: LanOptions) {
    this.#o = options
  }

  add(url: string, place: Place): void {
    this.#places.set(url, place)
  }

  readonly ask: AskPeer = async (url, question) => {
    const { clock, kind, delay = () => 20 } = this.#o
    this.asked.push({ url, question, at: clock.now() })
    const way = kind()
    const ms = way === 'late' ? 3500 : delay()
    await new Promise<void>((resolve) => clock.after(ms, resolve))
    const place = this.#places.get(url)
    if (place === undefined || way === 'dead') throw new Error('nobody there')
    return this.#answerOf(place, question, way)
  }

  #answerOf({ order, station }: Place, question: PeerQuestion, way: LanKind): unknown {
    const { secret, lie = () => PEER_WORDS[0] } = this.#o
    if (way === 'garbage') return { words: 'yes', proof: 'of course' }
    const said = question.asked.map(() => lie())
    if (way === 'forged') return new PeerSums('another secret, as long', order, question.nonce).answer(question, said)
    if (way === 'lies') return new PeerSums(secret, order, question.nonce).answer(question, said)
    const one = station()
    if (one === null) throw new Error('it is off')
    const answer = one.core.byIp.answer(question)
    const before = this.#earlier
    this.#earlier = answer
    return way === 'replayed' ? before : answer
  }
}
