import type { Reason } from '../../../model/reason.ts'
import type { MeshNode, ModemSettings, NodePosition, RadioChannel, RadioDetails } from '../radio.ts'
import {
  type ChannelInfo,
  type DeviceMetrics,
  decodePosition,
  type FromRadio,
  type LoraConfig,
  type MeshPacket,
  type NodeInfo,
  PORT,
  type PositionFix
} from './messages.ts'
import { ASSUMED_MODEM, channelTable, hopLimitOf, modemOf, regionName, transmitProblem } from './settings.ts'
import { nodeId } from './transmissions.ts'

const MAX_NODES = 250
const MAX_NOTICES = 10
const FULL = 100

/** Details that a Meshtastic node tells beyond the port's. */
export interface MeshtasticDetails extends RadioDetails {
  /** Own node id; null before the first handshake. */
  node: string | null
  /** The LoRa region it is set to, such as `EU_868`. */
  region: string | null
  externalPower: boolean | null
  uptimeSeconds: number | null
  /** The firmware's last notices to its user, newest last. */
  notices: readonly { at: number; text: string }[]
}

/** The facts of one handshake; replaced as a whole by the next one. */
interface Configuration {
  nodeNumber: number
  firmware: string | null
  lora: LoraConfig | null
  channels: Map<number, ChannelInfo>
}

/** One Meshtastic node as it is known: its configuration as of the last handshake, its readings, and the nodes it has heard. */
export class Device {
  #incoming = emptyConfiguration()
  #current = emptyConfiguration()
  #modem: ModemSettings = ASSUMED_MODEM
  #channels: readonly RadioChannel[] = []
  #name: string | null = null
  #metrics: DeviceMetrics = {}
  #queueLength: number | null = null
  readonly #nodes = new Map<number, MeshNode>()
  #notices: { at: number; text: string }[] = []

  /** 0 before the first handshake. */
  get number(): number {
    return this.#current.nodeNumber
  }

  get name(): string | null {
    return this.#name
  }

  get modem(): ModemSettings {
    return this.#modem
  }

  get channels(): readonly RadioChannel[] {
    return this.#channels
  }

