import * as v from 'valibot'
import { lifecycleNames } from '../../../../web/shared/words.js'
import { because } from '../../../model/reason.ts'
import { readersTurn } from '../../../platform/clock/slices.ts'
import type { DeliveryView } from '../../../warning/outbox/delivery.ts'
import type { StoredEvent } from '../../../warning/outbox/stored-event.ts'
import type { Services } from '../../api/services.ts'
import { type DayBounds, dayBounds, isDay } from '../../server/day-bounds.ts'
import type { Reply } from '../../server/reply.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { textItem, textsByEvent } from '../event/thread-line.ts'
import { labelsOf } from '../events/page.ts'
import { resultMark, resultOf } from '../events/result-words.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { eventPath } from '../frame/links.ts'
import { address, cursorOf, loose } from '../frame/log-filters.ts'
import { inventedMark, type Reader, readerOf, severityMark, shorten } from '../frame/reader.ts'
import { dayTime } from '../frame/times.ts'

const PER_PAGE = 60
/** Of one alert; its own page has the rest. */
const MOST_TEXTS = 12

export const dayQuery = v.object({ day: loose, before: loose })

/** `GET /day`: the reports of one day that concern this place, with every text as it went out; made to be printed. */
function readDay({ context }: Services): Handler<v.InferOutput<typeof dayQuery>, undefined> {
  return async ({ query, headers, identity }) => {
    const reader = readerOf(context, { headers, identity })
    const { language } = reader
    const { timezone } = context.shownConfig().station
    if (query.day !== '' && !isDay(query.day)) return noSuchDay(reader, { headers, identity })
    const bounds = dayBounds(query.day, context.now(), timezone)
    const before = cursorOf(query.before)
    const events = context.ledger.day.events({ ...bounds, before, limit: PER_PAGE + 1 })
    const shown = events.slice(0, PER_PAGE)
    const texts = await textsOf(shown, reader)
    const title = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-US', { dateStyle: 'full', timeZone: 'UTC' })
    const body = [
      choice(bounds, reader),
      html`<p class="quiet">${summary(shown, texts, { reader, isWhole: before === undefined && events.length <= PER_PAGE })}</p>`,
      entries(shown, texts, reader),
      events.length > PER_PAGE ? earlier(bounds, shown.at(-1)?.seq ?? 0, reader) : null
    ]
    return page(context, {
      ...{ title: title.format(Date.parse(`${bounds.day}T00:00:00Z`)), path: '/day', section: '/events' },
      ...{ body, headers, identity, script: 'pages/day/script.js', light: true },
      style: 'pages/day/style.css'
    })
  }
}

/** Another day in its place would be taken for the one that was asked for. */
function noSuchDay(reader: Reader, call: Parameters<typeof readerOf>[1]): Reply {
  const { t, context } = reader
  const today = dayBounds('', context.now(), context.shownConfig().station.timezone)
  const body = [
    html`<p class="banner bad" role="alert">${t.reason(because('day_is_written'))}</p>`,
    choice(today, reader)
  ]
  const look = {
    path: '/day',
    section: '/events',
    script: 'pages/day/script.js',
    light: true,
    style: 'pages/day/style.css'
  }
  return { ...page(context, { title: t('No such day'), body, ...look, ...call }), status: 422 }
}

/** Others have their turn after each alert (contract §6). */
async function textsOf(events: readonly StoredEvent[], reader: Reader): Promise<ReadonlyMap<number, DeliveryView[]>> {
  const threads = new Map<string, StoredEvent[]>()
  for (const one of events) threads.set(one.event.thread_id, [...(threads.get(one.event.thread_id) ?? []), one])
  const texts = new Map<number, DeliveryView[]>()
  for (const thread of threads.values()) {
    for (const [seq, views] of textsByEvent(thread, reader, MOST_TEXTS)) texts.set(seq, views)
    await readersTurn()
  }
  return texts
}

function choice({ day, before, after }: DayBounds, { t }: Reader): Html {
  return html`<form class="days noprint" action="/day" method="get"><p><a class="button" href="/day?day=${before}">‹ ${t('Day before')}</a> <a class="button" href="/day?day=${after}">${t('Day after')} ›</a></p>
<p><label for="day">${t('Day')}</label> <input id="day" type="date" name="day" value="${day}"> <button>${t('Show')}</button></p>
<p><a class="button" href="/comms-log?day=${day}">${t('Communications log')}</a></p><p><button type="button" class="primary" data-print hidden>${t('Print')}</button></p></form>`
}

function summary(
  events: readonly StoredEvent[],
  texts: ReadonlyMap<number, readonly DeliveryView[]>,
  { reader: { t }, isWhole }: { reader: Reader; isWhole: boolean }
): string {
  const all = [...texts.values()].flat()
  const failed = all.filter(({ state }) => state === 'failed' || state === 'expired').length
  const sent = all.filter(({ sent_at, simulated }) => sent_at !== null && !simulated).length
  const counts = { count: events.length, sent, failed }
  return isWhole
    ? t('Reports: {count} · Texts on the air: {sent} · Failed: {failed}', counts)
    : t('On this page: reports: {count} · texts on the air: {sent} · failed: {failed}. The day has more.', counts)
}

function entries(
  events: readonly StoredEvent[],
  texts: ReadonlyMap<number, readonly DeliveryView[]>,
  reader: Reader
): Html {
  const { t, context } = reader
  if (events.length === 0)
    return html`<p class="none">${t('Nothing that concerns this place was reported on this day.')}</p>`
  const results = context.ledger.results.ofEvents(events)
  const labels = labelsOf(reader)
  const items = events.toReversed().map((stored) => {
    const family = labels.get(stored.event.family) ?? stored.event.family
    return entry(
      stored,
      { family, told: resultMark(stored, resultOf(results, stored), reader), reader },
      texts.get(stored.seq) ?? []
    )
  })
  return html`<ol class="day">${items}</ol>`
}

function entry(
  { event, seq }: StoredEvent,
  { family, told, reader }: { family: string; told: Html; reader: Reader },
  texts: readonly DeliveryView[]
): Html {
  const { context, language, t } = reader
  const { id, source, severity, lifecycle, title, regions, summary: text } = event
  return html`<li><p class="facts"><b>${dayTime(context, Date.parse(event.received_at), language)}</b> ${severityMark(severity, t)} ${inventedMark(event)}<span>${lifecycleNames(t)[lifecycle]}</span> <span class="quiet">${family} · ${source}</span></p>
<h2><a href="${eventPath({ id, source, seq })}">${shorten(title, 200)}</a></h2>
<p>${regions.length === 0 ? null : html`<b>${shorten(regions.join(', '), 200)}.</b> `}${shorten(text ?? '', 300)}</p>
${texts.length === 0 ? html`<p>${told}</p>` : html`<ul class="texts">${texts.map((view) => textItem(view, reader))}</ul>`}</li>
`
}

function earlier({ day }: DayBounds, seq: number, { t }: Reader): Html {
  return html`<p><a class="button" rel="next" href="${address('/day', { day, before: seq })}">${t('Earlier on this day')}</a></p>`
}

export const dayPage = (services: Services): Route =>
  get('/day', {
    about: 'One day for the files: what was reported, and every text as it went out. Made to be printed.',
    query: dayQuery,
    handle: readDay(services)
  })
