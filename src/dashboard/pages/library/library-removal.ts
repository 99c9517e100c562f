import { bytesText, number } from '../../../../web/shared/times.js'
import type { RemovalReport, TraceName } from '../../../knowledge/library/library.ts'
import type { SourceView } from '../../../knowledge/library/status.ts'
import type { Translate } from '../../words/language.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { address } from '../frame/log-filters.ts'
import { shorten } from '../frame/reader.ts'
import { LIBRARY, type LibraryReader } from './library-frame.ts'

/** Says what goes before it goes. */
export function removalBox(source: SourceView | undefined, reader: LibraryReader): Html | null {
  const { language, t, mayWrite, context } = reader
  if (source === undefined || source.state === 'removing' || !mayWrite) return null
  const { id, title, filename, size_bytes, counts } = source
  const documents = counts.total + counts.skipped
  const jobs = context.scraper?.jobs.list({ limit: 10_000 }).filter(({ sourceId }) => sourceId === id).length ?? 0
  const what: Content[] = [
    html`<li>${t('the file {file} ({size})', { file: filename, size: bytesText(size_bytes, language) })}</li>`,
    html`<li>${t('its place in the library server: links and citations that lead into it open nothing any more')}</li>`,
    documents === 0
      ? null
      : html`<li>${t('what was read from it, with items and vectors ({count} articles): the search does not find it any more', { count: number(documents, language) })}</li>`,
    jobs === 0 ? null : html`<li>${jobsText(jobs, t)}</li>`
  ]
  return html`<section id="remove" class="asked" aria-labelledby="remove-name"><h2 id="remove-name">${t('Remove {name}?', { name: shorten(title, 120) })}</h2>
<p>${t('This cannot be undone. Removed are:')}</p><ul>${what}</ul>
<form method="post" action="${LIBRARY}/${id}" data-busy="${t('Removing …')}"><p class="presses"><button class="danger" name="do" value="remove">${t('Remove everything of it')}</button> <a class="button" href="${LIBRARY}">${t('Keep it')}</a></p></form></section>`
}

function jobsText(count: number, t: Translate): string {
  return count === 1 ? t('the archiving job that made it') : t('the {count} archiving jobs that made it', { count })
}

const NAMES: readonly TraceName[] = ['documents', 'vectors', 'file', 'registration', 'jobs']

/** The address a form goes to after a removal, with what was removed: numbers and names from a list, nothing else. */
export function removedAddress(title: string, { removed, pending }: RemovalReport): string {
  return address(LIBRARY, {
    removed: shorten(title, 120),
    gone: NAMES.map((name) => Number(removed[name])).join('.'),
    left: pending.join('.')
  })
}

/** The notice of what was removed, and what is still being removed. */
export function removedNotice(
  { removed, gone, left }: { removed: string; gone: string; left: string },
  { language, t }: LibraryReader
): Html {
  const counts = gone.split('.').map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0))
  const words = traceWords(t)
  const lines = NAMES.flatMap((name, index) => {
    const count = counts[index] ?? 0
    return count === 0 ? [] : [html`<li>${words[name](number(count, language))}</li>\n`]
  })
  const open = left.split('.').flatMap((text) => NAMES.find((name) => name === text) ?? [])
  const rest = open.map((name) => leftWords(t)[name]).join(', ')
  return html`<div class="banner note" role="status"><p>${open.length === 0 ? t('Removed: {name}', { name: removed }) : t('Being removed: {name}', { name: removed })}</p>\n${lines.length === 0 ? null : html`<ul>${lines}</ul>`}${rest === '' ? null : html`<p>${t('Still on its way out, without your doing: {what}.', { what: rest })}</p>`}</div>`
}

const traceWords = (t: Translate): Readonly<Record<TraceName, (count: string) => string>> => ({
  documents: (count) => t('documents: {count}', { count }),
  vectors: (count) => t('vectors: {count}', { count }),
  file: () => t('its file'),
  registration: () => t('its place in the library server'),
  jobs: (count) => t('archiving jobs: {count}', { count })
})

const leftWords = (t: Translate): Readonly<Record<TraceName, string>> => ({
  documents: t('documents'),
  vectors: t('vectors'),
  file: t('its file'),
  registration: t('its place in the library server'),
  jobs: t('archiving jobs')
})
