// The name of a cell: on the screen, to a screen reader, in a list of changes.
import { t } from '/static/lib/i18n.js'
import { floorNames } from '/static/shared/words.js'
import { modeOf } from './model.js'

/** @typedef {import('./model.js').Cell} Cell */
/** @typedef {import('./routing-view.ts').RoutingData} RoutingData */
/** @typedef {{ state: 'sent' | 'held' | 'suppressed' | 'stood_by' | 'none', reason: string, change: string }} Verdict */

/** @param {Cell['min_severity']} severity */
export const severityWord = (severity) => floorNames(t)[severity]

/**
 * `3 Fire-Net`: index and the name the radio has for it.
 * @param {RoutingData} data
 * @param {number} index
 */
export function mtName(data, index) {
  const name = data.radios.mt?.channels.find(({ id }) => id === index)?.name ?? ''
  return name === '' ? String(index) : `${index} ${name}`
}

/**
 * The channel of this page and the one of the other network, as they are called; null: not on it.
 * @param {RoutingData} data
 * @param {Cell} cell
 */
export function channelWords(data, { mt, mc }) {
  const onMt = mt === null ? null : `MT ${mtName(data, mt)}`
  const onMc = mc === null ? null : `MC ${mc}`
  return data.side === 'mt' ? { own: onMt, other: onMc } : { own: onMc, other: onMt }
}

/** @param {Cell} cell */
function modeWord(cell) {
  const mode = modeOf(cell)
  if (mode === 'on') return t('on')
  return mode === 'off' ? t('off') : t('muted')
}

/**
 * `MT 3 Fire-Net, from priority, on`.
 * @param {RoutingData} data
 * @param {Cell | null} cell
 */
export function cellWords(data, cell) {
  if (cell === null) return t('none')
  const from = t('from {severity}', { severity: severityWord(cell.min_severity) })
  const { own, other } = channelWords(data, cell)
  return [own, other, from, modeWord(cell)].filter((words) => words !== null).join(', ')
}

/**
 * The faults of a cell, in a few words each. `named` are MC names the saved matrix uses already: a simulated radio
 * takes up new ones when they are saved.
 * @param {RoutingData} data
 * @param {{ cell: Cell, region: string, family: string, matrixOn: boolean, orphan: string | null, named: ReadonlySet<string> }} at
 */
export function marksOf(data, { cell, family, region, matrixOn, orphan, named }) {
  const marks = cell.enabled ? [] : [modeWord(cell)]
  if (orphan) marks.push(orphan)
  if (cell.mt !== null) marks.push(...unreachable(data, 'mt', cell.mt))
  if (cell.mc !== null && !(data.radios.mc?.simulated && !named.has(cell.mc)))
    marks.push(...unreachable(data, 'mc', cell.mc))
  if (modeOf(cell) === 'off' && matrixOn && fallsThrough(data, family, region)) marks.push(t('broadcast all the same'))
  return marks
}

/**
 * @param {RoutingData} data
 * @param {'mt' | 'mc'} network
 * @param {number | string} channel
 */
function unreachable(data, network, channel) {
  const name = network.toUpperCase()
  const radio = data.radios[network]
  if (radio === null) return [t('no {network} radio', { network: name })]
  if (radio.state !== 'ready') return []
  const known = radio.channels.find(({ id }) => id === channel)
  if (known === undefined) return [t('{network}: not on the radio', { network: name })]
  return known.enabled ? [] : [t('{network}: disabled on the radio', { network: name })]
}

/**
 * Contract §4 rule 2: events of a disabled cell go the other way, which may broadcast them after all.
 * @param {RoutingData} data
 * @param {string} family
 * @param {string} region
 */
export function fallsThrough({ outside }, family, region) {
  return (outside[family] ?? []).some((scope) => scope.length === 0 || scope.includes(region))
}

/** @param {Verdict['state']} state */
export function verdictWords(state) {
  /** @type {Record<Verdict['state'], [string, string]>} */
  const words = {
    sent: ['✔', t('would be sent')],
    held: ['◌', t('held')],
    suppressed: ['✕', t('suppressed')],
    stood_by: ['↷', t('stands by')],
    none: ['–', t('no match')]
  }
  return words[state]
}
