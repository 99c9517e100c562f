import type { askMatrix } from './matrix.ts'
import type { askRules } from './rules.ts'

/** One message that a cell, a policy or a rule asks for. */
export type PlanTarget =
  | ReturnType<typeof askRules>['targets'][number]
  | (ReturnType<typeof askMatrix>['targets'][number] & { path: 'matrix' })
