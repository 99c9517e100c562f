// One field of a form for each type of setting. What is left empty is as it is by default.
import { t, term } from '../lib/i18n.js'
import { html, useSignal } from '../vendor/ui.js'
import { isKept, pointerOf } from './values.js'

/**
 * @typedef {import('./values.js').Setting} Setting
 * @typedef {import('./form.js').Form} Form
 * @typedef {{ form: Form, setting: Setting, path: readonly string[], label?: string }} FieldProps
 * @typedef {FieldProps & { id: string, describedBy: string, invalid: boolean }} ControlProps
 */

/** The kind of value that a field of this name asks for, and so what it proposes. @type {Record<string, string>} */
const ASKS = {
  family: 'family',
  families: 'family',
  category: 'category',
  categories: 'category',
  region: 'region',
  regions: 'region',
  region_scope: 'region',
  destination: 'destination',
  destinations: 'destination',
  excluded_sources: 'source',
  everywhere_sources: 'source',
  mc: 'mc',
  meshcore_channel: 'mc',
  toggles: 'family',
  escalation: 'family'
}

/**
 * Id of the list of proposals for a field, if there is one.
 * @param {Form} form
 * @param {readonly string[]} path
 */
export function listFor(form, path) {
  const key = [...path].reverse().find((part) => !/^\d+$/.test(part)) ?? form.pointer.split('/').at(-1) ?? ''
  const asks = ASKS[key]
  return asks !== undefined && (form.suggestions[asks]?.length ?? 0) > 0 ? `suggest-${asks}` : undefined
}

/** @param {{ suggestions: Record<string, string[]> }} props */
export function Suggestions({ suggestions }) {
  return Object.entries(suggestions).map(
    ([name, values]) =>
      html`<datalist id="suggest-${name}">${values.map((value) => html`<option value=${value} />`)}</datalist>`
  )
}

/** @param {FieldProps & { place: string, reset?: boolean }} props */
export function Notes({ form, setting, path, place, reset = true }) {
  const errors = form.errorsAt(place)
  const override = form.overridden[place]
  const value = form.value(path)
  const canReset = reset && value !== undefined && setting.required !== true && setting.secret !== true
  return html`
    <p class="help" id="help${place}">
      ${setting.description === undefined ? null : term(setting.description)}
      ${setting.restart ? html` <em>${t('From the next start on.')}</em>` : null}
      ${override === undefined ? null : html` <strong>${t('In force: {value}, said by the command line or the environment.', { value: String(override) })}</strong>`}
      ${errors.map((message) => html` <strong class="error">${message}</strong>`)}
    </p>
    ${
      canReset
        ? html`<button type="button" class="reset" onClick=${() => form.set(path, undefined)} aria-label=${`${t('Back to the default')}: ${term(setting.title)}`}>
            ${t('Back to the default')}${defaultText(setting)}
          </button>`
        : null
    }
  `
}

/** @param {Setting} setting */
function defaultText(setting) {
  const value = setting.default
  if (value === undefined || value === null || value === '' || typeof value === 'object') return ''
  const text = typeof value === 'boolean' ? (value ? t('on') : t('off')) : String(value)
  return ` (${text}${setting.unit === undefined ? '' : ` ${setting.unit}`})`
}

/**
 * Label, control, help and error of one plain value.
 * @param {FieldProps} props
 */
