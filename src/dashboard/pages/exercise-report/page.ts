import * as v from 'valibot'
import { AppError } from '../../../platform/errors.ts'
import { type Reports, reportGaps, reportsOf } from '../../api/exercise-report.ts'
import type { Services } from '../../api/services.ts'
import { dayOf } from '../../server/day-bounds.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { address, loose } from '../frame/log-filters.ts'
import { type Reader, readerOf, shorten } from '../frame/reader.ts'
import { reportBody, reportTitle } from './body.ts'

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
    const form = { ...found, gaps: reportGaps(context, found), isOfEvent: query.event !== '' }
    const body = [choice(query, found, reader), ...(await reportBody(form, reader))]
    return page(context, { ...look, title: reportTitle(form, reader), body })
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
      : html`${event === '' ? [step(found.from - 1, `‹ ${t('Day before')}`), step(found.until, `${t('Day after')} ›`)] : null}<a class="button" href="${address('/comms-log', { day: shown })}">${t('Communications log')}</a> <a class="button" href="${address('/api/exercise-report', { ...files, format: 'pdf' })}">PDF</a> <a class="button" download href="${address('/api/exercise-report', { ...files, format: 'csv' })}">CSV</a> <a class="button" href="${address('/api/exercise-report', files)}">JSON</a> <a class="button" href="/exercise">${t('Scripted exercise')}</a>`
  }</p>`
}

export const exerciseReportPage = (services: Services): Route =>
  get(PATH, {
    about:
      'Who was told of an `event`, or of the drills of a `day`: which text, on the air after how many seconds, heard by how many, and who was not told, and why. Made to be printed.',
    query: exerciseReportPageQuery,
    shared: true,
    handle: readReportPage(services)
  })
