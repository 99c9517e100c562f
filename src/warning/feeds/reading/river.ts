import { oneLine, sentences } from './prose.ts'

/**
 * The state of one river by its bulletin: how grave, how high, how high it will be. Texts are as short as an editor
 * writes them.
 */

const HEIGHT = '([\\d,]+(?:\\.\\d+)?) ?(feet|foot|ft|cfs|kcfs)\\b'
const NOW = new RegExp(
  `\\bthe (?:observed |current |river )?(?:stage|flow|level|pool) (?:was|is)(?: near| about)? ${HEIGHT}`,
  'i'
)
const FLOOD = new RegExp(`\\bflood (?:stage|flow|level|pool) is(?: at)? ${HEIGHT}`, 'i')
const CREST = new RegExp(
  `\\b(?:crest(?:ing)?(?: (?:at|of|near|around))*|(?:rise|climb|rising)(?: (?:above|to|near|around|a|crest|of|slowly|further))+|(?:rise|climb)\\b[^.]{5,60}? to(?: near| around| about)?|remain(?:ing)? (?:near|around|at|steady (?:near|at))|near) ${HEIGHT}`,
  'i'
)
const WHEN =
  /^ ?((?:by )?(?:(?:late|early|just after|around|about) )?(?:this|tonight|tomorrow|overnight|midnight|noon|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)(?: (?:morning|afternoon|evening|night|midday))?)\b/i

interface Height {
  value: number
  unit: string
}

function heightIn(text: string, pattern: RegExp): Height | null {
  const [, digits = '', unit = ''] = pattern.exec(text) ?? []
  // `10,00 cfs` is a slip of the forecaster.
  const isNumber = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(digits)
  const value = Number(digits.replaceAll(',', ''))
  return !isNumber || !Number.isFinite(value) ? null : { value, unit: /^f/i.test(unit) ? 'ft' : unit.toLowerCase() }
}

const written = ({ value, unit }: Height): string => `${value}${unit}`

const GRADES = ['record', 'major', 'moderate', 'minor']

/** The gravest flooding that the bulletin says is there or coming: `Major flooding forecast`; '' when it says none. */
function gravity(text: string): string {
  const said = [
    ...text.matchAll(
      /\b(record|major|moderate|minor) flooding (?:is )?(?:now )?(occurring|forecast|expected|possible)\b/gi
    )
  ]
  const rank = (word = ''): number => GRADES.indexOf(word.toLowerCase())
  const [gravest] = said.sort((a, b) => rank(a[1]) - rank(b[1]))
  if (gravest === undefined) return /\bflooding (?:is|remains) possible\b/i.test(text) ? 'Flooding possible' : ''
  const [, grade = '', state = ''] = gravest
  const also = said.some(
    ([, other = '', how = '']) => other.toLowerCase() === grade.toLowerCase() && /occurring/i.test(how)
  )
  const word = grade.charAt(0).toUpperCase() + grade.slice(1).toLowerCase()
  return also || /occurring/i.test(state) ? `${word} flooding` : `${word} flooding ${state.toLowerCase()}`
}

/** The forecast of the river: `crest 24.8ft late tonight`, `falling`; '' when the forecast names neither. */
function outlook(text: string, now: Height | null): string {
  const forecast = /\bforecast(?:\.{3}|, )([\s\S]{5,400})/i.exec(text)?.[1] ?? ''
  const [first = '', second = '', ...later] = sentences(forecast)
  if (/\bhas crested\b/i.test(first)) return 'falling'
  const crest = highest([`${first} ${second}`, ...later.slice(0, 2)], now)
  if (crest !== '') return crest
  if (/\b(?:continue to )?fall(?:ing)?\b/i.test(first) && !/\brise\b/i.test(first)) return 'falling'
  return /\bcontinue to rise\b/i.test(first) ? 'rising' : ''
}

/** A later crest may be higher than what comes first. */
function highest(said: readonly string[], now: Height | null): string {
  const crests = said.map((text) => ({ text: crestIn(text, now), height: heightIn(text, CREST)?.value ?? 0 }))
  const [first = { text: '', height: 0 }, ...later] = crests
  const worse = later.find(({ text, height }) => text.startsWith('crest') && height > first.height && first.text !== '')
  return (worse ?? first).text
}

function crestIn(said: string, now: Height | null): string {
  const crest = CREST.exec(said)
  const height = crest === null ? null : heightIn(crest[0], CREST)
  if (crest === null || height === null || (now !== null && height.unit !== now.unit)) return ''
  const when = WHEN.exec(said.slice(crest.index + crest[0].length))?.[1] ?? ''
  const verb = courseOf(crest[0], height, now)
  return [verb, written(height), shortWhen(when)].filter((word) => word !== '').join(' ')
}

/** `by early Wednesday morning` → `Wed morning`. */
function shortWhen(when: string): string {
  return when
    .replace(/^(?:by )?(?:(?:late|early|just after|around|about) )?/i, '')
    .replace(/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*day\b/i, '$1')
}

function courseOf(crest: string, height: Height, now: Height | null): string {
  if (/remain/i.test(crest)) return 'steady near'
  return now !== null && height.value < now.value ? 'falling to' : 'crest'
}

/**
 * `Cedar River at Renton: Minor flooding, 13.7ft, flood stage 13ft, steady near 13.5ft` of a bulletin about one river; null
 * when it gives neither its height nor how grave the flood is. A height in an impact line (`At 13.0 feet, water …`) is no
 * reading. `river` is '' where the place names it already.
 */
export function riverSentence(description: string, river: string): string | null {
  const text = oneLine(
    description.replace(
      /^[ \t]*(?:\*[ \t]*)?(?:IMPACTS?\.{3}[\s\S]*?(?=\n[ \t]*\n|\n[ \t]*\*|(?![\s\S]))|(?:at|above|near|around) [\d.,]+ (?:feet|ft|cfs)[\s\S]*?(?=\n[ \t]*\n|\n[ \t]*\*|$))/gim,
      ' '
    )
  )
  const now = heightIn(text, NOW)
  const grave = gravity(text)
  if (now === null && (grave === '' || river === '')) return null
  const flood = heightIn(text, FLOOD)
  const figures = [
    now === null ? '' : written(now),
    outlook(text, now),
    flood === null ? '' : `flood stage ${written(flood)}`
  ].filter((figure) => figure !== '')
  const told = [grave, ...figures].filter((part) => part !== '').join(', ')
  return river === '' ? told : `${river}: ${told.charAt(0).toLowerCase()}${told.slice(1)}`
}
