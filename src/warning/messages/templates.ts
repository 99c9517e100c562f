import { isDrill } from '../../model/event.ts'
import { isKindOfMessage } from '../../model/kind-names.ts'
import { isNamedAgain } from '../../model/named-again.ts'
import { fireSize } from '../../model/units.ts'
import { abbreviateEvent, levelWord, productHead, productInTitle } from './abbreviations.ts'
import { put } from './catalogue/words.ts'
import { inChannelTongue } from './channel-tongue.ts'
import { saysColour } from './colour-words.ts'
import { baseDraft, type Draft, endedStamp, sentStamp, titleOf, updatedTime } from './draft.ts'
import { drill, emergencyText, levelledHead, mesh, productDraft } from './draft-terms.ts'
import { ending, raised, remainsOf, replacementOf } from './endings.ts'
import { numberFact, textFact } from './facts.ts'
import { inItsTongue } from './fixed-words.ts'
import { bareName } from './places.ts'
import { distanceText } from './position.ts'
import type { ComposeRequest } from './request.ts'
import { riverGauge } from './river-gauge.ts'
import { sanitise } from './sanitise.ts'
import { satellitePass } from './satellite-pass.ts'
import { parseInstant } from './times.ts'
import { inBlockOf, inOwnName } from './tongue-blocks.ts'
import { pointWhere, type Where } from './where.ts'
import { momentText, termsOf, wordsOf } from './wording.ts'

/**
 * The words of the families, in the order WHAT + LEVEL, WHERE, UNTIL, DETAIL, DO, SOURCE. Beside the named keys of
 * `EventData` the templates read, where a feed gives them: fire: `incident_name`, `acres` or `hectares`,
 * `contained_percent`; avalanche: `danger_level` 1-5; rf_propagation: `scale` (`G3`), `kp`; roads: `road`; any:
 * `until_further_notice`.
 */

/** The draft of a message: its family's template, or title, places and time for a family of one's own. */
export function draftMessage(request: ComposeRequest): Draft {
  const asked = inBlockOf(request)
  return termsOf(asked) === null ? inItsTongue(inWords(inOwnName(asked)), asked.event) : inChannelTongue(asked, inWords)
}

function inWords(request: ComposeRequest): Draft {
  const draft = raised(named(fill(request), request), request)
  const words = wordsOf(request)
  switch (request.kind) {
    case 'new':
      return draft
    case 'update':
      return { ...draft, what: put(isDrill(request.event) ? '$' : words.update, draft.what) }
    case 'cancel':
      return ending(draft, isDrill(request.event) ? '$' : (draft.cancel ?? words.over), {
        stamp: sentStamp(request),
        now: replacementOf(request),
        remains: remainsOf(request)
      })
    case 'expire':
      return ending(draft, isDrill(request.event) ? '$' : words.ended, {
        stamp: endedStamp(request),
        now: '',
        remains: ''
      })
  }
}

/** A message always says what it is about, if only its family. */
function named(draft: Draft, request: ComposeRequest): Draft {
  const { event } = request
  const what = sanitise(draft.what)
  if (what !== '') return { ...draft, what }
  if (draft.subject !== '') return { ...draft, what: sanitise(draft.subject), subject: '' }
  const { notice } = wordsOf(request)
  if (termsOf(request) !== null) return { ...draft, what: notice }
  return { ...draft, what: sanitise(event.family.replaceAll('_', ' ')).toUpperCase().slice(0, 24) || notice }
}

/** A tsunami message that speaks of its earthquake is not about an earthquake. */
function isQuake({ category, data }: ComposeRequest['event']): boolean {
  return category === 'earthquake_event' || (numberFact(data, 'magnitude') !== null && !category.startsWith('tsunami'))
}

function fill(request: ComposeRequest): Draft {
  const { event } = request
  const { data, family, category } = event
  if (isDrill(event)) return drill(request)
  if (parseInstant(data['rise_time']) !== null) return satellitePass(request)
  if (isQuake(event)) return quake(request)
  if (family === 'rf_propagation') return radio(request)
  if (family === 'avalanche') return avalanche(request)
  const product = headOf(request)
  if (product !== null) return declared({ ...baseDraft(request), ...product }, request)
  if (textFact(data, 'gauge') !== '' || category.startsWith('stream_')) return riverGauge(request)
  if (family === 'fire') return fire(request)
  if (family === 'roads') return road(request)
  if (family === 'weather' || family === 'emergency') return hazard(request)
  return family === 'mesh_health' ? (mesh(request) ?? titled(request, wordsOf(request).mesh)) : titled(request, '')
}

