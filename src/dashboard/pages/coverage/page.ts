import { partInWords } from '../../../../web/shared/area-words.js'
import { revisionOf } from '../../../platform/bytes/canonical-json.ts'
import { canonicalCode } from '../../../warning/coverage/codes.ts'
import type { AreaConfig } from '../../../warning/coverage/settings.ts'
import type { Services } from '../../api/services.ts'
import { type CoverageWarning, coverageWarnings, servedCoverage } from '../../editing/coverage-document.ts'
import { regionUses } from '../../editing/region-names.ts'
import type { HttpContext } from '../../server/context.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'

/** More names than this make nothing clearer. */
const NAMED_CODES = 12

/** `GET /coverage`: every area with its parts in words; a script makes a map and an editor of it. */
function readCoveragePage({ context }: Services): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    await context.config.refresh()
    const t = translator(languageOf(headers))
    const saved = context.config.current()
    const shown = context.shownConfig()
    const warnings = coverageWarnings(shown.coverage, shown)
    const body = html`<div id="editor" class="coverage"><p>${switches(t, shown.coverage)}</p>
${warningList(t, warnings)}${areaTable(context, t, shown.coverage.areas)}
<p class="live">${t('The map and editing need a browser with scripts. The areas stand in config.json, under "coverage".')}</p></div>`
    const coverage = servedCoverage(saved)
    const data = {
      coverage,
      revision: revisionOf(coverage),
      warnings: coverageWarnings(coverage, saved),
      uses: Object.fromEntries(regionUses(saved)),
      names: namesOf(context, coverage.areas),
      sources: [...new Set(context.sources.list().map(({ name }) => name))],
      demo: context.demo() === null ? null : shown.coverage.areas,
      stale: context.config.status().locked
    }
    const files = { script: 'pages/coverage/script.js', style: 'pages/coverage/style.css' }
    return page(context, { title: t('Coverage'), path: '/coverage', body, headers, identity, data, ...files })
  }
}

function switches(t: Translate, coverage: { enabled: boolean; region_tagging: boolean }): Html {
  const gate = coverage.enabled
    ? t('Coverage is on: events outside of every area are dropped.')
    : t('Coverage is off: events from everywhere pass.')
  const tagging = coverage.region_tagging
    ? t('Events are tagged with the names of the areas they touch.')
    : t('Region tagging is off: no event gets a region, and no cell of the matrix matches.')
  return html`<strong>${gate}</strong> ${tagging}`
}

function warningList(t: Translate, warnings: readonly CoverageWarning[]): Html | null {
  if (warnings.length === 0) return null
  const items = warnings.map(
    ({ path, message }) => html`<li>${path === '/areas' ? null : html`<code>${path}</code> `}${message}</li>`
  )
  return html`<section class="problems" aria-labelledby="warnings"><h2 id="warnings">${t('Warnings')}</h2><ul>${items}</ul></section>`
}

function areaTable(context: HttpContext, t: Translate, areas: readonly AreaConfig[]): Html {
  if (areas.length === 0)
    return html`<p>${t('There are no areas yet: events from everywhere pass, and there are no regions.')}</p>`
  const nameOf = (code: string): string => context.places.nameOf(canonicalCode(code) ?? code)
  const codes = { nameOf, most: NAMED_CODES }
  const rows = areas.map(
    ({ name, parts }, index) => html`<tr><td class="number">${index + 1}</td>
<th scope="row">${name ?? html`<em>${t('no name: covered, but not a region')}</em>`}</th>
<td><ul class="parts">${parts.map((part) => html`<li>${partInWords(t, part, codes)}</li>`)}</ul></td></tr>
`
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t('Coverage areas')}"><table>
<caption>${t('In order: of several areas an event touches, the first names it.')}</caption>
<thead><tr><th scope="col">${t('No.')}</th><th scope="col">${t('Name')}</th><th scope="col">${t('Made of')}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function namesOf({ places }: HttpContext, areas: readonly AreaConfig[]): Record<string, string> {
  const codes = new Set(areas.flatMap(({ parts }) => parts.flatMap((part) => part.codes ?? [])))
  const named = [...codes].map((code) => [code, places.nameOf(canonicalCode(code) ?? code)] as const)
  return Object.fromEntries(named.filter(([, name]) => name !== ''))
}

export const coveragePage = (services: Services): Route =>
  get('/coverage', {
    about: 'Coverage areas: a map to draw them on, or a table without a script.',
    handle: readCoveragePage(services)
  })
