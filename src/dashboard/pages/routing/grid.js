// Families × regions, by mouse and by keyboard (WAI-ARIA grid pattern: one tab stop, arrows between cells).
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { columnHead, cornerHead, rowHead, sideName } from '/static/shared/matrix.js'
import { keyOf } from '/static/shared/matrix-model.js'
import { html, useLayoutEffect, useRef } from '/static/vendor/ui.js'
import { Cell, savedNames } from './cell.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */

/** @param {number} row @param {number} column */
const idOf = (row, column) => `cell-${row}-${column}`
/** With the width of the whole known, no cell moves another. Where there is room, long names of channels have it. */
const FAMILY_REM = 8.5
const REGION_REM = { least: 9.75, most: 13 }
/** Widest text column of the page, and what stands beside the table. */
const PAGE_REM = 84
const BESIDE_REM = 3
const PAGE = 5

/** @param {{ workspace: Workspace }} given */
export function Grid({ workspace }) {
  const { matrix } = workspace
  const rows = matrix.rows.value
  const columns = matrix.columns.value
  const named = savedNames(workspace)
  const { side } = matrix.data.value
  const ref = useRef(/** @type {HTMLElement | null} */ (null))
  useLayoutEffect(() => keepEntry(workspace), [rows, columns])
  useLayoutEffect(() => keepHeads(ref.current), [])
  const room = Math.min(PAGE_REM, innerWidth / 16) - BESIDE_REM - FAMILY_REM
  const wide = Math.max(REGION_REM.least, Math.min(REGION_REM.most, Math.floor(room / columns.length)))
  const head = columns.map((column) => html`<${ColumnHead} key=${column.key} column=${column} />`)
  const body = rows.map(
    (row, r) => html`<tr key=${row.key}>${rowHead(pen, matrix.data.value, row, true)}
      ${columns.map((column, c) => html`<${Cell} key=${column.key} ...${{ workspace, row, column, named }} id=${idOf(r, c)} />`)}</tr>`
  )
  return html`<div class="scroll matrix grid" ref=${ref}><table role="grid" style=${{ width: `${FAMILY_REM + columns.length * wide}rem` }} aria-label=${sideName(t, side)} onKeyDown=${(/** @type {KeyboardEvent} */ event) => keydown(workspace, event)}>
    <colgroup><col style=${{ width: `${FAMILY_REM}rem` }} />${columns.map(({ key }) => html`<col key=${key} style=${{ width: `${wide}rem` }} />`)}</colgroup>
    <thead><tr>${cornerHead(pen)}${head}</tr></thead>
    <tbody>${body}</tbody></table></div>`
}

/** @param {{ column: import('/static/shared/matrix.js').Line }} given */
function ColumnHead({ column }) {
  return columnHead(pen, column)
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
function keepEntry({ focus, matrix }) {
  const keys = new Set(
    matrix.rows.peek().flatMap((row) => matrix.columns.peek().map((column) => keyOf(row.key, column.key)))
  )
  if (!keys.has(focus.peek())) focus.value = [...keys][0] ?? ''
}

/** @param {Workspace} workspace @param {KeyboardEvent} event */
function keydown(workspace, event) {
  const { target } = event
  if (!(target instanceof HTMLButtonElement) || target.closest('dialog') || event.altKey) return
  const at = /^cell-(\d+)-(\d+)$/.exec(target.id)
  if (!at) return
  const key = workspace.focus.peek()
  const command = event.ctrlKey || event.metaKey
  const taken = command
    ? order(workspace, key, event.key.toLowerCase()) || go(workspace, at, { ...event, key: event.key, ctrl: true })
    : plain(workspace, key, event.key) || go(workspace, at, { key: event.key, ctrl: false })
  if (!taken) return
  event.preventDefault()
  event.stopPropagation()
}

/** @param {Workspace} workspace @param {string} key @param {string} pressed @returns {boolean} */
function plain(workspace, key, pressed) {
  if (pressed === 'F2') workspace.open(key)
  else if (pressed === 'Delete' || pressed === 'Backspace') workspace.empty(key)
  else return false
  return true
}

/** @param {Workspace} workspace @param {string} key @param {string} letter @returns {boolean} */
function order(workspace, key, letter) {
  // Text that somebody marked is copied as text.
  if (letter === 'c' && getSelection()?.isCollapsed === false) return false
  if (letter === 'c') workspace.copy(key)
  else if (letter === 'v') workspace.paste(key)
  else if (letter === 'r') workspace.fillFrom(key, 'row')
  else if (letter === 'd') workspace.fillFrom(key, 'column')
  else return false
  return true
}

/** @param {Workspace} workspace @param {RegExpExecArray} at @param {{ key: string, ctrl: boolean }} pressed @returns {boolean} */
function go({ matrix }, at, { key, ctrl }) {
  const [row, column] = [Number(at[1]), Number(at[2])]
  const last = { row: matrix.rows.peek().length - 1, column: matrix.columns.peek().length - 1 }
  /** @type {Record<string, [number, number]>} */
  const steps = {
    ArrowUp: [ctrl ? 0 : row - 1, column],
    ArrowDown: [ctrl ? last.row : row + 1, column],
    ArrowLeft: [row, ctrl ? 0 : column - 1],
    ArrowRight: [row, ctrl ? last.column : column + 1],
    PageUp: [row - PAGE, column],
    PageDown: [row + PAGE, column],
    Home: [ctrl ? 0 : row, 0],
    End: [ctrl ? last.row : row, last.column]
  }
  const step = steps[key]
  if (!step) return false
  const next = [Math.max(0, Math.min(last.row, step[0])), Math.max(0, Math.min(last.column, step[1]))]
  document.getElementById(idOf(next[0] ?? 0, next[1] ?? 0))?.focus()
  return true
}
