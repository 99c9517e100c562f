import { hasNoRegion } from '../../../model/vocabulary.ts'
import { pointerOf } from '../../../platform/config/locate.ts'
import type { Cell, RegionRoutes } from '../../../warning/routing/settings.ts'
import type { Services } from '../../api/services.ts'
import { regionNames, servedMatrix } from '../../editing/matrix-document.ts'
import { type MatrixWarning, matrixWarnings } from '../../editing/matrix-warnings.ts'
import { policyOf } from '../../editing/policy-document.ts'
import type { HttpContext, RadioStatus } from '../../server/context.ts'
import { redirect } from '../../server/reply.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { familyNames } from '../frame/family-names.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { matrixWords } from './matrix-words.ts'
import { routingData } from './routing-data.ts'

type Network = RadioStatus['network']

const SIDES = {
  mt: {
    title: 'MT routing',
    path: '/mesh-a/routing',
    network: 'Meshtastic',
    other: '/mesh-b/routing',
    otherName: 'MC routing'
  },
  mc: {
    title: 'MC routing',
    path: '/mesh-b/routing',
    network: 'MeshCore',
    other: '/mesh-a/routing',
    otherName: 'MT routing'
  }
} as const

interface Row {
  key: string
  label: string
  orphan: boolean
}

interface Column {
  name: string
  orphan: boolean
}

/** The parts that a cell is drawn with. */
interface View {
  context: HttpContext
  network: Network
  /** The radio of this network, as it is at this request. */
  radio: RadioStatus | undefined
  routes: RegionRoutes
  /** Pointers of cells whose events something outside of the matrix would broadcast. */
  falling: ReadonlySet<string>
  t: Translate
}

/**
 * `GET /mesh-a/routing` and `/mesh-b/routing`: one network's side of the matrix, families × regions, complete for reading
 * without a script; with one, `src/dashboard/pages/routing/script.js` takes its place for editing.
 */
function readRoutingPage({ context }: Services, network: Network): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    await context.config.refresh()
    const config = context.shownConfig()
    const routes = servedMatrix(config)
    const warnings = matrixWarnings(routes, config)
    const falling = warnings.filter(({ code }) => code === 'disabled_cell_falls_through').flatMap(({ paths }) => paths)
    const radio = context.radios().find((candidate) => candidate.network === network)
    const view = { context, network, radio, routes, falling: new Set(falling), t: translator(languageOf(headers)) }
    const { title, path } = SIDES[network]
    const parts = [intro(view), warningList(warnings, view), table(view), editing(view)]
    return page(context, {
      title: view.t(title),
      path,
      headers,
      identity,
      script: 'pages/routing/script.js',
      style: 'pages/routing/style.css',
      body: html`<div id="routing">${parts}</div>`,
      data: routingData(context, network, { identity, t: view.t, language: languageOf(headers) })
    })
  }
}

function intro({ network, routes, t }: View): Html {
  const { network: name, other, otherName } = SIDES[network]
  const state = routes.enabled
    ? t('The matrix is on.')
    : t('The matrix is off: every event takes the policy of its family.')
  const about = t('Each cell says on which {network} channel events of a family are told that touch a region.', {
    network: name
  })
  return html`<p><strong>${state}</strong> ${about} ${t('The other side:')} <a href="${other}">${t(otherName)}</a>.</p>`
}

function warningList(warnings: readonly MatrixWarning[], view: View): Html | null {
  if (warnings.length === 0) return null
  return html`<section class="problems" aria-labelledby="warnings"><h2 id="warnings">${view.t('Warnings')}</h2><ul>${warnings.map(matrixWords(view)).map((words) => html`<li>${words}</li>`)}</ul></section>`
}

function table(view: View): Html {
  const { t } = view
  const rows = rowsOf(view)
  const columns = columnsOf(view)
  if (columns.length === 0)
    return html`<p>${t('There are no regions: give a coverage area a name ("coverage" in config.json), and it becomes a column here.')}</p>`
  const head = columns.map(
    ({ name, orphan }) =>
      html`<th scope="col"${orphan ? html` class="orphan"` : null}>${name}${orphan ? html` <small>${t('no such area')}</small>` : null}</th>`
  )
  const body = rows.map(
    (row) =>
      html`<tr><th scope="row"${row.orphan ? html` class="orphan"` : null}>${row.label}${row.orphan ? html` <small>${t('no such family')}</small>` : null}${hasNoRegion(row.key) ? html` <small class="policy">${t('No region by nature: no cell matches.')} ${policyWords(view, row.key)}</small>` : null}</th>${columns.map((column) => cellOf(view, row, column))}</tr>\n`
  )
  const { title, network } = SIDES[view.network]
  return html`<div class="scroll matrix" tabindex="0" role="region" aria-label="${t(title)}"><table>
<caption>${t('{network} channel and least severity of each family and region', { network })}</caption>
<thead><tr><th scope="col">${t('Family')}</th>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`
}

