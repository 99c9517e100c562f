// Several cells at once: which are picked, and what can be done to all of them in one step.
import { t } from '/static/lib/i18n.js'
import { carried, cleared, keyOf, placeOf } from '/static/shared/matrix-model.js'
import { signal } from '/static/vendor/ui.js'
import { fill } from './state.js'

/** @typedef {import('/static/shared/matrix-model.js').Cell} Cell */
/** @typedef {ReturnType<typeof createPicked>} Picked */

/**
 * @param {import('./state.js').Matrix} matrix
 * @param {object} page
 * @param {() => { rows: readonly string[], columns: readonly string[] }} page.shown keys of families and regions, as they stand on the screen
 * @param {(text: string) => void} page.say
 */
export function createPicked(matrix, { shown, say }) {
  /** In the order they were picked: the first is what the others are filled with. */
  const keys = signal(/** @type {ReadonlySet<string>} */ (new Set()))
  /** A tap picks instead of opening the form. */
  const tapping = signal(false)

  /** @param {Iterable<string>} next */
  const set = (next) => {
    keys.value = new Set(next)
    const { size } = keys.peek()
    say(size === 1 ? t('1 cell is picked.') : t('{count} cells are picked.', { count: size }))
  }

  /** @param {string} key */
  const toggle = (key) => {
    const next = new Set(keys.peek())
    if (!next.delete(key)) next.add(key)
    set(next)
  }

  /** Every cell between the first that was picked and this one. @param {string} from where nothing is picked yet @param {string} to */
  const reach = (from, to) => {
    const first = [...keys.peek()][0] ?? from
    const { rows, columns } = shown()
    const [a, b] = [placeOf(first), placeOf(to)]
    const inside = between(rows, a.family, b.family).flatMap((family) =>
      between(columns, a.region, b.region).map((region) => keyOf(family, region))
    )
    set([first, ...inside])
  }

  /** @param {string} key @param {'row' | 'column'} way */
  const line = (key, way) => {
    const { family, region } = placeOf(key)
    const { rows, columns } = shown()
    const all = way === 'row' ? columns.map((one) => keyOf(family, one)) : rows.map((one) => keyOf(one, region))
    set([key, ...all])
  }

  const end = () => {
    tapping.value = false
    if (keys.peek().size === 0) return false
    keys.value = new Set()
    say(t('No cell is picked.'))
    return true
  }

  return { keys, tapping, toggle, reach, line, end, ...ordersOn(matrix, keys, say) }
}

/**
 * @param {import('./state.js').Matrix} matrix
 * @param {import('/static/vendor/ui.js').Signal<ReadonlySet<string>>} keys
 * @param {(text: string) => void} say
 */
function ordersOn(matrix, keys, say) {
  /** With the one that was picked first. */
  const fillAll = () => {
    const [first, ...others] = keys.peek()
    if (first === undefined || others.length === 0) return say(t('Pick the cell to fill with, then those to fill.'))
    const count = fill(matrix, first, others)
    say(
      count === null ? t('The cell is empty: there is nothing to fill with.') : t('{count} cells changed.', { count })
    )
  }

  /** @param {(cell: Cell | null) => Cell | null} next */
  const change = (next) => {
    const wanted = [...keys.peek()].map((key) => {
      return /** @type {[string, Cell | null]} */ ([key, next(matrix.cell(key).peek())])
    })
    say(t('{count} cells changed.', { count: matrix.edit(wanted) }))
  }
  /** @param {Cell | null} cell */
  const paste = (cell) => change((old) => carried(cell, old, matrix.data.peek().side))
  const clear = () => change((cell) => cleared(cell, matrix.data.peek().side))
  return { fill: fillAll, paste, clear }
}

/** @param {readonly string[]} all @param {string} one @param {string} other */
function between(all, one, other) {
  const [from, to] = [all.indexOf(one), all.indexOf(other)].sort((a, b) => a - b)
  return all.slice(Math.max(0, from ?? 0), (to ?? 0) + 1)
}
