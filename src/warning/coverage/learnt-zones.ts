import type { LookoutEvent } from '../../model/event.ts'
import { canonicalCodes, isCounty, isMarine, isZone, stateOf } from './codes.ts'
import type { ZoneCounties } from './zones.ts'

/** The store of what was learnt. */
export interface LearntZonesStore {
  all(): Iterable<readonly [zone: string, counties: readonly string[]]>
  keep(zone: string, counties: readonly string[]): void
}

/** A zone of more counties than this was not told apart from its neighbours yet: all of them would be told too much. */
const MOST_COUNTIES = 4
/** Twice the zones there are. */
const MOST_ZONES = 12_000

/**
 * The counties of forecast zones, as alerts themselves name them: in JSON and CAP they carry the zones and, beside them, the
 * SAME codes of all counties these lie in. What several alerts have in common narrows it down.
 */
export class LearntZones {
  readonly #store: LearntZonesStore
  #known: Map<string, readonly string[]> | null = null

  constructor(store: LearntZonesStore) {
    this.#store = store
  }

  counties(zone: string): ZoneCounties | null {
    const codes = this.#all().get(zone) ?? []
    return codes.length === 0 || codes.length > MOST_COUNTIES ? null : { codes, whole: true }
  }

  /** Learns from an alert of zones alone that names its counties as well; any other is no lesson. Stores what is new. */
  learn({ zones, same, lifecycle }: Pick<LookoutEvent, 'zones' | 'same' | 'lifecycle'>): void {
    if (zones.length === 0 || same.length === 0 || lifecycle === 'cancel' || lifecycle === 'expire') return
    const named = canonicalCodes(zones)
    if (!named.every(isZone)) return
    const counties = canonicalCodes(same).filter(isCounty)
    for (const zone of named.filter((code) => !isMarine(code))) {
      const own = counties.filter((county) => stateOf(county) === stateOf(zone))
      const alone = named.filter((code) => stateOf(code) === stateOf(zone)).length === 1
      if (own.length > 0) this.#note(zone, own, alone)
    }
  }

  #note(zone: string, counties: readonly string[], alone: boolean): void {
    const all = this.#all()
    const before = all.get(zone)
    const common = before?.filter((county) => counties.includes(county)) ?? []
    // Nothing in common: the zone was drawn anew.
    const now = alone || common.length === 0 ? [...counties].sort() : common
    if (before !== undefined && now.length === before.length && now.every((county) => before.includes(county))) return
    if (before === undefined && all.size >= MOST_ZONES) return
    all.set(zone, now)
    this.#store.keep(zone, now)
  }

  #all(): Map<string, readonly string[]> {
    this.#known ??= new Map(this.#store.all())
    return this.#known
  }
}
