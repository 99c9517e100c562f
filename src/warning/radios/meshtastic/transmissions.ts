import { because, type Reason } from '../../../model/reason.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { ModemSettings, Receipt, SendOutcome } from '../radio.ts'
import { mtGiveUpMs, mtTextAirtimeMs } from '../time-on-air.ts'
import type { QueueStatus } from './messages.ts'
import { isRefusalForGood, queueRefusal, routingMeaning } from './refusals.ts'

/** A node answers a packet at once; it keeps only two queue reports for us, so that one may be missing. */
const ANSWER_WAIT_MS = 3000
/** Contract §6: when the second queue report does not come, a text has left after 3 × its time-on-air and this. */
const LEFT_EXTRA_MS = 2000
/** The node drops a packet from its client whose id is among the last 20. */
const REMEMBERED_IDS = 20
const WATCHED = 64

export interface Offer {
  packetId: number
  /** Of a direct text: the node's number, and how the caller wrote it. */
  to: { number: number; text: string } | null
  bytes: number
  modem: ModemSettings
}

interface Transmission extends Offer {
  state: 'offered' | 'taken' | 'sent' | 'unknown'
  heard: boolean
  airtimeMs: number
  settle: (outcome: SendOutcome) => void
  cancelTimer: () => void
}

export interface TransmissionsOptions {
  clock: Clock
  report: (receipt: Receipt) => void
  /** Resolves with true when the radio answers now. */
  answers: () => Promise<boolean>
}

/**
 * The fates of the texts handed to a Meshtastic node, from its queue reports and routing packets. Settles each offer
 * exactly once, and reports what is learnt later. Reports about packets that are not ours are ignored.
 */
export class Transmissions {
  readonly #o: TransmissionsOptions
  readonly #byId = new Map<number, Transmission>()
  readonly #reports = new Set<() => void>()
  #nodeKnows: number[] = []

  constructor(options: TransmissionsOptions) {
    this.#o = options
  }

  /** Call before the first byte is written: the answer may come at once. */
  offer(offer: Offer): Promise<SendOutcome> {
    const { packetId, bytes, modem } = offer
    const repeated = this.#nodeKnows.includes(packetId)
    this.#nodeKnows = [...this.#nodeKnows, packetId].slice(-REMEMBERED_IDS)
    this.#forget(packetId, because('offered_again_before'))
    return new Promise((resolve) => {
      const airtimeMs = mtTextAirtimeMs(bytes, modem)
      const cancelTimer = this.#o.clock.after(ANSWER_WAIT_MS, () => this.#unanswered(entry, repeated))
      const entry: Transmission = {
        ...offer,
        state: 'offered',
        heard: false,
        airtimeMs,
        settle: resolve,
        cancelTimer
      }
      this.#byId.set(packetId, entry)
      this.#bound()
    })
  }

  queueStatus({ packetId, result }: QueueStatus): void {
    const entry = this.#byId.get(packetId)
    if (entry === undefined || !isPending(entry)) return
    if (result !== 0) this.#refuse(entry, queueRefusal(result))
    else if (entry.state === 'taken') this.#sent(entry)
    else {
      entry.state = 'taken'
      entry.cancelTimer()
      const wait = Math.ceil(3 * entry.airtimeMs + LEFT_EXTRA_MS)
      entry.cancelTimer = this.#o.clock.after(wait, () => this.#sent(entry))
    }
  }

  /**
   * A routing packet about our packet `requestId`; `error` 0 is an acknowledgement. `from`: null for the node itself, which heard our
   * text repeated. Ids of packets stand in clear on the air, so of all others only the addressee of a direct text can know of it.
   */
  routing({ from, requestId, error }: { from: number | null; requestId: number; error: number }): void {
    const entry = this.#byId.get(requestId)
    if (entry === undefined || (from !== null && from !== entry.to?.number)) return
    if (error === 0) this.#acknowledged(entry, from)
    else if (from === null) this.#failed(entry, error)
    else {
      if (isPending(entry)) this.#sent(entry)
      const helpless = isRefusalForGood(error) ? { retry: false } : {}
      this.#unconfirmed(entry, because('answered_error', { node: nodeId(from), error }), helpless)
    }
  }

