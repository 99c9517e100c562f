// A text to try a radio with.
import { send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { problemOf } from '/static/settings/entries.js'
import { Refusal } from '/static/settings/save-bar.js'
import { channelText } from '/static/shared/radio-card.js'
import { html, useSignal } from '/static/vendor/ui.js'

/** @typedef {import('../../server/said-status.ts').SaidRadio} RadioStatus */

/** @param {{ radio: RadioStatus, notifications: boolean }} props */
export function TestSend({ radio, notifications }) {
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
    }}>${usable.map((one) => html`<option value=${one.id} selected=${String(one.id) === channel.value}>${channelText(t, network, one)}</option>`)}</select></p>
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
