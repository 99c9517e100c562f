import * as v from 'valibot'
import { whatIsMissing } from '../../knowledge/scrape/engine.ts'
import { SCRAPE_STATES } from '../../knowledge/scrape/job.ts'
import { jobView } from '../../knowledge/scrape/job-rows.ts'
import { removeScrape } from '../../knowledge/scrape/remove-scrape.ts'
import { readSubmission } from '../../knowledge/scrape/submission.ts'
import { checkTarget } from '../../knowledge/scrape/target.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { publicUrls } from '../server/guest.ts'
import { notFound } from '../server/problem.ts'
import { jsonSaid } from '../server/reply.ts'
import { get, type Handler, order, post, type Route, type Told } from '../server/route.ts'
import { scraperOf, writableScraper } from '../server/scraper.ts'
import { clearedAnswer, removalAnswer, scrapeAnswer, scrapesAnswer, scrapeView } from './answers/knowledge.ts'
import type { Services } from './services.ts'

const text = (most: number) => v.pipe(v.string(), v.maxLength(most, `at most ${most} characters`))

export const submitBody = looseObject({
  url: v.pipe(text(2000), v.description('First page of the site: http or https, on the public Internet.')),
  title: v.pipe(
    v.optional(v.nullable(text(1000))),
    v.description('Title of the archive; without it the name of the host.')
  ),
  language: v.pipe(
    v.optional(v.nullable(text(100))),
    v.description('ISO 639-3, several separated by commas; without it eng.')
  )
})

export const scrapeJobsQuery = v.object({
  status: v.optional(
    v.union([
      v.pipe(
        v.literal(''),
        v.transform(() => undefined)
      ),
      v.picklist(SCRAPE_STATES, `a status is one of ${SCRAPE_STATES.join(', ')}`)
    ])
  )
})

/** `POST /api/scraper/submit`: 201 with the job; the work begins at once. */
export function submitScrape({
  context
}: Services): Handler<unknown, v.InferOutput<typeof submitBody>, Told<typeof scrapeView>> {
  return async ({ body }) => {
    const { jobs, engines, rules, wake } = writableScraper(context)
    const { url, title, language } = body
    const asked = { url, title: title ?? undefined, language: language ?? undefined }
    const wanted = readSubmission(asked, context.config.current().scraper)
    await checkTarget(wanted.url, rules)
    const report = await engines()
    if (report.chosen === null) throw new AppError('missing', whatIsMissing(report))
    const job = jobs.submit(wanted)
    wake()
    return jsonSaid(jobView(job), { status: 201, headers: { Location: '/api/scraper/jobs' } })
  }
}

/** `GET /api/scraper/jobs?status=`: newest first. */
function listScrapes({
  context
}: Services): Handler<v.InferOutput<typeof scrapeJobsQuery>, undefined, Told<typeof scrapesAnswer>> {
  return ({ query: { status }, isGuest }) => {
    const jobs = scraperOf(context).jobs.list({ status }).map(jobView)
    return jsonSaid({ jobs: isGuest ? jobs.map(publicJob) : jobs })
  }
}

/** Of the site a guest sees scheme and host: the rest of an address may be a way in. */
function publicJob(job: ReturnType<typeof jobView>): ReturnType<typeof jobView> {
  return { ...job, url: publicUrls(job.url), title: publicUrls(job.title) }
}

/** `POST /api/scraper/cancel/:id`: at once when it waits, within seconds when it is under way. */
export function cancelScrape({ context }: Services): Handler<unknown, undefined, Told<typeof scrapeAnswer>> {
  return ({ params }) => {
    const { jobs, wake } = writableScraper(context)
    const job = jobs.cancel(idOf(params))
    wake()
    return jsonSaid({ ok: true, job: jobView(job) })
  }
}

/** `POST /api/scraper/retry/:id`: a failed job begins anew. */
export function retryScrape({ context }: Services): Handler<unknown, undefined, Told<typeof scrapeAnswer>> {
  return ({ params }) => {
    const { jobs, wake } = writableScraper(context)
    const job = jobs.retry(idOf(params))
    wake()
    return jsonSaid({ ok: true, job: jobView(job) })
  }
}

/** `POST /api/scraper/delete/:id`: the job, and with it everything of the archive it made. */
export function deleteScrape({ context }: Services): Handler<unknown, undefined, Told<typeof removalAnswer>> {
  return async ({ params }) => {
    const { jobs: store, zimFolder, library } = writableScraper(context)
    return jsonSaid(await removeScrape(idOf(params), { store, zimFolder, library }))
  }
}

/** `POST /api/scraper/clear-failed`: failed and cancelled jobs; no file is touched. */
export function clearFailedScrapes({ context }: Services): Handler<unknown, undefined, Told<typeof clearedAnswer>> {
  return () => jsonSaid({ ok: true, deleted: writableScraper(context).jobs.clearFailed() })
}

/** @throws AppError `not-found` for what cannot be the number of a job. */
function idOf(params: Readonly<Record<string, string>>): number {
  const id = params['id'] ?? ''
  if (!/^\d{1,15}$/.test(id)) throw notFound()
  return Number(id)
}

export const scraperRoutes = (services: Services): Route[] => [
  post('/api/scraper/submit', {
    summary: 'Archives a web site.',
    about:
      'Body: `{url, title?, language?}`; `language` is ISO 639-3, `eng` unless said. Answers the job (201). 422 for an address that is not public; 503 naming what is missing when nothing here can make archives; 429 when 100 sites wait.',
    body: submitBody,
    done: [201, 'It waits its turn'],
    answer: scrapeView,
    handle: submitScrape(services)
  }),
  get('/api/scraper/jobs', {
    summary: 'Archiving jobs, newest first.',
    about:
      '`{jobs: [{id, url, title, language, status, page_count, total, message, archive, source_id, engine, created_at, started_at, completed_at}]}`; `?status=` pending, scraping, registering, completed, failed or cancelled. `engine` is `container` or `built-in` (static pages only).',
    query: scrapeJobsQuery,
    answer: scrapesAnswer,
    handle: listScrapes(services)
  }),
  order('/api/scraper/cancel/:id', {
    summary: 'Cancels a job that waits or is under way.',
    about: 'No body. Answers `{ok, job}`; the crawl ends within seconds. 409 when it is over.',
    answer: scrapeAnswer,
    handle: cancelScrape(services)
  }),
  order('/api/scraper/retry/:id', {
    summary: 'Begins a failed job anew.',
    about: 'No body. Answers `{ok, job}`, pending again. 409 unless it has failed.',
    answer: scrapeAnswer,
    handle: retryScrape(services)
  }),
  order('/api/scraper/delete/:id', {
    summary: 'Deletes a job and the archive it made.',
    about:
      'No body. `{ok, removed: {documents, vectors, file, registration, jobs}, pending: []}`: a job that made an archive takes everything of it along. 409 while it is under way.',
    answer: removalAnswer,
    handle: deleteScrape(services)
  }),
  order('/api/scraper/clear-failed', {
    summary: 'Deletes failed and cancelled jobs.',
    about: 'No body. Deletes failed and cancelled jobs, no files. Answers `{ok, deleted}`.',
    answer: clearedAnswer,
    handle: clearFailedScrapes(services)
  })
]
