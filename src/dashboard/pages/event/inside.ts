import type { LookoutEvent } from '../../../model/event.ts'
import { type Html, html } from '../frame/html.ts'
import type { Reader } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'

/** A mesh of hundreds of nodes makes no longer page. */
const MOST_SHOWN = 30

/** Nodes that told a position inside of the area, with the age of each: for who is signed in alone. Null where nobody knows a position. */
export function whoIsInside(event: LookoutEvent, reader: Reader): Html | null {
  const { context, isGuest, language, t } = reader
  const found = isGuest ? null : context.reactions.inside(event)
  if (found === null || found.placed === 0) return null
  const shown = found.nodes.slice(0, MOST_SHOWN)
  const more = found.nodes.length - shown.length
  const counts = t('{inside} of {placed} known positions lie inside; {untold} nodes told none.', {
    inside: found.nodes.length,
    placed: found.placed,
    untold: found.untold
  })
  return html`<h3>${t('Radios inside')}</h3>
<p>${counts}${found.whole ? null : ` ${t('Only a part of the area can be drawn here.')}`} <span class="quiet">${t('A node tells its position rarely or never, and anybody can send one under any name.')}</span></p>
${shown.length === 0 ? null : html`<ul>${shown.map(({ name, at }) => html`<li>${name}: ${agoTime(context, at, language)}</li>`)}${more === 0 ? null : html`<li>+${more}</li>`}</ul>`}`
}
