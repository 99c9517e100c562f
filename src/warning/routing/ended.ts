import type { LookoutEvent } from '../../model/event.ts'
import type { Carried, NewerMessage } from './decision.ts'

export interface EndContext {
  /** Messages of the thread, newest first. */
  messages: readonly Pick<NewerMessage, 'source' | 'id' | 'lifecycle' | 'zones' | 'regions'>[]
  /** The regions a code reaches; null when nobody can tell. */
  regionsOf: (code: string) => readonly string[] | null
}

/** The region of what names none. */
const ANYWHERE = ''

/**
 * The effect of an end on a message that was told, or still waits. An event ends per zone or county, and an end may be
 * placed more narrowly than its beginning was: by a smaller outline, or at a lower level. So a region hears of it when
 * this end names it, and also when the last code that put it there has ended (docs/interface.md §2).
 */
export class Ending {
  readonly #event: LookoutEvent
  readonly #codes: readonly string[]
  readonly #over: ReadonlySet<string>
  readonly #regionsOf: EndContext['regionsOf']
  /** True when nothing of the event goes on: this end names all that it concerned at last. */
  readonly #isWhole: boolean

  constructor(event: LookoutEvent, { messages, regionsOf }: EndContext) {
    this.#event = event
    this.#codes = event.zones.length > 0 ? event.zones : event.same
    this.#over = endedCodes(messages, this.#codes)
    this.#regionsOf = regionsOf
    this.#isWhole = this.#codes.length === 0 && endsAllOf(event, messages)
  }

  /** The regions of the message where it goes on; none: nowhere. `ANYWHERE` where it names none. */
  left(row: Carried): string[] {
    return regionsIn(row).filter((region) => !(this.#isNamed(row, region) && this.#isOverIn(row, region)))
  }

  /** The regions of the message in which something of it ends. */
  regionsOf(row: Carried): string[] {
    return regionsIn(row).filter((region) => {
      if (!this.#isCoded(row)) return this.#names(region)
      if (this.#newsIn(row, region).length === 0) return false
      return this.#names(region) || this.#isOverIn(row, region)
    })
  }

  /** Of these regions of the message those that none of the ends told since has told of this. */
  unheard(row: Carried, regions: readonly string[], since: readonly Carried[]): string[] {
    return regions.filter((region) => {
      const ends = since.filter((end) => regionsIn(end).includes(region))
      if (row.zones.length === 0) return ends.length === 0
      if (ends.some(({ zones }) => zones.length === 0)) return false
      const codes = new Set(ends.flatMap(({ zones }) => zones))
      const news = this.#newsIn(row, region).filter((code) => !codes.has(code))
      // Whoever heard of an end hears of another one only where it is known to be theirs.
      const sure = ends.length === 0 || this.#names(region)
      return news.some((code) => sure || this.#regionsOf(code)?.includes(region) === true)
    })
  }

  /** Codes tell better than regions, where both have them. */
  #isCoded({ zones }: Carried): boolean {
    return this.#codes.length > 0 && zones.length > 0
  }

  #names(region: string): boolean {
    const { regions } = this.#event
    return regions.length === 0 || region === ANYWHERE || regions.includes(region) || this.#isWhole
  }

  #isNamed(row: Carried, region: string): boolean {
    return this.#isCoded(row) ? row.zones.some((code) => this.#codes.includes(code)) : this.#names(region)
  }

  #isOverIn(row: Carried, region: string): boolean {
    return !this.#isCoded(row) || this.#codesIn(row, region).every((code) => this.#over.has(code))
  }

  /** The codes of the message in this region that end now. */
  #newsIn(row: Carried, region: string): readonly string[] {
    const here = this.#codesIn(row, region)
    return this.#codes.length === 0 ? here : here.filter((code) => this.#codes.includes(code))
  }

  /** Codes that nobody can place may lie in any region; one that no code reaches was told by an outline, and depends on all. */
  #codesIn({ zones }: Carried, region: string): readonly string[] {
    if (region === ANYWHERE) return zones
    const here = zones.filter((code) => this.#regionsOf(code)?.includes(region) ?? true)
    return here.length > 0 ? here : zones
  }
}

/**
 * An outline shrinks as its storm moves on, and the end is drawn like the last of them: whoever an update left out hears of no end
 * but this. So it is where the thread is one event without codes, of one sender; segments of one product end each by itself.
 */
function endsAllOf({ source, id, regions }: LookoutEvent, messages: EndContext['messages']): boolean {
  const begun = messages.filter(({ lifecycle }) => lifecycle === 'new' || lifecycle === 'update')
  const [last] = begun
  if (last === undefined || !begun.every((one) => one.source === source && one.id === id && one.zones.length === 0))
    return false
  return last.regions.length > 0 && last.regions.every((region) => regions.includes(region))
}

function regionsIn({ regions }: Carried): readonly string[] {
  return regions.length > 0 ? regions : [ANYWHERE]
}

/** The regions as a message names them. */
export function namedRegions(regions: readonly string[]): string[] {
  return [...new Set(regions)].filter((region) => region !== ANYWHERE)
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
