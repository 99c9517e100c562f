import { HAZARD_NAMES, type Hazard, LEVEL_NAMES, type Level, OF_CATEGORY, PROSE_MATTERS } from './catalogue/hazards.ts'
import { put, putAll, type Terms } from './catalogue/words.ts'
import { textFact } from './facts.ts'
import type { ComposeRequest } from './request.ts'
import { declaredBy } from './spoken.ts'
import { termsOf } from './wording.ts'

/** A product of a source by what it says: the hazard, its level, the colour of a scale of colours. */
interface Product {
  hazard: Hazard
  level: Level | null
  colour: 'yellow' | 'orange' | 'red' | null
}

const HAZARDS: ReadonlyMap<string, Hazard> = new Map(
  (Object.keys(HAZARD_NAMES) as Hazard[]).flatMap((hazard) =>
    HAZARD_NAMES[hazard].map((name): [string, Hazard] => [name, hazard])
  )
)
const LEVELS = Object.keys(LEVEL_NAMES) as Level[]
/** Words of MeteoAlarm before a hazard: its colours, and the levels of CAP that stand for them. */
const GRADE = /^(?:(yellow|orange|red)|minor|moderate|severe|extreme) /

/** The product that an English name is; null for a name that says too little, or is not English. */
export function productOf(name: string, colour: string = ''): Product | null {
  let hazardName = name.toLowerCase().replace(/\s+/g, ' ').trim()
  const whole = HAZARDS.get(hazardName)
  const level = LEVELS.find((known) => hazardName.endsWith(` ${LEVEL_NAMES[known]}`)) ?? null
  if (whole === undefined && level !== null) hazardName = hazardName.slice(0, -LEVEL_NAMES[level].length - 1)
  // `Red Flag` is no colour.
  const plain = whole ?? HAZARDS.get(hazardName)
  const [grade = '', shade = ''] = plain === undefined ? (GRADE.exec(hazardName) ?? []) : []
  const named = hazardName.slice(grade.length)
  // `Heavy thunderstorms with gale-force gusts and heavy rain` is about thunderstorms.
  const hazard = plain ?? HAZARDS.get(named) ?? HAZARDS.get(named.replace(/ with .*$/, ''))
  return hazard === undefined ? null : { hazard, level, colour: shadeOf(shade) ?? shadeOf(colour.toLowerCase()) }
}

const shadeOf = (word: string): Product['colour'] =>
  word === 'yellow' || word === 'orange' || word === 'red' ? word : null

/** Canada names the hazard alone; its level, and that it is severe, stand in the headline. */
function leveled(product: Product | null, title: string): Product | null {
  if (product === null || product.level !== null || product.colour !== null) return product
  const [level] = /\b(?:warning|watch|advisory)\b/.exec(title.toLowerCase()) ?? []
  const severe = product.hazard === 'thunderstorm' && /\bsevere thunderstorm/i.test(title)
  return {
    ...product,
    hazard: severe ? 'severe_thunderstorm' : product.hazard,
    level: LEVELS.find((known) => LEVEL_NAMES[known] === level) ?? null
  }
}

/** Where a colour says how grave it is, the category says what: national names are in as many tongues as there are nations. */
function byCategory({ event, language = 'en' }: ComposeRequest): Product | null {
  const { category, data } = event
  if (declaredBy(event) === language) return null
  const hazard = OF_CATEGORY.get(/^weather_([a-z]+)_[a-z]+$/.exec(category)?.[1] ?? '')
  const colour = shadeOf(textFact(data, 'awareness').toLowerCase())
  return hazard === undefined || colour === null ? null : { hazard, level: null, colour }
}

/** A product in the channel's language: `WARNUNG vor STURMBÖEN`; null on an English channel and for what has no word there. */
export function productIn(request: Pick<ComposeRequest, 'language'>, name: string): string | null {
  const terms = termsOf(request)
  const product = terms === null ? null : productOf(name)
  return terms === null || product === null ? null : productText(terms, product)
}

/** The head of an event that is a product, and whether its prose has to stand with it; null as for `productIn`. */
export function productHeadIn(request: ComposeRequest, name: string): { what: string; needsDetail: boolean } | null {
  const terms = termsOf(request)
  if (terms === null) return null
  const { event } = request
  const product = leveled(productOf(name, textFact(event.data, 'awareness')), event.title) ?? byCategory(request)
  return product === null ? null : { what: productText(terms, product), needsDetail: PROSE_MATTERS.has(product.hazard) }
}

function productText({ hazards, levels, colours, coloured }: Terms, { hazard, level, colour }: Product): string {
  const [word = '', other = word] = hazards[hazard].split('|')
  if (colour !== null) return putAll(coloured, [colours[colour], word])
  return level === null
    ? word
    : put(
        levels[level].replace('%', () => other),
        word
      )
}
