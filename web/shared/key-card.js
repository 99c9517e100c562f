// The state of one key.
import { fact } from './pen.js'

/** @typedef {Omit<import('../../src/knowledge/keys/key-store.ts').KeyRow, 'reason'>} KeyRow */

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {{ row: KeyRow, name: string, host: string | null, why: string | null }} key name and host of its provider, why it is refused
 * @param {unknown} [controls] what an editor puts below
 */
export function keyCard(pen, { row, name, host, why }, controls = null) {
  const { html, t, term } = pen
  const { id, masked, length, calls, errors, last_used, last_validated } = row
  /** @param {string | null} at */
  const moment = (at) => (at === null ? t('never') : pen.moment(at))
  return html`<li class="card" aria-labelledby="key-${id}"><h2 id="key-${id}"><code>${masked}</code></h2>
<p class="kind">${term(name)}${host === null ? '' : ` · ${host}`} · ${t('{count} characters', { count: length })}</p>
<p>${stateLine(pen, row, why)}</p>
<dl class="facts of-key">${fact(pen, t('Calls'), calls)}${fact(pen, t('Errors'), errors)}
${fact(pen, t('Last used'), moment(last_used))}${fact(pen, t('Last tested'), moment(last_validated))}</dl>
${controls}</li>`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {KeyRow} row
 * @param {string | null} why
 */
function stateLine({ html, t, moment }, { state, ready_at, valid }, why) {
  if (state === 'quarantined')
    return html`<strong class="state bad">${t('refused')}</strong>${why === null ? '' : `: ${why}`}`
  if (state === 'cooling' && ready_at !== null)
    return html`<strong class="state waiting">${t('over its limit')}</strong> ${t('until')} ${moment(ready_at)}`
  return valid === true
    ? html`<strong class="state good">${t('works')}</strong>`
    : html`<strong class="state off">${t('not tested')}</strong>`
}
