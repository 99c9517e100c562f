import type * as v from 'valibot'
import type { DeliveryView } from '../../warning/outbox/delivery.ts'
import { csv } from '../server/csv.ts'
import { deliveryFilter } from '../server/filters.ts'
import { shownDelivery } from '../server/guest-view.ts'
import { listDeliveriesInSlices } from '../server/long-lists.ts'
import { json, text } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { deliveriesAnswer } from './answers/warnings.ts'
import { deliveriesQuery } from './query.ts'
import type { Services } from './services.ts'

const COLUMNS: readonly (keyof DeliveryView)[] = [
  ...([
    'id',
    'created_at',
    'sent_at',
    'transport',
    'radio',
    'channel',
    'direct',
    'state',
    'reason',
    'severity'
  ] as const),
  ...([
    'family',
    'regions',
    'kind',
    'lifecycle',
    'text',
    'bytes',
    'attempts',
    'heard_by',
    'simulated',
    'demo'
  ] as const),
  ...(['thread_id', 'event_ids', 'merged_into', 'code', 'path'] as const)
]

/** `GET /api/deliveries`: newest first, as JSON, CSV or JSON lines. Outside of JSON the next page is in the `Link` header. */
function listDeliveries({
  context
}: Services): Handler<v.InferOutput<typeof deliveriesQuery>, undefined, Told<typeof deliveriesAnswer>> {
  return async ({ query, isGuest, left }) => {
    const { format, limit, ...asked } = query
    const filter = deliveryFilter(asked, limit, { isGuest })
    const { deliveries: found, next } = await listDeliveriesInSlices(context.deliveries, filter, left)
    const page = { deliveries: found.map((view) => shownDelivery(view, { isGuest })), next }
    if (format === 'json') return json(page)
    const headers = {
      'Content-Disposition': `attachment; filename="deliveries.${format}"`,
      ...nextLink(query, page.next)
    }
    if (format === 'csv') return text('text/csv', csv(COLUMNS, page.deliveries), headers)
    const lines = page.deliveries.map((delivery) => `${JSON.stringify(delivery)}\n`).join('')
    return text('application/x-ndjson', lines, headers)
  }
}

/** RFC 8288. */
function nextLink(query: v.InferOutput<typeof deliveriesQuery>, next: number | null): Record<string, string> {
  if (next === null) return {}
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor: next })) {
    if (value === undefined) continue
    parameters.set(name, name === 'since' ? new Date(Number(value)).toISOString() : String(value))
  }
  return { Link: `</api/deliveries?${parameters}>; rel="next"` }
}

export const deliveriesRoutes = (services: Services): Route[] => [
  get('/api/deliveries', {
    summary: 'Messages and what became of them.',
    about:
      '`{deliveries, next}`. With `format=csv` or `format=jsonl` a file; the next page is then in the `Link` header.',
    query: deliveriesQuery,
    refuses: { 422: 'Not valid' },
    media: ['text/csv', 'application/x-ndjson'],
    answer: deliveriesAnswer,
    shared: true,
    handle: listDeliveries(services)
  })
]
