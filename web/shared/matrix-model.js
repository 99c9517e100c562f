// The matrix as the editor holds it: one flat map of filled cells. Pure: no DOM, no signals, no texts.

/** @typedef {import('../../src/warning/routing/settings.ts').Cell} Cell */
/** @typedef {import('../../src/warning/routing/settings.ts').RegionRoutes} RegionRoutes */
/**
 * The master and below it a switch for each network (contract §4 rule 13).
 * @typedef {{ enabled: boolean, mt_enabled: boolean, mc_enabled: boolean }} Switches
 */
/** @typedef {keyof Switches} Switch */
/** @typedef {Map<string, Cell>} Cells family and region (see `keyOf`) → a cell with a channel */
/** @typedef {{ key: string, before: Cell | null, after: Cell | null }} Change */
/**
 * The fate of a cell since both sides last agreed.
 * @typedef {object} MergeRow
 * @property {string} key
 * @property {'here' | 'there' | 'same' | 'conflict'} kind who changed it; `same`: both, alike
 * @property {Cell | null} base
 * @property {Cell | null} here
 * @property {Cell | null} there
 */

/** Lowest first (contract §2). */
export const SEVERITIES = /** @type {const} */ (['routine', 'priority', 'critical', 'immediate'])
export const MT_CHANNELS = [0, 1, 2, 3, 4, 5, 6, 7]
/** Contract §4: more distinct MT channels than this are a warning. */
export const MT_CHANNELS_BEFORE_WARNING = 7
/** Contract §4. Bytes of UTF-8. */
export const MC_MAX_BYTES = 31

/** Keys that one cell takes from another when it is pasted or filled; its other keys are its own. */
const CARRIED = /** @type {const} */ (['mt', 'mc', 'min_severity', 'enabled', 'mute', 'fallback'])

/**
 * @param {string} family
 * @param {string} region
 */
export const keyOf = (family, region) => `${family}\u0000${region}`

/** @param {string} key */
export function placeOf(key) {
  const at = key.indexOf('\u0000')
  return { family: key.slice(0, at), region: key.slice(at + 1) }
}

/** @returns {Cell} a cell as it begins */
export const emptyCell = () => ({ mt: null, mc: null, min_severity: 'routine', enabled: true })

/**
 * A cell without a channel is none: neither stored nor sent (contract §4).
 * @param {Cell | null} cell
 */
export const filled = (cell) => (cell !== null && (cell.mt !== null || cell.mc !== null) ? cell : null)

/** @typedef {'on' | 'off' | 'muted'} Mode contract §4 rules 2 and 12 */

/** Off: the cell does not match. Muted: it matches and sends nothing. @param {Cell} cell @returns {Mode} */
export const modeOf = ({ enabled, mute = false }) => (enabled ? 'on' : mute ? 'muted' : 'off')

/** @param {Cell} cell @param {Mode} mode @returns {Cell} */
export function withMode({ mute: _, ...cell }, mode) {
  return { ...cell, enabled: mode === 'on', ...(mode === 'muted' ? { mute: true } : {}) }
}

/**
 * The trimmed name, or why it cannot be one (contract §4: 1–31 bytes of UTF-8).
 * @param {string} text
 * @returns {{ name: string | null, bytes: number, tooLong: boolean }}
 */
export function readMcName(text) {
  const name = text.trim()
  const bytes = new TextEncoder().encode(name).length
  return { name: name === '' ? null : name, bytes, tooLong: bytes > MC_MAX_BYTES }
}

/**
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean} whether they are the same JSON, whatever the order of their keys
 */
function sameJson(a, b) {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return left.length === right.size && left.every(([key, value]) => right.has(key) && sameJson(value, right.get(key)))
}

/**
 * True when both are stored alike; cells without a channel are all the same.
 * @param {Cell | null} a
 * @param {Cell | null} b
 */
export const sameCell = (a, b) => sameJson(filled(a), filled(b))

/**
 * @param {RegionRoutes} matrix
 * @returns {Cells}
 */
export function cellsOf(matrix) {
  /** @type {Cells} */
  const cells = new Map()
  for (const [family, row] of Object.entries(matrix.cells)) {
    for (const [region, cell] of Object.entries(row)) if (filled(cell)) cells.set(keyOf(family, region), cell)
  }
  return cells
}

export const SWITCHES = /** @type {const} */ (['enabled', 'mt_enabled', 'mc_enabled'])
/** The switch of each network. */
export const SWITCH_OF = /** @type {const} */ ({ mt: 'mt_enabled', mc: 'mc_enabled' })

/** @param {RegionRoutes} matrix @returns {Switches} */
export const switchesOf = ({ enabled, mt_enabled = true, mc_enabled = true }) => ({ enabled, mt_enabled, mc_enabled })

