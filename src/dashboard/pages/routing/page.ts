import { matrixIntro, matrixTable, SHOWN, warningList } from '../../../../web/shared/matrix.js'
import { cellsOf, switchesOf } from '../../../../web/shared/matrix-model.js'
import type { Services } from '../../api/services.ts'
import { matrixWarnings } from '../../editing/matrix-warnings.ts'
import type { RadioStatus } from '../../server/context.ts'
import { redirect } from '../../server/reply.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { penOf } from '../frame/pen.ts'
import { alarmNote } from './alarm-note.ts'
import { matrixWords } from './matrix-words.ts'
import { routingData } from './routing-data.ts'

type Network = RadioStatus['network']

const SIDES = {
  mt: { title: 'Meshtastic routing', path: '/mesh-a/routing' },
  mc: { title: 'MeshCore routing', path: '/mesh-b/routing' }
} as const

/**
 * `GET /mesh-a/routing` and `/mesh-b/routing`: one network's side of the matrix, families × regions, complete for reading
 * without a script; with one, `script.js` draws on in place for editing.
 */
function readRoutingPage({ context }: Services, network: Network): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    await context.config.refresh()
    const language = languageOf(headers)
    const t = translator(language)
    const pen = penOf(context, language)
    const data = routingData(context, network, { identity, t, language })
    const said = matrixWords({ context, t })
    const warnings = matrixWarnings(data.matrix, context.shownConfig())
      // The page of each network counts its own channels.
      .filter(({ code }) => network === 'mt' || code !== 'mt_channels_exceeded')
      .map((warning) => ({ code: warning.code, message: said(warning) }))
    const saved = { switches: switchesOf(data.matrix), cells: cellsOf(data.matrix).values() }
    // In the order of the editor, which finds each part in its place.
    const parts = html`${matrixIntro(pen, data, saved)}
<div class="notices" role="status"></div>
${warningList(pen, warnings, SHOWN.wide)}
<div class="tools"></div>
${matrixTable(pen, data)}
<div class="dock"></div>
${editing(network, t)}`
    const { title, path } = SIDES[network]
    return page(context, {
      title: t(title),
      path,
      headers,
      identity,
      script: 'pages/routing/script.js',
      style: 'pages/routing/style.css',
      body: html`<div id="routing"><div>${parts}</div></div>${network === 'mt' ? alarmNote(context, t) : null}`,
      data
    })
  }
}

function editing(network: Network, t: Translate): Html {
  return html`<section aria-labelledby="editing"><h2 id="editing">${t('Editing')}</h2>
<p>${t('Editing here needs a browser with scripts. Without: edit {place} in {file}, which is read again when it is saved; or send the whole matrix to {route}.', { place: 'notifications.region_routes', file: 'config.json', route: 'POST /api/notifications/region-routing' })} <a href="/docs/api">${t('API')}</a>. ${t('The key of the channel is {key}.', { key: network })}</p></section>`
}

export const routingPages = (services: Services): Route[] => [
  get('/mesh-a/routing', {
    about: 'The matrix, Meshtastic side.',
    shared: true,
    handle: readRoutingPage(services, 'mt')
  }),
  get('/mesh-b/routing', {
    about: 'The matrix, MeshCore side.',
    shared: true,
    handle: readRoutingPage(services, 'mc')
  }),
  get('/notifications', { about: 'Redirects (302) to `/mesh-a/routing`.', handle: () => redirect('/mesh-a/routing') }),
  get('/notifications/routing', {
    about: 'Redirects (302) to `/mesh-a/routing`.',
    handle: () => redirect('/mesh-a/routing')
  })
]
