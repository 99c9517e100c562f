import { holdsAll, inHead, isOfKind, type Read, THERE, type Wanted } from './evidence.ts'

/**
 * Of a row of a table the cells alone that the question names, by a word or a figure of their own, or the one that has the kind
 * of figure it asks for; the whole row where it names none.
 */
export function withAskedCells(wanted: Wanted, read: readonly Read[]): Read[] {
  const kept: Read[] = []
  for (let at = 0; at < read.length; at++) {
    const row = read[at]
    if (row === undefined) break
    let end = at + 1
    while (row.kind === 'row' && read[end]?.kind === 'cell') end++
    const cells = read.slice(at + 1, end)
    const asked = askedCells(wanted, cells)
    if (asked === null) kept.push(row)
    else kept.push(...asked)
    at = end - 1
  }
  return kept
}

/** Null: the whole row. */
function askedCells(wanted: Wanted, cells: readonly Read[]): readonly Read[] | null {
  const { concepts, figures, quantity } = wanted
  let asked = cells
  for (const [which] of concepts.entries()) asked = narrowed(asked, (cell) => inHead(cell, which) >= THERE)
  if (figures.length > 0) {
    const known = cells.findIndex((cell) => holdsAll(wanted, cell))
    const isNamed = cells.some((cell) => holdsAll(wanted, withoutValue(cell)))
    // The weight that the question names tells the row; what stands behind it is asked for.
    if (!isNamed && known >= 0 && known < cells.length - 1) return null
    asked = narrowed(asked, (cell) => holdsAll(wanted, isNamed ? withoutValue(cell) : cell))
  }
  if (asked.length < cells.length) return asked
  if (quantity === null) return null
  const fitting = cells.filter((cell) => isOfKind(wanted, [cell], quantity))
  return fitting.length === 1 && cells.length > 1 ? fitting : null
}

/** A cell by its row and its column: what a question names with a figure of its own is not the figure it asks for. */
function withoutValue(cell: Read): Read {
  const named = `${cell.column}: `
  const at = cell.column === '' ? -1 : cell.text.lastIndexOf(named)
  return at < 0 ? cell : { ...cell, text: cell.text.slice(0, at + named.length) }
}

/** Those that have it, where some have it and some have not. */
function narrowed(cells: readonly Read[], has: (cell: Read) => boolean): readonly Read[] {
  const having = cells.filter(has)
  return having.length > 0 ? having : cells
}
