// The state of one source.
import { fact, stateMark } from './pen.js'
import { bytesText } from './times.js'

/** @typedef {import('../../src/dashboard/server/said-status.ts').SaidSource} SourceStatus */

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {{ status: SourceStatus, title: string }} source `title` of its kind
 * @param {unknown} [controls] what an editor puts below
 */
export function sourceCard(pen, { status, title }, controls = null) {
  const { html, term } = pen
  const { name, kind, state, reason, error } = status
  // It looks at the station's own radios: nobody answers, so nothing is proven.
  return html`<article class="card" aria-labelledby="source-${name}"><h2 id="source-${name}">${name}</h2>
<p class="kind">${term(title)} <code>${kind}</code></p>
<p>${stateMark(pen, state, kind === 'mesh_health')}${reason === null ? '' : `: ${reason}`}</p>
${error === null || error === reason ? null : html`<p class="warning">${error}</p>`}
${status.last_attempt === null && status.events + status.items === 0 ? null : facts(pen, status)}
${controls}</article>`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {SourceStatus} status
 */
function facts(
  pen,
  { mode, last_ok, last_attempt, next_due, items, skipped, skipped_reasons, events, requests, bytes }
) {
  const { html, t, language } = pen
  const reasons = Object.entries(skipped_reasons).map(([why, count]) => html`<li>${count} × ${why}</li>`)
  /** @param {string | null} at */
  const moment = (at) => (at === null ? '–' : pen.moment(at))
  return html`<dl class="facts">${fact(pen, t('Last good answer'), moment(last_ok))}${fact(pen, t('Last try'), moment(last_attempt))}
${mode === 'poll' ? fact(pen, t('Next due'), moment(next_due)) : null}
${fact(pen, t('Items'), items)}${fact(pen, t('Left out'), skipped)}${fact(pen, t('Events'), events)}
${mode === 'poll' ? fact(pen, t('Requests'), requests) : null}${fact(pen, t('Bytes'), bytesText(bytes, language))}</dl>
${reasons.length === 0 ? null : html`<details><summary>${t('Why items were left out')}</summary><ul>${reasons}</ul></details>`}`
}

/**
 * The passes of the next day over one observer.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {import('../../src/dashboard/server/said-status.ts').SaidPasses} passes
 */
export function passesTable({ html, t, moment }, { observer, passes, unusable, min_elevation }) {
  if (passes.length === 0) return html`<p>${t('No pass rises above {degrees}°.', { degrees: min_elevation })}</p>`
  const rows = passes.map(
    (pass) => html`<tr><th scope="row">${pass['satellite'] ?? ''}</th><td>${moment(String(pass['rise_time']))}</td>
<td class="number">${pass['max_elevation'] ?? ''}°</td><td>${moment(String(pass['set_time']))}</td></tr>`
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="passes observer"><table><caption id="observer">${observer}</caption>
<thead><tr><th scope="col">${t('Satellite')}</th><th scope="col">${t('Rise')}</th><th scope="col">${t('Highest')}</th><th scope="col">${t('Set')}</th></tr></thead>
<tbody>${rows}</tbody></table></div>
${unusable.length === 0 ? null : html`<details><summary>${t('Satellites left out')}</summary><ul>${unusable.map(({ id, reason }) => html`<li>${id}: ${reason}</li>`)}</ul></details>`}`
}
