import { isTime, number } from '../../../../web/shared/times.js'
import { SEVERITIES } from '../../../model/severity.ts'
import { type DayOfMessages, MOST_SPANS, type Span } from '../../../warning/outbox/last-day.ts'
import { shownChannel } from '../../server/guest-view.ts'
import { channelWords } from '../events/result-words.ts'
import { type Html, html } from '../frame/html.ts'
import type { Reader } from '../frame/reader.ts'
import { dayTime } from '../frame/times.ts'
import { dayLanes } from './day-lanes.ts'
import type { MeasuredDay } from './measured-day.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const WIDTH = 960
const ROW = 16
const COLUMNS = 44
const TOP = 6
/** Channels that are named. */
const MOST_CHANNELS = 6
/** Shorter would not be seen. Units. */
const LEAST = 4

interface Day {
  now: number
  sent: DayOfMessages
  spans: readonly Span[]
  /** Null: this profile measures nothing. */
  measured: MeasuredDay | null
}

/** The alerts of the last 24 hours, a row for each gravity, and below them the messages of each hour. */
export function dayStrip(reader: Reader, { now, sent, spans, measured }: Day): Html {
  const { context, language, t } = reader
  const { hours } = sent
  const x = (at: number): number => Math.round(((Math.max(at, now - DAY_MS) - (now - DAY_MS)) / DAY_MS) * WIDTH)
  const rows = SEVERITIES.toReversed()
  const base = TOP + rows.length * ROW + COLUMNS
  const most = Math.max(1, ...hours.map(({ sent, failed }) => sent + failed))
  const bars = spans.map((span) => bar(span, { x, y: TOP + rows.indexOf(span.severity) * ROW, now }))
  const columns = hours.map(({ sent, failed }, n) => {
    const left = (n * WIDTH) / hours.length + 4
    const [good, bad] = [sent, failed].map((count) => Math.round((count / most) * (COLUMNS - 10))) as [number, number]
    return html`<rect class="sent" x="${left}" y="${base - good}" width="32" height="${good}"/><rect class="failed" x="${left}" y="${base - good - bad}" width="32" height="${bad}"/>`
  })
  const total = (of: 'sent' | 'failed'): number => hours.reduce((sum, hour) => sum + hour[of], 0)
  const counts = {
    sent: number(total('sent'), language),
    failed: number(total('failed'), language),
    count: number(spans.length, language)
  }
  const said =
    spans.length < MOST_SPANS
      ? t('Messages sent: {sent} · Failed: {failed} · Alerts: {count}', counts)
      : t('Messages sent: {sent} · Failed: {failed} · Alerts: more than {count}', counts)
  const hour = (back: number): string =>
    isTime(now) ? dayTime(context, now - back * HOUR_MS, language) : `−${number(back, language)} h`
  const times = [24, 18, 12, 6].map((back) => html`<span>${hour(back)}</span>`)
  return html`<section class="card" aria-labelledby="day" data-key="day"><h2 id="day">${t('The last 24 hours')}</h2><p class="quiet">${said}</p>${channelLine(sent, reader)}
<svg class="strip" viewBox="0 0 ${WIDTH} ${base + 2}" preserveAspectRatio="none" aria-hidden="true"><path class="graticule" d="M0 ${base}H${WIDTH}M240 0V${base}M480 0V${base}M720 0V${base}"/>${bars}${columns}</svg>
<p class="hours">${times}<span>${t('now')}</span></p>${measured === null ? null : dayLanes(reader, measured, now)}<p><a href="/day">${t('The day on one page')}</a></p></section>`
}

/** The busiest, and how many more: nobody reads forty. */
function channelLine({ channels }: DayOfMessages, reader: Reader): Html | null {
  const { t, language } = reader
  if (channels.size === 0) return null
  const busiest = [...channels].sort(([, a], [, b]) => b.sent + b.failed - a.sent - a.failed)
  const items = busiest.slice(0, MOST_CHANNELS).map(([channel, { sent, failed }]) => {
    const lost = failed === 0 ? null : html` · <span class="state bad">${t('{count} failed', { count: failed })}</span>`
    return html`<li class="chip">${channelWords(shownChannel(channel, reader))}: <b>${number(sent, language)}</b>${lost}</li>`
  })
  const rest = busiest.length - items.length
  const more = rest > 0 ? html`<li class="quiet">${t('{count} more', { count: rest })}</li>` : null
  return html`<ul class="chips" aria-label="${t('Messages by channel')}">${items}${more}</ul>`
}

function bar(
  { severity, from, until }: Span,
  { x, y, now }: { x: (at: number) => number; y: number; now: number }
): Html {
  const left = x(from)
  const width = Math.max(LEAST, x(Math.min(until, now)) - left)
  return html`<rect class="${severity}" x="${left}" y="${y + 2}" width="${width}" height="${ROW - 5}" rx="3"/>`
}