/** @param {Switches} before @param {Switches} after @returns {Switch[]} */
export const turned = (before, after) => SWITCHES.filter((name) => before[name] !== after[name])

/**
 * Each as it was turned here since `base`, else as it is there. Turned on both sides it is the same on both: it has two positions.
 * @param {Switches} base
 * @param {Switches} here
 * @param {Switches} there
 * @returns {Switches}
 */
export function mergedSwitches(base, here, there) {
  const merged = { ...there }
  for (const name of turned(base, here)) merged[name] = here[name]
  return merged
}

/**
 * Networks on which a cell names a channel and that are switched off, while the matrix is on.
 * @param {Cell} cell
 * @param {Switches} switches
 */
export const shutNetworks = (cell, switches) =>
  /** @type {const} */ (['mt', 'mc']).filter(
    (network) => switches.enabled && cell[network] !== null && !switches[SWITCH_OF[network]]
  )

/**
 * The wire shape (contract §4): only cells with a channel.
 * @param {Switches} switches
 * @param {Iterable<[string, Cell | null]>} cells
 * @returns {RegionRoutes & Switches}
 */
export function matrixOf(switches, cells) {
  /** @type {Map<string, [string, Cell][]>} */
  const rows = new Map()
  for (const [key, cell] of cells) {
    if (cell === null || !filled(cell)) continue
    const { family, region } = placeOf(key)
    const row = rows.get(family) ?? []
    row.push([region, cell])
    rows.set(family, row)
  }
  return { ...switches, cells: Object.fromEntries([...rows].map(([family, row]) => [family, Object.fromEntries(row)])) }
}

/**
 * The rest of a cell when a side is cleared: the MC side takes its own channel only.
 * @param {Cell | null} cell
 * @param {'mt' | 'mc'} side
 */
export const cleared = (cell, side) => (side === 'mt' || cell === null ? null : filled({ ...cell, mc: null }))

/**
 * The cell that `target` becomes when `source` is put onto it. On the MC side the MT channel of the target stays.
 * @param {Cell | null} source
 * @param {Cell | null} target
 * @param {'mt' | 'mc'} side
 * @returns {Cell | null}
 */
export function carried(source, target, side) {
  const from = filled(source)
  if (from === null) return cleared(target, side)
  const own = target ?? emptyCell()
  const { fallback: _, mute: __, ...rest } = own
  /** @type {Cell} */
  const next = { ...rest }
  for (const name of CARRIED) if (from[name] !== undefined) Object.assign(next, { [name]: from[name] })
  if (side === 'mc') next.mt = own.mt
  return filled(next)
}

/**
 * Cells that differ, in the order they stand in.
 * @param {Cells} before
 * @param {Cells} after
 * @returns {Change[]}
 */
export function changesOf(before, after) {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ key, before: before.get(key) ?? null, after: after.get(key) ?? null }))
    .filter((change) => !sameCell(change.before, change.after))
}

/**
 * Every cell that was changed here or there since `base`, told apart (three-way merge).
 * @param {Cells} base
 * @param {Cells} here
 * @param {Cells} there
 * @returns {MergeRow[]}
 */
export function compare(base, here, there) {
  const mine = new Set(changesOf(base, here).map(({ key }) => key))
  const theirs = new Set(changesOf(base, there).map(({ key }) => key))
  return [...new Set([...theirs, ...mine])].map((key) => {
    const row = { key, base: base.get(key) ?? null, here: here.get(key) ?? null, there: there.get(key) ?? null }
    if (!mine.has(key)) return { ...row, kind: 'there' }
    if (!theirs.has(key)) return { ...row, kind: 'here' }
    return { ...row, kind: sameCell(row.here, row.there) ? 'same' : 'conflict' }
  })
}

/**
 * The cells of `there` with what was changed here put onto them; of conflicts what `choices` says, else what is there.
 * @param {Cells} there
 * @param {MergeRow[]} rows
 * @param {Map<string, 'here' | 'there'>} choices
 * @returns {Cells}
 */
export function merged(there, rows, choices) {
  const cells = new Map(there)
  for (const { key, kind, here } of rows) {
    const mine = kind === 'here' || (kind === 'conflict' && choices.get(key) === 'here')
    if (mine && here !== null) cells.set(key, here)
    else if (mine) cells.delete(key)
  }
  return cells
}

/**
 * Distinct MT channel indices in use, ascending.
 * @param {Iterable<Cell | null>} cells
 */
export function mtChannelsOf(cells) {
  /** @type {Set<number>} */
  const used = new Set()
  for (const cell of cells) if (cell !== null && cell.mt !== null) used.add(cell.mt)
  return [...used].sort((a, b) => a - b)
}
