import { airSentence } from './air-quality.ts'
import { dayOf, periodOf } from './forecast.ts'
import { headlineOf, isRestated } from './headline.ts'
import { missingSentence } from './missing.ts'
import { aboutEvent, block, capitalised, type HazardTimes, NO_TIMES } from './passages.ts'
import { clip, oneLine, sentences } from './prose.ts'
import { riverSentence } from './river.ts'
import { calmText } from './spelling.ts'

/** More than three packets hold; the composer takes what fits. */
const LONG = 640

/**
 * The sentence of an NWS bulletin about what happens: the figures of a river, of fire weather or of a watch, else the
 * storm and its HAZARD, else WHAT, else the first period of a forecast, else the first sentence that is neither a
 * heading nor a repetition of the head. '' when there is none. In a bulletin about several hazards it is what is said
 * about `event`, of several of its name the one of these times.
 */
export function hazardSentence(description: string, event: string, times: HazardTimes = NO_TIMES): string {
  const own =
    figuresOf(description, event, times) ?? stormOf(description) ?? listedFacts(description) ?? cycloneOf(description)
  if (own !== null) return clip(own, LONG)
  const what = block(description, 'WHAT') ?? block(description, 'HAZARD')
  if (what !== null)
    return withBarrier(
      withRiver(
        namedFirst(aboutEvent(sentences(what), { event, times, description }), event, times),
        description,
        event
      ),
      description
    )
  const listed = oldBullets(description)
  if (listed !== '') return clip(listed, LONG)
  const period = periodOf(description, times.begins)
  if (period !== null) return period
  for (const paragraph of description.split(/\n\s*\n|\n(?=[ \t]*\*)|\n(?<=^\.{3}.*\.{3}\n)(?=\S)/m)) {
    const told = toldBy(paragraph.trim())
    if (told !== '') return told
  }
  return ''
}

const OLD_BULLETS = [
  'HAZARD TYPES?',
  '(?:SNOW |ICE |SLEET )?ACCUMULATIONS?',
  'WINDS?(?:/VISIBILITY)?',
  'WIND CHILL(?: READINGS| VALUES)?S?',
  'TEMPERATURES?',
  'VISIBILIT(?:Y|IES)',
  '(?:WAVES|SEAS|SURF)(?: AND (?:WAVES|SEAS|SURF))?',
  'HEAT INDEX(?: VALUES)?'
]

/** The hazard from the bullets used before 2018, its figures among them; '' without such bullets. */
function oldBullets(description: string): string {
  const told = OLD_BULLETS.map((name) => oneLine(block(description, name) ?? '')).filter((text) => text !== '')
  return told.length === 0 || !told.some((text) => /\d/.test(text))
    ? ''
    : told.map((text) => text.replace(/(?<![.\s])[.\s]*$/, '.')).join(' ')
}

/** `3 PM` of a time with its own offset, as bulletins write it; none of one in UTC, which no office uses. */
export function clockLabel(time: string): string[] {
  const [, hours = '', minutes = ''] = /T(\d\d):(\d\d)(?::\d\d)?-\d\d:\d\d$/.exec(time) ?? []
  if (hours === '') return []
  if (minutes === '00' && Number(hours) % 12 === 0) return [hours === '00' ? 'midnight' : 'noon']
  const hour = Number(hours) % 12 === 0 ? 12 : Number(hours) % 12
  return [`${hour}${minutes === '00' ? '' : minutes} ${Number(hours) < 12 ? 'AM' : 'PM'}`]
}

function figuresOf(description: string, event: string, times: HazardTimes): string | null {
  if (/^(?:red flag|fire weather)\b/i.test(event)) return fireWeather(description, event, times)
  if (/^flood /i.test(event)) return riverSentence(description, riverOf(description))
  if (/^air quality/i.test(event)) return airSentence(description) || null
  if (/^(?:child abduction|amber(?: alert)?$|missing endangered|silver alert|blue alert)/i.test(event))
    return missingSentence(description) || (CIVIL.test(event) ? allSaid(description) : null)
  if (/^(?:hurricane|tropical storm|typhoon|storm surge|inland)\b/i.test(event)) return tropical(description, event)
  if (CIVIL.test(event)) return allSaid(description)
  return / watch$/i.test(event) ? watchThreats(description) : null
}

