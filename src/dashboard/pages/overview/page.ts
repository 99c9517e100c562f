import { sparkline } from '../../../../web/shared/parts.js'
import { duration, number } from '../../../../web/shared/times.js'
import { NETWORK_NAMES, networkName, reasonName } from '../../../../web/shared/words.js'
import { readersTurn, Slices } from '../../../platform/clock/slices.ts'
import type { AirtimeAhead } from '../../../warning/outbox/airtime-ahead.ts'
import type { DeliveryView } from '../../../warning/outbox/delivery.ts'
import type { DayOfMessages } from '../../../warning/outbox/last-day.ts'
import type { ChannelResult } from '../../../warning/outbox/results.ts'
import type { StoredEvent } from '../../../warning/outbox/stored-event.ts'
import type { Services } from '../../api/services.ts'
import type { RadioStatus } from '../../server/context.ts'
import { toldTo } from '../../server/guest.ts'
import { shownDelivery } from '../../server/guest-view.ts'
import type { Reply } from '../../server/reply.ts'
import { type Call, get, type Handler, type Route } from '../../server/route.ts'
import { alertItem, noAlerts } from '../alerts/page.ts'
import { fateMark } from '../deliveries/delivery-parts.ts'
import { firstRunNote } from '../first-run/page.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { eventPath, threadPath } from '../frame/links.ts'
import { demoMark, inventedMark, type Reader, readerOf, severityMark, shorten } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'
import { aheadLine } from '../history/air-ahead.ts'
import { dayStrip } from './day-strip.ts'
import { groundPicture } from './ground.ts'
import { DayOfMeasurements, type MeasuredDay } from './measured-day.ts'
import { nodeList, nodesFor } from './mesh-nodes.ts'
import { problems } from './overview-problems.ts'
import { regionChips } from './regions.ts'
import { situationMap } from './situation-map.ts'
import { sourceSection } from './source-cards.ts'
import { toldChannels } from './told.ts'

/** With who was told of each, more are a list and no glance. */
const MAX_ALERTS = 12
/** Regions and map know more than stands in words beside them. */
const MOST_KNOWN = 60
const MAX_MESSAGES = 20
/** So much is drawn in one go before others have their turn. Milliseconds. */
const PART_MS = 2

/** `GET /`: problems first, then alerts in force, radios and sources, the newest messages; follows the live stream. */
function readOverview(services: Services): Handler<unknown, undefined> {
  const measurements = new DayOfMeasurements()
  return (call) => drawOverview(services, { call, measurements })
}

interface Asked {
  call: Call<unknown, undefined>
  measurements: DayOfMeasurements
}

/** In a storm each part reads thousands of rows: others have their turn in between. */
async function drawOverview({ context }: Services, { call, measurements }: Asked): Promise<Reply> {
  const { headers, identity } = call
  const reader = readerOf(context, { headers, identity })
  const { t } = reader
  const slices = new Slices(readersTurn, PART_MS)
  const part = async <Part>(made: Part): Promise<Part> => {
    await slices.pause()
    return made
  }
  const now = context.now()
  const known = await part(context.ledger.active(now, MOST_KNOWN))
  const active = known.slice(0, MAX_ALERTS)
  const told = await part(context.ledger.results.channelsOf(known.map(({ event }) => event.thread_id)))
  const troubles = await part(problems(reader, active.some(isGrave)))
  const inForce = await part(alerts(reader, active, told))
  const nodes = nodesFor(reader)
  const map = await part(situationMap(reader, known, { nodes, isStage: true }))
  const regions = await part(regionChips(reader, { alerts: known, areAll: known.length < MOST_KNOWN, told }))
  const sent = await part(context.ledger.day.messages(now))
  const spans = await part(context.ledger.day.spans(now))
  const measured = await measurements.of(context.history, now)
  const day = await part(dayStrip(reader, { now, sent, spans, measured }))
  const work = { ahead: await context.airtimeAhead(), sent: sent.radios, measured }
  const cards = await part(factCards(reader, work))
  const newest = await part(messages(reader))
  const body = html`<noscript><p class="live">${t('Load the page again to see news: live updates need a browser with scripts.')}</p></noscript>
<div id="content">
<div data-key="first-run">${firstRunNote(context, t)}</div>
<div data-key="problems">${troubles}</div>
<div class="situation" data-key="now">
<section class="first" aria-labelledby="active" data-key="active"><h2 id="active">${t('Alerts in force')}</h2>${inForce}</section>
<div class="beside" data-key="beside">
${map}${nodeList(reader, nodes)}${regions}
${day}
${cards}
</div>
</div>
<section class="last" aria-labelledby="messages" data-key="messages"><h2 id="messages">${t('Newest messages')}</h2>${newest}</section>
</div>`
  return framed(reader, body, { headers, identity, asOf: now })
}

