import * as v from 'valibot'
import { looseObject } from '../../platform/config/object.ts'

const ADMIN = /^(?:![0-9a-f]{8}|[0-9a-f]{12,64})$/i

/** Settings of what people may ask over the radio, and of who may change anything by it. */
export const commandsSchema = looseObject({
  enabled: v.pipe(
    v.optional(v.boolean(), true),
    v.title('Commands'),
    v.description('False: texts from the mesh are never answered.')
  ),
  admins: v.pipe(
    v.optional(
      v.array(
        v.pipe(
          v.string(),
          v.trim(),
          v.regex(
            ADMIN,
            'an admin is a Meshtastic node id (!a1b2c3d4) or at least 12 hex digits of a MeshCore public key'
          )
        )
      ),
      []
    ),
    v.title('Admins'),
    v.description(
      'Nodes that may use !silence, by direct message: Meshtastic node ids (!a1b2c3d4) and MeshCore public keys (12 or more hex digits from the left). Never names: a name can be faked.'
    )
  ),
  allow_channels: v.pipe(
    v.optional(v.boolean(), true),
    v.title('Commands on channels'),
    v.description('False: only direct messages are answered.')
  )
})
