import * as v from 'valibot'
import { toast } from '../../../../web/shared/parts.js'
import { number } from '../../../../web/shared/times.js'
import { SCRAPE_STATES, type ScrapeState } from '../../../knowledge/scrape/job.ts'
import type { Services } from '../../api/services.ts'
import { publicUrls } from '../../server/guest.ts'
import { notFound } from '../../server/problem.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { scraperOf } from '../../server/scraper.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { loose, oneOf } from '../frame/log-filters.ts'
import { shorten } from '../frame/reader.ts'
import { section } from '../knowledge/knowledge-frame.ts'
import { type LibraryReader, libraryHandler, noticePlace, SCRAPER, signInLine } from '../library/library-frame.ts'
import { jobNames } from '../library/library-words.ts'
import { jobSections } from './scraper-detail.ts'
import { engineBox, limitsLine, submitForm } from './scraper-form.ts'
import { jobTable } from './scraper-jobs.ts'

const MOST_LISTED = 200

export const scraperPageQuery = v.object({ done: loose, count: loose, status: loose })
type Query = v.InferOutput<typeof scraperPageQuery>

/** `GET /library/scraper`: what sites are archived with here, and every job. Complete without a script. */
function readScraperPage(services: Services): Handler<Query, undefined> {
  const { context } = services
  return libraryHandler(services, SCRAPER, async (reader, { query }) => {
    const { t, mayWrite } = reader
    const { jobs, engines } = scraperOf(context)
    const report = await engines()
    const status = oneOf(SCRAPE_STATES, query.status)
    const counts = jobs.counts()
    const list = jobs.list({ status, limit: MOST_LISTED })
    const moves = counts.pending + counts.scraping + counts.registering > 0
    const body = [
      noticePlace(notice(query, reader)),
      engineBox(report, reader),
      signInLine(reader, SCRAPER, t('to archive sites.')),
      mayWrite && report.chosen !== null ? submitForm(reader) : null,
      report.chosen === null ? null : limitsLine(reader),
      html`<div id="content"${moves ? html` data-moves` : null}>${section('jobs', t('Jobs'), [
        countLine(counts, status, reader),
        list.length === 0 ? nothing(status, reader) : jobTable(list, reader),
        mayWrite ? clearForm(counts, reader) : null
      ])}</div>`
    ]
    return { title: t('Archive a site'), body, script: 'pages/scraper/script.js' }
  })
}

function notice({ done, count }: Query, { t }: LibraryReader): Content {
  const words: Readonly<Record<string, string>> = {
    submit: t('The site is in the queue. This page follows it.'),
    cancel: t('The job is being cancelled.'),
    retry: t('The job begins anew.'),
    delete: t('The job is deleted.'),
    'delete-archive': t('The job is deleted, with the archive it made and everything that was read from it.'),
    'delete-pending': t('The job is being deleted, with the archive it made and everything that was read from it.'),
    'clear-failed': t('Deleted jobs: {count}.', { count: /^\d{1,9}$/.test(count) ? count : 0 })
  }
  const said = words[done]
  return toast({ html }, said ?? '')
}

/** The number of jobs in each state; each number leads to its jobs. */
function countLine(
  counts: Readonly<Record<ScrapeState, number>>,
  chosen: ScrapeState | undefined,
  { language, t }: LibraryReader
): Html | null {
  const total = SCRAPE_STATES.reduce((sum, state) => sum + counts[state], 0)
  if (total === 0) return null
  const names = jobNames(t)
  const entry = (href: string, name: string, count: number, isChosen: boolean): Html =>
    html`<li><a href="${href}"${isChosen ? html` aria-current="true"` : null}>${name} <b>${number(count, language)}</b></a></li>`
  const states = SCRAPE_STATES.filter((state) => counts[state] > 0 || state === chosen)
  return html`<ul class="sums">${entry(SCRAPER, t('all'), total, chosen === undefined)}${states.map((state) => entry(`${SCRAPER}?status=${state}`, names[state], counts[state], state === chosen))}</ul>`
}

function nothing(status: ScrapeState | undefined, { t }: LibraryReader): Html {
  return html`<p>${status === undefined ? t('Nothing has been archived yet.') : t('No job is in this state.')}</p>`
}

function clearForm(counts: Readonly<Record<ScrapeState, number>>, { t }: LibraryReader): Html | null {
  const count = counts.failed + counts.cancelled
  if (count === 0) return null
  return html`<form method="post" action="${SCRAPER}" data-stay><p><button name="do" value="clear-failed">${t('Delete failed and cancelled jobs ({count})', { count })}</button></p></form>`
}

/** `GET /library/scraper/:id`: one job with its lists. */
function readJobPage(services: Services): Handler<unknown, undefined> {
  const { context } = services
  return libraryHandler(services, SCRAPER, (reader, { params }) => {
    const { jobs } = scraperOf(context)
    const id = params['id'] ?? ''
    if (!/^\d{1,15}$/.test(id)) throw notFound()
    const job = jobs.get(Number(id))
    const { title, url } = job
    const site = shorten(reader.isGuest ? publicUrls(title === '' ? url : title) : title, 120)
    const body = jobSections(job, jobs.findings, reader)
    return { title: reader.t('Archiving of {site}', { site }), body, script: 'pages/scraper/script.js' }
  })
}

export const scraperPages = (services: Services): Route[] => [
  get('/library/scraper', {
    about: 'Archiving of web sites: what does it here, a form, the jobs and what may be done with them.',
    query: scraperPageQuery,
    handle: readScraperPage(services)
  }),
  get('/library/scraper/:id', {
    about: 'One archiving job: what it left out, the documents it brought, what it was asked for.',
    handle: readJobPage(services)
  })
]
