import * as v from 'valibot'
import { readersTurn, Slices } from '../../../platform/clock/slices.ts'
import type { Result } from '../../../warning/outbox/results.ts'
import type { StoredEvent } from '../../../warning/outbox/stored-event.ts'
import { blinding } from '../../../warning/readiness/blinding.ts'
import type { Services } from '../../api/services.ts'
import { type Reply, redirect } from '../../server/reply.ts'
import { type Call, form, get, type Handler, type Route } from '../../server/route.ts'
import { toldMark, toldOf } from '../events/result-words.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { problemSentence } from '../frame/problem-words.ts'
import { inventedMark, type Reader, readerOf, severityMark, shorten } from '../frame/reader.ts'
import { type agoTime, pageTime } from '../frame/times.ts'

/** The page is for weak links and captive portals: it stays below 20 kB with its frame. Bytes of the list. */
const LIST_BYTES = 16_000
const MAX_ALERTS = 60
const REFRESH_SECONDS = 60
/** So much is read in one go before others have their turn. Milliseconds. */
const PART_MS = 2

export const alertsQuery = v.object({ refresh: v.optional(v.string()), joined: v.optional(v.string()) })

/**
 * `GET /alerts`: what is in force now, in plain HTML without a script. Loads itself again every minute, unless the reader
 * asked for a page that stands still (WCAG 2.2.1).
 */
function readAlerts(services: Services): Handler<v.InferOutput<typeof alertsQuery>, undefined> {
  return ({ query, headers, identity }) =>
    drawAlerts(services, { headers, identity }, { still: query.refresh === 'off', joined: query.joined !== undefined })
}

async function drawAlerts(
  { context }: Services,
  { headers, identity }: Pick<Call<unknown, unknown>, 'headers' | 'identity'>,
  { still, joined }: { still: boolean; joined: boolean }
): Promise<Reply> {
  const reader = readerOf(context, { headers, identity })
  const { t } = reader
  const slices = new Slices(readersTurn, PART_MS)
  const now = context.now()
  const alerts = context.ledger.active(now, MAX_ALERTS)
  await slices.pause()
  const results = context.ledger.results.ofThreads(alerts.map(({ event }) => event.thread_id))
  await slices.pause()
  const body = html`${joined ? wayOn(reader) : null}${notKnown(reader, alerts.length > 0)}${alerts.length === 0 ? noAlerts(reader) : alertList(reader, alerts, results)}
<p class="noprint">${still ? html`<a href="/alerts">${t('Load again every minute')}</a>` : html`<span class="quiet">${t('This page loads itself again every minute.')}</span> <a href="/alerts?refresh=off">${t('Stop')}</a>`}</p>
<p class="noprint"><a href="/">${t('Overview')}</a></p>`
  return page(context, {
    title: t('Alerts'),
    path: '/alerts',
    body,
    headers,
    identity,
    readiness: reader.readiness,
    radios: reader.radios,
    asOf: now,
    plain: true,
    // A page that loads itself again would close the window in which a phone asks whether to stay.
    ...(still || joined ? {} : { refreshSeconds: REFRESH_SECONDS })
  })
}

/** True while something may be in force of which nobody here knows; `region`: or of which nobody knows where it is. */
export function isBlind({ readiness }: Reader, scope: 'anywhere' | 'region' = 'anywhere'): boolean {
  return blinding(readiness().problems, scope).length > 0
}

/** Contract §13: no all-clear is given that nobody can give. */
export function noAlerts(reader: Reader): Html {
  const { t } = reader
  return !isBlind(reader)
    ? html`<p class="none">${t('No alerts are in force.')}</p>`
    : html`<p class="none">${t('No alert is known. That is no all-clear: see above what is not known.')}</p>`
}

