import type { StoredEvent } from '../../outbox/ledger.ts'
import { decisionMark } from './events.ts'
import { type Html, html } from './html.ts'
import { eventPath } from './links.ts'
import { lifecycleNames } from './log-words.ts'
import { type Reader, severityMark, shorten } from './reader.ts'
import { agoTime } from './times.ts'

/** Every message about one real-world event, oldest first; the one that is shown is marked. `thread` is newest first. */
export function threadLine(thread: readonly StoredEvent[], { seq, reader }: { seq: number; reader: Reader }): Html {
  const items = thread.toReversed().map((stored) => item(stored, stored.seq === seq, reader))
  return html`<ol class="line">${items}</ol>`
}

function item(stored: StoredEvent, isShown: boolean, reader: Reader): Html {
  const { context, language, t } = reader
  const { event, seq } = stored
  const { id, source, title, severity, lifecycle } = event
  return html`<li class="${lifecycle}"${isShown ? html` aria-current="true"` : null}>
<p class="facts"><strong>${lifecycleNames(t)[lifecycle]}</strong> ${severityMark(severity, t)} <span class="when">${agoTime(context, Date.parse(event.sent_at), language)}</span> <span class="quiet">${source}</span> ${isShown ? html`<span class="quiet">${t('this one')}</span>` : null}</p>
<p><a href="${eventPath({ id, source, seq })}">${shorten(title, 160)}</a></p>
<p>${decisionMark(stored, reader)}</p></li>
`
}
