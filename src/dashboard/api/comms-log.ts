import type * as v from 'valibot'
import type { DeliveryState } from '../../model/delivery.ts'
import { formatTime } from '../../model/time.ts'
import { readersTurn, Slices } from '../../platform/clock/slices.ts'
import type { Transmission } from '../../warning/outbox/transmissions.ts'
import { type Filled, formOf } from '../pages/comms-log/body.ts'
import { senderName } from '../pages/comms-log/lines.ts'
import { channelName } from '../pages/deliveries/delivery-parts.ts'
import { html } from '../pages/frame/html.ts'
import { type Reader, readerOf } from '../pages/frame/reader.ts'
import { gapsOf, type LogEntry, readCommsLog } from '../server/comms-log.ts'
import { csvLine, csvTable } from '../server/csv.ts'
import { localTimes } from '../server/day-bounds.ts'
import type { Asker } from '../server/guest.ts'
import { shownDelivery } from '../server/guest-view.ts'
import { type Period, periodOf } from '../server/period.ts'
import { jsonText, text } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { commsLogAnswer, logRow } from './answers/comms-log.ts'
import { type Paper, printed } from './paper.ts'
import { commsLogQuery } from './query.ts'
import type { Services } from './services.ts'

type LogRow = Told<typeof logRow>

const COLUMNS = Object.keys(logRow.entries) as (keyof LogRow)[]

/** Lines of one answer; the rest is a second one. A guest's may not cost the radios what is theirs. */
export const mostLines = ({ isGuest }: Pick<Asker, 'isGuest'>): number => (isGuest ? 300 : 2000)

/** `GET /api/comms-log`: the radio traffic of a day or a span, oldest first, as JSON or CSV. The rest of a CSV is in the `Link` header. */
function readLog(
  services: Services
): Handler<v.InferOutput<typeof commsLogQuery>, undefined, Told<typeof commsLogAnswer>> {
  const { context } = services
  return async ({ query: { format, incident, operator, ...asked }, headers, identity, ...call }) => {
    const { left } = call
    const reader = readerOf(context, { headers, identity })
    const { name: station, timezone } = context.shownConfig().station
    const period = periodOf(asked, { now: context.now(), zone: timezone })
    if (format === 'pdf') {
      const make = (): Promise<Paper> => paperOf(period, { incident, operator }, { reader, left })
      return printed(services, call, { reader, make })
    }
    const log = await readCommsLog(context.ledger.comms, period, { limit: mostLines(reader), left })
    const write = (row: LogRow): string => (format === 'csv' ? csvLine(COLUMNS, row) : JSON.stringify(row))
    const lines = await linesOf(log.entries, { reader, write })
    if (format === 'csv') {
      const rest = log.next === null ? {} : { Link: `<${restOf(log.next, period.until)}>; rel="next"` }
      return text('text/csv', csvTable(COLUMNS, lines), {
        'Content-Disposition': `attachment; filename="${fileName(period)}.csv"`,
        ...rest
      })
    }
    const head: Omit<Told<typeof commsLogAnswer>, 'entries'> = {
      ...{ station, timezone, from: formatTime(period.from), to: formatTime(period.until) },
      gaps: gapsOf(context, period),
      next: log.next === null ? null : formatTime(log.next)
    }
    // Written line by line: thousands at once would hold up whoever else waits.
    return jsonText(`${JSON.stringify(head).slice(0, -1)},"entries":[${lines.join(',')}]}`)
  }
}

const fileName = ({ day, from }: Period): string => `comms-log-${day?.name ?? formatTime(from).slice(0, 10)}`

/** The form of ICS-309, as its page has it. Where the span goes on it says from when. */
async function paperOf(
  period: Period,
  filled: Filled,
  { reader, left }: { reader: Reader; left: () => boolean }
): Promise<Paper> {
  const { context, t } = reader
  const log = await readCommsLog(context.ledger.comms, period, { limit: mostLines(reader), left })
  const local = localTimes(context.shownConfig().station.timezone)
  const rest =
    log.next === null
      ? null
      : html`<p class="banner note">${t('The span goes on: the rest begins at {time}.', { time: local(log.next) })}</p>`
  const gaps = gapsOf(context, period)
  return {
    file: fileName(period),
    title: t('Communications log'),
    about: [`${local(period.from)} – ${local(period.until)}`, filled.incident, filled.operator],
    body: await formOf({ log, gaps, filled, period, rest }, reader)
  }
}

