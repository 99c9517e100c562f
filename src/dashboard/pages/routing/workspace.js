// The common state of the page's parts: which cell is in use, what is copied, what is announced, and the orders a
// person gives.
import { t } from '/static/lib/i18n.js'
import { switchWords } from '/static/shared/matrix.js'
import { placeOf, sameCell, turned } from '/static/shared/matrix-model.js'
import { signal } from '/static/vendor/ui.js'
import { createOrders } from './orders.js'
import { createPicked } from './picked.js'
import { createSaving } from './save.js'
import { createMatrix } from './state.js'
import { createView } from './view.js'
import { createWeek } from './week.js'
import { cellWords } from './words.js'

/** @typedef {import('/static/shared/matrix-model.js').Cell} Cell */
/** @typedef {import('./words.js').Verdict} Verdict */
/** @typedef {{ key: string, before: Cell | null, choose: string[] | null }} Editing `choose`: the places one may still choose */
/** @typedef {ReturnType<typeof createWorkspace>} Workspace */

/** @param {import('./state.js').RoutingData} data */
export function createWorkspace(data) {
  const matrix = createMatrix(data)
  const announced = signal('')
  /** The cell that holds the form. @type {import('/static/vendor/ui.js').Signal<Editing | null>} */
  const editing = signal(null)
  /** The one cell the tab key reaches. */
  const focus = signal('')
  /** The verdicts on an event, cell by cell. @type {import('/static/vendor/ui.js').Signal<Map<string, Verdict> | null>} */
  const verdicts = signal(null)
  const narrow = signal(false)

  /** @param {string} text */
  const say = (text) => {
    // The same words twice are said twice.
    announced.value = announced.peek() === text ? `${text}\u00a0` : text
  }
  const view = createView(matrix)
  const week = createWeek()
  const picked = createPicked(matrix, { shown: view.shown, say })
  const saving = createSaving(matrix, { busy: () => editing.value !== null, say })

  /** @param {string} key */
  const placeWords = (key) => {
    const { family, region } = placeOf(key)
    const label = matrix.rows.peek().find((row) => row.key === family)?.label ?? family
    return t('{family}, {region}', { family: label, region })
  }
  /** @param {string} key */
  const nameOf = (key) => `${placeWords(key)}: ${cellWords(matrix.data.value, matrix.cell(key).value)}`

  /** Begins editing; what was being edited is done. @param {string} key @param {string[] | null} [choose] */
  const open = (key, choose = null) => {
    if (editing.peek()?.key === key) return
    finish()
    focus.value = key
    editing.value = { key, before: matrix.cell(key).peek(), choose }
  }

  /** Ends editing: what was edited is one step that can be undone. */
  const finish = () => {
    const now = editing.peek()
    if (now === null) return
    editing.value = null
    const after = matrix.cell(now.key).peek()
    if (sameCell(now.before, after)) return
    matrix.remember({ changes: [{ key: now.key, before: now.before, after }], switches: null })
  }

  /** Ends editing as if nothing had been edited. */
  const cancel = () => {
    const now = editing.peek()
    if (now === null) return
    matrix.put(now.key, now.before)
    editing.value = null
  }

  /** Another place for what is being added. @param {string} key */
  const move = (key) => {
    const now = editing.peek()
    if (now === null) return
    const cell = matrix.cell(now.key).peek()
    matrix.put(now.key, now.before)
    editing.value = { ...now, key, before: matrix.cell(key).peek() }
    matrix.put(key, cell)
  }

  const orders = createOrders(matrix, { view, picked, narrow, say, nameOf })

  /** Opens the form, or picks the cell where cells are picked. @param {string} key @param {{ shift: boolean, command: boolean }} [held] */
  const touch = (key, { shift, command } = { shift: false, command: false }) => {
    if (shift) picked.reach(focus.peek() || key, key)
    else if (command || picked.tapping.peek()) picked.toggle(key)
    else open(key)
  }
  const pickMode = () => {
    finish()
    if (picked.tapping.peek()) picked.end()
    else picked.tapping.value = true
  }
  /** @param {string} region */
  const pin = (region) =>
    say(view.pin(region) ? t('{region} stands first.', { region }) : t('{region} stands in its place.', { region }))

  /** @param {import('./state.js').Step | null} step @param {string} nothing */
  const tellStep = (step, nothing) => {
    const [first, ...others] = step?.changes ?? []
    if (step === null) say(nothing)
    else if (first === undefined) {
      const { before, after } = step.switches ?? { before: matrix.switches.peek(), after: matrix.switches.peek() }
      const now = matrix.switches.peek()
      say(
        `${turned(before, after)
          .map((name) => switchWords(t, name, now[name]))
          .join(', ')}.`
      )
    } else if (others.length === 0) say(nameOf(first.key))
    else say(t('{count} cells changed.', { count: others.length + 1 }))
  }
  const undo = () => {
    finish()
    tellStep(matrix.undo(), t('There is nothing to undo.'))
  }
  const redo = () => {
    finish()
    tellStep(matrix.redo(), t('There is nothing to redo.'))
  }
  const discard = () => {
    finish()
    matrix.discard()
    say(t('Back to what is saved. Undo brings your changes back.'))
  }
  const save = () => {
    finish()
    return saving.save()
  }

  /** For the panel that tries the matrix out: the same functions at every drawing. */
  const trial = {
    matrix: matrix.matrix,
    saved: matrix.savedMatrix,
    onVerdicts: (/** @type {Map<string, Verdict> | null} */ found) => {
      verdicts.value = found
    }
  }

  return {
    matrix,
    saving,
    view,
    week,
    picked,
    trial,
    editing,
    focus,
    verdicts,
    narrow,
    announced,
    say,
    placeWords,
    nameOf,
    open,
    touch,
    pickMode,
    pin,
    finish,
    cancel,
    move,
    ...orders,
    undo,
    redo,
    discard,
    save
  }
}
