import type { DeliveryFilter } from '../../warning/outbox/delivery-list.ts'
import type { EventSearch } from '../../warning/outbox/event-search.ts'
import type { Asker } from './guest.ts'

type Loose<T> = { [Key in keyof T]?: T[Key] | undefined }

/**
 * The filter of a question about deliveries; what is undefined filters nothing. A guest who looks for a channel or a thread finds no
 * message to a single person by it: that it is found would tell to whom.
 */
export function deliveryFilter(
  asked: Loose<Omit<DeliveryFilter, 'limit' | 'toAll'>>,
  limit: number,
  { isGuest }: Pick<Asker, 'isGuest'>
): DeliveryFilter {
  const { since, state, transport, thread, channel, cursor } = asked
  return {
    ...(since === undefined ? {} : { since }),
    ...(state === undefined ? {} : { state }),
    ...(transport === undefined ? {} : { transport }),
    ...(thread === undefined ? {} : { thread }),
    ...(channel === undefined ? {} : { channel }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(isGuest && (channel ?? thread) !== undefined ? { toAll: true } : {}),
    limit
  }
}

interface EventsAsked {
  since?: number | undefined
  family?: string | undefined
  severity?: string | undefined
  decision?: string | undefined
  q?: string | undefined
  cursor?: number | undefined
}

/** The search of a question about events; what is undefined filters nothing. */
export function eventFilter(asked: EventsAsked, limit: number): Omit<EventSearch, 'thread'> {
  const { since, family, severity, decision, q, cursor } = asked
  return {
    ...(since === undefined ? {} : { since }),
    ...(family === undefined ? {} : { family }),
    ...(severity === undefined ? {} : { severity }),
    ...(decision === undefined ? {} : { decision }),
    ...(q === undefined ? {} : { text: q }),
    ...(cursor === undefined ? {} : { before: cursor }),
    limit
  }
}
