// A source's words changed for single events: event name → level, family, or left out.
import { language, t, term } from '../lib/i18n.js'
import { choiceName } from '../shared/setting.js'
import { isObject, pointerOf } from '../shared/values.js'
import { html, useSignal } from '../vendor/ui.js'

/**
 * @typedef {{ form: import('./form.js').Form, setting: import('../shared/values.js').Setting, path: readonly string[] }} FieldProps
 */

/** @param {FieldProps} props */
export function OverridesField({ form, setting, path }) {
  const place = `${form.pointer}${pointerOf(path)}`
  const value = form.value(path)
  const rows = isObject(value) ? Object.keys(value) : []
  const fresh = useSignal('')
  const add = () => {
    const name = fresh.value.trim()
    if (name === '' || rows.includes(name)) return
    form.set([...path, name], {})
    fresh.value = ''
  }
  return html`<fieldset class="field group" id=${`set${place}`}><legend>${term(setting.title)}</legend>
    <p class="help">${term(setting.description ?? '')}</p>
    ${rows.map((name) => html`<${OverrideRow} key=${name} form=${form} setting=${setting} path=${[...path, name]} />`)}
    <div class="row"><input type="text" aria-label=${t('Name of the event')} placeholder=${t('Name of the event')} value=${fresh.value} autocomplete="off"
      onInput=${(/** @type {any} */ event) => {
        fresh.value = event.currentTarget.value
      }} />
    <button type="button" aria-label=${`${t('Add')}: ${term(setting.title)}`} onClick=${add}>${t('Add')}</button></div></fieldset>`
}

/** @param {FieldProps} props */
function OverrideRow({ form, setting, path }) {
  const name = path.at(-1) ?? ''
  const place = `${form.pointer}${pointerOf(path)}`
  const { off, severity, family } = form.value(path) ?? {}
  const levels = setting.values?.members?.['severity']?.choices ?? []
  const errors = ['', '/severity', '/family', '/off'].flatMap((key) => form.errorsAt(`${place}${key}`))
  /** @param {string} key @param {unknown} next */
  const put = (key, next) => form.set([...path, key], next === '' ? undefined : next)
  return html`<div class="override" role="group" aria-label=${name}><strong>${name}</strong>
    <label>${t('Level')} <select disabled=${off === true} value=${severity ?? ''} onChange=${(/** @type {any} */ event) => put('severity', event.currentTarget.value)}>
      <option value="">${t('as told')}</option>${levels.map((level) => html`<option value=${level} selected=${level === severity}>${choiceName(level, { t, language, key: 'severity' })}</option>`)}</select></label>
    <label>${t('Family')} <input type="text" list="suggest-family" disabled=${off === true} value=${family ?? ''} placeholder=${t('as told')}
      onInput=${(/** @type {any} */ event) => put('family', event.currentTarget.value)} /></label>
    <label class="check"><input type="checkbox" checked=${off === true} onChange=${(/** @type {any} */ event) => put('off', event.currentTarget.checked || undefined)} /> ${t('leave out')}</label>
    <button type="button" aria-label=${`${t('Remove')}: ${name}`} onClick=${() => form.set(path, undefined)}>${t('Remove')}</button>
    ${errors.map((message) => html`<strong class="error">${message}</strong>`)}</div>`
}
