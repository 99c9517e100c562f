// One network's side of the matrix, families × regions: drawn by the server to be read, drawn on by the script to be edited.
import {
  cellsOf,
  keyOf,
  MT_CHANNELS_BEFORE_WARNING,
  mtChannelsOf,
  placeOf,
  SEVERITIES,
  SWITCH_OF,
  switchesOf
} from './matrix-model.js'
import { channelWords, marksOf, policyWords } from './matrix-words.js'
import { floorNames, NETWORK_NAMES } from './words.js'

/** @typedef {import('./matrix-model.js').Cell} Cell */
/** @typedef {import('./matrix-model.js').Switches} Switches */
/** @typedef {import('./matrix-model.js').Switch} Switch */
/** @typedef {import('./matrix-words.js').RoutingData} RoutingData */
/** @typedef {{ key: string, label: string, orphan: boolean }} Line a row or a column */
/** @typedef {{ cell: Cell | null, marks: readonly string[], orphan: string | null, changed?: boolean }} Look */

/** So many warnings are shown before somebody asks for the rest. */
export const SHOWN = { wide: 6, narrow: 2 }

/**
 * Families and regions, and at the end stored names that are known no more.
 * @param {RoutingData} data
 * @param {Iterable<string>} keys of filled cells
 * @returns {{ rows: Line[], columns: Line[] }}
 */
export function linesOf(data, keys) {
  const places = [...keys].map(placeOf)
  return {
    rows: lines(
      data.families,
      places.map(({ family }) => family)
    ),
    columns: lines(
      data.regions.map((name) => ({ key: name, label: name })),
      places.map(({ region }) => region)
    )
  }
}

/** @param {readonly { key: string, label: string }[]} known @param {readonly string[]} used @returns {Line[]} */
function lines(known, used) {
  const keys = new Set(known.map(({ key }) => key))
  const orphans = [...new Set(used)].filter((name) => !keys.has(name))
  return [
    ...known.map(({ key, label }) => ({ key, label, orphan: false })),
    ...orphans.map((name) => ({ key: name, label: name, orphan: true }))
  ]
}

/** MC names that the saved matrix uses. @param {Iterable<Cell>} cells */
export function namesIn(cells) {
  return new Set([...cells].flatMap(({ mc }) => (mc === null ? [] : [mc])))
}

/**
 * @param {import('./words.js').Say} t
 * @param {RoutingData} data
 * @param {{ cell: Cell | null, row: Line, column: Line, switches: Switches, named: ReadonlySet<string> }} at
 * @returns {Look}
 */
export function lookOf(t, data, { cell, row, column, switches, named }) {
  const orphan = column.orphan ? t('no such area') : row.orphan ? t('no such family') : null
  const at = { family: row.key, region: column.key, switches, orphan, named }
  return { cell, orphan, marks: cell === null ? [] : marksOf(t, data, { ...at, cell }) }
}

/** @param {Look} look */
export function lookClasses({ cell, marks, orphan, changed = false }) {
  const classes = ['cell']
  if (cell === null) classes.push('empty')
  else classes.push('set', cell.min_severity)
  if (cell !== null && !cell.enabled) classes.push('off')
  if (cell?.enabled && marks.length > 0) classes.push('unreachable')
  if (orphan) classes.push('orphan')
  if (changed) classes.push('changed')
  return classes.join(' ')
}

/**
 * Channels, severity and marks of a cell.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {RoutingData} data
 * @param {Look} look
 */
export function cellText({ html, t }, data, { cell, marks }) {
  if (cell === null) return html`<span class="none">–</span>`
  const { short, other } = channelWords(data, cell)
  return html`${short === null ? html`<span class="none">${t('not on {network}', { network: NETWORK_NAMES[data.side] })}</span>` : html`<strong>${short}</strong>`}
${other === null ? null : html`<span class="other">${other}</span>`}
<span class="severity ${cell.min_severity}">${floorNames(t)[cell.min_severity]}</span>${marks.map((mark) => html`<em>${mark}</em>`)}`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Line} column
 */
export function columnHead({ html, t }, { label, orphan }) {
  return orphan
    ? html`<th scope="col" class="orphan">${label} <small>${t('no such area')}</small></th>`
    : html`<th scope="col">${label}</th>`
}

