import { actOnSource, sourceForm, takeArchiveForm } from './api/library-forms.ts'
import { actOnScrape, actOnScraper, jobForm, scraperForm } from './api/scraper-forms.ts'
import type { Services } from './api/services.ts'
import { formDocs } from './api/upload-form.ts'
import { libraryPageQuery, readLibraryPage } from './pages/library/library.ts'
import { readScraperPage, scraperPageQuery } from './pages/library/scraper.ts'
import { form, get, noQuery, type Route, upload } from './server/route.ts'

const addingByForm = { access: 'operator', query: noQuery, docs: formDocs } as const

/** The pages of the library and their forms. */
export function libraryPages(services: Services): Route[] {
  return [
    get('/library', '', libraryPageQuery, readLibraryPage(services)),
    upload('POST', '/library', '', addingByForm, takeArchiveForm(services)),
    get('/library/scraper', '', scraperPageQuery, readScraperPage(services)),
    form('/library/scraper', scraperForm, actOnScraper(services)),
    form('/library/scraper/:id', jobForm, actOnScrape(services)),
    form('/library/:id', sourceForm, actOnSource(services))
  ]
}
