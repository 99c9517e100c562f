import type { Clock } from '../../../platform/clock/clock.ts'
import type { InboundText } from '../radio.ts'
import { BROADCAST, type MeshPacket, PORT } from './messages.ts'
import { nodeId } from './transmissions.ts'

/** Twice what the firmware's own list of seen packets holds on small boards. */
const REMEMBERED = 500
const LATE_S = 60
/** An alert packet holds a text too. */
const TEXT_PORTS: ReadonlySet<number> = new Set([PORT.text, PORT.alert])
/**
 * Texts that waited in the node come in one go behind the configuration; one later than that came by radio just now.
 */
const HELD_WINDOW_MS = 1000
/** Of what comes this soon, the node's own time of reception decides. Not after it: a node's clock may be wrong by hours. */
const DOUBT_WINDOW_MS = 10_000

/** Picks the texts for people out of what a node hands over: each once, none of our own, reactions left out. */
export class Inbox {
  readonly #clock: Clock
  readonly #seen = new Set<string>()
  #readyAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The configuration is complete: what follows at once waited for us. */
  connected(): void {
    this.#readyAt = this.#clock.now()
  }

  /** The text in `packet`, or null when there is none for us. */
  take(packet: MeshPacket, ownNumber: number): Omit<InboundText, 'fromName'> | null {
    const { from, to, id, data } = packet
    if (data === null || !TEXT_PORTS.has(data.port) || data.emoji) return null
    if (from === ownNumber || from === 0 || (to !== ownNumber && to !== BROADCAST)) return null
    const key = `mt|${nodeId(from)}|${id}`
    if (!this.#isNew(key)) return null
    const direct = to === ownNumber
    return {
      from: nodeId(from),
      direct,
      proven: direct && packet.pkiEncrypted,
      publicKey: packet.publicKey,
      channel: direct ? null : packet.channel,
      text: new TextDecoder().decode(data.payload),
      late: this.#isLate(packet),
      key,
      at: this.#clock.now()
    }
  }

  #isNew(key: string): boolean {
    if (this.#seen.has(key)) return false
    this.#seen.add(key)
    if (this.#seen.size > REMEMBERED) {
      const [oldest] = this.#seen
      if (oldest !== undefined) this.#seen.delete(oldest)
    }
    return true
  }

  #isLate({ rxTime }: MeshPacket): boolean {
    const now = this.#clock.now()
    const connected = now - this.#readyAt
    return rxTime === 0 ? connected < HELD_WINDOW_MS : connected < DOUBT_WINDOW_MS && now / 1000 - rxTime > LATE_S
  }
}
