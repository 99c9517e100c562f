import { because } from '../../model/reason.ts'
import { WAYPOINT_MORE_BYTES } from '../../model/waypoint.ts'
import { parseNodeId } from './node-id.ts'
import type { PacketIdentity, RadioChannel, RadioMessage } from './radio.ts'
import { type Packet, type Refusal, refused, type SimulatedOptions, SimulatedRadio, type Verdict } from './simulated.ts'
import { ReceiverMemory } from './simulated-air.ts'
import { mtGiveUpMs, mtRetransmitMs, mtSlotMs, mtTextAirtimeMs } from './time-on-air.ts'

/**
 * Limits that the firmware keeps to: one text every 2 s, 16 packets waiting, the last 20 packet ids of a client
 * session.
 */
const TEXT_WINDOW_MS = 2000
/** Within this of an alert packet the next is dropped without a word. */
const ALERT_WINDOW_MS = 10_000
/** The node reads its socket up to this much later than we write. */
const READ_DELAY_MS = 250
const QUEUE_DEPTH = 16
const REMEMBERED_IDS = 20
const RECEIVER_MEMORY = 400
/** Bytes of text: up to here it is sent, up to the next it is refused, beyond it is discarded without a word. */
const MAX_TEXT_BYTES = 232
const MAX_ANSWERED_BYTES = 234
const CHANNELS = [0, 1, 2, 3, 4, 5, 6, 7]
const HOUR_MS = 3_600_000
/** Slots a node waits at most before it sends on a quiet channel, and a neighbour before it repeats. */
const OWN_SLOTS = 8
const NEIGHBOUR_SLOTS = 56

export interface SimulatedMtOptions extends SimulatedOptions {
  /** The indices that are enabled; absent: all eight. */
  channels?: readonly number[]
}

/**
 * A Meshtastic node and its driver without hardware. It keeps the limits of firmware 2.7 and its silences: what a real node
 * discards without an answer has the outcome `unknown` here.
 */
export class SimulatedMt extends SimulatedRadio {
  readonly #channels: readonly RadioChannel[]
  #seenIds: number[] = []
  #lastTextAt = Number.NEGATIVE_INFINITY
  #lastAlertAt = Number.NEGATIVE_INFINITY

