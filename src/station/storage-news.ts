import type { Clock } from '../platform/clock/clock.ts'
import { durationText } from '../platform/clock/duration.ts'
import type { StorageFault } from '../platform/database/storage-fault.ts'
import { budgetFor, cutToBytes } from '../warning/messages/budget.ts'
import { instantText } from '../warning/messages/times.ts'
import type { NewText } from '../warning/outbox/delivery.ts'
import type { WarningConfig } from '../warning/settings.ts'

/** News that is over by then wakes nobody. */
const TELL_MS = 60_000
/** A loose plug does not fill the channel. */
const AGAIN_MS = 6 * 3_600_000
const WORTH_MS = 3_600_000
/** MeshCore puts its node's name before the text. */
const LONGEST_NAME = 'x'.repeat(31)

const WORDS: Readonly<Record<StorageFault, string>> = {
  full: 'disk full',
  io: 'disk errors',
  read_only: 'disk read-only',
  gone: 'data folder gone',
  damaged: 'database damaged'
}

/** Tells the operator's channels once that nothing can be stored, and once that it works again (contract §6). */
export class StorageNews {
  readonly #o: { config: () => WarningConfig; clock: Clock; send: (text: NewText) => void }
  #fault: StorageFault | null = null
  #since = 0
  #toldAt = Number.NEGATIVE_INFINITY
  #told = false
  #cancel: () => void = () => undefined

  constructor(options: { config: () => WarningConfig; clock: Clock; send: (text: NewText) => void }) {
    this.#o = options
  }

  failed(fault: StorageFault): void {
    const { clock } = this.#o
    const is = this.#fault !== null
    this.#fault = fault
    if (is) return
    this.#since = clock.now()
    this.#told = false
    this.#cancel = clock.after(TELL_MS, () => this.#tell())
  }

  returned(): void {
    this.#cancel()
    if (this.#told) {
      this.#say(`stores again after ${durationText(this.#o.clock.now() - this.#since)}.`)
    } else if (this.#fault === 'damaged') this.#say('had a damaged database and has made it anew. Doubt the disk.')
    this.#fault = null
  }

  stop(): void {
    this.#cancel()
  }

  #tell(): void {
    const { clock } = this.#o
    if (this.#fault === null || clock.now() - this.#toldAt < AGAIN_MS) return
    this.#toldAt = clock.now()
    this.#told = true
    this.#say(
      `${WORDS[this.#fault]}: nothing is stored, critical and above still goes out. Do not restart; look at the disk.`
    )
  }

  /** Behind every warning: it is no hazard. */
  #say(what: string): void {
    const { config, clock, send } = this.#o
    const { notifications, messages, station } = config()
    if (!notifications.enabled) return
    const now = clock.now()
    const words = `LOOKOUT ${what} (${instantText(now, station, now)})`
    const { mt, mc } = notifications.operator_channel
    for (const [transport, channel] of [['mt', mt] as const, ['mc', mc] as const]) {
      if (channel === null) continue
      const text = cutToBytes(words, budgetFor(transport, messages, transport === 'mc' ? LONGEST_NAME : ''))
      send({
        kind: 'notice',
        transport,
        channel,
        direct: false,
        text,
        key: `storage:${now}:${transport}`,
        expiresAt: now + WORTH_MS
      })
    }
  }
}
