import { byteLength, cutToBytes } from './budget.ts'
import { cleanText } from './sanitise.ts'
import { stateCode } from './states.ts'

/** A place as it is written: its bare name, its state's code if known, and whether it is a county. */
interface Place {
  name: string
  state: string
  county: boolean
}

/** Names joined into a limit: how many are named in full (0 when the first had to be cut), of how many. */
export interface JoinedNames {
  text: string
  shown: number
  total: number
}

export interface PlaceOptions {
  /**
   * True when `Blaine, ID` is a county and is written `Blaine Co ID` (default); false for a place, written `Blaine ID`.
   */
  counties?: boolean
}

const COUNTY = /\s+(?:county|parish)$/i

/** Words that stand where a county would and are none. */
const NO_COUNTY =
  /^\d+ ?(?:mi(?:les?)?|km)\b|^(?:district of|city of|municipality of)\b|\b(?:city|borough|municipality|census area|island|islands)$/i

/** `Coastal waters from Cape A to Cape B out to 20 NM` as sailors say it: `Cape A to Cape B out 20nm`. */
const WATERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:(?:coastal|open|near ?shore|offshore) )?waters from (?=.{4,80} to )/i, ''],
  [/,? (?:and )?(?:extending )?out(?: to)? (\d+) ?nm\b/gi, ' out $1nm'],
  [/ (\d+)-(\d+) nm\b/gi, ' $1-$2nm'],
  [/ (?:extending )?(?:from |out )?(\d+)(?: ?nm)? to (\d+) ?nm\b(?: out(?=$| including))?/gi, ' $1-$2nm']
]

function toPlace(text: string, counties: boolean): Place {
  const clean = cleanText(text)
    .replace(/^and\s+/i, '')
    .replace(/ ?\.{3} ?/g, ' ')
    .replace(/ and including /i, ' ')
  const plain = WATERS.reduce((name, [pattern, by]) => name.replace(pattern, by), clean)
    .replace(/\s+and\s+/gi, ' & ')
    .replace(/ \/ /g, '/')
  const comma = plain.lastIndexOf(',')
  const state = comma > 0 ? stateCode(plain.slice(comma + 1).trim()) : null
  const full = state === null ? plain : plain.slice(0, comma).trim()
  const name = full.replace(COUNTY, '')
  return { name, state: state ?? '', county: !NO_COUNTY.test(name) && (name !== full || (counties && state !== null)) }
}

/** One text is fitted in many lengths: its names are read once. */
const newCache = (): WeakMap<readonly string[], readonly Place[]> => new WeakMap()
const read = { plain: newCache(), counties: newCache(), regions: newCache() }

function toPlaces(names: readonly string[], counties: boolean): readonly Place[] {
  const known = counties ? read.counties : read.plain
  const places = known.get(names) ?? readPlaces(names, counties)
  known.set(names, places)
  return places
}

function readPlaces(names: readonly string[], counties: boolean): Place[] {
  const seen = new Set<string>()
  const places: Place[] = []
  for (const text of names.flatMap((name) => name.split(';'))) {
    const place = toPlace(text, counties)
    const key = `${place.name}|${place.state}`.toLowerCase()
    if (place.name === '' || seen.has(key)) continue
    seen.add(key)
    places.push(place)
  }
  return places
}

/** One text per state, its name said once: `Blaine/Custer Co ID, Lemhi Co MT`. */
function writePlaces(places: readonly Place[]): string {
  const groups = new Map<string, { names: string[]; suffix: string }>()
  for (const { name, state, county } of places) {
    const suffix = `${county ? ' Co' : ''}${state === '' ? '' : ` ${state}`}`
    const group = groups.get(suffix)
    if (group === undefined) groups.set(suffix, { names: [name], suffix })
    else group.names.push(name)
  }
  // `Southern Lake/North Shore` is one place; a second stroke behind it would make two of it.
  return [...groups.values()]
    .map(({ names, suffix }) => names.join(names.some((name) => name.includes('/')) ? ', ' : '/') + suffix)
    .join(', ')
}

function joinWithin(places: readonly Place[], limit: number): JoinedNames {
  const [first] = places
  if (first === undefined) return { text: '', shown: 0, total: 0 }
  // Every name takes two bytes or more, so more than this many cannot fit.
  for (let shown = Math.min(places.length, Math.max(1, Math.floor(limit / 2))); shown >= 1; shown--) {
    const rest = places.length - shown
    const text = writePlaces(places.slice(0, shown)) + (rest === 0 ? '' : ` +${rest}`)
    if (byteLength(text) <= limit) return { text, shown, total: places.length }
  }
  const more = places.length > 1 ? ` +${places.length - 1}` : ''
  const cut = cutAtWord(first.name, limit - byteLength(more))
  const text = cut === '' ? cutToBytes(first.name, limit).trim() : cut + more
  return { text, shown: 0, total: places.length }
}

/** Endings that go on with a name that is missing now: `Cape Decision to`, `from 15`, `North &`. */
const HANGING =
  /(?:[ ,/&-]+(?:to|from|of|in|at|on|and|the|out|within|including|between|near|above|below|along|with|west|east|north|south|northern|southern|eastern|western|off|extending|\d+(?: ?nm)?))+[ ,/&-]*$/i

/** The beginning of a name, of whole words unless that would lose more than half of it. */
function cutAtWord(name: string, limit: number): string {
  const cut = cutToBytes(name, limit)
  if (cut === name) return cut
  const space = cut.lastIndexOf(' ')
  const listed = cut.lastIndexOf('/')
  // Of `South Jackson/Larimer/North Grand …` whole members are told.
  if (listed > cut.length / 2 && name[cut.length] !== '/' && !/\bbetween\b/i.test(cut))
    return cut.slice(0, listed).trim()
  const words = name[cut.length] === ' ' || space < cut.length / 2 ? cut : cut.slice(0, space)
  const told = words.replace(HANGING, '').replace(/[ ,/&-]+$/, '')
  return told === '' ? words.replace(/[ ,/&-]+$/, '') : told
}

/** `joinPlaces` with the numbers of names. */
export function fitPlaces(names: readonly string[], limitBytes: number, options: PlaceOptions = {}): JoinedNames {
  return joinWithin(toPlaces(names, options.counties ?? true), limitBytes)
}

/**
 * Places an event names, most important first, in at most `limitBytes`: `Blaine/Custer Co ID +3`. `County` and `Parish`
 * are stripped, states said once, doubles left out, lists separated by semicolons taken apart.
 */
export function joinPlaces(names: readonly string[], limitBytes: number, options: PlaceOptions = {}): string {
  return fitPlaces(names, limitBytes, options).text
}

function toRegions(names: readonly string[]): readonly Place[] {
  const known = read.regions.get(names)
  if (known !== undefined) return known
  const clean = [...new Set(names.map((name) => cleanText(name)))].filter((name) => name !== '')
  const regions = clean.map((name) => ({ name, state: '', county: false }))
  read.regions.set(names, regions)
  return regions
}

/** Region names as they are configured, in at most `limitBytes`: `North/East +2`. */
export function fitRegions(names: readonly string[], limitBytes: number): JoinedNames {
  return joinWithin(toRegions(names), limitBytes)
}

/** The bare name of a place in lower case, to compare it with the name of a region. */
export function bareName(text: string): string {
  return toPlace(text, true).name.toLowerCase()
}
