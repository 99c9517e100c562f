import type { LookoutEvent } from '../../model/event.ts'

/** Asked once for each channel, and an event does not change. */
const known = new WeakMap<LookoutEvent, string>()

/**
 * The facts a listener would act on, in one comparable string. Feeds set `data.material`; else what people read
 * decides.
 */
export function materialOf(event: LookoutEvent): string {
  const before = known.get(event)
  if (before !== undefined) return before
  const material = event.data.material ?? JSON.stringify([event.severity, event.expires, event.title, event.summary])
  known.set(event, material)
  return material
}
