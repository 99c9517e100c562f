import type { Elements } from './mean-elements.ts'

/** A designation people know better than the name before it: `OSCAR 7 (AO-7)` is AO-7. */
const DESIGNATION = /\(([A-Z]{1,3}-\d{1,3}[A-Z]?)\)$/

/** As the satellite is called on the air: `NOAA 20` for `NOAA 20 (JPSS-1)`. */
export function shortName(name: string): string {
  const designation = DESIGNATION.exec(name)?.[1]
  if (designation !== undefined) return designation
  return name.replace(/\s*(?:\([^()]*\)|\[[^[\]]*\])\s*/g, ' ').trim() || name
}

/** The most that are followed. */
export const MAX_SATELLITES = 50

export interface Choice {
  chosen: Elements[]
  /** Wanted, but not in the listing. */
  unknown: string[]
}

/** The satellites that are wanted, by catalogue number or by name in any spelling; all when none is named. At most 50. */
export function chooseSatellites(elements: readonly Elements[], wanted: readonly (string | number)[]): Choice {
  if (wanted.length === 0) return { chosen: elements.slice(0, MAX_SATELLITES), unknown: [] }
  const named = elements.map((one) => ({ one, names: spellings(one) }))
  const chosen = new Set<Elements>()
  const unknown: string[] = []
  for (const want of wanted) {
    const spelled = plain(String(want))
    const found = named.filter(({ names }) => names.includes(spelled))
    if (found.length === 0) unknown.push(String(want))
    for (const { one } of found) chosen.add(one)
  }
  return { chosen: [...chosen].slice(0, MAX_SATELLITES), unknown }
}

function spellings({ name, number }: Elements): string[] {
  const inner = [...name.matchAll(/[([]([^()[\]]*)[)\]]/g)].map((match) => match[1] ?? '')
  const outer = name.replace(/\s*[([].*$/, '')
  return [String(number), ...[name, outer, ...inner, shortName(name)].map(plain)].filter((text) => text !== '')
}

function plain(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
