import * as v from 'valibot'
import { severitySchema } from '../../../model/channel-schema.ts'
import { looseObject, strictObject } from '../../../platform/config/object.ts'
import { commonEntries } from '../common-settings.ts'
import { brokerUrlSchema, filePathSchema } from '../mqtt/settings.ts'
import { mappingEntry } from '../reading/mapping-settings.ts'

const name = (what: string) =>
  v.pipe(v.string(), v.trim(), v.regex(/^[\w-]{0,64}$/, `the name of a ${what} is at most 64 letters, digits, - or _`))

/** NATS "Subject-Based Messaging": tokens between dots; * stands for one, > for all that follow, at the end. */
function isSubject(text: string): boolean {
  const tokens = text.split('.')
  return tokens.every((token, index) => {
    if (token === '>') return index === tokens.length - 1
    return token === '*' || /^[^\s*>]+$/.test(token)
  })
}

const subject = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(250, 'a subject has at most 250 characters'),
  v.check(isSubject, 'a subject is like hub.fire.>, where * stands for one part and > for all that follow')
)
const text = (max: number) => v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'), v.maxLength(max))

const allowSchema = v.pipe(
  strictObject({
    families: v.pipe(
      v.optional(v.pipe(v.array(text(128)), v.maxLength(50)), []),
      v.description('Families that are taken. None named: nothing is taken.')
    ),
    sources: v.pipe(
      v.optional(v.pipe(v.array(text(128)), v.maxLength(50)), []),
      v.description('Sources that are taken, as the hub names them: nws, usgs … None named: all.')
    ),
    min_severity: v.pipe(
      v.optional(severitySchema, 'routine'),
      v.description('Events below are left out; ends are not.')
    )
  }),
  v.title('Allowed')
)

/** Settings of a regional hub: a stream of NATS JetStream. */
export const natsSourceSchema = v.pipe(
  looseObject({
    ...commonEntries('nats'),
    servers: v.pipe(
      v.optional(
        v.pipe(
          v.array(
            brokerUrlSchema(
              ['nats:', 'tls:'],
              'a server is like nats://hub.example:4222, or tls:// for an encrypted connection'
            )
          ),
          v.maxLength(10, 'at most 10 servers')
        ),
        []
      ),
      v.description('Addresses of the hub; the next is tried when one does not answer.')
    ),
    stream: v.pipe(v.optional(name('stream'), ''), v.description('Name of the stream, as the hub calls it.')),
    durable: v.pipe(
      v.optional(name('consumer'), ''),
      v.description('Name of your consumer: the hub remembers under it what you have. No other station may use it.')
    ),
    subjects: v.pipe(
      v.optional(v.pipe(v.array(subject), v.maxLength(50, 'at most 50 subjects')), []),
      v.description('What is taken from the stream. None named: nothing is taken.')
    ),
    allow: v.pipe(
      v.optional(allowSchema, {}),
      v.description('Which of the events are taken. Whatever is not allowed here is left out.')
    ),
    keep_source: v.pipe(
      v.optional(v.boolean(), true),
      v.description(
        'True: events keep the source and thread_id the hub gives, so that what you hear from several sides is one thing. False: all count as this source.'
      )
    ),
    mapping: mappingEntry,
    username: v.pipe(v.optional(v.string(), ''), v.description('User name, where the hub wants one.')),
    password: v.pipe(v.optional(v.string(), ''), v.description('Password, where the hub wants one.')),
    token: v.pipe(v.optional(v.string(), ''), v.description('Token, where the hub wants one.')),
    nkey_secret: v.pipe(
      v.optional(
        v.pipe(v.string(), v.trim(), v.regex(/^(?:SU[A-Z2-7]{56})?$/, 'the seed of a user key begins with SU')),
        ''
      ),
      v.description('Seed of your user key (nkey), where the hub wants one.')
    ),
    creds_file: v.pipe(
      filePathSchema,
      v.description('File of credentials (.creds) the hub gave you; a relative path begins in the data folder.')
    ),
    ca_file: v.pipe(
      filePathSchema,
      v.description(
        'Certificates (PEM) to trust instead of the public ones; a relative path begins in the data folder.'
      )
    ),
    deliver: v.pipe(
      v.optional(v.picklist(['new', 'last_hour', 'all'], 'deliver is new, last_hour or all'), 'new'),
      v.description(
        'Where a consumer begins that the hub does not know yet: with what comes from now on, with the last hour, or with all the stream holds.'
      )
    ),
    ack_wait_seconds: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(3600)), 30),
      v.description('A message that is not acknowledged for this long is sent again.')
    ),
    max_deliver: v.pipe(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(10_000)), 100),
      v.description('A message that could not be stored is tried this often, at last once a minute.')
    ),
    create_stream: v.pipe(
      v.optional(v.boolean(), false),
      v.description('True: a missing stream is made, for the subjects named here. Only on a server of your own.')
    )
  }),
  v.title('NATS JetStream hub'),
  v.description('Events of a regional hub. Nothing is taken but what you allow.')
)

export type NatsSettings = v.InferOutput<typeof natsSourceSchema>
