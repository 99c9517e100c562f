import * as v from 'valibot'
import { LOG_LEVELS } from '../platform/log/log-levels.ts'
import { commandsSchema } from '../warning/commands/settings.ts'
import { coverageSchema } from '../warning/coverage/settings.ts'
import { knowledgeSchema, uploadsSchema } from '../knowledge/settings.ts'
import { addressesSchema, librarySchema, scraperSchema, servicesSchema } from '../knowledge/library/settings.ts'
import { notificationsSchema } from '../warning/routing/settings.ts'
import { looseObject, record } from '../model/object.ts'
import { sourcesSchema } from '../warning/feeds/settings.ts'

/** The one truth about `config.json`: types, checks, defaults, JSON Schema, documentation and OpenAPI come from here. */

const anchorSchema = looseObject({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('an anchor has a name'), v.description('As it stands in messages.')),
  lat: v.pipe(
    v.number(),
    v.minValue(-90, 'latitude must be between -90 and 90'),
    v.maxValue(90, 'latitude must be between -90 and 90'),
    v.description('Degrees north.')
  ),
  lon: v.pipe(v.number(), v.finite(), v.description('Degrees east.'))
})

/** Making a formatter takes longer than reading the rest of a configuration. */
const knownZones = new Set<string>()

function isTimeZone(zone: string): boolean {
  if (knownZones.has(zone)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    knownZones.add(zone)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

export const stationSchema = looseObject({
  name: v.pipe(
    v.optional(v.string(), 'Lookout'),
    v.title('Station name'),
    v.description('Heads the pages of the dashboard.')
  ),
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
  time_format: v.pipe(
    v.optional(v.picklist(['12h', '24h']), '12h'),
    v.title('Time format'),
    v.description('How messages and pages write times: 6:21p or 18:21.')
  ),
  units: v.pipe(
    v.optional(v.picklist(['metric', 'imperial']), 'metric'),
    v.title('Units'),
    v.description('Distances and depths in messages: km or mi.')
  ),
  anchors: v.pipe(
    v.optional(v.array(anchorSchema), []),
    v.title('Anchors'),
    v.description('Named places of yours: positions are told as bearing and distance from the nearest one.')
  )
})

const radioId = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9_-]{0,31}$/i, 'an id is 1-32 letters, digits, - or _'))

export const radioSchema = v.pipe(
  looseObject({
    id: v.pipe(radioId, v.description('Your name for the radio: in deliveries, metrics and messages of the log.')),
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
    channels: v.pipe(
      v.optional(v.array(v.union([v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(7)), v.string()]))),
      v.description(
        'Channels of a simulated radio: indices on mt, names on mc. Without it mt has 0 to 7 and mc every name the configuration uses.'
      )
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
    v.title('MT text limit, bytes'),
    v.description('A text on MT never has more bytes of UTF-8 than this.')
  ),
  mc_bytes: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(160)), 155),
    v.title('MC text limit, bytes'),
    v.description(
      'Including the node name and ": " which the firmware puts before the text. More than 155 holds for direct texts only: the repeats of a longer channel text are never shown to the station.'
    )
  ),
  target_bytes: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(228)), 140),
    v.title('Target length, bytes'),
    v.description(
      'Texts are written for this length. Up to 20 bytes more where a sentence would break off or what to do would be lost; critical ones then, and immediate ones always, may use the whole limit.'
    )
  ),
  max_parts: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3)), 1),
    v.title('Parts of a long text'),
    v.description('1 = one packet, cut to fit. More parts say more: each is numbered and can be read alone.')
  ),
  codes: v.pipe(
    v.optional(v.picklist(['never', 'escalating', 'always'], 'codes is never, escalating or always'), 'escalating'),
    v.title('Codes'),
    v.description(
      'Which texts end in the code of their alert (#K7QF), for !ack and !why: those that escalate, every one, or none.'
    )
  )
})

export const familySchema = looseObject({
  label: v.pipe(v.optional(v.string(), ''), v.description('Name of the row; empty = the key.'))
})

export const configSchema = v.pipe(
  looseObject({
    station: v.pipe(v.optional(stationSchema, {}), v.description('Who we are, and how texts are written.')),
    coverage: v.pipe(
      v.optional(coverageSchema, {}),
      v.description('Where events matter, and the regions they are tagged with.')
    ),
    notifications: v.pipe(v.optional(notificationsSchema, {}), v.description('What is sent where.')),
    radios: v.pipe(
      v.optional(v.array(radioSchema), []),
      v.description('Empty: profile home simulates one radio per network, the others have none.'),
      v.metadata({ restart: true }),
      v.check(
        (radios) => new Set(radios.map(({ network }) => network)).size === radios.length,
        'at most one radio per network'
      ),
      v.check((radios) => new Set(radios.map(({ id }) => id)).size === radios.length, 'radio ids must differ')
    ),
    sources: sourcesSchema,
    families: v.pipe(
      v.optional(
        record(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,31}$/, 'a family key is lower case')), familySchema),
        {}
      ),
      v.title('Families of your own'),
      v.description('Beside the built-in ones; each becomes a row of the matrix.')
    ),
    messages: v.pipe(v.optional(messagesSchema, {}), v.description('Length of the texts.')),
    commands: v.pipe(v.optional(commandsSchema, {}), v.description('What people may ask over the radio.')),
    knowledge: v.pipe(v.optional(knowledgeSchema, {}), v.description('Documents: how they are read and searched.')),
    uploads: v.pipe(v.optional(uploadsSchema, {}), v.description('What may be uploaded.')),
    library: v.pipe(v.optional(librarySchema, {}), v.description('The offline-wiki library and its server.')),
    scraper: v.pipe(v.optional(scraperSchema, {}), v.description('Archiving of web sites.')),
    addresses: v.pipe(v.optional(addressesSchema, {}), v.description('Where postal addresses are looked up.')),
    services: v.pipe(v.optional(servicesSchema, {}), v.description('Companion services the dashboard links to.')),
    http: v.pipe(v.optional(httpSchema, {}), v.description('The dashboard and its API.')),
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
