// One field of a form for each type of setting. What is left empty is as it is by default.
import { language, t, term } from '../lib/i18n.js'
import { pen } from '../lib/pen.js'
import { choiceName, entriesOf, settingHelp, unitAfter } from '../shared/setting.js'
import { isKept, pointerOf } from '../shared/values.js'
import { html, useSignal } from '../vendor/ui.js'

/**
 * @typedef {import('../shared/values.js').Setting} Setting
 * @typedef {import('./form.js').Form} Form
 * @typedef {import('../shared/setting.js').Place} Place
 * @typedef {{ form: Form, setting: Setting, path: readonly string[], label?: string, id: string, describedBy: string, invalid: boolean }} ControlProps
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

/**
 * The help of a setting, and the way back to its default.
 * @param {Form} form
 * @param {Place} at
 * @param {boolean} [canReset]
 */
export function notesOf(form, at, canReset = true) {
  const { setting, path, pointer, value } = at
  const help = settingHelp(pen, at, { override: form.overridden[pointer], errors: form.errorsAt(pointer) })
  if (!canReset || value === undefined || setting.required === true || setting.secret === true) return help
  return html`${help}<button type="button" class="reset" onClick=${() => form.set(path, undefined)} aria-label=${`${t('Back to the default')}: ${term(setting.title)}`}>
    ${t('Back to the default')}${defaultText(setting, keyOf(path))}
  </button>`
}

/** @param {readonly string[]} path */
const keyOf = (path) => path.at(-1) ?? ''

/** @param {Setting} setting @param {string} key */
function defaultText(setting, key) {
  const value = setting.default
  if (value === undefined || value === null || value === '' || typeof value === 'object') return ''
  const text = typeof value === 'boolean' ? (value ? t('on') : t('off')) : choiceText(value, key)
  return ` (${text}${unitAfter(setting, term)})`
}

/**
 * The control of a value; drawn from its beginning when the form is.
 * @param {Form} form
 * @param {Place} at
 */
export function valueControl(form, { setting, path, pointer, value, label }) {
  const props = {
    form,
    setting,
    path,
    id: `set${pointer}`,
    describedBy: `help${pointer}`,
    label,
    invalid: form.errorsAt(pointer).length > 0
  }
  return html`<${isKept(value) ? SecretControl : controlOf(setting)} key=${`${pointer}#${form.version.value}`} ...${props} />`
}

/** @param {Setting} setting */
function controlOf(setting) {
  if (setting.secret) return SecretControl
  if (setting.type === 'switch') return SwitchControl
  if (setting.type === 'number') return NumberControl
  if (setting.type === 'choice') return ChoiceControl
  if (setting.type === 'list') return setting.items?.type === 'choice' ? ChecksControl : RowsControl
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
    aria-invalid=${invalid} onInput=${typed} />${setting.unit === undefined ? null : html`<span>${term(setting.unit)}</span>`}</span>`
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
  const none = setting.required ? t('choose') : `${t('default')}${defaultText(setting, keyOf(path))}`
  const at = value === undefined ? -1 : choices.indexOf(value)
  return html`<select id=${id} aria-describedby=${describedBy} aria-invalid=${invalid} value=${at} onChange=${chosen}>
    <option value="-1" selected=${at === -1}>${none}</option>
    ${choices.map((choice, index) => html`<option value=${index} selected=${at === index}>${choiceText(choice, keyOf(path))}</option>`)}
  </select>`
}

/** @param {string | number | boolean} choice @param {string} key */
const choiceText = (choice, key) => choiceName(choice, { t, language, key })

/** @param {ControlProps} props */
function ChecksControl({ form, setting, path }) {
  const chosen = entriesOf({ setting, path, pointer: '', value: form.value(path) })
  const choices = setting.items?.choices ?? []
  /** @param {unknown} choice */
  const toggle = (choice) =>
    form.set(
      path,
      choices.filter((one) => (one === choice ? !chosen.includes(one) : chosen.includes(one)))
    )
  return html`<div class="checks">${choices.map(
    (choice) =>
      html`<label><input type="checkbox" checked=${chosen.includes(choice)} onChange=${() => toggle(choice)} /> ${choiceText(choice, keyOf(path))}</label>`
  )}</div>`
}

/** @param {ControlProps} props */
function RowsControl({ form, setting, path, label }) {
  const place = `${form.pointer}${pointerOf(path)}`
  const entries = entriesOf({ setting, path, pointer: place, value: form.value(path) })
  const name = label ?? term(setting.title)
  /** @param {string} text */
  const read = (text) =>
    setting.items?.type === 'number' || (setting.items?.also === 'number' && /^\d{1,15}$/.test(text))
      ? Number(text)
      : text
  /** @param {unknown[]} next */
  const put = (next) => form.set(path, next)
  return html`${entries.map(
    (
      entry,
      index
    ) => html`<div class="row"><input type="text" list=${listFor(form, path)} aria-label=${`${name} ${index + 1}`} value=${String(entry)}
      aria-invalid=${form.errorsAt(`${place}/${index}`).length > 0} autocomplete="off" spellcheck="false"
      onInput=${(/** @type {any} */ event) => put(entries.map((one, at) => (at === index ? read(event.currentTarget.value) : one)))} />
      <button type="button" aria-label=${`${t('Remove')} ${entry}`} onClick=${() => put(entries.filter((_, at) => at !== index))}>${t('Remove')}</button>
      ${form.errorsAt(`${place}/${index}`).map((message) => html`<strong class="error">${message}</strong>`)}</div>`
  )}
  <button type="button" aria-label=${`${t('Add')}: ${name}`} onClick=${() => put([...entries, ''])}>${t('Add')}</button>`
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
      form.setUnreadable(place, null)
      form.set(path, read.value)
    } else form.setUnreadable(place, read.message)
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
