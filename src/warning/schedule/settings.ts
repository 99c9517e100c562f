import * as v from 'valibot'
import { mcCellChannelSchema, mtChannelSchema, severitySchema } from '../../model/channel-schema.ts'
import { forEverybody } from '../../platform/config/for-everybody.ts'
import { looseObject } from '../../platform/config/object.ts'
import { timeOfDaySchema } from '../routing/quiet-settings.ts'

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export const BROADCAST_KINDS = ['digest', 'band_conditions', 'passes', 'text'] as const

/** One text sent by the clock on the wall. */
export const broadcastSchema = v.pipe(
  looseObject({
    name: v.pipe(
      v.string(),
      v.trim(),
      v.regex(
        /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}$/u,
        'the name of a broadcast is 1-40 letters, digits, blanks, - or _'
      ),
      v.description('Shown in deliveries and in the log.'),
      forEverybody()
    ),
    enabled: v.pipe(v.optional(v.boolean(), true), v.description('False: kept, but not sent.')),
    what: v.pipe(
      v.picklist(BROADCAST_KINDS, `what is one of ${BROADCAST_KINDS.join(', ')}`),
      v.description(
        'digest = what is in force now, the gravest first; band_conditions = Kp, storm scales and flares as last heard; passes = the best satellite passes of the next day; text = your own words.'
      )
    ),
    at: v.pipe(
      v.array(timeOfDaySchema, 'at is a list of times of day'),
      v.minLength(1, 'name at least one time of day'),
      v.maxLength(24, 'at most 24 times a day'),
      v.description('Times of day, HH:MM, local to the station.'),
      forEverybody()
    ),
    days: v.pipe(
      v.optional(v.array(v.picklist(WEEKDAYS, `a day is one of ${WEEKDAYS.join(', ')}`)), []),
      v.description('Days of the week; empty = every day.')
    ),
    region: v.pipe(
      v.optional(v.string(), ''),
      v.description('digest: only what touches this region; passes: the observer. Empty = all of it.'),
      forEverybody()
    ),
    families: v.pipe(
      v.optional(v.array(v.string()), []),
      v.description('digest: only these; empty = all.'),
      forEverybody()
    ),
    min_severity: v.pipe(v.optional(severitySchema, 'routine'), v.description('digest: not below this.')),
    text: v.pipe(v.optional(v.string(), ''), v.description('The words of a text broadcast.'), forEverybody()),
    mt: v.pipe(
      v.optional(v.nullable(mtChannelSchema), null),
      v.description('Meshtastic channel index; null: not on Meshtastic.')
    ),
    mc: v.pipe(
      v.optional(mcCellChannelSchema, null),
      v.description('MeshCore channel name; null or empty: not on MeshCore.'),
      forEverybody()
    ),
    say_when_empty: v.pipe(
      v.optional(v.boolean(), false),
      v.description('True: says so when there is nothing to tell. False: keeps the channel free.')
    )
  }),
  v.forward(
    v.check(({ mt, mc }) => mt !== null || mc !== null, 'a broadcast needs a channel: mt (an index) or mc (a name)'),
    ['mt']
  ),
  v.forward(
    v.check(({ what, text }) => what !== 'text' || text.trim() !== '', 'a text broadcast needs its text'),
    ['text']
  ),
  v.title('Scheduled broadcast')
)

export const broadcastsSchema = v.pipe(
  v.array(broadcastSchema),
  v.check((list) => new Set(list.map(({ name }) => name)).size === list.length, 'names of broadcasts must differ'),
  v.title('Scheduled broadcasts'),
  v.description('Sent as routine at their times; a time missed while the station was off is not made up for.')
)

export type Broadcast = v.InferOutput<typeof broadcastSchema>
