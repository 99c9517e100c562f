// Settings as a form: the drawing that the server has made, with controls. Closed parts are not drawn, so that a large
// section stays quick.
import { t, term } from '../lib/i18n.js'
import { pen } from '../lib/pen.js'
import { entriesOf, keysOf, settingField, settingMembers } from '../shared/setting.js'
import { blankOf, isKept, isObject } from '../shared/values.js'
import { html, useSignal } from '../vendor/ui.js'
import { listFor, notesOf, valueControl } from './fields.js'
import { OverridesField } from './overrides.js'

/**
 * @typedef {import('./form.js').Form} Form
 * @typedef {import('../shared/setting.js').Place} Place
 */

/**
 * All that a form is about.
 * @param {{ form: Form, skip?: string[] }} props
 */
export function Settings({ form, skip = [] }) {
  const { setting } = form
  const top = { setting, path: [], pointer: form.pointer, value: form.value([]) }
  return setting.type === 'object' ? settingMembers(handOf(form), top, skip) : html`<${Field} form=${form} at=${top} />`
}

/** @param {{ form: Form, at: Place }} props */
function Field({ form, at }) {
  const isOverrides = at.setting.type === 'map' && at.path.at(-1) === 'overrides' && !isKept(at.value)
  if (isOverrides) return html`<${OverridesField} form=${form} setting=${at.setting} path=${at.path} />`
  return settingField(pen, handOf(form), at)
}

/** @param {Form} form @returns {import('../shared/setting.js').Hand<any>} */
function handOf(form) {
  return {
    own: form.own,
    field: (at) => html`<${Field} key=${at.pointer} form=${form} at=${at} />`,
    fold: ({ pointer }, head, inner) =>
      html`<${Fold} key=${pointer} form=${form} place=${pointer} head=${head} inner=${inner} />`,
    value: (at) => valueControl(form, at),
    notes: (at, canReset) => notesOf(form, at, canReset),
    entryEnd: (at, index, title) => entryEnd(form, at, index, title),
    groupEnd: (at) => groupEnd(form, at)
  }
}

/**
 * A part that opens; its content is drawn when it is open.
 * @param {{ form: Form, place: string, head: any, inner: () => any }} props
 */
function Fold({ form, place, head, inner }) {
  const aim = decodeURIComponent(location.hash)
  const open = useSignal(aim === `#set${place}` || aim.startsWith(`#set${place}/`))
  const shown = open.value || form.hasErrorsBelow(place)
  return html`<details class="fold" id=${`set${place}`} open=${shown}
    onToggle=${(/** @type {any} */ event) => {
      if (event.target === event.currentTarget) open.value = event.currentTarget.open
    }}>
    <summary>${head}</summary>
    ${shown ? html`<div class="inner">${inner()}</div>` : null}
  </details>`
}

/**
 * The buttons of an entry of a list or a map.
 * @param {Form} form
 * @param {Place} at the list or the map
 * @param {number} index
 * @param {string} title of the entry; in a map its name
 */
function entryEnd(form, at, index, title) {
  const { path, setting } = at
  if (setting.type === 'map')
    return html`<p class="buttons"><button type="button" aria-label=${`${t('Remove')}: ${title}`} onClick=${() => form.set([...path, title], undefined)}>${t('Remove')}</button></p>`
  const entries = entriesOf(at)
  /** @param {number} to */
  const move = (to) => {
    const next = [...entries]
    next.splice(to, 0, ...next.splice(index, 1))
    form.set(path, next)
  }
  const rest = entries.filter((_, place) => place !== index)
  return html`<p class="buttons">
    <button type="button" disabled=${index === 0} aria-label=${`${t('Up')}: ${title}`} onClick=${() => move(index - 1)}>${t('Up')}</button>
    <button type="button" disabled=${index === entries.length - 1} aria-label=${`${t('Down')}: ${title}`} onClick=${() => move(index + 1)}>${t('Down')}</button>
    <button type="button" aria-label=${`${t('Remove')}: ${title}`} onClick=${() => form.set(path, rest)}>${t('Remove')}</button>
  </p>`
}

/**
 * How an entry is added.
 * @param {Form} form
 * @param {Place} at the list or the map
 */
function groupEnd(form, at) {
  const { setting, path, value, label } = at
  const name = label ?? term(setting.title)
  const { items, values } = setting
  if (items !== undefined) {
    const entries = entriesOf(at)
    const full = setting.most !== undefined && entries.length >= setting.most
    return html`<button type="button" disabled=${full} aria-label=${`${t('Add')}: ${name}`} onClick=${() => form.set(path, [...entries, blankOf(items)])}>${t('Add')}</button>`
  }
  if (values === undefined) return null
  const keys = keysOf(at)
  const map = value ?? setting.default
  /** @param {string} key */
  const add = (key) => {
    if (key !== '' && !keys.includes(key)) form.set(path, { ...(isObject(map) ? map : {}), [key]: blankOf(values) })
  }
  const names = setting.names?.filter((key) => !keys.includes(key))
  return html`<${NewKey} name=${name} list=${listFor(form, path)} names=${names} onAdd=${add} />`
}

/** @param {{ name: string, list?: string, names?: string[], onAdd: (key: string) => void }} props */
function NewKey({ name, list, names, onAdd }) {
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
