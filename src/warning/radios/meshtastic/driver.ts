import { randomInt } from 'node:crypto'
import { because, type Reason } from '../../../model/reason.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { AppError, reasonOf } from '../../../platform/errors.ts'
import { Listeners } from '../../../platform/listeners.ts'
import type { Link, LinkSource } from '../link/link.ts'
import { parseNodeId } from '../node-id.ts'
import type {
  InboundText,
  PacketIdentity,
  Radio,
  RadioChannel,
  RadioDescription,
  RadioHealth,
  RadioMessage,
  RadioTime,
  Receipt,
  SendOutcome
} from '../radio.ts'
import { type RadioLog, RadioSupervisor } from '../supervisor.ts'
import { Device, type MeshtasticDetails } from './device.ts'
import { Inbox } from './inbox.ts'
import {
  BROADCAST,
  CONFIG_ONLY_NONCE,
  cameByAir,
  decodeRoutingError,
  decodeTelemetry,
  decodeUserName,
  encodeText,
  type FromRadio,
  type MeshPacket,
  PORT
} from './messages.ts'
import { NodeTime } from './node-time.ts'
import { ProtobufError } from './protobuf.ts'
import { type Refusal, refused } from './refusals.ts'
import { MeshtasticSession } from './session.ts'
import { nodeId, Transmissions } from './transmissions.ts'

/** Longer texts are discarded by the node without a word; 233 and 234 bytes it refuses itself. */
const MAX_ANSWERED_BYTES = 234
const MAX_INDEX = 7
const SILENCE_MS = { serial: 30_000, tcp: 15_000, memory: 15_000 } as const

export interface MeshtasticOptions {
  id: string
  source: LinkSource
  clock: Clock
  /** Spreads the waiting times: 0…1. */
  random?: () => number
  log?: RadioLog
  /** The number that asks for the handshake; the default leaves out the list of other nodes. */
  nonce?: number
}

/** A Meshtastic node (firmware 2.7 and later) over a byte link, as a Radio. */
export class MeshtasticRadio implements Radio {
  readonly #o: MeshtasticOptions
  readonly #supervisor: RadioSupervisor
  readonly #device = new Device()
  readonly #inbox: Inbox
  readonly #time: NodeTime
  readonly #transmissions: Transmissions
  readonly #receiptListeners = new Listeners<[Receipt]>()
  readonly #textListeners = new Listeners<[InboundText]>()
  #session: MeshtasticSession | null = null
  #nodesTold = false

