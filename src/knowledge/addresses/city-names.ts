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

/** The ways a file may write this city, as typed first. At most eight. */
export function cityVariants(city: string): string[] {
  if (city === '') return []
  const words = city.split(/[ -]/)
  const full = words.map((word) => FULL_OF.get(word) ?? word)
  // Only the first word is ever shortened by the post: `MT PLEASANT`, `N LAS VEGAS`.
  const short = full.map((word, index) => (index === 0 ? (SHORT_OF.get(word) ?? word) : word))
  // `QUEBEC CITY` tells the city from the province, and is no name of either.
  const alone = words.length > 1 && words.at(-1) === 'CITY' ? [words.slice(0, -1).join(' ')] : []
  // `MUENCHEN` is how `MÜNCHEN` is typed without the letter; accents are gone from the file.
  const umlauts = /[AOU]E/.test(city) ? [city.replace(/([AOU])E/g, '$1')] : []
  // Canada Post joins French names: `SAINTE-AGATHE-DES-MONTS`.
  const joined = [full.join('-'), words.join('-')]
  return [...new Set([city, full.join(' '), short.join(' '), words.join(' '), ...joined, ...alone, ...umlauts])]
}

/** The ways a file may write a postal code: Canadian ones stand with and without a blank. */
export function zipVariants(zip: string): string[] {
  if (zip === '') return []
  return /^[A-Z]/.test(zip) ? [...new Set([zip, zip.replace(' ', '')])] : [zip]
}