/**
 * The head of a row; where no cell can match, with the policy that decides.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {RoutingData} data
 * @param {Line} row
 * @param {boolean} [linked] the policy stands below on the page
 */
export function rowHead(pen, data, row, linked = false) {
  const { html, t } = pen
  const policy = policyNote(pen, data, { family: row.key, linked })
  return row.orphan
    ? html`<th scope="row" class="orphan">${row.label} <small>${t('no such family')}</small></th>`
    : html`<th scope="row">${row.label}${policy}</th>`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {RoutingData} data
 * @param {{ family: string, linked: boolean }} of
 */
export function policyNote({ html, t }, data, { family, linked }) {
  const policy = data.policies[family]
  if (policy === undefined) return null
  const words = policyWords(t, data, policy)
  return html`<small class="policy">${t('No region by nature: no cell matches.')} ${linked ? html`<a href="#policy-${family}">${words}</a>` : words}</small>`
}

/** @template T @param {import('./pen.js').Pen<T>} pen */
export function cornerHead({ html, t }) {
  return html`<th scope="col">${t('Family')}</th>`
}

/**
 * The whole table, as it is read.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {RoutingData} data
 */
export function matrixTable(pen, data) {
  const { html, t } = pen
  const cells = cellsOf(data.matrix)
  const { rows, columns } = linesOf(data, cells.keys())
  if (columns.length === 0) return noRegions(pen)
  const named = namesIn(cells.values())
  const switches = switchesOf(data.matrix)
  /** @param {Line} row @param {Line} column */
  const cellAt = (row, column) => {
    const cell = cells.get(keyOf(row.key, column.key)) ?? null
    const look = lookOf(t, data, { cell, row, column, switches, named })
    return html`<td class="${lookClasses(look)}"><span class="text">${cellText(pen, data, look)}</span></td>`
  }
  return html`<div class="scroll matrix" tabindex="0" role="region" aria-label="${sideName(t, data.side)}"><table>
<caption>${t('{network} channel and least severity of each family and region', { network: NETWORK_NAMES[data.side] })}</caption>
<thead><tr>${cornerHead(pen)}${columns.map((column) => columnHead(pen, column))}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${rowHead(pen, data, row)}${columns.map((column) => cellAt(row, column))}</tr>\n`)}</tbody></table></div>`
}

/** @template T @param {import('./pen.js').Pen<T>} pen */
export function noRegions({ html, t }) {
  return html`<p>${t('There are no regions: give a coverage area a name, and it becomes a column here.')} <a href="/coverage">${t('Coverage')}</a></p>`
}

/** @param {import('./words.js').Say} t @param {RoutingData['side']} side */
export const sideName = (t, side) => (side === 'mt' ? t('Meshtastic routing') : t('MeshCore routing'))

/**
 * Switches, radio of this side, its channels in use, and the look of each severity.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {RoutingData} data
 * @param {{ switches: Switches, cells: Iterable<Cell> }} matrix as it is saved, or edited
 * @param {((name: Switch, words: string) => unknown) | null} [draw] draws a switch of an editor
 */
export function matrixIntro(pen, data, { switches, cells }, draw = null) {
  const { html, t } = pen
  const { enabled } = switches
  const [href, other] = data.side === 'mt' ? ['/mesh-b/routing', 'mc'] : ['/mesh-a/routing', 'mt']
  const about = enabled
    ? t('A cell that is on decides alone what its events broadcast.')
    : t('Every event takes the policy of its family, as if there were no cells.')
  return html`<div class="intro">
