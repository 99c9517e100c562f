import { highestSeverity, type Severity } from './severity.ts'

/**
 * Marks that raise one NWS warning above others of its kind (impact-based warnings, NWS Instruction 10-511): tags,
 * words and the stage of a flood. One table for JSON, CAP and text products, so that a warning has one level by
 * whatever way it comes.
 */
interface Tag {
  /** The name of the CAP parameter. */
  name: string
  /** The line of a text product that says the same; JSON and CAP alone have WEA handling. */
  line?: RegExp
  /** The level that a value means at least. */
  levels: readonly (readonly [(value: string) => boolean, Severity])[]
}

const says =
  (pattern: RegExp) =>
  (value: string): boolean =>
    pattern.test(value)
const atLeast =
  (limit: number) =>
  (value: string): boolean =>
    sizeOf(value) >= limit

/** Inches, or miles an hour; `70 KTS` are 80 mph. `Up to .75` is a bound, not a size. */
function sizeOf(value: string): number {
  const [, sign = '', digits = ''] = /(<|up to|less than)?\s{0,9}(\d*\.?\d+)/i.exec(value) ?? []
  if (digits === '' || sign !== '') return 0
  return Number(digits) * (/\bKT|KNOT/i.test(value) ? 1.1508 : 1)
}

const TAGS: readonly Tag[] = [
  // Phones are woken, or were; in Canada television is broken into.
  { name: 'layer:SOREM:1.0:Broadcast_Immediately', levels: [[says(/^yes$/i), 'immediate']] },
  { name: 'WEAHandling', levels: [[says(/\S/), 'immediate']] },
  {
    name: 'tornadoDamageThreat',
    line: /^(?:TORNADO )DAMAGE THREAT\.\.\.([A-Z ]+)$/m,
    levels: [[says(/CONSIDERABLE|CATASTROPHIC/i), 'immediate']]
  },
  {
    name: 'tornadoDetection',
    line: /^TORNADO\.\.\.([A-Z ]+)$/m,
    levels: [
      [says(/OBSERVED|RADAR INDICATED/i), 'immediate'],
      [says(/POSSIBLE/i), 'critical']
    ]
  },
  {
    name: 'flashFloodDamageThreat',
    line: /^(?:EXPECTED )?FLASH FLOOD DAMAGE THREAT\.\.\.([A-Z ]+)$/m,
    levels: [[says(/CONSIDERABLE|CATASTROPHIC/i), 'immediate']]
  },
  { name: 'flashFloodDetection', line: /^FLASH FLOOD\.\.\.([A-Z ]+)$/m, levels: [] },
  {
    name: 'thunderstormDamageThreat',
    line: /^THUNDERSTORM DAMAGE THREAT\.\.\.([A-Z ]+)$/m,
    levels: [
      [says(/DESTRUCTIVE|CATASTROPHIC/i), 'immediate'],
      [says(/CONSIDERABLE/i), 'critical']
    ]
  },
  {
    name: 'snowSquallImpact',
    line: /^SNOW SQUALL IMPACT\.\.\.([A-Z ]+)$/m,
    levels: [[says(/SIGNIFICANT/i), 'immediate']]
  },
  { name: 'snowSquallDetection', line: /^SNOW SQUALL\.\.\.([A-Z ]+)$/m, levels: [] },
  { name: 'waterspoutDetection', line: /^WATERSPOUT\.\.\.([A-Z ]+)$/m, levels: [] },
  // The sizes by which the NWS calls a thunderstorm considerable and destructive, for senders of the size alone.
  {
    name: 'maxHailSize',
    line: /^(?:MAX )?HAIL(?: SIZE)?\.\.\.\s*([<>]?\d*\.\d+ ?IN)\b/m,
    levels: [
      [atLeast(2.75), 'immediate'],
      [atLeast(1.75), 'critical']
    ]
  },
  {
    name: 'maxWindGust',
    line: /^(?:MAX )?WIND(?: GUST)?\.\.\.\s*([<>]?\d+ ?(?:MPH|KTS))\b/m,
    levels: [
      [atLeast(80), 'immediate'],
      [atLeast(70), 'critical']
    ]
  }
]

