import type { LookoutEvent } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import { AppError, issueOf } from '../../platform/errors.ts'
import type { Decision } from './decision.ts'

/** An event as it enters: its origin decides about the cold start. */
export interface Arrival {
  event: LookoutEvent
  /** True for an event of a polled source's listing that falls under the cold-start rule (contract §4 rule 6). */
  coldStart?: boolean
}

export interface Accepted {
  id: string
  threadId: string
  duplicate: boolean
  /** Row of the stored event; null for a duplicate. */
  seq: number | null
  event: LookoutEvent
  decision: Decision | null
  /** False: it was decided from memory while nothing can be stored; the next restart knows nothing of it. */
  stored: boolean
  /** The reason why it was not taken at all, while nothing can be stored. */
  refused?: AppError
}

/** Events that came together, and what became of them so far. */
export interface Group {
  accepted: Accepted[]
  open: number
  resolve: (accepted: Accepted[]) => void
  reject: (error: unknown) => void
}

export interface Waiting {
  arrival: Arrival
  /** Its place in the group. */
  index: number
  group: Group
}

/** One event of a group is dealt with; with the last one its caller is answered. */
export function settle(waiting: Waiting | undefined, accepted: Accepted): void {
  if (waiting === undefined || !isOpen(waiting)) return
  const { group, index } = waiting
  group.accepted[index] = accepted
  group.open--
  if (group.open > 0) return
  const refused = refusedOf(group.accepted)
  if (refused === null) group.resolve(group.accepted)
  else group.reject(refused)
}

/** The rest of the group is not tried: its caller sends all of it again. */
export function fail(group: Group, error: unknown): void {
  group.open = 0
  group.reject(error)
}

export function isOpen({ group }: Waiting): boolean {
  return group.open > 0
}

/** A message that is known already, or for which there is nothing to decide. */
export function duplicateOf(event: LookoutEvent, { stored }: Pick<Accepted, 'stored'>): Accepted {
  return { id: event.id, threadId: event.thread_id, duplicate: true, seq: null, event, decision: null, stored }
}

/** Whoever sent them all together learns which are to be sent again; those that were taken are repeats then. */
function refusedOf(accepted: readonly Accepted[]): AppError | null {
  const first = accepted.find(({ refused }) => refused !== undefined)?.refused
  if (first === undefined) return null
  const issues = accepted.flatMap(({ refused }, index) =>
    refused === undefined ? [] : [issueOf(accepted.length === 1 ? '' : `/${index}`, refused.code, refused.reason)]
  )
  const taken = accepted.length - issues.length
  if (taken === 0) return first
  const why = because('taken_from_memory', { why: first.reason, count: accepted.length, taken })
  return new AppError(first.code, why, { cause: first, issues })
}
