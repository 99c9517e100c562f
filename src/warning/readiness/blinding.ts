import type { Problem, ProblemCode } from './problem.ts'

/** Problems because of which an alert may be missing, or may have been told to nobody. Contract §13: no all-clear then. */
const BLINDING: ReadonlySet<ProblemCode> = new Set([
  'no_hazard_source',
  'source_silent',
  'source_blocked',
  'source_down',
  'source_failing',
  'clock_unknown',
  'clock_from_radio',
  'storage_failing',
  'preview'
])

/** Problems because of which an alert may be missing where one asks for a region only: it got none. */
const UNPLACING: ReadonlySet<ProblemCode> = new Set(['no_named_area', 'tagging_off', 'zones_unplaced'])

/** Of these problems those that make "nothing" unknown: anywhere, or in one region. */
export function blinding(problems: readonly Problem[], scope: 'anywhere' | 'region'): readonly Problem[] {
  return problems.filter(({ code }) => BLINDING.has(code) || (scope === 'region' && UNPLACING.has(code)))
}
