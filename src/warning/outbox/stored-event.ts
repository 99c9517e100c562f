import type { LookoutEvent } from '../../model/event.ts'

export interface StoredEvent {
  seq: number
  event: LookoutEvent
  decision: string
  reason: string
  trace: unknown[]
}

/** An event as lists show it: its trace is read where it is told. */
export interface ListedEvent extends Omit<StoredEvent, 'trace'> {
  /** The event as it is stored, JSON: whoever passes it on need not write it again. */
  json: string
  /** The code of its thread; null where it has none. */
  code: string | null
}

export interface EventQuery {
  since?: number
  family?: string
  severity?: string
  /** Only events before this one, for paging. */
  before?: number
  limit: number
}
