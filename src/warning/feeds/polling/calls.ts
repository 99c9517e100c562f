import { isUrgent } from '../../../model/urgent.ts'
import { oneLine, sentences } from '../reading/prose.ts'

/** Two cries that begin alike are one. Characters. */
const ALIKE = 9
/** An instruction longer than this is no cry. Characters. */
const MOST_URGENT = 130

/** Beginnings of sentences that ask for nothing now: where to read on, what a watch is, who asked for it. */
const EMPTY = [
  /^(?:A|An|The|There|This|These|It|In|For|(?:Heavy|Lake effect) snow will|Rip currents are|High surf will)\b/,
  /^(?:please )?(?:continue to )?(?:monitor|listen|stay tuned|check|consult|visit|refer|see|report|submit|tune)\b/i,
  /^you should (?:monitor|listen|continue)/i,
  /^(?:remember|additional information|persons? in these areas|most flood deaths|visibility)\b/i,
  /\bmeans that\b|\bweather\.gov\b|https?:|\bwww\.|\bnot applicable\b|\b(?:is|are) a very dangerous situation\b/i,
  /^(?:flash )?flooding is\b|^submit\b|^call 5 ?1 ?1\b|^the latest road conditions\b|^if able,|^prepare for possible\b|^one less spark|^to repeat\b/i
]

