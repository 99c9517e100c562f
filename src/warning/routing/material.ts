import type { LookoutEvent } from '../../model/event.ts'

/** What a listener would act on, in one comparable string. Feeds set `data.material`; else what people read decides. */
export function materialOf(event: LookoutEvent): string {
  return event.data.material ?? JSON.stringify([event.severity, event.expires, event.title, event.summary])
}
