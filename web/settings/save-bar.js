// The end of every form: what is not saved yet, what was refused and why, and who else was faster.
import { t } from '../lib/i18n.js'
import { placesOf } from '../shared/values.js'
import { html } from '../vendor/ui.js'

/** @typedef {import('./form.js').Form} Form */

/** @param {{ problem: { status: number, detail: string } }} props */
export function Refusal({ problem }) {
  const back = encodeURIComponent(location.pathname)
  return html`<p class="warning">${problem.detail} ${
    problem.status === 401 || problem.status === 403
      ? html`<a href=${`/sign-in?back=${back}`}>${t('Sign in')}</a>`
      : null
  }</p>`
}

/** @param {{ form: Form, onCancel?: () => void, what?: string }} props */
export function SaveBar({ form, onCancel, what }) {
  const { draft, state, conflict, restart, warnings } = form
  // Read, so that the bar follows every edit.
  void draft.value
  const busy = state.value === 'saving'
  const idle = !form.dirty || busy
  return html`<div class=${form.dirty && !form.isNew ? 'save dirty' : 'save'}>
    <div role="alert"><${Refused} form=${form} />${conflict.value === null ? null : html`<${Conflict} form=${form} />`}</div>
    ${warnings.value.map((warning) => html`<p class="warning">${warning}</p>`)}
    ${restart.value.length === 0 ? null : html`<p class="warning">${t('Saved; used from the next start of the program on: {places}', { places: restart.value.join(', ') })}</p>`}
    <p class="buttons"><span role="status">${stateText(form)}</span>
      <button type="button" class="primary" disabled=${idle || conflict.value !== null} onClick=${() => void form.save()}>${what ?? t('Save')}</button>
      ${
        onCancel === undefined
          ? html`<button type="button" disabled=${idle} onClick=${() => form.discard()}>${t('Discard')}</button>`
          : html`<button type="button" onClick=${onCancel}>${form.dirty ? t('Cancel') : t('Close')}</button>`
      }
    </p></div>`
}

/** @param {Form} form */
function stateText(form) {
  if (form.state.value === 'saving') return t('Saving …')
  if (form.state.value === 'saved') return t('Saved.')
  return form.dirty && !form.isNew ? t('Changes not saved: {count}', { count: placesOf(form.change()).length }) : ''
}

/** @param {{ form: Form }} props */
function Refused({ form }) {
  const problem = form.problem.value
  return problem === null ? null : html`<${Refusal} problem=${problem} /><${ErrorList} form=${form} />`
}

/** @param {{ form: Form }} props */
function ErrorList({ form }) {
  const errors = form.problem.value?.errors ?? []
  if (errors.length === 0) return null
  return html`<ul>${errors.map(({ path, message }) => html`<li><a href=${`#set${path}`}>${path}</a>: ${message}</li>`)}</ul>`
}

/** @param {{ form: Form }} props */
function Conflict({ form }) {
  const places = form.conflict.value?.places ?? []
  return html`<div class="warning"><p>${t('Somebody else changed the same in the meantime:')} <code>${places.join(', ')}</code></p>
    <p class="buttons"><button type="button" onClick=${() => form.settle('theirs')}>${t('Take theirs')}</button>
    <button type="button" onClick=${() => form.settle('mine')}>${t('Put mine over it')}</button></p></div>`
}
