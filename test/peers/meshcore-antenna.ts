import { airMs, repeatedPacket } from './meshcore-air.ts'
import type { Faults } from './meshcore-faults.ts'
import { type FullOptions, frameLimit, type KnownContact } from './meshcore-options.ts'
import { u32 } from './meshcore-wire.ts'

interface Outgoing {
  bytes: number
  /** It goes on the air now, for so many milliseconds. */
  started?: (airMs: number) => void
  left: () => void
}

const POOL = 16
/** The firmware's wait for a channel somebody else uses: in these steps, and no longer than this. */
const BUSY_STEP_MS = 200
const BUSY_LIMIT_MS = 4000

/** The radio half of the peer: its packet pool, one transmission after the other, and what the neighbourhood does with them. */
export class Antenna {
  readonly #o: FullOptions
  readonly #faults: Faults
  readonly #push: (payload: readonly number[]) => void
  readonly #timers = new Set<() => void>()
  readonly #queue: Outgoing[] = []
  readonly #heard = new Set<string>()
  #onAir: Outgoing | null = null
  #sent = 0
  #txMs = 0
  #rxMs = 0
  #poolWasFull = false
  #repeats: { from: number; to: number }[] = []
  #waitedMs = 0
  #waits = false

  constructor(options: FullOptions, faults: Faults, push: (payload: readonly number[]) => void) {
    this.#o = options
    this.#faults = faults
    this.#push = push
  }

  /** Packets that wait; the one on the air has left the queue. */
  get waiting(): number {
    return this.#queue.length
  }

  get sent(): number {
    return this.#sent
  }

  /** Seconds it transmitted and heard others, as the firmware counts them. */
  get airSeconds(): { tx: number; rx: number } {
    return { tx: Math.floor(this.#txMs / 1000), rx: Math.floor(this.#rxMs / 1000) }
  }

  /** Error flags of the firmware: 1 once the pool was full. */
  get errors(): number {
    return this.#poolWasFull ? 1 : 0
  }

  after(ms: number, task: () => void): void {
    const cancel = this.#o.time.after(Math.ceil(ms), () => {
      this.#timers.delete(cancel)
      task()
    })
    this.#timers.add(cancel)
  }

  powerOff(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#queue.length = 0
    this.#repeats = []
    this.#waits = false
    this.#onAir = null
  }

  airtime(bytes: number): number {
    return airMs(bytes, this.#o.lora) * this.#o.airScale
  }

  full(): boolean {
    const inUse = this.#queue.length + (this.#onAir === null ? 0 : 1)
    const full = inUse >= POOL || this.#faults.take(['pool-full']) !== null
    if (full) this.#poolWasFull = true
    return full
  }

  transmit(packet: Outgoing): void {
    if (this.#faults.take(['swallow']) !== null) return
    this.#queue.push(packet)
    if (this.#onAir === null && !this.#waits) this.#next()
  }

  /** True when receivers have not had this packet yet; they have from now on. */
  fresh(id: string): boolean {
    if (this.#heard.has(id)) return false
    this.#heard.add(id)
    return true
  }

  /** The repeaters pass a channel text on, each once, and the node hears them. */
  repeat(body: Buffer): void {
    if (this.#faults.take(['no-repeat']) !== null) return
    for (let i = 0; i < this.#o.repeaters; i++) {
      const packet = repeatedPacket(body, [0xa1 + i])
      const airtime = this.airtime(packet.length)
      const wait = (1 + 2.5 * this.#o.random()) * airtime + i
      const now = this.#o.time.now()
      if (this.#o.sharedChannel) this.#repeats.push({ from: now + wait - airtime, to: now + wait })
      this.after(wait, () => {
        this.#rxMs += airtime
        if (packet.length + 3 <= frameLimit(this.#o.protocol)) this.#push([0x88, 38, 0xba, ...packet])
      })
    }
  }

  /** The addressee acknowledges a direct text, and its path is known from then on. */
  acknowledge(contact: KnownContact, tag: number, flood: boolean): void {
    const fault = this.#faults.take(['ack-late', 'ack-never', 'ack-twice'])
    if (contact.answers === 'never' || (contact.answers === 'flooded' && !flood) || fault?.kind === 'ack-never') return
    const wait = 2 * this.airtime(40) + (fault?.kind === 'ack-late' ? (fault.ms ?? 5000) : 0)
    this.after(wait, () => {
      if (flood) {
        contact.pathKnown = true
        this.#push([0x81, ...contact.key])
      }
      for (let i = 0; i < (fault?.kind === 'ack-twice' ? 2 : 1); i++) this.#push([0x82, ...u32(tag), ...u32(956)])
    })
  }

  #next(): void {
    if (this.#queue.length > 0 && this.#mustWait()) return
    const packet = this.#queue.shift() ?? null
    this.#onAir = packet
    if (packet === null) return
    packet.started?.(this.airtime(packet.bytes))
    this.after(this.airtime(packet.bytes), () => {
      this.#sent++
      this.#txMs += this.airtime(packet.bytes)
      packet.left()
      this.#next()
    })
  }

  /** True while a repeater is on the air; then it is tried again a moment later. */
  #mustWait(): boolean {
    const now = this.#o.time.now()
    this.#repeats = this.#repeats.filter(({ to }) => to > now)
    const busy = this.#repeats.some(({ from }) => from <= now)
    if (!busy || this.#waitedMs >= BUSY_LIMIT_MS) {
      this.#waitedMs = 0
      return false
    }
    this.#waitedMs += BUSY_STEP_MS
    this.#waits = true
    this.after(BUSY_STEP_MS, () => {
      this.#waits = false
      this.#next()
    })
    return true
  }
}
