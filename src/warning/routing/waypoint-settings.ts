import * as v from 'valibot'
import { severitySchema } from '../../model/channel-schema.ts'
import { looseObject } from '../../platform/config/object.ts'

/** docs/interface.md §6, *Waypoints*. */
export const mtWaypointsSchema = v.pipe(
  looseObject({
    enabled: v.pipe(
      v.optional(v.boolean(), false),
      v.title('Waypoints'),
      v.description(
        'True: an alert with a place of its own is followed by a mark on the maps of its Meshtastic channel.'
      )
    ),
    min_severity: v.pipe(
      v.optional(severitySchema, 'critical'),
      v.title('From severity'),
      v.description('Alerts below this make no mark.')
    )
  }),
  v.title('Meshtastic waypoints'),
  v.description(
    'Hazards on the map of the phone: each costs the airtime of a short text. MeshCore has nothing like it.'
  )
)
