import * as v from 'valibot'
import { mcCellChannelSchema, mcChannelSchema, mtChannelSchema, severitySchema } from '../../model/channel-schema.ts'
import { forEverybody } from '../../platform/config/for-everybody.ts'
import { looseObject, record } from '../../platform/config/object.ts'
import { broadcastsSchema } from '../schedule/settings.ts'
import { mtAlertSchema } from './alarm-settings.ts'
import { inhibitionSchema } from './inhibition-settings.ts'
import { quietHoursSchema } from './quiet-settings.ts'
import { remindersSchema } from './reminder-settings.ts'
import { standbySchema } from './standby-settings.ts'
import { mtWaypointsSchema } from './waypoint-settings.ts'

/** Contract §4 and §5: the matrix, and the path beside it. Field names are those an existing configuration uses. */

const publicName = v.pipe(v.string(), forEverybody())

export const cellSchema = v.pipe(
  looseObject({
    mt: v.pipe(
      v.optional(v.nullable(mtChannelSchema), null),
      v.description('Meshtastic channel index; null: not on Meshtastic. 0 is a channel.')
    ),
    mc: v.pipe(
      v.optional(mcCellChannelSchema, null),
      v.description('MeshCore channel name; null or empty: not on MeshCore.'),
      forEverybody()
    ),
    min_severity: v.pipe(
      v.optional(severitySchema, 'routine'),
      v.description('Events below this are not sent: a match, but silent.')
    ),
    enabled: v.pipe(
      v.optional(v.boolean(), true),
      v.description('False: the cell does not match, so the family policy and the rules apply.')
    ),
    mute: v.pipe(
      v.exactOptional(v.boolean()),
      v.description(
        'With enabled false: the cell matches all the same and sends nothing, so nothing else broadcasts it.'
      )
    ),
    fallback: v.pipe(
      v.exactOptional(v.union([v.boolean(), v.literal('mc_first')], 'fallback is true, false or "mc_first"')),
      v.description(
        'True: MeshCore only stands in, marked VIA MC, when Meshtastic is down, fails or nobody is heard; "mc_first": the other way round. Absent: both at once.'
      )
    )
  }),
  v.title('Matrix cell')
)

const cells = record(
  v.pipe(v.string(), v.nonEmpty('a family has a name'), forEverybody()),
  record(v.pipe(v.string(), v.nonEmpty('a region has a name'), forEverybody()), cellSchema)
)

/** Absent as long as nobody wrote it, so that a matrix from elsewhere, which has these switches and no master, is told (contract §13). */
const networkSwitch = (network: string) =>
  v.pipe(
    v.exactOptional(v.boolean()),
    v.title(`${network} on`),
    v.description(
      `False: cells send nothing over ${network}, and still decide alone. Absent: true. The master switch stands above it.`
    )
  )
const networkSwitches = { mt_enabled: networkSwitch('Meshtastic'), mc_enabled: networkSwitch('MeshCore') }

export const regionRoutesSchema = v.pipe(
  looseObject({
    enabled: v.pipe(v.optional(v.boolean(), false), v.description('The master switch of the matrix.')),
    ...networkSwitches,
    cells: v.pipe(
      v.optional(cells, {}),
      v.description('Sparse: family → region name → cell. Only cells with a channel are stored.')
    )
  }),
  v.title('Region matrix'),
  v.description('family × region → Meshtastic channel index and MeshCore channel name.')
)

/**
 * The body of `POST /api/notifications/region-routing`: master and cells must be there, so that an empty body never wipes the
 * matrix; a switch of a network that is left out stays as it is stored.
 */
export const regionRoutesBodySchema = looseObject({ enabled: v.boolean(), ...networkSwitches, cells })

