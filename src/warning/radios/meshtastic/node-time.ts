import type { Clock } from '../../../platform/clock/clock.ts'
import type { RadioTime } from '../radio.ts'
import { isFromSatellites, type MeshPacket, PORT } from './messages.ts'

/**
 * The time of day as the node stamps its own packets. It may have it from any node in reach; from satellites when it told a position
 * of its own that came from there.
 */
export class NodeTime {
  readonly #clock: Clock
  #told: { told: number; at: number } | null = null
  #proven = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Another conversation: the node may be another one, or have started anew. */
  forget(): void {
    this.#told = null
    this.#proven = false
  }

  /** A packet of the node itself that did not come by air. */
  take({ rxTime, data }: MeshPacket): void {
    if (rxTime === 0) return
    this.#told = { told: rxTime * 1000, at: this.#clock.now() }
    if (data?.port === PORT.position) this.#proven = isFromSatellites(data.payload)
  }

  get told(): RadioTime | null {
    return this.#told === null ? null : { ...this.#told, proven: this.#proven }
  }
}
