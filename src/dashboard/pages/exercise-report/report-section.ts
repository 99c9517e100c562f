import { duration, number } from '../../../../web/shared/times.js'
import { readersTurn, Slices } from '../../../platform/clock/slices.ts'
import { ackView } from '../../api/acks.ts'
import { localTimes } from '../../server/day-bounds.ts'
import { delayOf, firstTold, isTold, type ThreadReport, type ToldMessage } from '../../server/exercise-report.ts'
import { toldTo } from '../../server/guest.ts'
import { shownChannel } from '../../server/guest-view.ts'
import { type Drawing, ruledTable } from '../comms-log/lines.ts'
import { channelName, messageText, stateMark } from '../deliveries/delivery-parts.ts'
import { labelsOf } from '../events/page.ts'
import { channelWords, resultMark, resultOf } from '../events/result-words.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { eventPath } from '../frame/links.ts'
import { inventedMark, type Reader, severityMark, shorten } from '../frame/reader.ts'

/** Reasons of one report; its page has all of them. */
const MOST_REASONS = 40

/** One drill or event: its reports, who was told, who was not and why, and who answered. */
export async function reportSection(report: ThreadReport, reader: Reader): Promise<Html> {
  const { t, context } = reader
  const drawing = { reader, local: localTimes(context.shownConfig().station.timezone) }
  const [first] = report.events
  if (first === undefined) return html``
  const told = report.messages.filter((message) => firstTold(message) !== null)
  const others = report.messages.filter((message) => firstTold(message) === null)
  return html`<section class="report"><h2>${inventedMark(first.event)}${shorten(first.event.title, 200)}</h2>
${facts(report, drawing)}
<p><b>${summary(report, reader)}</b></p>
${report.isCut ? html`<p class="banner note">${t('There are more messages than one report has: the newest stand here.')}</p>` : null}
<h3>${t('Who was told')}</h3>
${told.length === 0 ? html`<p class="none">${t('Nobody.')}</p>` : await toldTable(told, drawing)}
<h3>${t('Who was not told, and why')}</h3>
${others.length === 0 ? null : await untoldTable(others, drawing)}${reasons(report, { reader, hasOthers: others.length > 0 })}
${answers(report, drawing)}</section>
`
}

function facts({ events }: ThreadReport, { reader, local }: Drawing): Html {
  const { t, context } = reader
  const results = context.ledger.results.ofEvents(events)
  const rows = events.map((stored) => {
    const { event, seq } = stored
    const { id, source, title, severity, family, regions } = event
    return html`<tr role="row"><td role="cell" class="when" data-label="${t('Happened')}">${local(Date.parse(event.sent_at))}</td><td role="cell" class="when" data-label="${t('Received')}">${local(Date.parse(event.received_at))}</td><td role="cell">${inventedMark(event)}${severityMark(severity, t)} <a href="${eventPath({ id, source, seq })}">${shorten(title, 160)}</a> <span class="quiet">${labelsOf(reader).get(family) ?? family} · ${source}${regions.length === 0 ? null : html` · ${shorten(regions.join(', '), 200)}`}</span></td><td role="cell">${resultMark(stored, resultOf(results, stored), reader)}</td></tr>\n`
  })
  return ruledTable(t('What was reported'), [t('Happened'), t('Received'), t('Event'), t('What became of it')], rows)
}

function summary({ messages }: ThreadReport, { t, language }: Reader): string {
  const delays = messages.map(delayOf).filter((ms) => ms !== null)
  const all = new Set(messages.map(({ view }) => `${view.transport} ${view.channel}`)).size
  const told = messages.filter((message) => firstTold(message) !== null)
  const reached = new Set(told.map(({ view }) => `${view.transport} ${view.channel}`)).size
  const heard = new Set(
    told.filter((one) => one.told.heard_by > 0).map(({ view }) => `${view.transport} ${view.channel}`)
  ).size
  if (messages.length === 0) return t('No message was made of it.')
  if (delays.length === 0) return t('Channels told: none of {all}.', { all })
  return t('Channels told: {reached} of {all}, the first after {first}, the last after {last}. Heard on: {heard}.', {
    ...{ reached, all, heard },
    first: seconds(Math.min(...delays), language),
    last: seconds(Math.max(...delays), language)
  })
}

