import type { Waypoint } from '../../../model/waypoint.ts'
import { Fields, isWellFormed, Writer } from './protobuf.ts'

/** The messages of Meshtastic's client interface (firmware 2.7 and 2.8), as far as a sender of texts needs them. */

export const BROADCAST = 0xffff_ffff
/** Asks for the configuration without the list of other nodes. Older firmware takes it for any other nonce and sends all. */
export const CONFIG_ONLY_NONCE = 69_420
/** Asks for the list of other nodes without the configuration. */
export const NODES_ONLY_NONCE = 69_421

export const PORT = { text: 1, position: 3, nodeInfo: 4, routing: 5, waypoint: 8, alert: 11, telemetry: 67 } as const

const KEY_BYTES = 32

export interface MeshPacket {
  from: number
  to: number
  channel: number
  id: number
  /** Epoch seconds; 0 when the node does not know the time. */
  rxTime: number
  rxSnr: number
  rxRssi: number
  hopLimit: number
  hopStart: number
  viaMqtt: boolean
  pkiEncrypted: boolean
  /** The sender's key in hex, of a packet that was encrypted with it. */
  publicKey: string | null
  /** Null when the node could not decrypt it. */
  data: { port: number; payload: Uint8Array; requestId: number; emoji: boolean } | null
}

/** True when the node received this packet, by radio or by way of a server: it measures every one. Its own words have neither. */
export function cameByAir({ rxRssi, rxSnr, viaMqtt }: MeshPacket): boolean {
  return rxRssi !== 0 || rxSnr !== 0 || viaMqtt
}

export interface NodeInfo {
  number: number
  longName: string | null
  snr: number
  /** Epoch seconds; 0 when unknown. */
  lastHeard: number
  hopsAway: number | null
  device: DeviceMetrics | null
  position: PositionFix | null
}

/** A place that a node told, degrees. `time`: epoch seconds, 0 when it told none. */
export interface PositionFix {
  lat: number
  lon: number
  time: number
}

export interface LoraConfig {
  usePreset: boolean
  preset: number
  bandwidth: number
  spreadFactor: number
  codingRate: number
  region: number
  hopLimit: number
  txEnabled: boolean
}

export interface ChannelInfo {
  index: number
  name: string
  /** 0 disabled, 1 primary, 2 secondary. */
  role: number
}

export interface QueueStatus {
  /** 0 = taken. */
  result: number
  free: number
  maxLength: number
  /** 0 when it is about no packet: the answer to a heartbeat. */
  packetId: number
}

/** Fields the node left out are absent: it knows, say, no battery. */
export interface DeviceMetrics {
  battery?: number
  voltage?: number
  channelUtilization?: number
  airUtilTx?: number
  uptimeSeconds?: number
}

export type FromRadio =
  | { kind: 'packet'; packet: MeshPacket }
  | { kind: 'my-info'; nodeNumber: number }
  | { kind: 'node-info'; node: NodeInfo }
  | { kind: 'lora'; lora: LoraConfig }
  | { kind: 'channel'; channel: ChannelInfo }
  | { kind: 'queue-status'; status: QueueStatus }
  | { kind: 'metadata'; firmware: string }
  | { kind: 'notification'; level: number; text: string; replyId: number }
  | { kind: 'config-complete'; nonce: number }
  | { kind: 'rebooted' }
  /** A variant that is of no use here, or that this version does not know; `variant` is its field number, 0 for none. */
  | { kind: 'other'; variant: number }

/** True when the bytes are a protobuf message at all: this tells a frame from noise that looks like one. */
export function isMessage(payload: Uint8Array): boolean {
  return isWellFormed(payload)
}

/** Throws ProtobufError for bytes that are no such message. */
export function decodeFromRadio(payload: Uint8Array): FromRadio {
  const message = Fields.decode(payload)
  for (const variant of message.numbers) {
    const decode = DECODERS.get(variant)
    if (decode !== undefined) return decode(message, variant)
  }
  return { kind: 'other', variant: message.numbers.at(-1) ?? 0 }
}

const other = (_: Fields, variant: number): FromRadio => ({ kind: 'other', variant })

function inner(message: Fields, field: number): Fields {
  return message.message(field) ?? Fields.decode(new Uint8Array(0))
}

