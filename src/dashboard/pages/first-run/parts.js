// Pieces of the forms: fields with their label and hint, the buttons below each step, what went wrong.
import { t } from '/static/lib/i18n.js'
import { STEPS } from '/static/shared/first-steps.js'
import { html, useId } from '/static/vendor/ui.js'
import { busy, canWrite, failure, goOn, goTo, step } from './state.js'

/** @import { ComponentChildren } from 'preact' */

/** @import { Signal } from '/static/vendor/ui.js' */
/** @typedef {Event & { currentTarget: HTMLInputElement }} InputEventOf */

/**
 * A line of text, kept in `of`.
 * @param {{ label: string, of: Signal<string>, hint?: string, list?: readonly string[], narrow?: boolean, required?: boolean,
 *   inputmode?: string, autocomplete?: string, maxlength?: number }} props
 */
export function Field({ label, of, hint = '', list = [], narrow = false, ...rest }) {
  const id = useId()
  const onInput = (/** @type {InputEventOf} */ event) => {
    of.value = event.currentTarget.value
  }
  return html`<p class=${narrow ? 'field narrow' : 'field'}>
    <label for=${id}>${label}</label>
    <input
      id=${id}
      value=${of.value}
      onInput=${onInput}
      list=${list.length > 0 ? `${id}-list` : undefined}
      aria-describedby=${hint === '' ? undefined : `${id}-hint`}
      ...${rest}
    />
    ${list.length > 0 && html`<datalist id=${`${id}-list`}>${list.map((entry) => html`<option value=${entry} />`)}</datalist>`}
    ${hint !== '' && html`<small id=${`${id}-hint`}>${hint}</small>`}
  </p>`
}

/**
 * One of several, kept in `of`; each option is its key and its name.
 * @param {{ label: string, of: Signal<string>, options: readonly (readonly [string, string])[], hint?: string }} props
 */
export function Choice({ label, of, options, hint = '' }) {
  const id = useId()
  const onChange = (/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => {
    of.value = event.currentTarget.value
  }
  return html`<p class="field">
    <label for=${id}>${label}</label>
    <select
      id=${id}
      aria-describedby=${hint === '' ? undefined : `${id}-hint`}
      onChange=${onChange}
    >
      ${options.map(([key, name]) => html`<option value=${key} selected=${key === of.value}>${name}</option>`)}
    </select>
    ${hint !== '' && html`<small id=${`${id}-hint`}>${hint}</small>`}
  </p>`
}

/**
 * One of a set, kept in `of`.
 * @param {{ label: string, name: string, of: Signal<ReadonlySet<string>>, hint?: string }} props
 */
export function Tick({ label, name, of, hint = '' }) {
  const id = useId()
  const onChange = (/** @type {InputEventOf} */ event) => {
    const { checked } = event.currentTarget
    of.value = new Set(checked ? [...of.value, name] : [...of.value].filter((one) => one !== name))
  }
  return html`<p class="tick">
    <input
      id=${id}
      type="checkbox"
      checked=${of.value.has(name)}
      aria-describedby=${hint === '' ? undefined : `${id}-hint`}
      onChange=${onChange}
    />
    <label for=${id}>${label}</label>
    ${hint !== '' && html`<small id=${`${id}-hint`}>${hint}</small>`}
  </p>`
}

/** The form of one step. @param {{ onSave: () => void, children?: ComponentChildren }} props */
export function StepForm({ onSave, children }) {
  const back = STEPS[STEPS.indexOf(step.value) - 1]
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault()
    onSave()
  }
  return html`<form onSubmit=${submit}>
    ${children}
    <${Failure} />
    <p class="buttons">
      <button type="submit" class="primary" disabled=${!canWrite || busy.value}>
        ${busy.value ? t('Saving …') : t('Save and go on')}
      </button>
      <button type="button" onClick=${goOn}>${t('Skip')}</button>
      ${back !== undefined && html`<button type="button" onClick=${() => goTo(back)}>${t('Back')}</button>`}
    </p>
  </form>`
}

/** The reason of a failure, in words; who is not signed in learns where to do it. */
export function Failure() {
  const found = failure.value
  if (found === null) return null
  return html`<div class="banner bad" role="alert">
    ${found.text}
    ${found.more.length > 0 && html`<ul>${found.more.map((text) => html`<li>${text}</li>`)}</ul>`}
    ${(found.status === 401 || found.status === 403) && html` <a href="/sign-in?back=/first-run">${t('Sign in')}</a>`}
  </div>`
}

/** A number as people write it; NaN when it is none. @param {string} text */
export function numberOf(text) {
  const plain = text.trim().replace(',', '.')
  return plain === '' ? Number.NaN : Number(plain)
}
