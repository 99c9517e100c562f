import * as v from 'valibot'
import { looseObject, record } from './object.ts'
import { SEVERITIES } from './vocabulary.ts'

/** Contract §4 and §5: the matrix, and the path beside it. Field names are those an existing configuration uses. */

export const severitySchema = v.picklist(SEVERITIES, `a severity is one of ${SEVERITIES.join(', ')}`)

export const mtChannelSchema = v.pipe(
  v.number('an MT channel is an integer from 0 to 7'),
  v.integer('an MT channel is an integer from 0 to 7'),
  v.minValue(0, 'an MT channel is an integer from 0 to 7'),
  v.maxValue(7, 'an MT channel is an integer from 0 to 7')
)

export const mcChannelSchema = v.pipe(
  v.string('an MC channel is a name'),
  v.trim(),
  v.nonEmpty('an MC channel name must not be empty (null means none)'),
  v.maxBytes(31, 'an MC channel name has at most 31 bytes of UTF-8')
)

export const cellSchema = v.pipe(
  looseObject({
    mt: v.pipe(
      v.optional(v.nullable(mtChannelSchema), null),
      v.description('MT channel index; null: not on MT. 0 is a channel.')
    ),
    mc: v.pipe(v.optional(v.nullable(mcChannelSchema), null), v.description('MC channel name; null: not on MC.')),
    min_severity: v.optional(severitySchema, 'routine'),
    enabled: v.optional(v.boolean(), true)
  }),
  v.title('Matrix cell')
)

const cells = record(
  v.pipe(v.string(), v.nonEmpty('a family has a name')),
  record(v.pipe(v.string(), v.nonEmpty('a region has a name')), cellSchema)
)

export const regionRoutesSchema = v.pipe(
  looseObject({ enabled: v.optional(v.boolean(), false), cells: v.optional(cells, {}) }),
  v.title('Region matrix'),
  v.description('family × region → MT channel index and MC channel name.')
)

/** What `POST /api/notifications/region-routing` takes: both fields, so that an empty body never wipes the matrix. */
export const regionRoutesBodySchema = looseObject({ enabled: v.boolean(), cells })

const seconds = v.pipe(v.number(), v.finite('must be a finite number'), v.minValue(0, 'seconds must not be negative'))
const names = v.optional(v.array(v.string()), [])

export const DELIVERY_TYPES = [
  'mesh_broadcast',
  'meshcore_broadcast',
  'mesh_dm',
  'meshcore_dm',
  'email',
  'webhook',
  'ntfy',
  'digest'
] as const
export type DeliveryType = (typeof DELIVERY_TYPES)[number]
const deliveryType = v.picklist(DELIVERY_TYPES, `a delivery type is one of ${DELIVERY_TYPES.join(', ')}`)

const deliveryEntries = {
  broadcast_channel: v.optional(v.nullable(mtChannelSchema), null),
  meshcore_channel: v.optional(v.nullable(mcChannelSchema), null),
  node_ids: v.optional(v.array(v.union([v.string(), v.number()])), []),
  meshcore_dm_contacts: names,
  smtp_host: v.optional(v.string(), ''),
  smtp_port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535)), 587),
  smtp_user: v.optional(v.string(), ''),
  smtp_password: v.optional(v.string(), ''),
  smtp_tls: v.optional(v.boolean(), true),
  from_address: v.optional(v.string(), ''),
  recipients: names,
  webhook_url: v.optional(v.string(), ''),
  webhook_headers: v.optional(record(v.string(), v.string()), {})
}

export const toggleSchema = v.pipe(
  looseObject({
    enabled: v.optional(v.boolean(), false),
    min_severity: v.optional(severitySchema, 'priority'),
    regions: names,
    severity_channels: v.optional(record(severitySchema, v.array(deliveryType)), {
      priority: ['mesh_broadcast'],
      critical: ['mesh_broadcast'],
      immediate: ['mesh_broadcast', 'mesh_dm']
    }),
    destinations: names,
    cooldown_seconds: v.pipe(v.optional(seconds, 300), v.description('0 = off. Suppresses routine and priority only.')),
    freshness_seconds: v.pipe(
      v.optional(v.nullable(seconds), null),
      v.description('0 = off, null = the default of the family.')
    ),
    ...deliveryEntries
  }),
  v.title('Family policy')
)

export const ruleSchema = v.pipe(
  looseObject({
    name: v.optional(v.string(), ''),
    enabled: v.optional(v.boolean(), true),
    trigger_type: v.optional(v.picklist(['condition', 'schedule']), 'condition'),
    categories: names,
    min_severity: v.optional(severitySchema, 'routine'),
    region_scope: names,
    delivery_type: v.optional(
      v.picklist(['', ...DELIVERY_TYPES], `a delivery type is one of ${DELIVERY_TYPES.join(', ')}, or empty`),
      ''
    ),
    destinations: names,
    ...deliveryEntries
  }),
  v.title('Rule')
)

export const destinationSchema = v.pipe(
  looseObject({ type: v.optional(deliveryType, 'mesh_broadcast'), ...deliveryEntries }),
  v.title('Destination')
)

export const notificationsSchema = looseObject({
  enabled: v.pipe(v.optional(v.boolean(), true), v.title('Notifications on'), v.description('Off: nothing is sent.')),
  cold_start_grace_seconds: v.pipe(
    v.optional(seconds, 60),
    v.title('Cold start grace'),
    v.description('What polled sources list this soon after a start is recorded, not broadcast. 0 = off.')
  ),
  coalesce_seconds: v.pipe(
    v.optional(v.pipe(seconds, v.maxValue(600)), 20),
    v.title('Coalescing'),
    v.description('How long routine and priority messages wait for further pieces of the same event.')
  ),
  toggles: v.optional(record(v.string(), toggleSchema), {}),
  rules: v.optional(v.array(ruleSchema), []),
  destinations: v.optional(record(v.string(), destinationSchema), {}),
  region_routes: v.optional(regionRoutesSchema, {})
})

export type Cell = v.InferOutput<typeof cellSchema>
export type RegionRoutes = v.InferOutput<typeof regionRoutesSchema>
export type Toggle = v.InferOutput<typeof toggleSchema>
export type Rule = v.InferOutput<typeof ruleSchema>
export type Destination = v.InferOutput<typeof destinationSchema>
export type NotificationsConfig = v.InferOutput<typeof notificationsSchema>
