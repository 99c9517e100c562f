// The families in groups: by the kind of what threatens, or by the least that any of their cells lets through.
import { t } from '/static/lib/i18n.js'
import { placeOf, SEVERITIES } from '/static/shared/matrix-model.js'
import { computed, signal } from '/static/vendor/ui.js'
import { severityWord } from './words.js'

/** @typedef {import('/static/shared/matrix.js').Line} Line */
/** @typedef {'none' | 'kind' | 'severity'} Sorting */
/** @typedef {{ name: string, rows: Line[] }} FamilyGroup */
/** @typedef {ReturnType<typeof createFamilies>} Families */

/**
 * @param {import('./state.js').Matrix} matrix
 * @param {{ readonly value: readonly Line[] }} found
 * @param {{ readonly value: boolean }} seeks somebody looks for a name: what is found is shown
 */
export function createFamilies(matrix, found, seeks) {
  const sorting = signal(/** @type {Sorting} */ ('none'))
  const closed = signal(/** @type {ReadonlySet<string>} */ (new Set()))
  const groups = computed(() => groupsOf(found.value, sorting.value, matrix))
  /** @param {string} name */
  const isOpen = (name) => seeks.value || !closed.value.has(name)
  const rows = computed(() => groups.value.flatMap((group) => (isOpen(group.name) ? group.rows : [])))
  /** @param {string} name */
  const toggle = (name) => {
    const next = new Set(closed.peek())
    if (!next.delete(name)) next.add(name)
    closed.value = next
  }
  /** @param {Sorting} next */
  const sort = (next) => {
    closed.value = new Set()
    sorting.value = next
  }
  return { sorting, groups, rows, isOpen, toggle, sort }
}

/**
 * By what is saved: an edit moves no row from under the hand.
 * @param {readonly Line[]} rows @param {Sorting} by @param {import('./state.js').Matrix} matrix
 * @returns {FamilyGroup[]}
 */
function groupsOf(rows, by, matrix) {
  if (by === 'none') return [{ name: '', rows: [...rows] }]
  const names = by === 'kind' ? kindNames() : severityNames(matrix)
  const last = by === 'kind' ? t('Families of this station') : t('no cell')
  return [...new Set(names.values()), last]
    .map((name) => ({ name, rows: rows.filter(({ key }) => (names.get(key) ?? last) === name) }))
    .filter((group) => group.rows.length > 0)
}

/** Families of the configuration are of no kind. @returns {Map<string, string>} */
function kindNames() {
  /** @type {[string, string[]][]} */
  const kinds = [
    [t('Weather and earth'), ['weather', 'fire', 'avalanche', 'seismic']],
    [t('People and roads'), ['emergency', 'roads', 'tracking']],
    [t('Sky and radio'), ['rf_propagation', 'satpass', 'mesh_health']]
  ]
  return new Map(kinds.flatMap(([name, families]) => families.map((family) => [family, name])))
}

/** Gravest last, as everywhere in the matrix. @param {import('./state.js').Matrix} matrix @returns {Map<string, string>} */
function severityNames({ saved }) {
  const cells = [...saved.value].filter(([, { enabled }]) => enabled)
  /** @type {Map<string, string>} */
  const names = new Map()
  for (const severity of SEVERITIES)
    for (const [key, { min_severity }] of cells) {
      const { family } = placeOf(key)
      if (min_severity === severity && !names.has(family))
        names.set(family, t('from {severity}', { severity: severityWord(severity) }))
    }
  return names
}
