// Families × regions, by mouse and by keyboard (WAI-ARIA grid pattern: one tab stop, arrows between cells).
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { cornerHead, rowHead, sideName } from '/static/shared/matrix.js'
import { keyOf, placeOf } from '/static/shared/matrix-model.js'
import { html, useLayoutEffect, useRef } from '/static/vendor/ui.js'
import { Cell, savedNames } from './cell.js'
import { idOf, keydown, keyup } from './keys.js'
import { MOST_STILL } from './view.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */

/** With the width of the whole known, no cell moves another. Where there is room, long names of channels have it. */
const FAMILY_REM = 11.5
const REGION_REM = { least: 9.75, most: 13 }
/** Widest text column of the page, and what stands beside the table. */
const PAGE_REM = 84
const BESIDE_REM = 3

/** @param {{ workspace: Workspace }} given */
export function Grid({ workspace }) {
  const { matrix, view } = workspace
  const rows = view.rows.value
  const columns = view.columns.value
  const named = savedNames(workspace)
  const { side } = matrix.data.value
  const ref = useRef(/** @type {HTMLElement | null} */ (null))
  useLayoutEffect(() => keepEntry(workspace), [rows, columns])
  useLayoutEffect(() => keepHeads(ref.current), [])
  const wide = widthOf(columns.length)
  const still = Math.min(MOST_STILL, view.pinned.value.length)
  /** @param {number} c */
  const place = (c) => (c < still ? `still still-${c}` : '')
  /** @param {import('/static/shared/matrix.js').Line} row */
  const line = (row) => {
    const r = rows.indexOf(row)
    return html`<tr key=${row.key}>${rowHead(pen, matrix.data.value, row, true)}
      ${columns.map((column, c) => html`<${Cell} key=${column.key} ...${{ workspace, row, column, named }} id=${idOf(r, c)} place=${place(c)} />`)}</tr>`
  }
  const { families } = view
  const body =
    families.sorting.value === 'none'
      ? rows.map(line)
      : families.groups.value.map(
          (
            group
          ) => html`<${FamilyHead} key=${`group ${group.name}`} ...${{ workspace, group, wide: 1 + columns.length }} />
      ${families.isOpen(group.name) ? group.rows.map(line) : null}`
        )
  const style = { width: `${FAMILY_REM + columns.length * wide}rem`, '--wide': `${wide}rem` }
  return html`<div class="scroll matrix grid" ref=${ref} style=${{ '--still': `${still * wide}rem` }}><table role="grid" aria-multiselectable="true" style=${style} aria-label=${sideName(t, side)}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => keydown(workspace, event)} onKeyUp=${keyup}>
    <colgroup><col style=${{ width: `${FAMILY_REM}rem` }} />${columns.map(({ key }) => html`<col key=${key} style=${{ width: `${wide}rem` }} />`)}</colgroup>
    <thead>${view.grouping.value !== 'none' && html`<${GroupHeads} view=${view} />`}<tr>${cornerHead(pen)}${columns.map((column, c) => html`<${ColumnHead} key=${column.key} ...${{ workspace, column }} place=${place(c)} />`)}</tr></thead>
    <tbody>${body}</tbody></table></div>`
}

/** @param {number} columns */
function widthOf(columns) {
  const room = Math.min(PAGE_REM, innerWidth / 16) - BESIDE_REM - FAMILY_REM
  return Math.max(REGION_REM.least, Math.min(REGION_REM.most, Math.floor(room / columns)))
}

/** @param {{ view: import('./view.js').View }} given */
function GroupHeads({ view }) {
  return html`<tr class="groups"><td colspan=${1 + view.pinned.value.length}></td>${view.open.value.map(
    ({ name, columns }) => html`<th key=${name} scope="colgroup" colspan=${columns.length}><span>${name}</span></th>`
  )}</tr>`
}

/**
 * The head of a group of families, with what lies in it while it is closed. For the pointer: by keyboard the button above the matrix does it.
 * @param {{ workspace: Workspace, group: import('./families.js').FamilyGroup, wide: number }} given
 */
function FamilyHead({ workspace: { matrix, view }, group: { name, rows }, wide }) {
  const keys = new Set(rows.map(({ key }) => key))
  const cells = [...matrix.current.value.keys()].filter((key) => keys.has(placeOf(key).family)).length
  const families = rows.length === 1 ? t('1 family') : t('{count} families', { count: rows.length })
  const filled = cells === 1 ? t('1 cell') : t('{count} cells', { count: cells })
  return html`<tr class="kind"><th scope="rowgroup" colspan=${wide}><button type="button" class="fold" tabindex="-1" aria-expanded=${view.families.isOpen(name)} onClick=${() => view.families.toggle(name)}>${name} <small>${families}, ${filled}</small></button></th></tr>`
}

/** Its button is for the pointer: in the grid the key P does the same, and the grid is one stop of the tab key. @param {{ workspace: Workspace, column: import('/static/shared/matrix.js').Line, place: string }} given */
function ColumnHead({ workspace, column, place }) {
  const { key, label, orphan } = column
  const isPinned = workspace.view.pins.value.includes(key)
  return html`<th scope="col" class=${`${orphan ? 'orphan ' : ''}${place}`}>${label}${orphan && html` <small>${t('no such area')}</small>`}
    <button type="button" class="pin" tabindex="-1" aria-pressed=${isPinned} aria-label=${t('Pin {region}', { region: label })} onClick=${() => workspace.pin(key)}>${t('Pin')}</button></th>`
}

/**
 * The heads of the columns stay below the head of the page while that moves the table out at the top, and no focus goes below them.
 * @param {HTMLElement | null} grid
 */
function keepHeads(grid) {
  const head = grid?.querySelector('thead')
  const strip = document.querySelector('body > header')
  if (!grid || !head) return
  const place = () => {
    const { top, height } = grid.getBoundingClientRect()
    const most = height - 2 * head.offsetHeight
    const out = Math.max(0, Math.min((strip?.getBoundingClientRect().bottom ?? 0) - top, most))
    // Never a hair of a row above them.
    head.style.setProperty('--out', `${Math.floor(out)}px`)
    grid.style.scrollPaddingTop = `${Math.floor(out) + head.offsetHeight}px`
  }
  place()
  addEventListener('scroll', place, { passive: true })
  addEventListener('resize', place)
  return () => {
    removeEventListener('scroll', place)
    removeEventListener('resize', place)
  }
}

/** The tab key reaches one cell, always. @param {Workspace} workspace */
function keepEntry({ focus, view }) {
  const { rows, columns } = view.shown()
  const keys = new Set(rows.flatMap((row) => columns.map((column) => keyOf(row, column))))
  if (!keys.has(focus.peek())) focus.value = [...keys][0] ?? ''
}