/** The unknown comes on this page before the known; beside alerts it is a line that opens, so that they are seen first. */
function notKnown(reader: Reader, isFolded: boolean): Html | null {
  const { t } = reader
  const found = blinding(reader.readiness().problems, 'anywhere')
  if (found.length === 0) return null
  const items = found.map((problem) => html`<li>${problemSentence(problem, reader)}</li>`)
  const head = html`<h2 id="unknown">${t('What is not known')}</h2>`
  const list = html`<ul>${items}</ul>`
  return html`<section class="problems" aria-labelledby="unknown">${isFolded ? html`<details class="folded"><summary class="line">${head} (${items.length})</summary>${list}</details>` : html`${head}${list}`}</section>`
}

/** As many as fit, worst first; says how many were left out. */
function alertList(reader: Reader, alerts: readonly StoredEvent[], results: ReadonlyMap<string, Result>): Html {
  const shown: Html[] = []
  let bytes = 0
  for (const alert of alerts) {
    const told = toldMark(alert, toldOf(results, alert), reader)
    const title = html`<h2>${severityMark(alert.event.severity, reader.t)} ${inventedMark(alert.event)}${shorten(alert.event.title, 200)}</h2>`
    const item = alertItem(reader, alert, { told, heading: title, time: pageTime })
    bytes += Buffer.byteLength(item.text)
    if (bytes > LIST_BYTES) break
    shown.push(item)
  }
  const rest = alerts.length - shown.length
  return html`<ol class="alerts">${shown}</ol>${rest > 0 ? html`<p>${moreWords(rest, alerts.length, reader.t)} <a href="/events">${reader.t('All events')}</a></p>` : null}`
}

/** Of more than were asked for nobody has counted the rest. */
function moreWords(rest: number, asked: number, t: Reader['t']): string {
  return asked < MAX_ALERTS
    ? t('{count} more are in force, less grave or older.', { count: rest })
    : t('At least {count} more are in force, less grave or older.', { count: rest })
}

interface Look {
  /** The line of who was told. */
  told: Html
  heading: Html
  /** The form in which its times are written. */
  time: typeof agoTime
}

/** One alert below its heading: what, where, what to do, from when to when. */
export function alertItem(reader: Reader, stored: StoredEvent, { told, heading, time }: Look): Html {
  const { event } = stored
  const { t } = reader
  const summary = event.summary === '' ? null : html`<p>${shorten(event.summary, 400)}</p>`
  const advice = event.data.instruction ? html`<p class="advice">${shorten(event.data.instruction, 300)}</p>` : null
  const where = event.regions.length === 0 ? t('Region not known') : shorten(event.regions.join(', '), 200)
  return html`<li class="alert ${event.severity}" data-key="${event.thread_id}">
${heading}
<p class="where">${where}</p>
${summary}${advice}${told}<p class="when">${span(reader, event, time)}</p>
</li>
`
}

function span(
  { context, language, t }: Reader,
  { onset, sent_at, expires }: StoredEvent['event'],
  time: Look['time']
): Content {
  const starts = Date.parse(onset ?? sent_at)
  const from = starts > context.now() ? t('Starting') : t('Since')
  const until = expires === null ? null : html`, ${t('until')} ${time(context, Date.parse(expires), language)}`
  return html`${from} ${time(context, starts, language)}${until}`
}

/** For a phone that has just joined the hotspot: until somebody presses it, it asks again and again. */
const wayOn = ({ t }: Reader): Html =>
  html`<form method="post" action="/alerts/continue"><p>${t('This Wi-Fi belongs to this station and has no Internet. Stay connected to see its alerts:')} <b>lookout.lan</b></p>
<p><button type="submit" class="primary">${t('Stay connected')}</button></p></form>
`

/** `POST /alerts/continue`: this phone hears from now on that all is well, and keeps to this Wi-Fi. */
const letGo =
  ({ portal }: Services): Handler<unknown, unknown> =>
  ({ from }) => {
    portal.letGo(from)
    return { ...redirect('/alerts'), status: 303 }
  }

export const alertsPage = (services: Services): readonly Route[] => [
  get('/alerts', {
    about: 'Alerts in force: plain HTML without a script, about 16 kB at most, for captive portals.',
    query: alertsQuery,
    shared: true,
    handle: readAlerts(services)
  }),
  form('/alerts/continue', { body: v.object({}), withoutFolder: true, handle: letGo(services) })
]
