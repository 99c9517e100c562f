import { gradeOf, isWakingGrade } from '../grade.ts'

/** Impact tags at the end of warnings, and the words that raise a warning above others of its kind. */
export interface Threat {
  /** Phones were woken, or would be: WEA handling of the NWS. */
  isImminent: boolean
  /** `Tornado emergency`, `Particularly dangerous situation`, `Major flooding`; '' for a usual one. */
  grade: string
  /** Under the names of the CAP parameters. */
  facts: Record<string, string>
}

const TAGS: readonly (readonly [RegExp, string])[] = [
  [/^TORNADO\.\.\.([A-Z ]+)$/m, 'tornadoDetection'],
  [/^(?:TORNADO )DAMAGE THREAT\.\.\.([A-Z ]+)$/m, 'tornadoDamageThreat'],
  [/^THUNDERSTORM DAMAGE THREAT\.\.\.([A-Z ]+)$/m, 'thunderstormDamageThreat'],
  [/^FLASH FLOOD\.\.\.([A-Z ]+)$/m, 'flashFloodDetection'],
  [/^FLASH FLOOD DAMAGE THREAT\.\.\.([A-Z ]+)$/m, 'flashFloodDamageThreat'],
  [/^SNOW SQUALL IMPACT\.\.\.([A-Z ]+)$/m, 'snowSquallImpact'],
  [/^(?:MAX )?HAIL(?: SIZE)?\.\.\.\s*([<>]?\d*\.\d+ ?IN)\b/m, 'maxHailSize'],
  [/^(?:MAX )?WIND(?: GUST)?\.\.\.\s*([<>]?\d+ ?(?:MPH|KTS))\b/m, 'maxWindGust']
]
/** Of these, phones are woken for the grades above and the damage threats below. */
const WAKING = new Set(['TO.W', 'SV.W', 'FF.W', 'EW.W', 'SQ.W', 'DS.W'])

/** The tags and grade of a segment; `kind` is phenomenon and significance, `TO.W`, or ''. */
export function threatOf(text: string, kind: string): Threat {
  const upper = text.toUpperCase()
  const facts: Record<string, string> = {}
  for (const [pattern, name] of TAGS) {
    const value = pattern.exec(upper)?.[1]?.trim()
    if (value !== undefined) facts[name] = value
  }
  const grade = gradeOf(text)
  const threats = [facts['tornadoDamageThreat'], facts['flashFloodDamageThreat']].join(' ')
  const isGrave =
    isWakingGrade(grade) ||
    /CONSIDERABLE|CATASTROPHIC/.test(threats) ||
    facts['thunderstormDamageThreat'] === 'DESTRUCTIVE' ||
    facts['snowSquallImpact'] === 'SIGNIFICANT'
  return { isImminent: isGrave && WAKING.has(kind), grade, facts }
}