  constructor(options: MeshtasticOptions) {
    const { id, source, clock, random = () => randomInt(1000) / 1000, log } = options
    this.#o = options
    this.#inbox = new Inbox(clock)
    this.#time = new NodeTime(clock)
    const session = (link: Link): MeshtasticSession => this.#newSession(link)
    this.#supervisor = new RadioSupervisor({
      id,
      source,
      clock,
      random,
      session,
      ...(log === undefined ? {} : { log })
    })
    this.#transmissions = new Transmissions({
      clock,
      report: (receipt) => this.#tellReceipt(receipt),
      answers: () => this.#supervisor.check()
    })
  }

  /** Node name and modem are those of the last handshake; before the first the air times of LongFast are assumed, no name is told, and nothing is sent. */
  get description(): RadioDescription {
    const { id, source } = this.#o
    const { name, number, modem } = this.#device
    const link = source.kind === 'serial' ? 'serial' : 'tcp'
    return { id, network: 'mt', link, simulated: false, nodeName: name ?? (number === 0 ? id : nodeId(number)), modem }
  }

  connect(): Promise<void> {
    return this.#supervisor.open()
  }

  health(): RadioHealth {
    return this.#supervisor.health
  }

  session(): string {
    return this.#supervisor.conversation
  }

  channels(): readonly RadioChannel[] {
    return this.#device.channels
  }

  time(): RadioTime | null {
    return this.#time.told
  }

  details(): MeshtasticDetails {
    return this.#device.details()
  }

  /** Throws TypeError for an identity that is no packet id: the caller fixes it before the first byte. */
  async send(message: RadioMessage): Promise<SendOutcome> {
    const packetId = packetIdOf(message.identity)
    const session = this.#session
    const refusal = this.#refusal(message)
    if (refusal !== null) return refusal
    if (session === null) return this.#notConnected()
    const to = message.to === undefined ? null : { number: parseNodeId(message.to) ?? 0, text: message.to }
    const { modem, number, hopLimit } = this.#device
    const outcome = this.#transmissions.offer({ packetId, to, bytes: Buffer.byteLength(message.text), modem })
    const packet = encodeText({
      from: number,
      to: to?.number ?? BROADCAST,
      channel: Number(message.channel),
      id: packetId,
      hopLimit,
      text: message.text,
      alert: message.alert ?? false,
      waypoint: message.waypoint ?? null
    })
    session.write(packet).catch((error: unknown) => this.#supervisor.fail(reasonOf(error)))
    return outcome
  }

  onReceipt(listener: (receipt: Receipt) => void): () => void {
    return this.#receiptListeners.add(listener)
  }

  onChange(listener: () => void): () => void {
    return this.#supervisor.onChange(listener)
  }

  onText(listener: (text: InboundText) => void): () => void {
    return this.#textListeners.add(listener)
  }

  async readChannels(): Promise<void> {
    try {
      await this.#session?.configureAgain()
    } catch (error) {
      // The table stays what it was, and the health tells of a lost link.
      this.#o.log?.warn({ err: error, radio: this.#o.id }, 'the channels could not be read again')
    }
  }

  async close(): Promise<void> {
    const closing = this.#supervisor.close()
    this.#transmissions.close()
    this.#receiptListeners.clear()
    this.#textListeners.clear()
    await closing
  }

  /** The refusal of a message before a byte is written; the node judges the rest. */
  #refusal({ channel, to, text }: RadioMessage): Refusal | null {
    if (to !== undefined && parseNodeId(to) === null) {
      return refused('BAD_DESTINATION', false, because('not_a_node', { node: to }))
    }
    if (typeof channel !== 'number' || !Number.isInteger(channel) || channel < 0 || channel > MAX_INDEX) {
      return refused('NO_CHANNEL', false, because('no_mt_channel', { channel: String(channel) }))
    }
    const bytes = Buffer.byteLength(text)
    if (bytes > MAX_ANSWERED_BYTES) {
      return refused('TOO_LARGE', false, because('mt_packet_too_large', { bytes }))
    }
    const problem = this.#device.transmitProblem
    if (this.health().state === 'suspect' && problem !== null) return refused('TX_DISABLED', true, problem)
    return this.health().state === 'ready' ? null : this.#notConnected()
  }

  #notConnected(): Refusal {
    const { state, reason } = this.health()
    const known = { radio: this.#o.id, state }
    const why =
      reason === null ? because('not_connected', known) : because('not_connected_why', { ...known, why: reason })
    return refused('NOT_CONNECTED', true, why)
  }

  #newSession(link: Link): MeshtasticSession {
    const { clock, source, nonce = CONFIG_ONLY_NONCE } = this.#o
    const session: MeshtasticSession = new MeshtasticSession({
      link,
      clock,
      nonce,
      wake: source.kind === 'serial',
      silenceMs: SILENCE_MS[source.kind],
      started: () => {
        this.#device.handshakeStarted()
        this.#time.forget()
      },
      configured: () => this.#configured(),
      message: (message) => this.#received(message),
      restarted: () => this.#supervisor.fail(because('radio_restarted')),
      ended: (reason) => {
        if (this.#session === session) this.#session = null
        this.#transmissions.lost(reason, source.kind !== 'serial')
      }
    })
    this.#session = session
    return session
  }

  #configured(): Reason | null {
    if (!this.#device.handshakeDone()) {
      throw new AppError('unavailable', because('configuration_incomplete'))
    }
    this.#inbox.connected()
    // The nodes it knows are listed from the start, not only when they are heard.
    if (!this.#nodesTold) this.#session?.askForNodes()
    return this.#device.transmitProblem
  }

  #received(message: FromRadio): void {
    this.#device.learn(message, this.#o.clock.now())
    if (message.kind === 'queue-status') this.#transmissions.queueStatus(message.status)
    else if (message.kind === 'packet') this.#packet(message.packet)
    else if (message.kind === 'config-complete' && message.nonce !== CONFIG_ONLY_NONCE) this.#nodesTold = true
    else if (message.kind === 'notification') {
      this.#o.log?.warn({ radio: this.#o.id, notice: message.text }, 'the radio tells its user')
    }
  }

  #packet(packet: MeshPacket): void {
    try {
      this.#device.heard(packet, this.#nameIn(packet), this.#o.clock.now())
      this.#dispatch(packet)
    } catch (error) {
      // Somebody's malformed payload; it came by radio and proves nothing about the node.
      if (!(error instanceof ProtobufError)) throw error
    }
  }

  #nameIn({ data }: MeshPacket): string | null {
    return data?.port === PORT.nodeInfo ? decodeUserName(data.payload) || null : null
  }

  #dispatch(packet: MeshPacket): void {
    const { data, from } = packet
    const isOwn = from === this.#device.number
    // Somebody else's packet may carry our node's number.
    if (isOwn && cameByAir(packet)) return
    if (isOwn) this.#time.take(packet)
    if (data?.port === PORT.routing && data.requestId !== 0) {
      const error = decodeRoutingError(data.payload)
      if (error !== null) this.#transmissions.routing({ from: isOwn ? null : from, requestId: data.requestId, error })
    } else if (data?.port === PORT.telemetry && isOwn) {
      const metrics = decodeTelemetry(data.payload)
      if (metrics !== null) this.#device.measured(metrics)
    }
    const text = this.#inbox.take(packet, this.#device.number)
    if (text === null) return
    const fromName = this.#device.nameOf(from)
    this.#textListeners.tell({ ...text, fromName })
  }

  #tellReceipt(receipt: Receipt): void {
    this.#receiptListeners.tell(receipt)
  }
}

function packetIdOf({ packetId }: PacketIdentity): number {
  if (packetId !== undefined && Number.isInteger(packetId) && packetId > 0 && packetId <= 0xffff_ffff) return packetId
  throw new TypeError(`an MT packet id is an integer from 1 to 4294967295, not ${packetId}`)
}
