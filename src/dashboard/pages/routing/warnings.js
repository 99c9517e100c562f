// Hints about the matrix that never keep it from being saved (contract §4): the same codes as the station's.
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { SHOWN, warningList } from '/static/shared/matrix.js'
import { MT_CHANNELS_BEFORE_WARNING, modeOf, mtChannelsOf, placeOf } from '/static/shared/matrix-model.js'
import { fallsThrough, findingWords } from '/static/shared/matrix-words.js'

/** @typedef {import('./state.js').Matrix} Matrix */
/** @typedef {{ code: string, message: string, place?: string }} Warning */

/** These are found here, while editing; the station's other warnings are shown as it tells them. */
const OWN_CODES = new Set(['mt_channels_exceeded', 'orphan_region', 'orphan_family', 'disabled_cell_falls_through'])

/**
 * @param {Matrix} matrix
 * @returns {Warning[]} of the matrix as it is edited, worst first
 */
export function warningsOf(matrix) {
  const cells = matrix.current.value
  const many = matrix.data.value.side === 'mt' ? tooMany([...cells.values()]) : []
  return [...many, ...orphanLines(matrix), ...falling(matrix)]
}

/** @param {import('/static/shared/matrix-model.js').Cell[]} cells @returns {Warning[]} */
function tooMany(cells) {
  const channels = mtChannelsOf(cells)
  return channels.length <= MT_CHANNELS_BEFORE_WARNING ? [] : [said({ code: 'mt_channels_exceeded', channels })]
}

/** @param {Matrix} matrix @returns {Warning[]} */
function orphanLines({ columns, rows, current }) {
  const places = [...current.value.keys()].map(placeOf)
  const regions = columns.value.filter(({ key, orphan }) => orphan && places.some(({ region }) => region === key))
  const families = rows.value.filter(({ key, orphan }) => orphan && places.some(({ family }) => family === key))
  return [
    ...regions.map(({ key }) => said({ code: 'orphan_region', region: key }, key)),
    ...families.map(({ key }) => said({ code: 'orphan_family', family: key }, key))
  ]
}

/** @param {Matrix} matrix @returns {Warning[]} */
function falling({ current, switches, data, rows }) {
  if (!switches.value.enabled) return []
  const labels = new Map(rows.value.map(({ key, label }) => [key, label]))
  return [...current.value].flatMap(([key, cell]) => {
    const { family, region } = placeOf(key)
    if (modeOf(cell) !== 'off' || !fallsThrough(data.value, family, region)) return []
    return [said({ code: 'disabled_cell_falls_through', family: labels.get(family) ?? family, region }, key)]
  })
}

/** @param {import('/static/shared/matrix-words.js').Finding} finding @param {string} [place] @returns {Warning} */
function said(finding, place) {
  return { code: finding.code, message: findingWords(t, finding), ...(place === undefined ? {} : { place }) }
}

/**
 * @param {object} given
 * @param {Matrix} given.matrix
 * @param {{ code: string, message: string }[]} given.told by the station when it saved
 * @param {boolean} given.narrow
 */
export function Warnings({ matrix, told, narrow }) {
  const all = [...warningsOf(matrix), ...told.filter(({ code }) => !OWN_CODES.has(code))]
  return warningList(pen, all, narrow ? SHOWN.narrow : SHOWN.wide)
}
