// Step 1: in which country, where there, and who.
import { get } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { html, useEffect, useSignal } from '/static/vendor/ui.js'
import { Choice, Field, numberOf, StepForm } from './parts.js'
import { doc, save, tell } from './state.js'
import { TownSearch } from './town-search.js'
import { Elsewhere } from './where.js'

/** @typedef {{ code: string, name: string, box: number[] }} Country */
/** @typedef {import('./town-search.js').Town} Town */

const ZONES = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : []
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The form in the hand of whoever fills it, and the two ways a town gets into it. */
function useForm() {
  const { station, place } = doc.value
  // Nobody has chosen yet: the zone of this browser is the best guess there is.
  const untouched = place === null && station.timezone === 'UTC'
  const form = {
    country: useSignal(station.country),
    name: useSignal(station.name),
    contact: useSignal(station.contact),
    timezone: useSignal(untouched ? OWN_ZONE : station.timezone),
    town: useSignal(place?.name ?? ''),
    lat: useSignal(place === null ? '' : String(place.lat)),
    lon: useSignal(place === null ? '' : String(place.lon))
  }
  /** @param {Town} found */
  const use = (found) => {
    form.town.value = found.name
    form.lat.value = String(found.lat)
    form.lon.value = String(found.lon)
    form.timezone.value = found.timezone
    form.country.value = found.country
    if (!station.named) form.name.value = found.name
  }
  /** A position that was pointed at; the town nearest to it gives the names. @param {{ lat: number, lon: number }} at */
  const point = async (at) => {
    const [lat, lon] = [at.lat.toFixed(4), at.lon.toFixed(4)]
    form.lat.value = lat
    form.lon.value = lon
    try {
      const { body } = await get(`/api/gazetteer/near?limit=1&lat=${lat}&lon=${lon}`)
      const [nearest] = /** @type {Town[]} */ (body.towns)
      if (nearest !== undefined) use({ ...nearest, lat: Number(lat), lon: Number(lon) })
    } catch (error) {
      tell(error)
    }
  }
  return { ...form, use, point }
}

/** @param {ReturnType<typeof useForm>} form */
function saveForm({ country, name, contact, timezone, town, lat, lon }) {
  const point = { lat: numberOf(lat.value), lon: numberOf(lon.value) }
  const hasPlace = [town, lat, lon].some(({ value }) => value.trim() !== '')
  if (hasPlace && (town.value.trim() === '' || Number.isNaN(point.lat) || Number.isNaN(point.lon)))
    return tell(
      new Error(t('A place is its name, its latitude and its longitude: 43.52 and -114.31. Or leave all three empty.'))
    )
  return save({
    station: { name: name.value, contact: contact.value, country: country.value, timezone: timezone.value },
    ...(hasPlace ? { place: { name: town.value, ...point } } : {})
  })
}

export function PlaceStep() {
  const form = useForm()
  const { country, name, contact, timezone, town, lat, lon } = form
  const countries = useSignal(/** @type {Country[]} */ ([]))
  useEffect(() => {
    const ask = async () => {
      const { body } = await get(`/api/gazetteer/countries?zone=${encodeURIComponent(OWN_ZONE)}`)
      countries.value = body.countries
      if (country.value === '' && town.value === '') country.value = body.here
    }
    ask().catch(tell)
  }, [])

  const options = /** @type {[string, string][]} */ ([
    ['', t('Not said')],
    ...countries.value.map((one) => [one.code, one.name]),
    ...(country.value !== '' && countries.value.length === 0 ? [[country.value, country.value]] : [])
  ])
  const box = countries.value.find(({ code }) => code === country.value)?.box ?? null
  const at = { lat: numberOf(lat.value), lon: numberOf(lon.value) }
  return html`<${StepForm} onSave=${() => saveForm(form)}>
    <${Choice} label=${t('Country')} of=${country} options=${options} hint=${t('By it sources are proposed later, and messages are written: their language, times and distances.')} />
    <fieldset>
      <legend>${t('Place')}</legend>
      <p class="quiet">${t('Messages tell how far away something is, and in which direction.')}</p>
      <${TownSearch} country=${country.value} onPick=${form.use} />
      <${Elsewhere} at=${Number.isNaN(at.lat + at.lon) ? null : at} box=${box} onPoint=${form.point} />
      <${Field} label=${t('Name of the place')} of=${town} hint=${t('Short, as it shall stand in messages.')} />
      <div class="pair">
        <${Field} label=${t('Latitude')} of=${lat} inputmode="decimal" hint=${t('Degrees north, such as 43.52')} />
        <${Field} label=${t('Longitude')} of=${lon} inputmode="decimal" hint=${t('Degrees east; west is negative')} />
      </div>
    </fieldset>
    <${Field} label=${t('Name of the station')} of=${name} required=${true} hint=${t('Heads the pages and signs the test message.')} />
    <${Field} label=${t('Contact')} of=${contact} autocomplete="email" hint=${t('E-mail or web address, told to the sources. Some answer nobody without one.')} />
    <${Field} label=${t('Time zone')} of=${timezone} list=${ZONES} required=${true} hint=${timezone.value === OWN_ZONE ? t('That of this device.') : t('This device: {zone}', { zone: OWN_ZONE })} />
  <//>`
}
