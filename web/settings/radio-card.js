// One radio: how it is, what it hears, what it has sent, and a text to try it with.
import { send } from '../lib/api.js'
import { t, term } from '../lib/i18n.js'
import { when } from '../lib/time.js'
import { html, useSignal } from '../vendor/ui.js'
import { problemOf } from './entries.js'
import { Refusal } from './save-bar.js'
import { Fact, Moment, State } from './times.js'

/** @typedef {import('../../src/dashboard/server/context.ts').RadioStatus} RadioStatus */

/** @param {{ radio: RadioStatus, log: { at: string, state: string, reason: string | null }[], notifications: boolean }} props */
export function RadioCard({ radio, log, notifications }) {
  const { id, simulated, state, reason, since, network, link, node_name, modem, queue, details } = radio
  return html`<article class="card" aria-labelledby=${`radio-${id}`}>
    <h2 id=${`radio-${id}`}>${id}${simulated ? ` (${t('simulated')})` : ''}</h2>
    <p><${State} state=${state} />${reason === null ? '' : `: ${reason}`} · ${t('since')} <${Moment} at=${since} /></p>
    <dl class="facts"><${Fact} name=${t('Network')}>${network.toUpperCase()} · ${link}</${Fact}>
      ${node_name === '' ? null : html`<${Fact} name=${t('Node')}>${node_name}</${Fact}>`}<${Fact} name=${t('Modem')}>${modem}</${Fact}>
      <${Fact} name=${t('Waiting')}>${queue.waiting}</${Fact}>${details === null ? null : html`<${Details} ...${details} />`}</dl>
    <${Airtime} ...${radio.airtime} id=${id} /><${Channels} radio=${radio} />
    ${details === null || details.nodes.length === 0 ? null : html`<${Nodes} nodes=${details.nodes} known=${details.nodes_known} />`}
    <${TestSend} radio=${radio} notifications=${notifications} />
    <details><summary>${t('Changes since the start')} (${log.length})</summary><ol class="log">${log.map(
      (change) =>
        html`<li>${when(Date.parse(change.at))} <strong>${term(change.state)}</strong>${change.reason === null ? '' : `: ${change.reason}`}</li>`
    )}</ol></details></article>`
}

/** @param {NonNullable<RadioStatus['details']>} props */
function Details({ firmware, battery_percent, battery_millivolts, channel_utilization, air_utilization, nodes_known }) {
  /** @param {number | null} value */
  const share = (value) => (value === null ? null : `${(value * 100).toFixed(1)} %`)
  const battery =
    battery_percent !== null
      ? `${battery_percent} %`
      : battery_millivolts === null
        ? null
        : `${(battery_millivolts / 1000).toFixed(2)} V`
  /** @type {[string, string | number | null][]} */
  const rows = [
    [t('Firmware'), firmware],
    [t('Battery'), battery],
    [t('Channel busy'), share(channel_utilization)],
    [t('Own share of the air'), share(air_utilization)],
    [t('Nodes known'), nodes_known]
  ]
  return rows.map(([name, value]) => (value === null ? null : html`<${Fact} name=${name}>${value}</${Fact}>`))
}

/** @param {RadioStatus['airtime'] & { id: string }} props */
function Airtime({ used_seconds, budget_seconds, legal_share, id }) {
  const text = t('{used} of {budget} s', { used: used_seconds.toFixed(1), budget: Math.round(budget_seconds) })
  const legal =
    legal_share < 1
      ? t('the law allows {share} % of the hour', { share: legal_share * 100 })
      : t('no legal limit known')
  return html`<div class="airtime"><h3 id=${`air-${id}`}>${t('Time on air, last hour')}</h3>
    <meter aria-labelledby=${`air-${id}`} min="0" max=${budget_seconds} low=${budget_seconds * 0.7} high=${budget_seconds * 0.9} optimum="0" value=${used_seconds}></meter>
    <p>${text} <small>${legal}</small></p></div>`
}

/** @param {{ radio: RadioStatus }} props */
function Channels({ radio: { channels, missing_channels, network } }) {
  return html`<h3>${t('Channels')}</h3>${
    channels.length === 0
      ? html`<p>${t('not read yet')}</p>`
      : html`<ul class="chips">${channels.map((channel) => html`<li>${channelText(network, channel)}</li>`)}</ul>`
  }${missing_channels.map(
    ({ channel, problem }) =>
      html`<p class="warning">${t(
        problem === 'no_channel'
          ? 'Channel {channel} is used by the configuration, but not on this radio.'
          : 'Channel {channel} is used by the configuration, but disabled on this radio.',
        { channel }
      )}</p>`
  )}`
}

