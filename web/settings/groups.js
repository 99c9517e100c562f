// Settings that hold others: objects, lists, maps. Closed parts are not drawn, so that a large section stays quick.
import { t, term } from '../lib/i18n.js'
import { html, useSignal } from '../vendor/ui.js'
import { choiceText, listFor, Notes, PlainField } from './fields.js'
import { OverridesField } from './overrides.js'
import { blankOf, isKept, isObject, nameOf, pointerOf } from './values.js'

/**
 * @typedef {import('./values.js').Setting} Setting
 * @typedef {import('./form.js').Form} Form
 * @typedef {import('./fields.js').FieldProps} FieldProps
 */

/**
 * Any setting.
 * @param {FieldProps} props
 * @returns {any}
 */
export function Field(props) {
  const { form, setting, path } = props
  const place = `${form.pointer}${pointerOf(path)}`
  const own = form.own[place]
  if (own !== undefined)
    return html`<p class="field"><a href=${own}>${term(setting.title)}</a> <small>${t('has a page of its own.')}</small></p>`
  // Of whoever may not see it.
  if (isKept(form.value(path))) return html`<${PlainField} ...${props} />`
  if (setting.type === 'object') return html`<${ObjectField} ...${props} />`
  if (setting.type === 'list') return html`<${ListField} ...${props} />`
  if (setting.type === 'map')
    return path.at(-1) === 'overrides' ? html`<${OverridesField} ...${props} />` : html`<${MapField} ...${props} />`
  return html`<${PlainField} ...${props} />`
}

/** @param {FieldProps & { skip?: string[] }} props */
export function Members({ form, setting, path, skip = [] }) {
  return Object.entries(setting.members ?? {})
    .filter(([key]) => !skip.includes(key))
    .map(([key, member]) => html`<${Field} key=${key} form=${form} setting=${member} path=${[...path, key]} />`)
}

/**
 * A part that opens; its content is drawn when it is open.
 * @param {{ form: Form, place: string, heading: any, note?: string, children?: any }} props
 */
function Fold({ form, place, heading, note = '', children }) {
  const aim = decodeURIComponent(location.hash)
  const open = useSignal(aim === `#set${place}` || aim.startsWith(`#set${place}/`))
  const shown = open.value || form.hasErrorsBelow(place)
  return html`<details class="fold" id=${`set${place}`} open=${shown}
    onToggle=${(/** @type {any} */ event) => {
      if (event.target === event.currentTarget) open.value = event.currentTarget.open
    }}>
    <summary><span>${heading}</span> ${note === '' ? null : html`<small>${note}</small>`}</summary>
    ${shown ? html`<div class="inner">${children}</div>` : null}
  </details>`
}

/** @param {FieldProps} props */
function ObjectField({ form, setting, path, label }) {
  const place = `${form.pointer}${pointerOf(path)}`
  const value = form.value(path)
  const note = value === undefined ? t('default') : ''
  return html`<${Fold} form=${form} place=${place} heading=${label ?? term(setting.title)} note=${note}>
    <${Notes} form=${form} setting=${setting} path=${path} place=${place} />
    <${Members} form=${form} setting=${setting} path=${path} />
  </${Fold}>`
}

/** @param {FieldProps} props */
function ListField(props) {
  const items = props.setting.items
  if (items === undefined) return null
  if (items.type === 'choice') return html`<${ChecksField} ...${props} />`
  if (items.type === 'text' || items.type === 'number') return html`<${PlainList} ...${props} items=${items} />`
  return html`<${EntryList} ...${props} items=${items} />`
}

/**
 * @param {FieldProps} props
 * @returns {unknown[]}
 */
function listOf({ form, setting, path }) {
  const value = form.value(path) ?? setting.default
  return Array.isArray(value) ? value : []
}

/** @param {FieldProps} props */
function ChecksField(props) {
  const { form, setting, path } = props
  const place = `${form.pointer}${pointerOf(path)}`
  const chosen = listOf(props)
  const choices = setting.items?.choices ?? []
  /** @param {unknown} choice */
  const toggle = (choice) =>
    form.set(
      path,
      choices.filter((one) => (one === choice ? !chosen.includes(one) : chosen.includes(one)))
    )
  return html`<fieldset class="field" id=${`set${place}`} aria-describedby=${`help${place}`}><legend>${props.label ?? term(setting.title)}</legend>
    <div class="checks">${choices.map(
      (choice) =>
        html`<label><input type="checkbox" checked=${chosen.includes(choice)} onChange=${() => toggle(choice)} /> ${choiceText(choice)}</label>`
    )}</div>
    <${Notes} form=${form} setting=${setting} path=${path} place=${place} /></fieldset>`
}

/** @param {FieldProps & { items: Setting }} props */
function PlainList(props) {
  const { form, setting, path, items } = props
  const place = `${form.pointer}${pointerOf(path)}`
  const entries = listOf(props)
  const name = props.label ?? term(setting.title)
  /** @param {string} text */
  const read = (text) =>
    items.type === 'number' || (items.also === 'number' && /^\d{1,15}$/.test(text)) ? Number(text) : text
  /** @param {unknown[]} next */
  const put = (next) => form.set(path, next)
  return html`<fieldset class="field" id=${`set${place}`} aria-describedby=${`help${place}`}><legend>${name}${setting.required ? html` <span class="must">${t('needed')}</span>` : null}</legend>
    ${entries.map(
      (
        entry,
        index
      ) => html`<div class="row"><input type="text" list=${listFor(form, path)} aria-label=${`${name} ${index + 1}`} value=${String(entry)}
        aria-invalid=${form.errorsAt(`${place}/${index}`).length > 0} autocomplete="off" spellcheck="false"
        onInput=${(/** @type {any} */ event) => put(entries.map((one, at) => (at === index ? read(event.currentTarget.value) : one)))} />
        <button type="button" aria-label=${`${t('Remove')} ${entry}`} onClick=${() => put(entries.filter((_, at) => at !== index))}>${t('Remove')}</button>
        ${form.errorsAt(`${place}/${index}`).map((message) => html`<strong class="error">${message}</strong>`)}</div>`
    )}
    <button type="button" aria-label=${`${t('Add')}: ${name}`} onClick=${() => put([...entries, ''])}>${t('Add')}</button>
    <${Notes} form=${form} setting=${setting} path=${path} place=${place} /></fieldset>`
}

