import * as v from 'valibot'
import { whatIsMissing } from '../../knowledge/scrape/engine.ts'
import { SCRAPE_STATES } from '../../knowledge/scrape/job.ts'
import { jobView } from '../../knowledge/scrape/job-rows.ts'
import { MOST_PATTERNS, PATTERN_LENGTH } from '../../knowledge/scrape/path-patterns.ts'
import { removeScrape } from '../../knowledge/scrape/remove-scrape.ts'
import { readSubmission, type Submission } from '../../knowledge/scrape/submission.ts'
import { checkTarget } from '../../knowledge/scrape/target.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { rulesFor } from '../../platform/net/site-guard.ts'
import { publicUrls } from '../server/guest.ts'
import { notFound } from '../server/problem.ts'
import { jsonSaid } from '../server/reply.ts'
import { get, type Handler, order, post, type Route, type Told } from '../server/route.ts'
import { scraperOf, writableScraper } from '../server/scraper.ts'
import {
  clearedAnswer,
  removalAnswer,
  scrapeAnswer,
  scrapeDetailAnswer,
  scrapesAnswer,
  scrapeView
} from './answers/knowledge.ts'
import type { Services } from './services.ts'

const text = (most: number) => v.pipe(v.string(), v.maxLength(most, `at most ${most} characters`))

/** A star stands for anything: `/blog/*`. */
const patterns = v.pipe(v.array(text(PATTERN_LENGTH)), v.maxLength(MOST_PATTERNS, `at most ${MOST_PATTERNS} patterns`))

export const submitBody = looseObject({
  url: v.pipe(
    text(2000),
    v.description(
      'First page of the site: http or https, on the public Internet or on a host of `scraper.allowed_hosts`.'
    )
  ),
  title: v.pipe(
    v.optional(v.nullable(text(1000))),
    v.description('Title of the archive; without it the name of the host.')
  ),
  language: v.pipe(
    v.optional(v.nullable(text(100))),
    v.description('ISO 639-3, several separated by commas; without it eng.')
  ),
  include: v.pipe(
    v.optional(v.nullable(patterns)),
    v.description('Patterns of paths: with any, only pages that one fits are archived, beside the first.')
  ),
  exclude: v.pipe(
    v.optional(v.nullable(patterns)),
    v.description('Patterns of paths: pages that one fits are left out.')
  ),
  documents: v.pipe(
    v.optional(v.nullable(v.boolean())),
    v.description('True: linked PDFs and EPUBs go into the document library (built-in archiver).')
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
    const settings = context.config.current().scraper
    const wanted = readSubmission(askedFor(body), settings)
    await checkTarget(wanted.url, { ...rules, ...rulesFor(wanted.url, settings.allowed_hosts) })
    const report = await engines()
    if (report.chosen === null) throw new AppError('missing', whatIsMissing(report))
    const job = jobs.submit(wanted)
    wake()
    return jsonSaid(jobView(job), { status: 201, headers: { Location: '/api/scraper/jobs' } })
  }
}

/** A field that JSON has as null is not there. */
function askedFor({ url, ...others }: v.InferOutput<typeof submitBody>): Submission {
  const { title, language, include, exclude, documents } = others
  return {
    url,
    title: title ?? undefined,
    language: language ?? undefined,
    include: include ?? undefined,
    exclude: exclude ?? undefined,
    documents: documents ?? undefined
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

/** `GET /api/scraper/jobs/:id`: one job with its lists. */
function readScrape({ context }: Services): Handler<unknown, undefined, Told<typeof scrapeDetailAnswer>> {
  return ({ params, isGuest }) => {
    const { jobs } = scraperOf(context)
    const job = jobs.get(idOf(params))
    const shown = (address: string): string => (isGuest ? publicUrls(address) : address)
    const { include, exclude, documents } = job.limits
    return jsonSaid({
      job: isGuest ? publicJob(jobView(job)) : jobView(job),
      include: isGuest ? [] : [...include],
      exclude: isGuest ? [] : [...exclude],
      takes_documents: documents,
      missed: jobs.findings.missed(job.id).map(({ address, reason }) => ({
        ...{ url: shown(address), code: reason.code, reason }
      })),
      // A pattern holds the path that a guest does not see.
      capped: jobs.findings.capped(job.id).map((one) => (isGuest ? { ...one, pattern: hostOf(one.pattern) } : one)),
      documents: jobs.findings.documents(job.id).map(({ address, state, hash, reason }) => ({
        ...{ url: shown(address), state, hash, code: reason?.code ?? null, reason }
      }))
    })
  }
}

const hostOf = (pattern: string): string => pattern.replace(/\/.*$/, '/…')

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
      'Body: `{url, title?, language?, include?, exclude?, documents?}`; `language` is ISO 639-3, `eng` unless said; `include` and `exclude` are lists of patterns of paths, in which a star stands for anything (`/blog/*`, `/*?print=*`); `documents: true` takes linked PDFs and EPUBs into the document library. Answers the job (201). 422 for an address that is not public and not allowed by `scraper.allowed_hosts`; 503 naming what is missing when nothing here can make archives; 429 when 100 sites wait.',
    body: submitBody,
    done: [201, 'It waits its turn'],
    answer: scrapeView,
    handle: submitScrape(services)
  }),
  get('/api/scraper/jobs', {
    summary: 'Archiving jobs, newest first.',
    about:
      '`{jobs: [{id, url, title, language, status, page_count, total, message, archive, source_id, engine, resumed, missed, capped, documents, created_at, started_at, completed_at}]}`; `?status=` pending, scraping, registering, completed, failed or cancelled. `engine` is `container` or `built-in` (static pages only). `resumed: {pages, after, times}`: it was interrupted and went on. `missed`, `capped` and `documents` are numbers; the lists are in the job itself.',
    query: scrapeJobsQuery,
    answer: scrapesAnswer,
    handle: listScrapes(services)
  }),
  get('/api/scraper/jobs/:id', {
    summary: 'One archiving job with what it left out and the documents it brought.',
    about:
      '`{job, include, exclude, takes_documents, missed: [{url, code, reason}], capped: [{pattern, kept, pages}], documents: [{url, state, hash, code, reason}]}`. `missed` holds the first 200 pages and documents that could not be fetched, `job.missed` their number; `capped` patterns of pages that say the same again and again, as kept and known beside; `state` of a document is taken, here (it was in the library before) or refused.',
    answer: scrapeDetailAnswer,
    handle: readScrape(services)
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
