import { lifecycleNames } from '../../../../web/shared/words.js'
import { readersTurn, Slices } from '../../../platform/clock/slices.ts'
import type { DeliveryView } from '../../../warning/outbox/delivery.ts'
import type { StoredEvent } from '../../../warning/outbox/stored-event.ts'
import { shownDelivery } from '../../server/guest-view.ts'
import { channelName, messageText, stateMark } from '../deliveries/delivery-parts.ts'
import { resultMark, resultOf } from '../events/result-words.ts'
import { type Html, html } from '../frame/html.ts'
import { eventPath } from '../frame/links.ts'
import { inventedMark, type Reader, severityMark, shorten } from '../frame/reader.ts'
import { agoTime, pageTime } from '../frame/times.ts'

/** The newest messages of a thread; the rest is a click away. */
const MOST_TEXTS = 100

/**
 * Every report about one real-world event, oldest first, each with its texts as they went out; the one that is shown is marked. `thread` is
 * newest first, and there may be hundreds: they are drawn in slices.
 */
export async function threadLine(
  thread: readonly StoredEvent[],
  { seq, reader }: { seq: number; reader: Reader }
): Promise<Html> {
  const { context } = reader
  const results = context.ledger.results.ofEvents(thread)
  await readersTurn()
  const texts = textsByEvent(thread, reader, MOST_TEXTS)
  await readersTurn()
  const slices = new Slices(readersTurn)
  const items: Html[] = []
  for (const stored of thread.toReversed()) {
    const told = resultMark(stored, resultOf(results, stored), reader)
    items.push(item(stored, { isShown: stored.seq === seq, told, texts: texts.get(stored.seq) ?? [], reader }))
    await slices.pause()
  }
  return html`<ol class="line">${items}</ol>`
}

/**
 * The texts of a thread by the number of their report: a text speaks for the newest that it names and that was there when it went out; one that
 * joined another stands where it was told. `thread` is newest first.
 */
export function textsByEvent(
  thread: readonly StoredEvent[],
  reader: Reader,
  limit: number
): ReadonlyMap<number, DeliveryView[]> {
  const texts = new Map<number, DeliveryView[]>()
  const [newest] = thread
  if (newest === undefined) return texts
  const { deliveries } = reader.context.deliveries.list({ thread: newest.event.thread_id, limit })
  for (const given of deliveries.toReversed()) {
    if (given.state === 'merged') continue
    const of = thread.find(
      ({ event }) =>
        given.event_ids.includes(event.id) &&
        (given.sent_at === null || Date.parse(event.received_at) <= Date.parse(given.sent_at))
    )
    if (of !== undefined) texts.set(of.seq, [...(texts.get(of.seq) ?? []), shownDelivery(given, reader)])
  }
  return texts
}

interface Shown {
  isShown: boolean
  told: Html
  texts: readonly DeliveryView[]
  reader: Reader
}

function item({ event, seq }: StoredEvent, { isShown, told, texts, reader }: Shown): Html {
  const { context, language, t } = reader
  const { id, source, title, severity, lifecycle } = event
  return html`<li class="${lifecycle}"${isShown ? html` aria-current="true"` : null}>
<p class="facts"><strong>${lifecycleNames(t)[lifecycle]}</strong> ${severityMark(severity, t)} ${inventedMark(event)}<span class="when">${agoTime(context, Date.parse(event.sent_at), language)}</span> <span class="quiet">${source}</span> ${isShown ? html`<span class="quiet">${t('this one')}</span>` : null}</p>
<p><a href="${eventPath({ id, source, seq })}">${shorten(title, 160)}</a></p>
${texts.length === 0 ? html`<p>${told}</p>` : html`<ul class="texts">${texts.map((view) => textItem(view, reader))}</ul>`}</li>
`
}

/** A text as it went out, on which channel, and who heard it. */
export function textItem(view: DeliveryView, reader: Reader): Html {
  const { context, language } = reader
  const when =
    view.sent_at === null
      ? null
      : html` <span class="when">${pageTime(context, Date.parse(view.sent_at), language)}</span>`
  return html`<li><p class="facts"><strong>${channelName(reader, view)}</strong> <span>${stateMark(view, reader)}</span>${when}</p><p>${messageText(view, reader)}</p></li>
`
}
