import { randomInt } from 'node:crypto'
import { isAtLeast } from '../events/severity.ts'
import type { Clock } from '../lib/clock.ts'
import type { PacketIdentity, Radio, Receipt, SendOutcome } from '../radios/radio.ts'
import type { AirtimeBook } from './airtime-book.ts'
import type { Delivery } from './delivery.ts'
import type { Outbox } from './outbox.ts'
import { type Receipts, refusalIn } from './receipts.ts'
import { afterRefusal, channelProblem, isClosedInstead, retryMs, unheardAgain, whyWait } from './turn.ts'
import { AT_ONCE, mayResend, toldAs, type Waiting } from './waiting.ts'

/** Contract §6, and the windows of the firmware behind it (MT 2 s per link, MC queue drain). */
export const MIN_GAP_MS = { mt: 3000, mc: 2000 } as const
/** `routine` and `priority` leave the channel free at least this many times their own time-on-air. */
export const POLITE_GAP = 4
const PART_GAP_MS = 10_000
const MAX_UNKNOWN = 3
const CLOSE_WAIT_MS = 2000
const AFTER_ERROR_MS = 5000
/** How often MT firmware itself repeats a text until it hears somebody do so. */
const MT_REPEATS = 2

export interface RadioQueueOptions {
  radio: Radio
  outbox: Outbox
  waiting: Waiting
  receipts: Receipts
  airtime: AirtimeBook
  clock: Clock
  /** The text in parts that each fit one packet, none when there is nothing left to say; asked at the first attempt, then frozen. */
  compose: (delivery: Delivery, radio: Radio) => string[]
  /** Whether what this message says does not hold any more: its event is over, or its channel was told something newer of it. */
  isOver: (delivery: Delivery) => boolean
  /** Whether notifications are on. */
  enabled: () => boolean
  /** Runs `work` in one durable transaction. */
  store: (work: () => void) => void
  onError: (error: unknown, delivery: Delivery) => void
}

/** Sends one radio's waiting messages: one in flight, by severity and age, paced, inside the airtime budget. Contract §6. */
export class RadioQueue {
  readonly #o: RadioQueueOptions
  readonly #unsubscribe: (() => void)[] = []
  #flying: Promise<void> | null = null
  #cancelTimer: (() => void) | null = null
  #lastSentAt = Number.NEGATIVE_INFINITY
  #lastAirtimeMs = 0
  /** From hand-over until it had left. */
  #lastTookMs = 0
  #lastTimestamp = 0
  #closed = false
  #abandoned = false

  constructor(options: RadioQueueOptions) {
    this.#o = options
  }

  get network(): 'mt' | 'mc' {
    return this.#o.radio.description.network
  }

  start(): void {
    const { radio, receipts, waiting, airtime, clock } = this.#o
    this.#unsubscribe.push(radio.onChange(() => this.#radioChanged()))
    this.#unsubscribe.push(radio.onReceipt((receipt) => this.#received(receipt)))
    const { id } = radio.description
    this.#lastTimestamp = receipts.newestTimestamp(id)
    // A node counts its pause from the last text it got, whichever process that came from.
    this.#lastSentAt = receipts.lastHandedOverAt(id, clock.now()) ?? this.#lastSentAt
    for (const { parts, nextPart, direct } of waiting.cutOff.filter((row) => row.radio === id))
      airtime.spend(clock.now(), airtime.cost(parts?.[nextPart] ?? '', direct))
    this.#radioChanged()
  }

