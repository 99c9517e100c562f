// The part of the matrix that is on the screen: found by name, grouped, closed, pinned. Nothing of it changes a cell.
import { t } from '/static/lib/i18n.js'
import { placeOf } from '/static/shared/matrix-model.js'
import { mtName } from '/static/shared/matrix-words.js'
import { NETWORK_NAMES } from '/static/shared/words.js'
import { computed, effect, signal } from '/static/vendor/ui.js'
import { createFamilies } from './families.js'
import { isLike } from './find.js'

/** @typedef {import('/static/shared/matrix.js').Line} Line */
/** @typedef {'none' | 'channel' | 'letter'} Grouping */
/** @typedef {{ name: string, columns: Line[] }} Group */
/** @typedef {'cells' | 'week' | 'event'} Overlay */
/** @typedef {ReturnType<typeof createView>} View */

const KEPT = 'lookout-matrix-pins'
/** So many pinned regions stand still; further ones stand first. */
export const MOST_STILL = 2

/** @param {import('./state.js').Matrix} matrix */
export function createView(matrix) {
  const typed = signal('')
  const grouping = signal(/** @type {Grouping} */ ('none'))
  const closed = signal(/** @type {ReadonlySet<string>} */ (new Set()))
  const { pins, pin } = createPins()
  const overlay = signal(/** @type {Overlay} */ ('cells'))

  const found = computed(() => foundIn(matrix, typed.value))
  /** The pinned ones, in the order of the matrix. */
  const pinned = computed(() => found.value.columns.filter(({ key }) => pins.value.includes(key)))
  const groups = computed(() => {
    const others = found.value.columns.filter(({ key }) => !pins.value.includes(key))
    return groupsOf(others, grouping.value, matrix)
  })
  const open = computed(() => groups.value.filter(({ name }) => !closed.value.has(name)))
  const columns = computed(() => [...pinned.value, ...open.value.flatMap((group) => group.columns)])
  const families = createFamilies(
    matrix,
    computed(() => found.value.rows),
    computed(() => typed.value.trim() !== '')
  )
  const { rows } = families

  /** @param {string} name */
  const toggle = (name) => {
    const next = new Set(closed.peek())
    if (!next.delete(name)) next.add(name)
    closed.value = next
  }
  const shown = () => ({ rows: rows.peek().map(({ key }) => key), columns: columns.peek().map(({ key }) => key) })
  return {
    typed,
    grouping,
    closed,
    pins,
    overlay,
    found,
    pinned,
    groups,
    open,
    columns,
    families,
    rows,
    toggle,
    pin,
    shown
  }
}

/** Regions that are like what was typed; where there are none, families; where there are none either, everything. @param {import('./state.js').Matrix} matrix @param {string} typed */
function foundIn(matrix, typed) {
  const [rows, columns] = [matrix.rows.value, matrix.columns.value]
  if (typed.trim() === '') return { rows, columns, isFound: true }
  const like = (/** @type {Line} */ { label }) => isLike(label, typed)
  const some = { rows: rows.filter(like), columns: columns.filter(like) }
  if (some.columns.length > 0) return { rows, columns: some.columns, isFound: true }
  if (some.rows.length > 0) return { rows: some.rows, columns, isFound: true }
  return { rows, columns, isFound: false }
}

/**
 * By what is saved: an edit moves no column from under the hand.
 * @param {readonly Line[]} columns @param {Grouping} by @param {import('./state.js').Matrix} matrix
 * @returns {Group[]}
 */
function groupsOf(columns, by, matrix) {
  if (by === 'none') return [{ name: '', columns: [...columns] }]
  const channels = by === 'channel' ? channelsOf(matrix) : null
  /** @type {Map<string, Line[]>} */
  const groups = new Map()
  for (const column of columns) {
    const name = channels ? (channels.get(column.key) ?? t('no channel')) : (column.label.trim()[0] ?? '').toUpperCase()
    groups.set(name, [...(groups.get(name) ?? []), column])
  }
  return [...groups]
    .map(([name, columns]) => ({ name, columns }))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
}

/** The channel of this side that each region uses most. @param {import('./state.js').Matrix} matrix @returns {Map<string, string>} */
function channelsOf({ data, saved }) {
  /** @type {Map<string, Map<string, number>>} */
  const uses = new Map()
  for (const [key, { mt, mc }] of saved.value) {
    const channel = data.value.side === 'mt' ? (mt === null ? null : mtName(data.value, mt)) : mc
    if (channel === null) continue
    const counts = uses.get(placeOf(key).region) ?? new Map()
    counts.set(channel, (counts.get(channel) ?? 0) + 1)
    uses.set(placeOf(key).region, counts)
  }
  const network = NETWORK_NAMES[data.value.side]
  return new Map(
    [...uses].map(([region, counts]) => {
      const [most] = [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b))
      return [region, `${network} ${most?.[0] ?? ''}`]
    })
  )
}

function createPins() {
  const pins = signal(keptPins())
  /** @param {string} region @returns {boolean} it is pinned now */
  const pin = (region) => {
    const has = pins.peek().includes(region)
    pins.value = has ? pins.peek().filter((one) => one !== region) : [...pins.peek(), region]
    return !has
  }
  effect(() => keepPins(pins.value))
  return { pins, pin }
}

/** A browser that keeps nothing keeps no pins: the page works without. @returns {string[]} */
function keptPins() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  } catch (error) {
    return forgetful(error, [])
  }
}

/** @param {readonly string[]} pins */
function keepPins(pins) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(pins))
  } catch (error) {
    forgetful(error, undefined)
  }
}

/**
 * No storage is allowed here, or what lies in it is not ours.
 * @template T
 * @param {unknown} error @param {T} instead
 */
function forgetful(error, instead) {
  if (error instanceof DOMException || error instanceof SyntaxError) return instead
  throw error
}
