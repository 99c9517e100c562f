/** `station.units` (docs/interface.md §2): what the figures of texts and pages are measured in. A source's own prose keeps its own. */
export type Units = 'metric' | 'imperial'

export const KM_PER_MILE = 1.609344
export const METRES_PER_FOOT = 0.3048
export const ACRES_PER_HECTARE = 2.471
/** A hundred square kilometres: from here on nobody pictures hectares. People of acres stay with them at all sizes. */
const LARGE_HECTARES = 10_000

/** A figure and its unit; a text on the air writes them together, a title apart. */
export interface Measured {
  figure: string
  unit: string
}

/** The size of a fire, whichever unit its source surveys in; null where it says none. */
export function fireSize(
  { acres, hectares }: { acres: number | null; hectares: number | null },
  units: Units
): Measured | null {
  if (units === 'imperial') {
    const size = acres ?? (hectares === null ? null : hectares * ACRES_PER_HECTARE)
    return size === null ? null : { figure: small(size), unit: 'ac' }
  }
  const size = hectares ?? (acres === null ? null : acres / ACRES_PER_HECTARE)
  if (size === null) return null
  return size < LARGE_HECTARES
    ? { figure: small(size), unit: 'ha' }
    : { figure: String(Math.round(size / 100)), unit: 'km²' }
}

/** A fire of a hundredth of a hectare must not read as none. */
function small(size: number): string {
  if (size > 0 && size < 0.05) return '<0.1'
  return String(size < 10 ? Math.round(size * 10) / 10 : Math.round(size))
}

/** A height above the ground or the sea, of metres: whole metres or feet. */
export function heightOf(metres: number, units: Units): Measured {
  return units === 'metric'
    ? { figure: String(Math.round(metres * 10) / 10), unit: 'm' }
    : { figure: String(Math.round(metres / METRES_PER_FOOT)), unit: 'ft' }
}

export function spaced({ figure, unit }: Measured): string {
  return `${figure} ${unit}`
}
