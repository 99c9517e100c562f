import type { LookoutEvent } from '../events/event.ts'
import type { TraceStep } from './decision.ts'

/** The memory of which names belong to which thread. */
export interface ThreadBook {
  threadOf(name: string): string | null
  nameThread(name: string, threadId: string, now: number): void
}

const MAX_NAMES = 64

/**
 * Finds the thread of an event: the one its own id, its references or its other ids already belong to, else the one its
 * source computed. References reach back further than any listing, so the names are kept (contract §2, `thread_id`).
 */
export function joinThread(
  event: LookoutEvent,
  book: ThreadBook,
  now: number
): { event: LookoutEvent; trace: TraceStep[] } {
  const names = namesOf(event)
  const known = names.map((name) => book.threadOf(name)).find((threadId) => threadId !== null)
  const threadId = event.data.vtec === undefined ? (known ?? event.thread_id) : event.thread_id
  for (const name of names) if (book.threadOf(name) === null) book.nameThread(name, threadId, now)
  if (threadId === event.thread_id) return { event, trace: [] }
  const detail = `belongs to ${threadId}, which an earlier message it refers to started`
  return {
    event: { ...event, thread_id: threadId },
    trace: [{ stage: 'thread', outcome: 'note', reason: 'joined', detail }]
  }
}

/** Names are scoped by their source: two sources may use the same id for different things. */
function namesOf({ source, id, data }: LookoutEvent): string[] {
  const others = [...strings(data['references']), ...strings(data['ids'])]
  return [...new Set([id, ...others])].slice(0, MAX_NAMES).map((name) => `${source}|${name}`)
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