function framed(
  { context, t, readiness, radios }: Reader,
  body: Html,
  call: Pick<Call<unknown, undefined>, 'headers' | 'identity'> & { asOf: number }
): Reply {
  const files = { script: 'pages/overview/script.js', style: 'pages/overview/style.css' }
  return page(context, { title: t('Overview'), path: '/', body, ...call, readiness, radios, ...files, light: true })
}

function isGrave({ event: { severity } }: StoredEvent): boolean {
  return severity === 'critical' || severity === 'immediate'
}

/** Of the radios: what is to come, and what each sent in the hours before. */
interface Work {
  ahead: readonly AirtimeAhead[]
  sent: DayOfMessages['radios']
  measured: MeasuredDay | null
}

function factCards(reader: Reader, work: Work): Html {
  const { t } = reader
  return html`<div class="cards" data-key="cards">
<section aria-labelledby="radios"><h2 id="radios">${t('Radios')}</h2>${radioList(reader, work)}</section>
<section aria-labelledby="sources"><h2 id="sources">${t('Sources')}</h2>${sourceSection(reader, work.measured)}</section>
<section aria-labelledby="program"><h2 id="program">${t('Station')}</h2>${program(reader)}</section>
</div>`
}

function alerts(
  reader: Reader,
  active: readonly StoredEvent[],
  told: ReadonlyMap<string, readonly ChannelResult[]>
): Html {
  const { t } = reader
  if (active.length === 0) return noAlerts(reader)
  const items = active.map((alert) => {
    const { id, source, severity, title, thread_id } = alert.event
    const heading = html`<h3>${severityMark(severity, t)} ${inventedMark(alert.event)}<a href="${eventPath({ id, source })}">${shorten(title, 200)}</a></h3>`
    return alertItem(reader, alert, {
      told: toldChannels(alert, told.get(thread_id) ?? [], reader),
      heading,
      time: agoTime
    })
  })
  const more =
    active.length < MAX_ALERTS
      ? null
      : html`<p>${t('These are the {count} gravest; more may be in force.', { count: MAX_ALERTS })} <a href="/events">${t('All events')}</a></p>`
  return html`<ol class="alerts">${items}</ol>${more}`
}

const radioStates = (t: Reader['t']): Readonly<Record<RadioStatus['state'], string>> => ({
  connecting: t('connecting'),
  ready: t('ready'),
  suspect: t('does not answer well'),
  down: t('down'),
  closed: t('closed')
})

function radioList(reader: Reader, { ahead, sent }: Work): Html {
  const radios = reader.radios()
  if (radios.length === 0) return noRadios(reader)
  return html`<ul class="radios">${radios.map((radio) =>
    radioItem(radio, reader, {
      ahead: ahead.find((one) => one.radio === radio.id),
      sent: sent.get(radio.id) ?? []
    })
  )}</ul>`
}

/** A preview connects none: what is configured is named, and what is not is not said to be missing. */
function noRadios({ context, t }: Reader): Html {
  const configured = context.config.current().radios
  const link = html`<a href="/radios">${t('Radios')}</a>`
  if (context.mode !== 'preview') return html`<p>${t('No radio is configured: messages wait.')} ${link}</p>`
  if (configured.length === 0) return html`<p>${t('Preview: no radio is connected.')} ${link}</p>`
  const names = configured.map(({ id, network }) => `${id} (${NETWORK_NAMES[network]})`).join(', ')
  return html`<p>${t('Configured, not connected in a preview: {names}', { names })} ${link}</p>`
}

