// Choosing one of the stored events.
import { get } from '../lib/api.js'
import { t } from '../lib/i18n.js'
import { ago } from '../lib/time.js'
import { Problem, refusalOf } from '../log/problem.js'
import { html, useId, useSignal, useSignalEffect } from '../vendor/ui.js'
import { severityWord } from './words.js'

const SHOWN = 12
const PAUSE_MS = 300

/** @typedef {Record<string, any>} Stored */

/** @param {{ chosen: import('../vendor/ui.js').Signal<Stored | null> }} props */
export function Pick({ chosen }) {
  const words = useSignal('')
  const list = useSignal(/** @type {Stored[] | null} */ (null))
  const refusal = useSignal(/** @type {import('../log/problem.js').Refusal | null} */ (null))
  const id = useId()
  useSignalEffect(() => {
    const q = words.value.trim()
    let isOver = false
    const timer = setTimeout(
      async () => {
        try {
          const { body } = await get(`/api/events?${new URLSearchParams({ limit: String(SHOWN), q })}`)
          if (isOver) return
          list.value = body.events
          refusal.value = null
        } catch (error) {
          if (!isOver) refusal.value = refusalOf(error)
        }
      },
      list.peek() === null ? 0 : PAUSE_MS
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  })
  return html`<p><label for=${id}>${t('Search')}</label>
      <input id=${id} type="search" autocomplete="off" value=${words.value} onInput=${(/** @type {any} */ event) => {
        words.value = event.currentTarget.value
      }} /></p>
    <${Problem} refusal=${refusal.value} />
    <fieldset class="trial-events"><legend>${t('Stored events, newest first')}</legend>
      ${list.value === null ? html`<p role="status">${t('Loading …')}</p>` : null}
      ${list.value?.length === 0 ? html`<p>${t('No event matches.')}</p>` : null}
      ${list.value?.map((stored) => html`<${Choice} key=${stored['seq']} stored=${stored} chosen=${chosen} name=${id} />`)}
    </fieldset>`
}

/** @param {{ stored: Stored, chosen: import('../vendor/ui.js').Signal<Stored | null>, name: string }} props */
function Choice({ stored, chosen, name }) {
  const { seq, title, severity, regions, received_at } = stored
  return html`<label class="trial-choice"><input type="radio" name=${name} checked=${chosen.value?.['seq'] === seq}
      onChange=${() => {
        chosen.value = stored
      }} />
    <span><span class=${`severity ${severity}`}>${severityWord(severity)}</span> ${title}
      <small>${[ago(Date.parse(received_at)), ...regions].join(' · ')}</small></span></label>`
}