const seconds = v.pipe(v.number(), v.finite('must be a finite number'), v.minValue(0, 'seconds must not be negative'))
const names = v.optional(v.array(v.string()), [])
const text = v.optional(v.string(), '')

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
  broadcast_channel: v.pipe(
    v.optional(v.nullable(mtChannelSchema), null),
    v.description('Meshtastic channel index of mesh_broadcast; 0 is a channel, null is none.')
  ),
  meshcore_channel: v.pipe(
    v.optional(v.nullable(mcChannelSchema), null),
    v.description('MeshCore channel name of meshcore_broadcast, at most 31 bytes.'),
    forEverybody()
  ),
  node_ids: v.pipe(
    v.optional(v.array(v.union([v.string(), v.number()])), []),
    v.description('Meshtastic nodes of mesh_dm: !a1b2c3d4 or the node number.')
  ),
  meshcore_dm_contacts: v.pipe(names, v.description('MeshCore contacts of meshcore_dm, by name.')),
  smtp_host: v.pipe(text, v.description('Mail server of email.')),
  smtp_port: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535)), 587),
    v.description('465 = TLS from the first byte; any other port = STARTTLS.')
  ),
  smtp_user: v.pipe(text, v.description('Empty: no authentication.')),
  smtp_password: v.pipe(text, v.description('Never shown, never logged.')),
  smtp_tls: v.pipe(
    v.optional(v.boolean(), true),
    v.description('True: TLS is required. False: plain text, for a mail server on this machine.')
  ),
  from_address: v.pipe(text, v.description('Sender of email.')),
  recipients: v.pipe(names, v.description('Addressees of email.')),
  webhook_url: v.pipe(text, v.description('Address of webhook and ntfy (for ntfy with the topic).')),
  webhook_headers: v.pipe(
    v.optional(record(v.string(), v.string()), {}),
    v.description('Header fields of webhook and ntfy. Their values are secrets: never shown, never logged.')
  )
}

export const toggleSchema = v.pipe(
  looseObject({
    enabled: v.pipe(
      v.optional(v.boolean(), false),
      v.description('Send events of this family that no matrix cell matches.')
    ),
    min_severity: v.pipe(v.optional(severitySchema, 'priority'), v.description('Events below this are not sent.')),
    regions: v.pipe(names, v.description('Only events that touch one of these regions; empty = all.'), forEverybody()),
    severity_channels: v.pipe(
      v.optional(record(severitySchema, v.array(deliveryType)), {
        priority: ['mesh_broadcast'],
        critical: ['mesh_broadcast'],
        immediate: ['mesh_broadcast', 'mesh_dm']
      }),
      v.description(
        'Severity → delivery types, with the settings of this policy. Not used when destinations are named.'
      )
    ),
    destinations: v.pipe(
      names,
      v.description('Names of notifications.destinations; they take the place of severity_channels.'),
      forEverybody()
    ),
    cooldown_seconds: v.pipe(
      v.optional(seconds, 300),
      v.description('0 = off. Holds routine and priority only, until it ends.')
    ),
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
    name: v.pipe(
      text,
      v.description('Shown in traces. A rule that sends by e-mail, webhook or ntfy needs its own name.'),
      forEverybody()
    ),
    enabled: v.pipe(v.optional(v.boolean(), true), v.description('False: the rule is skipped.')),
    trigger_type: v.pipe(
      v.optional(v.picklist(['condition', 'schedule']), 'condition'),
      v.description('Only condition rules are acted on by this version; schedule is kept.')
    ),
    categories: v.pipe(names, v.description('Only these categories; empty = all.'), forEverybody()),
    min_severity: v.pipe(v.optional(severitySchema, 'routine'), v.description('Events below this do not match.')),
    region_scope: v.pipe(
      names,
      v.description('Only events that touch one of these regions; empty = all.'),
      forEverybody()
    ),
    delivery_type: v.pipe(
      v.optional(
        v.picklist(['', ...DELIVERY_TYPES], `a delivery type is one of ${DELIVERY_TYPES.join(', ')}, or empty`),
        ''
      ),
      v.description('How it sends, with the settings of this rule. Not used when destinations are named.')
    ),
    destinations: v.pipe(names, v.description('Names of notifications.destinations.'), forEverybody()),
    ...deliveryEntries
  }),
  v.title('Rule')
)

export const destinationSchema = v.pipe(
  looseObject({
    type: v.pipe(v.optional(deliveryType, 'mesh_broadcast'), v.description('How this destination sends.')),
    ...deliveryEntries
  }),
  v.title('Destination')
)

export const ESCALATION_TYPES = ['repeat', 'other_network', 'dm', 'webhook'] as const

export const escalationStepSchema = v.pipe(
  looseObject({
    after_seconds: v.pipe(
      v.number('after_seconds is a number'),
      v.finite('must be a finite number'),
      v.minValue(10, 'a step waits at least 10 seconds'),
      v.maxValue(604_800, 'a step waits at most 7 days'),
      v.description('Seconds after the step before it; of the first step, after the alert.')
    ),
    type: v.pipe(
      v.picklist(ESCALATION_TYPES, `a step is one of ${ESCALATION_TYPES.join(', ')}`),
      v.description(
        "repeat = the same text once more on its channels, marked RPT; other_network = the cell's channel on the other network; dm = node_ids and contacts; webhook = destination."
      )
    ),
    node_ids: v.pipe(
      v.optional(v.array(v.union([v.string(), v.number()])), []),
      v.description('Meshtastic nodes of a dm step: !a1b2c3d4, or the number.')
    ),
    contacts: v.pipe(names, v.description('MeshCore contacts of a dm step.')),
    destination: v.pipe(
      text,
      v.description(
        'Of a webhook step: the name of a notifications.destinations entry of type webhook, ntfy or email.'
      ),
      forEverybody()
    )
  }),
  v.title('Escalation step')
)

