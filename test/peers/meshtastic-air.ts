import type { Clock } from '../../src/platform/clock/clock.ts'

/** Preset number of LoRaConfig → spreading factor, bandwidth in kHz, coding rate: as the firmware has them. */
const PRESETS: Record<number, readonly [sf: number, khz: number, cr: number]> = {
  0: [11, 250, 5] /* LongFast */,
  1: [12, 125, 8] /* LongSlow */,
  3: [10, 250, 5] /* MediumSlow */,
  4: [9, 250, 5] /* MediumFast */,
  5: [8, 250, 5] /* ShortSlow */,
  6: [7, 250, 5] /* ShortFast */,
  7: [11, 125, 8] /* LongModerate */,
  8: [7, 500, 5] /* ShortTurbo */,
  9: [11, 500, 8] /* LongTurbo */
}
/** Regions in which the firmware refuses to transmit more than this share of an hour. */
const DUTY: Record<number, number> = { 2: 0.1, 3: 0.1, 12: 0.1, 14: 0.1, 15: 0.01 }
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const HEADER_BYTES = 16

export interface ChannelOptions {
  random: () => number
  /** Nodes in reach pass every text on, and keep the channel busy meanwhile. */
  repeats: boolean
  /** The moment at which the node tells that a text left its queue: as it starts to transmit it, or when it has. */
  reports: 'start' | 'end'
}

export interface Outgoing {
  textBytes: number
  started: () => void
  ended: () => void
  /** A neighbour was heard passing it on. */
  repeated: () => void
}

interface Spent {
  at: number
  ms: number
}

/**
 * The radio half of a Meshtastic node: one packet after the other, each after a random wait that grows with how busy the channel is,
 * never while somebody else transmits, and the neighbour that repeats every text after its own wait.
 */
export class MeshtasticAir {
  readonly #clock: Clock
  readonly #o: ChannelOptions
  readonly #settings: { region: number; preset: number }
  readonly #after: (ms: number, task: () => void) => void
  readonly #queue: Outgoing[] = []
  #own: Spent[] = []
  #heard: Spent[] = []
  #waits = false
  #busyUntil = 0

  constructor(
    options: ChannelOptions,
    node: {
      clock: Clock
      settings: { region: number; preset: number }
      after: (ms: number, task: () => void) => void
    }
  ) {
    this.#o = options
    this.#clock = node.clock
    this.#settings = node.settings
    this.#after = (ms, task) => node.after(Math.ceil(ms), task)
  }

  /** Milliseconds one text occupies the channel. */
  timeOnAir(textBytes: number): number {
    const [sf, khz, cr] = this.#modem
    const symbol = 2 ** sf / khz
    const payload = HEADER_BYTES + textBytes + (textBytes < 128 ? 6 : 7)
    const optimized = symbol > 16 ? 1 : 0
    const blocks = Math.ceil((8 * payload - 4 * sf + 44) / (4 * (sf - 2 * optimized)))
    return (16 + 4.25 + 8 + Math.max(0, blocks * cr)) * symbol
  }

  /** Share of the last minute in which the channel was busy. */
  get utilization(): number {
    this.#own = this.#since(this.#own, HOUR_MS)
    this.#heard = this.#since(this.#heard, MINUTE_MS)
    return Math.min(1, sum(this.#since([...this.#own, ...this.#heard], MINUTE_MS)) / MINUTE_MS)
  }

  /** Share of the last hour in which this node transmitted. */
  get ownUtilization(): number {
    return sum(this.#since(this.#own, HOUR_MS)) / HOUR_MS
  }

  get overLimit(): boolean {
    const limit = DUTY[this.#settings.region]
    return limit !== undefined && this.ownUtilization > limit
  }

  transmit(packet: Outgoing): void {
    this.#queue.push(packet)
    this.#contend()
  }

  get #modem(): readonly [number, number, number] {
    return PRESETS[this.#settings.preset] ?? [12, 125, 8]
  }

  /** A slot of the contention window, and a random number of them. */
  #slots(least: number): number {
    const [sf, khz] = this.#modem
    const slot = (2.5 * 2 ** sf) / khz + 7.6
    const window = 2 ** Math.round(3 + 5 * this.utilization)
    return (least + Math.floor(this.#o.random() * window)) * slot
  }

  #contend(): void {
    if (this.#waits || this.#queue.length === 0) return
    this.#waits = true
    this.#after(Math.max(0, this.#busyUntil - this.#clock.now()) + this.#slots(0), () => {
      this.#waits = false
      if (this.#clock.now() < this.#busyUntil) this.#contend()
      else this.#start()
    })
  }

  #start(): void {
    const packet = this.#queue.shift()
    if (packet === undefined) return
    const ms = this.#occupy(packet.textBytes, this.#own)
    packet.started()
    this.#after(ms, () => {
      packet.ended()
      if (this.#o.repeats) this.#after(this.#slots(16), () => this.#repeat(packet))
      else this.#after(1, () => packet.repeated())
      this.#contend()
    })
  }

  #repeat(packet: Outgoing): void {
    const wait = this.#busyUntil - this.#clock.now()
    if (wait > 0) {
      this.#after(wait + this.#slots(16), () => this.#repeat(packet))
      return
    }
    this.#after(this.#occupy(packet.textBytes, this.#heard), () => packet.repeated())
  }

  #occupy(textBytes: number, log: Spent[]): number {
    const ms = this.timeOnAir(textBytes)
    const now = this.#clock.now()
    log.push({ at: now, ms })
    this.#busyUntil = now + ms
    return ms
  }

  #since(log: readonly Spent[], ms: number): Spent[] {
    const from = this.#clock.now() - ms
    return log.filter(({ at }) => at > from)
  }
}

function sum(log: readonly Spent[]): number {
  return log.reduce((total, { ms }) => total + ms, 0)
}
