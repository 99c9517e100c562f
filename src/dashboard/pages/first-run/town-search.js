// Finds a town while its name is typed; the station has them all, nobody else is asked.
import { get } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { html, useEffect, useId, useRef, useSignal } from '/static/vendor/ui.js'
import { tell } from './state.js'

/**
 * @typedef {{ name: string, also: string, country: string, region: string, county: string, lat: number, lon: number, population: number, timezone: string }} Town
 */

/** Long enough that a name is not asked for letter by letter, too short to be waited for. */
const PAUSE_MS = 200

/** @param {Town} town */
function nameOf({ name, also, region }) {
  const place = [also === '' ? name : `${name} (${also})`, region].filter((word) => word !== '')
  return place.join(', ')
}

/** @param {{ country: string, onPick: (town: Town) => void }} props */
export function TownSearch({ country, onPick }) {
  const id = useId()
  const query = useSignal('')
  const towns = useSignal(/** @type {Town[] | null} */ (null))
  const asked = useRef(0)
  useEffect(() => {
    const text = query.value.trim()
    const nth = ++asked.current
    if (text === '' || country === '') {
      towns.value = null
      return
    }
    const find = async () => {
      const { body } = await get(`/api/gazetteer?country=${country}&limit=6&q=${encodeURIComponent(text.slice(0, 80))}`)
      // An answer that comes late is one to an earlier question.
      if (nth === asked.current) towns.value = body.towns
    }
    const timer = setTimeout(() => void find().catch(tell), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [query.value, country])

  const onInput = (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
    query.value = event.currentTarget.value
  }
  const pick = (/** @type {Town} */ town) => {
    query.value = ''
    onPick(town)
  }
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter') return
    // Enter takes the first town; it does not save the step.
    event.preventDefault()
    const [first] = towns.value ?? []
    if (first !== undefined) pick(first)
  }
  const list = towns.value
  return html`<div class="search" role="search">
    <p class="field">
      <label for=${id}>${t('Town or village')}</label>
      <input id=${id} type="search" value=${query.value} disabled=${country === ''} onInput=${onInput} onKeyDown=${onKeyDown} autocomplete="off" aria-describedby=${`${id}-hint`} />
      <small id=${`${id}-hint`}>${country === '' ? t('Choose the country first.') : t('How its name begins. 193,000 places are kept on the station (GeoNames, CC BY 4.0): nobody is asked.')}</small>
    </p>
    <p class="found quiet" role="status">${list === null ? '' : list.length === 0 ? t('No town of this name is known in the country: point at it on the map, or give its position.') : t('{count} found.', { count: list.length })}</p>
    ${list !== null && list.length > 0 && html`<ul class="results">${list.map((town) => html`<li key=${`${town.lat} ${town.lon}`}><button type="button" onClick=${() => pick(town)}>${nameOf(town)}</button></li>`)}</ul>`}
  </div>`
}