/**
 * @param {RadioStatus['network']} network
 * @param {RadioStatus['channels'][number]} channel
 */
function channelText(network, { id, name, enabled }) {
  const text = network === 'mt' ? `${id}${name === '' ? '' : ` ${name}`}` : name
  return enabled ? text : `${text} (${t('disabled')})`
}

/** @param {{ nodes: NonNullable<RadioStatus['details']>['nodes'], known: number }} props */
function Nodes({ nodes, known }) {
  return html`<details><summary>${t('Nodes')} (${known})</summary><ul class="plain">${nodes.map(
    ({ id, name, last_heard, battery_percent }) =>
      html`<li>${name || id} <small>${last_heard === null ? t('never heard') : html`<${Moment} at=${last_heard} />`}${battery_percent === null ? '' : ` · ${battery_percent} %`}</small></li>`
  )}</ul></details>`
}

/** @param {{ radio: RadioStatus, notifications: boolean }} props */
function TestSend({ radio, notifications }) {
  const { id, network, simulated, channels, state } = radio
  const usable = channels.filter(({ enabled }) => enabled)
  const channel = useSignal(String(usable[0]?.id ?? ''))
  const text = useSignal('')
  const step = useSignal(/** @type {'edit' | 'sure' | 'sending'} */ ('edit'))
  const outcome = useSignal(/** @type {string} */ (''))
  const problem = useSignal(/** @type {{ status: number, detail: string } | null} */ (null))
  const blocked = !notifications
    ? t('Notifications are off: nothing is sent.')
    : state !== 'ready'
      ? t('The radio is not ready.')
      : ''
  const transmit = async () => {
    step.value = 'sending'
    problem.value = null
    outcome.value = ''
    try {
      const to = network === 'mt' ? Number(channel.value) : channel.value
      const { body } = await send(`/api/radios/${encodeURIComponent(id)}/test`, { channel: to, text: text.value })
      outcome.value = t('Put into the queue: {text}', { text: body.text })
    } catch (error) {
      problem.value = problemOf(error)
    }
    step.value = 'edit'
  }
  return html`<details class="test"><summary>${t('Send a test')}</summary>
    <p>${simulated ? t('This radio is simulated: nothing goes on the air.') : t('This transmits for real: everybody on the channel gets it.')}</p>
    <p><label for=${`channel-${id}`}>${t('Channel')}</label> <select id=${`channel-${id}`} onChange=${(
      /** @type {any} */ event
    ) => {
      channel.value = event.currentTarget.value
      step.value = 'edit'
    }}>${usable.map((one) => html`<option value=${one.id} selected=${String(one.id) === channel.value}>${channelText(network, one)}</option>`)}</select></p>
    <p><label for=${`text-${id}`}>${t('Text (empty: TEST, station and time)')}</label> <input id=${`text-${id}`} type="text" maxlength="500" autocomplete="off" value=${text.value} onInput=${(
      /** @type {any} */ event
    ) => {
      text.value = event.currentTarget.value
      step.value = 'edit'
    }} /></p>
    <p class="buttons">${
      step.value === 'sure'
        ? html`<button type="button" class=${simulated ? 'primary' : 'danger'} onClick=${() => void transmit()}>${simulated ? t('Send it to the simulated radio') : t('Yes, transmit')}</button>
          <button type="button" onClick=${() => {
            step.value = 'edit'
          }}>${t('Cancel')}</button>`
        : html`<button type="button" disabled=${blocked !== '' || usable.length === 0 || step.value === 'sending'} onClick=${() => {
            step.value = 'sure'
          }}>${step.value === 'sending' ? t('Sending …') : t('Send …')}</button>`
    } <span>${blocked}</span></p>
    <div role="status">${outcome.value === '' ? null : html`<p>${outcome.value} <a href="/deliveries">${t('Messages')}</a></p>`}</div>
    <div role="alert">${problem.value === null ? null : html`<${Refusal} problem=${problem.value} />`}</div></details>`
}
