import type { Words } from './catalogue/words.ts'
import { bearingText } from './position.ts'
import { pointIn } from './wording.ts'

const POINTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    north: 'N',
    northeast: 'NE',
    east: 'E',
    southeast: 'SE',
    south: 'S',
    southwest: 'SW',
    west: 'W',
    northwest: 'NW'
  })
)
const AWAY =
  /(\d+(?:\.\d+)?(?: ?(?:to|-) ?\d+(?:\.\d+)?)?) ?(km|mi|nm) (north|south|(?:north|south)?(?:east|west)) of (.+)$/i

/**
 * A place as an English source names it, without the English words that relate one name to another: a zone `Florence to Cape Blanco OR out
 * 10nm` is `Florence - Cape Blanco OR 10nm`, a stretch `35 km west of Anahim Lake` a bearing in the channel's words. The names themselves
 * stay as the source has them, `East of England` and `Gulf of Alaska` too.
 */
export function relatedIn(words: Words, place: string): string {
  const [stretch, distance = '', unit = '', point = '', name = ''] = AWAY.exec(place) ?? []
  if (stretch === undefined) return named(place)
  const span = distance.replace(/ ?to ?/, '-') + unit.toLowerCase()
  const bearing = bearingText(words, [span, pointIn(words, POINTS.get(point.toLowerCase()) ?? ''), name])
  return named(place.slice(0, -stretch.length) + bearing)
}

function named(place: string): string {
  return place
    .replace(/,? out (?:to )?(\d+) ?nm\b/i, ' $1nm')
    .replace(/(?:^| )from (?=\p{Lu}.* to )/u, (found) => found.replace('from ', ''))
    .replace(/(?<=\p{L}\.?) to (?=[\p{Lu}\d])/gu, ' - ')
    .replace(/ below (?=\d+ ?(?:ft|m)\b)/i, ' <')
    .replace(/ above (?=\d+ ?(?:ft|m)\b)/i, ' >')
    .replace(/^(.+ (?:River|Creek|Fork|Brook|Bayou)) (?:near|at|above|below) (.+)$/, '$1 ($2)')
}
