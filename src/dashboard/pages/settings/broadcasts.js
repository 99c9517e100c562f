// The present text of each scheduled broadcast: seen before it is heard.
import { ApiError, get } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { ago, when } from '/static/lib/time.js'
import { html, useSignal, useSignalEffect } from '/static/vendor/ui.js'

/** @typedef {import('../../server/context.ts').BroadcastPreview} BroadcastPreview */

/** @param {{ first: BroadcastPreview[], state: import('/static/vendor/ui.js').Signal<string> }} props */
export function Broadcasts({ first, state }) {
  const list = useSignal(first)
  const problem = useSignal('')
  const load = async () => {
    try {
      list.value = (await get('/api/notifications/broadcasts')).body
      problem.value = ''
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problem.value = error.message
    }
  }
  useSignalEffect(() => {
    if (state.value === 'saved') void load()
  })
  return html`<section aria-labelledby="previews"><h2 id="previews">${t('What the broadcasts would say now')}</h2>
    ${problem.value === '' ? null : html`<p class="warning">${problem.value}</p>`}
    ${list.value.length === 0 ? html`<p>${t('No broadcast is scheduled.')}</p>` : list.value.map((one) => html`<${Preview} ...${one} />`)}
    <button type="button" onClick=${() => void load()}>${t('Look again')}</button></section>`
}

/** @param {BroadcastPreview} props */
function Preview({ name, enabled, at, next_run, channels }) {
  const next = next_run === null ? null : Date.parse(next_run)
  return html`<div class="card"><h3>${name}${enabled ? '' : ` (${t('off')})`}</h3>
    <p>${at.join(', ')}${next === null ? '' : ` · ${t('next')}: ${when(next)} (${ago(next)})`}</p>
    <dl class="values">${channels.map(
      ({ channel, text }) =>
        html`<div><dt>${channel}</dt><dd class="text">${text ?? t('nothing to tell now')}${text === null ? '' : html` <small>${new TextEncoder().encode(text).length} ${t('bytes')}</small>`}</dd></div>`
    )}</dl></div>`
}
