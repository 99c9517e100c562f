import { after } from '../../model/delivery.ts'
import { because } from '../../model/reason.ts'
import type { Radio, Receipt, SendOutcome } from '../radios/radio.ts'
import { listenMs, mayResend, toldAs, UNANSWERED, type Unheard, unansweredMs, unheardAgain } from './again.ts'
import type { Delivery } from './delivery.ts'
import type { RadioQueueOptions } from './queue-options.ts'
import { refusalIn } from './receipts.ts'
import { afterRefusal, isAnswer } from './turn.ts'

const PART_GAP_MS = 10_000
/** The number of times MT firmware itself repeats a text until it hears somebody do so. */
const MT_REPEATS = 2

/** The fate of a text that left, and of which no word came. */
export const UNHEARD = { reason: 'nobody_heard', step: because('no_word') } as const

export interface OutcomesOptions
  extends Pick<RadioQueueOptions, 'radio' | 'outbox' | 'waiting' | 'receipts' | 'airtime' | 'clock' | 'store'> {
  /** The radio is not ready: what was made to wait for it again is held. */
  hold: () => void
  wake: () => void
}

/**
 * The fates of the texts that one radio was handed: its answers, the receipts that follow, and the silence where there
 * are none. Contract §6.
 */
export class Outcomes {
  readonly #o: OutcomesOptions
  /** Texts running that this session of the radio left without an answer, and since when. */
  #silence = { count: 0, since: 0, session: '' }

  constructor(options: OutcomesOptions) {
    this.#o = options
  }

  get #network(): Radio['description']['network'] {
    return this.#o.radio.description.network
  }

  /**
   * Closes what left the radio and was listened for long enough without a word of it: nobody heard it. The driver tells
   * so itself, unless it was another process that sent it.
   */
  listened(): void {
    const now = this.#o.clock.now()
    for (const delivery of this.#o.waiting.listened(this.#network, now)) {
      this.#o.outbox.apply(delivery.id, 'unheard', UNHEARD)
      this.#unheard(delivery, delivery.nextPart - 1, { silent: true })
    }
  }

  /** Since when texts handed to this radio stay without an answer although it seems ready; null while it can be relied on. */
  silentSince(): number | null {
    const { count, since, session } = this.#silence
    if (count >= UNANSWERED && session === this.#o.radio.session()) return since
    return this.#o.waiting.unansweredSince(this.#network)
  }

  /** Translates the radio's answer for the row. */
  settle(before: Delivery, outcome: SendOutcome, { now, cost }: { now: number; cost: number }): void {
    const { outbox } = this.#o
    const { id } = before
    if (isAnswer(outcome)) this.#silence.count = 0
    // Firmware drops an alert packet without a word: that says nothing of the radio.
    else if (outcome.kind === 'unknown' && before.content.kind !== 'alert_packet') this.#unansweredOnceMore(now)
    const delivery = outbox.get(id)
    if (delivery === null) return
    if (outcome.kind === 'sent') this.#left(delivery, { now, cost })
    else if (outcome.kind === 'refused') afterRefusal(outbox, delivery, { refusal: outcome, told: toldAs(before), now })
    else if (mayResend(delivery, now)) {
      const unanswered = delivery.unanswered + 1
      const step = because('unanswered_again', { said: outcome.reason })
      const patch = { due_at: now + unansweredMs(unanswered), unanswered }
      outbox.apply(id, 'offer_again', { reason: 'resend', step, patch })
    } else {
      const step = because('unanswered_lost', { said: outcome.reason })
      outbox.apply(id, 'lose', { reason: 'no_answer', step, patch: { sent_at: now } })
    }
  }

  #unansweredOnceMore(now: number): void {
    const session = this.#o.radio.session()
    const { count, since } = this.#silence.session === session ? this.#silence : { count: 0, since: now }
    this.#silence = { count: count + 1, since: count === 0 ? now : since, session }
  }

  #left(delivery: Delivery, { now, cost }: { now: number; cost: number }): void {
    const { outbox, radio } = this.#o
    outbox.guards.arm(delivery, now)
    const count = delivery.parts?.length ?? 1
    const next = delivery.nextPart + 1
    if (next < count) {
      const known = delivery.identities[next] ?? null
      const identity = known === null ? null : JSON.stringify(known)
      const patch = { next_part: next, identity, due_at: now + PART_GAP_MS, unanswered: 0 }
      outbox.apply(delivery.id, 'part_left', {
        reason: 'next_part',
        step: because('part_left', { part: next, count }),
        patch
      })
      return
    }
    const step = because(delivery.simulated ? 'left_simulated' : 'left_radio')
    const listenUntil = now + listenMs(delivery.direct, cost, radio.description)
    const patch = { sent_at: now, next_part: next, due_at: listenUntil, unanswered: 0 }
    outbox.apply(delivery.id, 'left', { reason: null, step, patch })
    // Somebody repeated an earlier try of it while this one flew: it is not said again.
    if (delivery.heardBy > 0) outbox.apply(delivery.id, 'hear', { reason: null, step: because('earlier_heard') })
  }

  /** Something was learnt of a text that left. */
  received(receipt: Receipt): void {
    const { radio, receipts, outbox, clock } = this.#o
    const about = receipts.take(radio.description.id, receipt)
    if (about === null) return
    const { delivery, part } = about
    if (receipt.kind === 'heard' || receipt.kind === 'delivered') this.#silence.count = 0
    if (receipt.kind === 'unconfirmed' && receipt.retry !== false) this.#unheard(delivery, part, receipt)
    // While the row flies again, its own outcome decides; what somebody has is not refused.
    if (receipt.kind !== 'refused' || delivery.state === 'transmitting' || after(delivery.state, 'refuse') === null)
      return
    // It counts as told so far: what was refused is what has to go again.
    const again = { ...delivery, nextPart: Math.max(0, part) }
    const told = delivery.attempts > 1 ? toldAs(again) : null
    this.#o.store(() => afterRefusal(outbox, again, { refusal: refusalIn(receipt), told, now: clock.now() }))
    this.#o.wake()
  }

  /** MT firmware sends again by itself what nobody was heard repeating. */
  #bookRepeats(delivery: Delivery, part: number): void {
    const { airtime, clock, store } = this.#o
    const { parts, content } = delivery
    const text = parts?.[Math.max(0, part)]
    if (this.#network !== 'mt' || text === undefined) return
    store(() => airtime.spend(clock.now(), MT_REPEATS * airtime.costOf(delivery, text), content.kind === 'reply'))
  }

  /** Nobody was heard repeating it: `critical` and above is tried again while there is plenty of airtime. */
  #unheard(before: Delivery, part: number, { silent = false }: Pick<Unheard, 'silent'>): void {
    const { outbox, airtime, clock, radio } = this.#o
    this.#bookRepeats(before, part)
    const now = clock.now()
    const delivery = outbox.get(before.id)
    if (delivery === null) return
    const unheard = { silent, sameSession: delivery.session === radio.session() }
    const patch = unheardAgain(delivery, { network: this.#network, airtime, unheard, now })
    if (patch === null) return
    outbox.apply(delivery.id, 'offer_again', { reason: 'nobody_heard', step: because('unheard_again'), patch })
    if (radio.health().state !== 'ready') this.#o.hold()
    this.#o.wake()
  }
}
