// The present text of each scheduled broadcast: seen before it is heard.
import { ApiError, get } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { broadcastSection } from '/static/shared/setting.js'
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
  const button = html`<button type="button" onClick=${() => void load()}>${t('Look again')}</button>`
  return broadcastSection(pen, list.value, { problem: problem.value, button })
}
