import type { LookoutEvent } from '../../model/event.ts'
import { byteLength, cutToBytes } from './budget.ts'
import { placesOf, pointOf } from './facts.ts'
import { bareName, fitPlaces, fitRegions, type JoinedNames } from './places.ts'
import { fromAnchor, maidenhead, relativePlace } from './position.ts'
import type { ComposeRequest } from './request.ts'
import { wordsOf } from './wording.ts'

/** The place in a message: one phrase, or regions and places of which as many are named as fit. */
export interface Where {
  /** The same place in several lengths, longest first; when there are any, nothing else is said. */
  phrases: string[]
  regions: string[]
  places: string[]
  /** True when `Blaine, ID` is a county. */
  counties: boolean
}

export interface FittedWhere {
  text: string
  /** True when every region is named, which outranks the target length (contract §4 rule 5). */
  everyRegion: boolean
  /** True when nothing was left out. */
  full: boolean
}

const SEPARATOR = ', '
/** The first place may take this much where the others share less. */
const FIRST_PLACE_BYTES = 60
/** `between A and B` is nowhere without B. */
const STRETCH_BYTES = 76

/** The pieces of a message in the order they came. */
function piecesOf({ event, merged = [] }: ComposeRequest): LookoutEvent[] {
  return merged.includes(event) ? merged : [event, ...merged]
}

/** Of an area product: the configured regions, then the places the source names. */
export function areaWhere(request: ComposeRequest): Where {
  const regions = request.regions
  // An update for new places must not repeat those that were told before, and the source's list has both.
  if (request.newPlacesOnly === true && regions.length > 0) return { phrases: [], regions, places: [], counties: false }
  const named = new Set(regions.map(bareName))
  const places = placesOf(piecesOf(request)).filter((place) => !named.has(bareName(place)))
  if (regions.length === 0 && places.length === 0) return pointWhere(request, false)
  // Whoever writes CAP without codes of counties names towns: `Deer Park, TX`.
  const ofTowns = request.event.data['cap'] !== undefined && request.event.same.length === 0
  return { phrases: [], regions, places, counties: regions.length === 0 && !ofTowns }
}

/** Of a small event: the source's own bearing, else one from an anchor, else a place name, else regions and locator. */
export function pointWhere(request: ComposeRequest, withLocator: boolean): Where {
  const { event, station, regions } = request
  const none: Where = { phrases: [], regions: [], places: [], counties: false }
  if (request.newPlacesOnly === true && regions.length > 0) return { ...none, regions }
  const places = placesOf(piecesOf(request))
  const relative = relativePlace(places[0] ?? '', station.units, wordsOf(request))
  if (relative !== null) return { ...none, phrases: [relative] }
  const locator = locatorOf(event)
  const anchored = anchorOf(request)
  if (anchored !== null) return { ...none, phrases: anchorPhrases(anchored, withLocator ? locator : null) }
  if (places.length > 0) return { ...none, places }
  return { ...none, regions, places: locator === null ? [] : [locator] }
}

function anchorOf(request: ComposeRequest): string | null {
  const point = pointOf(request.event)
  return point === null ? null : fromAnchor(point, request.station, wordsOf(request))
}

function locatorOf(event: LookoutEvent): string | null {
  const point = pointOf(event)
  return point === null ? null : maidenhead(point)
}

function anchorPhrases(anchored: string, locator: string | null): string[] {
  return locator === null ? [anchored] : [`${anchored} (${locator})`, anchored]
}

/** WHERE in at most `room` bytes, places in at most `placesRoom` of them. Names are shortened to `+n`, never dropped. */
export function fitWhere(where: Where, room: number, placesRoom: number): FittedWhere {
  if (where.phrases.length > 0) return fitPhrase(where.phrases, room)
  const regions = fitRegions(where.regions, room)
  const everyRegion = regions.shown === regions.total
  const left = regions.text === '' ? room : room - byteLength(regions.text) - SEPARATOR.length
  const named = (most: number): JoinedNames =>
    fitPlaces(where.places, Math.min(left, most), { counties: where.counties })
  const some = named(placesRoom)
  // Half the name of a strait or a range is another one.
  const places =
    some.shown > 0
      ? some
      : named(Math.max(placesRoom, /\bbetween\b/i.test(where.places[0] ?? '') ? STRETCH_BYTES : FIRST_PLACE_BYTES))
  const full = everyRegion && places.shown === places.total
  if (regions.text === '') return { text: places.text, everyRegion, full }
  // A place that had to be cut says less than the region alone.
  const text = everyRegion && places.shown > 0 ? regions.text + SEPARATOR + places.text : regions.text
  return { text, everyRegion, full }
}

function fitPhrase(phrases: readonly string[], room: number): FittedWhere {
  for (const [index, text] of phrases.entries()) {
    if (byteLength(text) <= room) return { text, everyRegion: true, full: index === 0 }
  }
  return { text: cutToBytes(phrases.at(-1) ?? '', room).trimEnd(), everyRegion: true, full: false }
}
