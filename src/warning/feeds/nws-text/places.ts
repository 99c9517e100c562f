import { oneLine } from '../reading/prose.ts'

/** The places of a segment, by its own words. */

/** `Calcasieu LA-` and the like: names between hyphens, up to the time line. */
export function placeNames(lines: readonly string[]): string[] {
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === '')
  const names = lines.slice(0, end < 0 ? lines.length : end).filter((line) => line.trim() !== '')
  if (!names.some((line) => line.trim().endsWith('-'))) return []
  const [listed = ''] = names.join('\n').split(/^including\b/im)
  return unique(
    oneLine(listed)
      .replace(/-(?=[A-Z]{2} SIDE\b)/gi, ' ')
      .split('-')
  ).map(usualName)
}

/** `* Flood Warning for` and what is indented below; county names come without `in southeast Mississippi`. */
export function placesAfterFor(story: string): string[] {
  const block = LISTED.exec(story)?.[1]
  if (block === undefined) return []
  const names = block.split('\n').map((line) => {
    const name = oneLine(line)
      .replace(/(?<![.\s])[.\s]+$/, '')
      .replace(/^the (?=.*\b(?:river|creek|bayou|fork)\b)/i, '')
    return name.replace(/ in (?:north|south|east|west|central)[\w -]*$/i, '')
  })
  return unique(names.filter((name) => !NO_PLACE.test(name))).map(usualName)
}

/** `* Tornado Warning for...` and the indented lines below it; `for the Cameron Peak burn area...` may name the cause first. */
const LISTED =
  /\b(?:warning|watch|advisory|statement|following \w+)\b[^\n]{0,20} for\b[^\n]{0,70}\n((?:[ \t]{2,}\S[^\n]*\n?)+)/i
const NO_PLACE =
  /^(?:the |an? )?(?:imminent |potential )?(?:failure|breach|collapse|thunderstorms?|heavy rain|excessive rain\w*|rapid snow ?melt|ice jams?|small streams?|urban)\b|\bin$/i

/** The counties that a text without a list of places names: `the Ventura County Sheriff`, `all of Fremont County`. */
export function countiesIn(text: string): string[] {
  const named = [...text.matchAll(/(?<![A-Za-z] )\b((?:[A-Z][a-z]+\.? ){1,2}(?:County|Parish))\b/g)].map(
    ([, name = '']) => name.replace(/^(?:The|In|Of|For|All|And|From|Of All) /, '')
  )
  return unique(named).slice(0, 3)
}

/** The place of the earthquake in a tsunami product: `75 miles S of Nikolski, Alaska`. */
export function quakePlaceIn(text: string, event: string): string[] {
  const place = /^tsunami/i.test(event)
    ? /^[ \t]*(?:\*[ \t]*)?Location[ \t]+(\S[^\n]{2,80})$/im.exec(text)?.[1]
    : undefined
  return place === undefined ? [] : [usualName(oneLine(place))]
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))]
}

const STATE_AT_END =
  /(?<= )(?:Al|Ak|Az|Ar|Ca|Co|Ct|De|Fl|Ga|Gu|Hi|Id|Il|In|Ia|Ks|Ky|La|Me|Md|Ma|Mi|Mn|Ms|Mo|Mt|Ne|Nv|Nh|Nj|Nm|Ny|Nc|Nd|Oh|Ok|Or|Pa|Pr|Ri|Sc|Sd|Tn|Tx|Ut|Vt|Va|Vi|Wa|Wv|Wi|Wy|in)$/

/** Names all in capitals in the usual spelling. */
export function usualName(name: string): string {
  if (/[a-z]/.test(name)) return name
  const words = name
    .toLowerCase()
    .replace(/(^|[\s/(-])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())
  const usual = words.replace(/\b(?:In|And|Of|The|Near|At)\b/g, (word, at: number) =>
    at === 0 ? word : word.toLowerCase()
  )
  return usual
    .replace(STATE_AT_END, (code) => code.toUpperCase())
    .replace(/\b(?:Nra|Nwr|Nf|Nm|Az|Nv|Ut|Sw|Se|Nw|Ne|Us)\b/g, (word) => word.toUpperCase())
}