/** `People in the path are urged to seek shelter` asks for `Seek shelter`. */
function imperative(whole: string): string {
  const sentence = capital(whole.replace(LEADING, ''))
  // An order to leave must not get lost.
  if (
    /\b(?:must|should|are (?:urged|ordered|asked)(?: to)?)(?: immediately)? (?:evacuate|leave)\b/i.test(sentence) &&
    !NOBODY.test(sentence)
  )
    return sentence
  // Nor who has to stay inside.
  if (SOME_ONLY.test(sentence)) return sentence
  const asked =
    /^.{0,160}?\b(?:(?:are|is) (?:urged|urgest|advised|asked|encouraged|ordered)(?: to)?|should|must)(?: immediately)? (?=(?:seek|move|evacuate|leave|shelter|take|stay|secure|remain|avoid|prepare|close|boil)\b)/i.exec(
      sentence
    )?.[0]
  if (asked === undefined) return sentence
  return capital(sentence.slice(asked.length))
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Beginnings that a call does not need. */
const LEADING =
  /^(?:[-\u2022]? ?(?:ACT|PLAN|PREPARE): |(?:for your (?:own )?(?:protection|safety)|to protect your (?:life|lives|property|self)|to repeat),? |this is an? (?:extremely )?(?:life[- ]threatening|dangerous) situation[.;,]? |if you see (?:him|her|them|it|this person|the (?:man|woman|person|vehicle|car|suspects?))[^,.]{0,40}?,? (?=do not|don't|call)|if you are (?:located )?in (?:this|the|these)(?: \w+){0,3} areas?,? (?:you should )?)/i
/** Not everybody who reads it is meant: `Persons within one mile should shelter in place`. */
const SOME_ONLY =
  /^(?:people|persons?|anyone|everyone|residents|those)\b[^.,]{0,60}\b(?:within|between|downwind|downstream|(?:north|south)?(?:east|west|north|south)(?:ern)? of)\b.{0,80}?\b(?:must|should|are (?:urged|advised|asked|ordered|directed))\b/i
/** Everybody who reads it is meant. */
const NOBODY =
  /^(?:people|persons?|you|everyone|everybody|residents|those)(?: in (?:the|this|these)(?: \w+){1,3})? (?:must|should|are)\b/i

/** Only for whoever sees it: what everybody has to do comes first. */
const WHEN_SEEN = /^if you (?:spot|see|hear) (?:an? )?(?:tornado|funnel|waterspout)/i

const IMPERATIVE =
  /^(?:if caught|if driving|if (?:dense )?(?:dust|smoke)\b|if you (?:must|are|live|see|drive|do burn)|reduce|limit|drive|dress|bring|check on|turn (?:on|off)|wear|delay|postpone|report to|obey|follow|call 911|drink|find|climb|run|drop|keep|take|seek|move|do not|don't|evacuate|turn around|leave|go|stay|avoid|get|use|shelter|abandon|remain|secure|fasten|slow|swim|heed|prepare|close|boil|comply|keep|treat|consider (?:avoiding|delaying))\b/i

/**
 * The call of a bulletin to people: the sentence that saves lives, else the first that says something to do. '' when it
 * only says where to read on, or what the product is. CAP writes `Not Applicable` where there is nothing. In a bulletin
 * about several hazards what concerns `event` comes first.
 */
export function callToAction(instruction: string, event = ''): string {
  if (/^\s*(?:not applicable|none|n\/a)\W*$/i.test(instruction)) return ''
  const all = sentences(oneLine(instruction).replace(/^(?:REMEMBER\.{3}|ACHTUNG!|HINWEIS:|NOTE:)\s*/i, ''))
  const urgent = all
    .filter((sentence) => [sentence, imperative(sentence)].some(isUrgent) && imperative(sentence).length < MOST_URGENT)
    .sort(
      (a, b) => Number(WHEN_SEEN.test(a)) - Number(WHEN_SEEN.test(b)) || Number(b.length < 60) - Number(a.length < 60)
    )
  const [most = '', ...others] = urgent.map(imperative)
  const next = others.find((other) => other.slice(0, ALIKE).toLowerCase() !== most.slice(0, ALIKE).toLowerCase())
  if (most !== '') return next === undefined ? most : `${most} ${next}`
  const useful = all.filter((sentence) => !EMPTY.some((pattern) => pattern.test(imperative(sentence))))
  const asked = useful.filter((sentence) => IMPERATIVE.test(imperative(sentence)))
  const topic = TOPICS.find(([pattern]) => pattern.test(event))?.[1]
  const call = asked.find((sentence) => topic?.test(sentence) === true) ?? asked[0] ?? useful[0]
  return call === undefined ? '' : whole(imperative(call), instruction)
}

/** `Winds this strong can make driving difficult. Use extra caution.`: with what it is about. */
function whole(call: string, instruction: string): string {
  return /^use extra caution\.?$/i.test(call) && /\bdriv/i.test(instruction) ? 'Use extra caution when driving.' : call
}

/** Actions by hazard, where a bulletin speaks of several. */
const TOPICS: readonly (readonly [RegExp, RegExp])[] = [
  [/surf|rip current|beach|sneaker|swim/i, /\b(?:swim|swimmers|water|surf|lifeguard|rip current|beach)/i],
  [/small craft|gale|marine|seas|brisk|low water|freezing spray/i, /\b(?:mariners?|boat|port|harbor|vessel|craft)/i],
  [/flood/i, /\b(?:flood|higher ground|turn around|drown)/i],
  [/dust/i, /\b(?:pull off|caught in)\b/i],
  [/wind|storm/i, /\b(?:objects?|windows?|shelter|driv|travel|stay (?:at home|inside|indoors))/i],
  [/freeze|frost/i, /\b(?:plants?|pipes?|vegetation)/i],
  [/cold|chill/i, /\b(?:dress|layers|pets|outside|frostbite)/i],
  [/heat/i, /\b(?:fluids|water|hydrated|air[- ]conditioned|sun)/i],
  [/fire|red flag/i, /\b(?:burn|fire|flame|spark)/i]
]

/** The sentence that saves lives of a text that has no part of its own for instructions; '' without one. */
export function urgentCall(text: string): string {
  // Statements of tropical storms list what to do beside what to expect.
  const listed = /^[ \t]*- ACT: ([^.]{10,120}\.)/m.exec(text)?.[1]
  const all = [...(listed === undefined ? [] : [oneLine(listed)]), ...sentences(text)].map(imperative)
  const at = all.findIndex((sentence) => isUrgent(sentence) && sentence.length < MOST_URGENT)
  const [found = '', next = ''] = at < 0 ? [] : all.slice(at)
  return /^do not approach\b/i.test(found) && /^call \d/i.test(next) ? `${found} ${next}` : found
}
