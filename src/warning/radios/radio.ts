import type { Reason } from '../../model/reason.ts'
import type { Waypoint } from '../../model/waypoint.ts'

/** The two mesh networks: Meshtastic (channel index) and MeshCore (channel name). */
export type Network = 'mt' | 'mc'

/** The settings that a radio's time-on-air is computed from. Contract §6; Semtech LoRa modem formula. */
export interface ModemSettings {
  spreadingFactor: number
  bandwidthHz: number
  /** Denominator of the coding rate 4/x: 5…8. */
  codingRate: number
  preambleSymbols: number
  /** Bytes every packet has besides, on the air: 4 for a MeshCore flood scope. */
  extraBytes?: number
  /** Legal share of the last hour in which this radio may transmit, 0…1 (1 = no limit known). */
  dutyCycle: number
  /** The name that people use: `ShortFast`, `62.5 kHz SF7 CR5`. */
  label: string
}

/** One row of a radio's channel table. `id` is the index on MT, the name on MC. */
export interface RadioChannel {
  id: number | string
  name: string
  enabled: boolean
}

export type RadioState = 'connecting' | 'ready' | 'suspect' | 'down' | 'closed'

export interface RadioHealth {
  state: RadioState
  /** The reason why it is not ready; null when ready. */
  reason: Reason | null
  since: number
}

/**
 * The identity of a packet on the air, fixed and stored before the first byte (contract §6).
 * MT: the packet id (u32, not 0). MC: the sender timestamp (epoch seconds, never the same twice per radio); the text is the other half.
 */
export interface PacketIdentity {
  packetId?: number
  senderTimestamp?: number
}

export interface RadioMessage {
  /** The MT index or MC name; on MC it says nothing for a direct text. */
  channel: number | string
  /** Makes it a direct text: an MT node (`!a1b2c3d4` or its number in decimal) or the name of an MC contact. */
  to?: string
  text: string
  /** Meshtastic: leaves as an alert packet (port 11), not as a text message. Firmware drops one within 10 s of another without a word. */
  alert?: boolean
  /** Meshtastic: leaves as this mark on maps (port 8); `text` says it for people alone. Locked to our node. */
  waypoint?: Waypoint
  identity: PacketIdentity
}

/**
 * The result of one transmission, as far as it is known when the radio has done its part.
 * - `sent`: it left the radio.
 * - `refused`: an explicit refusal, nothing went on the air. `retry` says whether trying again (with a new identity) can help.
 * - `unknown`: handed over, outcome not learnt (link lost, no answer).
 */
export type SendOutcome =
  | { kind: 'sent'; at: number }
  | { kind: 'refused'; retry: boolean; code: string; reason: Reason }
  | { kind: 'unknown'; reason: Reason }

/** Something learnt later about a transmission of ours. Unknown identities are ignored by whoever listens. */
export interface Receipt {
  identity: PacketIdentity
  kind: 'heard' | 'delivered' | 'unconfirmed' | 'refused'
  /** False when no other try can help, such as without the addressee's key; absent where it can, or nobody knows. */
  retry?: boolean
  /** Nobody said so: no word came in the time there was for it. Of `unconfirmed` only. */
  silent?: boolean
  /** The node that was heard, where known. */
  by?: string
  reason?: Reason
  at: number
}

export interface RadioDescription {
  id: string
  network: Network
  link: 'serial' | 'tcp' | 'simulated'
  simulated: boolean
  /** Own node name, which MC firmware puts before every channel text. */
  nodeName: string
  modem: ModemSettings
}

/** A text that came in over the mesh. Repeats of the same packet are dropped by the driver. */
export interface InboundText {
  /** The sender. MT: the node id `!a1b2c3d4`. MC direct: the key prefix in hex. MC channel: '' (a name there can be faked). */
  from: string
  /** The name it goes by, for people; never proof of anything. */
  fromName: string
  /** True when it was sent to this node alone. */
  direct: boolean
  /**
   * True when the network proves that `from` sent it: MT, a direct text encrypted to our node with node keys
   * (`pki_encrypted`); MC, a direct text, which only the contact's key can have made. Anything else may say any `from`.
   */
  proven: boolean
  /** The sender's key that an MT direct text was encrypted with, in hex; null where the radio tells none. */
  publicKey: string | null
  /** MT index or MC name; null for a direct text. */
  channel: number | string | null
  text: string
  /** It waited in the radio while nobody was connected. */
  late: boolean
  /** The same for every repeat of the same text: `<network>|…`. */
  key: string
  at: number
}

