// Other stations over the network: how they were found, and a button that asks them now.
import { get, send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { problemOf } from '/static/settings/entries.js'
import { stationSection } from '/static/shared/stations.js'
import { html, useSignal, useSignalEffect } from '/static/vendor/ui.js'

/** @typedef {import('../../../../web/shared/stations.js').AskedStation} AskedStation */

/** @param {{ first: AskedStation[], state: import('/static/vendor/ui.js').Signal<string> }} props */
export function Stations({ first, state }) {
  const list = useSignal(first)
  const problem = useSignal('')
  const isAsking = useSignal(false)
  /** @param {() => Promise<{ body: { addresses: AskedStation[] } }>} ask */
  const load = async (ask) => {
    isAsking.value = true
    try {
      list.value = (await ask()).body.addresses
      problem.value = ''
    } catch (error) {
      problem.value = problemOf(error).detail
    }
    isAsking.value = false
  }
  useSignalEffect(() => {
    if (state.value === 'saved') void load(() => get('/api/standby'))
  })
  const button = html`<p><button type="button" disabled=${isAsking.value} onClick=${() => void load(() => send('/api/standby/try', {}))}>${isAsking.value ? t('Asking …') : t('Ask them now')}</button></p>`
  return stationSection(pen, list.value, { problem: problem.value, button })
}