/** The work of the policy that decides in place of cells (contract §4 rule 11). */
function policyWords({ context, t }: View, family: string): string {
  const { enabled, mt, mc, destinations, min_severity } = policyOf(context.shownConfig(), family)
  const own = [mt === null ? '' : `MT ${mt}`, mc === null ? '' : `MC ${mc}`].filter((one) => one !== '')
  const channels = destinations.length > 0 ? destinations : own
  if (!enabled) return t('the policy is off: nothing is sent')
  if (channels.length === 0) return t('the policy names no channel: nothing is sent')
  return [...channels, t('{severity} and up', { severity: t.term(min_severity) })].join(', ')
}

function rowsOf({ context, routes, t }: View): Row[] {
  const known = familyNames(context.shownConfig().families, t)
  const orphans = Object.keys(routes.cells).filter((key) => !known.has(key))
  return [
    ...[...known].map(([key, label]) => ({ key, label, orphan: false })),
    ...orphans.map((key) => ({ key, label: key, orphan: true }))
  ]
}

function columnsOf({ context, routes }: View): Column[] {
  const names = regionNames(context.shownConfig())
  const stored = new Set(Object.values(routes.cells).flatMap((row) => Object.keys(row)))
  const orphans = [...stored].filter((name) => !names.includes(name))
  return [...names.map((name) => ({ name, orphan: false })), ...orphans.map((name) => ({ name, orphan: true }))]
}

function cellOf(view: View, row: Row, column: Column): Html {
  const cell = view.routes.cells[row.key]?.[column.name]
  const channel = cell?.[view.network] ?? null
  if (cell === undefined || channel === null)
    return html`<td class="empty"><span aria-hidden="true">–</span><span class="hidden">${view.t('none')}</span></td>`
  const marks = marksOf(view, { family: row.key, region: column.name, cell, orphan: row.orphan || column.orphan })
  const classes = [
    'set',
    ...(cell.enabled ? [] : ['disabled']),
    ...(row.orphan || column.orphan ? ['orphan'] : [])
  ].join(' ')
  const { t } = view
  const floor = cell.min_severity === 'routine' ? t('all') : t('{severity} and up', { severity: t(cell.min_severity) })
  return html`<td class="${classes}"><strong>${channelName(view, channel)}</strong> <span class="floor">${floor}</span>${marks.map((mark) => html` <em>${mark}</em>`)}</td>`
}

function marksOf(view: View, at: { family: string; region: string; cell: Cell; orphan: boolean }): string[] {
  const { t } = view
  const marks: string[] = []
  if (!at.cell.enabled) marks.push(at.cell.mute === true ? t('muted') : t('disabled'))
  if (at.orphan) marks.push(t('never matches'))
  if (view.falling.has(pointerOf(['cells', at.family, at.region]))) marks.push(t('broadcast all the same'))
  const missing = missingChannel(view, at.cell[view.network])
  if (missing !== null) marks.push(missing)
  return marks
}

function missingChannel({ radio, t }: View, channel: number | string | null): string | null {
  const problem = radio?.missing_channels.find((missing) => missing.channel === channel)?.problem
  if (problem === undefined) return null
  return problem === 'no_channel' ? t('not on the radio') : t('disabled on the radio')
}

/** MT channels are indices; the radio knows their names. */
function channelName({ radio, network, t }: View, channel: number | string): string {
  if (network === 'mc') return String(channel)
  const name = radio?.channels.find(({ id }) => id === channel)?.name ?? ''
  const number = t('channel {number}', { number: channel })
  return name === '' ? number : `${number} (${name})`
}

function editing({ network, t }: View): Html {
  return html`<section aria-labelledby="editing"><h2 id="editing">${t('Editing')}</h2>
<p>${t('Editing here needs a browser with scripts. Without: edit {place} in {file}, which is read again when it is saved; or send the whole matrix to {route}.', { place: 'notifications.region_routes', file: 'config.json', route: 'POST /api/notifications/region-routing' })} <a href="/docs/api">${t('API')}</a>. ${t('The key of the channel is {key}.', { key: network })}</p></section>`
}

export const routingPages = (services: Services): Route[] => [
  get('/mesh-a/routing', { about: 'The matrix, Meshtastic side.', handle: readRoutingPage(services, 'mt') }),
  get('/mesh-b/routing', { about: 'The matrix, MeshCore side.', handle: readRoutingPage(services, 'mc') }),
  get('/notifications', { about: 'Redirects (302) to `/mesh-a/routing`.', handle: () => redirect('/mesh-a/routing') }),
  get('/notifications/routing', {
    about: 'Redirects (302) to `/mesh-a/routing`.',
    handle: () => redirect('/mesh-a/routing')
  })
]
