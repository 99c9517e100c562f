/** Text that came in capitals, as older products and teletypes write it, in the usual spelling: nobody reads shouting aloud. */

const STATES =
  'alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|guam|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|puerto rico|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|canada|mexico'
const CALENDAR =
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|april|june|july|august|september|october|november|december'
const NAMES = new RegExp(`\\b(?:${STATES}|${CALENDAR})\\b`, 'g')

/** Words that stay in capitals. */
const CODES =
  /\b(?:nws|noaa|u\.s\.|us|fema|ems|wea|nm|ii|iii|[nsew]|[ns][ew]|ssw|sse|nnw|nne|wsw|wnw|ese|ene)\b(?!\.\w)/g

/** The name of a town follows these, and so does that of a storm. */
const AFTER =
  /\b((?:near|over|toward|towards|hurricane|typhoon|tropical storm|tropical depression|interstate|highway|fort|lake|mount|saint|port|cape|san|santa|los|las|el)) ([a-z][a-z']+)((?: (?:city|park|falls|springs|beach|lake|river|creek|hills|valley|island|grove|ridge))?)/g
const NO_NAME =
  /^(?:the|an?|this|that|these|and|or|of|in|to|from|all|much|most|parts?|portions?|areas?|mph|zero|normal|record|water|land|northern|southern|eastern|western|central|north|south|east|west|northeast|northwest|southeast|southwest|extreme|burn|flood|flooded|blizzard|whiteout|miles?|level|surge|shore|effect|warning|watch|conditions?)$/

const SMALL = /^(?:from|with|near|including|between|below|above|along|around|portions?|county|counties)$/i

/** The word before these belongs to a name: `Haskell county`, `Neosho river`. */
const BEFORE = /\b([a-z][a-z']+) (?=(?:county|counties|parish|river|creek|bayou|reservoir|dam|island)\b)/g

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Fewer may be a code. */
const LEAST_LETTERS = 8
/** Words in capitals inside a sentence: `To protect your life, TAKE COVER NOW!` */
const CRY = /\b[A-Z]{3,}(?: [A-Z]{2,}){1,}\b/g

/** True for a text of some length without small letters, but for units. */
export function isShouted(text: string): boolean {
  const letters = text.replace(/\b(?:mph|kt|ft|in|mi|nm)\b|[^\p{L}]/gu, '')
  return letters.length >= LEAST_LETTERS && /\s/.test(text.trim()) && !/\p{Ll}/u.test(letters)
}

/**
 * `text` in small letters when it is all in capitals. Names begin with a capital: those that `context` writes so inside a sentence, those of
 * `places`, states and days, and what a name stands beside.
 */
export function calmText(text: string, context: string, places: readonly string[] = []): string {
  if (!isShouted(text)) return text.replace(CRY, calmCry)
  const known = new Map(
    [...context.matchAll(/[a-z,] ([A-Z][a-z]+)/g)]
      .map(([, name = '']): [string, string] => [name.toLowerCase(), name])
      .filter(([low]) => !/(?:ies|ing|ions)$/.test(low) && !NO_NAME.test(low))
  )
  for (const word of places.join(' ').split(/[^\p{L}']+/u))
    if (word.length > 3 && !NO_NAME.test(word.toLowerCase()) && !SMALL.test(word))
      known.set(word.toLowerCase(), upper(word.toLowerCase()))
  // A town named once after `near` is that town everywhere.
  for (const [, , name = ''] of context.toLowerCase().matchAll(AFTER))
    if (!NO_NAME.test(name)) known.set(name, upper(name))
  const low = text.toLowerCase()
  const named = low
    .replace(AFTER, (all, before: string, name: string, more: string) =>
      NO_NAME.test(name)
        ? all
        : `${asName(before)} ${upper(name)}${more.replace(/[a-z]/, (letter) => letter.toUpperCase())}`
    )
    .replace(BEFORE, (all, name: string) => (NO_NAME.test(name) ? all : `${upper(name)} `))
    .replace(/\b[a-z][a-z']*\b/g, (word) => known.get(word) ?? word)
    .replace(/(?<=\bemergency for )[^.]+/, (name) =>
      name.replace(/(?<=^|[\s/-])\p{Ll}(?=\p{Ll}{2})/gu, (letter) => letter.toUpperCase())
    )
    .replace(/(?<=\b[A-Z][a-z']+ )(?:county|parish)\b/g, upper)
    .replace(NAMES, (name) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()))
    .replace(CODES, (code) => code.toUpperCase())
    .replace(/\b(\d{1,4}) ([ap]m)\b/g, (_, hour: string, half: string) => `${hour} ${half.toUpperCase()}`)
    .replace(/\b(?:[ecmpah][sd]t|akst|akdt|chst)\b/g, (zone) => zone.toUpperCase())
  return named.replace(
    /(^|(?<!\.\.)[.!?]\s+)(\p{Ll})/gu,
    (_, before: string, letter: string) => before + letter.toUpperCase()
  )
}

/** `near`, `Hurricane`: the first only leads to a name, the second is part of it. */
const asName = (word: string): string =>
  /^(?:near|over|towards?)$/.test(word) ? word : word.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

function calmCry(cry: string, at: number, text: string): string {
  const low = cry.toLowerCase()
  return at === 0 || /[.!?] $/.test(text.slice(0, at)) ? upper(low) : low
}
