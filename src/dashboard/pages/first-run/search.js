// Finds counties and states by name; the station has them all, nobody else is asked.
import { get } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { html, useId, useSignal } from '/static/vendor/ui.js'
import { during } from './state.js'

/** @typedef {{ code: string, name: string, state: string, kind: string }} Found */

/** @param {Found} found */
function nameOf({ code, name, state }) {
  const full = [name, state].filter((word) => word !== '').join(', ')
  return full === '' ? code : `${full} (${code})`
}

/** @param {{ label: string, onPick: (found: Found) => void, hint?: string }} props */
export function PlaceSearch({ label, onPick, hint = '' }) {
  const id = useId()
  const query = useSignal('')
  const results = useSignal(/** @type {Found[] | null} */ (null))
  const find = () => {
    if (query.value.trim() === '') return
    void during(async () => {
      const { body } = await get(`/api/atlas/search?limit=8&q=${encodeURIComponent(query.value.slice(0, 80))}`)
      results.value = body.results
    })
  }
  const onInput = (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
    query.value = event.currentTarget.value
  }
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter') return
    // Enter looks for the place; it does not save the step.
    event.preventDefault()
    find()
  }
  const pick = (/** @type {Found} */ found) => {
    results.value = null
    query.value = ''
    onPick(found)
  }
  const list = results.value
  return html`<div class="search" role="search">
    <p class="field">
      <label for=${id}>${label}</label>
      <span class="with-button">
        <input id=${id} type="search" value=${query.value} onInput=${onInput} onKeyDown=${onKeyDown} autocomplete="off" aria-describedby=${hint === '' ? undefined : `${id}-hint`} />
        <button type="button" onClick=${find}>${t('Find')}</button>
      </span>
      ${hint !== '' && html`<small id=${`${id}-hint`}>${hint}</small>`}
    </p>
    <p class="found quiet" role="status">${list === null ? '' : list.length === 0 ? t('Nothing of this name is known here.') : t('{count} found.', { count: list.length })}</p>
    ${list !== null && list.length > 0 && html`<ul class="results">${list.map((found) => html`<li key=${found.code}><button type="button" onClick=${() => pick(found)}>${nameOf(found)}</button></li>`)}</ul>`}
  </div>`
}
