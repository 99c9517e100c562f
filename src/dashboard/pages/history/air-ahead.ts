import { number } from '../../../../web/shared/times.js'
import { NETWORK_NAMES } from '../../../../web/shared/words.js'
import type { AirtimeAhead, ChannelAhead, HourAhead } from '../../../warning/outbox/airtime-ahead.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import type { Reader } from '../frame/reader.ts'
import { dayTime } from '../frame/times.ts'

const WIDTH = 640
const HEIGHT = 110
const BASE = 92
const TOP = 8
/** More are a list and no glance: the others have little ahead of them. */
const MOST_CHANNELS = 8

/** The hours to come on the air, radio by radio: what is known, what is usual, and where the hour will be full. */
export function airAhead(reader: Reader, all: readonly AirtimeAhead[]): Html | null {
  if (all.length === 0) return null
  const { t } = reader
  return html`<section aria-labelledby="ahead" class="ahead"><h2 id="ahead">${t('Air time of the coming hours')}</h2>
<p class="quiet">${t('What waits and what is planned, as it will go; pale: what these hours took on the last days.')}</p>
<div class="charts">${all.map((one) => radioAhead(reader, one))}</div></section>\n`
}

/** The first of it in a line; null where nothing waits. */
export function aheadLine(reader: Reader, ahead: AirtimeAhead | undefined): Html | null {
  if (ahead === undefined || (ahead.full_at === null && ahead.clear_at === null)) return null
  return html`<p class="quiet">${sentences(reader, ahead)
    .slice(0, 2)
    .map((one) => html`${one} `)}<a href="/history#ahead">${reader.t('Coming hours')}</a></p>`
}

function radioAhead(reader: Reader, ahead: AirtimeAhead): Html {
  const { t } = reader
  const state = reader.radios().find(({ id }) => id === ahead.radio)?.state
  const isReady = state === 'ready' || state === 'suspect'
  return html`<figure class="chart"><h3>${ahead.radio}</h3>
${isReady ? null : html`<p class="state waiting">${t('The radio is not ready: all of this begins when it is.')}</p>`}
${bars(reader, ahead)}
${sentences(reader, ahead).map((one) => html`<p>${one}</p>`)}
<p class="quiet">${notes(reader, ahead).map((one) => html`${one} `)}</p>
${channelTable(reader, ahead)}</figure>`
}

/** When the hour is full and when it is over; what will not be sent at all. */
function sentences({ context, language, t }: Reader, ahead: AirtimeAhead): Content[] {
  const { full_at, clear_at, late, held, channels } = ahead
  const waiting = channels.reduce((sum, { queued }) => sum + queued, 0)
  const time = (at: number): string => dayTime(context, at, language)
  const count = number(waiting, language)
  return [
    full_at === null
      ? t('The hours have room for all that is known.')
      : html`<b>${t('The hour is full from {time}: what comes later waits until there is room.', { time: time(full_at) })}</b>`,
    ...(waiting === 0 ? [t('Nothing waits.')] : []),
    ...(clear_at === null || waiting === 0
      ? []
      : [t('Waiting: {count}. The last is on the air at about {time}.', { count, time: time(clear_at) })]),
    ...(late === 0 ? [] : [t('Over before their turn: {count}.', { count: number(late, language) })]),
    ...(held === 0
      ? []
      : [t('Held for another reason: {count}. When they go is not known.', { count: number(held, language) })])
  ]
}

/** The ground of the figures, and what they leave out. */
function notes({ language, t }: Reader, { days, is_estimate, budget_ms }: AirtimeAhead): string[] {
  return [
    t('Of each hour {seconds} s may be used; immediate danger may take more.', {
      seconds: number(budget_ms / 1000, language, 1)
    }),
    days === 0
      ? t('What an hour usually takes is not known yet: no message has been made.')
      : t('Usual: the mean of the last days ({count}). Nobody knows which alerts come.', { count: days }),
    ...(is_estimate ? [t('Some texts are not written yet: their length is guessed.')] : [])
  ]
}

/** An hour a bar, for the eye only: the table and the sentences say the same. */
function bars({ context, language }: Reader, { hours, budget_ms }: AirtimeAhead): Html {
  const known = ({ queued_ms, planned_ms }: HourAhead): number => queued_ms + planned_ms
  const most = Math.max(1, ...hours.map((hour) => Math.max(known(hour), hour.usual_ms ?? 0)))
  const isLimitNear = most > budget_ms / 3
  const top = isLimitNear ? Math.max(most, budget_ms) * 1.08 : most * 1.08
  const high = (ms: number): number => Math.round((ms / top) * (BASE - TOP) * 10) / 10
  const step = WIDTH / hours.length
  const drawn = hours.map((hour, n) => {
    const x = Math.round(n * step + 4)
    const width = Math.round(step - 8)
    const [queued, planned, usual] = [hour.queued_ms, hour.planned_ms, hour.usual_ms ?? 0].map(high) as [
      number,
      number,
      number
    ]
    return html`<rect class="usual" x="${x}" y="${BASE - usual}" width="${width}" height="${usual}"/><rect class="queued" x="${x + 6}" y="${BASE - queued}" width="${width - 12}" height="${queued}"/><rect class="planned" x="${x + 6}" y="${BASE - queued - planned}" width="${width - 12}" height="${planned}"/>`
  })
  const limit = isLimitNear ? html`<path class="limit" d="M0 ${BASE - high(budget_ms)}H${WIDTH}"/>` : null
  const marks = [0, 4, 8].map((n) => html`<span>${dayTime(context, hours[n]?.from ?? 0, language)}</span>`)
  return html`<svg class="hours-ahead" viewBox="0 0 ${WIDTH} ${HEIGHT - 14}" preserveAspectRatio="none" aria-hidden="true"><path class="grid" d="M0 ${BASE}H${WIDTH}"/>${drawn}${limit}</svg>
<p class="hours">${marks}<span></span></p>`
}

function channelTable(reader: Reader, { channels, network, days }: AirtimeAhead): Html | null {
  if (channels.length === 0) return null
  const { t, language } = reader
  const hasPlans = channels.some(({ planned }) => planned > 0)
  const seconds = (ms: number): string => `${number(ms / 1000, language, 1)} s`
  const rows = channels
    .slice(0, MOST_CHANNELS)
    .map(
      (one: ChannelAhead) =>
        html`<tr><th scope="row">${one.channel === '' ? t('to people') : `${NETWORK_NAMES[network]} ${one.channel}`}</th><td>${one.queued}</td>${hasPlans ? html`<td>${one.planned}</td>` : null}<td>${seconds(one.ms)}</td><td>${one.usual_ms === null || days === 0 ? '–' : seconds(one.usual_ms)}</td></tr>`
    )
  const heads = [t('Channel'), t('Waits'), ...(hasPlans ? [t('Planned')] : []), t('Air time'), t('Usual')].map(
    (head) => html`<th scope="col">${head}</th>`
  )
  return html`<table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>`
}
