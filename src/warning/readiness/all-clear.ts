import { cutToBytes } from '../messages/budget.ts'
import { blinding } from './blinding.ts'
import type { Problem, ProblemCode } from './problem.ts'

/** Alerts that one answer looks at, the gravest first. */
export const MOST_IN_FORCE = 200

const NAME_BYTES = 24
/** So many reasons are said; the rest is a number. */
const REASONS = 2

const named =
  (state: string) =>
  ({ params: { name } }: Problem): string =>
    `${typeof name === 'string' ? cutToBytes(name, NAME_BYTES) : 'a source'} ${state}`

/** As short as a text over the radio wants it; the pages say what to do. */
const WORDS: Partial<Record<ProblemCode, (problem: Problem) => string>> = {
  no_hazard_source: () => 'no source of warnings is on',
  source_silent: named('is silent'),
  source_blocked: named('refuses us'),
  source_down: named('is down'),
  source_failing: named('fails'),
  clock_unknown: () => 'the clock is not set',
  clock_from_radio: () => "the time is a radio's",
  storage_failing: () => 'the disk fails',
  no_named_area: () => 'no area has a name',
  tagging_off: () => 'alerts get no regions',
  zones_unplaced: () => 'a warning has no known place'
}

/** The reasons for which this station cannot know that nothing goes on; null when there are none. */
export function blindness(problems: readonly Problem[], scope: 'anywhere' | 'region'): string | null {
  const reasons = new Set(blinding(problems, scope).map((problem) => WORDS[problem.code]?.(problem) ?? problem.code))
  if (reasons.size === 0) return null
  const told = [...reasons].slice(0, REASONS).join(', ')
  return reasons.size > REASONS ? `${told}, +${reasons.size - REASONS}` : told
}

interface Nothing {
  /** Said when all is known: `No alerts`. */
  clear: string
  /** Said when it is not: `No alerts known`. */
  known: string
  /** ` for North`, or empty. */
  where: string
  /** Alerts that were looked at. */
  seen: number
  scope: 'anywhere' | 'region'
}

/**
 * Nothing was found. Contract §13: where more go on than were looked at, where no source listens, where alerts get no regions, nobody
 * can give an all-clear, and the answer says why.
 */
export function nothingFound({ clear, known, where, seen, scope }: Nothing, problems: readonly Problem[]): string {
  if (seen >= MOST_IN_FORCE)
    return `Not known: ${MOST_IN_FORCE} or more graver alerts go on elsewhere, others were not looked at.`
  const why = blindness(problems, scope)
  return why === null ? `${clear}${where}.` : `${known}${where}. No all-clear: ${why}.`
}
