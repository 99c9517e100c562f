import { AIR_LANGUAGES, type AirLanguage } from '../../model/air-languages.ts'
import { isUrgent } from '../../model/urgent.ts'
import { CALL_PATTERNS, type Call } from './catalogue/hazards.ts'
import { put, type Terms } from './catalogue/words.ts'
import { countryIn, namesCountries } from './countries.ts'
import type { Draft } from './draft.ts'
import { headIn, inItsTongue } from './fixed-words.ts'
import { relatedIn } from './place-relations.ts'
import type { ComposeRequest } from './request.ts'
import { splitSentences, withoutStop } from './sentences.ts'
import { declaredBy, spokenBy } from './spoken.ts'
import { inOwnName } from './tongue-blocks.ts'
import { termsOf, wordsOf } from './wording.ts'

type Write = (request: ComposeRequest) => Draft

/**
 * A message in the language of its channel (docs/decisions/0048): with the source's own words where they are in it; else with what can
 * be said of it in that language, the source's prose left out; else whole in the source's own tongue. Never half of each.
 */
export function inChannelTongue(request: ComposeRequest, write: Write): Draft {
  const { language = 'en', event } = request
  const draft = write(request)
  const spoken = spokenBy(event)
  // Nobody names a tongue: figures come from feeds, which speak English; words of one's own are those of the people here.
  if (spoken === language || (spoken === null && draft.own !== undefined)) return inOwnWords(draft, request)
  return factsOnly(draft, request) ?? whole(request, spoken, write)
}

function inOwnWords(draft: Draft, request: ComposeRequest): Draft {
  if (draft.own === 'what') return { ...draft, what: headIn(wordsOf(request).fixed, draft.what) }
  // `BRAND Große Waldbrandgefahr`: a service says in its headline what it is, and a word of ours may be another thing.
  if (draft.own === 'subject' && declaredBy(request.event) !== '') return { ...draft, what: draft.subject, subject: '' }
  return draft
}

const isAirLanguage = (language: string | null): language is AirLanguage =>
  AIR_LANGUAGES.some((known) => known === language)

/** All of it in the tongue of its source: a text of which half cannot be read misleads more than one that must be asked about. */
function whole(request: ComposeRequest, spoken: string | null, write: Write): Draft {
  if (spoken === null || spoken === 'en' || !isAirLanguage(spoken))
    return inItsTongue(write(inOwnName({ ...request, language: 'en' })), request.event)
  const theirs: ComposeRequest = { ...request, language: spoken }
  return inOwnWords(write(theirs), theirs)
}

/** The message without its source's prose; null where that would leave out what it is about, or what saves lives. */
function factsOnly(draft: Draft, request: ComposeRequest): Draft | null {
  const terms = termsOf(request)
  if (terms === null || draft.own === 'what') return null
  const subject = draft.own === 'subject' ? nameIn(draft.subject, request) : draft.subject
  if (subject === null) return null
  const where = whereIn(draft.where, request)
  // An end is in the channel's words already.
  if (request.kind === 'cancel' || request.kind === 'expire') return { ...draft, subject, where }
  const sentences = splitSentences(draft.detail).map(withoutStop)
  if (isTooLittle(draft) && sentences.length > 0) return null
  const told = [...draft.guidance, ...sentences].map((said) => ({ said, call: callIn(terms, said) }))
  if (told.some(({ said, call }) => call === null && isUrgent(said))) return null
  const calls = [...new Set(told.flatMap(({ call }) => call ?? []))]
  const urgent = told.some(({ said, call }) => call !== null && isUrgent(said))
  const detail = detailIn(terms, draft.detail)
  return { ...draft, subject, where, detail, guidance: calls, urgent: urgent ? 1 : 0 }
}

/** Names of places with what stands between them, and a place that is named as its fire. */
function whereIn(where: Draft['where'], request: ComposeRequest): Draft['where'] {
  const words = wordsOf(request)
  const { event, language = 'en' } = request
  const areCountries = namesCountries(event)
  const said = (place: string): string =>
    areCountries
      ? countryIn(language, place)
      : relatedIn(words, event.family === 'fire' ? place.replace(FIRE, '') : place)
  return { ...where, phrases: where.phrases.map(said), places: where.places.map(said) }
}

/** Of a product only its prose may say where it is, or what to do. */
function isTooLittle({ needsDetail, where: { phrases, regions, places } }: Draft): boolean {
  return needsDetail === true || (needsDetail === false && phrases.length + regions.length + places.length === 0)
}

const CALLS = Object.keys(CALL_PATTERNS) as Call[]

/** A call of a service in the channel's words; null for one that says more than they do. */
function callIn({ calls }: Terms, said: string): string | null {
  const asked = said.replace(/[.!]+$/, '')
  const call = CALLS.find((known) => CALL_PATTERNS[known].test(asked))
  return call === undefined ? null : calls[call]
}

const FIRE = / (?:(?:structure|house|building|vegetation|scrub|forest|wild|bush|grass) ?)?fire$/i
const HOTSPOT = /^(?:(\d+) hotspots|hotspot), (\d+ MW)$/i
/** A name has no small words: `Two Barrel`, `Hwy 26/97`, `1702`. */
const NAME =
  /^(?:[\p{Lu}\p{N}#][\p{L}\p{N}'./#&-]*|-|&|de|la|du|of)(?: (?:[\p{Lu}\p{N}#(][\p{L}\p{N}'./#&()-]*|-|&|de|la|du|of)){0,6}$/u

/** The name of a thing, as far as a title is one; null for a sentence. */
function nameIn(subject: string, request: ComposeRequest): string | null {
  const bare = subject.replace(/,$/, '')
  const [spots, count, power = ''] = HOTSPOT.exec(bare) ?? []
  if (spots !== undefined)
    return [count === undefined ? '' : `${count}x`, power].filter((word) => word !== '').join(' ')
  const name = request.event.family === 'fire' ? bare.replace(FIRE, '') : bare
  return NAME.test(name) ? name + subject.slice(bare.length) : null
}

const NO_ALERTS = /^No alerts on (Meshtastic|MeshCore) until it is back$/
const HEAT = /^heat seen by satellite\b/i
/** `Payette River near Letha`: gauges are named by the town they stand at. */
const BESIDE = / (?:near|at|above|below|in) (.+)$/
const beside = (_: string, town: string): string => ` (${town.replace(/ (?:near|at) /, ', ')})`
const RIVER = /^([^:.]{3,70}): (record|major|moderate|minor) flooding\b/i

/** The few sentences of English detail that are figures of speech of our own feeds, or name a river. */
function detailIn({ grades, fireStates, heatSeen, noAlerts }: Terms, detail: string): string {
  const [, network] = NO_ALERTS.exec(detail) ?? []
  if (network !== undefined) return put(noAlerts, network)
  const rivers = detail.split('. ').flatMap((sentence) => {
    const [, river = '', grade = ''] = RIVER.exec(sentence) ?? []
    const flood = new Map(Object.entries(grades)).get(grade.toLowerCase())
    return flood === undefined ? [] : [`${river.replace(BESIDE, beside)}: ${flood}`]
  })
  if (rivers.length > 0) return rivers.join('. ')
  if (HEAT.test(detail)) return heatSeen
  return new Map(Object.entries(fireStates)).get(detail.toLowerCase()) ?? ''
}