  /** The link is gone: what it carried has an unknown outcome. `newSession`: the node has forgotten which ids it got from us. */
  lost(reason: Reason, newSession: boolean): void {
    if (newSession) this.#nodeKnows = []
    for (const entry of [...this.#byId.values()]) this.#unknown(entry, reason)
  }

  /** Settles what is pending, and stops every timer. */
  close(): void {
    this.lost(because('closed_before_answer'), true)
    for (const { cancelTimer } of this.#byId.values()) cancelTimer()
    for (const cancel of this.#reports) cancel()
    this.#byId.clear()
    this.#reports.clear()
  }

  #unanswered(entry: Transmission, repeated: boolean): void {
    this.#o.answers().then(
      (answers) => this.#unknown(entry, silenceReason(answers, repeated)),
      () => this.#unknown(entry, silenceReason(false, repeated))
    )
  }

  #acknowledged(entry: Transmission, from: number | null): void {
    if (isPending(entry)) this.#sent(entry)
    if (entry.to !== null && from !== null) {
      this.#report(entry, 'delivered', { by: entry.to.text })
      this.#drop(entry)
      return
    }
    if (entry.heard) return
    entry.heard = true
    this.#report(entry, 'heard', {})
    if (entry.to === null) this.#drop(entry)
  }

  #failed(entry: Transmission, error: number): void {
    const meaning = routingMeaning(error)
    if (meaning.kind === 'refused') {
      if (isPending(entry)) this.#refuse(entry, meaning.refusal)
      else if (!entry.heard) {
        const { code, reason, retry } = meaning.refusal
        this.#report(entry, 'refused', { reason: because('refused_as', { name: code, why: reason }), retry })
        this.#drop(entry)
      }
    } else if (meaning.kind === 'unclear' && isPending(entry)) this.#unknown(entry, meaning.reason)
    else {
      if (isPending(entry)) this.#sent(entry)
      this.#unconfirmed(entry, meaning.reason)
    }
  }

  #refuse(entry: Transmission, refusal: SendOutcome): void {
    this.#drop(entry)
    entry.settle(refusal)
  }

  #sent(entry: Transmission): void {
    entry.cancelTimer()
    entry.state = 'sent'
    entry.settle({ kind: 'sent', at: this.#o.clock.now() })
    this.#giveUpLater(entry)
  }

  #unknown(entry: Transmission, reason: Reason): void {
    if (!isPending(entry)) return
    entry.cancelTimer()
    entry.state = 'unknown'
    entry.settle({ kind: 'unknown', reason })
    this.#giveUpLater(entry)
  }

  #giveUpLater(entry: Transmission): void {
    const wait = Math.ceil(mtGiveUpMs(entry.airtimeMs, entry.modem))
    entry.cancelTimer = this.#o.clock.after(wait, () =>
      this.#unconfirmed(entry, because('no_ack_reached'), { silent: true })
    )
  }

  /** Of an unknown outcome nothing is told: nobody waits for the acknowledgement of what may never have been sent. */
  #unconfirmed(entry: Transmission, reason: Reason, more: Pick<Receipt, 'retry' | 'silent'> = {}): void {
    if (entry.state === 'sent') this.#report(entry, 'unconfirmed', { reason, ...more })
    this.#drop(entry)
  }

  /** A moment later, so that who waits for the outcome has it before the first receipt about it. */
  #report(
    { packetId }: Transmission,
    kind: Receipt['kind'],
    details: Pick<Receipt, 'by' | 'reason' | 'retry' | 'silent'>
  ): void {
    const cancel = this.#o.clock.after(1, () => {
      this.#reports.delete(cancel)
      this.#o.report({ identity: { packetId }, kind, at: this.#o.clock.now(), ...details })
    })
    this.#reports.add(cancel)
  }

  #forget(packetId: number, reason: Reason): void {
    const entry = this.#byId.get(packetId)
    if (entry === undefined) return
    this.#unknown(entry, reason)
    this.#drop(entry)
  }

  #drop(entry: Transmission): void {
    entry.cancelTimer()
    this.#byId.delete(entry.packetId)
  }

  #bound(): void {
    if (this.#byId.size <= WATCHED) return
    const [oldest] = this.#byId.keys()
    if (oldest !== undefined) this.#forget(oldest, because('too_many_in_flight'))
  }
}

function isPending({ state }: Transmission): boolean {
  return state === 'offered' || state === 'taken'
}

function silenceReason(answers: boolean, repeated: boolean): Reason {
  const waited = { seconds: ANSWER_WAIT_MS / 1000 }
  if (!answers) return because('text_unanswered_dead', waited)
  return because(repeated ? 'text_unanswered_known' : 'text_unanswered', waited)
}

/** Meshtastic's writing of a node's number. */
export function nodeId(number: number): string {
  return `!${number.toString(16).padStart(8, '0')}`
}
