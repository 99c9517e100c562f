import * as v from 'valibot'
import { formatTime } from '../../../model/time.ts'
import { AppError } from '../../../platform/errors.ts'
import { mostLines } from '../../api/comms-log.ts'
import type { Services } from '../../api/services.ts'
import { gapsOf, readCommsLog } from '../../server/comms-log.ts'
import { type Period, periodOf } from '../../server/period.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { address, loose } from '../frame/log-filters.ts'
import { type Reader, readerOf } from '../frame/reader.ts'
import { formOf } from './body.ts'

const PATH = '/comms-log'

export const commsLogPageQuery = v.object({ day: loose, from: loose, to: loose, incident: loose, operator: loose })
type Asked = v.InferOutput<typeof commsLogPageQuery>

/** `GET /comms-log`: the radio traffic of a day or a span in the layout of ICS-309, made to be printed. */
function readLogPage({ context }: Services): Handler<Asked, undefined> {
  return async ({ query, headers, identity, left }) => {
    await context.config.refresh()
    const reader = readerOf(context, { headers, identity })
    const { t } = reader
    const look = {
      ...{ title: t('Communications log'), path: PATH, section: '/deliveries', headers, identity },
      ...{ script: 'pages/comms-log/script.js', style: 'pages/comms-log/style.css', light: true }
    }
    const read = periodOrRefusal(query, reader)
    if (read instanceof AppError) {
      const body = [html`<p class="banner bad" role="alert">${t.reason(read.reason)}</p>`, choice(query, null, reader)]
      return { ...page(context, { ...look, body }), status: 422 }
    }
    const log = await readCommsLog(context.ledger.comms, read, { limit: mostLines(reader), left })
    const gaps = gapsOf(context, read)
    const more = log.next === null ? null : rest(log.next, { query, period: read, t })
    const form = await formOf({ log, gaps, filled: query, period: read, rest: more }, reader)
    return page(context, { ...look, body: [choice(query, read, reader), ...form] })
  }
}

function periodOrRefusal(query: Asked, { context }: Reader): Period | AppError {
  try {
    return periodOf(query, { now: context.now(), zone: context.shownConfig().station.timezone })
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function choice({ day, from, to, incident, operator }: Asked, period: Period | null, { t }: Reader): Html {
  const kept = { incident, operator }
  const shown = period?.day?.name ?? (from === '' && to === '' ? day : '')
  const step = (to: string, name: string): Html =>
    html`<a class="button" href="${address(PATH, { ...kept, day: to })}">${name}</a> `
  const files = { day: period?.day?.name, ...(period === null || period.day !== null ? {} : spanOf(period)) }
  return html`<form class="choose noprint" action="${PATH}" method="get">
<p><label for="day">${t('Day')}</label><input id="day" type="date" name="day" value="${shown}"></p>
<p><label for="from">${t('or from')}</label><input id="from" name="from" value="${from}" maxlength="40" placeholder="2027-07-01T07:00"></p>
<p><label for="to">${t('to')}</label><input id="to" name="to" value="${to}" maxlength="40" placeholder="2027-07-01T19:00"></p>
<p><label for="incident">${t('Incident name and number')}</label><input id="incident" name="incident" value="${incident}" maxlength="200"></p>
<p><label for="operator">${t('Radio operator')}</label><input id="operator" name="operator" value="${operator}" maxlength="200"></p>
<p class="go"><button>${t('Show')}</button> <button type="button" class="primary" data-print hidden>${t('Print')}</button></p>
</form>
<p class="choices noprint">${period?.day == null ? null : [step(period.day.before, `‹ ${t('Day before')}`), step(period.day.after, `${t('Day after')} ›`)]}${
    period === null
      ? null
      : html`<a class="button" href="${address('/api/comms-log', { ...files, ...kept, format: 'pdf' })}">PDF</a> <a class="button" download href="${address('/api/comms-log', { ...files, format: 'csv' })}">CSV</a> <a class="button" href="${address('/api/comms-log', files)}">JSON</a>${period.day === null ? null : html` <a class="button" href="${address('/exercise-report', { day: period.day.name })}">${t('Exercise report')}</a>`}`
  }</p>`
}

const spanOf = ({ from, until }: Period): { from: string; to: string } => ({
  from: formatTime(from),
  to: formatTime(until)
})

function rest(next: number, { query, period, t }: { query: Asked; period: Period; t: Translate }): Html {
  const { incident, operator } = query
  const to = address(PATH, { from: formatTime(next), to: formatTime(period.until), incident, operator })
  return html`<p class="banner note">${t('This page is full, and the span goes on.')} <a class="button" rel="next" href="${to}">${t('The rest of it')}</a></p>`
}

export const commsLogPage = (services: Services): Route =>
  get(PATH, {
    about:
      'The radio traffic of a day (`day`) or of a span (`from`, `to`) as a communications log in the layout of ICS-309. Made to be printed.',
    query: commsLogPageQuery,
    shared: true,
    handle: readLogPage(services)
  })
