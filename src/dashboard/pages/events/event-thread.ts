import { lifecycleNames } from '../../../../web/shared/words.js'
import { isDemo } from '../../../model/event.ts'
import type { Result } from '../../../warning/outbox/results.ts'
import type { StoredEvent } from '../../../warning/outbox/stored-event.ts'
import { type Html, html } from '../frame/html.ts'
import { eventPath } from '../frame/links.ts'
import { agoTime } from '../frame/times.ts'
import { demoMark, type Reader, severityMark, shorten } from '../knowledge/reader.ts'
import { resultMark, resultOf } from './result-words.ts'

/** Every message about one real-world event, oldest first; the one that is shown is marked. `thread` is newest first. */
export function threadLine(thread: readonly StoredEvent[], { seq, reader }: { seq: number; reader: Reader }): Html {
  const results = reader.context.ledger.results.ofEvents(thread)
  const items = thread
    .toReversed()
    .map((stored) => item(stored, { isShown: stored.seq === seq, result: resultOf(results, stored), reader }))
  return html`<ol class="line">${items}</ol>`
}

function item(
  stored: StoredEvent,
  { isShown, result, reader }: { isShown: boolean; result: Result; reader: Reader }
): Html {
  const { context, language, t } = reader
  const { event, seq } = stored
  const { id, source, title, severity, lifecycle } = event
  return html`<li class="${lifecycle}"${isShown ? html` aria-current="true"` : null}>
<p class="facts"><strong>${lifecycleNames(t)[lifecycle]}</strong> ${severityMark(severity, t)} ${demoMark(isDemo(event))}<span class="when">${agoTime(context, Date.parse(event.sent_at), language)}</span> <span class="quiet">${source}</span> ${isShown ? html`<span class="quiet">${t('this one')}</span>` : null}</p>
<p><a href="${eventPath({ id, source, seq })}">${shorten(title, 160)}</a></p>
<p>${resultMark(stored, result, reader)}</p></li>
`
}
