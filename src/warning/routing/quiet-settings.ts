import * as v from 'valibot'
import { SEVERITIES } from '../../model/vocabulary.ts'
import { forEverybody } from '../../platform/config/for-everybody.ts'
import { looseObject } from '../../platform/config/object.ts'

/** A time of day, `HH:MM`, local to the station. */
export const timeOfDaySchema = v.pipe(
  v.string(),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time of day is HH:MM, from 00:00 to 23:59'),
  forEverybody()
)

export const quietHoursSchema = v.pipe(
  looseObject({
    enabled: v.pipe(
      v.optional(v.boolean(), false),
      v.title('Quiet hours on'),
      v.description('Lesser messages wait; what is still valid at the end is told in one digest per channel.')
    ),
    start: v.pipe(v.optional(timeOfDaySchema, '22:00'), v.title('From'), v.description('HH:MM, local to the station.')),
    end: v.pipe(
      v.optional(timeOfDaySchema, '06:00'),
      v.title('Until'),
      v.description('HH:MM; equal to start = never quiet.')
    ),
    pass_severity: v.pipe(
      v.optional(v.picklist(SEVERITIES, `a severity is one of ${SEVERITIES.join(', ')}`), 'critical'),
      v.title('Passes from'),
      v.description('Messages of this severity and above are sent at once all the same.')
    ),
    families: v.pipe(
      v.optional(v.array(v.string()), []),
      v.title('Families'),
      v.description('Only these are held; empty = all.'),
      forEverybody()
    )
  }),
  v.title('Quiet hours'),
  v.description('For channels and direct messages on the mesh; e-mail, webhooks and ntfy are quiet where they arrive.')
)

export type QuietHours = v.InferOutput<typeof quietHoursSchema>
