// Hints about the matrix that never keep it from being saved (contract §4): the same codes as the station's.
import { t } from '/static/lib/i18n.js'
import { html } from '/static/vendor/ui.js'
import { MT_CHANNELS_BEFORE_WARNING, modeOf, mtChannelsOf, placeOf } from './model.js'
import { fallsThrough } from './words.js'

/** @typedef {import('./state.js').Matrix} Matrix */
/** @typedef {{ code: string, message: string, place?: string }} Warning */

/** These are found here, while editing; the station's other warnings are shown as it tells them. */
const OWN_CODES = new Set(['mt_channels_exceeded', 'orphan_region', 'orphan_family', 'disabled_cell_falls_through'])
/** So many are shown at once. */
const SHOWN = { wide: 6, narrow: 2 }

/**
 * @param {Matrix} matrix
 * @returns {Warning[]} of the matrix as it is edited, worst first
 */
export function warningsOf(matrix) {
  const cells = matrix.current.value
  return [...tooMany([...cells.values()]), ...orphanLines(matrix), ...falling(matrix)]
}

/** @param {import('./model.js').Cell[]} cells @returns {Warning[]} */
function tooMany(cells) {
  const channels = mtChannelsOf(cells)
  if (channels.length <= MT_CHANNELS_BEFORE_WARNING) return []
  const values = { count: channels.length, most: MT_CHANNELS_BEFORE_WARNING, channels: channels.join(', ') }
  const message = t(
    '{count} different MT channels are in use ({channels}), more than {most}: every radio that is to hear them all must have all of them.',
    values
  )
  return [{ code: 'mt_channels_exceeded', message }]
}

/** @param {Matrix} matrix @returns {Warning[]} */
function orphanLines({ rows, columns, current }) {
  const places = [...current.value.keys()].map(placeOf)
  const regions = columns.value.filter(({ key, orphan }) => orphan && places.some(({ region }) => region === key))
  const families = rows.value.filter(({ key, orphan }) => orphan && places.some(({ family }) => family === key))
  return [
    ...regions.map(({ key: name }) => ({
      code: 'orphan_region',
      place: name,
      message: t('No coverage area is named “{name}”: its cells are kept, but no event will match them.', { name })
    })),
    ...families.map(({ key: name }) => ({
      code: 'orphan_family',
      place: name,
      message: t('“{name}” is not a family any more: its cells are kept, but no event will match them.', { name })
    }))
  ]
}

/** @param {Matrix} matrix @returns {Warning[]} */
function falling({ current, enabled, data, rows }) {
  if (!enabled.value) return []
  const labels = new Map(rows.value.map(({ key, label }) => [key, label]))
  return [...current.value].flatMap(([key, cell]) => {
    const { family, region } = placeOf(key)
    if (modeOf(cell) !== 'off' || !fallsThrough(data.value, family, region)) return []
    const values = { family: labels.get(family) ?? family, region }
    const message = t(
      '{family}, {region} is off, and the family’s own policy or a rule broadcasts its events: mute it for silence.',
      values
    )
    return [{ code: 'disabled_cell_falls_through', message, place: key }]
  })
}

/**
 * @param {object} given
 * @param {Matrix} given.matrix
 * @param {{ code: string, message: string }[]} given.told by the station when it saved
 * @param {boolean} given.narrow
 */
export function Warnings({ matrix, told, narrow }) {
  const shown = narrow ? SHOWN.narrow : SHOWN.wide
  const own = warningsOf(matrix)
  const all = [...own, ...told.filter(({ code }) => !OWN_CODES.has(code))]
  const lines = all
    .slice(0, shown)
    .map(({ message, code }) => html`<li key=${message} data-code=${code}>${message}</li>`)
  const rest = all.slice(shown).map(({ message, code }) => html`<li key=${message} data-code=${code}>${message}</li>`)
  return html`<div class="warnings" role="status">
    ${
      all.length > 0 &&
      html`<section class="problems" aria-labelledby="warnings"><h2 id="warnings">${t('Warnings')}</h2><ul>${lines}</ul>
      ${rest.length > 0 && html`<details><summary>${t('{count} more', { count: rest.length })}</summary><ul>${rest}</ul></details>`}
    </section>`
    }
  </div>`
}
