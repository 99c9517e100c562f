import type { Pen } from '../../../../web/shared/pen.js'
import { passesTable, sourceCard } from '../../../../web/shared/source-card.js'
import { readersTurn } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Services } from '../../api/services.ts'
import { servedSettings } from '../../api/settings.ts'
import { suggestionsOf } from '../../editing/suggestions.ts'
import { askerOf } from '../../server/asker.ts'
import type { HttpContext } from '../../server/context.ts'
import { type Asker, toldTo } from '../../server/guest.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type SaidPasses, saidPasses, saidSource } from '../../server/said-status.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { penOf } from '../frame/pen.ts'

/** `GET /sources`: how every source is, with reasons; a script follows the live stream and edits. */
function readSourcesPage({ context }: Services): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    const asker = askerOf(context, { headers, identity })
    const { language } = asker
    const pen = penOf(context, language)
    const { t } = pen
    const served = await servedSettings(context, identity)
    const sources = context.sources.list().map((source) => saidSource(source, asker))
    const kinds = context.sources
      .kinds()
      .map((one) => ({ ...one, title: pen.term(one.title), about: pen.term(one.about) }))
    const titles = new Map(kinds.map(({ kind, title }) => [kind, title]))
    const hasPasses = sources.some(({ kind, enabled }) => kind === 'satpass' && enabled)
    const passes = hasPasses ? await nextPasses(context, asker) : null
    const cards = sources.map((source) =>
      sourceCard(pen, { status: source, title: titles.get(source.kind) ?? source.kind })
    )
    const body = html`<noscript><p class="live">${t('Live updates and editing need a browser with scripts.')}</p></noscript>
<div id="editor"><div>${sources.length === 0 ? html`<p>${t('Nothing is listened to yet. Add a source under "sources" in config.json.')}</p>` : html`<div class="cards">${cards}</div>`}
${passes === null ? null : passesSection(pen, passes)}</div></div>`
    const data = {
      settings: { sources: served.settings['sources'] ?? [] },
      revision: served.revision,
      stale_config: context.config.status().locked,
      sources,
      kinds,
      mode: context.mode,
      suggestions: suggestionsOf(context),
      passes
    }
    const files = { script: 'pages/sources/script.js', style: 'pages/settings/style.css' }
    return page(context, { title: t('Sources'), path: '/sources', body, headers, identity, data, ...files })
  }
}

/** The passes of the first observer, or why there are none. */
type Passes = { found: SaidPasses; problem: '' } | { found: null; problem: string }

async function nextPasses(context: HttpContext, asker: Asker): Promise<Passes> {
  try {
    return { found: saidPasses(await context.passes({ observer: '', hours: 24 }, readersTurn), asker), problem: '' }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not-found')) throw error
    return { found: null, problem: toldTo(error.reason, asker) }
  }
}

function passesSection(pen: Pen<Html>, { found, problem }: Passes): Html {
  return html`<section aria-labelledby="passes"><h2 id="passes">${pen.t('Satellite passes, next 24 hours')}</h2>
${found === null ? html`<p>${problem}</p>` : passesTable(pen, found)}</section>`
}

export const sourcesPage = (services: Services): Route =>
  get('/sources', {
    about: 'How every source is, and why; with a script asked, switched, added, edited and removed.',
    handle: readSourcesPage(services)
  })
