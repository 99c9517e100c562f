import { AppError } from '../../../platform/errors.ts'
import type { SourceStatus } from '../../../warning/feeds/status.ts'
import type { Services } from '../../api/services.ts'
import { servedSettings } from '../../api/settings.ts'
import { suggestionsOf } from '../../editing/suggestions.ts'
import type { HttpContext, SatellitePasses } from '../../server/context.ts'
import type { Handler } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { stateWord } from '../frame/state-word.ts'
import { pageTime } from '../frame/times.ts'

interface View {
  context: HttpContext
  t: Translate
  time: (at: string) => Html
}

/** `GET /sources`: how every source is, with reasons; a script follows the live stream and edits. */
export function readSourcesPage({ context }: Services): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    const language = languageOf(headers)
    const t = translator(language)
    const view: View = { context, t, time: (at) => pageTime(context, Date.parse(at), language) }
    const served = await servedSettings(context)
    const sources = context.sources.list()
    const kinds = context.sources.kinds()
    const titles = new Map(kinds.map(({ kind, title }) => [kind, title]))
    const hasPasses = sources.some(({ kind, enabled }) => kind === 'satpass' && enabled)
    const passes = hasPasses ? await nextPasses(context) : null
    const cards = sources.map((source) => card(view, source, titles.get(source.kind) ?? source.kind))
    const body = html`<div id="editor"><p class="live">${t('Live updates and editing need a browser with scripts.')}</p>
${sources.length === 0 ? html`<p>${t('Nothing is listened to yet. Add a source under "sources" in config.json.')}</p>` : html`<div class="cards">${cards}</div>`}
${passes === null ? null : passesSection(view, passes)}</div>`
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
    const files = { script: 'pages/sources.js', style: 'pages/settings.css' }
    return page(context, { title: t('Sources'), path: '/sources', body, headers, identity, data, ...files })
  }
}

function card(view: View, source: SourceStatus, title: string): Html {
  const { t } = view
  const { name, kind, state, reason, error, items, skipped, skipped_reasons, bytes, requests, events } = source
  const reasons = Object.entries(skipped_reasons).map(([why, count]) => html`<li>${count} × ${why}</li>`)
  return html`<article class="card" aria-labelledby="source-${name}"><h2 id="source-${name}">${name}</h2>
<p class="kind">${t.term(title)} <code>${kind}</code></p>
<p>${stateWord(t, state)}${reason === null ? '' : `: ${reason}`}</p>
${error === null || error === reason ? null : html`<p class="warning">${error}</p>`}
<dl class="facts">${timeFact(view, t('Last good answer'), source.last_ok)}${timeFact(view, t('Last try'), source.last_attempt)}
${timeFact(view, t('Next due'), source.next_due)}${fact(t('Items'), String(items))}${fact(t('Left out'), String(skipped))}
${fact(t('Events'), String(events))}${fact(t('Requests'), String(requests))}${fact(t('Bytes'), String(bytes))}</dl>
${reasons.length === 0 ? null : html`<details><summary>${t('Why items were left out')}</summary><ul>${reasons}</ul></details>`}</article>
`
}

function fact(name: string, value: string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function timeFact({ time }: View, name: string, at: string | null): Html | null {
  return at === null ? null : html`<div><dt>${name}</dt><dd>${time(at)}</dd></div>`
}

/** The passes of the first observer, or why there are none. */
type Passes = { found: SatellitePasses; problem: '' } | { found: null; problem: string }

async function nextPasses(context: HttpContext): Promise<Passes> {
  try {
    return { found: await context.passes({ observer: '', hours: 24 }), problem: '' }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not-found')) throw error
    return { found: null, problem: error.message }
  }
}

function passesSection({ t, time }: View, { found, problem }: Passes): Html {
  const heading = html`<h2 id="passes">${t('Satellite passes, next 24 hours')}</h2>`
  if (found === null) return html`<section aria-labelledby="passes">${heading}<p>${problem}</p></section>`
  const rows = found.passes.map(
    (pass) => html`<tr><th scope="row">${pass['satellite'] ?? ''}</th><td>${time(String(pass['rise_time']))}</td>
<td class="number">${pass['max_elevation'] ?? ''}°</td><td>${time(String(pass['set_time']))}</td></tr>
`
  )
  return html`<section aria-labelledby="passes">${heading}<div class="scroll" tabindex="0" role="region" aria-labelledby="passes"><table>
<caption>${found.observer}</caption><thead><tr><th scope="col">${t('Satellite')}</th><th scope="col">${t('Rise')}</th><th scope="col">${t('Highest')}</th><th scope="col">${t('Set')}</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`
}