/** Events of authorities other than the weather service: every sentence counts. */
const CIVIL =
  /^(?:evacuation|shelter in place|civil|local area emergency|law enforcement|blue alert|fire warning|hazardous materials|nuclear|radiological|911|telephone outage|volcano|earthquake|biological|chemical|boil water|contaminated|industrial)/i

/** `A boil water advisory is in effect for Haysville due to a broken main` says what has happened. */
const BECAUSE = /\b(?:due to|because of|caused by|after an?)\b/i

/** `Level 3 evacuations are in effect for all residents between A and B`: the place is what must not be cut off. */
const IN_EFFECT =
  /(?<=\bevacuations?(?: orders?| warnings?)?) (?:is|are) (?:now )?in effect for (?:all |any )?(?:residents|people|persons|homes|everyone) (?=(?:between|within|in|of|on|along|near|north|south|east|west)\b)/i

function allSaid(description: string): string | null {
  if (block(description, 'WHAT') !== null) return null
  const told = description
    .split(/\n\s*\n/)
    .filter((paragraph) => !isHeading(paragraph.trim()) && !isTable(paragraph.trim()))
    .flatMap(sentences)
    .filter(
      (sentence) =>
        (!isRestated(sentence) || BECAUSE.test(sentence)) &&
        /[a-z]/i.test(sentence) &&
        !/^this is an? [\w ]{3,30} (?:alert|warning|message)\W*$/i.test(sentence)
    )
  return told.length === 0
    ? null
    : told
        .join(' ')
        .replace(
          /^An? (evacuation order|[\w ]{4,40}?) has been (?:issued|declared|ordered) (?=(?:for|at|in)\b)/i,
          (_, what: string) => `${capitalised(what)} `
        )
        .replace(IN_EFFECT, ' ')
        .replace(/^An? ([\w ]{4,40}?) is in effect (?=(?:for|at|in)\b)/i, (_, what: string) => `${capitalised(what)} `)
}

/** The forecast peak of wind, or of water above ground, from the lists of a tropical statement; null where it has none. */
function tropical(description: string, event: string): string | null {
  // The headline of a local statement, between asterisks, says what comes.
  const headline = /^\*\*([^*\n]{12,160}(?:\n[^*\n]{1,100})?)\*\*\s*$/m.exec(description)?.[1]
  if (/statement$/i.test(event) && headline !== undefined) return `${calmText(oneLine(headline), description)}.`
  const peak = /surge/i.test(event)
    ? /peak storm surge inundation: (?:the potential for )?(?:up to )?([^.\n]*(?:\n(?!\s*[-*])[^.\n]*)*)/i
    : /peak wind forecast: ([^.\n]*(?:\n(?!\s*[-*])[^.\n]*)*)/i
  const said = oneLine(peak.exec(description)?.[1] ?? '').replace(/ somewhere within\b.*$/i, '')
  return /\d/.test(said) ? capitalised(/surge/i.test(event) ? `surge ${said}` : `winds ${said}`) : null
}

