import * as v from 'valibot'
import { forEverybody } from '../../platform/config/for-everybody.ts'
import { looseObject } from '../../platform/config/object.ts'

const radioId = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9_-]{0,31}$/i, 'an id is 1-32 letters, digits, - or _'))

export const radioSchema = v.pipe(
  looseObject({
    id: v.pipe(
      radioId,
      v.description('Your name for the radio: in deliveries, metrics and messages of the log.'),
      forEverybody()
    ),
    network: v.pipe(
      v.picklist(['mt', 'mc'], 'a network is mt (Meshtastic) or mc (MeshCore)'),
      v.description('mt = Meshtastic, mc = MeshCore. At most one radio per network.')
    ),
    link: v.pipe(
      v.picklist(['serial', 'tcp', 'simulated'], 'a link is serial, tcp or simulated'),
      v.description('How the radio is reached.')
    ),
    path: v.pipe(
      v.optional(v.string()),
      v.description('Device of a serial link, best by its stable name /dev/serial/by-id/….')
    ),
    host: v.pipe(v.optional(v.string()), v.description('Address or name of a tcp link.')),
    port: v.pipe(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535))),
      v.description('Port of a tcp link.')
    ),
    flood_scope: v.pipe(
      v.exactOptional(
        v.pipe(
          v.string(),
          v.trim(),
          v.regex(/^#?[^\s#]{1,30}$/u, 'a flood scope is the name of a region, such as idaho')
        )
      ),
      v.description(
        'mc only: floods of this radio are repeated only within this region of the mesh. Without it, as the node is set up.'
      )
    ),
    admin_key_required: v.pipe(
      v.optional(v.boolean(), true),
      v.title('Admins need a key'),
      v.description(
        'mt only: an admin has rights only by a direct message encrypted with the key its node had at first use (firmware 2.5 or newer). False: the id alone is enough, and anybody in reach can write it.'
      )
    ),
    channels: v.pipe(
      v.optional(v.array(v.union([v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(7)), v.string()]))),
      v.description(
        'Channels of a simulated radio: indices on mt, names on mc. Without it mt has 0 to 7 and mc every name the configuration uses.'
      ),
      forEverybody()
    )
  }),
  v.forward(
    v.check(
      (radio) => radio.link !== 'serial' || Boolean(radio.path),
      'a serial radio needs a path, such as /dev/serial/by-id/…'
    ),
    ['path']
  ),
  v.forward(
    v.check((radio) => radio.link !== 'tcp' || Boolean(radio.host), 'a tcp radio needs a host'),
    ['host']
  ),
  v.title('Radio')
)

export type RadioConfig = v.InferOutput<typeof radioSchema>
