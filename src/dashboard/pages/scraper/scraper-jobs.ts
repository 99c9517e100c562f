import { number } from '../../../../web/shared/times.js'
import { actionsOf, type ScrapeJob } from '../../../knowledge/scrape/job.ts'
import { publicUrls, toldTo } from '../../server/guest.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { pacesOf, paceWords } from '../frame/pace.ts'
import { shorten } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'
import { LIBRARY, type LibraryReader, SCRAPER } from '../library/library-frame.ts'
import { actionNames, engineNames, jobMark, languagesText } from '../library/library-words.ts'

const URL_LENGTH = 80

/** Archiving jobs, newest first: a table, on a phone cards. `leadsOn`: each leads to its lists. */
export function jobTable(jobs: readonly ScrapeJob[], reader: LibraryReader, { leadsOn = true } = {}): Html {
  const { t } = reader
  const heads: readonly (readonly [string, Content])[] = [
    ['number', t('No.')],
    ['', t('Site')],
    ['', t('With')],
    ['', t('Pages')],
    ['', t('State')],
    ['', t('Archive')],
    ['', html`<span class="hidden">${t('What can be done')}</span>`]
  ]
  return html`<div class="log scrapes"><table role="table"><caption class="hidden">${t('Archiving jobs, newest first')}</caption>
<thead role="rowgroup"><tr role="row">${heads.map(([kind, head]) => html`<th scope="col" role="columnheader" class="${kind}">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${jobs.map((job) => row(job, reader, leadsOn))}</tbody></table></div>`
}

function row(job: ScrapeJob, reader: LibraryReader, leadsOn: boolean): Html {
  const { context, language, t } = reader
  const { id, engine, createdAt } = job
  const [title, url] = reader.isGuest ? [publicUrls(job.title), publicUrls(job.url)] : [job.title, job.url]
  const about = languagesText(job.language, language, t)
  return html`<tr role="row" data-key="job-${id}">
<td role="cell" class="short number">${id}</td>
<th role="rowheader" scope="row" class="title"><strong>${shorten(title, 120)}</strong> <small class="about">${shorten(url, URL_LENGTH)}</small>
<small class="about">${about} · ${agoTime(context, createdAt, language)}</small></th>
<td role="cell" class="short">${engine === null ? html`<span class="quiet bare">–</span>` : engineNames(t)[engine]}</td>
<td role="cell" class="pages">${pages(job, reader)}</td>
<td role="cell" class="standing"><p>${jobMark(job.status, t)}</p>\n${job.message === null ? null : html`<p class="reason">${toldTo(job.message, reader)}</p>`}${resumedLine(job, reader)}${leadsOn ? findingsLine(job, reader) : null}</td>
<td role="cell" class="text">${archive(job, reader)}</td>
<td role="cell" class="acts">${reader.mayWrite ? acts(job, reader) : null}</td></tr>
`
}

/** An interruption is told while it goes on and afterwards: the number of pages is of several runs. */
function resumedLine({ resumed }: ScrapeJob, reader: LibraryReader): Content {
  const { language, t } = reader
  if (resumed === null) return null
  const facts = { pages: number(resumed.pages, language), reason: toldTo(resumed.after, reader) }
  const said = t('Resumed at {pages} pages: {reason}.', facts)
  const often = resumed.times > 1 ? t('{count} times in all', { count: number(resumed.times, language) }) : null
  return html`<p class="quiet">${said}${often === null ? null : [' ', often, '.']}</p>`
}

/** The way to the lists. */
function findingsLine({ id, findings, limits }: ScrapeJob, { language, t }: LibraryReader): Content {
  const { missed, capped, documents } = findings
  const parts = [
    missed === 0 ? null : t('{count} not fetched', { count: number(missed, language) }),
    capped === 0 ? null : t('{count} patterns cut', { count: number(capped, language) }),
    documents === 0 ? null : t('{count} documents', { count: number(documents, language) })
  ].filter((part) => part !== null)
  const asks = limits.documents || limits.include.length + limits.exclude.length > 0
  if (parts.length === 0 && !asks) return null
  return html`<p><a href="${SCRAPER}/${id}">${parts.length === 0 ? t('Details') : t('Which and why:')} ${parts.join(', ')}</a></p>`
}

/** Done of what is known; nobody knows how many a site has before the end. */
function pages({ id, engine, pageCount, total, status }: ScrapeJob, reader: LibraryReader): Content {
  const { language, t } = reader
  if (engine === null && pageCount === 0) return html`<span class="quiet bare">–</span>`
  const count = number(pageCount, language)
  const words =
    total === null
      ? t('{count} pages', { count })
      : t('{done} / {total} pages', { done: count, total: number(total, language) })
  const bar =
    total === null || total === 0
      ? null
      : html`<progress max="${total}" value="${Math.min(pageCount, total)}" aria-label="${t('Progress of job {id}', { id })}"></progress>`
  const left = (total ?? 0) - pageCount
  if (status !== 'scraping' || left <= 0) return [bar, html`<p>${words}</p>`]
  const pace = pacesOf(reader.context).measure(`job ${id}`, { done: pageCount, now: reader.context.now() })
  return [
    bar,
    html`<p>${words}</p>`,
    pace === null ? null : html`<p class="quiet">${paceWords(pace, left, reader)}</p>`
  ]
}

function archive({ archive: file, sourceId }: ScrapeJob, { t }: LibraryReader): Content {
  if (file === null) return html`<span class="quiet bare">–</span>`
  if (sourceId === null) return file
  return html`<a href="${LIBRARY}#source-${sourceId}">${file}<span class="hidden"> (${t('in the library')})</span></a>`
}

/**
 * The actions that its state offers. Deleting one whose archive is in the library is asked about there: it is one
 * removal for both.
 */
function acts(job: ScrapeJob, reader: LibraryReader): Content {
  const { context, t } = reader
  const { id, title, status, cancelRequested, archive: file } = job
  const names = actionNames(t)
  const source = file === null ? null : (context.scraper?.library?.sourceOf(file) ?? null)
  const offered = cancelRequested ? [] : actionsOf(status)
  return offered.map((action) => {
    const name = html`<span class="hidden">: ${shorten(title, 80)}</span>`
    if (action === 'delete' && source !== null)
      return html`<a class="button" href="${LIBRARY}?remove=${source}#remove">${names[action]} …${name}</a> `
    return html`<form method="post" action="${SCRAPER}/${id}" data-stay><button name="do" value="${action}">${names[action]}${name}</button></form> `
  })
}
