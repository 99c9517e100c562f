import { bytesText, number } from '../../../../web/shared/times.js'
import { articlesToRead, type SourceView } from '../../../knowledge/library/status.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { address } from '../frame/log-filters.ts'
import { pacesOf, paceWords } from '../frame/pace.ts'
import { shorten } from '../frame/reader.ts'
import { withCommand } from '../knowledge/knowledge-work.ts'
import { LIBRARY, type LibraryReader } from './library-frame.ts'
import { activityText, languagesText, progressText, sourceMark } from './library-words.ts'

/** The archives: a table, on a phone cards. */
export function archiveTable(sources: readonly SourceView[], reader: LibraryReader): Html {
  const { t } = reader
  const heads: readonly (readonly [string, Content])[] = [
    ['', t('Archive')],
    ['', t('Language')],
    ['number', t('Size')],
    ['number', t('Articles')],
    ['', t('State')],
    ['', t('Ingest')],
    ['', html`<span class="hidden">${t('What can be done')}</span>`]
  ]
  return html`<div class="log archives"><table role="table"><caption class="hidden">${t('Archives of the library')}</caption>
<thead role="rowgroup"><tr role="row">${heads.map(([kind, head]) => html`<th scope="col" role="columnheader" class="${kind}">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${sources.map((source) => row(source, reader))}</tbody></table></div>`
}

function row(source: SourceView, reader: LibraryReader): Html {
  const { language, t } = reader
  const { id, title, filename, description, category, counts, size_bytes } = source
  const articles = number(counts.articles, language)
  const said = counts.articles === 1 ? t('1 article') : t('{count} articles', { count: articles })
  return html`<tr role="row" data-key="source-${id}" id="source-${id}">
<th role="rowheader" scope="row" class="title"><strong>${shorten(category === '' ? title : category, 160)}</strong> <small class="file">${filename}</small>${description === '' ? null : html`<small class="about">${shorten(description, 200)}</small>`}</th>
<td role="cell" class="short">${languagesText(source.language, language, t)}</td>
<td role="cell" class="short number">${bytesText(size_bytes, language)}</td>
<td role="cell" class="short number">${source.uuid === '' ? null : [html`<span class="bare">${articles}</span>`, html`<span class="said">${said}</span>`]}</td>
<td role="cell" class="standing">${standing(source, reader)}</td>
<td role="cell" class="reads">${ingestSwitch(source, reader)}</td>
<td role="cell" class="acts">${acts(source, reader)}</td></tr>
`
}

/** Status, what goes on, how far it is, what failed, and why it stands still. */
function standing(source: SourceView, reader: LibraryReader): Content {
  const { t } = reader
  const { state, activity, reason } = source
  const doing = state === 'present' ? activityText(activity, t) : null
  return [
    html`<p>${sourceMark(source, t)}${doing === null ? null : html` <span class="doing">${doing}</span>`}</p>\n`,
    reason === null ? null : html`<p class="reason">${withCommand(t.reason(reason))}</p>\n`,
    state === 'present' ? progress(source, reader) : null
  ]
}

function progress(source: SourceView, reader: LibraryReader): Content {
  const { t, language } = reader
  const { title, status, counts } = source
  const isVectors = status === 'PROCESSING'
  const [done, total] = isVectors
    ? [counts.in_vector_store, counts.total]
    : [counts.extracted, articlesToRead(status, counts)]
  const bar =
    total === 0
      ? null
      : html`<progress max="${total}" value="${Math.min(done, total)}" aria-label="${t('Progress of {name}', { name: shorten(title, 80) })}"></progress>`
  const skipped =
    counts.skipped === 0
      ? null
      : html` <small>${t('{count} left out', { count: number(counts.skipped, language) })}</small>`
  return [
    bar,
    html`<p><span class="progress">${progressText(source, t)}</span>${skipped}</p>\n`,
    isUnderWay(source) ? paceLine(source, { done, total }, reader) : null,
    troubles(source, reader)
  ]
}

/** Without work under way there is no pace; why it does stands beside it. */
function isUnderWay({ status, activity }: SourceView): boolean {
  return status === 'PROCESSING' || activity === 'running'
}

function paceLine(
  { id, status }: SourceView,
  { done, total }: { done: number; total: number },
  reader: LibraryReader
): Content {
  if (done >= total) return null
  const pace = pacesOf(reader.context).measure(`archive ${id} ${status}`, { done, now: reader.context.now() })
  return pace === null ? null : html`<p class="quiet">${paceWords(pace, total - done, reader)}</p>\n`
}

/** The failures, with another try; also where the reading itself broke off. */
function troubles({ id, category, counts, activity, title }: SourceView, reader: LibraryReader): Html | null {
  const { t, mayWrite } = reader
  const { failed } = counts
  if (failed === 0 && activity !== 'interrupted') return null
  const list = address('/catalogue', { status: 'failed', category })
  const count = failed === 0 ? null : html`<a class="bad" href="${list}">${t('{count} failed', { count: failed })}</a>`
  if (!mayWrite) return count
  return html`<form method="post" action="${LIBRARY}/${id}" data-stay class="troubles">${count} <button name="do" value="retry">${t('Try again')}<span class="hidden">: ${shorten(title, 80)}</span></button></form>`
}

/** Turned on, articles are read into documents; turned off half-way, it pauses. */
function ingestSwitch({ id, ingest_enabled: on, title, state }: SourceView, { t, mayWrite }: LibraryReader): Content {
  const words = on ? t('on') : t('off')
  if (state !== 'present') return null
  if (!mayWrite) return html`<span class="said">${t('Ingest')}: </span>${words}`
  return html`<form method="post" action="${LIBRARY}/${id}" data-stay><button class="switch" role="switch" aria-checked="${String(on)}" name="do" value="${on ? 'pause' : 'read'}"><span class="knob"></span><span class="on" aria-hidden="true">${words}</span><span class="name">${t('Ingest')}<span class="hidden">: ${shorten(title, 80)}</span></span></button></form>`
}

function acts({ id, browse_url: url, title, state }: SourceView, { t, mayWrite }: LibraryReader): Content {
  const name = html`<span class="hidden">: ${shorten(title, 80)}</span>`
  const browse =
    url === null
      ? null
      : html`<a class="button" href="${url}" rel="external noopener" target="_blank">${t('Browse')}${name}<span class="hidden"> (${t('opens in a new window')})</span></a> `
  const remove =
    mayWrite && state !== 'removing'
      ? html`<a class="button" href="${LIBRARY}?remove=${id}#remove">${t('Remove')} …${name}</a>`
      : null
  return [browse, remove]
}
