import type { MeshNode, RadioDetails } from '../radio.ts'
import { getBattery, getRadioStats } from './commands.ts'
import { prefixOf } from './contacts.ts'
import { readCoreStats } from './hand-over.ts'
import type { Contact, CoreStats, Message } from './messages.ts'
import { isRefusal, type Session } from './session.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const NODES_REMEMBERED = 512

/** The node's own count of seconds on the air, at one time. */
interface AirSample {
  at: number
  txSeconds: number
  rxSeconds: number
}

/** The node's readings of itself from time to time, and the neighbours it heard. */
export class Vitals {
  readonly #now: () => number
  readonly #heardAt = new Map<string, number>()
  #millivolts: number | null = null
  #core: CoreStats | null = null
  #air: AirSample[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  /** Asks for battery, queue and airtime, as far as the firmware tells. Rejects as `Session.ask` does. */
  async read(session: Session): Promise<void> {
    this.#core = session.hasStats ? await readCoreStats(session) : null
    // A board without a battery tells 0.
    this.#millivolts = (this.#core?.millivolts ?? (await batteryOf(session))) || null
    if (this.#core === null) return
    const answer = (m: Message): Extract<Message, { kind: 'radio-stats' }> | undefined =>
      m.kind === 'radio-stats' ? m : undefined
    const stats = await session.ask({ name: 'GET_STATS', payload: getRadioStats(), answer })
    if (!isRefusal(stats)) this.#sample({ at: this.#now(), txSeconds: stats.txSeconds, rxSeconds: stats.rxSeconds })
  }

  /** A node's advert was heard. */
  advert(key: Uint8Array): void {
    const prefix = prefixOf(key)
    this.#heardAt.delete(prefix)
    this.#heardAt.set(prefix, this.#now())
    if (this.#heardAt.size <= NODES_REMEMBERED) return
    const oldest = this.#heardAt.keys().next()
    if (!oldest.done) this.#heardAt.delete(oldest.value)
  }

  details(firmware: string | null, contacts: readonly Contact[]): RadioDetails {
    return {
      firmware,
      // The node tells volts, and what they mean depends on the cell.
      batteryPercent: null,
      batteryMillivolts: this.#millivolts,
      channelUtilization: this.#share(MINUTE_MS, MINUTE_MS / 2, ({ txSeconds, rxSeconds }) => txSeconds + rxSeconds),
      // Seconds of a young session, taken for an hour, would stop warnings with most of the budget unused.
      airUtilization: this.#share(HOUR_MS, HOUR_MS, ({ txSeconds }) => txSeconds),
      queueLength: this.#core?.waiting ?? null,
      nodes: this.#nodes(contacts)
    }
  }

  #sample(sample: AirSample): void {
    const last = this.#air.at(-1)
    // The node counts from its own start.
    if (last !== undefined && (sample.txSeconds < last.txSeconds || sample.rxSeconds < last.rxSeconds)) this.#air = []
    this.#air.push(sample)
    this.#air = this.#air.filter(({ at }) => at > sample.at - HOUR_MS - MINUTE_MS)
  }

  /** The share of the last `windowMs` between two samples; null until there are two that are `leastMs` apart. */
  #share(windowMs: number, leastMs: number, seconds: (sample: AirSample) => number): number | null {
    const last = this.#air.at(-1)
    if (last === undefined) return null
    const first = this.#air.findLast(({ at }) => at <= last.at - windowMs) ?? this.#air[0]
    if (first === undefined || last.at - first.at < leastMs) return null
    return Math.min(1, Math.max(0, ((seconds(last) - seconds(first)) * 1000) / (last.at - first.at)))
  }

  /** Contacts, and nodes that are no contacts but were heard. */
  #nodes(contacts: readonly Contact[]): MeshNode[] {
    const names = new Map(contacts.map((contact) => [prefixOf(contact.key), contact]))
    return [...new Set([...names.keys(), ...this.#heardAt.keys()])].map((id) => {
      const advertSeconds = names.get(id)?.advertSeconds ?? 0
      const lastHeardAt = this.#heardAt.get(id) ?? (advertSeconds === 0 ? null : advertSeconds * 1000)
      const isPerson = names.get(id)?.type === COMPANION
      return { id, name: names.get(id)?.name ?? '', lastHeardAt, batteryPercent: null, isPerson }
    })
  }
}

/** The type of a contact that is a companion with a person; others repeat, keep rooms or measure. */
const COMPANION = 1

async function batteryOf(session: Session): Promise<number | null> {
  const answer = (m: Message): number | undefined => (m.kind === 'battery' ? m.millivolts : undefined)
  const millivolts = await session.ask({ name: 'GET_BATT_AND_STORAGE', payload: getBattery(), answer })
  return isRefusal(millivolts) ? null : millivolts
}
