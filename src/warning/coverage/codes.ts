/**
 * Codes of places in one spelling. In the United States a county has three names that mean one thing: UGC `COC013`,
 * FIPS `08013`, SAME `008013`. Canonical is the UGC; a whole state is its two letters (geometry semantics, rule 7). Codes
 * of other systems carry the name of the system, as CAP does: `EMMA_ID:DE356`, `NUTS3:FR101`.
 */

/** FIPS state number (ANSI INCITS 38) to postal letters, by number; the gaps were never assigned. */
const STATES =
  'AL01AK02AZ04AR05CA06CO08CT09DE10DC11FL12GA13HI15ID16IL17IN18IA19KS20KY21LA22ME23MD24MA25MI26MN27MS28MO29MT30NE31' +
  'NV32NH33NJ34NM35NY36NC37ND38OH39OK40OR41PA42RI44SC45SD46TN47TX48UT49VT50VA51WA53WV54WI55WY56AS60FM64GU66MH68' +
  'MP69PW70PR72UM74VI78'

/** SAME numbers of sea and lake areas (NWS Instruction 10-1712); their SAME and UGC zone numbers are the same. */
const WATERS = 'PZ57PK58PH59PS61PM65AN73AM75GM77LS91LM92LH93LC94LE96LO97SL98'

const MARINE = new Set([...(WATERS.match(/[A-Z]{2}/g) ?? []), 'LO'])
const STATE_OF_FIPS = byNumber(STATES)
const WATER_OF_SAME = byNumber(WATERS)

function byNumber(table: string): ReadonlyMap<string, string> {
  const entries = table.match(/[A-Z]{2}\d{2}/g) ?? []
  return new Map(entries.map((entry) => [entry.slice(2), entry.slice(0, 2)]))
}

/** A system and a value in it, in capitals. CAP lets senders name systems as they like, spaces and colons included. */
const NAMED = /^[A-Z][A-Z0-9_.:\- ]{0,60}:[A-Z0-9_.-]{1,40}$/

/**
 * The one spelling of a UGC, FIPS or SAME code, a two-letter state or a code with its system, or null when it is none.
 * `COC000`, `COZALL`, `08000` and `008000` are the state `CO`. The first SAME digit (a part of the county) is ignored.
 * SAME `000000`, the whole country, names no place of ours and is null.
 */
export function canonicalCode(code: unknown): string | null {
  if (typeof code !== 'string') return null
  const text = code.trim().toUpperCase()
  if (/^\d{5,6}$/.test(text)) return fromNumber(text.slice(-5))
  if (/^[A-Z]{2}$/.test(text)) return text
  const ugc = /^([A-Z]{2})([CZ])(\d{3}|ALL)$/.exec(text)
  if (ugc === null) return NAMED.test(text) ? text : null
  const [, state = '', , number = ''] = ugc
  return number === '000' || number === 'ALL' ? state : text
}

function fromNumber(fips: string): string | null {
  const area = fips.slice(0, 2)
  const number = fips.slice(2)
  const water = WATER_OF_SAME.get(area)
  if (water !== undefined) return number === '000' ? water : `${water}Z${number}`
  const state = STATE_OF_FIPS.get(area)
  if (state === undefined) return area === '00' ? null : fips
  return number === '000' ? state : `${state}C${number}`
}

/** The state (or sea area) letters of a canonical code; a number whose state is unknown, and a code of another system, stand for themselves. */
export function stateOf(canonical: string): string {
  return /^\d|:/.test(canonical) ? canonical : canonical.slice(0, 2)
}

/** The system of a canonical code that names one, `EMMA_ID`; null for those of the United States. */
export function systemOf(canonical: string): string | null {
  const colon = canonical.lastIndexOf(':')
  return colon === -1 ? null : canonical.slice(0, colon)
}

/** True for a county. */
export function isCounty(canonical: string): boolean {
  return canonical.length === 6 && canonical[2] === 'C'
}

/** True for a zone of a sea or lake: no county lies there. */
export function isMarine(canonical: string): boolean {
  return isZone(canonical) && MARINE.has(canonical.slice(0, 2))
}

/** True for a forecast, fire-weather or marine zone: its outline is not a county's. */
export function isZone(canonical: string): boolean {
  return canonical.length === 6 && canonical[2] === 'Z'
}

/** The canonical forms of a list that may hold anything, without repeats, in order. */
export function canonicalCodes(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  const found = new Set<string>()
  for (const code of list) {
    const canonical = canonicalCode(code)
    if (canonical !== null) found.add(canonical)
  }
  return [...found]
}

/** Maps codes to the numbers (of regions) they stand for; a state stands for all of its codes and the reverse. */
export class CodeMap {
  readonly #exact = new Map<string, number[]>()
  readonly #byState = new Map<string, number[]>()
  readonly #systems = new Set<string | null>()

  get size(): number {
    return this.#exact.size
  }

  /** All codes, canonical. */
  keys(): Iterable<string> {
    return this.#exact.keys()
  }

  /** True when a region has a code of this system: then a code of it that no region has lies outside of all. */
  knows(system: string | null): boolean {
    return this.#systems.has(system)
  }

  add(canonical: string, region: number): void {
    this.#systems.add(systemOf(canonical))
    append(this.#exact, canonical, region)
    append(this.#byState, stateOf(canonical), region)
  }

  /** Calls `hit` for every region of a canonical code, perhaps more than once. */
  find(canonical: string, hit: (region: number) => void): void {
    const state = stateOf(canonical)
    const regions = state === canonical ? this.#byState.get(state) : this.#exact.get(canonical)
    for (const region of regions ?? []) hit(region)
    for (const region of this.#exact.get(state) ?? []) hit(region)
  }
}

function append(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else if (list.at(-1) !== value) list.push(value)
}
