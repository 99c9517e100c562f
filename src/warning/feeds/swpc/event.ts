import { type EventData, type LookoutEvent, nowhere } from '../../../model/event.ts'
import type { Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import { clip } from '../reading/prose.ts'

/** The parts by which two space weather events differ. Times are epoch milliseconds. */
export interface SpaceParts {
  id: string
  source: string
  revision: string
  category: string
  severity: Severity
  title: string
  body: string
  onset: number | null
  expires: number | null
  sentAt: number
  receivedAt: number
  threadId: string
  lifecycle: LookoutEvent['lifecycle']
  data: EventData
}

/** A space weather event: it is nowhere in particular, so that it has no geometry and no codes. */
export function spaceEvent(parts: SpaceParts): LookoutEvent {
  const { onset, expires, sentAt, receivedAt, threadId, title, data, ...rest } = parts
  return {
    ...rest,
    family: 'rf_propagation',
    title: clip(title, 500),
    summary: data.detail ?? '',
    ...nowhere(),
    onset: onset === null ? null : formatTime(onset),
    expires: expires === null ? null : formatTime(expires),
    sent_at: formatTime(sentAt),
    received_at: formatTime(receivedAt),
    thread_id: threadId,
    region: null,
    regions: [],
    data: { ...data, attribution: 'SWPC' }
  }
}
