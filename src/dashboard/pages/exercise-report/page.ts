import * as v from 'valibot'
import { formatTime } from '../../../model/time.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Reports, reportGaps, reportsOf } from '../../api/exercise-report.ts'
import type { Services } from '../../api/services.ts'
import { dayOf, localTimes } from '../../server/day-bounds.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { gapWords } from '../comms-log/lines.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { address, loose } from '../frame/log-filters.ts'
import { type Reader, readerOf, shorten } from '../frame/reader.ts'
import { reportSection } from './report-section.ts'

const PATH = '/exercise-report'

export const exerciseReportPageQuery = v.object({ day: loose, event: loose, source: loose })
type Asked = v.InferOutput<typeof exerciseReportPageQuery>

/** `GET /exercise-report`: who was told of a drill or an event, when, and heard by how many. Made to be printed. */
function readReportPage({ context }: Services): Handler<Asked, undefined> {
  return async ({ query, headers, identity, left }) => {
    await context.config.refresh()
    const reader = readerOf(context, { headers, identity })
    const { t } = reader
    const title = t('Exercise report')
    const look = {
      ...{ path: PATH, section: '/events', headers, identity, light: true },
      ...{ script: 'pages/exercise-report/script.js', style: 'pages/comms-log/style.css' }
    }
    const found = await foundOrRefusal(query, { reader, left })
    if (found instanceof AppError) {
      const body = [html`<p class="banner bad" role="alert">${t.reason(found.reason)}</p>`, choice(query, null, reader)]
      return { ...page(context, { ...look, title, body }), status: 422 }
    }
    if (found === null) {
      const body = html`<p>${t('No stored event has the id')} <code>${shorten(query.event, 256)}</code>. ${t('It may be older than the retention.')}</p>`
      return {
        ...page(context, { ...look, title: t('No such event'), body: [body, choice(query, null, reader)] }),
        status: 404
      }
    }
    const sections: Content[] = []
    for (const report of found.reports) {
      sections.push(await reportSection(report, reader))
    }
    const isReal = found.reports.some(({ drill }) => !drill)
    const body = [choice(query, found, reader), ...notes(query, found, reader), sections, signed(reader)]
    return page(context, { ...look, title: isReal ? t('Report: who was told') : title, body })
  }
}

async function foundOrRefusal(
  { day, event, source }: Asked,
  call: { reader: Reader; left: () => boolean }
): Promise<Reports | AppError | null> {
  try {
    return await reportsOf({ day, event: given(event), source: given(source) }, call)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return error
    throw error
  }
}

const given = (text: string): string | undefined => (text === '' ? undefined : text)

function choice({ day, event, source }: Asked, found: Reports | null, { t, context }: Reader): Html {
  const { timezone } = context.shownConfig().station
  const shown = found === null ? day : dayOf(found.from, timezone)
  const files = event === '' ? { day: shown } : { event, source }
  const step = (at: number, name: string): Html =>
    html`<a class="button" href="${address(PATH, { day: dayOf(at, timezone) })}">${name}</a> `
  return html`<form class="choose noprint" action="${PATH}" method="get">
<p><label for="day">${t('Drills of the day')}</label><input id="day" type="date" name="day" value="${shown}"></p>
<p class="go"><button>${t('Show')}</button> <button type="button" class="primary" data-print hidden>${t('Print')}</button></p>
</form>
<p class="choices noprint">${
    found === null
      ? null
      : html`${event === '' ? [step(found.from - 1, `‹ ${t('Day before')}`), step(found.until, `${t('Day after')} ›`)] : null}<a class="button" href="${address('/comms-log', { day: shown })}">${t('Communications log')}</a> <a class="button" download href="${address('/api/exercise-report', { ...files, format: 'csv' })}">CSV</a> <a class="button" href="${address('/api/exercise-report', files)}">JSON</a> <a class="button" href="/exercise">${t('Scripted exercise')}</a>`
  }</p>`
}

function notes({ event }: Asked, found: Reports, reader: Reader): Content[] {
  const { t, context, isGuest } = reader
  const gaps = reportGaps(context, found).filter((gap) => gap !== 'not_over')
  return [
    gaps.map((gap) => html`<p class="banner note">${gapWords(gap, reader)}</p>\n`),
    found.isCut ? html`<p class="banner note">${t('The day had more drills than one report has.')}</p>` : null,
    isGuest ? html`<p class="quiet">${t('Messages to single persons are left out for guests.')}</p>` : null,
    event === '' && found.reports.length === 0
      ? html`<p class="none">${t('No drill was sent on this day.')} ${t('The report of a real event is linked from its page.')}</p>`
      : null
  ]
}

function signed({ t, context }: Reader): Html {
  const { name, timezone } = context.shownConfig().station
  return html`<dl class="boxes">
<div><dt>${t('Net or station')}</dt><dd>${name} <span class="quiet">${timezone}</span></dd></div>
<div><dt>${t('Prepared by (name, call sign)')}</dt><dd></dd></div>
<div><dt>${t('Date and time prepared')}</dt><dd><time datetime="${formatTime(context.now())}">${localTimes(timezone)(context.now())}</time></dd></div>
</dl>`
}

export const exerciseReportPage = (services: Services): Route =>
  get(PATH, {
    about:
      'Who was told of an `event`, or of the drills of a `day`: which text, on the air after how many seconds, heard by how many, and who was not told, and why. Made to be printed.',
    query: exerciseReportPageQuery,
    shared: true,
    handle: readReportPage(services)
  })