export function PlainField({ form, setting, path, label }) {
  const place = `${form.pointer}${pointerOf(path)}`
  const id = `set${place}`
  const control = { form, setting, path, id, describedBy: `help${place}`, invalid: form.errorsAt(place).length > 0 }
  const name = label ?? term(setting.title)
  const isSwitch = setting.type === 'switch'
  return html`<div class=${`field ${isSwitch ? 'switch' : ''}`} key=${`${place}#${form.version.value}`}>
    <label for=${id}>${name}${setting.required ? html` <span class="must">${t('needed')}</span>` : null}</label>
    <${isKept(form.value(path)) ? SecretControl : controlOf(setting)} ...${control} />
    <${Notes} form=${form} setting=${setting} path=${path} place=${place} />
  </div>`
}

/** @param {Setting} setting */
function controlOf(setting) {
  if (setting.secret) return SecretControl
  if (setting.type === 'switch') return SwitchControl
  if (setting.type === 'number') return NumberControl
  if (setting.type === 'choice') return ChoiceControl
  return setting.type === 'json' ? JsonControl : TextControl
}

/** @param {ControlProps} props */
function SwitchControl({ form, setting, path, id, describedBy }) {
  const on = Boolean(form.value(path) ?? setting.default ?? false)
  return html`<input id=${id} type="checkbox" role="switch" checked=${on} aria-describedby=${describedBy}
    onChange=${(/** @type {any} */ event) => form.set(path, event.currentTarget.checked)} />`
}

/** @param {ControlProps} props */
function NumberControl({ form, setting, path, id, describedBy, invalid }) {
  const value = form.value(path)
  /** @param {any} event */
  const typed = (event) => {
    const text = event.currentTarget.value
    form.set(path, text === '' ? undefined : Number(text))
  }
  return html`<span class="with-unit"><input id=${id} type="number" inputmode=${setting.whole ? 'numeric' : 'decimal'} step=${setting.whole ? 1 : 'any'}
    min=${setting.min} max=${setting.max} value=${value ?? ''} placeholder=${setting.default ?? ''} aria-describedby=${describedBy}
    aria-invalid=${invalid} onInput=${typed} />${setting.unit === undefined ? null : html`<span>${setting.unit}</span>`}</span>`
}

/** @param {ControlProps} props */
function TextControl({ form, setting, path, id, describedBy, invalid }) {
  const value = form.value(path)
  /** @param {any} event */
  const typed = (event) => {
    const text = event.currentTarget.value
    if (text === '') form.set(path, undefined)
    else form.set(path, setting.also === 'number' && /^\d{1,15}$/.test(text) ? Number(text) : text)
  }
  const common = {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': invalid,
    onInput: typed,
    autocomplete: 'off',
    spellcheck: false
  }
  const shown = value === undefined || value === null ? '' : String(value)
  if (shown.length > 60) return html`<textarea rows="3" ...${common} value=${shown}></textarea>`
  const placeholder = setting.default === undefined || setting.default === null ? '' : String(setting.default)
  return html`<input type="text" ...${common} value=${shown} placeholder=${placeholder} list=${listFor(form, path)} />`
}

/** @param {ControlProps} props */
function ChoiceControl({ form, setting, path, id, describedBy, invalid }) {
  const value = form.value(path)
  const choices = setting.choices ?? []
  /** @param {any} event */
  const chosen = (event) => {
    const index = Number(event.currentTarget.value)
    form.set(path, index < 0 ? undefined : choices[index])
  }
  const none = setting.required ? t('choose') : `${t('default')}${defaultText(setting)}`
  const at = value === undefined ? -1 : choices.indexOf(value)
  return html`<select id=${id} aria-describedby=${describedBy} aria-invalid=${invalid} value=${at} onChange=${chosen}>
    <option value="-1" selected=${at === -1}>${none}</option>
    ${choices.map((choice, index) => html`<option value=${index} selected=${at === index}>${choiceText(choice)}</option>`)}
  </select>`
}

/** @param {string | number | boolean} choice */
export function choiceText(choice) {
  if (typeof choice === 'boolean') return choice ? t('yes') : t('no')
  return choice === '' ? t('none') : String(choice)
}

/** @param {ControlProps} props */
function SecretControl({ form, path, id, describedBy, invalid }) {
  const value = form.value(path)
  if (isKept(value)) {
    return html`<span class="secret"><span id=${id} tabindex="-1">${t('Set; it is never shown.')}</span>
      <button type="button" onClick=${() => form.set(path, '')}>${t('Replace')}</button>
      <button type="button" onClick=${() => form.set(path, undefined)}>${t('Remove')}</button></span>`
  }
  return html`<input id=${id} type="password" autocomplete="new-password" aria-describedby=${describedBy} aria-invalid=${invalid}
    placeholder=${t('not set')} value=${value ?? ''}
    onInput=${(/** @type {any} */ event) => form.set(path, event.currentTarget.value === '' ? undefined : event.currentTarget.value)} />`
}

/** @param {ControlProps} props */
function JsonControl({ form, setting, path, id, describedBy, invalid }) {
  const place = `${form.pointer}${pointerOf(path)}`
  const text = useSignal(jsonText(form.value(path)))
  /** @param {any} event */
  const typed = (event) => {
    text.value = event.currentTarget.value
    const read = readJson(text.value, setting.also === 'text')
    if (read.ok) {
      form.unreadable.delete(place)
      form.set(path, read.value)
    } else form.unreadable.set(place, read.message)
  }
  return html`<textarea id=${id} class="json" rows=${Math.min(10, text.value.split('\n').length + 1)} spellcheck="false" autocomplete="off"
    aria-describedby=${describedBy} aria-invalid=${invalid} value=${text.value} onInput=${typed}></textarea>`
}

/** @param {unknown} value */
function jsonText(value) {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}

/**
 * @param {string} text
 * @param {boolean} plain a text that is no list and no object is taken as it is
 * @returns {{ ok: true, value: unknown } | { ok: false, message: string }}
 */
function readJson(text, plain) {
  if (text.trim() === '') return { ok: true, value: undefined }
  if (plain && !/^\s*[[{]/.test(text)) return { ok: true, value: text.trim() }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, message: t('This is not JSON: {why}', { why: error instanceof Error ? error.message : '' }) }
  }
}
