import * as v from 'valibot'
import { lifecycleNames, OUTCOME_TONES, outcomeNames, stageNames } from '../../../../web/shared/words.js'
import { readersTurn } from '../../../platform/clock/slices.ts'
import type { StoredEvent } from '../../../warning/outbox/stored-event.ts'
import type { TraceStep } from '../../../warning/routing/decision.ts'
import { storedSteps } from '../../../warning/routing/said-trace.ts'
import { silencesEvent } from '../../../warning/routing/silences.ts'
import { ackView } from '../../api/acks.ts'
import type { Services } from '../../api/services.ts'
import { dayOf } from '../../server/day-bounds.ts'
import { type Asker, authorFor, publicEvent, toldTo } from '../../server/guest.ts'
import { shownDelivery, shownResult } from '../../server/guest-view.ts'
import { canWrite, type Identity } from '../../server/identity.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { messageList } from '../deliveries/delivery-parts.ts'
import { labelsOf } from '../events/page.ts'
import { channelWords, resultMark, resultOf } from '../events/result-words.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { eventApiPath, eventPath, reportPath, threadPath } from '../frame/links.ts'
import { loose } from '../frame/log-filters.ts'
import { inventedMark, type Reader, readerOf, severityMark, shorten } from '../frame/reader.ts'
import { agoTime, pageTime } from '../frame/times.ts'
import { factList, placeList, prose } from './event-facts.ts'
import { whoIsInside } from './inside.ts'
import { story } from './story.ts'
import { threadLine } from './thread-line.ts'

export const eventPageQuery = v.object({ source: loose, seq: loose, id: loose })

/** A shape larger than this is not put into the page. Characters of JSON. */
const MAX_SHAPE = 200_000

/** `GET /events/:id`: one event with its place, its thread, its messages and every step of the decision. */
function readEventPage({ context }: Services): Handler<v.InferOutput<typeof eventPageQuery>, undefined> {
  return async ({ params, query, headers, identity }) => {
    await context.config.refresh()
    const reader = readerOf(context, { headers, identity })
    const { t } = reader
    const id = query.id === '' ? (params['id'] ?? '') : query.id
    const all = context.ledger.find(id)
    const found = all.filter(({ event, seq }) => isAsked(query.source, event.source) && isAsked(query.seq, String(seq)))
    const [kept] = found.length > 0 ? found : all.filter(({ event }) => isAsked(query.source, event.source))
    if (kept === undefined) return missing(reader, { headers, identity, id })
    const stored = reader.isGuest ? { ...kept, event: publicEvent(kept.event) } : kept
    const sources = [...new Set(all.map(({ event }) => event.source))]
    const newest = all.find(({ event }) => event.source === stored.event.source) ?? stored
    const thread = await inTurn(() => context.ledger.thread(stored.event.thread_id))
    const body = [
      lede(stored, reader),
      elsewhere(stored, sources, reader),
      newest.seq === stored.seq
        ? null
        : html`<p class="banner note">${t('There is a newer message about it:')} <a href="${eventPath(newest.event)}">${shorten(newest.event.title, 160)}</a></p>`,
      html`<p id="news" class="news" role="status"></p>`,
      section('story', t('The way it took'), await inTurn(() => story(stored, reader))),
      section('outcome', t('What became of it'), await inTurn(() => [outcome(stored, reader), said(stored, reader)])),
      html`<div id="actions" class="noprint"><p class="quiet">${withoutScript(stored, reader)}</p></div>`,
      await inTurn(() => sections(stored, { reader, thread })),
      raw(stored, reader)
    ]
    const look = { script: 'pages/event/script.js', style: 'pages/event/style.css' }
    const data = dataOf(stored, reader, canWrite(identity, context.config.current().http))
    const title = shorten(stored.event.title, 200)
    return page(context, { title, path: '/events', body, headers, identity, data, ...look })
  }
}

/** A thread of hundreds of reports makes each part of the page take milliseconds: the radios come in between. */
async function inTurn<Part>(part: () => Part | Promise<Part>): Promise<Part> {
  await readersTurn()
  return part()
}

function isAsked(asked: string, value: string): boolean {
  return asked === '' || asked === value
}

