import type { Random, Street } from './world.ts'
import { LONG } from './world-names.ts'

/** `short` is the post's way, `dots` with points, `spelled` with number words, `highway` as people call a road. */
export type Style = 'full' | 'short' | 'dots' | 'spelled' | 'highway'

const SPELLED =
  'Zeroth First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth Fourteenth Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth Twentieth Twenty-First Twenty-Second Twenty-Third Twenty-Fourth'.split(
    ' '
  )
/** Other names of a road. */
const CALLED: Readonly<Record<string, string>> = {
  ...{ 'US HIGHWAY 20': 'US-20', 'US HWY 20': 'US Highway 20', 'HIGHWAY 20': 'Hwy 20', 'US HIGHWAY 95': 'U.S. 95' },
  ...{ 'US HWY 95': 'US-95', 'HIGHWAY 95': 'Hwy. 95', 'STATE HIGHWAY 55': 'State Hwy 55', 'STATE HWY 55': 'SH-55' },
  ...{ 'HIGHWAY 55': 'Highway 55', 'STATE ROUTE 13': 'SR 13', 'STATE RTE 13': 'State Route 13' },
  ...{
    'COUNTY ROAD 12': 'County Rd 12',
    'COUNTY RD 12': 'CR 12',
    'COUNTY ROAD 7': 'Co Rd 7',
    'COUNTY RD 7': 'County Road 7'
  }
}
/** Names as the importer files them, and as people write them. */
const PEOPLE: Readonly<Record<string, string>> = {
  ...{ OCONNOR: "O'CONNOR", 'D ARCY': "D'ARCY", FINCHS: "FINCH'S", OMALLEY: 'O’MALLEY', KINGS: "KING'S" },
  ...{ 'ST CLAIR': 'SAINT CLAIR', 'SAINT ANDREWS': 'ST. ANDREWS', 'SAINT MARYS': "ST MARY'S", 'ST JOHNS': "ST. JOHN'S" }
}

export function written(
  { kind, direction, name, type }: Pick<Street, 'kind' | 'direction' | 'name' | 'type'>,
  style: Style
): string {
  if (style === 'highway') return CALLED[name] ?? name
  const words = style === 'spelled' ? (SPELLED[Number.parseInt(name, 10)] ?? name) : name
  const long = style === 'full' || style === 'spelled'
  const called = style === 'full' ? (PEOPLE[name] ?? words) : words
  const end = style === 'dots' ? '.' : ''
  const parts = [
    direction === '' ? '' : long ? LONG[direction] : `${direction}${end}`,
    kind === 'highway' && style === 'dots' ? name : called,
    type === '' ? '' : long ? LONG[type] : `${type}${end}`
  ]
  return parts.filter((part) => part !== '').join(' ')
}

/** In small letters with a capital first; states and directions stay as they are. */
export function titled(text: string): string {
  return text.replace(/[\p{L}\d'’]+/gu, (word) =>
    /^(?:[NSEW]|ID|UT|OR|WA|MT)$/.test(word) ? word : `${word[0] ?? ''}${word.slice(1).toLowerCase()}`
  )
}

/** As its people write it. */
export function cityWords(name: string): string {
  return { 'COEUR D ALENE': "COEUR D'ALENE", 'ST GEORGE': 'SAINT GEORGE', 'MOUNT VERNON': 'MT. VERNON' }[name] ?? name
}

/** One typing error in the longest word; null when it is too short to bear one. */
export function mistyped(random: Random, name: string): string | null {
  const longest = name.split(' ').reduce((a, b) => (b.length > a.length ? b : a))
  if (longest.length < 5 || /\d/.test(longest)) return null
  const at = random.below(longest.length - 1)
  const [a = '', b = ''] = [longest[at], longest[at + 1]]
  const wrong = random.pick([`${b}${a}`, b, `${a}${a}${b}`, `${a}X${b}`, `Q${b}`])
  const made = longest.slice(0, at) + wrong + longest.slice(at + 2)
  return made === longest ? null : name.replace(longest, made)
}