/** The CAP parameters that say how grave a warning is. */
export const IMPACT_TAGS: readonly string[] = TAGS.map(({ name }) => name)

/** The tags at the end of a text product, under the names of the CAP parameters. */
export function tagsIn(text: string): Record<string, string> {
  const upper = text.toUpperCase()
  const found: Record<string, string> = {}
  for (const { name, line } of TAGS) {
    const value = line?.exec(upper)?.[1]?.trim()
    if (value !== undefined) found[name] = value
  }
  return found
}

/** Words of the same, the gravest first. */
const WAKING_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bTORNADO EMERGENCY\b(?![^.]{0,80}\b(?:cancel|expire|no longer|ended|replaced))/i, 'Tornado emergency'],
  [/\bFLASH FLOOD EMERGENCY\b(?![^.]{0,80}\b(?:cancel|expire|no longer|ended|replaced))/i, 'Flash flood emergency'],
  [/\bPARTICULARLY DANGEROUS SITUATION\b/i, 'Particularly dangerous situation']
]

/** An office that writes CATASTROPHIC has declared an emergency, also where its words say so in another way. */
const EMERGENCY_TAGS: readonly (readonly [string, string])[] = [
  ['tornadoDamageThreat', 'Tornado emergency'],
  ['flashFloodDamageThreat', 'Flash flood emergency']
]

const BARRIER = '(?:dams?|levees?|dikes?|dykes?|diversion structure|embankment)'
const FAILING = new RegExp(
  `\\b${BARRIER}\\b[^.]{0,60}\\b(?:fail(?:s|ed|ures?|ing)?|breach(?:ed|es)?|collapsed?)\\b|\\b(?:failure|breach|collapse)\\b[^.]{0,60}\\b(?:${BARRIER}|diversion)\\b`,
  'i'
)

/**
 * A dam or a levee fails, or may. Not asked of a river with a stage: what would fail at greater heights stands in all of those.
 */
export function failingDam(text: string, flood: Flood | null): boolean {
  return flood === null && FAILING.test(text)
}

export type FloodStage = 'minor' | 'moderate' | 'major' | 'record'
const STAGES: readonly FloodStage[] = ['minor', 'moderate', 'major', 'record']

/** The height of a river, and its direction. */
export interface Flood {
  stage: FloodStage
  /** The crest is still to come. */
  rising: boolean
}

const FLOODING =
  /\b(record|major|moderate|minor)\s+(?:(?:lakeshore|river|coastal|tidal)\s+)?flooding\s+is\s+(?:now\s+|still\s+|again\s+)?(occurring|forecast|expected)\b/gi
/** H-VTEC (NWS Instruction 10-1703): severity, begin, crest, end and whether a record is near. */
const HVTEC = /\/[A-Z0-9]{5}\.([0-3NU])\.[A-Z]{2}\.\d{6}T\d{4}Z\.(\d{6}T\d{4}Z)\.\d{6}T\d{4}Z\.(NO|NR|UU|OO)\//

/** JSON and CAP come without H-VTEC: `the river is expected to rise to a crest of 17.9 feet this evening`. */
const RISES =
  /\b(?:expected|forecast|likely)\s+to\s+(?:continue\s+to\s+)?rise\b|\bwill\s+(?:rise|continue\s+(?:to\s+rise|rising))\b|\bcontinues?\s+to\s+rise\b/i

/**
 * The stage of a flood by H-VTEC, else by the words of the product; null when neither says. H-VTEC names the crest of the
 * whole flood: once it has passed, the words tell what is left. `sent` is epoch milliseconds.
 */
export function floodOf(text: string, sent: number): Flood | null {
  const [, code = '', crest = '', record] = HVTEC.exec(text) ?? []
  const occurring = highestWord(text, /^occurring$/i)
  const forecast = highestWord(text, /^(?:forecast|expected)$/i)
  const words = Math.max(occurring, forecast)
  const coded = record === 'NR' && code === '3' ? 3 : Number(/[1-3]/.exec(code)?.[0] ?? 0) - 1
  const crested = crest === '' || crest.startsWith('000000') ? null : crestTime(crest) <= sent
  const rank = crested === true && words >= 0 ? words : Math.max(coded, words)
  const stage = STAGES[rank]
  if (stage === undefined) return null
  const isToRise = forecast > occurring || RISES.test(text)
  return { stage, rising: crested === false || (crested === null && isToRise) }
}

