import { isOfOneEvent, isReminder } from '../../model/content.ts'
import { because } from '../../model/reason.ts'
import type { Severity } from '../../model/severity.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { isClockSet } from '../../platform/clock/clock-set.ts'
import type { Database } from '../../platform/database/database.ts'
import type { InboundText, Network, RadioDescription } from '../radios/radio.ts'
import type { StandbyConfig } from '../routing/standby-settings.ts'
import type { WarningConfig } from '../settings.ts'
import { closing, toldAs } from './again.ts'
import { IS_EVENTS } from './content-sql.ts'
import { type Delivery, deliveryFromRow } from './delivery.ts'
import type { Ledger } from './ledger.ts'
import type { Outbox } from './outbox.ts'
import { type PeerTag, PeerTags } from './peer-tags.ts'
import { LEAST_WAIT_MS, slotTimes, untilTurnMs } from './standby-slots.ts'
import { isTagOf, revisionLetter, tagIn } from './station-mark.ts'

/** Sources are polled: the other station may have had it, and said it, this long before us. */
const EARLIER_MS = 15 * 60_000
/** A repeat has the mark of what it repeats: only a tag of about this time is one of the repeat. */
const AGAIN_EARLIER_MS = 2 * 60_000
/** The share of a wait that chance adds where nobody set the clock, and there are no slots: so two stations seldom speak at once. */
const CHANCE_SHARE = 1 / 3
/** A node hands over what it heard while nobody was connected within this time. */
const READS_MS = 10_000
/** A station that has come back may meet the others as they speak: for this long it lets a text that is on the air end first. */
const BACK_MS = 3 * 60_000
const ON_AIR_MS = 5000
/** A time of the source that is as near to the arrival may be that of the arrival. */
const NAMED_MS = 2000
/** The most by which a text of `immediate` waits longer because another station has it. */
const MOST_LONGER_MS = 30_000
/** A longer wait takes no more than this of the time for which the message is worth sending. */
const LONGER_SHARE = 1 / 4
/** Rows of a channel that are asked when a tag is heard. */
const MOST_ROWS = 300

export interface StandbyOptions {
  db: Database
  config: () => WarningConfig
  ledger: Pick<Ledger, 'thread'>
  outbox: Pick<Outbox, 'apply' | 'guards'>
  clock: Pick<Clock, 'now'>
  random?: () => number
}

/**
 * The time for which this station lets others speak first: milliseconds, 0 for the first in the order. Chance adds to it where the clock was
 * never set; else the slots keep two stations apart (`Standby.comesFirst`).
 */
export function standbyMs(
  { enabled, order, wait_seconds: waits }: StandbyConfig,
  severity: Severity,
  { now, random = Math.random }: { now: number; random?: (() => number) | undefined }
): number {
  if (!enabled || order <= 1) return 0
  const wait = waits[severity] * 1000
  const chance = isClockSet(now) ? 0 : random() * wait * CHANCE_SHARE
  return Math.round(wait * (order - 1) + chance)
}

/**
 * Several stations that say each alert once (docs/interface.md §6, *Two stations*): hears the tags of the others, and closes what they
 * said. It decides by what the database holds alone, so a restart forgets nothing that was heard.
 */
export class Standby {
  readonly tags: PeerTags
  readonly #o: StandbyOptions
  readonly #listeningSince = new Map<string, number>()

  constructor(options: StandbyOptions) {
    this.#o = options
    this.tags = new PeerTags(options.db)
  }

