import type { AirLanguage } from '../../model/air-languages.ts'
import { isExercise, type LookoutEvent } from '../../model/event.ts'
import { MESH_SAYINGS, type MeshSaying, put, putAll, type Terms } from './catalogue/words.ts'
import { baseDraft, type Draft, titleOf } from './draft.ts'
import { productHeadIn } from './products.ts'
import { inUnits } from './replying.ts'
import type { ComposeRequest } from './request.ts'
import { termsOf, wordsOf } from './wording.ts'

const VOLCANO_LEVEL = /^volcano level ([1-5])$/i

/** WHAT of a product on a channel that is not English; null for what has no word there. */
export function productDraft(
  request: ComposeRequest,
  name: string
): Pick<Draft, 'what' | 'needsDetail' | 'cancel'> | null {
  const terms = termsOf(request)
  if (terms === null) return null
  const { cancel } = wordsOf(request)
  const [, level] = VOLCANO_LEVEL.exec(name) ?? []
  if (level !== undefined) return { what: put(terms.volcanoLevel, level), cancel }
  const product = productHeadIn(request, name)
  return product === null ? null : { ...product, cancel }
}

/** An emergency that forecasters declare in the text of a warning: `TORNADO EMERGENCY`. */
export function emergencyText(request: ComposeRequest, emergency: string): string {
  const terms = termsOf(request)
  if (terms === null) return emergency.toUpperCase()
  return terms.emergencies[/^tornado/i.test(emergency) ? 'tornado' : 'flash_flood']
}

/** A head that has a level behind it in English: `G2 geomag storm WATCH`. */
export function levelledHead(request: ComposeRequest, head: string, level: string): string {
  const terms = termsOf(request)
  if (terms === null) return `${head} ${level}`
  const word = levelIn(terms, level)
  return word === null ? head : `${head} ${word}`
}

/** A level word of an English text in another language; null for one that is none there. */
export function levelIn({ levelWords }: Terms, level: string): string | null {
  if (level === 'WARN' || level === 'WATCH' || level === 'ADV') return levelWords[level]
  return null
}

/** The mark of our own drills in the title that the API shows. */
const ENGLISH_MARK = /^(?:DRILL|EXERCISE), no danger(?:: |$)/

/**
 * A drill or an exercise says so in the channel's language before everything else, also before its end: `ENTWARNUNG` in front would be
 * heard as the all-clear of something real. Beside that stand the words of its title alone: none of ours that call for something.
 */
export function drill(request: ComposeRequest): Draft {
  const { event, kind } = request
  const { drill: plain, exercise, fixed } = wordsOf(request)
  const mark = isExercise(event) ? exercise : plain
  const became = { new: '', update: fixed.update, cancel: fixed.ended, expire: fixed.ended }[kind]
  const subject = [became, event.title.replace(ENGLISH_MARK, '')].filter((word) => word !== '').join(' ')
  return {
    ...baseDraft(request),
    what: subject === '' ? mark : `${mark}:`,
    whereJoint: ', ',
    subject,
    detail: '',
    guidance: [],
    urgent: 0
  }
}

/** News of radios and nodes; null where they are said in English, or in words we do not know. */
export function mesh(request: ComposeRequest): Draft | null {
  const terms = termsOf(request)
  const { event, language = 'en' } = request
  const saying = terms === null ? null : meshSaying(terms, event, language)
  return saying === null ? null : { ...baseDraft(request), what: wordsOf(request).mesh, subject: saying }
}

const NAMES: readonly MeshSaying[] = ['radio', 'critical']
const SAYINGS = (Object.keys(MESH_SAYINGS) as MeshSaying[]).filter((saying) => !NAMES.includes(saying))

function meshSaying(terms: Terms, event: LookoutEvent, language: AirLanguage): string | null {
  const found = firstOf(SAYINGS, terms, titleOf(event))
  if (found === null) return null
  const [name = '', ...figures] = found.values.map((value, at) => (at === 0 ? value : durationIn(language, value)))
  const called = firstOf(NAMES, terms, name)
  return putAll(found.pattern, [called === null ? name : putAll(called.pattern, called.values), ...figures])
}

/** Figures of a duration, of which some are percent. */
const durationIn = (language: AirLanguage, figure: string): string =>
  /^(?:\d+[dhm])+$/.test(figure) ? inUnits(language, figure) : figure

function firstOf(
  sayings: readonly MeshSaying[],
  { mesh: patterns }: Terms,
  text: string
): { pattern: string; values: string[] } | null {
  for (const saying of sayings) {
    const values = MESH_SAYINGS[saying].exec(text)?.slice(1)
    if (values !== undefined) return { pattern: patterns[saying], values }
  }
  return null
}