export const escalationSchema = v.pipe(
  looseObject({
    min_severity: v.pipe(
      v.optional(severitySchema, 'critical'),
      v.description('Alerts below this are not followed up.')
    ),
    steps: v.pipe(
      v.array(escalationStepSchema, 'steps is a list'),
      v.maxLength(10, 'at most 10 steps'),
      v.description('Taken one after the other until somebody acknowledges the alert or it is over.')
    )
  }),
  v.title('Escalation')
)

const operatorChannelSchema = looseObject({
  mt: v.pipe(
    v.optional(v.nullable(mtChannelSchema), null),
    v.description('Meshtastic channel index; null: see fallback.')
  ),
  mc: v.pipe(
    v.optional(mcCellChannelSchema, null),
    v.description('MeshCore channel name; null or empty: see fallback.'),
    forEverybody()
  ),
  fallback: v.pipe(
    v.optional(v.picklist(['warnings', 'nowhere']), 'warnings'),
    v.title('Where none is named'),
    v.description(
      'warnings: on the channel that the first cell of the matrix names for that network; nowhere: not at all.'
    )
  )
})

export const notificationsSchema = looseObject({
  enabled: v.pipe(v.optional(v.boolean(), true), v.title('Notifications on'), v.description('Off: nothing is sent.')),
  cold_start_grace_seconds: v.pipe(
    v.optional(seconds, 60),
    v.title('Cold start grace'),
    v.description(
      'What polled sources list this soon after a start is known, not news: only what is in force is told. 0 = off.'
    )
  ),
  coalesce_seconds: v.pipe(
    v.optional(v.pipe(seconds, v.maxValue(600)), 20),
    v.title('Coalescing'),
    v.description('How long routine and priority messages wait for further pieces of the same event.')
  ),
  toggles: v.pipe(
    v.optional(record(publicName, toggleSchema), {}),
    v.title('Family policies'),
    v.description(
      'Family → policy for events that no matrix cell matches; cooldown and freshness also count for the matrix.'
    )
  ),
  rules: v.pipe(
    v.optional(v.array(ruleSchema), []),
    v.title('Rules'),
    v.description('Asked after the family policies, in order. A channel that both name gets one message.')
  ),
  destinations: v.pipe(
    v.optional(record(publicName, destinationSchema), {}),
    v.title('Destinations'),
    v.description('Name → how and where to send, for policies and rules to refer to.')
  ),
  escalation: v.pipe(
    v.optional(record(publicName, escalationSchema), {}),
    v.title('Escalation'),
    v.description('Family → what follows when nobody acknowledges an alert.')
  ),
  inhibition: v.pipe(v.optional(inhibitionSchema, {}), v.description('What mutes what in the same region.')),
  quiet_hours: v.optional(quietHoursSchema, {}),
  reminders: v.optional(remindersSchema, []),
  mt_alert: v.optional(mtAlertSchema, {}),
  mt_waypoints: v.optional(mtWaypointsSchema, {}),
  standby: v.optional(standbySchema, {}),
  operator_channel: v.pipe(
    v.optional(operatorChannelSchema, {}),
    v.title('Operator channels'),
    v.description('Where the station says once that its disk fails, and once that it works again.')
  ),
  broadcasts: v.optional(broadcastsSchema, []),
  region_routes: v.optional(regionRoutesSchema, {})
})

export type Cell = v.InferOutput<typeof cellSchema>
export type RegionRoutes = v.InferOutput<typeof regionRoutesSchema>
export type Toggle = v.InferOutput<typeof toggleSchema>
export type Rule = v.InferOutput<typeof ruleSchema>
export type Destination = v.InferOutput<typeof destinationSchema>
export type Escalation = v.InferOutput<typeof escalationSchema>
export type EscalationStep = v.InferOutput<typeof escalationStepSchema>
export type NotificationsConfig = v.InferOutput<typeof notificationsSchema>
