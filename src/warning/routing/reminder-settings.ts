import * as v from 'valibot'
import { SEVERITIES } from '../../model/vocabulary.ts'
import { forEverybody } from '../../platform/config/for-everybody.ts'
import { looseObject } from '../../platform/config/object.ts'
import { timeOfDaySchema } from './quiet-settings.ts'

/** Which hazards are said again while they go on, and how often (docs/interface.md §6). */
const reminderSchema = v.pipe(
  looseObject({
    families: v.pipe(
      v.optional(v.array(v.string()), []),
      v.title('Families'),
      v.description('Only these; empty = all.'),
      forEverybody()
    ),
    min_severity: v.pipe(
      v.optional(v.picklist(SEVERITIES, `a severity is one of ${SEVERITIES.join(', ')}`), 'critical'),
      v.title('From severity'),
      v.description('Nothing below this is said again.')
    ),
    every_hours: v.pipe(
      v.optional(
        v.pipe(
          v.number('every_hours is a number'),
          v.minValue(1, 'at most once an hour'),
          v.maxValue(168, 'at least once a week')
        ),
        6
      ),
      v.title('Every'),
      v.description('Hours since it was last said on the channel.')
    ),
    start: v.pipe(
      v.optional(timeOfDaySchema, '07:00'),
      v.title('From'),
      v.description('HH:MM, local to the station: not before this.')
    ),
    end: v.pipe(
      v.optional(timeOfDaySchema, '22:00'),
      v.title('Until'),
      v.description('HH:MM; equal to start = at any time.')
    )
  }),
  v.title('Reminder')
)

export const remindersSchema = v.pipe(
  v.array(reminderSchema, 'reminders is a list'),
  v.maxLength(20, 'at most 20 reminders'),
  v.title('Reminders'),
  v.description(
    'What is said again while it goes on, marked STILL, on the channels that the matrix names. Empty = nothing. The first that fits counts.'
  )
)

export type Reminder = v.InferOutput<typeof reminderSchema>