function restOf(from: number, to: number): string {
  return `/api/comms-log?${new URLSearchParams({ from: formatTime(from), to: formatTime(to), format: 'csv' })}`
}

/** The lines as whoever asks may see them, in slices. */
async function linesOf(
  entries: readonly LogEntry[],
  { reader, write }: { reader: Reader; write: (row: LogRow) => string }
): Promise<string[]> {
  const local = localTimes(reader.context.shownConfig().station.timezone)
  const slices = new Slices(readersTurn)
  const lines: string[] = []
  for (const entry of entries) {
    lines.push(write(rowOf(entry, { reader, local })))
    await slices.pause()
  }
  return lines
}

function rowOf(entry: LogEntry, { reader, local }: { reader: Reader; local: (at: number) => string }): LogRow {
  const when = { time: formatTime(entry.at), local: local(entry.at) }
  const station = reader.context.shownConfig().station.name
  if (entry.kind === 'received') return { ...when, ...cameRow(entry, reader), to: station }
  const transmission = entry.kind === 'sent' ? entry.transmission : null
  const { delivery, drill } = entry
  const view = shownDelivery(delivery, reader)
  const { id, state, reason, heard_by, simulated, demo, path, severity, code, event_ids } = view
  const part = transmission?.part ?? null
  return {
    ...when,
    direction: 'out',
    on_air: onAir(transmission, delivery),
    number: id,
    network: view.transport === 'mc' ? 'mc' : 'mt',
    from: station,
    proven: null,
    to: channelName(reader, view),
    message: view.text,
    ...{ state, reason, heard_by: simulated ? 0 : heard_by },
    part: part === null ? null : `${part.part}/${part.count}`,
    again: transmission?.again ?? false,
    known: transmission?.known ?? null,
    ...{ simulated, demo, drill, path, severity, code, event_ids }
  }
}

/** A simulated radio transmits nothing; what the radio did not answer for may have left. */
function onAir(
  transmission: Transmission | null,
  { state, simulated }: { state: DeliveryState; simulated: boolean }
): LogRow['on_air'] {
  if (simulated) return 'no'
  if (transmission !== null) return 'yes'
  return state === 'sent_unknown' ? 'unknown' : 'no'
}

const NO_MESSAGE = {
  ...{ number: null, proven: null, state: null, heard_by: null, part: null, again: false, known: null },
  ...{ simulated: false, demo: false, drill: false, path: null, severity: null, code: null, event_ids: [] }
} as const

type Came = Extract<LogEntry, { kind: 'received' }>

function cameRow(came: Came, asker: Asker): Omit<LogRow, 'time' | 'local' | 'to'> {
  const { network, name, isProven } = senderName(came, asker)
  return {
    ...NO_MESSAGE,
    direction: 'in',
    on_air: 'yes',
    network,
    from: name,
    proven: isProven,
    message: `!${came.command}`,
    reason: came.outcome
  }
}

export const commsLogRoutes = (services: Services): Route[] => [
  get('/api/comms-log', {
    summary: 'The radio traffic of a day or a span, as a communications log.',
    about:
      '`{station, timezone, from, to, gaps, entries, next}`, oldest first. Only `on_air: yes` was a transmission, and each is a line of its own: what was said again stands again. At most 300 lines for a guest, 2000 for the operator; `next` is the `from` of the rest. With `format=csv` or `pdf` a file; of a CSV the rest is in the `Link` header. A PDF is the page, made among other heavy work.',
    query: commsLogQuery,
    refuses: { 422: 'No day, or no span of at most 7 days', 503: 'A PDF, and others are being made: `Retry-After`' },
    media: ['text/csv', 'application/pdf'],
    answer: commsLogAnswer,
    shared: 'exactly',
    handle: readLog(services)
  })
]