function radioItem(
  radio: RadioStatus,
  reader: Reader,
  { ahead, sent }: { ahead: AirtimeAhead | undefined; sent: readonly number[] }
): Html {
  const { language, t } = reader
  const { id, network, node_name, modem, simulated, state, reason, queue, airtime } = radio
  const ready = state === 'ready'
  const facts = [NETWORK_NAMES[network], node_name, t.term(modem), simulated ? t('simulated') : ''].filter(
    (fact) => fact !== ''
  )
  const used = t('{used} of {budget} s on the air in the last hour', {
    used: number(airtime.used_seconds, language, 1),
    budget: number(airtime.budget_seconds, language)
  })
  const top = Math.max(airtime.budget_seconds, 1)
  return html`<li class="${simulated ? '' : ready ? 'up' : 'down'}" data-key="${id}"><h3>${id}</h3><p><small>${facts.join(' · ')}</small></p>
<p><span class="state ${!ready ? 'bad' : simulated ? 'waiting' : 'good'}">${radioStates(t)[state]}</span>${reason === null ? '' : `: ${toldTo(reason, reader)}`} · ${t('{count} waiting', { count: queue.waiting })}</p>
<p>${used}<meter min="0" max="${top}" low="${top * 0.5}" high="${top * 0.8}" optimum="0" value="${Math.min(airtime.used_seconds, top)}" aria-label="${used}"></meter></p>${aheadLine(reader, ahead)}${sentLine(sent, t)}</li>
`
}

/** Nothing where it sent nothing: a line at the ground would look like a measurement. */
function sentLine(values: readonly number[], t: Reader['t']): Html | null {
  const count = values.reduce((sum, value) => sum + value, 0)
  if (count === 0) return null
  const said = t('Sent in 24 hours: {count}', { count })
  return html`<p><small>${said}</small></p>${sparkline({ html }, { values, said: t('{said}, by hour', { said }) })}`
}

function program({ context, language, t }: Reader): Html {
  const counts = context.deliveries.counts()
  const waiting = (counts['queued'] ?? 0) + (counts['held'] ?? 0) + (counts['transmitting'] ?? 0)
  return html`<dl class="facts">
<dt>${t('Messages waiting')}</dt><dd>${waiting}</dd>
<dt>${t('Running for')}</dt><dd>${duration(context.now() - context.startedAt, language)}</dd>
<dt>${t('Version')}</dt><dd>${context.version} · ${context.profile.name}</dd>
</dl>`
}

function messages(reader: Reader): Html {
  const { context, t } = reader
  const { deliveries } = context.deliveries.list({ limit: MAX_MESSAGES })
  if (deliveries.length === 0) return html`<p>${t('No messages yet.')}</p>`
  return html`<ol class="messages">${deliveries.map((delivery) => messageItem(reader, shownDelivery(delivery, reader)))}</ol>
<p><a href="/deliveries">${t('All messages')}</a></p>`
}

function messageItem({ context, language, t }: Reader, delivery: DeliveryView): Html {
  const { id, reason, transport, channel, severity, regions, text } = delivery
  const why = reasonName(reason, t)
  return html`<li data-key="${id}"><p class="facts">${severityMark(severity, t)}
<span>${fateMark(delivery, t)}${why === null ? null : `: ${why}`}</span>
<span><a href="${threadPath(delivery.thread_id)}">${networkName(transport)} ${channel}</a></span>
<span>${agoTime(context, Date.parse(delivery.sent_at ?? delivery.created_at), language)}</span></p>
<p class="text">${demoMark(delivery.demo && text === null)}${text ?? html`<span class="quiet">${regions.length > 0 ? regions.join(', ') : t('not composed yet')}</span>`}</p></li>
`
}

export const overviewPages = (services: Services): Route[] => [
  get('/', {
    about: 'Overview: problems, radios, alerts in force, newest messages. Follows the live stream.',
    shared: true,
    handle: readOverview(services)
  }),
  groundPicture(services)
]