/** `2.1 s`, from a minute on in its two largest units. */
function seconds(ms: number, language: Reader['language']): string {
  return ms < 60_000 ? `${number(Math.max(0, ms) / 1000, language, 1)} s` : duration(ms, language)
}

async function toldTable(messages: readonly ToldMessage[], { reader, local }: Drawing): Promise<Html> {
  const { t, language } = reader
  const heads = [t('Channel'), t('Text'), t('Told at'), t('Delay'), t('What became of it')]
  const rows = await drawn(messages, (message) => {
    const { view, told, transmissions } = message
    const at = firstTold(message)
    const delay = delayOf(message)
    const times =
      transmissions.length > 1
        ? html` <small class="quiet">${t('{count} times', { count: transmissions.length })}</small>`
        : null
    const silent =
      transmissions[0]?.known === 'heard'
        ? html` <small class="quiet">${t('the radio did not say so; somebody repeated it')}</small>`
        : null
    return html`<tr role="row"><td role="cell">${channelName(reader, view)}</td><td role="cell">${messageText(told, reader)}${into(message, reader)}</td><td role="cell" class="when" data-label="${t('Told at')}">${at === null ? null : local(at)}${times}${silent}</td><td role="cell" class="when short" data-label="${t('Delay')}">${delay === null ? null : seconds(delay, language)}</td><td role="cell">${stateMark(told, reader)}</td></tr>\n`
  })
  return ruledTable(t('Who was told'), heads, rows)
}

async function untoldTable(messages: readonly ToldMessage[], { reader }: Drawing): Promise<Html> {
  const { t } = reader
  const heads = [t('Channel'), t('Text'), t('What became of it'), t('Why')]
  const rows = await drawn(messages, (message) => {
    const { view, told, why } = message
    const maybe = isTold(message) === 'unknown' ? html`<b>${t('Perhaps told: nobody knows.')}</b> ` : null
    const reason =
      why === null ? (told.simulated ? t('a simulated radio transmits nothing') : null) : toldTo(why.step, reader)
    return html`<tr role="row"><td role="cell">${channelName(reader, view)}</td><td role="cell">${messageText(told, reader)}${into(message, reader)}</td><td role="cell">${maybe}${stateMark(told, reader)}</td><td role="cell">${reason}</td></tr>\n`
  })
  return ruledTable(t('Who was not told, and why'), heads, rows)
}

/** Row by row, in slices. */
async function drawn<Item>(items: readonly Item[], draw: (item: Item) => Html): Promise<Html[]> {
  const slices = new Slices(readersTurn)
  const rows: Html[] = []
  for (const item of items) {
    rows.push(draw(item))
    await slices.pause()
  }
  return rows
}

function into({ view, told }: ToldMessage, { t }: Reader): Content {
  return told.id === view.id
    ? null
    : html` <small class="quiet">${t('told with message {id}', { id: told.id })}</small>`
}

function reasons(
  { stopped }: ThreadReport,
  { reader, hasOthers }: { reader: Reader; hasOthers: boolean }
): Html | null {
  const { t } = reader
  if (stopped.length === 0)
    return hasOthers ? null : html`<p class="none">${t('Nothing was held back on its way to a channel.')}</p>`
  const items = stopped.slice(0, MOST_REASONS).map((step) => {
    const where = step.channel === undefined ? null : html`<b>${channelWords(shownChannel(step.channel, reader))}</b> `
    return html`<li>${where}${step.region === undefined ? null : html`${step.region}: `}${toldTo(step, reader)}</li>`
  })
  const rest = stopped.length - MOST_REASONS
  return html`<ul>${items}${rest > 0 ? html`<li>${t('and {count} more', { count: rest })}</li>` : null}</ul>`
}

/** Who has acknowledged it, and how soon. */
function answers({ events, acks }: ThreadReport, { reader, local }: Drawing): Html {
  const { t, language } = reader
  const begin = Date.parse(events[0]?.event.received_at ?? '')
  const items = acks.map((ack) => {
    const { name, reason } = ackView(ack, reader)
    return html`<li>${local(ack.at)} <b>${name}</b>${reason === '' ? null : html`: ${reason}`} <span class="quiet">${t('after {time}', { time: seconds(ack.at - begin, language) })}</span></li>`
  })
  return html`<h3>${t('Who acknowledged it')}</h3>
${acks.length === 0 ? html`<p class="none">${t('Nobody.')}</p>` : html`<ul>${items}</ul>`}`
}