const DECODERS: ReadonlyMap<number, (message: Fields, variant: number) => FromRadio> = new Map([
  [2, (message, at) => ({ kind: 'packet', packet: decodePacket(inner(message, at)) })],
  [3, (message, at) => ({ kind: 'my-info', nodeNumber: inner(message, at).uint(1) })],
  [4, (message, at) => ({ kind: 'node-info', node: decodeNodeInfo(inner(message, at)) })],
  [5, decodeConfig],
  [7, (message, at) => ({ kind: 'config-complete', nonce: message.uint(at) })],
  [8, (message, at) => (message.bool(at) ? { kind: 'rebooted' } : other(message, at))],
  [10, (message, at) => ({ kind: 'channel', channel: decodeChannel(inner(message, at)) })],
  [11, (message, at) => ({ kind: 'queue-status', status: decodeQueueStatus(inner(message, at)) })],
  [13, (message, at) => ({ kind: 'metadata', firmware: inner(message, at).text(1) })],
  [16, decodeNotification]
])

function decodePacket(packet: Fields): MeshPacket {
  const data = packet.message(4)
  const key = packet.bytes(16)
  return {
    from: packet.fixed32(1),
    to: packet.fixed32(2),
    channel: packet.uint(3),
    id: packet.fixed32(6),
    rxTime: packet.fixed32(7),
    rxSnr: packet.float(8),
    hopLimit: packet.uint(9),
    rxRssi: packet.int(12),
    viaMqtt: packet.bool(14),
    hopStart: packet.uint(15),
    pkiEncrypted: packet.bool(17),
    publicKey: key.length === KEY_BYTES ? Buffer.from(key).toString('hex') : null,
    data:
      data === null
        ? null
        : { port: data.uint(1), payload: data.bytes(2), requestId: data.fixed32(6), emoji: data.fixed32(8) !== 0 }
  }
}

function decodeNodeInfo(info: Fields): NodeInfo {
  const user = info.message(2)
  const metrics = info.message(6)
  return {
    number: info.uint(1),
    longName: user === null ? null : user.text(2),
    snr: info.float(4),
    lastHeard: info.fixed32(5),
    hopsAway: info.has(9) ? info.uint(9) : null,
    device: metrics === null ? null : decodeDeviceMetrics(metrics),
    position: positionIn(info.message(3))
  }
}

/** Only the LoRa part is read. The security part holds the node's private key and stays undecoded. */
function decodeConfig(message: Fields, variant: number): FromRadio {
  const lora = inner(message, variant).message(6)
  if (lora === null) return other(message, variant)
  return {
    kind: 'lora',
    lora: {
      usePreset: lora.bool(1),
      preset: lora.uint(2),
      bandwidth: lora.uint(3),
      spreadFactor: lora.uint(4),
      codingRate: lora.uint(5),
      region: lora.uint(7),
      hopLimit: lora.uint(8),
      txEnabled: lora.bool(9)
    }
  }
}

function decodeChannel(channel: Fields): ChannelInfo {
  return { index: channel.int(1), name: channel.message(2)?.text(3) ?? '', role: channel.uint(3) }
}

function decodeQueueStatus(status: Fields): QueueStatus {
  return { result: status.int(1), free: status.uint(2), maxLength: status.uint(3), packetId: status.uint(4) }
}

function decodeNotification(message: Fields, variant: number): FromRadio {
  const notification = inner(message, variant)
  return {
    kind: 'notification',
    level: notification.uint(3),
    text: notification.text(4),
    replyId: notification.uint(1)
  }
}

function decodeDeviceMetrics(metrics: Fields): DeviceMetrics {
  return {
    ...(metrics.has(1) ? { battery: metrics.uint(1) } : {}),
    ...(metrics.has(2) ? { voltage: metrics.float(2) } : {}),
    ...(metrics.has(3) ? { channelUtilization: metrics.float(3) } : {}),
    ...(metrics.has(4) ? { airUtilTx: metrics.float(4) } : {}),
    ...(metrics.has(5) ? { uptimeSeconds: metrics.uint(5) } : {})
  }
}

