import type { AirLanguage } from '../../model/air-languages.ts'
import type { LookoutEvent } from '../../model/event.ts'

/** Names of lists of the United Nations, and older ones, for which CLDR has another. */
const ALSO: readonly (readonly [string, string])[] = [
  ['Bolivia (Plurinational State of)', 'BO'],
  ['Brunei Darussalam', 'BN'],
  ["Cote d'Ivoire", 'CI'],
  ['Czech Republic', 'CZ'],
  ["Democratic People's Republic of Korea", 'KP'],
  ['Democratic Republic of Congo', 'CD'],
  ['Democratic Republic of the Congo', 'CD'],
  ['Iran (Islamic Republic of)', 'IR'],
  ["Lao People's Democratic Republic", 'LA'],
  ['Myanmar', 'MM'],
  ['Republic of Korea', 'KR'],
  ['Russian Federation', 'RU'],
  ['Swaziland', 'SZ'],
  ['Syrian Arab Republic', 'SY'],
  ['Turkey', 'TR'],
  ['United Republic of Tanzania', 'TZ'],
  ['United States of America', 'US'],
  ['Venezuela (Bolivarian Republic of)', 'VE'],
  ['Viet Nam', 'VN']
]

let codes: ReadonlyMap<string, string> | null = null
const names = new Map<AirLanguage, Intl.DisplayNames>()

/** True of an event whose source says by a code of ISO 3166 that its places are countries: `Georgia` may be a state elsewhere. */
export function namesCountries({ data }: Pick<LookoutEvent, 'data'>): boolean {
  const { geocodes } = data
  return Array.isArray(geocodes) && geocodes.some((code) => typeof code === 'string' && code.startsWith('ISO3:'))
}

/** A country by its name in a language (CLDR); what is no country stays, as does one in English. */
export function countryIn(language: AirLanguage, place: string): string {
  if (language === 'en') return place
  codes ??= readCodes()
  const code = codes.get(place.toLowerCase())
  if (code === undefined) return place
  const known = names.get(language) ?? new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  names.set(language, known)
  return known.of(code) ?? place
}

function readCodes(): Map<string, string> {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const all = letters.flatMap((first) => letters.map((second) => first + second))
  const read = all.map((code): [string, string] => [(english.of(code) ?? '').toLowerCase(), code])
  return new Map([
    ...read.filter(([name]) => name !== ''),
    ...ALSO.map(([name, code]) => [name.toLowerCase(), code] as const)
  ])
}
