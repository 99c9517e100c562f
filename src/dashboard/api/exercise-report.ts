import type * as v from 'valibot'
import { formatTime } from '../../model/time.ts'
import { channelName } from '../pages/deliveries/delivery-parts.ts'
import { reportBody, reportTitle } from '../pages/exercise-report/body.ts'
import { type Reader, readerOf } from '../pages/frame/reader.ts'
import { gapsOf, type LogGap } from '../server/comms-log.ts'
import { csv } from '../server/csv.ts'
import { dayBounds, dayOf } from '../server/day-bounds.ts'
import {
  delayOf,
  drillsOf,
  firstTold,
  isTold,
  type ThreadReport,
  type ToldMessage,
  threadReport
} from '../server/exercise-report.ts'
import { toldTo } from '../server/guest.ts'
import { shownChannel } from '../server/guest-view.ts'
import { notFound } from '../server/problem.ts'
import { json, text } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { ackView } from './acks.ts'
import { exerciseReportAnswer, reportRow } from './answers/exercise-report.ts'
import { type Paper, printed } from './paper.ts'
import { exerciseReportQuery } from './query.ts'
import type { Services } from './services.ts'

type Row = Told<typeof reportRow>
type Report = Told<typeof exerciseReportAnswer>['reports'][number]

const COLUMNS = Object.keys(reportRow.entries) as (keyof Row)[]

export interface ReportsAsked {
  day: string
  event: string | undefined
  source: string | undefined
}

/** Reports, and the span that they are of. */
export interface Reports {
  reports: ThreadReport[]
  /** The day had more drills. */
  isCut: boolean
  from: number
  until: number
}

/**
 * The reports that are asked for: of one event, or of the drills of a day.
 * @throws AppError `invalid` for what is no day, `unavailable` once nobody waits for it any more.
 */
export async function reportsOf(
  { day, event, source }: ReportsAsked,
  { reader, left }: { reader: Reader; left: () => boolean }
): Promise<Reports | null> {
  const { context } = reader
  if (event === undefined) {
    const bounds = dayBounds(day, context.now(), context.shownConfig().station.timezone)
    const { threads, isCut } = await drillsOf(context, bounds)
    const reports: ThreadReport[] = []
    for (const thread of threads) {
      const report = await threadReport(context, thread, { asker: reader, left })
      if (report !== null) reports.push(report)
    }
    return { reports, isCut, from: bounds.from, until: bounds.until }
  }
  const found = context.ledger.find(event).find((one) => source === undefined || one.event.source === source)
  const report =
    found === undefined ? null : await threadReport(context, found.event.thread_id, { asker: reader, left })
  const from = Date.parse(report?.events[0]?.event.received_at ?? '')
  return report === null ? null : { reports: [report], isCut: false, from, until: Math.min(context.now(), from) }
}

/** `GET /api/exercise-report`: who was told of a drill or an event, when, and heard by how many; as JSON or CSV. */
function readReport(
  services: Services
): Handler<v.InferOutput<typeof exerciseReportQuery>, undefined, Told<typeof exerciseReportAnswer>> {
  const { context } = services
  return async ({ query: { format, day, event, source }, headers, identity, ...call }) => {
    const { left } = call
    const reader = readerOf(context, { headers, identity })
    if (format === 'pdf') {
      const make = (): Promise<Paper> => paperOf({ day, event, source }, { reader, left })
      return printed(services, call, { reader, make })
    }
    const found = await reportsOf({ day, event, source }, { reader, left })
    if (found === null) throw notFound()
    const reports = found.reports.map((one) => reportOf(one, reader))
    if (format === 'csv') {
      const rows = reports.flatMap(({ messages }) => messages)
      return text('text/csv', csv(COLUMNS, rows), {
        'Content-Disposition': 'attachment; filename="exercise-report.csv"'
      })
    }
    const { name: station, timezone } = context.shownConfig().station
    return json({ station, timezone, reports, more: found.isCut, gaps: reportGaps(context, found) })
  }
}

/** The reports as their page has them. */
async function paperOf(asked: ReportsAsked, call: { reader: Reader; left: () => boolean }): Promise<Paper> {
  const { reader } = call
  const { context } = reader
  const found = await reportsOf(asked, call)
  if (found === null) throw notFound()
  const form = { ...found, gaps: reportGaps(context, found), isOfEvent: asked.event !== undefined }
  const day = dayOf(found.from, context.shownConfig().station.timezone)
  return {
    file: `exercise-report-${day}`,
    title: reportTitle(form, reader),
    about: [day],
    body: await reportBody(form, reader)
  }
}

/** A report lists no commands. */
export function reportGaps(context: Parameters<typeof gapsOf>[0], span: Pick<Reports, 'from' | 'until'>): LogGap[] {
  return gapsOf(context, span).filter((gap) => gap !== 'commands_pruned')
}

function reportOf({ events, drill, messages, isCut, acks, stopped }: ThreadReport, reader: Reader): Report {
  return {
    thread_id: events[0]?.event.thread_id ?? '',
    drill,
    events: events.map(({ event, decision, reason }) => ({
      ...{ id: event.id, source: event.source, title: event.title, severity: event.severity },
      ...{ lifecycle: event.lifecycle, regions: event.regions },
      happened: event.sent_at,
      received: event.received_at,
      ...{ decision, reason }
    })),
    messages: messages.map((message) => rowOf(message, { drill, reader })),
    more: isCut,
    acks: acks.map((ack) => ackView(ack, reader)),
    stopped: stopped.map((step) => ({
      ...{ stage: step.stage, outcome: step.outcome, detail: toldTo(step, reader), code: step.code },
      params: reader.isGuest ? {} : step.params,
      region: step.region ?? null,
      channel: step.channel === undefined ? null : shownChannel(step.channel, reader)
    }))
  }
}

function rowOf(message: ToldMessage, { drill, reader }: { drill: boolean; reader: Reader }): Row {
  const { view, told, transmissions, event, why } = message
  const { event: of } = event
  const at = firstTold(message)
  const seconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 100) / 10)
  return {
    ...{ thread_id: of.thread_id, event_id: of.id, source: of.source, title: of.title, drill },
    happened: of.sent_at,
    received: of.received_at,
    number: view.id,
    channel: channelName(reader, view),
    message: told.text,
    told: isTold(message),
    told_at: at === null ? null : formatTime(at),
    seconds_after_received: seconds(delayOf(message)),
    seconds_after_happened: seconds(at === null ? null : at - Date.parse(of.sent_at)),
    times_on_air: told.simulated ? 0 : transmissions.length,
    heard_by: told.simulated ? 0 : told.heard_by,
    state: told.state,
    reason: told.reason,
    why: why === null ? null : toldTo(why.step, reader),
    told_in: told.id === view.id ? null : told.id,
    ...{ simulated: told.simulated, demo: told.demo }
  }
}

export const exerciseReportRoutes = (services: Services): Route[] => [
  get('/api/exercise-report', {
    summary: 'Who was told of a drill or an event, when, and heard by how many.',
    about:
      'Of the `event` of that id, with all of its thread; without one of the drills of a `day` (today), at most 20. `{station, timezone, reports, more, gaps}`; `format=csv`: a line for each message; `format=pdf`: the page, made among other heavy work. Messages to single persons are left out for a guest.',
    query: exerciseReportQuery,
    refuses: {
      404: 'No event of this id is stored',
      422: 'No day',
      503: 'A PDF, and others are being made: `Retry-After`'
    },
    media: ['text/csv', 'application/pdf'],
    answer: exerciseReportAnswer,
    shared: 'exactly',
    handle: readReport(services)
  })
]
