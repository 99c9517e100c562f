import { postalStreet } from './postal-text.ts'
import { DIRECTION_OF, ORDINALS, SUFFIX_OF } from './street-words.ts'

const FULL_ORDINALS: ReadonlyMap<string, string> = new Map([...ORDINALS].map(([full, short]) => [short, full]))
const FULL_DIRECTIONS: ReadonlyMap<string, string> = new Map(
  [...DIRECTION_OF].filter(([name]) => name.length > 2).map(([name, short]) => [short, name])
)
const FULL_SUFFIXES: ReadonlyMap<string, string> = new Map(
  [...SUFFIX_OF].map(([name, short]): [string, string] => [short, name]).reverse()
)

/** The ways a file may write this street, the post's first. At most a dozen, none twice. */
export function streetVariants(typed: string): string[] {
  if (typed === '') return []
  const words = typed.split(' ')
  const postal = postalStreet(words)
  const parts = postal.split(' ')
  const ordinal = (word: string): string => ORDINALS.get(word) ?? FULL_ORDINALS.get(word) ?? word
  const direction = (word: string): string => FULL_DIRECTIONS.get(word) ?? word
  const last = parts.length - 1
  const spelled = parts.map((word, at) => (at === last ? (FULL_SUFFIXES.get(word) ?? word) : word))
  const variants = [
    postal,
    typed,
    parts.map(ordinal).join(' '),
    // `NORTH ST` may be a street called North, and `N ST` one called N.
    [direction(parts[0] ?? ''), ...parts.slice(1)].join(' '),
    [DIRECTION_OF.get(parts[0] ?? '') ?? parts[0] ?? '', ...parts.slice(1)].join(' '),
    spelled.join(' '),
    [SUFFIX_OF.get(parts[0] ?? '') ?? parts[0] ?? '', ...parts.slice(1)].join(' '),
    [FULL_SUFFIXES.get(parts[0] ?? '') ?? parts[0] ?? '', ...parts.slice(1)].join(' '),
    ...saints(postal),
    ...germanEndings(postal)
  ]
  return [...new Set(variants)]
}

/** `ST JOHNS AVE` and `SAINT JOHNS AVE`: a saint never stands at the end. */
function saints(postal: string): string[] {
  return [postal.replace(/\bSAINT (?=[A-Z])/, 'ST '), postal.replace(/\bST (?=[A-Z]{2})/, 'SAINT ')]
}

/** `HAUPTSTR` is `HAUPTSTRASSE`, `LINDENPL` a square. */
function germanEndings(postal: string): string[] {
  return [
    postal.replace(/(?:STR| ST)$/, (end) => (end === 'STR' ? 'STRASSE' : ' STRASSE')),
    postal.replace(/STRASSE$/, 'STR'),
    postal.replace(/([A-Z]{3})PL$/, '$1PLATZ'),
    postal.replace(/([A-Z]{3})PLATZ$/, '$1PL')
  ]
}
