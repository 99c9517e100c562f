import type { AirLanguage } from '../../model/air-languages.ts'
import { cutToBytes } from '../messages/budget.ts'
import { ANSWERS, type Answers, type Blind } from '../messages/catalogue/answers.ts'
import { put } from '../messages/catalogue/words.ts'
import { blinding } from './blinding.ts'
import type { Problem } from './problem.ts'

/** Alerts that one answer looks at, the gravest first. */
export const MOST_IN_FORCE = 200

const NAME_BYTES = 24
/** So many reasons are said; the rest is a number. */
const REASONS = 2

const BLIND = Object.keys(ANSWERS.en.blind) as Blind[]

/** As short as a text over the radio wants it; the pages say what to do. */
function saidIn({ blind }: Answers, { code, params: { name } }: Problem): string {
  const known = BLIND.find((one) => one === code)
  if (known === undefined) return code
  return put(blind[known], typeof name === 'string' ? cutToBytes(name, NAME_BYTES) : '?')
}

/** The reasons for which this station cannot know that nothing goes on; null when there are none. */
export function blindness(
  problems: readonly Problem[],
  scope: 'anywhere' | 'region',
  language: AirLanguage = 'en'
): string | null {
  const words = ANSWERS[language]
  const reasons = new Set(blinding(problems, scope).map((problem) => saidIn(words, problem)))
  if (reasons.size === 0) return null
  const told = [...reasons].slice(0, REASONS).join(', ')
  return reasons.size > REASONS ? `${told}, +${reasons.size - REASONS}` : told
}

interface Nothing {
  /** Said when all is known: `No alerts for North`. */
  clear: string
  /** Said when it is not: `No alerts known for North`. */
  known: string
  /** Alerts that were looked at. */
  seen: number
  scope: 'anywhere' | 'region'
  language: AirLanguage
}

/**
 * Nothing was found. Contract §13: where more go on than were looked at, where no source listens, where alerts get no regions, nobody
 * can give an all-clear, and the answer says why.
 */
export function nothingFound({ clear, known, seen, scope, language }: Nothing, problems: readonly Problem[]): string {
  const { tooMany, noAllClear, stop } = ANSWERS[language]
  if (seen >= MOST_IN_FORCE) return put(tooMany, String(MOST_IN_FORCE))
  const why = blindness(problems, scope, language)
  if (why === null) return `${clear}${stop}`
  return `${known}${stop}${stop === '.' ? ' ' : ''}${put(noAllClear, why)}${stop}`
}
