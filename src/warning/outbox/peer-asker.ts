import type { Clock } from '../../platform/clock/clock.ts'
import { isClockSet } from '../../platform/clock/clock-set.ts'
import { settledWithin } from '../../platform/clock/within.ts'
import type { Database } from '../../platform/database/database.ts'
import type { StandbyConfig } from '../routing/standby-settings.ts'
import type { WarningConfig } from '../settings.ts'
import { STANDS_BY } from './again.ts'
import { IS_EVENTS } from './content-sql.ts'
import { type Delivery, deliveryFromRow } from './delivery.ts'
import type { Ledger } from './ledger.ts'
import type { Outbox } from './outbox.ts'
import { type AskedMessage, MOST_ASKED, type PeerQuestion, PeerSums, type PeerWord } from './peer-question.ts'
import { readAnswer } from './peer-schema.ts'
import type { Standby } from './standby.ts'

/** The other station polls too, and decides: it is asked this long after a message began to wait here. */
const FIRST_MS = 2000
/** And once more this long before the wait ends: longer than an answer may take. */
const LAST_MS = 4000
/** An answer that takes longer is none. */
export const ANSWER_MS = 3000
/** Rows that are looked at together. */
const MOST_ROWS = 100
/** The wall clock may be set meanwhile. */
const LONGEST_MS = 60_000

/** Sends a question to the station at this address, and answers what came. Rejects when nothing did, at the latest after `ANSWER_MS`. */
export type AskPeer = (address: string, question: PeerQuestion) => Promise<unknown>

/**
 * The state of an address, known by questions alone: `unknown` nobody was asked since the start, `answers` as the station that it should
 * be, `disbelieved` something came that is no answer of it (another secret or place in the order, standby off there), `silent` nothing came.
 */
export const PEER_STATES = ['unknown', 'answers', 'disbelieved', 'silent'] as const
export interface PeerState {
  order: number
  address: string
  state: (typeof PEER_STATES)[number]
  /** When the last question ended; null when there was none. Epoch milliseconds. */
  askedAt: number | null
  /** When the last right answer came; null when none did. Epoch milliseconds. */
  answeredAt: number | null
}

type Place = StandbyConfig['addresses'][number]

export interface PeerAskerOptions {
  db: Database
  config: () => WarningConfig
  ledger: Pick<Ledger, 'get'>
  outbox: Pick<Outbox, 'get'>
  standby: Pick<Standby, 'sooner' | 'later'>
  clock: Clock
  ask: AskPeer
  /** Runs `work` in one durable transaction. */
  store: (work: () => void) => void
  /** A message is due sooner than its radio knows. */
  wake: () => void
  onError: (error: unknown) => void
}

/** A message that is asked about: which question it is, and how long it waited when it was asked. */
interface Due {
  row: Delivery
  isLast: boolean
}

/** The questions a message was asked about: the first, and the one at the end of the wait that ends then (epoch milliseconds). */
interface Asked {
  first: boolean
  lastFor: number | null
}

/**
 * Asks the stations before this one over IP about what waits for them (docs/interface.md §6, *Two stations*): two questions for each wait,
 * none while nothing waits, beside the radios. What they say only moves the end of a wait; no answer leaves everything as it is.
 */
export class PeerAsker {
  readonly #o: PeerAskerOptions
  readonly #asked = new Map<number, Asked>()
  /** By address: another one there is another station. */
  readonly #states = new Map<string, PeerState>()
  #timer: { at: number; cancel: () => void } | null = null
  #asking = false
  #closed = true

  constructor(options: PeerAskerOptions) {
    this.#o = options
  }

  /** Takes up what the last run left waiting. */
  start(): void {
    this.#closed = false
    if (this.#before().length > 0) this.#wakeIn(FIRST_MS)
  }

  /** A row was stored: one that begins to wait is asked about soon. */
  stored(row: Pick<Delivery, 'state' | 'mark' | 'dueAt'>): void {
    if (this.#closed || row.state !== 'queued' || row.mark !== STANDS_BY || this.#before().length === 0) return
    this.#wakeIn(FIRST_MS)
  }

  close(): void {
    this.#closed = true
    this.#timer?.cancel()
    this.#timer = null
  }

  /** Every address of another station, with what is known of it. */
  states(): PeerState[] {
    const { addresses, order: own } = this.#settings
    return addresses.filter(({ order }) => order !== own).map((place) => this.#stateOf(place))
  }

  /** Asks every other station whether it answers, about nothing. */
  async tryAll(): Promise<PeerState[]> {
    const { addresses, order: own } = this.#settings
    await Promise.all(addresses.filter(({ order }) => order !== own).map((place) => this.#ask(place, [])))
    return this.states()
  }

  get #settings(): StandbyConfig {
    return this.#o.config().notifications.standby
  }

  /** The stations before this one that have an address. */
  #before(): Place[] {
    const { enabled, order: own, addresses } = this.#settings
    return enabled ? addresses.filter(({ order }) => order < own) : []
  }

  #stateOf({ order, address }: Place): PeerState {
    const none = { order, address, state: 'unknown' as const, askedAt: null, answeredAt: null }
    return this.#states.get(`${order} ${address}`) ?? none
  }

  #wakeIn(ms: number): void {
    const at = this.#o.clock.now() + Math.max(1, Math.min(ms, LONGEST_MS))
    if (this.#timer !== null && this.#timer.at <= at) return
    this.#timer?.cancel()
    const cancel = this.#o.clock.after(at - this.#o.clock.now(), () => {
      this.#timer = null
      this.#look()
    })
    this.#timer = { at, cancel }
  }

