import { because, type Reason } from '../../model/reason.ts'
import type { SetupArea, SetupValues } from '../../settings/first-boot/setup-values.ts'
import { foldName } from '../../warning/atlas/fold-name.ts'
import type { Gazetteer, TownFound } from '../../warning/atlas/gazetteer.ts'
import type { PlaceIndex } from '../../warning/atlas/place-index.ts'
import { canonicalCode } from '../../warning/coverage/codes.ts'

/** Where the station stands. */
export interface StationPlace {
  name: string
  lat: number
  lon: number
  /** As people tell it from others of its name. */
  said: string
  /** Of the nearest town; empty where none is near. */
  timezone: string
  country: string
}

/** An area as the first steps make it. */
export interface MadeArea {
  name: string
  codes?: string[]
  circle?: { lat: number; lon: number; radius_km: number }
}

/** The town that is meant, or the nearest to a position; a reason where there is none. @throws AppError `unavailable`. */
export async function placeOf(
  place: NonNullable<SetupValues['place']>,
  country: string,
  towns: Pick<Gazetteer, 'find' | 'near'>
): Promise<StationPlace | Reason> {
  if (!('town' in place)) {
    const [nearest] = await towns.near({ ...place, limit: 1 })
    const said = `${place.lat}, ${place.lon}`
    const { name = said, timezone = '', country: found = '' } = nearest ?? {}
    return { name, lat: place.lat, lon: place.lon, said, timezone, country: found }
  }
  if (country === '') return because('setup_place_needs_country')
  const text = place.town.replaceAll(',', ' ')
  const found = await towns.find({ country, text, limit: 8 })
  // The beginning of a name is enough for a list that somebody looks at, not here.
  const town = found.find(({ name, also }) => [name, also].some((one) => beginsWith(text, one)))
  if (town === undefined) return because('setup_place_unknown', { place: place.town, country })
  const { name, lat, lon, timezone } = town
  return { name, lat, lon, timezone, country, said: saidOf(town) }
}

const saidOf = ({ name, region, country }: TownFound): string =>
  [name, region, country].filter((part) => part !== '').join(', ')

/** Names and codes as areas; a reason for each that means no place, or several. */
export async function areasOf(
  areas: readonly SetupArea[],
  index: Pick<PlaceIndex, 'search' | 'nameOf'>
): Promise<{ made: MadeArea[]; notes: Reason[] }> {
  const made: MadeArea[] = []
  const notes: Reason[] = []
  for (const area of areas) {
    const read = 'codes' in area ? area : await areaCalled(area.named, index)
    if ('code' in read) notes.push(read)
    else made.push(read)
  }
  return { made, notes }
}

async function areaCalled(text: string, index: Pick<PlaceIndex, 'search' | 'nameOf'>): Promise<MadeArea | Reason> {
  const code = canonicalCode(text)
  if (code !== null) return { name: (await index.nameOf(code)) || code, codes: [code] }
  // Of another system, with its name: the zone packs of the operator say where it is.
  if (/^[A-Z][A-Z0-9_.-]*:[A-Z0-9_.-]+$/i.test(text)) return { name: text.toUpperCase(), codes: [text.toUpperCase()] }
  const query = text.replaceAll(',', ' ')
  const found = (await index.search(query, 20)).filter(({ name }) => beginsWith(query, name))
  const [first, second] = found
  if (first === undefined) return because('setup_area_unknown', { area: text })
  if (second === undefined || first.kind === 'state') return { name: first.name, codes: [first.code] }
  return because('setup_area_several', {
    area: text,
    found: found.slice(0, 6).map(({ name, state, code: one }) => `${name}, ${state} (${one})`)
  })
}

/** `ada county idaho` begins with the name `Ada`, and not with `Adams`. */
function beginsWith(text: string, name: string): boolean {
  const folded = foldName(name)
  return folded !== '' && `${foldName(text)} `.startsWith(`${folded} `)
}
