import * as v from 'valibot'
import type { RemovalReport } from '../../knowledge/library/library.ts'
import { PATTERNS_TEXT } from '../../knowledge/scrape/path-patterns.ts'
import { parseWith } from '../../platform/config/issues.ts'
import { looseObject } from '../../platform/config/object.ts'
import { operatorForm, seeOther } from '../pages/frame/refusal.ts'
import { SCRAPER } from '../pages/library/library-frame.ts'
import { notFound } from '../server/problem.ts'
import type { Answer } from '../server/reply.ts'
import { type Call, form, type Handler, type Route } from '../server/route.ts'
import { writableScraper } from '../server/scraper.ts'
import { cancelScrape, clearFailedScrapes, deleteScrape, retryScrape, submitBody, submitScrape } from './scraper.ts'
import type { Services } from './services.ts'

const field = v.optional(v.pipe(v.string(), v.maxLength(4096)), '')

const lines = v.optional(v.pipe(v.string(), v.maxLength(PATTERNS_TEXT)), '')

export const scraperForm = looseObject({
  ...{ do: field, url: field, title: field, language: field, other: field },
  ...{ include: lines, exclude: lines, documents: field }
})
type ScraperForm = v.InferOutput<typeof scraperForm>
export const jobForm = looseObject({ do: field })
type JobForm = v.InferOutput<typeof jobForm>

/** `POST /library/scraper`: a site for the queue, or all failed jobs away; what the API's routes do, asked for by a form. */
function actOnScraper(services: Services): Handler<unknown, ScraperForm> {
  const { context } = services
  const [submit, clear] = [submitScrape(services), clearFailedScrapes(services)]
  const act = async (call: Call<unknown, ScraperForm>): Promise<Answer> => {
    const { do: what, url, title, language, other, include, exclude, documents } = call.body
    if (what === 'submit') {
      const asked = {
        ...{ url, title, language: other.trim() === '' ? language : other },
        ...{ include: linesOf(include), exclude: linesOf(exclude), documents: documents !== '' }
      }
      await submit({ ...call, body: parseWith(submitBody, asked, 'the form') })
      return seeOther(`${SCRAPER}?done=submit`)
    }
    if (what !== 'clear-failed') throw notFound()
    const { failed, cancelled } = writableScraper(context).jobs.counts()
    await clear({ ...call, body: undefined })
    return seeOther(`${SCRAPER}?done=clear-failed&count=${failed + cancelled}`)
  }
  return (call) => {
    const { headers, identity } = call
    return operatorForm(context, { headers, identity, back: SCRAPER }, () => act(call))
  }
}

const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '')

/** `POST /library/scraper/:id`: what the state of a job offers. */
function actOnScrape(services: Services): Handler<unknown, JobForm> {
  const { context } = services
  const [cancel, retry, remove] = [cancelScrape(services), retryScrape(services), deleteScrape(services)]
  const act = async (call: Call<unknown, JobForm>): Promise<Answer> => {
    const { do: what } = call.body
    const asked = { ...call, body: undefined }
    if (what === 'cancel') await cancel(asked)
    else if (what === 'retry') await retry(asked)
    else if (what === 'delete') return seeOther(`${SCRAPER}?done=${deletedAs(await remove(asked))}`)
    else throw notFound()
    return seeOther(`${SCRAPER}?done=${what}`)
  }
  return (call) => {
    const { headers, identity } = call
    return operatorForm(context, { headers, identity, back: SCRAPER }, () => act(call))
  }
}

/** Tells whether an archive went with the job, or is still going. */
function deletedAs(answer: Answer): string {
  if (!('body' in answer)) return 'delete'
  const { removed, pending } = JSON.parse(answer.body) as RemovalReport
  if (pending.length > 0) return 'delete-pending'
  return removed.file || removed.documents > 0 ? 'delete-archive' : 'delete'
}

export const scraperFormsRoutes = (services: Services): Route[] => [
  form('/library/scraper', { body: scraperForm, handle: actOnScraper(services) }),
  form('/library/scraper/:id', { body: jobForm, handle: actOnScrape(services) })
]
