// The state of one radio: what it hears, and what it has sent.
import { fact, stateMark } from './pen.js'
import { number } from './times.js'
import { linkName, networkName } from './words.js'

/** @typedef {import('../../src/dashboard/server/said-status.ts').SaidRadio} RadioStatus */
/** @typedef {{ at: string, state: string, reason: string | null }} Change */

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {{ radio: RadioStatus, log: readonly Change[] }} radio with its changes since the start
 * @param {unknown} [controls] what an editor adds
 */
export function radioCard(pen, { radio, log }, controls = null) {
  const { html, t, term, moment } = pen
  const { id, simulated, state, reason, since, network, link, node_name, modem, queue, details } = radio
  // A radio that is not heard tells nothing: its last words are told as such, and nothing of them is green.
  const isLive = state === 'ready' || state === 'suspect'
  const changes = log.map(
    (one) =>
      html`<li>${moment(one.at)} <strong>${term(one.state)}</strong>${one.reason === null ? '' : `: ${one.reason}`}</li>`
  )
  return html`<article class="card" aria-labelledby="radio-${id}"><h2 id="radio-${id}">${id}${simulated ? ` (${t('simulated')})` : ''}</h2>
<p>${stateMark(pen, state, simulated)}${reason === null ? '' : `: ${reason}`} · ${t('changed')} ${moment(since)}</p>
<dl class="facts">${fact(pen, t('Network'), `${networkName(network)} · ${linkName(link, t)}`)}
${node_name === '' ? null : fact(pen, t('Node'), node_name)}${fact(pen, t('Modem'), term(modem))}
${fact(pen, t('Waiting'), queue.waiting)}${details === null || !isLive ? null : detailFacts(pen, details)}</dl>
${airtimeMeter(pen, radio)}${channelList(pen, radio)}
${details === null || isLive || !hasTold(details) ? null : html`<h3>${t('As it told last')}</h3><dl class="facts quiet">${detailFacts(pen, details)}</dl>`}
${details === null || details.nodes.length === 0 ? null : nodeList(pen, details, isLive)}
${controls}
<details><summary>${t('Changes since the start')} (${log.length})</summary><ol class="log">${changes}</ol></details></article>`
}

/** One that was never heard has told nothing, and no number of nodes either. @param {NonNullable<RadioStatus['details']>} details */
const hasTold = ({ nodes_known, nodes: _, queue_length: __, ...facts }) =>
  nodes_known > 0 || Object.values(facts).some((fact) => fact !== null)

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {NonNullable<RadioStatus['details']>} details
 */
function detailFacts(pen, details) {
  const { t, language } = pen
  const { firmware, battery_percent, battery_millivolts, channel_utilization, air_utilization, nodes_known } = details
  /** @param {number | null} value */
  const share = (value) => (value === null ? null : `${number(value * 100, language, 1)} %`)
  const volts = battery_millivolts === null ? null : `${number(battery_millivolts / 1000, language, 2)} V`
  /** @type {[string, string | number | null][]} */
  const rows = [
    [t('Firmware'), firmware],
    [t('Battery'), battery_percent === null ? volts : `${battery_percent} %`],
    [t('Channel busy'), share(channel_utilization)],
    [t('Own share of the air'), share(air_utilization)],
    [t('Nodes known'), nodes_known]
  ]
  return rows.map(([name, value]) => (value === null ? null : fact(pen, name, value)))
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {RadioStatus} radio
 */
function airtimeMeter({ html, t, language }, { id, airtime: { used_seconds, budget_seconds, legal_share } }) {
  const text = t('{used} of {budget} s', {
    used: number(used_seconds, language, 1),
    budget: number(budget_seconds, language)
  })
  const legal =
    legal_share < 1
      ? t('the law allows {share} % of the hour', { share: legal_share * 100 })
      : t('no legal limit known')
  return html`<div class="airtime"><h3 id="air-${id}">${t('Time on air, last hour')}</h3>
<meter aria-labelledby="air-${id}" min="0" max="${budget_seconds}" low="${budget_seconds * 0.7}" high="${budget_seconds * 0.9}" optimum="0" value="${used_seconds}"></meter>
<p>${text} <small>${legal}</small></p></div>`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {RadioStatus} radio
 */
function channelList({ html, t }, { channels, missing_channels, network }) {
  const rows = channels.map((channel) => html`<li>${channelText(t, network, channel)}</li>`)
  const missing = missing_channels.map(({ channel, problem }) => {
    const words =
      problem === 'no_channel'
        ? 'Channel {channel} is used by the configuration, but not on this radio.'
        : 'Channel {channel} is used by the configuration, but disabled on this radio.'
    return html`<p class="warning">${t(words, { channel })}</p>`
  })
  return html`<h3>${t('Channels')}</h3>${channels.length === 0 ? html`<p>${t('not read yet')}</p>` : html`<ul class="chips">${rows}</ul>`}${missing}`
}

/**
 * @param {import('./words.js').Say} t
 * @param {RadioStatus['network']} network
 * @param {RadioStatus['channels'][number]} channel
 */
export function channelText(t, network, { id, name, enabled }) {
  const text = network === 'mt' ? `${id}${name === '' ? '' : ` ${name}`}` : name
  return enabled ? text : `${text} (${t('disabled')})`
}

/** Below this Meshtastic's and MeshCore's usual spreading factors are at the edge of what can be heard; above the other one there is no doubt. dB */
const FAINT_SNR = -10
const CLEAR_SNR = 0
/** More are read when somebody asks for them. */
const MOST_OPEN = 8

/**
 * The mesh as this radio hears it, the node heard last at the head.
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {NonNullable<RadioStatus['details']>} details
 * @param {boolean} isLive
 */
function nodeList(pen, { nodes, nodes_known }, isLive) {
  const { html, t, moment } = pen
  // A column in which nobody tells anything takes the room of those that do.
  const hasSignal = nodes.some(({ snr }) => snr !== null)
  const hasBattery = nodes.some(({ battery_percent }) => battery_percent !== null)
  const rows = nodes.map(
    ({ id, name, last_heard, battery_percent, snr }) =>
      html`<tr><th scope="row">${name || html`<code>${id}</code>`}${name === '' ? null : html` <small>${id}</small>`}</th><td>${last_heard === null ? t('never heard') : moment(last_heard)}</td>${hasSignal ? html`<td>${snr === null ? '–' : signal(pen, snr, isLive)}</td>` : null}${hasBattery ? html`<td>${battery_percent === null ? '–' : `${battery_percent} %`}</td>` : null}</tr>`
  )
  const heads = [
    t('Node'),
    t('Last heard'),
    ...(hasSignal ? [t('Signal')] : []),
    ...(hasBattery ? [t('Battery')] : [])
  ].map((head) => html`<th scope="col">${head}</th>`)
  const table = html`<table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>`
  const title = `${t('Nodes')} (${nodes_known})`
  return nodes.length <= MOST_OPEN
    ? html`<section class="mesh"><h3>${title}</h3>${table}</section>`
    : html`<details class="mesh"><summary>${title}</summary>${table}</details>`
}

/**
 * @template T
 * @param {import('./pen.js').Pen<T>} pen
 * @param {number} snr
 * @param {boolean} isLive false: it was so when the radio was heard last
 */
function signal({ html, t, language }, snr, isLive) {
  const [tone, word] =
    snr >= CLEAR_SNR ? ['good', t('clear')] : snr >= FAINT_SNR ? ['waiting', t('fair')] : ['bad', t('faint')]
  return html`<span class="state ${isLive ? tone : 'off'}">${word}</span> <small>${number(snr, language, 1)}\u00a0dB</small>`
}