  constructor(options: SimulatedMtOptions) {
    super('mt', new ReceiverMemory(RECEIVER_MEMORY, true), options)
    const enabled = new Set<number>(options.channels ?? CHANNELS)
    this.#channels = CHANNELS.map((id) => ({
      id,
      name: id === 0 ? options.modem.label : enabled.has(id) ? `Channel ${id}` : '',
      enabled: enabled.has(id)
    }))
  }

  channels(): readonly RadioChannel[] {
    return this.#channels
  }

  protected checkIdentity({ packetId }: PacketIdentity): void {
    if (packetId === undefined || !Number.isInteger(packetId) || packetId <= 0 || packetId > 0xffff_ffff) {
      throw new TypeError(`an MT packet id is an integer from 1 to 4294967295, not ${packetId}`)
    }
  }

  protected sessionEnded(): void {
    this.#seenIds = []
  }

  /** The firmware's checks in its order: the id is remembered before anything is refused, so a retry needs a new one. */
  protected judge(message: RadioMessage): Verdict {
    const bytes = Buffer.byteLength(message.text) + (message.waypoint === undefined ? 0 : WAYPOINT_MORE_BYTES)
    if (bytes > MAX_ANSWERED_BYTES || !this.#remember(message.identity)) return { kind: 'silence' }
    const at = this.clock.now() + this.random() * READ_DELAY_MS
    if (message.alert === true) {
      if (at >= this.#lastAlertAt && at - this.#lastAlertAt < ALERT_WINDOW_MS) return { kind: 'silence' }
      this.#lastAlertAt = at
    }
    // A node counts in its own time: our clock set back must not make it refuse everything until we have caught up.
    if (at >= this.#lastTextAt - READ_DELAY_MS && at - this.#lastTextAt < TEXT_WINDOW_MS) {
      return refused('RATE_LIMIT_EXCEEDED', true, because('sim_too_often'))
    }
    this.#lastTextAt = at
    const airtimeMs = mtTextAirtimeMs(bytes, this.description.modem)
    return this.#refusal(message, bytes, airtimeMs) ?? this.#packet(message, bytes, airtimeMs)
  }

  protected followUp(packet: Packet): void {
    const { modem } = this.description
    const giveUpMs = mtGiveUpMs(packet.airtimeMs, modem)
    if (this.neighbours === 0) {
      this.#retransmit(packet, 2)
      this.after(giveUpMs, () => this.report(packet, 'unconfirmed', { reason: because('sim_unrepeated') }))
      return
    }
    const heardMs = Math.floor(this.random() * NEIGHBOUR_SLOTS) * mtSlotMs(modem) + packet.airtimeMs
    this.after(heardMs, () => this.#heard(packet, giveUpMs - heardMs))
  }

  #remember({ packetId = 0 }: PacketIdentity): boolean {
    if (this.#seenIds.includes(packetId)) return false
    this.#seenIds = [...this.#seenIds, packetId].slice(-REMEMBERED_IDS)
    return true
  }

  #refusal(message: RadioMessage, bytes: number, airtimeMs: number): Refusal | null {
    if (message.to !== undefined && parseNodeId(message.to) === null) {
      return refused('BAD_DESTINATION', false, because('not_a_node', { node: message.to }))
    }
    if (!this.#channels.some(({ id, enabled }) => id === message.channel && enabled)) {
      return refused('NO_CHANNEL', false, because('sim_channel_off', { channel: String(message.channel) }))
    }
    if (bytes > MAX_TEXT_BYTES) return refused('TOO_LARGE', false, because('sim_packet_too_large', { bytes }))
    return this.#overDuty(airtimeMs) ?? this.#queueFull()
  }

  #overDuty(airtimeMs: number): Refusal | null {
    const now = this.clock.now()
    const legalMs = this.description.modem.dutyCycle * HOUR_MS
    const freeAt = this.airtime.fitsAt(now, airtimeMs, legalMs)
    if (this.description.modem.dutyCycle >= 1 || freeAt === now) return null
    const reason =
      freeAt === null
        ? because('sim_over_duty')
        : because('sim_over_duty_for', { minutes: Math.ceil((freeAt - now) / 60_000) })
    return refused('DUTY_CYCLE_LIMIT', true, reason)
  }

  #queueFull(): Refusal | null {
    if (this.queue.length < QUEUE_DEPTH) return null
    return refused('QUEUE_FULL', true, because('sim_queue_full'))
  }

  #packet({ channel, to, text, alert, waypoint, identity }: RadioMessage, bytes: number, airtimeMs: number): Packet {
    return {
      kind: 'packet',
      waitMs: Math.floor(this.random() * OWN_SLOTS) * mtSlotMs(this.description.modem),
      airtimeMs,
      entry: {
        channel,
        text,
        bytes,
        identity,
        ...(alert === true ? { alert } : {}),
        ...(waypoint === undefined ? {} : { waypoint }),
        ...(to === undefined ? {} : { to })
      },
      receiverKey: `${identity.packetId}`
    }
  }

  /** The node repeats a text itself until somebody answers; that is airtime too. */
  #retransmit(packet: Packet, times: number): void {
    if (times === 0) return
    this.after(mtRetransmitMs(packet.airtimeMs, this.description.modem), () => {
      this.airtime.add(this.clock.now(), packet.airtimeMs)
      this.#retransmit(packet, times - 1)
    })
  }

  /** A neighbour's repeat is no delivery: a direct text needs the answer of its addressee. */
  #heard(packet: Packet, leftMs: number): void {
    if (this.answering) this.report(packet, 'heard')
    const { to } = packet.entry
    if (to !== undefined && this.#knows(to)) {
      this.after(2 * packet.airtimeMs, () => this.#delivered(packet, to, leftMs - 2 * packet.airtimeMs))
    } else if (to !== undefined) {
      this.after(leftMs, () => this.report(packet, 'unconfirmed', { reason: because('sim_no_reply', { node: to }) }))
    } else if (!this.answering) this.#lost(packet, leftMs)
  }

  #delivered(packet: Packet, by: string, leftMs: number): void {
    if (this.answering) this.report(packet, 'delivered', { by })
    else this.#lost(packet, leftMs)
  }

  /** The acknowledgement came while the link was down: the driver learns nothing and gives up in its time. */
  #lost(packet: Packet, leftMs: number): void {
    this.after(leftMs, () => this.report(packet, 'unconfirmed', { reason: because('no_ack_reached'), silent: true }))
  }

  #knows(to: string): boolean {
    if (this.contacts === undefined) return true
    const node = parseNodeId(to)
    return this.contacts.some((contact) => parseNodeId(contact) === node)
  }
}