function highestWord(text: string, when: RegExp): number {
  const found = [...text.matchAll(FLOODING)].filter(([, , tense = '']) => when.test(tense))
  return Math.max(-1, ...found.map(([, word = '']) => rankOf(word)))
}

/** 1 for a minor flood … 4 for a record. */
export function gravityOfFlood({ stage }: Flood): number {
  return STAGES.indexOf(stage) + 1
}

/** -1 for a word that is no stage. */
function rankOf(word: string): number {
  const stages: readonly string[] = STAGES
  return stages.indexOf(word.toLowerCase())
}

function crestTime(text: string): number {
  const [, year, month, day, hour, minute] = /^(\d\d)(\d\d)(\d\d)T(\d\d)(\d\d)Z$/.exec(text) ?? []
  return Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:00Z`)
}

/**
 * `Tornado emergency`, `Particularly dangerous situation`, `Major flooding` …; '' for a usual one. `text` is what the
 * product says. A river that rises keeps its warning, level and end: only these words change.
 */
export function gradeOf(
  text: string,
  flood: Flood | null = floodOf(text, Number.POSITIVE_INFINITY),
  tags: Readonly<Record<string, string>> = {}
): string {
  const waking =
    WAKING_WORDS.find(([pattern]) => pattern.test(text))?.[1] ??
    EMERGENCY_TAGS.find(([name]) => /^catastrophic$/i.test(tags[name] ?? ''))?.[1]
  if (waking !== undefined) return waking
  return flood === null || flood.stage === 'minor' ? '' : `${capitalised(flood.stage)} flooding`
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

/** Facts beside severity and urgency that the level of a warning is read from. */
export interface Impact {
  /** By the name of the CAP parameter. */
  tags: Readonly<Record<string, string>>
  /** `gradeOf` the product. */
  grade: string
  flood: Flood | null
  /** `failingDam`. */
  dam: boolean
}

export const NO_IMPACT: Impact = { tags: {}, grade: '', flood: null, dam: false }

/** Warnings of minutes, for which phones are woken: phenomenon and significance, and the names that stand for them. */
const SUDDEN = new Set(['TO.W', 'SV.W', 'FF.W', 'EW.W', 'SQ.W', 'DS.W'])
const SUDDEN_NAME =
  /^(?:tornado|severe thunderstorm|flash flood|extreme wind|snow squall|dust storm) (?:warning|emergency|statement)$/i

/** The level a warning has at least by tags and words. `kind` is its phenomenon and significance, `FF.W`, or ''. */
export function impactFloor({ tags, grade, dam }: Impact, { event, kind }: { event: string; kind: string }): Severity {
  const levels = TAGS.flatMap(({ name, levels: rows }) => {
    const value = tags[name]
    return value === undefined ? [] : rows.flatMap(([fits, level]) => (fits(value) ? [level] : []))
  })
  const isWaking = WAKING_WORDS.some(([, name]) => name === grade)
  const isSudden = kind === '' ? SUDDEN_NAME.test(event.trim()) : SUDDEN.has(kind)
  if (isWaking) levels.push(isSudden ? 'immediate' : 'critical')
  // Whoever sleeps below it has no hour left once it goes, so its watch wakes too.
  if (dam && /\bflood\b/i.test(event)) levels.push('critical')
  return highestSeverity(levels)
}

/** The level of a river flood: it takes hours, so only a record that is there wakes everybody. Null for no river's stage. */
export function floodLevel({ stage, rising }: Flood, isImmediate: boolean): Severity {
  if (stage === 'record') return isImmediate ? 'immediate' : 'critical'
  if (stage === 'major') return 'critical'
  return stage === 'moderate' && rising && isImmediate ? 'critical' : 'priority'
}
