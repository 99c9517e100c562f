import { because } from '../../../model/reason.ts'
import type { RadioMessage, Receipt, SendOutcome } from '../radio.ts'
import { mcRepeatWaitMs } from '../time-on-air.ts'
import { GROUP_TEXT, groupTextPayload, parsePacket } from './air-packet.ts'
import type { NamedSlot } from './channel-table.ts'
import { channelText } from './commands.ts'
import type { Refusal } from './exchange.ts'
import { handOver, leaving, refused, refusedBy } from './hand-over.ts'
import type { Message } from './messages.ts'
import type { Session } from './session.ts'
import type { Timers } from './timers.ts'

const SECRET_BYTES = 16
const NOT_FOUND = 2
/** The firmware shows its client no heard packet of a longer text, with the name: a repeat of it cannot be known of. */
const MOST_HEARD_BYTES = 155

export interface ChannelTextsOptions {
  timers: Timers
  now: () => number
  report: (receipt: Omit<Receipt, 'at'>) => void
}

/** One text we sent, listened for while repeaters may pass it on. */
interface Watch {
  identity: RadioMessage['identity']
  /** The repeaters heard so far. */
  repeaters: Set<string>
  /** Before its outcome is told, a repeat only counts. */
  told: boolean
}

export interface ChannelSend {
  slot: NamedSlot
  timestamp: number
  message: RadioMessage
  /** The text behind `name: `, as it goes on the air. */
  onAir: string
  airtimeMs: number
}

/** Channel texts: an OK means accepted and no more; that a repeater passes the text on is the only sign that it was received. */
export class ChannelTexts {
  readonly #o: ChannelTextsOptions
  readonly #watched = new Map<string, Watch>()

  constructor(options: ChannelTextsOptions) {
    this.#o = options
  }

  /** Never rejects for a radio reason. */
  async send(session: Session, send: ChannelSend): Promise<SendOutcome> {
    const { slot, timestamp, message, onAir, airtimeMs } = send
    const payload =
      slot.secret.length === SECRET_BYTES ? groupTextPayload(slot.secret, timestamp, onAir) : JSON.stringify(message)
    const watch: Watch = { identity: message.identity, repeaters: new Set(), told: false }
    this.#watched.set(payload, watch)
    const outcome = await this.#transmit(session, send, watch)
    if (outcome.kind === 'refused') this.#watched.delete(payload)
    else {
      const sent = outcome.kind === 'sent'
      this.#listen(payload, watch, { airtimeMs, sent, tooLong: Buffer.byteLength(onAir) > MOST_HEARD_BYTES })
    }
    return outcome
  }

  /** A packet the node heard: perhaps one of ours, passed on. */
  heard(raw: Uint8Array): void {
    const packet = parsePacket(raw)
    const by = packet?.path.at(-1)
    if (packet === null || by === undefined || packet.type !== GROUP_TEXT) return
    const watch = this.#watched.get(Buffer.from(packet.payload).toString('hex'))
    if (watch === undefined || watch.repeaters.has(by)) return
    watch.repeaters.add(by)
    if (watch.told) this.#o.report({ identity: watch.identity, kind: 'heard', by: `repeater ${by}` })
  }

  async #transmit(
    session: Session,
    { slot, timestamp, message, airtimeMs }: ChannelSend,
    watch: Watch
  ): Promise<SendOutcome> {
    const payload = channelText({ slot: slot.index, timestamp, text: message.text })
    const answer = (m: Message): Extract<Message, { kind: 'ok' }> | undefined => (m.kind === 'ok' ? m : undefined)
    const given = await handOver(session, { name: 'SEND_CHANNEL_TXT_MSG', payload, answer }, refusalOf)
    if ('outcome' in given) return given.outcome
    return await leaving(session, { airtimeMs, now: this.#o.now, proven: () => watch.repeaters.size > 0 })
  }

  /** Whoever sent learns the outcome first: receipts start a millisecond later. */
  #listen(
    payload: string,
    watch: Watch,
    { airtimeMs, sent, tooLong }: { airtimeMs: number; sent: boolean; tooLong: boolean }
  ): void {
    const { timers, report } = this.#o
    const { identity, repeaters } = watch
    timers.after(1, () => {
      watch.told = true
      for (const by of repeaters) report({ identity, kind: 'heard', by: `repeater ${by}` })
    })
    timers.after(mcRepeatWaitMs(airtimeMs), () => {
      if (this.#watched.get(payload) === watch) this.#watched.delete(payload)
      if (!sent || repeaters.size > 0) return
      // Silence proves nothing here, so nothing is said again because of it.
      const why = tooLong
        ? { reason: because('too_long_to_tell'), retry: false }
        : { reason: because('no_repeat'), silent: true }
      report({ identity, kind: 'unconfirmed', ...why })
    })
  }
}

/** Error 2 is a slot that does not exist, or a full pool; the slot was just read, so it is the pool. */
function refusalOf(refusal: Refusal): Extract<SendOutcome, { kind: 'refused' }> {
  if (refusal.kind === 'error' && refusal.code === NOT_FOUND) {
    return refused('POOL_FULL', true, because('pool_full_channel'))
  }
  return refusedBy(refusal)
}
