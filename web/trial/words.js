// The words of a trial: what becomes of a cell and why.
import { t } from '../lib/i18n.js'
import { when } from '../lib/time.js'
import { floorNames, NETWORK_NAMES, reasonNames, severityNames } from '../shared/words.js'

/** @typedef {import('../../src/warning/routing/said-trace.ts').SaidExplanation} Explanation */
/** @typedef {import('../../src/warning/routing/said-trace.ts').SaidCell} CellVerdict */
/** @typedef {import('../../src/warning/routing/said-trace.ts').SaidChannel} ChannelVerdict */
/** @typedef {import('../../src/warning/routing/obstacles.ts').CellState} CellState */
/** @typedef {import('../../src/warning/routing/said-trace.ts').SaidObstacle} Obstacle */
/** @typedef {import('../../src/model/severity.ts').Severity} Severity */
/** @typedef {{ state: CellState, reason: string, change: string }} Verdict what the matrix shows in a cell */

/** @returns {Record<CellState, string>} */
export const stateWords = () => ({
  sent: t('would be sent'),
  held: t('held'),
  suppressed: t('suppressed'),
  stood_by: t('stands by'),
  none: t('no match')
})

/** Class of a state: shape and colour are those of the style sheet. @type {Record<CellState, string>} */
export const STATE_LOOKS = { sent: 'good', held: 'waiting', suppressed: 'bad', stood_by: 'waiting', none: 'off' }

/** @param {string} severity */
export const severityWord = (severity) => severityNames(t)[/** @type {Severity} */ (severity)] ?? severity

/** @returns {Record<string, string>} */
const reasonWords = () => ({
  ...reasonNames(t),
  new: t('a new message'),
  update: t('an update'),
  cancel: t('the end of what was told'),
  merged: t('joins a message that still waits'),
  not_touched: t('region not touched'),
  no_region: t('no region'),
  no_cell: t('no channel'),
  matrix_off: t('the matrix is off'),
  cell_disabled: t('the cell is off'),
  stands_by: t('stands in for the other network'),
  stands_idle: t('nothing to stand in for'),
  already_cancelled: t('told of the end already'),
  ended_before: t('ended by itself')
})

/** @param {string} reason */
export function reasonWord(reason) {
  return reasonWords()[reason] ?? reason.replaceAll('_', ' ')
}

/** The changes that it would take: sentences in the language of the page, whose values are written as it writes them. @param {readonly Obstacle[]} wanted */
export function changeWords(wanted) {
  return wanted.map(({ text, values }) => filled(text, shown(values))).join(' ')
}

/** @param {string} text @param {Obstacle['values']} values */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (all, /** @type {string} */ name) => String(values[name] ?? all))
}

/** @param {Obstacle['values']} values @returns {Obstacle['values']} */
function shown(values) {
  const { until, severity, channels } = values
  return {
    ...values,
    ...(typeof channels === 'string' ? { channels: channels.split(', ').map(channelWord).join(', ') } : {}),
    ...(typeof until === 'string' ? { until: when(Date.parse(until)) } : {}),
    ...(typeof severity === 'string' ? { severity: floorNames(t)[/** @type {Severity} */ (severity)] ?? severity } : {})
  }
}

/** `mt:3` as people say it. @param {string} key */
export function channelWord(key) {
  const [, transport = '', mark = '', name = ''] = /^(\w+)([:@])(.*)$/s.exec(key) ?? []
  if (transport === '') return key
  const network = transport === 'mt' || transport === 'mc' ? NETWORK_NAMES[transport] : transport
  return `${network} ${mark === '@' ? '→ ' : ''}${name}`
}

/**
 * The cells of an explanation for the matrix: the key is `family NUL region`.
 * @param {Explanation} explanation
 * @returns {Map<string, Verdict>}
 */
export function verdictsOf({ cells }) {
  return new Map(cells.map((cell) => [`${cell.family}\u0000${cell.region}`, verdictOf(cell)]))
}

/** @param {CellVerdict} cell @returns {Verdict} */
function verdictOf({ state, reason, wanted, channels }) {
  const differ = new Set(channels.map((channel) => channel.state)).size > 1
  const said = differ ? channels.map(channelSaid).join('; ') : reasonWord(reason)
  const others = channels.filter((channel) => channel.state !== state)
  const changes = others.map((channel) => `${channelWord(channel.channel)}: ${changeWords(channel.wanted)}`)
  return { state, reason: said, change: [changeWords(wanted), ...changes].filter((text) => text !== '').join(' ') }
}

/** @param {ChannelVerdict} channel */
function channelSaid({ channel, state, reason }) {
  return `${channelWord(channel)}: ${stateWords()[state]} (${reasonWord(reason)})`
}

/** @returns {Record<string, string>} */
export const pathWords = () => ({
  matrix: t('by the matrix'),
  toggle: t('by the family policy'),
  rule: t('by a rule'),
  cancel: t('to those who were told')
})
