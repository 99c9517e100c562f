import * as v from 'valibot'
import { forEverybody } from '../platform/config/for-everybody.ts'
import { looseObject, record } from '../platform/config/object.ts'
import { commandsSchema } from './commands/settings.ts'
import { coverageSchema } from './coverage/settings.ts'
import { sourcesSchema } from './feeds/settings.ts'
import { messagesSchema } from './messages/settings.ts'
import { radioSchema } from './radios/settings.ts'
import { notificationsSchema } from './routing/settings.ts'
import { stationSchema } from './station-settings.ts'

const familySchema = looseObject({
  label: v.pipe(v.optional(v.string(), ''), v.description('Name of the row; empty = the key.'), forEverybody())
})

/** The sections of `config.json` that a warning is made by, in the order they stand in. */
export const warningEntries = {
  station: v.pipe(v.optional(stationSchema, {}), v.description('Who we are, and how texts are written.')),
  coverage: v.pipe(
    v.optional(coverageSchema, {}),
    v.description('Where events matter, and the regions they are tagged with.')
  ),
  notifications: v.pipe(v.optional(notificationsSchema, {}), v.description('What is sent where.')),
  radios: v.pipe(
    v.optional(v.array(radioSchema), []),
    v.description('Empty: profile home simulates one radio per network, the others have none.'),
    v.check(
      (radios) => new Set(radios.map(({ network }) => network)).size === radios.length,
      'at most one radio per network'
    ),
    v.check((radios) => new Set(radios.map(({ id }) => id)).size === radios.length, 'radio ids must differ')
  ),
  sources: sourcesSchema,
  families: v.pipe(
    v.optional(
      record(
        v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,31}$/, 'a family key is lower case'), forEverybody()),
        familySchema
      ),
      {}
    ),
    v.title('Families of your own'),
    v.description('Beside the built-in ones; each becomes a row of the matrix.')
  ),
  messages: v.pipe(
    v.optional(messagesSchema, {}),
    v.description('How long texts are, in which letters and languages.')
  ),
  commands: v.pipe(v.optional(commandsSchema, {}), v.description('What people may ask over the radio.'))
}

/** These sections alone: what the demo and a recorded feed are judged by. */
export const warningSchema = looseObject(warningEntries)

/** The part of the configuration that the walk of a warning knows; the whole of it fits. */
export type WarningConfig = v.InferOutput<typeof warningSchema>
