import type { Waypoint } from '../../model/waypoint.ts'
import type { PacketIdentity } from './radio.ts'

const LOG_LENGTH = 1000

/** One text that left a simulated radio, as it went on the air. */
export interface AirEntry {
  /** The time at which its last symbol left. */
  at: number
  channel: number | string
  to?: string
  /** The text receivers decode; on MC with the node's name, and cut where the firmware cuts. */
  text: string
  bytes: number
  /** It left as an alert packet of Meshtastic. */
  alert?: true
  /** It left as a mark on maps. */
  waypoint?: Waypoint
  identity: PacketIdentity
  /**
   * The number of times a receiver showed this transmission: 0 for a repeat it had already, or when nobody is in reach.
   */
  receivedTimes: number
}

/**
 * The packets a receiver remembers. The firmware forgets by number of other packets, never by time; Meshtastic renews what it hears
 * again, MeshCore does not.
 */
export class ReceiverMemory {
  readonly #capacity: number
  readonly #renews: boolean
  readonly #keys = new Set<string>()

  constructor(capacity: number, renews: boolean) {
    this.#capacity = capacity
    this.#renews = renews
  }

  /** True when `key` is new to the receiver, who knows it from now on. */
  hears(key: string): boolean {
    const known = this.#keys.has(key)
    if (known && !this.#renews) return false
    this.#keys.delete(key)
    this.#keys.add(key)
    if (this.#keys.size > this.#capacity) {
      const oldest = this.#keys.values().next()
      if (!oldest.done) this.#keys.delete(oldest.value)
    }
    return !known
  }
}

/** The newest 1000 texts on the air, and how many there were in all. */
export class AirLog {
  readonly #entries: AirEntry[] = []
  #count = 0

  get entries(): readonly AirEntry[] {
    return this.#entries
  }

  get count(): number {
    return this.#count
  }

  add(entry: AirEntry): void {
    this.#count++
    this.#entries.push(entry)
    if (this.#entries.length > LOG_LENGTH) this.#entries.shift()
  }
}

interface Waiting {
  waitMs: number
  airtimeMs: number
  left: () => void
}

/** A node's transmit queue: packets leave one after the other, each after its wait for a free channel and its time-on-air. */
export class TransmitQueue {
  readonly #after: (ms: number, task: () => void) => void
  readonly #waiting: Waiting[] = []
  #busy = false

  constructor(after: (ms: number, task: () => void) => void) {
    this.#after = after
  }

  /** Packets that have not left yet, the one on the air included. */
  get length(): number {
    return this.#waiting.length + (this.#busy ? 1 : 0)
  }

  push(packet: Waiting): void {
    this.#waiting.push(packet)
    if (!this.#busy) this.#next()
  }

  #next(): void {
    const packet = this.#waiting.shift()
    this.#busy = packet !== undefined
    if (packet === undefined) return
    this.#after(packet.waitMs + packet.airtimeMs, () => {
      packet.left()
      this.#next()
    })
  }
}
