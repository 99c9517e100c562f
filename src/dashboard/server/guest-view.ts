import { KIND_OF_PATH } from '../../model/content.ts'
import type { DeliveryView } from '../../warning/outbox/delivery.ts'
import type { Result } from '../../warning/outbox/results.ts'
import type { RadioStatus } from './context.ts'
import type { Asker } from './guest.ts'

const HIDDEN = '…'

/** The kinds of message that everybody may read, whoever they were sent to. */
const PUBLIC_KINDS: ReadonlySet<string> = new Set(['alert', 'end', 'digest'])

/**
 * A message as whoever asks may see it. Of one to a single person a guest sees that there was one and what became of it: each field
 * is named here, so that a new one is not shown by itself.
 */
export function shownDelivery(view: DeliveryView, { isGuest }: Pick<Asker, 'isGuest'>): DeliveryView {
  if (!isGuest || !view.direct) return view
  const isPublic = PUBLIC_KINDS.has(KIND_OF_PATH[view.path])
  const { id, transport, radio, direct, state, reason, severity, family, regions, lifecycle, kind } = view
  const { attempts, heard_by, merged_into, path, created_at, sent_at, simulated, demo } = view
  return {
    ...{ id, transport, radio, direct, state, reason, severity, family, regions, lifecycle, kind },
    ...{ attempts, heard_by, merged_into, path, created_at, sent_at, simulated, demo },
    channel: HIDDEN,
    text: isPublic ? view.text : HIDDEN,
    bytes: isPublic ? view.bytes : null,
    thread_id: isPublic ? view.thread_id : HIDDEN,
    event_ids: isPublic ? view.event_ids : [],
    code: isPublic ? view.code : null
  }
}

/** The fate of an event as whoever asks may see it: a guest reads of a single person on which network, not who. */
export function shownResult(result: Result, { isGuest }: Pick<Asker, 'isGuest'>): Result {
  if (!isGuest) return result
  return { ...result, channels: [...new Set(result.channels.map(publicChannel))] }
}

/** The same of one channel. */
export function shownChannel(channel: string, { isGuest }: Pick<Asker, 'isGuest'>): string {
  return isGuest ? publicChannel(channel) : channel
}

const publicChannel = (channel: string): string => channel.replace(/@.*$/s, `@${HIDDEN}`)

/** A radio as whoever asks may see it: a guest learns how many nodes it hears, not which. */
export function shownRadio(radio: RadioStatus, { isGuest }: Pick<Asker, 'isGuest'>): RadioStatus {
  const { details } = radio
  if (!isGuest || details === null) return radio
  const { firmware, battery_percent, battery_millivolts, channel_utilization, air_utilization } = details
  const { queue_length, nodes_known } = details
  return {
    ...radio,
    details: {
      ...{ firmware, battery_percent, battery_millivolts, channel_utilization, air_utilization },
      ...{ queue_length, nodes_known },
      nodes: []
    }
  }
}
