// The matrix while it is edited: a signal per cell, what is saved, what was done and can be undone.
import { linesOf } from '/static/shared/matrix.js'
import {
  carried,
  cellsOf,
  changesOf,
  cleared,
  filled,
  matrixOf,
  placeOf,
  sameCell,
  switchesOf,
  turned
} from '/static/shared/matrix-model.js'
import { batch, computed, signal } from '/static/vendor/ui.js'

/** @typedef {import('./routing-view.ts').RoutingData} RoutingData */
/** @typedef {import('/static/shared/matrix-model.js').Cell} Cell */
/** @typedef {import('/static/shared/matrix-model.js').Cells} Cells */
/** @typedef {import('/static/shared/matrix-model.js').Change} Change */
/** @typedef {import('/static/shared/matrix-model.js').Switches} Switches */
/** @typedef {{ changes: Change[], switches: { before: Switches, after: Switches } | null }} Step */
/** @typedef {ReturnType<typeof createMatrix>} Matrix */

const MAX_STEPS = 200

/** @param {RoutingData} first */
export function createMatrix(first) {
  const data = signal(first)
  const saved = signal(cellsOf(first.matrix))
  const savedSwitches = signal(switchesOf(first.matrix))
  const switches = signal(switchesOf(first.matrix))
  /** Every change of any cell counts it up: sums over all cells follow this one signal, not each of them. */
  const version = signal(0)
  /** @type {Map<string, import('/static/vendor/ui.js').Signal<Cell | null>>} */
  const cells = new Map()
  /** @type {import('/static/vendor/ui.js').Signal<{ done: Step[], undone: Step[] }>} */
  const history = signal({ done: [], undone: [] })

  /** @param {string} key */
  const cell = (key) => {
    const known = cells.get(key)
    if (known) return known
    const made = signal(/** @type {Cell | null} */ (saved.peek().get(key) ?? null))
    cells.set(key, made)
    return made
  }
  for (const key of saved.peek().keys()) cell(key)

  /** @returns {Cells} */
  const edited = () => {
    /** @type {Cells} */
    const now = new Map()
    for (const [key, held] of cells) {
      const value = filled(held.peek())
      if (value !== null) now.set(key, value)
    }
    return now
  }
  const current = computed(() => {
    version.value
    return edited()
  })
  const changes = computed(() => changesOf(saved.value, current.value))
  const dirty = computed(() => changes.value.length + turned(savedSwitches.value, switches.value).length)

  /**
   * @param {string} key
   * @param {Cell | null} next
   */
  const put = (key, next) => {
    const target = cell(key)
    const value = filled(next)
    if (sameCell(target.peek(), value)) return
    batch(() => {
      target.value = value
      version.value++
    })
  }

  /** @param {Step} step */
  const remember = (step) => {
    if (step.changes.length === 0 && step.switches === null) return
    history.value = { done: [...history.peek().done.slice(1 - MAX_STEPS), step], undone: [] }
  }

  /**
   * Several cells at once, as one step that can be undone. @returns how many changed
   * @param {[string, Cell | null][]} wanted
   */
  const edit = (wanted) => {
    const made = wanted
      .map(([key, after]) => ({ key, before: cell(key).peek(), after: filled(after) }))
      .filter(({ before, after }) => !sameCell(before, after))
    batch(() => {
      for (const { key, after } of made) put(key, after)
      remember({ changes: made, switches: null })
    })
    return made.length
  }

  /** @param {import('/static/shared/matrix-model.js').Switch} name @param {boolean} on */
  const turn = (name, on) => {
    const before = switches.peek()
    if (on === before[name]) return
    const after = { ...before, [name]: on }
    remember({ changes: [], switches: { before, after } })
    switches.value = after
  }

  /** @param {Step} step @param {'before' | 'after'} which */
  const take = (step, which) => {
    for (const change of step.changes) put(change.key, change[which])
    if (step.switches) switches.value = step.switches[which]
  }

  /** @returns {Step | null} what was undone */
  const undo = () => {
    const { done, undone } = history.peek()
    const step = done.at(-1)
    if (!step) return null
    batch(() => {
      history.value = { done: done.slice(0, -1), undone: [...undone, step] }
      take(step, 'before')
    })
    return step
  }

  /** @returns {Step | null} what was done again */
  const redo = () => {
    const { done, undone } = history.peek()
    const step = undone.at(-1)
    if (!step) return null
    batch(() => {
      history.value = { done: [...done, step], undone: undone.slice(0, -1) }
      take(step, 'after')
    })
    return step
  }

  /** Back to what is saved; can be undone. */
  const discard = () => {
    const back = changes.peek().map(({ key, before, after }) => ({ key, before: after, after: before }))
    const [before, after] = [switches.peek(), savedSwitches.peek()]
    batch(() => {
      for (const { key, after } of back) put(key, after)
      remember({ changes: back, switches: turned(before, after).length === 0 ? null : { before, after } })
      switches.value = after
    })
  }

  /**
   * The newest page data; `mine` are the cells to go on with, else those of the data. What was done before cannot be undone then.
   * @param {RoutingData} next
   * @param {{ cells: Cells, switches: Switches } | null} mine
   */
  const load = (next, mine = null) => {
    const there = cellsOf(next.matrix)
    const goOn = mine ?? { cells: there, switches: switchesOf(next.matrix) }
    batch(() => {
      saved.value = there
      savedSwitches.value = switchesOf(next.matrix)
      switches.value = goOn.switches
      for (const key of new Set([...cells.keys(), ...goOn.cells.keys()])) put(key, goOn.cells.get(key) ?? null)
      history.value = { done: [], undone: [] }
      data.value = next
    })
  }

  /** Loads the surroundings of the matrix (families, regions, radios), without touching cells. @param {RoutingData} next */
  const loadAround = (next) => {
    const { matrix, revision } = data.peek()
    data.value = { ...next, matrix, revision }
  }

  /**
   * Takes what was posted as saved; edits made meanwhile stay.
   * @param {RoutingData['matrix']} matrix
   * @param {string} revision
   */
  const accept = (matrix, revision) => {
    batch(() => {
      saved.value = cellsOf(matrix)
      savedSwitches.value = switchesOf(matrix)
      data.value = { ...data.peek(), matrix, revision }
    })
  }

  const lines = computed(() => linesOf(data.value, [...saved.value.keys(), ...edited().keys()]))
  const rows = computed(() => lines.value.rows)
  const columns = computed(() => lines.value.columns)

  return {
    data,
    saved,
    savedSwitches,
    switches,
    version,
    current,
    changes,
    dirty,
    history,
    rows,
    columns,
    cell,
    put,
    remember,
    edit,
    turn,
    undo,
    redo,
    discard,
    load,
    loadAround,
    accept,
    /** Cells and switches as they are edited, in the wire shape. */
    matrix: () => matrixOf(switches.value, current.value),
    savedMatrix: () => matrixOf(savedSwitches.value, saved.value)
  }
}

/**
 * Puts one cell onto others, but for those that can match nothing. @returns how many changed; null when there is nothing to fill with
 * @param {Matrix} matrix
 * @param {string} key
 * @param {readonly string[]} others
 */
export function fill(matrix, key, others) {
  const source = matrix.cell(key).peek()
  if (source === null) return null
  const { side } = matrix.data.peek()
  const wanted = others
    .filter((other) => other !== key && !isOrphan(matrix, other))
    .map((other) => {
      return /** @type {[string, Cell | null]} */ ([other, carried(source, matrix.cell(other).peek(), side)])
    })
  return matrix.edit(wanted)
}

/** @param {Matrix} matrix @param {string} key */
function isOrphan({ rows, columns }, key) {
  const { family, region } = placeOf(key)
  return [
    ...rows.peek().filter((row) => row.key === family),
    ...columns.peek().filter((one) => one.key === region)
  ].some(({ orphan }) => orphan)
}

/**
 * Takes the channels of this side off a cell. @returns how many cells changed
 * @param {Matrix} matrix
 * @param {string} key
 */
export function clear(matrix, key) {
  return matrix.edit([[key, cleared(matrix.cell(key).peek(), matrix.data.peek().side)]])
}
