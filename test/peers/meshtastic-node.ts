import type { Mesh } from '@meshtastic/protobufs'
import { MeshtasticAir } from './meshtastic-air.ts'
import {
  type ClientEnd,
  handshake,
  type IncomingText,
  type NodeFaults,
  type NodeOptions,
  type NodeSettings,
  type Transmitted,
  withDefaults
} from './meshtastic-options.ts'
import { ClientPort } from './meshtastic-port.ts'
import { deviceTelemetry, type PacketInit, routing, type ToRadio, toRadioOrNull } from './meshtastic-wire.ts'

const BROADCAST = 0xffff_ffff
const QUEUE = 16
const TEXT = 1
const ALERT = 11
const WAYPOINT = 8
const ROUTING = 5
const TELEMETRY = 67

/** A Meshtastic 2.7 node as its client sees it, with faults on demand. It sends its texts to nobody but a list. */
export class MeshtasticNode {
  readonly transmitted: Transmitted[] = []
  readonly received: ToRadio[] = []
  /** Ids refused although they had left: by `lateError`. */
  readonly lateRefusals: number[] = []
  readonly #o: NodeSettings
  readonly #port: ClientPort
  readonly #timers = new Set<() => void>()
  readonly #air: MeshtasticAir | null
  #ids: number[] = []
  #lastAlertAt = Number.NEGATIVE_INFINITY
  #lastTextAt = Number.NEGATIVE_INFINITY
  #queued = 0
  #nextId = 0x1000
  #saidHello = false
  #stopped = false

