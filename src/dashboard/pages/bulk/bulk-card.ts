import { number } from '../../../../web/shared/times.js'
import { actionsOf, type Bulk, ENTRY_STATES } from '../../../knowledge/intake/bulk/bulk.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { shorten } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'
import type { KnowledgeReader } from '../knowledge/knowledge-frame.ts'
import { actionNames, bulkMark, bulkName, entryNames } from './bulk-words.ts'

export const BULK = '/knowledge/bulk'

/** A list or folder: how far it is, what it is at, and what may be done with it. */
export function bulkCard(bulk: Bulk, reader: KnowledgeReader, { leads = true } = {}): Html {
  const { context, language, t } = reader
  const { id, state, reason, current, category, createdAt } = bulk
  const name = shorten(bulkName(bulk, t), 200)
  return html`<li class="card bulk" data-key="bulk-${id}"><p class="named">${leads ? html`<a href="${BULK}/${id}">${name}</a>` : html`<b>${name}</b>`} ${bulkMark(state, t)}</p>
<p class="quiet">${category === '' ? null : html`${category} · `}${agoTime(context, createdAt, language)}</p>
${reason === null ? null : html`<p class="reason">${t.reason(reason)}</p>`}
${bar(bulk, reader)}
${current === null ? null : html`<p class="quiet">${t('Now:')} <span class="path">${shorten(current, 200)}</span></p>`}
${sums(bulk, reader)}${leftOut(bulk, reader)}
${actions(bulk, reader)}</li>
`
}

function bar({ id, counts, listed }: Bulk, { language, t }: KnowledgeReader): Html | null {
  const { found, left } = counts
  if (found === 0) return null
  const over = found - left
  const words = t('{done} of {total}', { done: number(over, language), total: number(found, language) })
  return html`<progress max="${found}" value="${over}" aria-label="${t('How far {id} is', { id })}"></progress>
<p>${words}${listed ? null : html` · ${t('more is being looked for')}`}</p>`
}

/** How many came to which end; each number leads to them. */
function sums({ id, counts }: Bulk, { language, t }: KnowledgeReader): Html | null {
  if (counts.found === 0) return null
  const names = entryNames(t)
  const states = ENTRY_STATES.filter((state) => counts[state] > 0)
  return html`<ul class="sums">${states.map((state) => html`<li><a href="${BULK}/${id}?state=${state}#entries">${names[state]} <b>${number(counts[state], language)}</b></a></li>`)}</ul>`
}

function leftOut({ repeated, leftOut: count }: Bulk, { t }: KnowledgeReader): Html | null {
  const said = [
    repeated > 0 ? t('{count} lines stood in the list twice.', { count: repeated }) : '',
    count > 0 ? t('{count} links, hidden names and other disks were not looked at.', { count }) : ''
  ].filter((words) => words !== '')
  return said.length === 0 ? null : html`<p class="quiet">${said.join(' ')}</p>`
}

function actions(bulk: Bulk, { t, mayWrite }: KnowledgeReader): Content {
  if (!mayWrite) return null
  const names = actionNames(t)
  const offered = bulk.stopAsked ? [] : actionsOf(bulk)
  return offered.map(
    (action) =>
      html`<form class="act" method="post" action="${BULK}/${bulk.id}"${action === 'delete' ? null : html` data-stay`}><button name="do" value="${action}">${names[action]}</button></form> `
  )
}
