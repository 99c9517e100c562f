import * as v from 'valibot'
import { LOG_LEVELS } from '../lib/log-levels.ts'
import { coverageSchema } from './coverage-schema.ts'
import { notificationsSchema } from './notifications-schema.ts'
import { looseObject, record } from './object.ts'

/** The one truth about `config.json`: types, checks, defaults, JSON Schema, documentation and OpenAPI come from here. */

const anchorSchema = looseObject({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('an anchor has a name')),
  lat: v.pipe(
    v.number(),
    v.minValue(-90, 'latitude must be between -90 and 90'),
    v.maxValue(90, 'latitude must be between -90 and 90')
  ),
  lon: v.pipe(v.number(), v.finite())
})

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

export const stationSchema = looseObject({
  name: v.pipe(v.optional(v.string(), 'Lookout'), v.title('Station name')),
  contact: v.pipe(
    v.optional(v.string(), ''),
    v.title('Contact'),
    v.description('E-mail or web address named to the feeds (User-Agent). Some feeds refuse to answer without one.')
  ),
  timezone: v.pipe(
    v.optional(v.pipe(v.string(), v.check(isTimeZone, 'not an IANA time zone, such as America/Boise')), 'UTC'),
    v.title('Time zone'),
    v.description('Times in messages are local to this IANA zone.')
  ),
  time_format: v.pipe(v.optional(v.picklist(['12h', '24h']), '12h'), v.title('Time format')),
  units: v.pipe(v.optional(v.picklist(['metric', 'imperial']), 'metric'), v.title('Units')),
  anchors: v.pipe(
    v.optional(v.array(anchorSchema), []),
    v.title('Anchors'),
    v.description('Named places of yours: positions are told as bearing and distance from the nearest one.')
  )
})

const radioId = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9_-]{0,31}$/i, 'an id is 1-32 letters, digits, - or _'))

export const radioSchema = v.pipe(
  looseObject({
    id: radioId,
    network: v.picklist(['mt', 'mc'], 'a network is mt (Meshtastic) or mc (MeshCore)'),
    link: v.picklist(['serial', 'tcp', 'simulated'], 'a link is serial, tcp or simulated'),
    path: v.optional(v.string()),
    host: v.optional(v.string()),
    port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535))),
    channels: v.optional(v.array(v.union([v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(7)), v.string()])))
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

export const httpSchema = looseObject({
  host: v.pipe(
    v.exactOptional(v.pipe(v.string(), v.regex(/^[^\s/]+$/, 'a host is an address or a host name, such as 127.0.0.1'))),
    v.title('Listen on'),
    v.description('Address; 0.0.0.0 = every interface. Without it, what the profile says.'),
    v.metadata({ restart: true })
  ),
  port: v.pipe(
    v.exactOptional(
      v.pipe(
        v.number(),
        v.integer('a port is an integer from 0 to 65535'),
        v.minValue(0, 'a port is an integer from 0 to 65535'),
        v.maxValue(65535, 'a port is an integer from 0 to 65535')
      )
    ),
    v.title('Port'),
    v.description('0 = any free one. Default 8080.'),
    v.metadata({ restart: true })
  ),
  trusted_proxies: v.pipe(
    v.optional(v.array(v.string()), []),
    v.title('Trusted proxies'),
    v.description('Addresses or CIDR ranges whose X-Idp-Username header is believed.')
  ),
  operators: v.pipe(
    v.optional(v.array(v.string()), []),
    v.title('Operators'),
    v.description('Identities that may write; empty = every authenticated one.')
  ),
  allowed_hosts: v.pipe(
    v.optional(v.array(v.string()), []),
    v.title('Host names'),
    v.description(
      'Names besides IP addresses, localhost, *.local and the host name of this machine under which the dashboard may be called.'
    )
  )
})

export const messagesSchema = looseObject({
  mt_bytes: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(228)), 200),
    v.title('MT text limit, bytes')
  ),
  mc_bytes: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(160)), 160),
    v.title('MC text limit, bytes'),
    v.description('Including the node name and ": " which the firmware puts before the text.')
  ),
  target_bytes: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(228)), 140),
    v.title('Target length, bytes'),
    v.description('Texts are written for this length; one packet.')
  ),
  max_parts: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3)), 1),
    v.title('Parts of a long text')
  )
})

export const familySchema = looseObject({ label: v.optional(v.string(), '') })

export const configSchema = v.pipe(
  looseObject({
    station: v.optional(stationSchema, {}),
    coverage: v.optional(coverageSchema, {}),
    notifications: v.optional(notificationsSchema, {}),
    radios: v.pipe(
      v.optional(v.array(radioSchema), []),
      v.check(
        (radios) => new Set(radios.map(({ network }) => network)).size === radios.length,
        'at most one radio per network'
      ),
      v.check((radios) => new Set(radios.map(({ id }) => id)).size === radios.length, 'radio ids must differ')
    ),
    families: v.pipe(
      v.optional(
        record(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,31}$/, 'a family key is lower case')), familySchema),
        {}
      ),
      v.title('Families of your own'),
      v.description('Beside the built-in ones; each becomes a row of the matrix.')
    ),
    messages: v.optional(messagesSchema, {}),
    http: v.optional(httpSchema, {}),
    log_level: v.pipe(
      v.exactOptional(v.picklist(LOG_LEVELS, `a log level is one of ${LOG_LEVELS.join(', ')}`)),
      v.title('Log level'),
      v.description('How much is logged. Default info.'),
      v.metadata({ restart: true })
    )
  }),
  v.title('Lookout configuration')
)

export type Config = v.InferOutput<typeof configSchema>
export type StationConfig = v.InferOutput<typeof stationSchema>
export type RadioConfig = v.InferOutput<typeof radioSchema>
export type HttpConfig = v.InferOutput<typeof httpSchema>
export type MessagesConfig = v.InferOutput<typeof messagesSchema>