  /** Something was added or became due. */
  wake(): void {
    if (this.#closed || this.#flying !== null) return
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#turn()
  }

  /**
   * No further message is started. Waits for the one in flight, but not for ever: what is still on the air then stays
   * `transmitting` in the file, and the next start knows what to do with it.
   */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelTimer?.()
    if (this.#flying !== null) {
      let cancel = (): void => undefined
      const limit = new Promise<void>((resolve) => {
        cancel = this.#o.clock.after(CLOSE_WAIT_MS, resolve)
      })
      await Promise.race([this.#flying, limit])
      cancel()
    }
    this.#abandoned = true
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  #radioChanged(): void {
    const health = this.#o.radio.health()
    if (health.state === 'ready') {
      this.#o.airtime.learn(this.#o.radio.description)
      this.#o.waiting.release(this.network)
    } else
      this.#o.waiting.hold(
        this.network,
        'radio_down',
        `radio ${this.#o.radio.description.id} is ${health.state}: ${health.reason ?? 'not ready'}`
      )
    this.wake()
  }

  #turn(): void {
    const { waiting, radio, clock } = this.#o
    if (radio.health().state !== 'ready') return
    const now = clock.now()
    if (!this.#o.enabled()) waiting.switchOff(this.network)
    // A backlog's end comes in slices: what is overdue must not be taken for what is next meanwhile.
    if (waiting.expireOverdue(now) === AT_ONCE) {
      this.#wakeIn(1)
      return
    }
    const delivery = waiting.next(this.network, now)
    if (delivery === null) {
      const dueAt = waiting.nextDueAt(this.network)
      if (dueAt !== null) this.#wakeIn(dueAt - now)
      return
    }
    if (this.#pauses(this.#gapBefore(delivery), now)) return
    this.#offer(delivery, now)
  }

  /** Whether the last text left less than `gapMs` ago; looked at again when that is over. */
  #pauses(gapMs: number, now: number): boolean {
    const gap = Math.ceil(gapMs)
    const wait = this.#lastSentAt + gap - now
    // More than the whole gap ahead: the clock was set back meanwhile.
    if (wait <= 0 || wait > gap) return false
    this.#wakeIn(wait)
    return true
  }

  #wakeIn(ms: number): void {
    this.#cancelTimer?.()
    this.#cancelTimer = this.#o.clock.after(Math.ceil(Math.max(1, Math.min(ms, 60_000))), () => {
      this.#cancelTimer = null
      this.wake()
    })
  }

  /** The pause after the last text; that of an `immediate` one depends on its own length too (`#leastGap`). */
  #gapBefore(delivery: Delivery): number {
    const minimum = MIN_GAP_MS[this.network]
    if (delivery.severity === 'immediate') return this.#leastGap(minimum)
    return isAtLeast(delivery.severity, 'critical') ? minimum : Math.max(minimum, POLITE_GAP * this.#lastAirtimeMs)
  }

  /**
   * The least pause after the last text: the minimum from hand-over to hand-over, which is what the firmware counts, and from end to end.
   * So what lives depend on does not pay for a slow preset twice. `airtimeMs` is the time-on-air of the text to come.
   */
  #leastGap(airtimeMs: number): number {
    return MIN_GAP_MS[this.network] - Math.min(this.#lastTookMs, airtimeMs)
  }

  #offer(delivery: Delivery, now: number): void {
    const { radio, outbox, waiting, airtime } = this.#o
    const blocked = delivery.direct ? null : channelProblem(radio, delivery.channel)
    if (blocked !== null) {
      waiting.failChannel(delivery, now, { ...blocked, radio: radio.description.id })
      this.#wakeIn(1)
      return
    }
    const parts = isClosedInstead(delivery, { ...this.#o, now }) ? null : (delivery.parts ?? this.#composed(delivery))
    if (parts === null) {
      this.#wakeIn(1)
      return
    }
    const text = parts[delivery.nextPart] ?? ''
    const cost = airtime.cost(text, delivery.direct)
    if (this.#pauses(this.#leastGap(cost), now)) return
    const wait = whyWait(delivery, { radio, airtime, cost, now })
    if (wait !== null) {
      if (delivery.reason !== wait.reason) outbox.move(delivery.id, 'queued', wait)
      this.#wakeIn(wait.ms)
      return
    }
    this.#flying = this.#transmit(delivery, parts, { text, cost }).then(
      () => {
        this.#flying = null
        this.wake()
      },
      (error: unknown) => {
        this.#flying = null
        this.#o.onError(error, delivery)
        this.#wakeIn(AFTER_ERROR_MS)
      }
    )
  }

  /** Null when there is nothing to say, or no text can be made: closed, so that the messages behind it go on. */
  #composed(delivery: Delivery): string[] | null {
    try {
      const parts = this.#o.compose(delivery, this.#o.radio)
      if (parts.length > 0) return parts
      const detail = 'everything it would have told of is over'
      this.#o.outbox.move(delivery.id, 'suppressed', { reason: 'ended', detail })
      return null
    } catch (error) {
      this.#o.onError(error, delivery)
      this.#o.outbox.move(delivery.id, 'failed', {
        reason: 'no_text',
        detail: 'no text could be composed: see the log'
      })
      return null
    }
  }

  async #transmit(delivery: Delivery, parts: string[], { text, cost }: { text: string; cost: number }): Promise<void> {
    const { radio, outbox, clock, receipts } = this.#o
    const identity = delivery.identity ?? this.#newIdentity()
    const startedAt = clock.now()
    outbox.move(delivery.id, 'transmitting', {
      reason: null,
      detail: delivery.identity === null ? 'handed to the radio' : 'handed to the radio again, same identity',
      patch: {
        radio: radio.description.id,
        simulated: radio.description.simulated ? 1 : 0,
        parts: JSON.stringify(parts),
        bytes: Buffer.byteLength(parts.join('')),
        identity: JSON.stringify(identity),
        attempts: delivery.attempts + 1,
        first_sent_at: delivery.identity === null ? startedAt : (delivery.firstSentAt ?? startedAt)
      }
    })
    receipts.expect(radio.description.id, identity, { id: delivery.id, part: delivery.nextPart })
    const message = { channel: delivery.channel, text, identity }
    const outcome = await radio.send(
      delivery.direct ? { ...message, to: String(delivery.channel), channel: 0 } : message
    )
    if (this.#abandoned) return
    const now = clock.now()
    this.#lastSentAt = now
    this.#lastTookMs = now - startedAt
    this.#lastAirtimeMs = cost
    this.#o.store(() => {
      if (outcome.kind !== 'refused') this.#o.airtime.spend(now, cost)
      this.#settle(delivery, outcome, now)
    })
  }

  /** What the radio's answer means for the row. */
  #settle(before: Delivery, outcome: SendOutcome, now: number): void {
    const { outbox } = this.#o
    const { id } = before
    const delivery = outbox.get(id)
    if (delivery === null) return
    if (outcome.kind === 'sent') this.#left(delivery, now)
    else if (outcome.kind === 'refused') afterRefusal(outbox, delivery, { refusal: outcome, told: toldAs(before), now })
    else if (
      mayResend(delivery, now) &&
      (before.identity === null || delivery.attempts < MAX_UNKNOWN + delivery.nextPart)
    ) {
      const detail = `outcome unknown (${outcome.reason}): offered again with the same packet identity`
      outbox.move(id, 'queued', { reason: 'resend', detail, patch: { due_at: now + retryMs(delivery.attempts) } })
    } else {
      outbox.move(id, 'sent_unknown', {
        reason: 'no_answer',
        detail: `${outcome.reason}: it may have been heard`,
        patch: { sent_at: now }
      })
    }
  }

  #left(delivery: Delivery, now: number): void {
    const { outbox } = this.#o
    outbox.guards.arm(delivery, now)
    const count = delivery.parts?.length ?? 1
    const next = delivery.nextPart + 1
    if (next < count) {
      const patch = { next_part: next, identity: null, due_at: now + PART_GAP_MS }
      outbox.move(delivery.id, 'queued', {
        reason: 'next_part',
        detail: `part ${next} of ${count} left the radio`,
        patch
      })
      return
    }
    const detail = delivery.simulated ? 'left the simulated radio' : 'left the radio'
    outbox.move(delivery.id, 'sent', { reason: null, detail, patch: { sent_at: now, next_part: next } })
    // Somebody repeated an earlier try of it while this one flew: it is not said again.
    if (delivery.heardBy > 0)
      outbox.move(delivery.id, 'heard', { reason: null, detail: 'an earlier try of it was repeated by a neighbour' })
  }

  #received(receipt: Receipt): void {
    const { radio, receipts, outbox, clock } = this.#o
    const about = receipts.take(radio.description.id, receipt)
    if (about === null) return
    const { delivery, part } = about
    if (receipt.kind === 'unconfirmed' && receipt.retry !== false) {
      this.#bookRepeats(delivery, part)
      this.#nobodyHeard(delivery)
    }
    // While the row flies again, its own outcome decides.
    if (receipt.kind !== 'refused' || delivery.state === 'transmitting') return
    // It counts as told so far: what was refused is what has to go again.
    const again = { ...delivery, nextPart: Math.max(0, part) }
    const told = delivery.attempts > 1 ? toldAs(again) : null
    this.#o.store(() => afterRefusal(outbox, again, { refusal: refusalIn(receipt), told, now: clock.now() }))
    this.wake()
  }

  /** MT firmware sends again by itself what nobody was heard repeating. */
  #bookRepeats({ parts, direct }: Delivery, part: number): void {
    const { airtime, clock, store } = this.#o
    const text = parts?.[Math.max(0, part)]
    if (this.network !== 'mt' || text === undefined) return
    store(() => airtime.spend(clock.now(), MT_REPEATS * airtime.cost(text, direct)))
  }

  /** Nobody was heard repeating it: `critical` and above is tried again while there is plenty of airtime. */
  #nobodyHeard({ id }: Delivery): void {
    const { outbox, airtime, clock } = this.#o
    const now = clock.now()
    const delivery = outbox.get(id)
    const patch = delivery === null ? null : unheardAgain(delivery, { network: this.network, airtime, now })
    if (patch === null) return
    outbox.move(id, 'queued', { reason: 'nobody_heard', detail: 'nobody was heard repeating it: tried again', patch })
    this.wake()
  }

  #newIdentity(): PacketIdentity {
    if (this.network === 'mt') return { packetId: randomInt(1, 0xffff_ffff) }
    this.#lastTimestamp = Math.max(this.#lastTimestamp + 1, Math.floor(this.#o.clock.now() / 1000))
    return { senderTimestamp: this.#lastTimestamp }
  }
}
