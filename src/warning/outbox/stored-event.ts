import type { LookoutEvent } from '../../model/event.ts'

export interface StoredEvent {
  seq: number
  event: LookoutEvent
  decision: string
  reason: string
  trace: unknown[]
}

export interface EventQuery {
  since?: number
  family?: string
  severity?: string
  /** Only events before this one, for paging. */
  before?: number
  limit: number
}
