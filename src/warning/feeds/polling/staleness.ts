import { type LookoutEvent, nowhere } from '../../../model/event.ts'
import type { Reason } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { sentenceOf } from '../../../model/words/sentences.ts'
import { durationText } from '../../../platform/clock/duration.ts'

/** Lookout itself is the source of this news. */
const SOURCE = 'lookout'

interface Outage {
  /** Name of the feed. */
  name: string
  /** The time it was found stale; names the outage, so that a restart does not tell it again. Epoch milliseconds. */
  staleSince: number
  /** Its last good answer; null when there never was one. */
  lastOk: number | null
  /** The reason why it does not answer, null when it is not known. */
  error: Reason | null
  now: number
}

/**
 * A feed that has not answered for too long: one routine event of family mesh_health. Why it is silent stands in the body:
 * an error may quote the provider, and nobody else writes our messages.
 */
export function staleEvent({ name, staleSince, lastOk, error, now }: Outage): LookoutEvent {
  const since = lastOk === null ? 'since the start' : `for ${durationText(now - lastOk)}`
  return outageEvent(
    { name, staleSince, now },
    {
      id: `feed:${name}:stale:${staleSince}`,
      title: `Feed ${name} silent ${since}`,
      body: error === null ? '' : sentenceOf(error),
      lifecycle: 'new'
    }
  )
}

/** The same feed answers again: the end of the outage, told where its beginning was told and nowhere else. */
export function backEvent({ name, staleSince, lastOk, now }: Omit<Outage, 'error'>): LookoutEvent {
  return outageEvent(
    { name, staleSince, now },
    {
      id: `feed:${name}:back:${staleSince}`,
      title: `Feed ${name} silent, back after ${durationText(now - (lastOk ?? staleSince))}`,
      body: '',
      lifecycle: 'cancel'
    }
  )
}

type Told = Pick<LookoutEvent, 'id' | 'title' | 'body' | 'lifecycle'>

function outageEvent({ name, staleSince, now }: Pick<Outage, 'name' | 'staleSince' | 'now'>, told: Told): LookoutEvent {
  return {
    ...told,
    source: SOURCE,
    revision: '',
    category: 'feeder_offline',
    family: 'mesh_health',
    severity: 'routine',
    summary: '',
    ...nowhere(),
    onset: formatTime(staleSince),
    expires: null,
    sent_at: formatTime(now),
    received_at: formatTime(now),
    thread_id: `feed:${name}:stale`,
    region: null,
    regions: [],
    data: { attribution: 'Lookout', material: told.lifecycle, feed: name }
  }
}
