import { isAtLeast, type Severity } from '../../../model/severity.ts'

/** Flood categories of the National Weather Service, lowest first; `none` is below action stage. */
export const STAGES = ['none', 'action', 'minor', 'moderate', 'major'] as const
export type Stage = (typeof STAGES)[number]
type Elevated = Exclude<Stage, 'none'>

/** The threshold of each category, in the unit of the reading; one that is not defined is left out. */
export type Thresholds = Partial<Record<Elevated, number>>

export function stageRank(stage: Stage): number {
  return STAGES.indexOf(stage)
}

/** The stage of this name, or null. */
export function stageNamed(name: unknown): Stage | null {
  return STAGES.find((stage) => stage === name) ?? null
}

/** The highest category the value has reached. */
function reached(value: number, thresholds: Thresholds): Stage {
  return (
    STAGES.findLast((stage) => stage !== 'none' && value >= (thresholds[stage] ?? Number.POSITIVE_INFINITY)) ?? 'none'
  )
}

/**
 * The category of a value, given the one before: it rises as soon as a threshold is reached, and falls only once the value
 * is more than `margin` below it, so that a river at its threshold is told once.
 */
export function stageOf(
  value: number,
  thresholds: Thresholds,
  before: Stage,
  margin: (threshold: number) => number
): Stage {
  const now = reached(value, thresholds)
  const held = STAGES.slice(stageRank(now) + 1, stageRank(before) + 1).findLast((stage) => {
    const threshold = stage === 'none' ? undefined : thresholds[stage]
    return threshold !== undefined && value >= threshold - margin(threshold)
  })
  return held ?? now
}

const LEVELS: Record<Stage, Severity> = {
  none: 'routine',
  action: 'routine',
  minor: 'priority',
  moderate: 'critical',
  major: 'immediate'
}

/** Action routine, minor priority, moderate critical, major immediate. */
export function stageLevel(stage: Stage): Severity {
  return LEVELS[stage]
}

/** The level of a stage that nobody is woken for. */
export function waitingLevel(stage: Stage): Severity {
  return isAtLeast(LEVELS[stage], 'critical') ? 'priority' : LEVELS[stage]
}

const WORDS: Record<Stage, string> = {
  none: 'below action stage',
  action: 'action stage',
  minor: 'minor flood stage',
  moderate: 'moderate flood stage',
  major: 'major flood stage'
}

export function stageWords(stage: Stage): string {
  return WORDS[stage]
}

/** From the first reading at or above action stage to the first below it: one thread. */
export interface Episode {
  /** `''` while the river is below action stage. */
  id: string
  stage: Stage
  /** The time of the last change of stage, epoch milliseconds; part of the revision. */
  since: number
  /** The newest reading seen. */
  time: number
  value: number | null
  /** Lowest value seen at this stage, where the provider does not say its thresholds. */
  floor: number | null
  /** True for the first stage of the episode. */
  first: boolean
  trend: string
}
