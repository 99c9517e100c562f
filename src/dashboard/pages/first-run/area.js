// Step 2: where events matter. One circle or a list of counties; more, and drawn ones, on the page Coverage.

import { get } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { html, useEffect, useSignal } from '/static/vendor/ui.js'
import { Choice, Field, numberOf, StepForm } from './parts.js'
import { PlaceSearch } from './search.js'
import { doc, save, tell } from './state.js'

export function AreaStep() {
  const { areas, place, station } = doc.value
  const inStates = ['', 'US'].includes(station.country)
  const named = areas.filter(({ name, drawn }) => name !== null && !drawn)
  const drawn = areas.filter((area) => area.drawn).map(({ name }) => name ?? '–')
  const first = named[0]
  const name = useSignal(first?.name ?? place?.name ?? '')
  const kind = useSignal(first?.codes || (!first && place === null && inStates) ? 'codes' : 'circle')
  const lat = useSignal(String(first?.circle?.lat ?? place?.lat ?? ''))
  const lon = useSignal(String(first?.circle?.lon ?? place?.lon ?? ''))
  const radius = useSignal(String(first?.circle?.radius_km ?? 50))
  const codes = useSignal((first?.codes ?? []).join(' '))

  useCounty(codes, first === undefined)

  const onSave = () => {
    if (kind.value === 'codes') {
      const list = codes.value.split(/[\s,;]+/).filter((code) => code !== '')
      if (list.length === 0)
        return tell(new Error(inStates ? t('Name at least one county or state.') : t('Name at least one code.')))
      return save({ area: { name: name.value, codes: list } })
    }
    const circle = { lat: numberOf(lat.value), lon: numberOf(lon.value), radius_km: numberOf(radius.value) }
    if (Object.values(circle).some(Number.isNaN))
      return tell(new Error(t('A circle is latitude, longitude and radius: 43.52, -114.31 and 50.')))
    return save({ area: { name: name.value, circle } })
  }

  /** @param {import('./search.js').Found} found */
  const add = (found) => {
    const known = codes.value.split(/[\s,;]+/).filter((code) => code !== '')
    codes.value = [...new Set([...known, found.code])].join(' ')
    if (name.value.trim() === '') name.value = found.name
  }

  return html`<${StepForm} onSave=${onSave}>
    <p>${t('An area with a name is a region: a column of the matrix. Events that touch it are told on the channels you choose for it.')}</p>
    ${drawn.length > 0 && html`<p class="quiet">${t('Drawn areas are changed on the page Coverage: {names}', { names: drawn.join(', ') })}</p>`}
    <${Field} label=${t('Name of the area')} of=${name} required=${true} maxlength=${80} />
    <${Choice} label=${t('Shape')} of=${kind} options=${[
      ['circle', t('Circle around a place')],
      ['codes', inStates ? t('Counties or states, by code') : t('Districts, by the codes of the warnings')]
    ]} />
    ${kind.value === 'circle' ? html`<${CircleFields} lat=${lat} lon=${lon} radius=${radius} />` : html`<${CodeFields} codes=${codes} inStates=${inStates} onPick=${add} />`}
  <//>`
}

/** @import { Signal } from '/static/vendor/ui.js' */

/** Fills in the county of the place, in the United States. @param {Signal<string>} codes @param {boolean} wanted */
function useCounty(codes, wanted) {
  const { place, station } = doc.value
  useEffect(() => {
    if (!wanted || place === null || station.country !== 'US') return
    const fill = async () => {
      const { body } = await get(`/api/gazetteer/near?limit=1&lat=${place.lat}&lon=${place.lon}`)
      if (codes.value === '') codes.value = body.towns[0]?.county ?? ''
    }
    fill().catch(tell)
  }, [])
}

/** @param {{ lat: Signal<string>, lon: Signal<string>, radius: Signal<string> }} props */
function CircleFields({ lat, lon, radius }) {
  return html`<div class="pair">
      <${Field} label=${t('Latitude')} of=${lat} inputmode="decimal" hint=${t('Degrees north, such as 43.52')} />
      <${Field} label=${t('Longitude')} of=${lon} inputmode="decimal" hint=${t('Degrees east; west is negative')} />
    </div>
    <${Field} label=${t('Radius, km')} of=${radius} inputmode="decimal" narrow=${true} />`
}

/** @param {{ codes: Signal<string>, inStates: boolean, onPick: (found: import('./search.js').Found) => void }} props */
function CodeFields({ codes, inStates, onPick }) {
  const hint = inStates
    ? t(
        'United States: county IDC013 or 16013, forecast zone IDZ014, whole state ID. Several with spaces between them.'
      )
    : t(
        'As the warnings of your country write them, with the name of the system: EMMA_ID:DE356, NUTS3:FR101, JMA:1310100. Several with spaces between them.'
      )
  return html`${inStates && html`<${PlaceSearch} label=${t('Find a county or a state')} onPick=${onPick} hint=${t('By its name: it is added to the codes.')} />`}
    <${Field} label=${t('Codes')} of=${codes} autocomplete="off" hint=${hint} />`
}