  /** True for a text of another station that ends in a tag. */
  isTagged(network: Network, text: InboundText): boolean {
    return peerOf(network, text, this.#settings) !== null && tagIn(text.text) !== null
  }

  /**
   * Takes a text of another station: its tag is stored, and closes what it says. Part of the caller's transaction.
   */
  hear(network: Network, text: InboundText): void {
    const settings = this.#settings
    const peer = peerOf(network, text, settings)
    const tag = peer === null ? null : tagIn(text.text)
    if (peer === null || tag === null) return
    const heard = { ...tag, channelKey: `${network}:${text.channel}`, peer, heardAt: this.#o.clock.now() }
    this.tags.add(heard)
    for (const row of this.#open(heard.channelKey)) if (this.#says(heard, row, settings)) this.#close(row, heard)
  }

  /** True when another station said it, or may be speaking: the message is closed then, or put off. */
  comesFirst(row: Delivery, radio: Pick<RadioDescription, 'network' | 'modem'>): boolean {
    return this.#closes(row) || this.#delays(row, radio)
  }

  /**
   * Ends the wait of a message that every station before this one says over IP it will not say; its slot comes first all the same.
   * Answers whether it ends sooner. The pieces that are still waited for, and what the node heard alone, come before it; and a first that
   * says something new without a guard (`untilTurnMs`) has said it by then, should it say it after all.
   */
  sooner(row: Delivery): boolean {
    const { id, severity, transport, createdAt, dueAt, eventSeqs, threadId } = row
    const now = this.#o.clock.now()
    const waited = dueAt - standbyMs(this.#settings, severity, { now, random: () => 0 })
    const read = (this.#listeningSince.get(transport) ?? Number.NEGATIVE_INFINITY) + READS_MS
    const onAir = this.#isBack(row) ? createdAt + ON_AIR_MS : now
    const until = Math.max(now, waited, read, onAir, this.#unguardedUntil(threadId, eventSeqs))
    if (until >= dueAt) return false
    const step = because('not_of_peers', { until })
    this.#o.outbox.apply(id, 'wait', { reason: 'standby', step, patch: { due_at: until } })
    return true
  }

  /** Lengthens, once, the wait of a message that another station says over IP it has yet to say. Answers whether it does. */
  later({ id, severity, dueAt, expiresAt }: Delivery): boolean {
    const { db, outbox, clock } = this.#o
    const wait = this.#settings.wait_seconds[severity] * 1000
    const ms = severity === 'immediate' ? Math.min(wait, MOST_LONGER_MS) : wait
    const before = "SELECT 1 AS one FROM delivery_steps WHERE delivery_id = ? AND code = 'coming_of_peer' LIMIT 1"
    if (ms > (expiresAt - clock.now()) * LONGER_SHARE || db.sql(before).get(id) !== undefined) return false
    const step = because('coming_of_peer', { until: dueAt + ms })
    outbox.apply(id, 'wait', { reason: 'standby', step, patch: { due_at: dueAt + ms } })
    return true
  }

  /** Until then the first may begin this text without a guard. A source that names no time has that of the arrival, and no such text. */
  #unguardedUntil(threadId: string, seqs: readonly number[]): number {
    const events = this.#o.ledger.thread(threadId).filter(({ seq }) => seqs.includes(seq))
    const named = events.flatMap(({ event: { sent_at, received_at } }) =>
      sent_at === received_at ? [] : Date.parse(sent_at) + LEAST_WAIT_MS
    )
    return Math.max(Number.NEGATIVE_INFINITY, ...named)
  }

  /** Closes a message that another station was heard saying before it had its turn here. Answers whether it did. */
  #closes(row: Delivery): boolean {
    const settings = this.#settings
    if (!settings.enabled || row.direct || !isOfOneEvent(row.content)) return false
    const heard = this.tags.since(row.channelKey, this.#sinceOf(row)).find((tag) => this.#says(tag, row, settings))
    if (heard === undefined) return false
    this.#close(row, heard)
    return true
  }

  /**
   * Puts off a text that would begin outside of its turn (`untilTurnMs`); what is on the air already goes on. Answers whether it did. With a
   * clock that nobody set there are no turns: the chance in `standbyMs` is all that keeps stations apart then.
   */
  #delays(row: Delivery, radio: Pick<RadioDescription, 'network' | 'modem'>): boolean {
    const { enabled, order, stations } = this.#settings
    const now = this.#o.clock.now()
    if (!enabled || row.direct || !isOfOneEvent(row.content) || row.sentAt !== null || row.nextPart > 0) return false
    if (!isClockSet(now)) return false
    const turn = { order, stations, immediate: row.severity === 'immediate', sentAt: this.#saidBySourceAt(row) }
    const ms = untilTurnMs(turn, slotTimes(radio, stations), now)
    if (ms === 0) return false
    const until = now + ms
    const step = because(order > 1 ? 'slot_own' : 'slot_others', { until })
    this.#o.outbox.apply(row.id, 'wait', { reason: 'standby_slot', step, patch: { due_at: until } })
    return true
  }

  /**
   * The earliest time at which any station can have known what the row says; null where nobody can tell. Epoch milliseconds. A source
   * that names no time has that of the arrival here, and news of an alert may find another station waiting with what came before.
   */
  #saidBySourceAt({ threadId, eventSeqs, content, origin }: Delivery): number | null {
    if (origin !== null || isReminder(content)) return null
    const events = this.#o.ledger.thread(threadId).filter(({ seq }) => eventSeqs.includes(seq))
    const times = events.map(({ event: { lifecycle, sent_at, received_at } }) => {
      const said = Date.parse(sent_at)
      return lifecycle === 'new' && Date.parse(received_at) - said >= NAMED_MS ? said : Number.NaN
    })
    const earliest = Math.min(...times)
    return Number.isFinite(earliest) ? earliest : null
  }

  /** Closes at once what another station was heard saying before it was decided here. Part of the transaction of the decision. */
  decided(threadId: string): void {
    if (!this.#settings.enabled) return
    const rows = this.#o.db
      .sql(
        `SELECT * FROM deliveries WHERE thread_id = ? AND state IN ('queued', 'held') AND ${IS_EVENTS} LIMIT ${MOST_ROWS}`
      )
      .all(threadId)
    for (const row of rows.map(deliveryFromRow))
      if (!this.#closes(row) && this.#isBack(row)) this.#delay(row.id, ON_AIR_MS)
  }

  /**
   * A radio listens anew: what others said meanwhile may not have been heard, so what waits for them waits as long again, and what has
   * waited for us as long as the node takes to hand over what it heard alone.
   */
  listensAnew(network: Network): void {
    const { db, clock, random } = this.#o
    const now = clock.now()
    const settings = this.#settings
    this.#listeningSince.set(network, now)
    if (!settings.enabled) return
    const rows = db
      .sql(
        `SELECT * FROM deliveries WHERE transport = ? AND state IN ('queued', 'held') AND direct = 0 AND attempts = 0
         AND ${IS_EVENTS} LIMIT ${MOST_ROWS}`
      )
      .all(network)
      .map(deliveryFromRow)
    for (const { id, severity, createdAt } of rows) {
      const waited = now - createdAt > READS_MS ? READS_MS : 0
      this.#delay(id, Math.max(waited, standbyMs(settings, severity, { now, random })))
    }
  }

  /** A radio that began to listen just now has missed whatever is on the air. */
  #isBack({ transport, direct, attempts }: Delivery): boolean {
    const since = this.#listeningSince.get(transport) ?? Number.NEGATIVE_INFINITY
    return !direct && attempts === 0 && Math.abs(this.#o.clock.now() - since) < BACK_MS
  }

  #delay(id: number, ms: number): void {
    const { db, clock } = this.#o
    db.sql('UPDATE deliveries SET due_at = ?1 WHERE id = ?2 AND due_at < ?1').run(clock.now() + ms, id)
    db.outdate()
  }

  get #settings(): StandbyConfig {
    return this.#o.config().notifications.standby
  }

  #open(channelKey: string): Delivery[] {
    return this.#o.db
      .sql(
        `SELECT * FROM deliveries INDEXED BY deliveries_deadline WHERE state IN ('queued', 'held') AND channel_key = ?
         AND direct = 0 AND ${IS_EVENTS} ORDER BY id DESC LIMIT ${MOST_ROWS}`
      )
      .all(channelKey)
      .map(deliveryFromRow)
  }

  /** The earliest time at which a tag may have been heard that says this row. */
  #sinceOf({ id, createdAt, content, origin, threadId, channelKey }: Delivery): number {
    if (origin === null && !isReminder(content)) return createdAt - EARLIER_MS
    // A repeat comes after what it repeats.
    const before = this.#o.db
      .sql('SELECT max(changed_at) AS at FROM deliveries WHERE thread_id = ? AND channel_key = ? AND id < ?')
      .get(threadId, channelKey, id)
    return Math.max(createdAt - AGAIN_EARLIER_MS, Number(before?.['at'] ?? 0) + 1)
  }

  /** True when the tag is of what the row says, or of something newer of its thread, and as grave. */
  #says(tag: PeerTag, row: Delivery, { secret }: StandbyConfig): boolean {
    const newest = Math.max(...row.eventSeqs)
    const thread = this.#o.ledger.thread(row.threadId)
    const said = { severity: row.severity, ends: row.content.kind === 'end' }
    return thread.some(({ seq, event }) => {
      if (seq < newest || !isTagOf(secret, tag, event, said)) return false
      if (revisionLetter(secret, event) === tag.revision) return true
      // A revision that is known here and older says less; one that nobody here knows came in between, or later.
      return !thread.some(
        (older) =>
          older.seq < seq && older.event.id === event.id && revisionLetter(secret, older.event) === tag.revision
      )
    })
  }

  #close(row: Delivery, { peer, code, alert, revision }: PeerTag): void {
    const { outbox, clock } = this.#o
    const step = because('said_by_peer', { peer, tag: `${code}.${alert}${revision}` })
    const told = toldAs(row)
    outbox.apply(row.id, closing(told, 'stand_down'), { reason: 'heard_peer', step })
    // It was told on the channel: the next one of its kind is judged as if we had said it.
    outbox.guards.arm(row, clock.now())
  }
}

/** The name of the station that a text comes from, or null for a text that is nobody's we listen to. */
function peerOf(network: Network, text: InboundText, { enabled, trust, peers }: StandbyConfig): string | null {
  if (!enabled || text.direct || text.channel === null) return null
  const name = network === 'mt' ? text.from.toLowerCase() : text.fromName
  if (trust === 'channel') return name === '' ? '?' : name
  return peers.some((peer) => (network === 'mt' ? peer.toLowerCase() : peer) === name) ? name : null
}
