// The satellite passes of the next day over one observer, worked out by the station.
import { ApiError, get } from '../lib/api.js'
import { t } from '../lib/i18n.js'
import { when } from '../lib/time.js'
import { html, useEffect, useSignal } from '../vendor/ui.js'

/** @typedef {import('../../src/dashboard/server/context.ts').SatellitePasses} SatellitePasses */

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
    <p role="status">${loading.value ? t('Working them out …') : problem.value}</p>
    ${
      observers.length < 2
        ? null
        : html`<p><label for="observer">${t('Observer')}</label> <select id="observer" onChange=${(
            /** @type {any} */ event
          ) => {
            observer.value = event.currentTarget.value
          }}>${observers.map((name) => html`<option selected=${name === found.value?.observer}>${name}</option>`)}</select></p>`
    }
    ${found.value === null ? null : html`<${Table} ...${found.value} />`}</section>`
}

/** @param {SatellitePasses} props */
function Table({ observer, passes, unusable, min_elevation }) {
  if (passes.length === 0) return html`<p>${t('No pass rises above {degrees}°.', { degrees: min_elevation })}</p>`
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="passes"><table><caption>${observer}</caption>
    <thead><tr><th scope="col">${t('Satellite')}</th><th scope="col">${t('Rise')}</th><th scope="col">${t('Highest')}</th><th scope="col">${t('Set')}</th></tr></thead>
    <tbody>${passes.map(
      (
        pass
      ) => html`<tr><th scope="row">${pass['satellite']}</th><td>${when(Date.parse(String(pass['rise_time'])))}</td>
      <td class="number">${pass['max_elevation']}°</td><td>${when(Date.parse(String(pass['set_time'])))}</td></tr>`
    )}</tbody></table></div>
    ${unusable.length === 0 ? null : html`<details><summary>${t('Satellites left out')}</summary><ul>${unusable.map(({ id, reason }) => html`<li>${id}: ${reason}</li>`)}</ul></details>`}`
}
