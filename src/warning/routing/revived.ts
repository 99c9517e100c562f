import type { LookoutEvent } from '../../model/event.ts'
import type { Carried, GuardView } from './decision.ts'

/**
 * Ends that still wait for a channel while what they end goes on again: said after it, they would sound all clear. Those who heard
 * neither know no other than that it goes on (docs/interface.md §2).
 */
export function revivedEnds(
  event: LookoutEvent,
  carried: readonly Carried[],
  regionsOf: (code: string) => readonly string[] | null
): Carried[] {
  const codes = event.zones.length > 0 ? event.zones : event.same
  return carried.filter((end) => {
    if (end.kind !== 'cancel' || end.state !== 'waiting') return false
    const all = endedHere(end, carried)
    const placed = all.filter((code) => regionsOf(code)?.some((region) => end.regions.includes(region)) ?? true)
    const ended = placed.length > 0 ? placed : all
    if (codes.length > 0 && ended.length > 0) return ended.every((code) => codes.includes(code))
    return end.regions.every((region) => event.regions.includes(region))
  })
}

/** The codes its channel was told of and that end: a product ends more of them. */
function endedHere(end: Carried, carried: readonly Carried[]): readonly string[] {
  const told = carried.filter(
    ({ kind, channelKey, id }) => kind !== 'cancel' && channelKey === end.channelKey && id < end.id
  )
  const codes = [...new Set(told.flatMap(({ zones }) => zones))]
  return end.zones.length === 0 ? codes : end.zones.filter((code) => codes.length === 0 || codes.includes(code))
}

/** The same memory without these messages. */
export function without(view: GuardView, rows: readonly Carried[]): GuardView {
  if (rows.length === 0) return view
  const gone = new Set(rows.map(({ id }) => id))
  return withCarried(view, (threadId) => view.carried(threadId).filter(({ id }) => !gone.has(id)))
}

/** The same memory, read once: while one event is decided nothing is stored, and several steps ask what its thread carries. */
export function readOnce(view: GuardView): GuardView {
  const known = new Map<string, readonly Carried[]>()
  return withCarried(view, (threadId) => {
    const carried = known.get(threadId) ?? view.carried(threadId)
    known.set(threadId, carried)
    return carried
  })
}

function withCarried(view: GuardView, carried: GuardView['carried']): GuardView {
  return {
    seen: (source, key) => view.seen(source, key),
    armed: (family, category, region) => view.armed(family, category, region),
    carried,
    newer: (threadId, sentAt, now) => view.newer(threadId, sentAt, now),
    heard: (threadId) => view.heard(threadId),
    inForce: (now) => view.inForce(now),
    silences: (now) => view.silences(now)
  }
}
