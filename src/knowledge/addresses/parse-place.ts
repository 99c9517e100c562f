import { type Country, stateAtEnd } from './states.ts'
import { DIRECTION_OF, SUFFIX_OF } from './street-words.ts'

const US_ZIP = /^(\d{5})(?:-(\d{4}))?$/
const CANADIAN = /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z]$/
const CANADIAN_END = /^\d[ABCEGHJ-NPRSTV-Z]\d$/

/** Takes `USA`, `Canada`, `United States` off the end. The groups are changed. */
export function takeCountry(groups: string[][]): Country | null {
  const longest = Math.min(MOST_COUNTRY_WORDS, groups.flat().length - 1)
  for (let length = longest; length > 0; length -= 1) {
    const found = takeLast(groups, (words) => COUNTRY_NAMES.get(words.slice(-length).join(' ')) ?? null, length)
    if (found !== null) return found
  }
  return null
}

/**
 * Takes the state off the end. `without` are the groups as they were, when what stood there may be something else:
 * `OAK CT` is a court or lies in Connecticut.
 */
export function takeState(groups: string[][], hasZip: boolean): { state: string; without: string[][] | null } {
  const words = groups.at(-1) ?? []
  const found = stateAtEnd(words)
  // `Washington` or `Virginia` alone may be a city or a street: a name counts only behind something else.
  if (found === null || (words.length === found.length && groups.length === 1 && !hasZip))
    return { state: '', without: null }
  const before = groups.map((group) => [...group])
  const last = words.at(-1) ?? ''
  const isName = last.length > 2
  words.splice(words.length - found.length)
  if (words.length === 0) groups.pop()
  const unsure = isName || SUFFIX_OF.has(last) || DIRECTION_OF.has(last)
  return { state: found.state, without: unsure ? before : null }
}

const COUNTRY_NAMES = new Map<string, Country>([
  ['USA', 'US'],
  ['US', 'US'],
  ['UNITED STATES', 'US'],
  ['UNITED STATES OF AMERICA', 'US'],
  ['CANADA', 'CA']
])

const MOST_COUNTRY_WORDS = 4

function takeLast<T>(groups: string[][], read: (words: string[]) => T | null, length: number): T | null {
  const words = groups.at(-1)
  if (words === undefined) return null
  const value = read(words)
  if (value === null) return null
  words.splice(words.length - length)
  if (words.length === 0) groups.pop()
  return value
}

/** Takes a US or Canadian postal code off the end. The groups are changed. */
export function takeZip(groups: string[][]): { zip: string; plus4: string } {
  const words = groups.at(-1) ?? []
  const us = US_ZIP.exec(words.at(-1) ?? '')
  // `12345 MAIN ST` begins with a house number: a code stands at the end, or alone.
  if (us !== null && (words.length > 1 || groups.length > 1 || groups[0]?.length === 1)) {
    takeLast(groups, () => true, 1)
    return { zip: us[1] ?? '', plus4: us[2] ?? '' }
  }
  const [first = '', second = ''] = words.slice(-2)
  if (words.length >= 2 && CANADIAN.test(first) && CANADIAN_END.test(second)) {
    takeLast(groups, () => true, 2)
    return { zip: `${first} ${second}`, plus4: '' }
  }
  const whole = words.at(-1) ?? ''
  if (CANADIAN.test(whole.slice(0, 3)) && CANADIAN_END.test(whole.slice(3))) {
    takeLast(groups, () => true, 1)
    return { zip: `${whole.slice(0, 3)} ${whole.slice(3)}`, plus4: '' }
  }
  return { zip: '', plus4: '' }
}

/** Postal codes that stand elsewhere: `83702 BOISE, 132 8TH ST`, `HAUPTSTRASSE 12, 80331 MUNCHEN`. Each cuts its group in two. */
export function zipsAnywhere(groups: readonly string[][]): { groups: string[][]; zip: string }[] {
  return groups.flatMap((words, group) =>
    [...words.keys()].flatMap((at) => {
      const zip = codeAt(words, at)
      if (zip === null || groups.flat().length === zip.words) return []
      const cut = [words.slice(0, at), words.slice(at + zip.words)].filter((part) => part.length > 0)
      return [{ groups: [...groups.slice(0, group), ...cut, ...groups.slice(group + 1)], zip: zip.code }]
    })
  )
}

function codeAt(words: readonly string[], at: number): { code: string; words: number } | null {
  const word = words[at] ?? ''
  const next = words[at + 1] ?? ''
  const us = US_ZIP.exec(word)
  if (us !== null) return { code: us[1] ?? '', words: 1 }
  // Four digits are a code in Austria and Switzerland, always in front of the city.
  if (at === 0 && /^\d{4}$/.test(word) && words.length > 1) return { code: word, words: 1 }
  if (CANADIAN.test(word) && CANADIAN_END.test(next)) return { code: `${word} ${next}`, words: 2 }
  if (CANADIAN.test(word.slice(0, 3)) && CANADIAN_END.test(word.slice(3)))
    return { code: `${word.slice(0, 3)} ${word.slice(3)}`, words: 1 }
  return null
}

/** States that do not stand at the end: `BOISE ID, 132 8TH ST`, and without a comma before the house number. */
export function statesAnywhere(groups: readonly string[][]): { groups: string[][]; state: string }[] {
  return groups.flatMap((words, group) => {
    const ends = [...(group < groups.length - 1 ? [words.length] : []), words.findIndex((word) => /^\d/.test(word))]
    return ends.flatMap((end) => {
      const found = end > 0 ? stateAtEnd(words.slice(0, end)) : null
      // `WASHINGTON, 132 MAIN ST` names the city.
      if (found === null || (group === 0 && found.length === end)) return []
      const cut = [words.slice(0, end - found.length), words.slice(end)].filter((part) => part.length > 0)
      return [{ groups: [...groups.slice(0, group), ...cut, ...groups.slice(group + 1)], state: found.state }]
    })
  })
}
