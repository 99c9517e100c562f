// Each saved destination, and what became of a test that was sent to it.
import { send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { problemOf } from '/static/settings/entries.js'
import { destinationSection, destinationsIn } from '/static/shared/setting.js'
import { html, useSignal } from '/static/vendor/ui.js'

/** @param {{ form: import('/static/settings/form.js').Form }} props */
export function Destinations({ form }) {
  // Drawn anew after each save: what is tried is what was saved.
  void form.state.value
  return destinationSection(pen, destinationsIn(form.base), ({ name }) => html`<${Try} key=${name} name=${name} />`)
}

/** @param {{ name: string }} props */
function Try({ name }) {
  const isSending = useSignal(false)
  const outcome = useSignal(/** @type {{ tone: string, text: string } | null} */ (null))
  const attempt = async () => {
    isSending.value = true
    outcome.value = null
    try {
      const { body } = await send(`/api/notifications/destinations/${encodeURIComponent(name)}/test`, {})
      outcome.value = said(body)
    } catch (error) {
      outcome.value = { tone: 'bad', text: problemOf(error).detail }
    }
    isSending.value = false
  }
  return html`<p><button type="button" disabled=${isSending.value} onClick=${() => void attempt()}>${isSending.value ? t('Sending …') : t('Send a test')}</button></p>
<p role="status">${outcome.value === null ? null : html`<strong class=${`state ${outcome.value.tone}`}>${outcome.value.text}</strong>`}</p>`
}

/** @param {{ state: string, reason: string | null }} answer */
function said({ state, reason }) {
  if (state === 'taken') return { tone: 'good', text: t('The server took it. Look whether it arrives.') }
  if (state === 'queued')
    return { tone: 'waiting', text: t('It waits for its radio: Messages tells what becomes of it.') }
  return { tone: 'bad', text: t('It was not taken: {reason}', { reason: reason ?? '' }) }
}
