import type { Clock } from '../../src/platform/clock/clock.ts'
import type { ChannelOptions } from './meshtastic-air.ts'
import type { FromRadioVariant } from './meshtastic-wire.ts'

export interface NodeChannel {
  index: number
  name: string
  role: 0 | 1 | 2
}

export interface NodeOptions {
  clock: Clock
  /** Serial: plain text before the first frame, and the list of packet ids outlives a client. */
  transport?: 'tcp' | 'serial'
  number?: number
  name?: string
  region?: number
  preset?: number
  txEnabled?: boolean
  hopLimit?: number
  channels?: readonly NodeChannel[]
  /** Nodes in reach: 0 = nobody repeats, and error 5 comes after three transmissions. */
  neighbours?: number
  /** Nodes that acknowledge direct texts. */
  contacts?: readonly number[]
  /** The time a text is on the air, in ms. */
  airtimeMs?: number
  ackMs?: number
  giveUpMs?: number
  /** A channel with real time-on-air by preset, shared with a neighbour, and the hourly limit of the region; takes the place of `airtimeMs`. */
  air?: ChannelOptions
  telemetryMs?: number
  /** Other nodes, told in a handshake unless it asks for the configuration only. */
  others?: readonly number[]
  /** Everything that happens, for a log. */
  onEvent?: (event: Record<string, unknown> & { event: string }) => void
}

/** The faults of the node. A number counts the next so many; `true` lasts until `false`. */
export interface NodeFaults {
  /** Swallows this many queue reports. */
  loseQueueStatus?: number
  /** Swallows this many acknowledgements. */
  loseAck?: number
  /** Writes these bytes (hex) before the next frame. */
  garbage?: string
  /** Writes only half of the next frame. */
  halfFrame?: boolean
  /** Writes byte by byte, this many ms apart (0: in separate writes). */
  slowMs?: number | null
  /** Queue result for the next text. */
  refuseResult?: number
  /** Routing error for the next text, with queue result 0. */
  refuseError?: number
  /** Routing error after the next text has left. */
  lateError?: number
  /** The next texts are thrown away without an answer. */
  swallow?: number
  /** The hourly limit is reached: result 9, a notification, error 9. */
  dutyCycle?: boolean
  /** Every acknowledgement and every incoming text comes twice. */
  duplicate?: boolean
  ackMs?: number
  /** Takes bytes, answers nothing. */
  silent?: boolean
  /** Cannot be connected to. */
  unreachable?: boolean
  /** Every second frame of a handshake is lost, once. */
  lossyHandshake?: boolean
}

export interface Transmitted {
  id: number
  from: number
  to: number
  channel: number
  hopLimit: number
  wantAck: boolean
  text: string
  /** Of an alert only: 11. */
  port?: number
}

export interface IncomingText {
  from: number
  text: string
  channel?: number
  to?: number
  id?: number
  rxTime?: number
  port?: number
  payload?: Uint8Array
  emoji?: number
  /** Encrypted to this node with node keys: the only proof of its sender. */
  pki?: boolean
  /** The packet that this one claims to answer. */
  requestId?: number
  /** The sender's key in hex, which real nodes give with it. */
  publicKey?: string
}

export interface ClientEnd {
  write(bytes: Uint8Array): void
  close(reason?: string): void
}

export type NodeSettings = Required<Omit<NodeOptions, 'onEvent' | 'air'>> & Pick<NodeOptions, 'onEvent' | 'air'>

const DEFAULT_CHANNELS: readonly NodeChannel[] = [
  { index: 0, name: '', role: 1 },
  { index: 1, name: 'alerts', role: 2 },
  ...[2, 3, 4, 5, 6, 7].map((index) => ({ index, name: '', role: 0 as const }))
]

export function withDefaults(options: NodeOptions): NodeSettings {
  return {
    transport: 'tcp',
    number: 11,
    name: 'Peer node',
    region: 1,
    preset: 6,
    txEnabled: true,
    hopLimit: 3,
    channels: DEFAULT_CHANNELS,
    neighbours: 1,
    contacts: [12],
    airtimeMs: 60,
    ackMs: 900,
    giveUpMs: 15_000,
    telemetryMs: 60_000,
    others: [],
    ...options
  }
}

/** The node's answers to want_config, in its order. 69420 leaves out the other nodes, 69421 all but them. */
export function handshake(settings: NodeSettings, nonce: number): FromRadioVariant[] {
  const frames = nonce === 69_421 ? [] : configuration(settings)
  if (nonce !== 69_420) {
    for (const other of settings.others) frames.push({ case: 'nodeInfo', value: { num: other, hopsAway: 1 } })
  }
  frames.push({ case: 'configCompleteId', value: nonce })
  return frames
}

function configuration(settings: NodeSettings): FromRadioVariant[] {
  const { number, name, channels } = settings
  const keys = { privateKey: Buffer.alloc(32, 0x5a), publicKey: Buffer.alloc(32) }
  return [
    { case: 'myInfo', value: { myNodeNum: number, minAppVersion: 30_200, nodedbCount: 1 } },
    { case: 'deviceuiConfig', value: { screenTimeout: 30 } },
    { case: 'nodeInfo', value: { num: number, user: { id: hexId(number), longName: name, shortName: 'PEER' } } },
    { case: 'metadata', value: { firmwareVersion: '2.7.26.peer', hasWifi: true } },
    ...channels.map(channelFrame),
    { case: 'config', value: { payloadVariant: { case: 'device', value: {} } } },
    lora(settings),
    { case: 'config', value: { payloadVariant: { case: 'security', value: keys } } },
    { case: 'moduleConfig', value: {} }
  ]
}

function lora({ region, preset, txEnabled, hopLimit }: NodeSettings): FromRadioVariant {
  const value = { usePreset: true, modemPreset: preset, codingRate: 5, region, hopLimit, txEnabled, txPower: 30 }
  return { case: 'config', value: { payloadVariant: { case: 'lora', value: value as never } } }
}

function channelFrame({ index, name, role }: NodeChannel): FromRadioVariant {
  return { case: 'channel', value: { index, role: role as never, settings: { name, psk: Buffer.from([1]) } } }
}

function hexId(number: number): string {
  return `!${number.toString(16).padStart(8, '0')}`
}
