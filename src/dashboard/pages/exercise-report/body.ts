import { formatTime } from '../../../model/time.ts'
import type { LogGap } from '../../server/comms-log.ts'
import { localTimes } from '../../server/day-bounds.ts'
import type { ThreadReport } from '../../server/exercise-report.ts'
import { gapWords } from '../comms-log/lines.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import type { Reader } from '../frame/reader.ts'
import { reportSection } from './report-section.ts'

/** The parts of a report. */
export interface ReportForm {
  reports: readonly ThreadReport[]
  /** The day had more drills. */
  isCut: boolean
  gaps: readonly LogGap[]
  /** Of one event, which may be a real one. */
  isOfEvent: boolean
}

/** Drills alone are an exercise. */
export function reportTitle({ reports }: Pick<ReportForm, 'reports'>, { t }: Reader): string {
  return reports.some(({ drill }) => !drill) ? t('Report: who was told') : t('Exercise report')
}

/** The reports, one below the other: the same on the page and in the PDF. */
export async function reportBody(form: ReportForm, reader: Reader): Promise<Content[]> {
  const sections: Content[] = []
  for (const report of form.reports) sections.push(await reportSection(report, reader))
  return [...notes(form, reader), sections, signed(reader)]
}

function notes({ reports, isCut, gaps, isOfEvent }: ReportForm, reader: Reader): Content[] {
  const { t, isGuest } = reader
  const told = gaps.filter((gap) => gap !== 'not_over')
  return [
    told.map((gap) => html`<p class="banner note">${gapWords(gap, reader)}</p>\n`),
    isCut ? html`<p class="banner note">${t('The day had more drills than one report has.')}</p>` : null,
    isGuest ? html`<p class="quiet">${t('Messages to single persons are left out for guests.')}</p>` : null,
    !isOfEvent && reports.length === 0
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
