import type { LookoutEvent } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import type { TraceStep } from './decision.ts'

/** The memory of which names belong to which thread. */
export interface ThreadStore {
  threadOf(name: string): string | null
  nameThread(name: string, threadId: string, now: number): void
  /** The newest message of each source about a thread that goes on by what that source says. */
  toldBy(threadId: string, now: number): { source: string; id: string }[]
}

/** The recent events of other sources. */
export interface OtherSources {
  match(event: LookoutEvent): { threadId: string; source: string } | null
}

const MAX_NAMES = 64

/**
 * Finds the thread of an event: the one its own id, its references, its other ids or its VTEC event already belong to;
 * else that of the same thing as another source told it; else the one its source computed. References reach back further
 * than any listing, so the names are kept (contract §2, `thread_id`).
 */
export function joinThread(
  event: LookoutEvent,
  { threadStore, others, now }: { threadStore: ThreadStore; others: OtherSources; now: number }
): { event: LookoutEvent; trace: TraceStep[] } {
  const names = namesOf(event)
  const telling = event.data.vtec === undefined ? names : [event.thread_id]
  const threads = new Map([...new Set([...telling, ...names])].map((name) => [name, threadStore.threadOf(name)]))
  const known = telling.map((name) => threads.get(name) ?? null).find((threadId) => threadId !== null) ?? null
  const match = known === null ? others.match(event) : null
  const threadId = known ?? match?.threadId ?? event.thread_id
  for (const [name, known] of threads) if (known === null) threadStore.nameThread(name, threadId, now)
  if (threadId === event.thread_id) return { event, trace: [] }
  const teller = stillTold(event, () => threadStore.toldBy(threadId, now))
  if (teller !== null) {
    const why = because('still_told', { source: teller, thread: threadId })
    return { event, trace: [{ stage: 'thread', outcome: 'note', reason: 'still_told', ...why }] }
  }
  const [reason, why] =
    match === null
      ? ['joined', because('belongs_to', { thread: threadId })]
      : ['same_hazard', because('same_hazard', { source: match.source, thread: threadId })]
  return {
    event: { ...event, thread_id: threadId },
    trace: [{ stage: 'thread', outcome: 'note', reason, ...why }]
  }
}

/** True when an event was brought into its thread by an earlier message, as its trace says. */
export function hasJoined(trace: readonly unknown[]): boolean {
  return trace.some(
    (step) =>
      typeof step === 'object' &&
      step !== null &&
      'stage' in step &&
      step.stage === 'thread' &&
      'reason' in step &&
      (step.reason === 'joined' || step.reason === 'same_hazard')
  )
}

/**
 * The other source that goes on telling what this one ends; null when there is none, or when the end is that of the
 * very message: by VTEC, or by the name the other one knows it by too.
 */
function stillTold(event: LookoutEvent, tellers: () => readonly { source: string; id: string }[]): string | null {
  if (event.data.vtec !== undefined || event.lifecycle === 'new' || event.lifecycle === 'update') return null
  const names = new Set(namesOf(event))
  const other = tellers().find(({ source, id }) => source !== event.source && !names.has(id))
  return other?.source ?? null
}

/**
 * Names are scoped by their source, for two sources may use one id for different things; URNs are unique by themselves.
 * They are kept of VTEC messages too, for whoever refers to one; but which thread such a message is of, its key says alone.
 */
function namesOf({ source, id, data }: LookoutEvent): string[] {
  const others = [...strings(data['references']), ...strings(data['ids'])]
  const names = [...new Set([id, ...others])].slice(0, MAX_NAMES)
  return names.map((name) => (/^urn:/i.test(name) ? name : `${source}|${name}`))
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