<p class="master">${drawn(pen, 'enabled', switches, draw)}</p>
<p class="master networks">${drawn(pen, 'mt_enabled', switches, draw)} ${drawn(pen, 'mc_enabled', switches, draw)}</p>
<p id="master-note" class="quiet"><span class="${enabled ? 'roomy' : ''}">${about}</span> ${shutWords(t, switches)}${t('The other side:')} <a href="${href}">${sideName(t, other === 'mc' ? 'mc' : 'mt')}</a>.</p>
${legend(pen, data, [...cells])}</div>`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {Switch} name
 * @param {Switches} switches
 * @param {((name: Switch, words: string) => unknown) | null} draw
 */
function drawn({ html, t }, name, switches, draw) {
  const words = switchWords(t, name, switches[name])
  if (draw !== null) return html`<span class="switch">${draw(name, words)}</span>`
  return name === 'enabled' ? html`<strong>${words}</strong>` : html`<span class="switch">${words}</span>`
}

/** @param {import('./words.js').Say} t @param {Switch} name @param {boolean} on */
export function switchWords(t, name, on) {
  if (name === 'enabled') return on ? t('The matrix is on') : t('The matrix is off')
  const network = NETWORK_NAMES[name === 'mt_enabled' ? 'mt' : 'mc']
  return on ? t('On for {network}', { network }) : t('Off for {network}', { network })
}

/** Explains each network that is off, while the matrix is on. @param {import('./words.js').Say} t @param {Switches} switches */
function shutWords(t, switches) {
  const shut = switches.enabled ? /** @type {const} */ (['mt', 'mc']).filter((one) => !switches[SWITCH_OF[one]]) : []
  const words = shut.map((network) =>
    t('It sends nothing over {network}, and nothing else broadcasts there what a cell matches.', {
      network: NETWORK_NAMES[network]
    })
  )
  return words.map((sentence) => `${sentence} `).join('')
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {RoutingData} data
 * @param {readonly Cell[]} cells
 */
function legend({ html, t }, data, cells) {
  const radio = data.radios[data.side]
  const well = radio?.state === 'ready' || radio?.state === 'preview'
  const { words, many } = usedWords(t, data.side, cells)
  const tints = SEVERITIES.map(
    (severity) =>
      html`<span class="tint ${severity}"><span class="severity ${severity}">${floorNames(t)[severity]}</span></span> `
  )
  return html`<p class="legend"><span class="${well ? 'quiet' : 'bad'}">${radioWords(t, data.side, radio)}</span> <span class="${many ? 'bad' : 'quiet'}" id="channels-used">${words}</span>
<span class="tints">${t('From:')} ${tints}</span></p>`
}

/**
 * The channels that cells name on the network of this side; the other network has its own page. Of MeshCore, whose channels have names, a few.
 * @param {import('./words.js').Say} t
 * @param {RoutingData['side']} side
 * @param {readonly Cell[]} cells
 */
function usedWords(t, side, cells) {
  if (side === 'mt') {
    const used = mtChannelsOf(cells)
    const values = { channels: used.join(', '), count: used.length, most: MT_CHANNELS_BEFORE_WARNING }
    return {
      words:
        used.length === 0
          ? t('no Meshtastic channel in use')
          : t('Meshtastic channels in use: {channels} ({count} of {most})', values),
      many: used.length > MT_CHANNELS_BEFORE_WARNING
    }
  }
  const used = [...namesIn(cells)].sort()
  const rest = used.length > SHOWN.wide ? ', …' : ''
  const values = { channels: `${used.slice(0, SHOWN.wide).join(', ')}${rest}`, count: used.length }
  return {
    words:
      used.length === 0 ? t('no MeshCore channel in use') : t('MeshCore channels in use: {channels} ({count})', values),
    many: false
  }
}

/** @param {import('./words.js').Say} t @param {RoutingData['side']} side @param {RoutingData['radios']['mt']} radio */
function radioWords(t, side, radio) {
  if (radio === null) return t('No {network} radio is configured: messages wait.', { network: NETWORK_NAMES[side] })
  const { id, state, reason } = radio
  if (state === 'ready') return t('Radio {id}: ready', { id })
  if (state === 'preview') return t('Radio {id}: configured; a preview does not connect it', { id })
  return t('Radio {id}: not ready ({reason})', { id, reason: reason ?? state })
}

/**
 * Worst first; beyond `shown` they open.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {readonly { code: string, message: string }[]} warnings
 * @param {number} shown
 */
export function warningList({ html, t }, warnings, shown) {
  const items = warnings.map(({ code, message }) => html`<li data-code="${code}">${message}</li>`)
  const rest = items.slice(shown)
  const more =
    rest.length === 0
      ? null
      : html`<details><summary>${t('{count} more', { count: rest.length })}</summary><ul>${rest}</ul></details>`
  return html`<div class="warnings" role="status">${
    warnings.length === 0
      ? null
      : html`<section class="problems" aria-labelledby="warnings"><h2 id="warnings">${t('Warnings')}</h2><ul>${items.slice(0, shown)}</ul>${more}</section>`
  }</div>`
}
