// The satellite passes of the next day over one observer, worked out by the station.
import { ApiError, get } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { when } from '/static/lib/time.js'
import { skeleton } from '/static/shared/parts.js'
import { passesTable } from '/static/shared/source-card.js'
import { html, useEffect, useSignal } from '/static/vendor/ui.js'

/** @typedef {import('../../server/said-status.ts').SaidPasses} SatellitePasses */

/** The time of the rise counts, not the hours until then. @param {string} at */
const clock = (at) => html`<time datetime=${at}>${when(Date.parse(at))}</time>`

/** @param {{ first: { found: SatellitePasses | null, problem: string } | null }} props */
export function Passes({ first }) {
  const observer = useSignal('')
  const found = useSignal(/** @type {SatellitePasses | null} */ (first?.found ?? null))
  const problem = useSignal(first?.problem ?? '')
  const loading = useSignal(false)
  const load = async () => {
    loading.value = true
    problem.value = ''
    try {
      found.value = (await get(`/api/satpasses?hours=24&observer=${encodeURIComponent(observer.value)}`)).body
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // 404 is an answer here: it says what is missing.
      problem.value = error.message
      found.value = null
    }
    loading.value = false
  }
  // Asked anew for another observer; what the page began with is shown until then.
  useEffect(() => {
    if (observer.value !== '' || first === null) void load()
  }, [observer.value])
  const observers = found.value?.observers ?? []
  return html`<section aria-labelledby="passes"><h2 id="passes">${t('Satellite passes, next 24 hours')}</h2>
    ${skeleton(pen, loading.value ? t('Working them out …') : '')}<p role="status">${problem.value}</p>
    ${
      observers.length < 2
        ? null
        : html`<p><label for="observer">${t('Observer')}</label> <select id="observer" onChange=${(
            /** @type {any} */ event
          ) => {
            observer.value = event.currentTarget.value
          }}>${observers.map((name) => html`<option selected=${name === found.value?.observer}>${name}</option>`)}</select></p>`
    }
    ${found.value === null ? null : passesTable({ ...pen, moment: clock }, found.value)}</section>`
}
