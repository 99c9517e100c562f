import type { LookoutEvent } from '../events/event.ts'
import type { Carried, NewerMessage } from './decision.ts'

export interface EndContext {
  /** Messages of the thread, newest first. */
  messages: readonly Pick<NewerMessage, 'lifecycle' | 'zones'>[]
  /** The regions a code reaches; null when nobody can tell. */
  regionsOf: (code: string) => readonly string[] | null
}

/**
 * What an end ends of a message that was told, or still waits. An event ends per zone or county, and an end may be placed more narrowly
 * than its beginning was: by a smaller outline, or at a lower level. So a region is over when this end names it, and also when
 * the last code that put it there has ended (docs/interface.md §2).
 */
export class Ending {
  readonly #event: LookoutEvent
  readonly #codes: readonly string[]
  readonly #over: ReadonlySet<string>
  readonly #regionsOf: EndContext['regionsOf']

  constructor(event: LookoutEvent, { messages, regionsOf }: EndContext) {
    this.#event = event
    this.#codes = event.zones.length > 0 ? event.zones : event.same
    this.#over = endedCodes(messages, this.#codes)
    this.#regionsOf = regionsOf
  }

  /** Where this event and the message meet: codes where both sides have them, else regions. Null: this end is of all of it. */
  #shared(row: Carried): { all: readonly string[]; ended: readonly string[] } | null {
    const byCode = this.#codes.length > 0 && row.zones.length > 0
    const mine: readonly string[] = byCode ? this.#codes : this.#event.regions
    const all = byCode ? row.zones : row.regions
    return mine.length === 0 || all.length === 0 ? null : { all, ended: all.filter((place) => mine.includes(place)) }
  }

  /** Whether those who were told of the end of `told` have heard this one already. `regions`: whom it is to tell. */
  isToldBy(row: Carried, { regions, cancels }: { regions: readonly string[]; cancels: readonly Carried[] }): boolean {
    const whole = cancels.filter(({ zones }) => zones.length === 0 || row.zones.length === 0)
    if (whole.some((cancel) => cancel.regions.length === 0)) return true
    const heard = whole.flatMap((cancel) => cancel.regions)
    if (regions.length > 0 && regions.every((region) => heard.includes(region))) return true
    const codes = cancels.flatMap(({ zones }) => zones)
    const ended = this.#endedCodes(row, regions)
    return ended.length > 0 && ended.every((code) => codes.includes(code))
  }

  /** The codes of the message that end; an end without codes is of all that lie in its regions. */
  #endedCodes(row: Carried, regions: readonly string[]): readonly string[] {
    if (this.#codes.length > 0) return this.#shared(row)?.ended ?? []
    return row.zones.filter((code) => this.#regionsOf(code)?.some((region) => regions.includes(region)) ?? true)
  }

  /** Whether nothing of the message goes on. */
  isOver(row: Carried): boolean {
    const shared = this.#shared(row)
    if (shared === null || shared.ended.length === shared.all.length) return true
    return (
      shared.ended.length > 0 && row.regions.length > 0 && row.regions.every((region) => this.#isOverIn(row, region))
    )
  }

  /** The regions of the message whose people are to hear of it; null: this end is none of theirs. `told`: those who heard one since. */
  regionsOf(row: Carried, told: readonly string[]): readonly string[] | null {
    const shared = this.#shared(row)
    if (shared === null || shared.ended.length === shared.all.length) return row.regions
    if (shared.ended.length === 0) return null
    const named = this.#event.regions
    if (row.regions.length === 0 || named.length === 0) return row.regions
    const over = row.regions.filter(
      (region) => named.includes(region) || (!told.includes(region) && this.#isOverIn(row, region))
    )
    return over.length === 0 ? null : over
  }

  /** Codes that nobody can place, and a region that no code reaches, keep each other going. */
  #isOverIn({ zones }: Carried, region: string): boolean {
    const here = zones.filter((code) => this.#regionsOf(code)?.includes(region) ?? true)
    return zones.length > 0 && (here.length > 0 ? here : zones).every((code) => this.#over.has(code))
  }
}

/** Codes of which the thread said last that it is over there. */
function endedCodes(messages: EndContext['messages'], now: readonly string[]): ReadonlySet<string> {
  const over = new Set<string>()
  for (const { lifecycle, zones } of [...messages].reverse()) {
    const begins = lifecycle === 'new' || lifecycle === 'update'
    for (const zone of zones) begins ? over.delete(zone) : over.add(zone)
  }
  for (const code of now) over.add(code)
  return over
}