  constructor(options: NodeOptions) {
    this.#o = withDefaults(options)
    this.#port = new ClientPort({
      after: (ms, task) => this.#after(ms, task),
      now: () => options.clock.now(),
      toRadio: (payload) => this.#toRadio(payload),
      event: (event, details) => this.#event(event, details)
    })
    const after = (ms: number, task: () => void): void => this.#after(ms, task)
    this.#air =
      options.air === undefined
        ? null
        : new MeshtasticAir(options.air, { clock: options.clock, settings: this.#o, after })
    if (this.#o.telemetryMs > 0) this.#telemetryLater()
  }

  get connected(): boolean {
    return this.#port.connected
  }

  fault(faults: NodeFaults): void {
    this.#port.fault(faults)
  }

  /** Nothing is wrong with the node any more. */
  mend(): void {
    this.#port.mend()
  }

  change(
    options: Partial<Pick<NodeOptions, 'region' | 'preset' | 'txEnabled' | 'channels' | 'neighbours' | 'airtimeMs'>>
  ): void {
    Object.assign(this.#o, options)
  }

  /** A client connects. On TCP it replaces the one before. Throws Error when the node is unreachable. */
  attach(end: ClientEnd): { received: (bytes: Uint8Array) => void; closed: () => void } {
    if (this.#stopped) throw new Error('the node is not reachable')
    const client = this.#port.attach(end)
    if (this.#o.transport === 'tcp') this.#ids = []
    return client
  }

  /** Ends the connection from the node's side. */
  drop(reason?: string): void {
    this.#port.drop(reason)
  }

  /** The node restarts. Over TCP the connection ends; over serial it stays, and the node says so. */
  reboot(downMs: number): void {
    this.#ids = []
    this.#queued = 0
    this.#lastTextAt = Number.NEGATIVE_INFINITY
    this.#event('reboot')
    if (this.#o.transport === 'tcp') {
      this.fault({ unreachable: true })
      this.drop()
      this.#after(downMs, () => this.fault({ unreachable: false }))
      return
    }
    this.#saidHello = false
    this.fault({ silent: true })
    this.#after(downMs, () => {
      this.fault({ silent: false })
      this.#port.restarted()
      this.#port.raw(Buffer.from('ets Jul 29 2019 12:21:46\r\nrst:0x1 (POWERON_RESET)\r\n'))
      this.#port.send({ case: 'rebooted', value: true })
    })
  }

  /** A text from another node. Held back while no client is connected. */
  incoming(text: IncomingText): void {
    const payload = text.payload ?? Buffer.from(text.text)
    const packet: PacketInit = {
      from: text.from,
      to: text.to ?? BROADCAST,
      channel: text.channel ?? 0,
      id: text.id ?? this.#nextId++,
      rxTime: text.rxTime ?? 0,
      rxSnr: 6.25,
      rxRssi: -70,
      hopLimit: 2,
      hopStart: 3,
      pkiEncrypted: text.pki ?? false,
      ...(text.publicKey === undefined ? {} : { publicKey: Buffer.from(text.publicKey, 'hex') }),
      payloadVariant: {
        case: 'decoded',
        value: {
          portnum: (text.port ?? TEXT) as never,
          payload,
          emoji: text.emoji ?? 0,
          requestId: text.requestId ?? 0
        }
      }
    }
    this.#port.packet(packet)
    if (this.#port.faults.duplicate) this.#port.packet(packet)
  }

  notify(message: string): void {
    this.#port.send({ case: 'clientNotification', value: { level: 30 as never, message } })
  }

  telemetry(values: Parameters<typeof deviceTelemetry>[0]): void {
    this.#own(TELEMETRY, deviceTelemetry(values))
  }

  /** Any packet from any node to the client: routing packets nobody asked for, telemetry of others. */
  packet(from: number, port: number, payload: Uint8Array, requestId = 0): void {
    this.#port.packet({
      from,
      to: this.#o.number,
      id: this.#nextId++,
      rxSnr: 8.5,
      rxRssi: -60,
      payloadVariant: { case: 'decoded', value: { portnum: port as never, payload, requestId } }
    })
  }

  queueStatus(id: number, result = 0): void {
    if (this.#port.spend('loseQueueStatus')) return
    this.#port.send({
      case: 'queueStatus',
      value: { res: result, free: QUEUE - this.#queued, maxlen: QUEUE, meshPacketId: id }
    })
  }

  /** Raw bytes to the client. */
  raw(bytes: Uint8Array): void {
    this.#port.raw(bytes)
  }

  /** Ends everything; no timer of the node is left. */
  stop(): void {
    this.#stopped = true
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.drop()
  }

  #toRadio(payload: Buffer): void {
    const message = toRadioOrNull(payload)
    if (message === null) return
    this.received.push(message)
    this.#tellOffered(message)
    if (this.#port.faults.silent) return
    const { payloadVariant } = message
    switch (payloadVariant.case) {
      case 'wantConfigId':
        this.#handshake(payloadVariant.value)
        break
      case 'heartbeat':
        this.queueStatus(0)
        break
      case 'disconnect':
        if (payloadVariant.value) this.#clientLeaves()
        break
      case 'packet':
        this.#fromClient(payloadVariant.value)
        break
      default:
    }
  }

  /** A serial line has no end: the node waits on it for the next client. */
  #clientLeaves(): void {
    if (this.#o.transport === 'tcp') this.drop()
    else this.#port.restarted()
  }

  /** Every text a client hands over, whatever becomes of it. */
  #tellOffered({ payloadVariant }: ToRadio): void {
    if (payloadVariant.case !== 'packet' || payloadVariant.value.payloadVariant.case !== 'decoded') return
    const { id, to, channel } = payloadVariant.value
    const { portnum, payload } = payloadVariant.value.payloadVariant.value
    if ((portnum as number) === TEXT || (portnum as number) === ALERT) {
      const text = Buffer.from(payload).toString()
      this.#event('offered', { id, to, channel, text, port: portnum as number, at: this.#o.clock.now() })
    }
  }

  #fromClient(packet: Mesh.MeshPacket): void {
    if (packet.payloadVariant.case !== 'decoded') return
    const { portnum, payload } = packet.payloadVariant.value
    const isAlert = (portnum as number) === ALERT
    const isWaypoint = (portnum as number) === WAYPOINT
    if (((portnum as number) !== TEXT && !isAlert && !isWaypoint) || payload.length >= 235) return
    if (this.#ids.includes(packet.id)) return
    this.#ids = [...this.#ids, packet.id].slice(-20)
    if (this.#port.spend('swallow') || (isAlert && this.#tooSoon())) return
    if (this.#refused(packet, payload.length)) return
    this.#queued++
    this.queueStatus(packet.id)
    this.#transmit(packet, Buffer.from(payload).toString(isWaypoint ? 'latin1' : 'utf8'))
  }

  /** The firmware drops an alert within 10 s of the last one it took, and answers nothing. */
  #tooSoon(): boolean {
    const now = this.#o.clock.now()
    if (now - this.#lastAlertAt < 10_000) return true
    this.#lastAlertAt = now
    return false
  }

  #transmit(packet: Mesh.MeshPacket, text: string): void {
    if (this.#air === null) {
      this.#started(packet, text)
      this.#after(this.#o.airtimeMs, () => this.#left(packet, text))
      return
    }
    const reportsStart = this.#o.air?.reports === 'start'
    this.#air.transmit({
      textBytes: Buffer.byteLength(text),
      started: () => {
        this.#started(packet, text)
        if (reportsStart) this.#taken(packet)
      },
      ended: () => this.#left(packet, text, reportsStart),
      repeated: () => {
        if (packet.wantAck && this.#o.neighbours > 0) this.#ack(() => this.#nak(packet, 0))
      }
    })
  }

  #started({ id, channel }: Mesh.MeshPacket, text: string): void {
    const airMs = this.#air?.timeOnAir(Buffer.byteLength(text)) ?? this.#o.airtimeMs
    this.#event('on-air', { id, channel, text, at: this.#o.clock.now(), airMs })
  }

  /** The text has left the queue. */
  #taken({ id }: Mesh.MeshPacket): void {
    this.#queued = Math.max(0, this.#queued - 1)
    this.queueStatus(id)
  }

  #refused(packet: Mesh.MeshPacket, bytes: number): boolean {
    const now = this.#o.clock.now()
    if (now - this.#lastTextAt < 2000) {
      this.#refusal(packet, 38)
      this.queueStatus(packet.id)
      this.#after(100, () => this.#nak(packet, 38))
      return true
    }
    this.#lastTextAt = now
    const { refuseResult, refuseError, dutyCycle } = this.#port.faults
    if (refuseResult !== undefined) {
      this.#port.clear('refuseResult')
      this.#refusal(packet, refuseResult)
      this.queueStatus(packet.id, refuseResult)
      return true
    }
    if (refuseError !== undefined) {
      this.#port.clear('refuseError')
      this.#refusal(packet, refuseError)
      this.queueStatus(packet.id)
      this.#after(100, () => this.#nak(packet, refuseError))
      return true
    }
    if (dutyCycle || this.#air?.overLimit === true) {
      this.#refusal(packet, 9)
      this.queueStatus(packet.id, 9)
      this.notify('Duty cycle limit exceeded. You can send again in 59 mins')
      this.#nak(packet, 9)
      return true
    }
    const enabled = this.#o.channels.some(({ index, role }) => index === packet.channel && role !== 0)
    const error = enabled ? (bytes > 232 ? 7 : 0) : 6
    if (error !== 0) {
      this.#refusal(packet, error)
      this.queueStatus(packet.id, error)
      this.#nak(packet, error)
      return true
    }
    if (this.#queued < QUEUE) return false
    this.#refusal(packet, 32)
    this.queueStatus(packet.id, 32)
    return true
  }

  #refusal({ id }: Mesh.MeshPacket, error: number): void {
    this.#event('refused', { id, error })
  }

  /** A refusal goes to whom the packet said it was from: 0 is nobody. */
  #nak(packet: Mesh.MeshPacket, error: number): void {
    if (packet.from !== 0) this.#own(ROUTING, routing(error), packet.id, packet.channel)
  }

  #left(packet: Mesh.MeshPacket, text: string, taken = false): void {
    const { id, to, channel, hopLimit, wantAck } = packet
    const entry: Transmitted = { id, from: packet.from, to, channel, hopLimit, wantAck, text }
    const port = portOf(packet)
    if (port === ALERT || port === WAYPOINT) entry.port = port
    this.transmitted.push(entry)
    this.#event('transmitted', { ...entry, at: this.#o.clock.now() })
    if (!taken) this.#taken(packet)
    const { lateError } = this.#port.faults
    if (lateError !== undefined) {
      this.#port.clear('lateError')
      this.lateRefusals.push(id)
      this.#after(300, () => this.#nak(packet, lateError))
      return
    }
    // On a channel of its own the neighbour's repeat is what acknowledges a broadcast.
    if (wantAck && (this.#air === null || to !== BROADCAST || this.#o.neighbours === 0)) this.#acknowledge(packet)
  }

  #acknowledge(packet: Mesh.MeshPacket): void {
    const ackMs = this.#port.faults.ackMs ?? this.#o.ackMs
    const direct = packet.to !== BROADCAST
    if (this.#o.neighbours === 0) {
      this.#after(this.#o.giveUpMs, () => this.#nak(packet, 5))
      return
    }
    this.#after(ackMs, () => this.#ack(() => this.#nak(packet, 0)))
    if (!direct) return
    if (this.#o.contacts.includes(packet.to)) {
      this.#after(2 * ackMs, () => this.#ack(() => this.packet(packet.to, ROUTING, routing(0), packet.id)))
    } else this.#after(this.#o.giveUpMs, () => this.#nak(packet, 5))
  }

  #ack(send: () => void): void {
    if (this.#port.spend('loseAck')) return
    send()
    if (this.#port.faults.duplicate) send()
  }

  #handshake(nonce: number): void {
    if (this.#o.transport === 'serial' && !this.#saidHello) {
      this.#port.raw(Buffer.from('INFO  | 00:00:01 2 \u001b[32mBooting, PowerFSM\u001b[0m\r\n'))
    }
    this.#saidHello = true
    this.#port.configure(handshake(this.#o, nonce))
  }

  #own(port: number, payload: Uint8Array, requestId = 0, channel = 0): void {
    this.#port.packet({
      from: this.#o.number,
      to: this.#o.number,
      channel,
      id: this.#nextId++,
      payloadVariant: { case: 'decoded', value: { portnum: port as never, payload, requestId } }
    })
  }

  #telemetryLater(): void {
    this.#after(this.#o.telemetryMs, () => {
      if (this.#port.configured) {
        const channelUtilization = this.#air === null ? 3.5 : this.#air.utilization * 100
        const airUtilTx = this.#air === null ? 0.75 : this.#air.ownUtilization * 100
        this.telemetry({ batteryLevel: 87, voltage: 4.05, channelUtilization, airUtilTx, uptimeSeconds: 60 })
      }
      this.#telemetryLater()
    })
  }

  #after(ms: number, task: () => void): void {
    const cancel = this.#o.clock.after(ms, () => {
      this.#timers.delete(cancel)
      task()
    })
    this.#timers.add(cancel)
  }

  #event(event: string, details: Record<string, unknown> = {}): void {
    this.#o.onEvent?.({ event, ...details })
  }
}

function portOf({ payloadVariant }: Mesh.MeshPacket): number {
  return payloadVariant.case === 'decoded' ? (payloadVariant.value.portnum as number) : 0
}