/** The payload of a telemetry packet (port 67); null for telemetry about something else, such as the weather. */
export function decodeTelemetry(payload: Uint8Array): DeviceMetrics | null {
  const telemetry = Fields.decode(payload)
  const device = telemetry.message(2)
  if (device !== null) return decodeDeviceMetrics(device)
  const local = telemetry.message(6)
  if (local === null) return null
  return {
    ...(local.has(1) ? { uptimeSeconds: local.uint(1) } : {}),
    ...(local.has(2) ? { channelUtilization: local.float(2) } : {}),
    ...(local.has(3) ? { airUtilTx: local.float(3) } : {})
  }
}

/** The error of a routing packet (port 5), 0 for an acknowledgement; null for a route that was asked for or found. */
export function decodeRoutingError(payload: Uint8Array): number | null {
  const routing = Fields.decode(payload)
  return routing.has(1) || routing.has(2) ? null : routing.uint(3)
}

/** The long name in a node info packet (port 4). */
export function decodeUserName(payload: Uint8Array): string {
  return Fields.decode(payload).text(2)
}

export interface TextPacket {
  /** The own node's number. With 0 the node sends its refusals to nobody and the text is lost. */
  from: number
  to: number
  channel: number
  id: number
  hopLimit: number
  text: string
  /** True: the node sends it as an alert and not as a text message. */
  alert?: boolean
  /** Instead of the text: a mark on maps. */
  waypoint?: Waypoint | null
}

/** `Waypoint` of mesh.proto; `owner` alone may change it on clients that keep to the lock. Places are in 1e-7 degrees. */
export function encodeWaypoint({ id, lat, lon, expire, name, icon }: Waypoint, owner: number): Uint8Array {
  return new Writer()
    .uint(1, id)
    .fixed32(2, Math.round(lat * 1e7) >>> 0)
    .fixed32(3, Math.round(lon * 1e7) >>> 0)
    .uint(4, expire)
    .uint(5, owner)
    .bytes(6, new TextEncoder().encode(name))
    .fixed32(8, icon)
    .finish()
}

/** A text that asks for an acknowledgement. */
export function encodeText({
  from,
  to,
  channel,
  id,
  hopLimit,
  text,
  alert = false,
  waypoint = null
}: TextPacket): Uint8Array {
  const port = waypoint === null ? (alert ? PORT.alert : PORT.text) : PORT.waypoint
  const payload = waypoint === null ? new TextEncoder().encode(text) : encodeWaypoint(waypoint, from)
  const data = new Writer().uint(1, port).bytes(2, payload)
  const packet = new Writer()
    .fixed32(1, from)
    .fixed32(2, to)
    .uint(3, channel)
    .message(4, data)
    .fixed32(6, id)
    .uint(9, hopLimit)
    .bool(10, true)
  return new Writer().message(1, packet).finish()
}

/** Asks for the configuration; the answer ends with the same nonce. */
export function encodeWantConfig(nonce: number): Uint8Array {
  return new Writer().uint(3, nonce).finish()
}

/** Asks for a queue status as a sign of life. Empty on purpose: a nonce of 1 would make the node broadcast its node info. */
export function encodeHeartbeat(): Uint8Array {
  return new Writer().message(7, new Writer()).finish()
}

export function encodeDisconnect(): Uint8Array {
  return new Writer().bool(4, true).finish()
}

/** The place in a position packet (port 3); null for none. */
export function decodePosition(payload: Uint8Array): PositionFix | null {
  return positionIn(Fields.decode(payload))
}

/** A node without a fix tells zeros or leaves them out. */
function positionIn(position: Fields | null): PositionFix | null {
  if (position === null) return null
  const [lat, lon] = [(position.fixed32(1) | 0) / 1e7, (position.fixed32(2) | 0) / 1e7]
  if ((lat === 0 && lon === 0) || Math.abs(lat) > 90 || Math.abs(lon) > 180) return null
  return { lat, lon, time: position.fixed32(4) }
}

/** LocSource of a position: the node's own receiver of satellites, or one that hangs on it. */
const FROM_SATELLITES = new Set([2, 3])

/** True for a position that the node had from satellites: they set its clock as well. */
export function isFromSatellites(payload: Uint8Array): boolean {
  const position = Fields.decode(payload)
  return FROM_SATELLITES.has(position.uint(5)) && position.uint(19) > 0 && position.fixed32(4) > 0
}
