import * as v from 'valibot'
import { MESSAGE_KINDS, MESSAGE_PATHS } from '../../../model/content.ts'
import { DELIVERY_STATES } from '../../../model/delivery.ts'
import { LIFECYCLES } from '../../../model/event.ts'
import {
  anything,
  channel,
  counts,
  network,
  next,
  number,
  numberOrNull,
  reason,
  severity,
  stored,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull
} from './common.ts'

/** Answers of the routes about events, messages, radios and sources. */

const lifecycle = v.picklist(LIFECYCLES)
const event = {
  id: text,
  source: text,
  revision: text,
  category: text,
  family: text,
  severity,
  title: text,
  summary: text,
  body: text,
  geometry: v.nullable(anything),
  bbox: v.nullable(v.array(number)),
  circle: v.nullable(v.object({ lat: number, lon: number, radius_km: number })),
  lat: numberOrNull,
  lon: numberOrNull,
  zones: texts,
  same: texts,
  onset: textOrNull,
  expires: textOrNull,
  sent_at: time,
  received_at: time,
  thread_id: text,
  lifecycle,
  region: textOrNull,
  regions: texts,
  data: anything
}
const decided = { decision: textOrNull, reason: textOrNull }

export const eventAnswer = v.object({
  ...event,
  seq: number,
  result: v.nullable(
    v.object({
      state: v.picklist(['sent', 'partly', 'waiting', 'held', 'failed', 'unknown', 'withdrawn', 'elsewhere', 'none']),
      reason: textOrNull,
      channels: texts,
      of: number,
      simulated: v.pipe(v.boolean(), v.description('Simulated radios alone took it: nothing was on the air.'))
    })
  ),
  ...decided,
  code: textOrNull,
  demo: v.boolean()
})
export const eventsAnswer = v.object({ events: v.array(eventAnswer), next })
export const acceptedAnswer = v.object({
  accepted: number,
  duplicates: number,
  stored,
  events: v.array(v.object({ id: text, thread_id: text })),
  warnings: v.exactOptional(v.array(v.object({ code: text, id: text, message: text })))
})

const delivery = {
  id: number,
  transport: v.picklist(['mt', 'mc', 'email', 'webhook', 'ntfy']),
  radio: textOrNull,
  channel,
  direct: v.boolean(),
  state: v.picklist(DELIVERY_STATES),
  reason: textOrNull,
  text: textOrNull,
  bytes: numberOrNull,
  severity,
  family: text,
  regions: texts,
  thread_id: text,
  lifecycle,
  kind: v.picklist(MESSAGE_KINDS),
  event_ids: texts,
  attempts: number,
  heard_by: number,
  merged_into: numberOrNull,
  code: textOrNull,
  path: v.pipe(
    v.picklist(MESSAGE_PATHS),
    v.description(
      'The way an alert came; of all others their kind: digest, reply, broadcast, test, notice, and cancel of an end.'
    )
  ),
  created_at: time,
  sent_at: timeOrNull,
  simulated: v.boolean(),
  demo: v.boolean()
}
export const deliveriesAnswer = v.object({ deliveries: v.array(v.object(delivery)), next })

export const ack = v.object({ author: text, name: text, reason: text, at: time })
const escalation = v.nullable(
  v.object({ state: v.picklist(['open', 'done']), reason: textOrNull, steps_taken: number, next_at: timeOrNull })
)
const traceStep = v.object({
  stage: text,
  outcome: v.picklist(['pass', 'stop', 'match', 'skip', 'send', 'merge', 'note']),
  reason: text,
  detail: v.pipe(text, v.description('The sentence, in the language that was asked for.')),
  ...reason,
  region: v.exactOptional(text),
  channel: v.exactOptional(text)
})
export const deliverySteps = v.array(v.object({ at: time, state: text, reason: textOrNull, detail: text, ...reason }))

export const traceAnswer = v.object({
  event: v.object(event),
  demo: v.boolean(),
  code: textOrNull,
  ...decided,
  trace: v.array(traceStep),
  acks: v.array(ack),
  escalation,
  deliveries: v.array(v.object({ ...delivery, steps: deliverySteps }))
})

export const drillAnswer = v.object({ ok: v.literal(true), id: text, source: text, title: text })

export const ackAnswer = v.object({
  ok: v.literal(true),
  thread_id: text,
  code: textOrNull,
  ack,
  stopped: v.boolean(),
  escalation,
  stored
})

const silence = {
  id: number,
  family: textOrNull,
  region: textOrNull,
  thread_id: textOrNull,
  code: textOrNull,
  include_immediate: v.boolean(),
  author: text,
  reason: text,
  from: time,
  until: time
}
export const silenceView = v.object(silence)
export const adminKeysAnswer = v.object({
  keys: v.array(
    v.object({ node: text, key: text, first_seen: time, other: v.nullable(v.object({ key: text, at: time })) })
  )
})
export const forgottenKeyAnswer = v.object({ ok: v.literal(true), stored })
export const silencesAnswer = v.object({ silences: v.array(silenceView) })
export const silenceAnswer = v.object({ ...silence, stored })
export const endedSilenceAnswer = v.object({ ok: v.literal(true), silence: silenceView, stored })

