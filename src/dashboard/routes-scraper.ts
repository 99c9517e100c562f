import {
  cancelScrape,
  clearFailedScrapes,
  deleteScrape,
  listScrapes,
  retryScrape,
  scrapeJobsQuery,
  submitBody,
  submitScrape
} from './api/scraper.ts'
import type { Services } from './api/services.ts'
import { get, order, post, type Route } from './server/route.ts'

const submitting = { access: 'operator', body: submitBody } as const

/** Archiving of web sites: the part of the table that is about it (contract §9). */
export function scraperRoutes(services: Services): Route[] {
  return [
    post('/api/scraper/submit', 'Archives a web site.', submitting, submitScrape(services)),
    get('/api/scraper/jobs', 'Archiving jobs, newest first.', scrapeJobsQuery, listScrapes(services)),
    order('/api/scraper/cancel/:id', 'Cancels a job that waits or is under way.', cancelScrape(services)),
    order('/api/scraper/retry/:id', 'Begins a failed job anew.', retryScrape(services)),
    order('/api/scraper/delete/:id', 'Deletes a job and the archive it made.', deleteScrape(services)),
    order('/api/scraper/clear-failed', 'Deletes failed and cancelled jobs.', clearFailedScrapes(services))
  ]
}
