import { keyOf, type LoraSettings } from './meshcore-air.ts'
import type { OversizeRule } from './meshcore-wire.ts'

/** Time for the peer: `systemTime`, or a test's clock. */
export interface PeerTime {
  now(): number
  after(ms: number, task: () => void): () => void
}

export const systemTime: PeerTime = {
  now: () => Date.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  }
}

export interface PeerSlot {
  slot: number
  name: string
  secret?: Buffer
}

export interface PeerContact {
  name: string
  /** The texts it acknowledges: all, only what was flooded, or none. */
  answers?: 'always' | 'flooded' | 'never'
  pathKnown?: boolean
}
export type KnownContact = Required<PeerContact> & { key: Buffer }

export type PeerEvent = { event: string } & Record<string, unknown>

export interface NodeOptions {
  time?: PeerTime
  name?: string
  /** 13 is firmware 1.16 and 1.17, 8 is 1.10 to 1.12. */
  protocol?: number
  rule?: OversizeRule
  maxChannels?: number
  slots?: readonly PeerSlot[]
  contacts?: readonly PeerContact[]
  /** Repeaters in reach. */
  repeaters?: number
  lora?: LoraSettings
  /** Added to the true time, in seconds. */
  clockOffset?: number
  /** Time on the air is multiplied with this, to keep tests short. */
  airScale?: number
  /** Of its battery; 0 without one. */
  millivolts?: number
  /** The statistics tell the airtime there was; without, a second for each packet sent. */
  countsAirtime?: boolean
  /** Repeaters keep the channel busy while they pass a text on, and the node waits for them. */
  sharedChannel?: boolean
  random?: () => number
  /** Told of everything that happens, for people and tests. */
  print?: (event: PeerEvent) => void
}
export type FullOptions = Required<NodeOptions>

const US_NARROW: LoraSettings = { frequencyKhz: 910_525, bandwidthHz: 62_500, sf: 7, cr: 5 }

export function withDefaults(options: NodeOptions): FullOptions {
  return {
    time: systemTime,
    name: 'Ridge',
    protocol: 13,
    rule: 'tcp',
    maxChannels: 40,
    slots: [{ slot: 0, name: 'Public' }],
    contacts: [],
    repeaters: 1,
    lora: US_NARROW,
    clockOffset: 0,
    airScale: 1,
    millivolts: 4012,
    countsAirtime: false,
    sharedChannel: false,
    random: () => 0.5,
    print: () => undefined,
    ...options
  }
}

export function knownContact(contact: PeerContact): KnownContact {
  return { answers: 'always', pathKnown: false, ...contact, key: keyOf(contact.name) }
}

/** The longest frame of the firmware: 176 bytes from 1.16 on, 172 before. */
export function frameLimit(protocol: number): number {
  return protocol >= 13 ? 176 : 172
}
