import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { commonEntries } from '../common-settings.ts'
import { mappingEntry } from '../reading/mapping-settings.ts'

/** An address without name and password: those have fields of their own, whose values are hidden. */
export function brokerUrlSchema(protocols: readonly string[], message: string) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.check((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), message),
    v.check(
      (text) => !URL.canParse(text) || (new URL(text).username === '' && new URL(text).password === ''),
      'name and password stand in fields of their own, not in the address'
    )
  )
}

/** Path of a file of certificates or credentials. */
export const filePathSchema = v.exactOptional(v.pipe(v.string(), v.trim(), v.nonEmpty('a file has a path')))

/** MQTT 5 §4.7: levels between slashes; + stands for a whole level, # for all that follow, at the end. */
function isFilter(text: string): boolean {
  const levels = text.split('/')
  return levels.every((level, index) =>
    level.includes('#') ? level === '#' && index === levels.length - 1 : !level.includes('+') || level === '+'
  )
}

const topicSchema = v.pipe(
  looseObject({
    filter: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('a topic has a filter'),
      v.maxLength(500, 'a filter has at most 500 characters'),
      v.check(isFilter, '+ stands for a whole level, # for all that follow, at the end: a/+/c, a/#'),
      v.description('Topic, or a filter with + and #.')
    ),
    mapping: mappingEntry,
    family: v.pipe(
      v.exactOptional(v.pipe(v.string(), v.trim(), v.nonEmpty('a family has a name'))),
      v.description('Family of an Event that names neither a family nor a known category.')
    ),
    retained: v.pipe(
      v.optional(v.picklist(['known', 'ignore', 'tell'], 'retained is known, ignore or tell'), 'known'),
      v.description(
        'What the broker kept from before we asked. known: recorded, not broadcast. ignore: left out. tell: as if it came now.'
      )
    )
  }),
  v.title('Topic')
)

/** Settings of an MQTT broker. */
export const mqttSourceSchema = v.pipe(
  looseObject({
    ...commonEntries('mqtt'),
    url: v.pipe(
      v.optional(
        v.union([
          v.literal(''),
          brokerUrlSchema(
            ['mqtt:', 'mqtts:'],
            'an address is like mqtt://broker.example:1883, or mqtts:// for an encrypted connection'
          )
        ]),
        ''
      ),
      v.description('Address of the broker: mqtt://HOST, or mqtts://HOST encrypted.')
    ),
    client_id: v.pipe(
      v.exactOptional(v.pipe(v.string(), v.trim(), v.regex(/^[\x21-\x7e]{1,128}$/, 'plain characters, no spaces'))),
      v.description(
        'What the broker knows us by; it keeps messages for this name while we are away. No other client may use it. Default: made of the names of station and source.'
      )
    ),
    username: v.pipe(v.optional(v.string(), ''), v.description('User name, where the broker wants one.')),
    password: v.pipe(v.optional(v.string(), ''), v.description('Password, where the broker wants one.')),
    ca_file: v.pipe(
      filePathSchema,
      v.description(
        'Certificates (PEM) to trust instead of the public ones; a relative path begins in the data folder.'
      )
    ),
    session_hours: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(0.1), v.maxValue(24 * 30)), 24),
      v.description('How long the broker keeps messages for us while we are away (MQTT 5).')
    ),
    keep_source: v.pipe(
      v.optional(v.boolean(), false),
      v.description(
        'True: Events keep the source and thread_id their sender gives, so that they update and end what others told. Only where you trust every sender.'
      )
    ),
    topics: v.pipe(
      v.optional(v.pipe(v.array(topicSchema), v.maxLength(50, 'at most 50 topics')), []),
      v.check((all) => new Set(all.map(({ filter }) => filter)).size === all.length, 'filters must differ'),
      v.description('What to listen to. The first filter that fits a message says how it is read.')
    )
  }),
  v.title('MQTT'),
  v.description('Events that a broker hands on: Events of this program, or any JSON with a mapping.')
)

export type MqttSettings = v.InferOutput<typeof mqttSourceSchema>
export type MqttTopic = v.InferOutput<typeof topicSchema>
