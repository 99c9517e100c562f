// Settings in their frames: name, value or control, help; folds for what holds others. The server draws them to be read,
// the script draws on in the same nodes and puts controls where the values stand.
import { isKept, isObject, nameOf, pointerOf } from './values.js'
import { floorNames } from './words.js'

/** @typedef {import('./values.js').Setting} Setting */
/** @typedef {import('../../src/dashboard/server/context.ts').BroadcastPreview} BroadcastPreview */

/**
 * One setting where it stands.
 * @typedef {object} Place
 * @property {Setting} setting
 * @property {readonly string[]} path from the top of what is drawn
 * @property {string} pointer of it in the configuration
 * @property {unknown} value as it is written; undefined = its default
 * @property {string} [label] instead of its title
 */

/**
 * A page to read and a form differ in these.
 * @template T
 * @typedef {object} Hand
 * @property {Readonly<Record<string, string>>} own parts with a page of their own, by pointer
 * @property {(at: Place) => T} field any setting below; ends in `settingField`
 * @property {(at: Place, head: unknown, inner: () => unknown) => T} fold
 * @property {(at: Place) => unknown} value the value as text, or its control
 * @property {(at: Place, canReset?: boolean) => unknown} notes ends in `settingHelp`
 * @property {(at: Place, index: number, title: string) => unknown} entryEnd what can be done with an entry
 * @property {(at: Place) => unknown} groupEnd how an entry is added
 */

/**
 * One of the values that a setting can have, as people call it.
 * @param {string | number | boolean} choice
 * @param {{ t: import('./words.js').Say, language: string, key: string }} where the language of the page, and the key of the setting
 */
export function choiceName(choice, { t, language, key }) {
  if (typeof choice === 'boolean') return choice ? t('yes') : t('no')
  const word = String(choice)
  if (key === 'language') return new Intl.DisplayNames([language], { type: 'language' }).of(word) ?? word
  /** @type {Readonly<Record<string, string>>} */
  const floors = floorNames(t)
  return word === '' ? t('none') : (floors[word] ?? word)
}

/** @param {Setting} setting @param {(text: string) => string} term */
export const unitAfter = ({ unit }, term) => (unit === undefined ? '' : ` ${term(unit)}`)

/**
 * Any setting.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Hand<T>} hand
 * @param {Place} at
 * @returns {T}
 */
export function settingField(pen, hand, at) {
  const { html, t, term } = pen
  const { setting, pointer, value } = at
  const own = hand.own[pointer]
  if (own !== undefined)
    return html`<p class="field"><a href="${own}">${term(setting.title)}</a> <small>${t('has a page of its own.')}</small></p>`
  // Of whoever may not see it.
  if (isKept(value)) return plainField(pen, hand, at)
  if (setting.type === 'object') return foldOf(pen, hand, at)
  if (setting.type === 'list' && setting.items !== undefined) {
    const isPlain = ['choice', 'text', 'number'].includes(setting.items.type)
    return isPlain ? plainList(pen, hand, at) : entryList(pen, hand, { ...at, items: setting.items })
  }
  if (setting.type === 'map' && setting.values !== undefined)
    return entryMap(pen, hand, { ...at, values: setting.values })
  return plainField(pen, hand, at)
}

/**
 * @template T
 * @param {Hand<T>} hand
 * @param {Place} at of an object
 * @param {readonly string[]} [skip]
 */
export function settingMembers(hand, { setting, path, pointer, value }, skip = []) {
  return Object.entries(setting.members ?? {})
    .filter(([key]) => !skip.includes(key))
    .map(([key, member]) => hand.field(below({ path, pointer, value }, key, member)))
}

/**
 * @param {Pick<Place, 'path' | 'pointer' | 'value'>} at
 * @param {string} key
 * @param {Setting} setting
 * @returns {Place}
 */
function below({ path, pointer, value }, key, setting) {
  const inner =
    typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
  return { setting, path: [...path, key], pointer: `${pointer}${pointerOf([key])}`, value: inner }
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Place} at
 */
function nameText({ html, t, term }, { setting, label }) {
  return html`${label ?? term(setting.title)}${setting.required ? html` <span class="must">${t('needed')}</span>` : null}`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Hand<T>} hand
 * @param {Place} at
 */
function plainField(pen, hand, at) {
  const id = `set${at.pointer}`
  return pen.html`<div class="${at.setting.type === 'switch' ? 'field switch' : 'field'}"><label for="${id}">${nameText(pen, at)}</label>
${hand.value(at)}${hand.notes(at)}</div>`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Hand<T>} hand
 * @param {Place} at
 */