  #look(): void {
    if (this.#closed || this.#asking) return
    try {
      const now = this.#o.clock.now()
      const rows = this.#before().length === 0 ? [] : this.#waiting(now)
      for (const id of this.#asked.keys()) if (!rows.some((row) => row.id === id)) this.#asked.delete(id)
      const due = rows.flatMap((row) => this.#dueOf(row, now) ?? []).slice(0, MOST_ASKED)
      if (due.length > 0) this.#begin(due)
      else this.#wakeForNext(rows, now)
    } catch (error) {
      // A failing disk: the wait ends without a word, as it does without IP.
      this.#o.onError(error)
    }
  }

  /** The messages that wait for other stations, the gravest first. Without a clock nobody asks: there are no slots that keep texts apart then. */
  #waiting(now: number): Delivery[] {
    if (!isClockSet(now)) return []
    return this.#o.db
      .guarded(() =>
        this.#o.db
          .sql(
            `SELECT * FROM deliveries INDEXED BY deliveries_due WHERE transport IN ('mt', 'mc') AND state = 'queued' AND mark = ?
             AND due_at > ? AND direct = 0 AND attempts = 0 AND next_part = 0 AND coalesce(reason, '') <> 'standby_slot' AND ${IS_EVENTS}
             ORDER BY rank DESC, id LIMIT ${MOST_ROWS}`
          )
          .all(STANDS_BY, now)
      )
      .map(deliveryFromRow)
  }

  #dueOf(row: Delivery, now: number): Due | null {
    const { first, lastFor } = this.#asked.get(row.id) ?? { first: false, lastFor: null }
    const isLast = now >= row.dueAt - LAST_MS
    if (isLast) return lastFor === row.dueAt ? null : { row, isLast }
    return !first && now >= row.createdAt + FIRST_MS ? { row, isLast } : null
  }

  #wakeForNext(rows: readonly Delivery[], now: number): void {
    const times = rows.map((row) => {
      const { first, lastFor } = this.#asked.get(row.id) ?? { first: false, lastFor: null }
      if (!first) return Math.min(row.createdAt + FIRST_MS, row.dueAt - LAST_MS)
      return lastFor === row.dueAt ? Number.POSITIVE_INFINITY : row.dueAt - LAST_MS
    })
    const next = Math.min(...times)
    if (Number.isFinite(next)) this.#wakeIn(next - now)
  }

  #begin(due: readonly Due[]): void {
    for (const { row, isLast } of due)
      this.#asked.set(row.id, { first: true, lastFor: isLast ? row.dueAt : (this.#asked.get(row.id)?.lastFor ?? null) })
    this.#asking = true
    this.#round(due)
      .catch((error: unknown) => this.#o.onError(error))
      .finally(() => {
        this.#asking = false
        if (!this.#closed) this.#wakeIn(1)
      })
  }

  async #round(due: readonly Due[]): Promise<void> {
    const peers = this.#before()
    const known = due.flatMap((one) => {
      const message = this.#messageOf(one.row)
      return message === null ? [] : [{ ...one, message }]
    })
    const messages = known.map(({ message }) => message)
    const answers = await Promise.all(peers.map((peer) => this.#ask(peer, messages)))
    if (this.#closed) return
    const everybody = peers.length === this.#settings.order - 1
    const moved = { any: false }
    this.#o.store(() => {
      for (const [at, one] of known.entries()) {
        const words = answers.map((answer) => answer?.[at] ?? null)
        if (this.#take(one, words, everybody)) moved.any = true
      }
    })
    if (moved.any) this.#o.wake()
  }

  /** Part of the transaction. Answers whether the wait has another end now. */
  #take({ row, isLast }: Due, words: readonly (PeerWord | null)[], everybody: boolean): boolean {
    const { outbox, standby, clock } = this.#o
    const now = outbox.get(row.id)
    // It was heard, ended or put off meanwhile: the words were of another wait.
    if (now === null || now.state !== 'queued' || now.dueAt !== row.dueAt || now.dueAt <= clock.now()) return false
    if (now.attempts > 0) return false
    if (everybody && words.every((word) => word === 'not_here')) return this.#sooner(now)
    return isLast && words.includes('coming') && standby.later(now)
  }

  /** Of what ends sooner nothing else is asked. */
  #sooner(row: Delivery): boolean {
    const { outbox, standby } = this.#o
    if (!standby.sooner(row)) return false
    this.#asked.set(row.id, { first: true, lastFor: outbox.get(row.id)?.dueAt ?? null })
    return true
  }

  #messageOf(row: Delivery): AskedMessage | null {
    const event = this.#o.ledger.get(Math.max(...row.eventSeqs))?.event
    const said = { severity: row.severity, ends: row.content.kind === 'end' }
    return event === undefined ? null : { channelKey: row.channelKey, event, said }
  }

  /** The words of this station about each message; null for no answer of it in time. */
  async #ask(place: Place, messages: readonly AskedMessage[]): Promise<PeerWord[] | null> {
    const { ask, clock } = this.#o
    const sums = new PeerSums(this.#settings.secret, place.order)
    const question = sums.question(messages)
    const came: { answer: unknown; is: boolean } = { answer: null, is: false }
    const asking = ask(place.address, question).then((answer) => {
      came.answer = answer
      came.is = true
    })
    await settledWithin(asking, ANSWER_MS, clock)
    const answer = readAnswer(came.answer)
    const words = answer === null ? null : sums.read(question, answer)
    const at = clock.now()
    const answeredAt = words === null ? this.#stateOf(place).answeredAt : at
    const state = words !== null ? 'answers' : came.is ? 'disbelieved' : 'silent'
    this.#states.set(`${place.order} ${place.address}`, { ...place, state, askedAt: at, answeredAt })
    return words
  }
}