/** Another node as this radio knows it. Times are epoch milliseconds. */
export interface MeshNode {
  id: string
  name: string
  lastHeardAt: number | null
  batteryPercent: number | null
  /** Signal above noise of its last packet, at our antenna: of the hop that came last. dB; absent or null where the radio tells none. */
  snr?: number | null
  /** The place it told last, degrees, and when; absent or null where it told none. Anybody may have written it. */
  position?: NodePosition | null
  /** MeshCore: a companion that is a contact, so that a direct text reaches a person. */
  isPerson?: boolean
}

export interface NodePosition {
  lat: number
  lon: number
  at: number
}

/** Time on the air that no text of ours accounts for by itself: an advert, a further attempt of a direct text. */
export interface OtherAirtime {
  kind: 'advert' | 'attempt'
  at: number
  ms: number
}

/** The time of day as a device told it. Both are epoch milliseconds. */
export interface RadioTime {
  told: number
  /** The moment at which it was told, by our clock. */
  at: number
  /** True when nobody on the mesh can have set it: its own satellites did, or whoever it is paired with. */
  proven: boolean
}

/** A radio's facts about itself and its neighbourhood; null where it tells none. */
export interface RadioDetails {
  firmware: string | null
  batteryPercent: number | null
  batteryMillivolts: number | null
  /** Share of the last minute in which the channel was busy, 0…1. */
  channelUtilization: number | null
  /** Share of the last hour in which this radio transmitted, 0…1. */
  airUtilization: number | null
  /** Messages waiting inside the radio. */
  queueLength: number | null
  nodes: MeshNode[]
}

/**
 * One radio as the outbox sees it. A driver speaks to a device; the simulated one behaves like the firmware.
 * `send` is called for one message at a time and settles when the message has left the radio, was refused, or its fate is unknown.
 */
export interface Radio {
  readonly description: RadioDescription
  /** Starts connecting; resolves at the first `ready`, rejects with AppError `unavailable` when closed before. */
  connect(): Promise<void>
  health(): RadioHealth
  /**
   * Names our conversation with the device: another one after every loss of the link, and in every process. What was handed over in
   * one that is over has lost its acknowledgement, and the device may have forgotten its identity.
   */
  session(): string
  /** The radio's channel table as last read. */
  channels(): readonly RadioChannel[]
  /**
   * Never rejects for a radio reason; rejections are bugs. `working` is called whenever the radio answers meanwhile: where more than its
   * time on the air is waited for, and nothing is heard of it, the watchdog takes the loop for stuck.
   */
  send(message: RadioMessage, working?: () => void): Promise<SendOutcome>
  /** Called for every receipt and every change of health or channels. The answer unsubscribes. */
  onReceipt(listener: (receipt: Receipt) => void): () => void
  onChange(listener: () => void): () => void
  /** Texts from the mesh; absent on radios that only send. */
  onText?(listener: (text: InboundText) => void): () => void
  details?(): RadioDetails
  /** The time of day that the device told of itself, never one that came by air alone; null while it knows none. */
  time?(): RadioTime | null
  /** Reads the channel table again, for a name or index it lacks: it may have been set up meanwhile. Never rejects for a radio reason. */
  readChannels?(): Promise<void>
  /** Told as it happens, for the ledger of airtime. */
  onOtherAirtime?(listener: (spent: OtherAirtime) => void): () => void
  /**
   * Takes over what earlier processes knew of this radio; called before `connect`. `advertAt`: when it last made itself
   * known.
   */
  recall?(known: { advertAt: number | null }): void
  close(): Promise<void>
}