function plainList(pen, hand, at) {
  return pen.html`<fieldset class="field" id="set${at.pointer}" aria-describedby="help${at.pointer}"><legend>${nameText(pen, at)}</legend>
${hand.value(at)}${hand.notes(at)}</fieldset>`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {unknown} heading
 * @param {string} [note]
 */
function foldHead({ html }, heading, note = '') {
  return html`<span>${heading}</span>${note === '' ? null : html` <small>${note}</small>`}`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Hand<T>} hand
 * @param {Place} at
 */
function foldOf(pen, hand, at) {
  const head = foldHead(pen, at.label ?? pen.term(at.setting.title), at.value === undefined ? pen.t('default') : '')
  return hand.fold(at, head, () => [hand.notes(at), settingMembers(hand, at)])
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Hand<T>} hand
 * @param {Place} at
 * @param {unknown} entries
 */
function group({ html, term }, hand, at, entries) {
  const { pointer, label, setting } = at
  return html`<fieldset class="field group" id="set${pointer}" aria-describedby="help${pointer}"><legend>${label ?? term(setting.title)}</legend>
${hand.notes(at, false)}${entries}${hand.groupEnd(at)}</fieldset>`
}

/** A list as it stands, or by default. @param {Place} at @returns {unknown[]} */
export function entriesOf({ value, setting }) {
  const list = value ?? setting.default
  return Array.isArray(list) ? list : []
}

/** The names in a map as it stands, or by default. @param {Place} at @returns {string[]} */
export function keysOf({ value, setting }) {
  const map = value ?? setting.default
  return isObject(map) ? Object.keys(map) : []
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Hand<T>} hand
 * @param {Place & { items: Setting }} at
 */
function entryList(pen, hand, at) {
  const entries = entriesOf(at).map((entry, index) => {
    const kind = isObject(entry) ? at.items.kinds?.[String(entry['kind'])] : undefined
    const own = below({ ...at, value: [] }, String(index), kind ?? at.items)
    const title = nameOf(entry) || `${index + 1}`
    const place = { ...own, value: entry, label: title }
    const off = isObject(entry) && entry['enabled'] === false ? pen.t('off') : ''
    const inner = () => [
      place.setting.type === 'object' ? settingMembers(hand, place) : plainField(pen, hand, place),
      hand.entryEnd(at, index, title)
    ]
    return hand.fold(place, foldHead(pen, title, off), inner)
  })
  return group(pen, hand, at, entries)
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Hand<T>} hand
 * @param {Place & { values: Setting }} at
 */
function entryMap(pen, hand, at) {
  const entries = keysOf(at).map((key, index) => {
    const place = { ...below({ ...at, value: at.value ?? at.setting.default }, key, at.values), label: key }
    if (at.values.type !== 'object')
      return pen.html`<div class="entry">${hand.field(place)}${hand.entryEnd(at, index, key)}</div>`
    const inner = () => [settingMembers(hand, place), hand.entryEnd(at, index, key)]
    return hand.fold(place, foldHead(pen, key), inner)
  })
  return group(pen, hand, at, entries)
}

/**
 * The help of a setting, what rules it from outside, and why it was refused.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Place} at
 * @param {{ override?: unknown, errors?: readonly string[] }} more
 */
export function settingHelp({ html, t, term }, { setting, pointer }, { override, errors = [] }) {
  return html`<p class="help" id="help${pointer}">${setting.description === undefined ? null : term(setting.description)}${
    setting.restart ? html` <em>${t('From the next start on.')}</em>` : null
  }${
    override === undefined
      ? null
      : html` <strong>${t('In force: {value}, said by the command line or the environment.', { value: String(override) })}</strong>`
  }${errors.map((message) => html` <strong class="error">${message}</strong>`)}</p>`
}

/**
 * The destinations of the section of notifications, by name.
 * @param {unknown} section
 * @returns {{ name: string, type: string }[]}
 */
export function destinationsIn(section) {
  const { destinations = {} } = /** @type {{ destinations?: Record<string, { type?: string }> }} */ (section ?? {})
  return Object.entries(destinations).map(([name, { type = 'mesh_broadcast' }]) => ({ name, type }))
}

/**
 * Destinations as they were saved, each with a way to try it.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {readonly { name: string, type: string }[]} destinations
 * @param {(destination: { name: string, type: string }) => unknown} [control]
 */
export function destinationSection({ html, t }, destinations, control = () => null) {
  if (destinations.length === 0) return null
  return html`<section aria-labelledby="destinations-tried"><h2 id="destinations-tried">${t('Try a destination')}</h2>
<p>${t('A message that says it is a test goes there now, with the settings as they were saved. Over a mesh it is transmitted for real.')}</p>
${destinations.map((one) => html`<div class="card"><h3>${one.name}</h3><p><code>${one.type}</code></p>${control(one)}</div>`)}</section>`
}

/**
 * The present text of each scheduled broadcast: seen before it is heard.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {readonly BroadcastPreview[]} previews
 * @param {{ problem?: string, button?: unknown }} [controls]
 */
export function broadcastSection(pen, previews, { problem = '', button = null } = {}) {
  const { html, t } = pen
  return html`<section aria-labelledby="previews"><h2 id="previews">${t('What the broadcasts would say now')}</h2>
${problem === '' ? null : html`<p class="warning">${problem}</p>`}
${previews.length === 0 ? html`<p>${t('No broadcast is scheduled.')}</p>` : previews.map((one) => preview(pen, one))}
${button}</section>`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {BroadcastPreview} broadcast
 */
function preview({ html, t, moment }, { name, enabled, at, next_run, channels }) {
  const texts = channels.map(
    ({ channel, text }) =>
      html`<div><dt>${channel}</dt><dd class="text">${text ?? t('nothing to tell now')}${
        text === null ? null : html` <small>${new TextEncoder().encode(text).length} ${t('bytes')}</small>`
      }</dd></div>`
  )
  return html`<div class="card"><h3>${name}${enabled ? '' : ` (${t('off')})`}</h3>
<p>${at.join(', ')}${next_run === null ? '' : html` · ${t('next')}: ${moment(next_run)}`}</p>
<dl class="values">${texts}</dl></div>`
}
