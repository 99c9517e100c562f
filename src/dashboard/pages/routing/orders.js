// Orders on the cell in use, which become orders on all picked cells where several are: copy, paste, empty, fill.
import { t } from '/static/lib/i18n.js'
import { carried, keyOf, placeOf } from '/static/shared/matrix-model.js'
import { signal } from '/static/vendor/ui.js'
import { clear, fill } from './state.js'

/** @typedef {import('/static/shared/matrix-model.js').Cell} Cell */

/**
 * @param {import('./state.js').Matrix} matrix
 * @param {object} page
 * @param {import('./view.js').View} page.view
 * @param {import('./picked.js').Picked} page.picked
 * @param {import('/static/vendor/ui.js').Signal<boolean>} page.narrow
 * @param {(text: string) => void} page.say
 * @param {(key: string) => string} page.nameOf
 */
export function createOrders(matrix, { view, picked, narrow, say, nameOf }) {
  /** @type {import('/static/vendor/ui.js').Signal<{ cell: Cell | null } | null>} */
  const copied = signal(null)

  /** @param {string} key */
  const copy = (key) => {
    copied.value = { cell: matrix.cell(key).peek() }
    say(t('Copied: {cell}', { cell: nameOf(key) }))
  }

  /** @param {string} key */
  const paste = (key) => {
    const held = copied.peek()
    if (held === null) return say(t('Nothing is copied yet.'))
    if (picked.keys.peek().size > 1) return picked.paste(held.cell)
    matrix.edit([[key, carried(held.cell, matrix.cell(key).peek(), matrix.data.peek().side)]])
    say(nameOf(key))
  }

  /** @param {string} key */
  const empty = (key) => {
    if (picked.keys.peek().size > 1) return picked.clear()
    clear(matrix, key)
    say(nameOf(key))
  }

  /** As far as the row or the column is shown. @param {string} key @param {'row' | 'column'} way */
  const fillFrom = (key, way) => {
    const { family, region } = placeOf(key)
    const { rows, columns } = shown()
    const others = way === 'row' ? columns.map((one) => keyOf(family, one)) : rows.map((one) => keyOf(one, region))
    const count = fill(matrix, key, others)
    if (count === null) say(t('The cell is empty: there is nothing to fill with.'))
    else
      say(
        way === 'row'
          ? t('Row filled: {count} cells changed.', { count })
          : t('Column filled: {count} cells changed.', { count })
      )
  }

  /** On a phone nothing is hidden, it is only elsewhere. */
  const shown = () =>
    narrow.peek()
      ? { rows: matrix.rows.peek().map(({ key }) => key), columns: matrix.columns.peek().map(({ key }) => key) }
      : view.shown()

  return { copied, copy, paste, empty, fillFrom }
}
