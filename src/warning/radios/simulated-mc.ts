import { because } from '../../model/reason.ts'
import type { PacketIdentity, RadioChannel, RadioMessage } from './radio.ts'
import { type Packet, refused, type SimulatedOptions, SimulatedRadio, type Verdict } from './simulated.ts'
import { ReceiverMemory } from './simulated-air.ts'
import { mcChannelAirtimeMs, mcDirectAirtimeMs, mcDirectTimeoutMs, mcRepeatWaitMs } from './time-on-air.ts'

const POOL = 16
const RECEIVER_MEMORY = 160
const MAX_TEXT_BYTES = 160
/** A repeater waits up to this many times the time-on-air before it repeats. */
const REPEATER_DELAY = 2.5

export interface SimulatedMcOptions extends SimulatedOptions {
  /** The channel names the node has, asked whenever they matter: they may follow the configuration. */
  channels: () => readonly string[]
}

/**
 * A MeshCore node and its driver without hardware. The node puts its name before a channel text and cuts the whole at 160 bytes,
 * inside a character if need be, and still says OK; the driver resolves channels by their exact name and refuses one the node lacks.
 */
export class SimulatedMc extends SimulatedRadio {
  readonly #names: () => readonly string[]

  constructor(options: SimulatedMcOptions) {
    super('mc', new ReceiverMemory(RECEIVER_MEMORY, false), options)
    this.#names = options.channels
  }

  channels(): readonly RadioChannel[] {
    return [...new Set(this.#names())].map((name) => ({ id: name, name, enabled: true }))
  }

  protected checkIdentity({ senderTimestamp }: PacketIdentity): void {
    if (!Number.isInteger(senderTimestamp) || (senderTimestamp ?? 0) <= 0 || (senderTimestamp ?? 0) > 0xffff_ffff) {
      throw new TypeError(`an MC sender timestamp is whole epoch seconds, not ${senderTimestamp}`)
    }
  }

  protected sessionEnded(): void {}

  /** An OK for a slot without a channel and error 2 for a full pool mean nothing by themselves, so the name is checked first. */
  protected judge(message: RadioMessage): Verdict {
    const { channel, to } = message
    const bytes = Buffer.byteLength(message.text)
    if (to === undefined && !this.channels().some(({ id }) => id === channel)) {
      return refused('NO_CHANNEL', false, because('sim_no_channel', { channel: String(channel) }))
    }
    if (to !== undefined && this.contacts !== undefined && !this.contacts.includes(to)) {
      return refused('UNKNOWN_CONTACT', false, because('sim_no_contact', { contact: to }))
    }
    if (to !== undefined && bytes > MAX_TEXT_BYTES) {
      return refused('TOO_LARGE', false, because('sim_direct_too_large', { bytes }))
    }
    if (this.queue.length >= POOL) {
      return refused('POOL_FULL', true, because('sim_pool_full'))
    }
    return to === undefined ? this.#channelPacket(message) : this.#directPacket(message, to, bytes)
  }

  protected followUp(packet: Packet, fresh: boolean): void {
    const { airtimeMs } = packet
    if (packet.entry.to !== undefined) {
      this.#awaitAcknowledgement(packet, packet.entry.to, fresh)
      return
    }
    const waitMs = mcRepeatWaitMs(airtimeMs)
    // A repeater that has repeated a packet once never repeats it again.
    if (!fresh) {
      this.#unconfirmed(packet, waitMs)
      return
    }
    const repeatMs = (this.random() * REPEATER_DELAY + 1) * airtimeMs
    this.after(repeatMs, () => {
      if (this.answering) this.report(packet, 'heard')
      else this.#unconfirmed(packet, waitMs - repeatMs)
    })
  }

  #channelPacket({ channel, text, identity }: RadioMessage): Packet {
    const onAir = Buffer.from(`${this.description.nodeName}: ${text}`).subarray(0, MAX_TEXT_BYTES)
    const heard = onAir.toString('utf8')
    return {
      kind: 'packet',
      waitMs: 0,
      airtimeMs: mcChannelAirtimeMs(onAir.length, this.description.modem),
      entry: { channel, text: heard, bytes: onAir.length, identity },
      receiverKey: JSON.stringify([channel, identity.senderTimestamp, heard])
    }
  }

  #directPacket({ channel, text, identity }: RadioMessage, to: string, bytes: number): Packet {
    return {
      kind: 'packet',
      waitMs: 0,
      airtimeMs: mcDirectAirtimeMs(bytes, this.description.modem),
      entry: { channel, to, text, bytes, identity },
      receiverKey: JSON.stringify(['to', to, identity.senderTimestamp, text])
    }
  }

  /** An identical direct text is not acknowledged a second time. */
  #awaitAcknowledgement(packet: Packet, by: string, fresh: boolean): void {
    const timeoutMs = mcDirectTimeoutMs(packet.airtimeMs)
    if (!fresh) {
      this.#unconfirmed(packet, timeoutMs)
      return
    }
    const answerMs = (this.random() * REPEATER_DELAY + 1) * packet.airtimeMs
    this.after(answerMs, () => {
      if (this.answering) this.report(packet, 'delivered', { by })
      else this.#unconfirmed(packet, timeoutMs - answerMs)
    })
  }

  #unconfirmed(packet: Packet, ms: number): void {
    const reason = because(packet.entry.to === undefined ? 'no_repeat' : 'no_ack')
    this.after(ms, () => this.report(packet, 'unconfirmed', { reason, silent: true }))
  }
}
