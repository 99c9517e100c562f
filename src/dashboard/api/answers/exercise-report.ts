import * as v from 'valibot'
import { DELIVERY_STATES } from '../../../model/delivery.ts'
import { LIFECYCLES } from '../../../model/event.ts'
import { LOG_GAPS } from '../../server/comms-log.ts'
import { number, numberOrNull, reason, severity, text, textOrNull, texts, time, timeOrNull } from './common.ts'
import { ack } from './warnings.ts'

/** Answers of the report of what was told of an event or a drill. */

export const reportRow = v.object({
  thread_id: text,
  event_id: v.pipe(text, v.description('The report that made the message.')),
  source: text,
  title: text,
  drill: v.boolean(),
  happened: v.pipe(time, v.description('As its sender says.')),
  received: v.pipe(time, v.description('When the station had it.')),
  number: v.pipe(number, v.description('The id of the message.')),
  channel: text,
  message: textOrNull,
  told: v.pipe(
    v.picklist(['yes', 'no', 'unknown']),
    v.description(
      'yes: it was on the air, or a server took it; unknown: handed over without an answer. A simulated radio tells nobody.'
    )
  ),
  told_at: v.pipe(timeOrNull, v.description('The first time.')),
  seconds_after_received: v.pipe(numberOrNull, v.description('From received to told_at.')),
  seconds_after_happened: v.pipe(numberOrNull, v.description('From happened to told_at.')),
  times_on_air: number,
  heard_by: number,
  state: v.picklist(DELIVERY_STATES),
  reason: textOrNull,
  why: v.pipe(
    textOrNull,
    v.description('Of what was not told: the sentence of its last step, in the language that was asked for.')
  ),
  told_in: v.pipe(numberOrNull, v.description('The message of another event that told it.')),
  simulated: v.boolean(),
  demo: v.boolean()
})

const report = v.object({
  thread_id: text,
  drill: v.boolean(),
  events: v.array(
    v.object({
      id: text,
      source: text,
      title: text,
      severity,
      lifecycle: v.picklist(LIFECYCLES),
      regions: texts,
      happened: time,
      received: time,
      decision: text,
      reason: text
    })
  ),
  messages: v.array(reportRow),
  more: v.pipe(v.boolean(), v.description('There are more messages than the report has.')),
  acks: v.array(ack),
  stopped: v.pipe(
    v.array(v.object({ stage: text, outcome: text, detail: text, ...reason, region: textOrNull, channel: textOrNull })),
    v.description('Steps that stopped it for a channel, or for all.')
  )
})

export const exerciseReportAnswer = v.object({
  station: text,
  timezone: text,
  reports: v.array(report),
  more: v.pipe(v.boolean(), v.description('The day had more drills.')),
  gaps: v.array(v.picklist(LOG_GAPS))
})
