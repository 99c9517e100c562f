/** Words that files write in full or short: `SAINT LOUIS` and `ST LOUIS` are one city. */
const PAIRS: readonly (readonly [full: string, short: string])[] = [
  ['SAINT', 'ST'],
  ['SAINTE', 'STE'],
  ['FORT', 'FT'],
  ['MOUNT', 'MT'],
  ['MOUNTAIN', 'MTN'],
  ['POINT', 'PT'],
  ['PORT', 'PRT'],
  ['LAKE', 'LK'],
  ['NORTH', 'N'],
  ['SOUTH', 'S'],
  ['EAST', 'E'],
  ['WEST', 'W'],
  ['HEIGHTS', 'HTS'],
  ['SPRINGS', 'SPGS'],
  ['JUNCTION', 'JCT'],
  ['TOWNSHIP', 'TWP'],
  ['VILLAGE', 'VLG'],
  ['BEACH', 'BCH'],
  ['CITY', 'CTY']
]
const FULL_OF = new Map(PAIRS.map(([full, short]) => [short, full]))
const SHORT_OF = new Map(PAIRS)

/** The ways a file may write this city, as typed first. At most four. */
export function cityVariants(city: string): string[] {
  if (city === '') return []
  const words = city.split(' ')
  const full = words.map((word) => FULL_OF.get(word) ?? word)
  // Only the first word is ever shortened by the post: `MT PLEASANT`, `N LAS VEGAS`.
  const short = full.map((word, index) => (index === 0 ? (SHORT_OF.get(word) ?? word) : word))
  const blanks = city.replaceAll('-', ' ')
  return [...new Set([city, full.join(' '), short.join(' '), blanks])]
}

/** The ways a file may write a postal code: Canadian ones stand with and without a blank. */
export function zipVariants(zip: string): string[] {
  if (zip === '') return []
  return /^[A-Z]/.test(zip) ? [...new Set([zip, zip.replace(' ', '')])] : [zip]
}
