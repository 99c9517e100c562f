// Two back-tests side by side: messages, bytes and airtime of each channel, and the busiest hour of each radio.
import { language, t } from '../lib/i18n.js'
import { when } from '../lib/time.js'
import { NETWORK_NAMES } from '../shared/words.js'
import { html } from '../vendor/ui.js'
import { channelWord, reasonWord } from './words.js'

/** @typedef {import('../../src/warning/routing/backtest.ts').BacktestReport} BacktestReport */
/** @typedef {import('../../src/warning/routing/backtest.ts').BacktestChannel} BacktestChannel */
/** @typedef {import('../../src/dashboard/server/said-status.ts').SaidRadio} RadioStatus */

const HOUR_SECONDS = 3600

/** @param {{ edited: BacktestReport, saved: BacktestReport, radios: RadioStatus[] }} props */
export function Comparison({ edited, saved, radios }) {
  const keys = [...new Set([...edited.channels, ...saved.channels].map(({ channel }) => channel))].sort()
  const isSame = edited === saved
  return html`<p role="status">${t('Events: {count}.', { count: edited.events })} ${isSame ? t('Nothing is edited: both matrices are the same.') : ''}</p>
    ${keys.length === 0 ? html`<p>${t('Neither would have sent anything.')}</p>` : html`<${Table} keys=${keys} edited=${edited} saved=${saved} />`}
    ${edited.networks.map(
      (network, index) =>
        html`<${Busiest} now=${network} before=${saved.networks[index]} radio=${radios.find((one) => one.network === network.network)} />`
    )}
    <${Silent} silent=${edited.silent} />`
}

/** @param {{ keys: string[], edited: BacktestReport, saved: BacktestReport }} props */
function Table({ keys, edited, saved }) {
  const rows = keys.map((key) => ({ key, now: of(edited, key), before: of(saved, key) }))
  const total = { now: sum(edited), before: sum(saved) }
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t('By channel')}><table class="trial-counts">
    <caption>${t('With the edited matrix; behind it the difference to the saved one')}</caption>
    <thead><tr><th scope="col">${t('Channel')}</th><th scope="col">${t('Messages')}</th><th scope="col">${t('Bytes')}</th><th scope="col">${t('Airtime, s')}</th></tr></thead>
    <tbody>${rows.map(({ key, ...both }) => html`<${Row} key=${key} name=${channelWord(key)} ...${both} />`)}</tbody>
    <tfoot><${Row} name=${t('All')} ...${total} /></tfoot></table></div>`
}

/** @param {{ name: string, now: Omit<BacktestChannel, 'channel'>, before: Omit<BacktestChannel, 'channel'> }} props */
function Row({ name, now, before }) {
  return html`<tr><th scope="row">${name}</th>
    <${Count} now=${now.messages} before=${before.messages} /><${Count} now=${now.bytes} before=${before.bytes} />
    <${Count} now=${now.airtime_seconds} before=${before.airtime_seconds} digits=${1} /></tr>`
}

/** @param {{ now: number, before: number, digits?: number }} props */
function Count({ now, before, digits = 0 }) {
  const difference = now - before
  const text = number(Math.abs(difference), digits)
  const changed = Math.abs(difference) >= 0.5 * 10 ** -digits
  return html`<td class="number">${number(now, digits)} ${changed ? html`<small>${difference > 0 ? '+' : '−'}${text}</small>` : html`<small aria-label=${t('no difference')}>=</small>`}</td>`
}

/**
 * The law counts by the hour: what matters is the busiest one.
 * @param {{ now: BacktestReport['networks'][number], before: BacktestReport['networks'][number] | undefined, radio: RadioStatus | undefined }} props
 */
function Busiest({ now, before, radio }) {
  if (now.busiest_hour === null && !before?.busiest_hour) return null
  const name = NETWORK_NAMES[now.network]
  const seconds = now.busiest_hour?.airtime_seconds ?? 0
  const was = before?.busiest_hour?.airtime_seconds ?? 0
  const budget = radio?.airtime.budget_seconds ?? 0
  const hour = now.busiest_hour === null ? '' : ` (${when(Date.parse(now.busiest_hour.from))})`
  const spent = t('{seconds} s on the air, {share} of the hour', {
    seconds: number(seconds, 1),
    share: percent(seconds / HOUR_SECONDS)
  })
  const saved = t('With the saved matrix: {seconds} s.', { seconds: number(was, 1) })
  return html`<div class="trial-busiest">
    <p><strong>${t('Busiest hour of {network}', { network: name })}:</strong> ${`${spent}${hour}. ${saved}`}</p>
    ${budget > 0 ? html`<${Share} name=${name} share=${seconds / budget} budget=${budget} />` : null}</div>`
}

/** @param {{ name: string, share: number, budget: number }} props */
function Share({ name, share, budget }) {
  const text = t('{share} of the budget of {budget} s an hour.', { share: percent(share), budget: number(budget, 0) })
  return html`<p class=${share > 1 ? 'bad' : ''}><meter aria-label=${t('Share of the budget of {network}', { network: name })} min="0" max="1" high="0.8" optimum="0.2" value=${Math.min(1, share)}></meter>
    ${share > 1 ? `${text} ${t('Lesser messages would have waited.')}` : text}</p>`
}

/** @param {{ silent: Record<string, number> }} props */
function Silent({ silent }) {
  const reasons = Object.entries(silent).sort(([, a], [, b]) => b - a)
  if (reasons.length === 0) return null
  return html`<details><summary>${t('Why events stayed silent')}</summary>
    <ul>${reasons.map(([reason, count]) => html`<li>${reasonWord(reason)}: ${number(count, 0)}</li>`)}</ul></details>`
}

/** @param {BacktestReport} report @param {string} key @returns {Omit<BacktestChannel, 'channel'>} */
function of({ channels }, key) {
  return channels.find(({ channel }) => channel === key) ?? { messages: 0, bytes: 0, airtime_seconds: 0 }
}

/** @param {BacktestReport} report @returns {Omit<BacktestChannel, 'channel'>} */
function sum({ channels }) {
  return channels.reduce(
    (all, { messages, bytes, airtime_seconds }) => ({
      messages: all.messages + messages,
      bytes: all.bytes + bytes,
      airtime_seconds: all.airtime_seconds + airtime_seconds
    }),
    { messages: 0, bytes: 0, airtime_seconds: 0 }
  )
}

/** @param {number} value @param {number} digits */
function number(value, digits) {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** @param {number} share */
function percent(share) {
  return share.toLocaleString(language, { style: 'percent', maximumSignificantDigits: 2 })
}