function missing(
  { context, t }: Reader,
  { headers, identity, id }: { headers: Parameters<typeof readerOf>[1]['headers']; identity: Identity; id: string }
): ReturnType<typeof page> {
  const body = html`<p>${t('No stored event has the id')} <code>${shorten(id, 256)}</code>. ${t('It may be older than the retention.')}</p>
<p><a class="button" href="/events">${t('All events')}</a></p>`
  return { ...page(context, { title: t('No such event'), path: '/events', body, headers, identity }), status: 404 }
}

function lede({ event }: StoredEvent, reader: Reader): Html {
  const { context, t } = reader
  const code = context.ledger.codes.known(event.thread_id)
  const parts: Content[] = [
    inventedMark(event),
    severityMark(event.severity, t),
    labelsOf(reader).get(event.family) ?? event.family,
    lifecycleNames(t)[event.lifecycle],
    event.source
  ]
  return html`<p class="facts lede">${parts.filter((part) => part !== null).map((part) => html`<span>${part}</span> `)}${code === null ? null : html`<span class="code">#${code}</span>`}</p>`
}

function elsewhere({ event }: StoredEvent, sources: readonly string[], { t }: Reader): Html | null {
  const others = sources.filter((source) => source !== event.source)
  if (others.length === 0) return null
  const links = others.map((source) => html` <a href="${eventPath({ id: event.id, source })}">${source}</a>`)
  return html`<p>${t('Other sources use the same id:')}${links}</p>`
}

async function sections(
  stored: StoredEvent,
  { reader, thread }: { reader: Reader; thread: readonly StoredEvent[] }
): Promise<Content> {
  const { context, language, t } = reader
  const { event, seq, trace } = stored
  const messages = context.deliveries.ofEvent(seq).map((view) => shownDelivery(view, reader))
  const more =
    thread.length < 2 && messages.length === 0
      ? null
      : html`<p><a href="${threadPath(event.thread_id)}">${t('All messages of this alert')}</a></p>`
  const line = await inTurn(() => threadLine(thread, { seq, reader }))
  return [
    html`<div class="columns"><div>`,
    section('facts', t('What it says'), [prose(event, reader), factList(event, reader)]),
    html`</div><div>`,
    section('place', t('Where'), [html`<div id="map"></div>`, placeList(event, reader), whoIsInside(event, reader)]),
    html`</div></div>`,
    section('messages', t('Messages'), [
      messages.length === 0 ? html`<p>${t('No message was made of it.')}</p>` : messageList(messages, reader),
      more
    ]),
    section('thread', t('The alert over time'), line),
    section('trace', t('Why, step by step'), traceList(trace, reader)),
    html`<p class="quiet">${t('Received')} ${pageTime(context, Date.parse(event.received_at), language)}</p>`
  ]
}

function section(id: string, title: string, content: Content): Html {
  return html`<section id="s-${id}" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}</section>
`
}

/** The headline: what became of it, on which channels, in how many messages, and the sentence behind it. */
function outcome(stored: StoredEvent, reader: Reader): Html {
  const { context, t } = reader
  const { seq, trace } = stored
  const result = shownResult(resultOf(context.ledger.results.ofEvents([stored]), stored), reader)
  const messages = context.deliveries.ofEvent(seq).filter(({ state }) => state !== 'merged').length
  const count = messages === 1 ? t('1 message') : t('{count} messages', { count: messages })
  const last = storedSteps(trace).findLast((step) => step.outcome === 'stop')
  const detail = last === undefined ? null : toldTo(last, reader)
  const where =
    result.channels.length === 0 ? null : html` <span>${result.channels.map(channelWords).join(', ')}</span>`
  return html`<p class="outcome">${resultMark(stored, result, reader)}${where}${messages === 0 ? null : html` <a href="#messages">${count}</a>`}${detail === null ? null : html`<br><span class="quiet">${detail}</span>`}</p>`
}

