import * as v from 'valibot'
import { looseObject } from '../../platform/config/object.ts'

const ADMIN = /^(?:![0-9a-f]{8}|[0-9a-f]{12,64})$/i

/** Commands that change something or cost much: the owner says who may use them. */
export type GuardedCommand = 'ack' | 'silence' | 'ask' | 'hotspot' | 'who' | 'claim'

const WHO = ['list', 'channel', 'anyone'] as const

function whoMay(otherwise: (typeof WHO)[number], title: string, description: string) {
  return v.pipe(
    v.optional(v.picklist(WHO, 'who may is list, channel or anyone'), otherwise),
    v.title(title),
    v.description(description)
  )
}

const whoSchema = looseObject({
  ack: whoMay('list', 'Who may acknowledge', 'Whose !ack is recorded and ends an escalation.'),
  silence: whoMay('list', 'Who may silence', 'Whose !silence is obeyed; never for immediate alerts.'),
  ask: whoMay('anyone', 'Who may ask the library', 'Whose !ask is answered: each costs two texts.')
})

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
      'Nodes that may do everything, by direct message: Meshtastic node ids (!a1b2c3d4) and MeshCore public keys (12 or more hex digits from the left). Never names: a name can be faked.'
    )
  ),
  who: v.pipe(
    v.optional(whoSchema, {}),
    v.title('Who may'),
    v.description(
      'For each command: list = the admins alone, proven; channel = also whoever writes on a channel that the radio has; anyone = everybody in reach, whatever id they write.'
    )
  ),
  reply_airtime_percent: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(50)), 10),
    v.title('Airtime of answers'),
    v.description(
      'Percent of the airtime of an hour that all answers together may take. They go last, and never delay critical and immediate alerts. 0 = none is given.'
    )
  ),
  catchup_texts: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)), 3),
    v.title('Texts of a catch-up'),
    v.description('Texts that !catchup is answered with at most, 1 to 5: the gravest and newest alerts in force.')
  ),
  catchup_unasked_hours: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(168)), 0),
    v.title('Catch-up unasked'),
    v.description(
      'A node that is heard again after so many hours (MeshCore: a contact by its advert), or for the first time, is sent what is in force where it is, as !catchup would, from the airtime of answers; 4 nodes an hour. 0 = off.'
    )
  ),
  allow_channels: v.pipe(
    v.optional(v.boolean(), true),
    v.title('Commands on channels'),
    v.description('False: only direct messages are answered.')
  )
})