/** The product that an event is; null for what is none. */
function headOf(request: ComposeRequest): Pick<Draft, 'what' | 'needsDetail' | 'cancel'> | null {
  const { event } = request
  const name = textFact(event.data, 'event_name') || (productInTitle(titleOf(event)) ?? '')
  if (termsOf(request) !== null) return productDraft(request, name)
  const product = orderIn(event) ?? productHead(name)
  return product === null ? null : { what: graded(product, event) }
}

/** Norway and MeteoAlarm name a warning alike at every level; from orange on its colour is told. */
function graded(product: string, { data }: ComposeRequest['event']): string {
  const colour = textFact(data, 'awareness').toUpperCase()
  return /^(?:ORANGE|RED)$/.test(colour) && !product.includes(colour) ? `${colour} ${product}` : product
}

/** Canada sends `wildfire - Evacuation Order`: the order is the news. */
const EVACUATION = /^wildfire - (evacuation (?:order|alert))\b/i

const orderIn = ({ title }: ComposeRequest['event']): string | null =>
  EVACUATION.exec(title)?.[1]?.toUpperCase() ?? null

const EMERGENCY = /^((?:tornado|flash flood) emergency)(?: for ([^.]{2,60}))?(?:\. |$)/i

/** Names an emergency as its forecasters declare it, and first the place it is declared for. */
function declared(draft: Draft, request: ComposeRequest): Draft {
  const [whole = '', emergency = '', place = ''] = EMERGENCY.exec(draft.detail) ?? []
  if (whole === '') return draft
  const { regions, places } = draft.where
  const named = usualCase(place.replace(/^the /i, ''))
  return {
    ...draft,
    what: emergencyText(request, emergency),
    where: { ...draft.where, regions, places: named === '' ? places : [named, ...places] },
    detail: draft.detail.slice(whole.length)
  }
}

