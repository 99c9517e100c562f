// The end of every form: what is not saved yet, what was refused and why, and who else was faster.
import { useKeptFocus } from '../lib/focus.js'
import { t } from '../lib/i18n.js'
import { toast } from '../shared/parts.js'
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

/**
 * On the screen while there is something to save, and nothing otherwise (docs/design.md); what became of it is said in its place. An
 * entry that was opened (`onCancel`) can always be closed.
 * @param {{ form: Form, onCancel?: () => void, what?: string }} props
 */
export function SaveBar({ form, onCancel, what }) {
  const { draft, state, conflict, restart, warnings } = form
  // Read, so that the bar follows every edit.
  void draft.value
  const busy = state.value === 'saving'
  const due = form.dirty || busy
  useKeptFocus(due)
  return html`<div class=${form.dirty && !form.isNew ? 'save dirty' : 'save'}>
    <div role="alert"><${Refused} form=${form} />${conflict.value === null ? null : html`<${Conflict} form=${form} />`}</div>
    ${warnings.value.map((warning) => html`<p class="warning">${warning}</p>`)}
    ${restart.value.length === 0 ? null : html`<p class="warning">${t('Saved; used from the next start of the program on: {places}', { places: restart.value.join(', ') })} <a href="/profile#restart">${t('Restart')}</a></p>`}
    ${toast({ html }, state.value === 'saved' ? t('Saved.') : '', 'good')}
    ${
      (due || onCancel !== undefined) &&
      html`<p class="buttons"><span role="status">${stateText(form)}</span>
      ${due && html`<button type="button" class="primary" disabled=${busy || conflict.value !== null} onClick=${() => void form.save()}>${what ?? t('Save')}</button>`}
      ${
        onCancel === undefined
          ? html`<button type="button" disabled=${busy} onClick=${() => form.discard()}>${t('Discard')}</button>`
          : html`<button type="button" onClick=${onCancel}>${form.dirty ? t('Cancel') : t('Close')}</button>`
      }</p>`
    }</div>`
}

/** @param {Form} form */
function stateText(form) {
  if (form.state.value === 'saving') return t('Saving …')
  const count = form.isNew ? 0 : placesOf(form.change()).length
  return count > 0 ? t('Changes not saved: {count}', { count }) : ''
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