/** @param {FieldProps & { items: Setting }} props */
function EntryList(props) {
  const { form, setting, path, items } = props
  const place = `${form.pointer}${pointerOf(path)}`
  const entries = listOf(props)
  const name = props.label ?? term(setting.title)
  /**
   * @param {number} from
   * @param {number} to
   */
  const move = (from, to) => {
    const next = [...entries]
    next.splice(to, 0, ...next.splice(from, 1))
    form.set(path, next)
  }
  const full = setting.most !== undefined && entries.length >= setting.most
  return html`<fieldset class="field group" id=${`set${place}`} aria-describedby=${`help${place}`}><legend>${name}</legend>
    <${Notes} form=${form} setting=${setting} path=${path} place=${place} reset=${false} />
    ${entries.map((entry, index) => {
      const title = nameOf(entry) || `${index + 1}`
      return html`<${Fold} form=${form} place=${`${place}/${index}`} heading=${title} note=${isObject(entry) && entry['enabled'] === false ? t('off') : ''}>
        ${items.type === 'object' ? html`<${Members} form=${form} setting=${items} path=${[...path, String(index)]} />` : html`<${PlainField} form=${form} setting=${items} path=${[...path, String(index)]} label=${title} />`}
        <p class="buttons">
          <button type="button" disabled=${index === 0} aria-label=${`${t('Up')}: ${title}`} onClick=${() => move(index, index - 1)}>${t('Up')}</button>
          <button type="button" disabled=${index === entries.length - 1} aria-label=${`${t('Down')}: ${title}`} onClick=${() => move(index, index + 1)}>${t('Down')}</button>
          <button type="button" aria-label=${`${t('Remove')}: ${title}`} onClick=${() =>
            form.set(
              path,
              entries.filter((_, at) => at !== index)
            )}>${t('Remove')}</button>
        </p>
      </${Fold}>`
    })}
    <button type="button" disabled=${full} aria-label=${`${t('Add')}: ${name}`} onClick=${() => form.set(path, [...entries, blankOf(items)])}>${t('Add')}</button></fieldset>`
}

/** @param {FieldProps} props */
function MapField({ form, setting, path, label }) {
  const place = `${form.pointer}${pointerOf(path)}`
  const value = form.value(path) ?? setting.default
  const entries = isObject(value) ? Object.keys(value) : []
  const values = setting.values
  const name = label ?? term(setting.title)
  if (values === undefined) return null
  /** @param {string} key */
  const add = (key) => {
    if (key !== '' && !entries.includes(key))
      form.set(path, { ...(isObject(value) ? value : {}), [key]: blankOf(values) })
  }
  return html`<fieldset class="field group" id=${`set${place}`} aria-describedby=${`help${place}`}><legend>${name}</legend>
    <${Notes} form=${form} setting=${setting} path=${path} place=${place} reset=${false} />
    ${entries.map((key) => html`<${MapEntry} key=${key} form=${form} setting=${values} path=${[...path, key]} />`)}
    <${NewKey} name=${name} list=${listFor(form, path)} names=${setting.names?.filter((key) => !entries.includes(key))} onAdd=${add} /></fieldset>`
}

/** @param {FieldProps} props */
function MapEntry({ form, setting, path }) {
  const key = path.at(-1) ?? ''
  const remove = html`<button type="button" aria-label=${`${t('Remove')}: ${key}`} onClick=${() => form.set(path, undefined)}>${t('Remove')}</button>`
  if (setting.type !== 'object') {
    return html`<div class="entry"><${Field} form=${form} setting=${setting} path=${path} label=${key} />${remove}</div>`
  }
  return html`<${Fold} form=${form} place=${`${form.pointer}${pointerOf(path)}`} heading=${key}>
    <${Members} form=${form} setting=${setting} path=${path} /><p class="buttons">${remove}</p></${Fold}>`
}

/** @param {{ name: string, list?: string, names?: string[], onAdd: (key: string) => void }} props */
export function NewKey({ name, list, names, onAdd }) {
  const text = useSignal('')
  const add = () => {
    onAdd((names === undefined ? text.value : text.value || (names[0] ?? '')).trim())
    text.value = ''
  }
  const label = `${t('New entry')}: ${name}`
  /** @param {any} event */
  const typed = (event) => {
    text.value = event.currentTarget.value
  }
  if (names !== undefined && names.length === 0) return null
  return html`<div class="row">${
    names === undefined
      ? html`<input type="text" list=${list} aria-label=${label} placeholder=${t('Name')} value=${text.value} autocomplete="off" onInput=${typed}
          onKeyDown=${(/** @type {any} */ event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }} />`
      : html`<select aria-label=${label} value=${text.value} onChange=${typed}>${names.map((key) => html`<option>${key}</option>`)}</select>`
  }<button type="button" aria-label=${`${t('Add')}: ${name}`} onClick=${add}>${t('Add')}</button></div>`
}