/** People's words about it: acknowledged, silenced; what follows. */
function said({ event }: StoredEvent, reader: Reader): Content {
  const { context, language, t } = reader
  const { reactions } = context
  const acks = reactions.acks.of(event.thread_id).map((ack) => ackView(ack, reader))
  const silences = reactions.silences.active(context.now()).filter((silence) => silencesEvent(silence, event))
  const follow = reactions.followUp(event.thread_id)
  return [
    acks.map(
      ({ name, reason, at }) =>
        html`<p class="good">${t('Acknowledged by {name}', { name: name ?? '' })}${reason === '' ? null : html`: ${reason ?? ''}`} ${agoTime(context, Date.parse(at ?? ''), language)}</p>`
    ),
    silences.map(
      ({ id, author, reason, until, region, family }) =>
        html`<p class="silence" data-silence="${id}">${t('Silenced by {author}', { author: authorFor(author, reader) })} ${[family, region].filter((part) => part !== null).join(', ')} ${t('until')} ${pageTime(context, until, language)}: ${reason}</p>`
    ),
    follow?.next_at == null
      ? null
      : html`<p>${t('Nobody has acknowledged it: the next step follows at')} ${pageTime(context, Date.parse(follow.next_at), language)}</p>`
  ]
}

function withoutScript({ event }: StoredEvent, { context, t }: Reader): string {
  const code = context.ledger.codes.known(event.thread_id)
  return code === null
    ? t('Acknowledging and silencing need a browser with scripts.')
    : t('Acknowledging and silencing need a browser with scripts. By radio: !ack {code}', { code })
}

function raw({ event }: StoredEvent, { context, t }: Reader): Html {
  const path = eventApiPath(event)
  return html`<p class="noprint"><a href="/mesh-a/routing?event=${encodeURIComponent(event.id)}&amp;source=${encodeURIComponent(event.source)}">${t('Try it with the matrix')}</a> · <a href="${path}">${t('As JSON')}</a> · <a href="/day?day=${dayOf(Date.parse(event.received_at), context.shownConfig().station.timezone)}">${t('The day on one page')}</a> · <a href="${reportPath(event)}">${t('Report: who was told')}</a> <button type="button" data-print hidden>${t('Print')}</button></p>`
}

/** The data that the script draws and asks with. */
function dataOf({ event, seq }: StoredEvent, { context }: Reader, writable: boolean): object {
  const { id, source, thread_id, severity, title, regions, family, geometry, circle, bbox, lat, lon, zones, same } =
    event
  const shape = { geometry, circle, bbox, lat, lon, codes: zones.length > 0 ? zones : same }
  const isSmall = JSON.stringify(shape).length <= MAX_SHAPE
  return {
    id,
    source,
    seq,
    thread_id,
    severity,
    title,
    regions,
    family,
    code: context.ledger.codes.known(thread_id),
    where: isSmall ? shape : { ...shape, geometry: null },
    areas: areasOf(context.shownConfig().coverage.areas, regions),
    can_write: writable
  }
}

/** The areas it touches, as they are drawn. */
function areasOf<Area extends { name: string | null }>(areas: readonly Area[], regions: readonly string[]): Area[] {
  const touched = areas.filter(({ name }) => name !== null && regions.includes(name))
  return JSON.stringify(touched).length <= MAX_SHAPE ? touched : []
}

export const eventPage = (services: Services): Route =>
  get('/events/:id', {
    about:
      'One event: place, thread, messages, every step of the decision; acknowledging and silencing. `source` and `seq` choose among several of the same id.',
    query: eventPageQuery,
    handle: readEventPage(services)
  })

/** The steps of a decision grouped by stage, in the order they were taken. */
function traceList(trace: readonly unknown[], reader: Reader): Html {
  const { t } = reader
  const steps = storedSteps(trace).filter(({ outcome }) => outcome in OUTCOME_TONES)
  if (steps.length === 0) return html`<p>${t('The steps are not kept any more.')}</p>`
  const stages = [...new Set(steps.map(({ stage }) => stage))]
  const names: Readonly<Record<string, string>> = stageNames(t)
  const items = stages.map(
    (stage) => html`<li><h3>${names[stage] ?? stage}</h3>
<ul>${steps.filter((step) => step.stage === stage).map((step) => stepItem(step, outcomeNames(t), reader))}</ul></li>
`
  )
  return html`<ol class="trace">${items}</ol>`
}

function stepItem(step: TraceStep, names: Readonly<Record<TraceStep['outcome'], string>>, asker: Asker): Html {
  const { outcome } = step
  return html`<li><span class="state ${OUTCOME_TONES[outcome] || 'off'}">${names[outcome]}</span> ${toldTo(step, asker)}</li>`
}
