import type { DeliveryView } from '../../outbox/delivery.ts'
import type { HttpContext, RadioStatus } from '../context.ts'
import { servedMatrix } from '../matrix-document.ts'
import { matrixWarnings } from '../matrix-warnings.ts'
import type { Handler } from '../route.ts'
import type { Services } from '../routes/services.ts'
import { alertItem } from './alerts.ts'
import { type Html, html } from './html.ts'
import { page } from './layout.ts'
import { pageTime } from './times.ts'

const MAX_ALERTS = 20
const MAX_MESSAGES = 20

/** `GET /`: problems first, then radios, alerts in force and the newest messages; follows the live stream. */
export function readOverview({ context }: Services): Handler<unknown, undefined> {
  return async () => {
    await context.config.refresh()
    const body = [
      html`<p id="live" class="live" role="status">Live updates need a browser with scripts; load the page again to see news.</p>`,
      html`<div id="content">`,
      problems(context),
      html`<section aria-labelledby="radios"><h2 id="radios">Radios</h2>${radioTable(context)}</section>`,
      html`<section aria-labelledby="active"><h2 id="active">Alerts in force</h2>${alerts(context)}</section>`,
      html`<section aria-labelledby="messages"><h2 id="messages">Newest messages</h2>${messages(context)}</section>`,
      html`</div>`
    ]
    return page(context, { title: 'Overview', path: '/', body, script: 'overview.js' })
  }
}

function problems(context: HttpContext): Html {
  const config = context.shownConfig()
  const found = [
    ...context.readiness().problems,
    ...context.radios().flatMap(missingChannels),
    ...matrixWarnings(servedMatrix(config), config).map(({ message }) => message)
  ]
  if (found.length === 0) return html`<p class="good">No problems are known.</p>`
  const items = [...new Set(found)].map((problem) => html`<li>${problem}</li>`)
  return html`<section class="problems" aria-labelledby="problems"><h2 id="problems">Problems</h2><ul>${items}</ul></section>`
}

function missingChannels({ id, missing_channels }: RadioStatus): string[] {
  return missing_channels.map(({ channel, problem }) =>
    problem === 'no_channel'
      ? `Radio ${id} does not have the channel ${channel}, which the configuration uses.`
      : `Channel ${channel}, which the configuration uses, is disabled on radio ${id}.`
  )
}

function radioTable(context: HttpContext): Html {
  const radios = context.radios()
  if (radios.length === 0)
    return html`<p>No radio is configured: messages wait. Add one under "radios" in config.json.</p>`
  const rows = radios.map(
    (radio) => html`<tr><th scope="row">${radio.id}${radio.simulated ? ' (simulated)' : ''}</th>
<td>${radio.network.toUpperCase()}</td><td>${radio.state}${radio.reason === null ? '' : `: ${radio.reason}`}</td><td>${radio.modem}</td>
<td class="number">${radio.queue.waiting}</td><td class="number">${Math.round(radio.airtime.used_seconds)} of ${Math.round(radio.airtime.budget_seconds)} s</td></tr>
`
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="radios"><table>
<thead><tr><th scope="col">Radio</th><th scope="col">Network</th><th scope="col">State</th><th scope="col">Modem</th><th scope="col">Waiting</th><th scope="col">Time on air, last hour</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function alerts(context: HttpContext): Html {
  const active = context.ledger.active(context.now(), MAX_ALERTS)
  if (active.length === 0) return html`<p>No alerts are in force.</p>`
  return html`<ol class="alerts compact">${active.map((alert) => alertItem(context, alert))}</ol>`
}

function messages(context: HttpContext): Html {
  const { deliveries } = context.deliveries.list({ limit: MAX_MESSAGES })
  if (deliveries.length === 0) return html`<p>No messages yet.</p>`
  const rows = deliveries.map((delivery) => messageRow(context, delivery))
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="messages"><table>
<thead><tr><th scope="col">Time</th><th scope="col">Channel</th><th scope="col">State</th><th scope="col">Severity</th><th scope="col">Text</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function messageRow(context: HttpContext, delivery: DeliveryView): Html {
  const state = delivery.reason === null ? delivery.state : `${delivery.state}: ${delivery.reason}`
  return html`<tr><td>${pageTime(context, Date.parse(delivery.sent_at ?? delivery.created_at))}</td>
<td>${delivery.transport.toUpperCase()} ${delivery.channel}${delivery.simulated ? ' (simulated)' : ''}</td>
<td>${state}</td><td>${delivery.severity}</td><td class="text">${delivery.text ?? 'not composed yet'}</td></tr>
`
}