function usualCase(name: string): string {
  if (/\p{Ll}/u.test(name)) return name
  return name
    .toLowerCase()
    .replace(/(^|[\s/-])(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}

/** `word` and the title, or the title alone when it says that word already; a bushfire is a fire. */
function titled(request: ComposeRequest, word: string): Draft {
  const title = titleOf(request.event)
  const plain = baseDraft(request)
  const places = plain.where.places.filter((place) => !names(title, place))
  const base: Draft = { ...plain, where: { ...plain.where, places }, whereJoint: ', ' }
  const [first = ''] = word.toLowerCase().split(' ')
  return word === '' ||
    title
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .some((said) => said === first || (first === 'fire' && said.endsWith(first)))
    ? { ...base, what: title || word, own: 'what' }
    : { ...base, what: word, subject: title, own: 'subject' }
}

/** True when a title says the place already: `Fire near Coolagolite`. */
function names(title: string, place: string): boolean {
  const name = bareName(place).replace(/^(?:village|city|town|municipality|district) of /, '')
  // `Sevier, TN` is a county, and a fire may be called `Sevier - East Parkway`.
  return (
    name === bareName(title) ||
    (name.length > 3 &&
      !place.includes(',') &&
      ` ${title.toLowerCase().replace(/[-,:;]/g, ' ')} `.includes(` ${name} `))
  )
}

/** Names of alerts that say nothing; the title does. */
const SAYS_NOTHING =
  /^(?:other(?: incident| event)?|alert|incident|event|information|notice|message|warning|emergency)$/i

function hazard(request: ComposeRequest): Draft {
  const name = textFact(request.event.data, 'event_name')
  const title = titleOf(request.event)
  const base = baseDraft(request)
  if (name === '' || SAYS_NOTHING.test(name) || (isKindOfMessage(name) && !tells(base.detail, title)))
    return titled(request, '')
  const colour = colourOf(request.event)
  const what = levelled(abbreviateEvent(name), name, title)
  return {
    ...base,
    own: 'what',
    what: colour === '' || saysColour(what, colour) ? what : `${colour} ${what}`,
    detail: base.detail === '' && tellsMore(title, [name, ...base.where.places]) ? title : base.detail
  }
}

/** A headline that is not only name, level, places and times: so many words of it are new. */
const NEW_WORDS = 3

function tellsMore(title: string, said: readonly string[]): boolean {
  if (isNamedAgain(title) || productInTitle(title) !== null || /\bissued\b/i.test(title)) return false
  const known = said.join(' ').toLowerCase()
  const words = title.toLowerCase().match(/\p{L}{4,}/gu) ?? []
  return words.filter((word) => !known.includes(word) && levelWord(word) === null).length >= NEW_WORDS
}

/** True when DETAIL says the most of a headline again, if in another form of its words. */
function tells(detail: string, title: string): boolean {
  const words = title.toLowerCase().match(/\p{L}{5,}/gu) ?? []
  const again = words.filter((word) => detail.toLowerCase().includes(word))
  return again.length * 2 > words.length
}

/** Canada writes `red warning - tornado`, New Zealand `Heavy Rain Warning - Red`; a red flag is no level. */
const COLOUR =
  /\b(yellow|amber|orange|red)\b(?! flag)(?= (?:[\w-]+ ){0,2}(?:warning|watch|advisory|alert)\b)|\b(?:warning|watch|advisory) - (yellow|amber|orange|red)\b/i

/** The colour of its level, in capitals; '' where nobody names one. */
function colourOf({ data, title }: ComposeRequest['event']): string {
  const named = textFact(data, 'awareness')
  if (named !== '' || data['cap'] === undefined) return named.toUpperCase()
  const [, before, after] = COLOUR.exec(title) ?? []
  return (before ?? after ?? '').toUpperCase()
}

const FORCES = ['heavy', 'severe', 'strong', 'extreme', 'damaging', 'freezing']

/** Canada and New Zealand name the hazard only, `tornado`, `rain`; how strong it is, and whether it is a watch or a warning, stands in the headline. */
function levelled(what: string, name: string, title: string): string {
  const said = title.toLowerCase()
  if (levelWord(name) !== null || !said.includes(name.toLowerCase())) return what
  const level = levelWord(title)
  const force = FORCES.find((word) => said.includes(`${word} ${name.toLowerCase()}`))
  if (force !== undefined) return abbreviateEvent(`${force} ${name} ${level ?? ''}`)
  return level === null || what.includes(level) ? what : `${what} ${level}`
}

function quake(request: ComposeRequest): Draft {
  const { event } = request
  const words = wordsOf(request)
  const magnitude = numberFact(event.data, 'magnitude')
  const origin = parseInstant(event.data.origin_time)
  const base = baseDraft(request)
  return {
    ...base,
    what: words.quake,
    cancel: words.withdrawn,
    // A headline of an agency repeats magnitude and depth, or knows no place.
    detail: /\[unknown\]|^(?:green|orange|red) earthquake alert\b/i.test(base.detail) ? '' : base.detail,
    subject: magnitude === null ? '' : `M${magnitude.toFixed(1)}`,
    where: pointWhere(request, false),
    extra: depthText(request),
    time:
      origin === null
        ? { joint: ' ', variants: [sentStamp(request)].filter((stamp) => stamp !== ''), last: false }
        : { joint: ', ', variants: [momentText(request, origin)], last: false }
  }
}

/** `38km deep`; a depth of nothing, or above the sea, is only said to be shallow. */
function depthText(request: ComposeRequest): string {
  const { event, station } = request
  const words = wordsOf(request)
  const depth = numberFact(event.data, 'depth_km')
  if (depth === null) return ''
  const distance = distanceText(depth, station.units)
  return depth <= 0 || distance.startsWith('0') ? words.shallow : put(words.deep, distance)
}

const FIRE_WORDS = new Map(
  Object.entries({
    wildfire_hotspot: 'hotspot',
    unattributed_hotspot_cluster: 'hotspots',
    new_ignition: 'newFire',
    wildfire_spotting: 'fireSpotting'
  } as const)
)

function fire(request: ComposeRequest): Draft {
  const { data, category } = request.event
  const planned = /^prescribed burn\W*$/i.test(textFact(data, 'detail'))
  const words = wordsOf(request)
  const word = planned ? words.prescribedBurn : words[FIRE_WORDS.get(category) ?? 'fire']
  const name = textFact(data, 'incident_name')
  const base = name === '' ? titled(request, word) : { ...baseDraft(request), what: word, subject: name }
  const contained = numberFact(data, 'contained_percent')
  const facts = [areaText(request), contained === null ? '' : put(words.contained, String(Math.round(contained)))]
    .filter((fact) => fact !== '')
    .join(' ')
  return {
    ...base,
    // Many fires have a number for a name: `FIRE 1702, 0.3ac`.
    subject: facts !== '' && /\d$/.test(base.subject) ? `${base.subject},` : base.subject,
    facts,
    detail: planned ? '' : base.detail,
    where: withoutPlace(pointWhere(request, true), titleOf(request.event)),
    time: updatedTime(request, false)
  }
}

/** A place that is the title is said already. */
function withoutPlace(where: Where, title: string): Where {
  return { ...where, places: where.places.filter((place) => !names(title, place)) }
}

function areaText({ event: { data }, station }: ComposeRequest): string {
  const size = fireSize({ acres: numberFact(data, 'acres'), hectares: numberFact(data, 'hectares') }, station.units)
  return size === null ? '' : size.figure + size.unit
}

/** The North American Public Avalanche Danger Scale, 1-5; Europe has the same steps. */
function avalanche(request: ComposeRequest): Draft {
  const { data } = request.event
  const level = numberFact(data, 'danger_level')
  const words = wordsOf(request)
  const word = level === null ? undefined : words.danger[level - 1]
  const danger = word === undefined ? '' : `${word}(${level})`
  const product = headOf(request)
  if (product !== null) return { ...baseDraft(request), ...product, facts: danger }
  return danger === ''
    ? titled(request, words.avalanche)
    : { ...baseDraft(request), what: put(words.avalancheDanger, danger) }
}

const ROAD_WORDS = new Map(
  Object.entries({
    road_closure: 'roadClosed',
    road_incident: 'roadIncident',
    work_zone: 'roadWork',
    traffic_congestion: 'trafficSlow'
  } as const)
)

function road(request: ComposeRequest): Draft {
  const { data, category, expires } = request.event
  const words = wordsOf(request)
  const word = /\bchain[- ]?ups?\b|\bchains required\b/i.test(textFact(data, 'detail'))
    ? words.chainUp
    : words[ROAD_WORDS.get(category) ?? 'road']
  const name = textFact(data, 'road')
  const base = roadBase(request, name, word)
  const at = pointWhere(request, false)
  // The nearest place is enough: what it runs between stands in the detail.
  const stretch = / between /i.test(base.detail) && /^between\b/i.test(at.places[0] ?? '')
  const where = name === '' ? at : { ...at, places: stretch ? [] : at.places.slice(0, 1) }
  const [near = ''] = where.places
  return {
    ...base,
    where,
    detail: chainless(near === '' ? base.detail : base.detail.replace(` (${near})`, '')),
    // A road is long: without a place only the prose says where.
    needsDetail: false,
    // `Hwy 3, 6 to 5 km east of Kootenay Pass`.
    whereJoint: /^\d/.test(where.phrases[0] ?? where.places[0] ?? '') ? ', ' : base.whereJoint,
    time: parseInstant(expires) === null ? updatedTime(request, true) : base.time,
    detailJoint: name === '' ? '. ' : ': '
  }
}

/** An order to put on chains, without what its head says. */
function chainless(detail: string): string {
  return detail
    .replace(/^Commercial chain[- ]?ups? in effect\b/i, 'Commercial vehicles')
    .replace(
      /^Commercial vehicles between (.+?) for [\d.]+ km$/,
      (_, stretch: string) => `Commercial vehicles between ${stretch.replace(/ ?\([^()]*\)/g, '')}`
    )
}

/** The title of a source's report is its place and `Road incident`, which are both said anyway. */
function roadBase(request: ComposeRequest, name: string, word: string): Draft {
  if (name !== '') return { ...baseDraft(request), what: word, subject: name }
  return textFact(request.event.data, 'event_name') === ''
    ? titled(request, word)
    : { ...baseDraft(request), what: word }
}

/** NOAA space weather scales. */
const SCALES = new Map(Object.entries({ G: 'geomagnetic', S: 'radiation', R: 'blackout' } as const))

function radio(request: ComposeRequest): Draft {
  const { event } = request
  const words = wordsOf(request)
  const scale = textFact(event.data, 'scale').toUpperCase()
  const storm = /^[GSR][1-5]$/.test(scale) ? SCALES.get(scale.charAt(0)) : undefined
  if (storm === undefined) return hazard(request)
  const head = `${scale} ${words[storm]}`
  const base = baseDraft(request)
  const level = levelWord(textFact(event.data, 'event_name') || titleOf(event))
  const kp = numberFact(event.data, 'kp')
  const origin = parseInstant(event.data.origin_time)
  return {
    ...base,
    // Forecast and observed storms differ in the level word only.
    what: level === null ? head : levelledHead(request, head, level),
    facts: kp === null ? '' : `Kp${Math.round(kp)}`,
    time:
      origin === null
        ? base.time
        : { joint: ' ', variants: [put(words.observed, momentText(request, origin))], last: false }
  }
}
