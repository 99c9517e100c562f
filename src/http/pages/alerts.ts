import type { StoredEvent } from '../../outbox/ledger.ts'
import type { HttpContext } from '../context.ts'
import type { Handler } from '../route.ts'
import type { Services } from '../routes/services.ts'
import { type Html, html } from './html.ts'
import { page } from './layout.ts'
import { pageTime } from './times.ts'

const SEVERITY_WORDS: Record<string, string> = {
  immediate: 'Immediate danger',
  critical: 'Critical',
  priority: 'Priority',
  routine: 'For information'
}
/** The page is for weak links and captive portals: it stays below 20 kB with its frame. Bytes of the list. */
const LIST_BYTES = 16_000
const MAX_ALERTS = 60

/** `GET /alerts`: what is in force now, in plain HTML without a script. Loads itself again every minute. */
export function readAlerts({ context }: Services): Handler<unknown, undefined> {
  return async () => {
    await context.config.refresh()
    const alerts = context.ledger.active(context.now(), MAX_ALERTS)
    const body = alerts.length === 0 ? html`<p class="none">No alerts are in force.</p>` : alertList(context, alerts)
    return page(context, { title: 'Alerts', path: '/alerts', body, refreshSeconds: 60, plain: true })
  }
}

/** As many as fit, worst first; says how many were left out. */
function alertList(context: HttpContext, alerts: readonly StoredEvent[]): Html {
  const shown: Html[] = []
  let bytes = 0
  for (const alert of alerts) {
    const item = alertItem(context, alert)
    bytes += Buffer.byteLength(item.text)
    if (bytes > LIST_BYTES) break
    shown.push(item)
  }
  const rest = alerts.length - shown.length
  return html`<ol class="alerts">${shown}</ol>${rest > 0 ? html`<p>${rest} more on the <a href="/">overview</a>.</p>` : null}`
}

export function alertItem(context: HttpContext, { event }: StoredEvent): Html {
  const summary = event.summary === '' ? null : html`<p>${shorten(event.summary, 400)}</p>`
  const until = event.expires === null ? null : html`, until ${pageTime(context, Date.parse(event.expires))}`
  const advice = event.data.instruction ? html`<p class="advice">${shorten(event.data.instruction, 300)}</p>` : null
  const starts = Date.parse(event.onset ?? event.sent_at)
  const where = event.regions.length === 0 ? 'Region not known' : shorten(event.regions.join(', '), 200)
  return html`<li class="alert ${event.severity}">
<h2><span class="severity">${SEVERITY_WORDS[event.severity] ?? event.severity}</span> ${shorten(event.title, 200)}</h2>
<p class="where">${where}</p>
${summary}${advice}<p class="when">${starts > context.now() ? 'From' : 'Since'} ${pageTime(context, starts)}${until}</p>
</li>
`
}

function shorten(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}
