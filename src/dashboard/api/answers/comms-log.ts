import * as v from 'valibot'
import { MESSAGE_PATHS } from '../../../model/content.ts'
import { DELIVERY_STATES } from '../../../model/delivery.ts'
import { LOG_GAPS } from '../../server/comms-log.ts'
import { network, numberOrNull, severity, text, textOrNull, texts, time, timeOrNull } from './common.ts'

/** Answers of the log of the radio traffic. */

export const logRow = v.object({
  time,
  local: v.pipe(text, v.description('By the clock of the station: 2027-07-01 06:00:00.')),
  direction: v.pipe(v.picklist(['out', 'in']), v.description('out: for a radio; in: a command that came by radio.')),
  on_air: v.pipe(
    v.picklist(['yes', 'no', 'unknown']),
    v.description(
      'yes is a transmission; no failed, ran out of time or was simulated; unknown: the radio gave no answer.'
    )
  ),
  number: v.pipe(numberOrNull, v.description('The id of the message; null of what came.')),
  network,
  from: text,
  to: text,
  proven: v.pipe(
    v.nullable(v.boolean()),
    v.description('Of what came: the sender is proven; false of a channel, which names nobody. null of what went out.')
  ),
  message: v.pipe(textOrNull, v.description('The text; of what came the command. null where no text was made.')),
  state: v.pipe(v.nullable(v.picklist(DELIVERY_STATES)), v.description('What has become of the message since.')),
  reason: v.pipe(textOrNull, v.description('Why it is in that state; of a command its outcome.')),
  heard_by: numberOrNull,
  part: v.pipe(textOrNull, v.description('1/2: the first packet of two.')),
  again: v.pipe(v.boolean(), v.description('The same text was on the air before.')),
  known: v.pipe(
    v.nullable(v.picklist(['left', 'heard'])),
    v.description('left: the radio said so; heard: it did not, but somebody repeated it.')
  ),
  simulated: v.boolean(),
  demo: v.boolean(),
  drill: v.boolean(),
  path: v.nullable(v.picklist(MESSAGE_PATHS)),
  severity: v.nullable(severity),
  code: textOrNull,
  event_ids: texts
})

export const commsLogAnswer = v.object({
  station: text,
  timezone: text,
  from: time,
  to: v.pipe(time, v.description('The first moment that is no part of it.')),
  gaps: v.pipe(
    v.array(v.picklist(LOG_GAPS)),
    v.description('Why there may have been more: not_over, messages_pruned, commands_pruned, in_memory.')
  ),
  entries: v.array(logRow),
  next: v.pipe(timeOrNull, v.description('The from of the rest; null at the end.'))
})
