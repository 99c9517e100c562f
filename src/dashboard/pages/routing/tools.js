// Above the matrix: find, jump, group, close, choose the overlay, and begin to pick cells.
import { t } from '/static/lib/i18n.js'
import { keyOf } from '/static/shared/matrix-model.js'
import { html, useId } from '/static/vendor/ui.js'
import { weekState } from './week.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */
/** @typedef {{ currentTarget: HTMLSelectElement }} Chosen */

/** @param {{ workspace: Workspace }} given */
export function Tools({ workspace }) {
  const { matrix, narrow, view, picked } = workspace
  const several = matrix.columns.value.length > 1
  return html`<div class="tools" role="group" aria-label=${t('What is shown')}>
    ${!narrow.value && several && html`<${Find} workspace=${workspace} /><${Grouped} view=${view} /><${Sorted} view=${view} />`}
    ${matrix.columns.value.length > 0 && html`<${Shown} workspace=${workspace} />`}
    ${several && html`<p class="tool"><button type="button" aria-pressed=${picked.tapping.value} onClick=${() => workspace.pickMode()}>${t('Pick cells')}</button></p>`}
    ${!narrow.value && html`<${Groups} view=${view} />`}</div>`
}

/** Typing shows what is like it, Enter goes there. @param {{ workspace: Workspace }} given */
function Find({ workspace: { view, focus } }) {
  const id = useId()
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const input = ({ currentTarget: { value } }) => {
    view.typed.value = value
  }
  /** @param {KeyboardEvent} event */
  const keydown = (event) => {
    if (event.key === 'Escape') view.typed.value = ''
    else if (event.key === 'Enter') jump()
    else return
    event.preventDefault()
  }
  const jump = () => {
    const row = view.rows.peek()[0]
    const column = view.found.peek().columns[0]
    if (!row || !column) return
    focus.value = keyOf(row.key, column.key)
    document.getElementById(`cell-0-${view.columns.peek().indexOf(column)}`)?.focus()
  }
  return html`<p class="tool find"><label for=${id}>${t('Find a region or family')}</label>
    <input id=${id} type="search" autocomplete="off" value=${view.typed.value} onInput=${input} onKeyDown=${keydown} aria-describedby=${`${id}-found`} />
    <span class="quiet" id=${`${id}-found`} role="status">${view.found.value.isFound ? '' : t('No name is like that.')}</span></p>`
}

/** @param {{ view: import('./view.js').View }} given */
function Grouped({ view }) {
  const id = useId()
  /** @type {[import('./view.js').Grouping, string][]} */
  const ways = [
    ['none', t('as they are')],
    ['channel', t('by channel')],
    ['letter', t('by first letter')]
  ]
  /** @param {Chosen} event */
  const change = ({ currentTarget: { value } }) => {
    view.closed.value = new Set()
    view.grouping.value = ways.find(([way]) => way === value)?.[0] ?? 'none'
  }
  return html`<p class="tool"><label for=${id}>${t('Regions')}</label>
    <select id=${id} onChange=${change}>${ways.map(([way, words]) => html`<option key=${way} value=${way} selected=${way === view.grouping.value}>${words}</option>`)}</select></p>`
}

/** @param {{ view: import('./view.js').View }} given */
function Sorted({ view: { families } }) {
  const id = useId()
  /** @type {[import('./families.js').Sorting, string][]} */
  const ways = [
    ['none', t('as they are')],
    ['kind', t('by kind')],
    ['severity', t('by least severity')]
  ]
  /** @param {Chosen} event */
  const change = ({ currentTarget: { value } }) => families.sort(ways.find(([way]) => way === value)?.[0] ?? 'none')
  return html`<p class="tool"><label for=${id}>${t('Families')}</label>
    <select id=${id} class="sorting" onChange=${change}>${ways.map(([way, words]) => html`<option key=${way} value=${way} selected=${way === families.sorting.value}>${words}</option>`)}</select></p>`
}

/** @param {{ workspace: Workspace }} given */
function Shown({ workspace: { view, week } }) {
  const id = useId()
  /** @type {[import('./view.js').Overlay, string][]} */
  const ways = [
    ['cells', t('channels')],
    ['week', t('the last 7 days')],
    ['event', t('what an event would do')]
  ]
  /** @param {Chosen} event */
  const change = ({ currentTarget: { value } }) => {
    view.overlay.value = ways.find(([way]) => way === value)?.[0] ?? 'cells'
    if (view.overlay.peek() === 'week') void week.load()
  }
  return html`<p class="tool"><label for=${id}>${t('The cells say')}</label>
    <select id=${id} class="overlay" onChange=${change}>${ways.map(([way, words]) => html`<option key=${way} value=${way} selected=${way === view.overlay.value}>${words}</option>`)}</select>
    <span class="quiet" role="status">${overlayNote(view.overlay.value, week.week.value)}</span></p>`
}

/** @param {import('./view.js').Overlay} overlay @param {import('./week.js').Week} week */
function overlayNote(overlay, week) {
  if (overlay === 'week') return weekState(week)
  return overlay === 'event' ? html`<a href="#trial">${t('Choose the event below.')}</a>` : ''
}

/** Each group opens and closes. @param {{ view: import('./view.js').View }} given */
function Groups({ view }) {
  const { families } = view
  /** @param {string} name @param {number} count @param {boolean} isOpen @param {() => void} toggle */
  const fold = (name, count, isOpen, toggle) =>
    html`<button type="button" class="fold" key=${name} aria-expanded=${isOpen} onClick=${toggle}>${name} <small>${count}</small></button>`
  const rows =
    families.sorting.value !== 'none' &&
    html`<p class="groups families">${families.groups.value.map(({ name, rows }) => fold(name, rows.length, families.isOpen(name), () => families.toggle(name)))}</p>`
  const columns =
    view.grouping.value !== 'none' &&
    html`<p class="groups">${view.groups.value.map(({ name, columns }) => fold(name, columns.length, !view.closed.value.has(name), () => view.toggle(name)))}</p>`
  return html`${rows}${columns}`
}
