import * as v from 'valibot'
import { looseObject } from '../../platform/config/object.ts'

/** docs/interface.md §6, *Alert packets*: how `immediate` makes itself heard on Meshtastic beyond a text. */

export const mtAlertSchema = v.pipe(
  looseObject({
    packet: v.pipe(
      v.optional(v.picklist(['off', 'beside', 'instead'], 'packet is off, beside or instead'), 'off'),
      v.title('Alert packet'),
      v.description(
        'beside: a text of immediate danger is followed by the same words as an alert packet; instead: it leaves as an alert packet only, which apps that do not know them do not show.'
      )
    ),
    bell: v.pipe(
      v.optional(v.boolean(), false),
      v.title('Bell'),
      v.description('True: the words of immediate danger end in the bell character, at which many apps and nodes ring.')
    ),
    per_day: v.pipe(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(24)), 3),
      v.title('At most in 24 hours'),
      v.description('So many messages of a channel ring in 24 hours; further ones leave as plain text.')
    )
  }),
  v.title('Meshtastic alert'),
  v.description('How a message of immediate danger to a Meshtastic channel rings. MeshCore has nothing like it.')
)

export type MtAlert = v.InferOutput<typeof mtAlertSchema>
