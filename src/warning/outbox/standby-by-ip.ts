import { type AskPeer, PeerAsker, type PeerAskerOptions, type PeerState } from './peer-asker.ts'
import type { PeerAnswer, PeerQuestion } from './peer-question.ts'
import { PeerWords, type PeerWordsOptions } from './peer-words.ts'
import type { ChangesListener } from './row-changes.ts'

export type StandbyByIpOptions = Omit<PeerAskerOptions, 'ask'> &
  PeerWordsOptions & {
    changes: ChangesListener
    /** Absent where nobody is asked. */
    askPeer?: AskPeer
  }

/** The word between stations that share a network: what this one answers, and what it asks where anything is to be asked with. */
export class StandbyByIp {
  readonly #changes: ChangesListener
  readonly #words: PeerWords
  readonly #asker: PeerAsker | null

  constructor(options: StandbyByIpOptions) {
    const { changes, askPeer } = options
    this.#changes = changes
    this.#words = new PeerWords(options)
    this.#asker = askPeer === undefined ? null : new PeerAsker({ ...options, ask: askPeer })
  }

  start(): void {
    this.#asker?.start()
    this.#changes.on('row', (row) => this.#asker?.stored(row))
  }

  close(): void {
    this.#asker?.close()
  }

  /** See `PeerWords.answer`. */
  answer(question: PeerQuestion): PeerAnswer | null {
    return this.#words.answer(question)
  }

  /** See `PeerAsker.states`. */
  states(): PeerState[] {
    return this.#asker?.states() ?? []
  }

  /** See `PeerAsker.tryAll`. */
  async tryAll(): Promise<PeerState[]> {
    return (await this.#asker?.tryAll()) ?? []
  }
}