const BARRIER = /\b(?:failure|breach|collapse) of (?:the )?((?:[A-Z][\w'-]+ ){1,4}(?:Dam|Levee|Dike))\b/

/** `Cheney Dam failure imminent`, where the HAZARD leaves out which. */
function withBarrier(sentence: string, description: string): string {
  const name = BARRIER.exec(oneLine(description))?.[1] ?? ''
  const kind = name.slice(name.lastIndexOf(' ') + 1)
  return name === '' || sentence.includes(name)
    ? sentence
    : sentence.replace(new RegExp(`(?<=^|[.!] )${kind} (?=failure|breach|collapse)`), `${name} `)
}

/** `KEY: value` line by line, as fire services write: where, how it stands, what it is. Null for what is no such list. */
function listedFacts(description: string): string | null {
  const facts = new Map(
    [...description.matchAll(/^([A-Z][A-Z ]{2,24}): *(\S.*)$/gm)].map(([, key = '', value = '']) => [key, value])
  )
  if (facts.size < 3) return null
  const told = ['LOCATION', 'STATUS', 'TYPE'].flatMap((key) => facts.get(key) ?? [])
  return told.length === 0 ? null : told.map((value) => oneLine(value).replace(/ ?\([^)]{0,300}\)/g, '')).join('. ')
}

const CYCLONE =
  /^From [\d/]+ to [\d/]+, an? ([^()]+?) \((?:maximum )?(wind speed[^()]+)\) (\S+) was active in [^.]+\.(?: The cyclone affects these countries: ([^.(]+))?/

/** A storm as GDACS writes of it in CAP: name, kind and wind, countries. */
function cycloneOf(description: string): string | null {
  const [, kind = '', wind = '', name = '', countries = ''] = CYCLONE.exec(oneLine(description)) ?? []
  if (name === '') return null
  return [`${name}: ${kind}`, wind.replace('wind speed of', 'winds'), countries.trim()].filter(Boolean).join(', ')
}

/** `A tornado or two possible, hail to 3 inches, gusts to 75 mph` of the threats a watch lists; null without a list. */
function watchThreats(description: string): string | null {
  const listed = /^[ \t]*\* Primary threats include\.{3}[ \t]*\n((?:[ \t]{2,}\S[^\n]*\n?)+)/im.exec(description)?.[1]
  if (listed === undefined) return null
  const threats = listed
    .replace(/\n {3,}(?=\S)/g, ' ')
    .split('\n')
    .map(oneLine)
  const tornado = threats.find((threat) => /tornado/i.test(threat))
  const hail = /(?<!\d)(\d+(?:\.\d+)?) inch/i.exec(threats.find((threat) => /hail/i.test(threat)) ?? '')?.[1]
  const gusts = /(?<!\d)(\d+) mph/i.exec(threats.find((threat) => /gusts|winds/i.test(threat)) ?? '')?.[1]
  const told = [tornado, hail && `hail to ${hail} inches`, gusts && `gusts to ${gusts} mph`].filter(Boolean).join(', ')
  return told === '' ? threats.filter((threat) => threat !== '').join('; ') : capitalised(told)
}

const SEEN =
  /^[ \t]*(?:\*[ \t]*)?(at (?:\d{1,4}|noon|midnight) ?(?:AM|PM)?\b[^\n]*(?:\n(?![ \t]*\n|[ \t]*(?:\*|HAZARD\.))[^\n]*)*)/im
const STORM =
  /\b(?:storms?|thunderstorms?|wall of dust|dust (?:storm|channel)|snow squalls?|tornado(?:es)?|waterspouts?|squalls?|winds|circulation|rotation)\b/i

/** Longer than this, the place of a storm is told after its hazard. */
const MOST_SEEN = 130
/** Gusts from 80 mph, hail like baseballs: NWS calls such storms destructive, and no text leaves it out for their place. */
const DESTRUCTIVE =
  /^(?!.*\btornado).*\b(?:[89]\d|1\d\d) mph\b|\b(?:baseball|tennis ball|tea ?cup|softball|grapefruit)/i
const EMERGENCY = /\b(?:TORNADO|FLASH FLOOD) EMERGENCY FOR\b/i

/** The place and motion of the storm, and then its HAZARD; null for a bulletin that follows no storm. */
function stormOf(description: string): string | null {
  const told = sentences(SEEN.exec(description)?.[1] ?? '')
  const at = told.findIndex((sentence) => !EMERGENCY.test(sentence))
  const [first = '', next = ''] = at < 0 ? [] : told.slice(at)
  // `It is located near Gray, moving east.` is the other half of what was seen.
  const seen = /^(?:it|this storm|the storm) (?:is|was) (?:located )?(?:near|over|moving)\b/i.test(next)
    ? `${first} ${next}`
    : first
  if (!STORM.test(seen) || /\b(?:flood|rain (?:has|have)|heavy rain)/i.test(seen)) return null
  const hazard = oneLine(block(description, 'HAZARD') ?? '')
  // The ends of a long line of storms say less than what they bring.
  const bare = seen
    .replace(/^at [^,]{4,24}, (?:an? )?/i, '')
    .replace(/, or (?:near |over |\d+ ?(?:miles?|nm) [^,]{3,40})[^,]{0,40}(?=, moving)/i, '')
  return ((bare.length > MOST_SEEN || DESTRUCTIVE.test(hazard)) && hazard !== '' ? [hazard, seen] : [seen, hazard])
    .filter((part) => part !== '')
    .join(' ')
}

/** Wind and humidity, which make a fire weather product; null when it gives neither. */
function fireWeather(description: string, event: string, times: HazardTimes): string | null {
  const said = (name: string): string => {
    const all = sentences(block(description, name) ?? '')
    return aboutEvent(ofDay(all, times.begins), { event, times: NO_TIMES, description })
  }
  const wind = said('(?:WINDS?|[Ww]inds?)').replace(
    /^(?:For [^,\d]{0,40}?(?=\b(?:north|south|east|west|variable|winds?)))?(?:winds?:?\s+)?/i,
    ''
  )
  const humidity = said('(?:(?:MINIMUM )?(?:RELATIVE )?HUMIDIT(?:Y|IES)|(?:[Rr]elative )?[Hh]umidity)')
  const dry = (dryOn(humidity, times.begins) ??
    /(?:as low as |down to |of |near |around )?(?<!\d)(\d+(?: (?:to|and|-) \d+)?) ?(?:percent|%)/i.exec(humidity))?.[1]
  const [first = ''] = sentences(wind)
  const blowing = /\d/.test(first) ? first.replace(/(?<![.\s])[.\s]+$/, '') : ''
  const facts = [
    blowing === '' || /\bwinds?\b/i.test(blowing) ? blowing : `Wind ${blowing}`,
    dry === undefined ? '' : `humidity ${dry} percent`
  ]
  const told = facts.filter((fact) => fact !== '').join(', ')
  return told === '' ? null : told
}

/** `15 to 25 percent for this afternoon, and 10 to 20 percent for Tuesday`: the figure of the day on which it begins. */
function dryOn(humidity: string, begins: number | null): RegExpExecArray | null {
  if (begins === null) return null
  return new RegExp(`(\\d+(?: (?:to|and|-) \\d+)?) ?(?:percent|%) (?:for|on) ${dayOf(begins)}\\b`, 'i').exec(humidity)
}

/** `For today, …` and `For Tuesday, …`: the sentences of the day on which it begins, without that day; all of them when none is named. */
function ofDay(all: readonly string[], begins: number | null): readonly string[] {
  const days = all.flatMap((sentence) => {
    const [, day = '', rest = ''] =
      /^For (today|tonight|this (?:afternoon|evening)|\w+day)(?: \w+)?, (.+)$/i.exec(sentence) ?? []
    return day === '' ? [] : [{ day: day.toLowerCase(), rest: capitalised(rest) }]
  })
  const [first] = days
  if (first === undefined) return all
  const weekday = begins === null ? '' : dayOf(begins)
  return [(days.find(({ day }) => day === weekday) ?? first).rest]
}

/** Bullets that say where and when, which the message has already, or how to read the product. */
const PLACE_OR_TIME =
  /^\*\s*(?:(?:AFFECTED AREAS?|LOCATIONS?(?: AFFECTED| IMPACTED)?|TIMING|WHEN|WHERE|CHANGES[ A-Z]*|NEW INFORMATION|CURRENT WATCHES[ /A-Z]*)(?:\.{3}|:)|(?:(?:an? )?portions? of|all of|the following|through|until|from)\b|(?:[A-Z][\w-]* ){1,5}(?:warning|watch|advisory|statement) for\b)/i

/** Sentences that go on with names. */
const LIST =
  /^(?:Some |Other )?(?:locations|areas|this includes)\b[^.]{0,60}\b(?:includ\w+|following|of)\b[^.]{0,40}\.{3}/i

/** The first sentence of a paragraph that says something new: `* WINDS...Southwest 25 mph` becomes `Winds: Southwest 25 mph`. */
function toldBy(paragraph: string): string {
  // `KS` and then the names of its counties.
  if (/^[A-Z]{2}(?:$|\s*\n?\s*\.\s)/.test(paragraph)) return ''
  if (isHeading(paragraph) || isTable(paragraph) || PLACE_OR_TIME.test(paragraph) || LIST.test(paragraph)) return ''
  const bare = paragraph
    .replace(
      /^\*\s*([A-Z])([A-Z /]{2,40})\.{3}/i,
      (_, first: string, rest: string) => `${first}${rest.toLowerCase()}: `
    )
    .replace(/^(?:\.(?=\w)|\*\s*)/, '')
  const all = sentences(bare).filter((sentence) => !isRestated(sentence))
  const [first = ''] = all
  if (FIGURE.test(first)) return first
  // The event comes first, and then the amount of it.
  const figures = all
    .slice(1, 4)
    .find((sentence) => FIGURE.test(sentence) && first.length + sentence.length < MOST_TOLD)
  return figures === undefined ? first : `${first} ${figures}`
}

/** An amount with its unit. */
const FIGURE = /\d ?(?:km\/h|m\/s|mph|kt|kn|mm|cm|l\/m|inch|feet|ft\b|%|percent|°|degrees)/i
const MOST_TOLD = 260

/** Columns of counties or cities, a line of codes, or names without a sentence. */
function isTable(paragraph: string): boolean {
  const lines = paragraph.split('\n')
  const columns = lines.filter((line) => /\S {3,}\S/.test(line))
  if (columns.length * 2 > lines.length) return true
  if (/^[A-Z]{2}[CZ]\d{3}[->]/.test(paragraph)) return true
  return !/[a-z\d]/.test(paragraph) && !/[.!?]/.test(paragraph)
}

/** Of a warning of seas the sentence about the seas, before the one about the wind: of several the last, when it is still ahead. */
function namedFirst(told: string, event: string, { begins }: HazardTimes): string {
  if (!/\bseas\b/i.test(event)) return told
  const all = sentences(told)
  const isSeas = (sentence: string): boolean => /\bseas\b/i.test(sentence)
  const at = begins === null ? all.findIndex(isSeas) : all.findLastIndex(isSeas)
  return at <= 0 ? told : [...all.slice(at), ...all.slice(0, at)].join(' ')
}

const RIVER = /^[^.,;]{0,60}\b(?:river|creek|bayou|fork|brook|slough|stream)\b[^,;]{0,50}$/i

/** The river of the WHERE of a bulletin, `Cedar River at Renton`; '' where it names counties. */
function riverOf(description: string): string {
  const where = oneLine(block(description, 'WHERE') ?? '').replace(/\.$/, '')
  return RIVER.test(where) ? where : ''
}

/** Two rivers of one county flood at once, and only WHERE tells which: `Cedar River at Renton: Minor flooding …`. */
function withRiver(sentence: string, description: string, event: string): string {
  const river = /^flood /i.test(event) && sentence !== '' ? riverOf(description) : ''
  return river === '' || sentence.includes(river) ? sentence : `${river}: ${sentence}`
}

/** Headlines in dots, product identifiers and empty lines. */
function isHeading(paragraph: string): boolean {
  return paragraph === '' || paragraph.startsWith('...') || /^(?:[A-Z0-9]{6}|[A-Z][A-Z ,&/-]{2,60})$/.test(paragraph)
}

/** A headline that fits a message says more than the first sentence of a forecaster's prose. Characters. */
const SHORT_HEADLINE = 110

/**
 * The detail of a statement or outlook written as prose: its headline, in usual spelling, where that is short and says
 * something. Everything else keeps `detail`.
 */
export function headlined(
  detail: string,
  { description, event, headline }: { description: string; event: string; headline: string }
): string {
  const isProse =
    block(description, 'WHAT') === null && block(description, 'HAZARD') === null && stormOf(description) === null
  const line = shortHeadline(headlineOf(headline).replace(/^\.{3}|\.{3}$/g, ''))
  if (!isProse || !/(?:statement|outlook)$/i.test(event) || line.length < 12 || line.length > SHORT_HEADLINE)
    return detail
  if (/\b(?:in effect|cancel+ed|will expire|advisory for)\b/i.test(line)) return detail
  return calmText(line, description)
}

/** Without its times, which the message has in the clock of the station, and of a long one the first clause. */
function shortHeadline(line: string): string {
  const bare = line.replace(
    /,? (?:from|between|until|through) (?:\d{1,2}(?::\d\d)? ?[AP]M|late|early|this|noon|midnight|today|tonight|\w+day)\b.*$/i,
    ''
  )
  const timeless =
    bare.length <= SHORT_HEADLINE
      ? bare
      : bare.replace(
          / (?:late |early )?(?:this|today|tonight)(?: \w+)? (?:into|through|and) (?:the |this )?(?:early |late )?\w+(?= for\b)/i,
          ''
        )
  const said = (timeless.length < 12 ? line : timeless).replace(/ producing [\w ,]{1,300}?(?= will\b)/i, '')
  const clause = said.search(/, | due to /i)
  return said.length > SHORT_HEADLINE && clause > 40 ? said.slice(0, clause) : said
}
