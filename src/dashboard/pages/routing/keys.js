// The keys of the grid. Those that fill, pick and pin are letters: no browser has orders on them, and they count in the grid alone.
import { placeOf } from '/static/shared/matrix-model.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */
/** @typedef {{ key: string, shift: boolean, command: boolean }} Pressed */

const PAGE = 5

/** @param {number} row @param {number} column */
export const idOf = (row, column) => `cell-${row}-${column}`

/** @param {EventTarget | null} target @returns {RegExpExecArray | null} */
function cellAt(target) {
  if (!(target instanceof HTMLButtonElement) || target.closest('dialog')) return null
  return /^cell-(\d+)-(\d+)$/.exec(target.id)
}

/** @param {Workspace} workspace @param {KeyboardEvent} event */
export function keydown(workspace, event) {
  const at = cellAt(event.target)
  if (!at || event.altKey) return
  const key = workspace.focus.peek()
  const pressed = { key: event.key, shift: event.shiftKey, command: event.ctrlKey || event.metaKey }
  const taken = pressed.command
    ? order(workspace, key, event.key.toLowerCase()) || go(workspace, at, pressed)
    : plain(workspace, key, pressed) || letter(workspace, key, pressed) || go(workspace, at, pressed)
  if (!taken) return
  event.preventDefault()
  event.stopPropagation()
}

/** Some browsers press a button when the space bar is let go. @param {KeyboardEvent} event */
export function keyup(event) {
  if (event.key === ' ' && cellAt(event.target)) event.preventDefault()
}

/** @param {Workspace} workspace @param {string} key @param {Pressed} pressed @returns {boolean} */
function plain(workspace, key, { key: pressed }) {
  if (pressed === 'F2') workspace.open(key)
  else if (pressed === 'Delete' || pressed === 'Backspace') workspace.empty(key)
  else if (pressed === ' ') workspace.picked.toggle(key)
  else if (pressed === 'Escape') return workspace.picked.end()
  else return false
  return true
}

/** @param {Workspace} workspace @param {string} key @param {Pressed} pressed @returns {boolean} */
function letter(workspace, key, { key: pressed, shift }) {
  const { picked } = workspace
  /** @type {Record<string, () => void>} */
  const orders = {
    f: picked.fill,
    r: () => picked.line(key, 'row'),
    c: () => picked.line(key, 'column'),
    p: () => workspace.pin(placeOf(key).region),
    u: shift ? workspace.redo : workspace.undo
  }
  const given = orders[pressed.toLowerCase()]
  given?.()
  return given !== undefined
}

/** @param {Workspace} workspace @param {string} key @param {string} letter @returns {boolean} */
function order(workspace, key, letter) {
  // Text that somebody marked is copied as text.
  if (letter === 'c' && getSelection()?.isCollapsed === false) return false
  if (letter === 'c') workspace.copy(key)
  else if (letter === 'v') workspace.paste(key)
  else return false
  return true
}

/** With the shift key what lies between is picked. @param {Workspace} workspace @param {RegExpExecArray} at @param {Pressed} pressed @returns {boolean} */
function go({ view, focus, picked }, at, { key, shift, command }) {
  const [row, column] = [Number(at[1]), Number(at[2])]
  const last = { row: view.rows.peek().length - 1, column: view.columns.peek().length - 1 }
  /** @type {Record<string, [number, number]>} */
  const steps = {
    ArrowUp: [command ? 0 : row - 1, column],
    ArrowDown: [command ? last.row : row + 1, column],
    ArrowLeft: [row, command ? 0 : column - 1],
    ArrowRight: [row, command ? last.column : column + 1],
    PageUp: [row - PAGE, column],
    PageDown: [row + PAGE, column],
    Home: [command ? 0 : row, 0],
    End: [command ? last.row : row, last.column]
  }
  const step = steps[key]
  if (!step) return false
  const from = focus.peek()
  const next = [Math.max(0, Math.min(last.row, step[0])), Math.max(0, Math.min(last.column, step[1]))]
  document.getElementById(idOf(next[0] ?? 0, next[1] ?? 0))?.focus()
  if (shift) picked.reach(from, focus.peek())
  return true
}
