// The name of a cell: on the screen, to a screen reader, in a list of changes.
import { t } from '/static/lib/i18n.js'
import { channelWords, modeWord } from '/static/shared/matrix-words.js'
import { floorNames } from '/static/shared/words.js'

/** @typedef {import('/static/shared/matrix-model.js').Cell} Cell */
/** @typedef {import('./routing-view.ts').RoutingData} RoutingData */
/** @typedef {{ state: 'sent' | 'held' | 'suppressed' | 'stood_by' | 'none', reason: string, change: string }} Verdict */

/** @param {Cell['min_severity']} severity */
export const severityWord = (severity) => floorNames(t)[severity]

/**
 * `Meshtastic 3 Fire-Net, from priority, on`.
 * @param {RoutingData} data
 * @param {Cell | null} cell
 */
export function cellWords(data, cell) {
  if (cell === null) return t('none')
  const from = t('from {severity}', { severity: severityWord(cell.min_severity) })
  const { own, other } = channelWords(data, cell)
  return [own, other, from, modeWord(t, cell)].filter((words) => words !== null).join(', ')
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
