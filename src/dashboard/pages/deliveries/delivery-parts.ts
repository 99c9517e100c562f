import { NETWORK_NAMES, reasonName, stateNames, toneOf } from '../../../../web/shared/words.js'
import type { DeliveryView } from '../../../warning/outbox/delivery.ts'
import { toldTo } from '../../server/guest.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { deliveryPath } from '../frame/links.ts'
import { demoMark, type Reader } from '../frame/reader.ts'
import { pageTime } from '../frame/times.ts'

type Addressed = Pick<DeliveryView, 'transport' | 'channel' | 'direct'>

/** `Meshtastic 3 (north)`, `MeshCore north-fire`, `email destination:ops`: as people know the channel. */
export function channelName({ radios }: Pick<Reader, 'radios'>, { transport, channel, direct }: Addressed): string {
  if (transport !== 'mt' && transport !== 'mc') return `${transport} ${channel}`
  const radio = radios().find(({ network }) => network === transport)
  const name = direct ? '' : (radio?.channels.find(({ id }) => id === channel)?.name ?? '')
  const known = name === '' || name === channel ? '' : ` (${name})`
  return `${NETWORK_NAMES[transport]} ${direct ? '→ ' : ''}${channel}${known}`
}

/** A simulated radio says that it sent, and that it was heard; nothing was on the air, and green is proof. */
export function fateMark(
  { state, simulated: pretends }: Pick<DeliveryView, 'state' | 'simulated'>,
  t: Reader['t']
): Html {
  const tone = toneOf(state)
  return pretends && (tone === 'good' || state === 'unconfirmed')
    ? html`<span class="state off">${t('simulated: not on the air')}</span>`
    : html`<span class="state ${tone || 'off'}">${stateNames(t)[state]}</span>`
}

/** The fate of a message, with its reason and who heard it. */
export function stateMark(delivery: DeliveryView, { t }: Reader): Html {
  const { state, reason, heard_by: heard, merged_into: into } = delivery
  const why = reasonName(reason, t)
  const notes: Content[] = [
    why === null ? null : html`<span class="why">${why}</span>`,
    into === null
      ? null
      : html`<a class="why" href="${deliveryPath(into)}">${t('into message {id}', { id: into })}</a>`,
    heard === 0 || delivery.simulated
      ? null
      : html`<span class="why">${state === 'heard' ? t('by {count}', { count: heard }) : t('heard by {count}', { count: heard })}</span>`
  ]
  return html`${fateMark(delivery, t)}${notes.map((note) => (note === null ? null : html` ${note}`))}`
}

/** The text as it went out, with its length in bytes. */
export function messageText({ text, bytes, state }: DeliveryView, { t }: Reader): Html {
  if (state === 'merged') return html`<span class="quiet">${t('told with that message')}</span>`
  if (text === null && (state === 'failed' || state === 'expired' || state === 'suppressed'))
    return html`<span class="quiet">${t('no text was made')}</span>`
  if (text === null) return html`<span class="quiet">${t('not composed yet')}</span>`
  return html`<q class="said">${text}</q>${bytes === null ? null : html` <small class="bytes">${t('{count} bytes', { count: bytes })}</small>`}`
}

/** Everything that happened to a message, folded away. */
export function messageSteps(delivery: DeliveryView, reader: Reader): Html | null {
  const { context, language, t } = reader
  const steps = context.deliveries.steps(delivery.id)
  if (steps.length === 0) return null
  const names = stateNames(t)
  const said = (state: string): string => Object.entries(names).find(([name]) => name === state)?.[1] ?? state
  const items = steps.map(
    ({ at, state, step }) =>
      html`<li>${pageTime(context, Date.parse(at), language)} <strong>${said(state)}</strong>: ${toldTo(step, reader)}</li>`
  )
  const attempts = t('Attempts: {count}', { count: delivery.attempts })
  const radio = delivery.radio === null ? '' : ` · ${t('radio {id}', { id: delivery.radio })}`
  return html`<details class="steps"><summary>${t('Steps')} <span class="hidden">${t('of message {id}', { id: delivery.id })}</span></summary>
<p class="quiet">${attempts}${radio}</p><ol>${items}</ol></details>`
}

/** Messages of one event, one below the other. */
export function messageList(deliveries: readonly DeliveryView[], reader: Reader): Html {
  const { context, language, t } = reader
  const items = deliveries.map(
    (delivery) => html`<li id="d${delivery.id}">
<p class="facts"><strong>${channelName(reader, delivery)}</strong> <span>${stateMark(delivery, reader)}</span> ${simulated(delivery, reader)}<span class="when">${pageTime(context, Date.parse(delivery.sent_at ?? delivery.created_at), language)}</span></p>
<p>${messageText(delivery, reader)}</p>
${messageSteps(delivery, reader)}</li>
`
  )
  return html`<ul class="messages" aria-label="${t('Messages')}">${items}</ul>`
}

/** Says so when no radio was on the air. */
export function simulated(delivery: Pick<DeliveryView, 'simulated' | 'demo'>, { t }: Reader): Html | null {
  return delivery.simulated ? html`${demoMark(delivery.demo)}<span class="quiet">${t('simulated')}</span> ` : null
}
