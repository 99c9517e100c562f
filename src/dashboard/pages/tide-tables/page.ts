import type { Services } from '../../api/services.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, translator } from '../../words/language.ts'
import { html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'

/** `GET /tide-tables`: say here what the page shows, and to whom. */
function readTideTablesPage({ context }: Services): Handler<unknown, undefined> {
  return ({ headers, identity }) => {
    const t = translator(languageOf(headers))
    const body = html`<p>${t('{count} radios are configured.', { count: context.shownConfig().radios.length })}</p>`
    return page(context, { title: t('Tide tables'), path: '/tide-tables', body, headers, identity })
  }
}

export const tideTablesPage = (services: Services): Route =>
  get('/tide-tables', { about: 'Tide tables: say what the page shows.', handle: readTideTablesPage(services) })