const wanted = v.array(v.object({ reason: text, text, values: v.record(v.string(), v.union([text, number])) }))
const cellState = v.picklist(['sent', 'held', 'suppressed', 'stood_by', 'none'])
export const explainAnswer = v.object({
  event: v.object({
    id: text,
    source: text,
    family: text,
    severity: text,
    thread_id: text,
    region: textOrNull,
    regions: texts
  }),
  outcome: text,
  reason: text,
  messages: v.array(
    v.object({
      transport: text,
      channel,
      kind: v.picklist(MESSAGE_KINDS),
      regions: texts,
      path: v.picklist(MESSAGE_PATHS),
      text: textOrNull,
      bytes: numberOrNull,
      airtime_seconds: numberOrNull,
      merges_into: numberOrNull,
      state: v.picklist(['planned', 'held', 'failed']),
      blocked: textOrNull,
      stands_in_for: v.exactOptional(texts)
    })
  ),
  cells: v.array(
    v.object({
      family: text,
      region: text,
      state: cellState,
      reason: text,
      change: text,
      wanted,
      channels: v.array(v.object({ channel: text, state: cellState, reason: text, change: text, wanted }))
    })
  ),
  trace: v.array(traceStep)
})
export const backtestAnswer = v.object({
  since: time,
  until: time,
  events: number,
  messages: number,
  channels: v.array(v.object({ channel: text, messages: number, bytes: number, airtime_seconds: number })),
  networks: v.array(
    v.object({
      network,
      airtime_seconds: number,
      busiest_hour: v.nullable(v.object({ from: time, airtime_seconds: number }))
    })
  ),
  silent: counts
})

const radioState = text
const radio = v.object({
  id: text,
  network,
  link: text,
  simulated: v.boolean(),
  node_name: text,
  modem: text,
  state: radioState,
  reason: textOrNull,
  since: time,
  channels: v.array(v.object({ id: channel, name: text, enabled: v.boolean() })),
  missing_channels: v.array(v.object({ channel, problem: v.picklist(['no_channel', 'channel_disabled']) })),
  queue: v.object({ waiting: number }),
  airtime: v.object({ used_seconds: number, budget_seconds: number, legal_share: number }),
  details: v.nullable(
    v.object({
      firmware: textOrNull,
      battery_percent: numberOrNull,
      battery_millivolts: numberOrNull,
      channel_utilization: numberOrNull,
      air_utilization: numberOrNull,
      queue_length: numberOrNull,
      nodes_known: number,
      nodes: v.array(
        v.object({ id: text, name: text, last_heard: timeOrNull, battery_percent: numberOrNull, snr: numberOrNull })
      )
    })
  )
})
export const radiosAnswer = v.object({ radios: v.array(radio) })
export const radioLogAnswer = v.object({
  log: v.array(v.object({ at: time, state: radioState, reason: textOrNull }))
})
export const radioTestAnswer = v.object({
  ok: v.literal(true),
  delivery: number,
  text,
  bytes: number,
  simulated: v.boolean()
})
export const destinationTestAnswer = v.object({
  ok: v.boolean(),
  state: v.picklist(['taken', 'refused', 'queued']),
  reason: textOrNull,
  deliveries: v.array(number)
})
export const probeAnswer = v.object({
  network,
  node: text,
  firmware: textOrNull,
  model: textOrNull,
  channels: v.array(v.object({ id: channel, name: text, enabled: v.boolean() })),
  reason: textOrNull
})
export const probeStoppedAnswer = v.object({ ok: v.literal(true) })
export const candidatesAnswer = v.object({
  serial: v.array(v.object({ path: text, name: text, used_by: textOrNull }))
})

const source = v.object({
  name: text,
  kind: text,
  mode: v.picklist(['poll', 'push']),
  enabled: v.boolean(),
  state: text,
  reason: textOrNull,
  about: text,
  last_ok: timeOrNull,
  last_attempt: timeOrNull,
  last_change: timeOrNull,
  items: number,
  skipped: number,
  skipped_reasons: counts,
  bytes: number,
  requests: number,
  events: number,
  failures: number,
  error: textOrNull,
  next_due: timeOrNull,
  interval_seconds: numberOrNull
})
export const sourcesAnswer = v.object({
  sources: v.array(source),
  kinds: v.array(
    v.object({
      kind: text,
      mode: v.picklist(['poll', 'push']),
      title: text,
      about: text,
      state: v.picklist(['off', 'in use'])
    })
  )
})
export const polledAnswer = v.object({ ok: v.literal(true), source: v.nullable(source) })

export const broadcastsAnswer = v.array(
  v.object({
    name: text,
    enabled: v.boolean(),
    what: text,
    at: texts,
    days: texts,
    next_run: timeOrNull,
    channels: v.array(v.object({ channel: text, text: textOrNull }))
  })
)
export const passesAnswer = v.object({
  observer: text,
  observers: texts,
  from: time,
  to: time,
  min_elevation: number,
  passes: v.array(v.record(v.string(), v.union([text, number]))),
  unusable: v.array(v.object({ id: text, reason: text }))
})