  get hopLimit(): number {
    return hopLimitOf(this.#current.lora ?? { hopLimit: 0 })
  }

  /** The reason why it does not transmit, for people; null when it does. */
  get transmitProblem(): Reason | null {
    return this.#current.lora === null ? null : transmitProblem(this.#current.lora)
  }

  /** A handshake begins: what it tells is kept apart until it is complete. */
  handshakeStarted(): void {
    this.#incoming = emptyConfiguration()
  }

  /** Makes the configuration just told the current one. False when it lacks what sending needs; then nothing changes. */
  handshakeDone(): boolean {
    const { nodeNumber, lora, channels } = this.#incoming
    if (nodeNumber === 0 || lora === null || channels.size === 0) return false
    this.#current = this.#incoming
    this.#modem = modemOf(lora)
    this.#channels = channelTable(channels, this.#modem)
    this.#nodes.delete(nodeNumber)
    return true
  }

  /** Takes in what a message tells about the node itself. */
  learn(message: FromRadio, now: number): void {
    switch (message.kind) {
      case 'my-info':
        this.#incoming.nodeNumber = message.nodeNumber
        break
      case 'metadata':
        this.#incoming.firmware = message.firmware
        break
      case 'lora':
        this.#incoming.lora = message.lora
        break
      case 'channel':
        this.#incoming.channels.set(message.channel.index, message.channel)
        break
      case 'node-info':
        this.#learnNode(message.node)
        break
      case 'queue-status':
        this.#queueLength = Math.max(0, message.status.maxLength - message.status.free)
        break
      case 'notification':
        this.#notices = [...this.#notices, { at: now, text: message.text }].slice(-MAX_NOTICES)
        break
      default:
    }
  }

  /** Readings the node sends about itself; what it leaves out is unchanged. */
  measured(metrics: DeviceMetrics): void {
    this.#metrics = { ...this.#metrics, ...metrics }
  }

  /** A packet from another node was received; `name` is null unless it told its name. */
  heard(packet: MeshPacket, name: string | null, now: number): void {
    if (packet.from !== this.number && packet.from !== 0)
      this.#keep(packet.from, { name, lastHeardAt: now, snr: snrOf(packet), position: positionOf(packet, now) })
  }

  nameOf(number: number): string {
    return this.#nodes.get(number)?.name ?? ''
  }

  details(): MeshtasticDetails {
    const { battery, voltage, channelUtilization, airUtilTx, uptimeSeconds } = this.#metrics
    const { nodeNumber, firmware, lora } = this.#current
    return {
      node: nodeNumber === 0 ? null : nodeId(nodeNumber),
      firmware,
      region: lora === null ? null : regionName(lora.region),
      batteryPercent: percentOf(battery),
      // A board without a battery tells 0 V.
      batteryMillivolts: voltage === undefined || voltage <= 0 ? null : Math.round(voltage * 1000),
      externalPower: battery === undefined ? null : battery > FULL,
      channelUtilization: channelUtilization === undefined ? null : channelUtilization / 100,
      airUtilization: airUtilTx === undefined ? null : airUtilTx / 100,
      uptimeSeconds: uptimeSeconds ?? null,
      queueLength: this.#queueLength,
      nodes: [...this.#nodes.values()],
      notices: this.#notices
    }
  }

  #learnNode({ number, longName, lastHeard, device, snr, position }: NodeInfo): void {
    if (number === 0) return
    if (number === this.#incoming.nodeNumber) {
      if (device !== null) this.measured(device)
      if (longName) this.#name = longName
      return
    }
    const lastHeardAt = lastHeard === 0 ? null : lastHeard * 1000
    this.#keep(number, {
      name: longName,
      lastHeardAt,
      batteryPercent: percentOf(device?.battery),
      snr: snr || null,
      position: position === null ? null : fixOf(position, lastHeardAt ?? 0)
    })
  }

  /** Newest last; the one not heard for longest goes when there are too many. */
  #keep(
    number: number,
    node: Partial<Omit<MeshNode, 'name' | 'lastHeardAt'>> & { name: string | null; lastHeardAt: number | null }
  ): void {
    const known = this.#nodes.get(number)
    this.#nodes.delete(number)
    this.#nodes.set(number, {
      id: nodeId(number),
      name: node.name ?? known?.name ?? '',
      lastHeardAt: node.lastHeardAt ?? known?.lastHeardAt ?? null,
      batteryPercent: node.batteryPercent ?? known?.batteryPercent ?? null,
      snr: node.snr ?? known?.snr ?? null,
      position: node.position ?? known?.position ?? null
    })
    if (this.#nodes.size > MAX_NODES) {
      const [oldest] = this.#nodes.keys()
      if (oldest !== undefined) this.#nodes.delete(oldest)
    }
  }
}

function positionOf({ data }: MeshPacket, now: number): NodePosition | null {
  const fix = data?.port === PORT.position ? decodePosition(data.payload) : null
  return fix === null ? null : fixOf({ ...fix, time: 0 }, now)
}

/** The age counts from when it was heard where the node's own time is missing. */
function fixOf({ lat, lon, time }: PositionFix, heardAt: number): NodePosition {
  return { lat, lon, at: time > 0 ? time * 1000 : heardAt }
}

/** A packet that came by way of a server says nothing about our antenna. */
function snrOf({ rxRssi, rxSnr, viaMqtt }: MeshPacket): number | null {
  return viaMqtt || (rxRssi === 0 && rxSnr === 0) ? null : rxSnr
}

/** Above 100 the firmware means: on external power, no battery reading. */
function percentOf(battery: number | undefined): number | null {
  return battery === undefined || battery > FULL ? null : battery
}

function emptyConfiguration(): Configuration {
  return { nodeNumber: 0, firmware: null, lora: null, channels: new Map() }
}
