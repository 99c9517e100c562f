import type { RadioDescription } from '../radio.ts'
import { mcAdvertAirtimeMs } from '../time-on-air.ts'
import { floodAdvert } from './commands.ts'
import type { Message } from './messages.ts'
import type { Session } from './session.ts'

/**
 * The time after which the node makes itself known again, so that others can write to it. The whole mesh repeats it:
 * not at every start or reconnect.
 */
const ADVERT_EVERY_MS = 12 * 3_600_000

export interface AdvertsOptions {
  now: () => number
  description: RadioDescription
  /** An advert, of this time on the air, was asked for. */
  spent: (airtimeMs: number) => void
}

/** Makes a node known to its mesh from time to time. */
export class Adverts {
  readonly #o: AdvertsOptions
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(options: AdvertsOptions) {
    this.#o = options
  }

  /** Takes over the time at which an earlier process did so. */
  recall(at: number | null): void {
    if (at !== null) this.#lastAt = at
  }

  /** Rejects as `Session.ask` does. */
  async whenDue(session: Session): Promise<void> {
    const { now, spent, description } = this.#o
    const since = now() - this.#lastAt
    // In the future: the clock was set back since, and the node must not stay unknown until it has caught up.
    if (since >= 0 && since < ADVERT_EVERY_MS) return
    this.#lastAt = now()
    // Booked before the answer, which a lost link may swallow: what was asked for may be on the air.
    spent(mcAdvertAirtimeMs(Buffer.byteLength(description.nodeName), description.modem))
    const answer = (m: Message): true | undefined => (m.kind === 'ok' ? true : undefined)
    await session.ask({ name: 'SEND_SELF_ADVERT', payload: floodAdvert(), answer })
  }
}
