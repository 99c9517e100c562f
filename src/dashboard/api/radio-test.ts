import * as v from 'valibot'
import { because, type Reason } from '../../model/reason.ts'
import { strictObject } from '../../platform/config/object.ts'
import { AppError, refusedAt } from '../../platform/errors.ts'
import { budgetFor, byteLength } from '../../warning/messages/budget.ts'
import { sanitise } from '../../warning/messages/sanitise.ts'
import { testText } from '../../warning/messages/test-text.ts'
import { askerOf } from '../server/asker.ts'
import type { HttpContext, RadioStatus } from '../server/context.ts'
import { notFound } from '../server/problem.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, post, type Route, type Told } from '../server/route.ts'
import { said } from '../server/said-status.ts'
import { radioLogAnswer, radioTestAnswer } from './answers/warnings.ts'
import type { Services } from './services.ts'

/** A test that has not left by then is no test any more. */
const WORTH_MS = 10 * 60_000

export const radioTestBody = strictObject({
  channel: v.pipe(
    v.union([v.number(), v.string()], 'a channel is an index on mt, a name on mc'),
    v.description('Index on mt, name on mc; one the radio has.')
  ),
  text: v.pipe(
    v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500, 'a text has at most 500 characters')), ''),
    v.description('Your own words; without them TEST, the name of the station and the time.')
  )
})

/** `GET /api/radios/:id/log`: the last changes of state since the start, newest first. */
function readRadioLog({ context, radioLog }: Services): Handler<unknown, undefined, Told<typeof radioLogAnswer>> {
  return ({ params, headers, identity }) => {
    const asker = askerOf(context, { headers, identity })
    return json({ log: radioLog.of(radioOf(context, params['id']).id).map((change) => said(change, asker)) })
  }
}

/**
 * `POST /api/radios/:id/test`: puts one routine text into the outbox, under pacing and airtime like every other; 202 with
 * the id of its delivery. On a real radio it goes on the air.
 */
function testRadio({
  context
}: Services): Handler<unknown, v.InferOutput<typeof radioTestBody>, Told<typeof radioTestAnswer>> {
  return ({ params, body }) => {
    if (context.mode === 'preview') throw new AppError('unavailable', because('preview_transmits_nothing'))
    const { notifications } = context.config.current()
    if (!notifications.enabled) throw new AppError('conflict', because('notifications_are_off'))
    const radio = radioOf(context, params['id'])
    if (radio.state !== 'ready') throw new AppError('conflict', notReady(radio))
    checkChannel(radio, body.channel)
    const text = textOf(context, radio, body)
    const now = context.now()
    const delivery = context.addText({
      kind: 'test',
      transport: radio.network,
      channel: body.channel,
      direct: false,
      text,
      key: `${radio.id}:${body.channel}:${now}`,
      expiresAt: now + WORTH_MS
    })
    return json({ ok: true, delivery, text, bytes: byteLength(text), simulated: radio.simulated }, { status: 202 })
  }
}

function notReady({ id, state, reason }: RadioStatus): Reason {
  return because('radio_not_ready', { radio: id, state, said: reason ?? because('not_ready') })
}

function radioOf(context: HttpContext, id: string | undefined): RadioStatus {
  const radio = context.radios().find((one) => one.id === id)
  if (radio === undefined) throw notFound()
  return radio
}

function checkChannel({ id, channels }: RadioStatus, channel: number | string): void {
  const found = channels.find((one) => one.id === channel)
  if (found?.enabled === true) return
  const code = found === undefined ? 'radio_has_no_channel' : 'radio_channel_disabled'
  throw refusedAt('/channel', 'choice', because(code, { radio: id, channel: String(channel) }))
}

function textOf(
  context: HttpContext,
  { network, node_name }: RadioStatus,
  { channel, text: own }: { channel: number | string; text: string }
): string {
  const config = context.config.current()
  const limit = budgetFor(network, config.messages, node_name)
  if (own === '')
    return testText(
      config,
      { transport: network, channel, direct: false },
      { nodeName: node_name, nowMs: context.now() }
    )
  const text = sanitise(own)
  const bytes = byteLength(text)
  if (bytes <= limit && text !== '') return text
  const why = text === '' ? because('nothing_can_be_sent') : because('text_has_bytes', { bytes, limit })
  throw refusedAt('/text', 'range', why)
}

export const radioTestRoutes = (services: Services): Route[] => [
  get('/api/radios/:id/log', {
    summary: 'Changes of state of a radio.',
    about: '`{log: [{at, state, reason}]}`: at most 100 changes of state since the start, newest first.',
    answer: radioLogAnswer,
    handle: readRadioLog(services)
  }),
  post('/api/radios/:id/test', {
    summary: 'Sends a test text.',
    about:
      'Body: `{channel, text?}`. Puts one routine text into the outbox, on a channel the radio has enabled; without `text` it is TEST, the station and the time. Answers `{ok, delivery, text, bytes, simulated}`. A real radio transmits it. 503 in preview.',
    body: radioTestBody,
    done: [202, 'Done'],
    refuses: { 409: 'Notifications are off, or the radio is not ready' },
    withoutFolder: true,
    answer: radioTestAnswer,
    handle: testRadio(services)
  })
]
