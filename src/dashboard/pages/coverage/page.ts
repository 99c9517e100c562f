import { partInWords } from '../../../../web/shared/area-words.js'
import { areaSection, areaText, coverageSwitches, coverageWarningList } from '../../../../web/shared/coverage.js'
import type { Pen } from '../../../../web/shared/pen.js'
import { revisionOf } from '../../../platform/bytes/canonical-json.ts'
import type { Config } from '../../../settings/schema.ts'
import { canonicalCode } from '../../../warning/coverage/codes.ts'
import type { AreaConfig } from '../../../warning/coverage/settings.ts'
import type { Services } from '../../api/services.ts'
import { coverageWarnings, publicCoverage, saidWarnings, servedCoverage } from '../../editing/coverage-document.ts'
import { regionUses } from '../../editing/region-names.ts'
import { askerOf } from '../../server/asker.ts'
import type { HttpContext } from '../../server/context.ts'
import { type Asker, toldTo } from '../../server/guest.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { translator } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { penOf } from '../frame/pen.ts'

/** More names than this make nothing clearer. */
const NAMED_CODES = 12

/** `GET /coverage`: every area with its parts in words; a script makes a map and an editor of it. */
function readCoveragePage({ context }: Services): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    await context.config.refresh()
    const asker = askerOf(context, { headers, identity })
    const { language, isGuest } = asker
    const t = translator(language)
    const saved = context.config.current()
    const shown = context.shownConfig()
    const warnings = saidWarnings(coverageWarnings(shown.coverage, shown), asker)
    const pen = penOf(context, language)
    const { areas } = shown.coverage
    const body = html`<div id="editor" class="coverage"><div><div class="coverage-map" hidden></div><div class="coverage-side">
${areaSection(pen, areaItems(pen, areas, await namesOf(context, areas)))}
${coverageSwitches(pen, shown.coverage)}
${coverageWarningList(pen, warnings, (index) => areas[index]?.name ?? '')}
<p class="live">${t('The map and editing need a browser with scripts. The areas stand in config.json, under "coverage".')}</p></div></div></div>`
    const coverage = servedCoverage(saved)
    const data = {
      coverage: isGuest ? publicCoverage(coverage) : coverage,
      revision: revisionOf(coverage),
      warnings: saidWarnings(coverageWarnings(coverage, saved), asker),
      uses: usesIn(saved, asker),
      names: await namesOf(context, coverage.areas),
      sources: [...new Set(context.sources.list().map(({ name }) => name))],
      demo: context.demo() === null ? null : publicCoverage(shown.coverage).areas,
      stale: context.config.status().locked
    }
    const files = { script: 'pages/coverage/script.js', style: 'pages/coverage/style.css' }
    return page(context, { title: t('Coverage'), path: '/coverage', body, headers, identity, data, ...files })
  }
}

/** The places where a region is named, by its name. */
function usesIn(config: Config, asker: Asker): Record<string, string[]> {
  const uses = [...regionUses(config)]
  return Object.fromEntries(uses.map(([region, places]) => [region, places.map((place) => toldTo(place, asker))]))
}

function areaItems(pen: Pen<Html>, areas: readonly AreaConfig[], names: Record<string, string>): Html[] {
  const nameOf = (code: string): string => names[code] ?? ''
  const codes = { nameOf, most: NAMED_CODES }
  return areas.map(({ name, parts }, index) => {
    const inWords = parts.map((part) => partInWords(pen.t, part, codes))
    return html`<li><div class="area-row">${areaText(pen, { index, name, parts: inWords })}</div></li>
`
  })
}

/** By the code as it is written there; without those that have no name. */
async function namesOf({ places }: HttpContext, areas: readonly AreaConfig[]): Promise<Record<string, string>> {
  const names: Record<string, string> = {}
  for (const code of new Set(areas.flatMap(({ parts }) => parts.flatMap((part) => part.codes ?? [])))) {
    const name = await places.nameOf(canonicalCode(code) ?? code)
    if (name !== '') names[code] = name
  }
  return names
}

export const coveragePage = (services: Services): Route =>
  get('/coverage', {
    about: 'Coverage areas: a map to draw them on, or a table without a script.',
    handle: readCoveragePage(services)
  })
