// Other stations that are asked over IP, as they were found when they were last asked.

/** @typedef {{ order: number, address: string, state: 'unknown' | 'answers' | 'disbelieved' | 'silent', asked_at: string | null, answered_at: string | null }} AskedStation */

/** @type {Readonly<Record<AskedStation['state'], 'good' | 'bad' | 'off'>>} */
const TONES = { unknown: 'off', answers: 'good', disbelieved: 'bad', silent: 'bad' }

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {readonly AskedStation[]} stations
 * @param {{ problem?: string, button?: unknown }} [controls]
 */
export function stationSection(pen, stations, { problem = '', button = null } = {}) {
  const { html, t } = pen
  if (stations.length === 0) return null
  return html`<section aria-labelledby="stations-asked"><h2 id="stations-asked">${t('Other stations over the network')}</h2>
<p>${t('They are asked only while an alert waits for them here. What they say never counts as heard on the air.')}</p>
${problem === '' ? null : html`<p class="warning" role="status">${problem}</p>`}
${stations.map((one) => station(pen, one))}
${button}</section>`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {AskedStation} station
 */
function station({ html, t, moment }, { order, address, state, asked_at, answered_at }) {
  return html`<div class="card"><h3>${t('Station {order}', { order })}</h3><p><code>${address}</code></p>
<p><strong class=${`state ${TONES[state]}`}>${said(t, state)}</strong></p>
<dl class="facts"><div><dt>${t('Last asked')}</dt><dd>${asked_at === null ? t('not since the start') : moment(asked_at)}</dd></div>
<div><dt>${t('Last answer')}</dt><dd>${answered_at === null ? t('none') : moment(answered_at)}</dd></div></dl></div>`
}

/**
 * @param {import('./words.js').Say} t
 * @param {AskedStation['state']} state
 */
function said(t, state) {
  if (state === 'answers') return t('answers')
  if (state === 'silent') return t('does not answer')
  if (state === 'disbelieved')
    return t('gives no right answer: another secret or place in the order, or standby is off there')
  return t('not asked yet')
}
