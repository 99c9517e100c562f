// Step 1: who and where the station is.
import { t } from '/static/lib/i18n.js'
import { html, useSignal } from '/static/vendor/ui.js'
import { Field, numberOf, StepForm } from './parts.js'
import { middleOf, PlaceSearch } from './search.js'
import { doc, during, save, tell } from './state.js'

const ZONES = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : []
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

export function PlaceStep() {
  const { station, place } = doc.value
  // Nobody has chosen yet: the zone of this browser is the best guess there is.
  const untouched = place === null && station.timezone === 'UTC'
  const name = useSignal(station.name)
  const contact = useSignal(station.contact)
  const timezone = useSignal(untouched ? OWN_ZONE : station.timezone)
  const town = useSignal(place?.name ?? '')
  const lat = useSignal(place === null ? '' : String(place.lat))
  const lon = useSignal(place === null ? '' : String(place.lon))

  const onSave = () => {
    const point = { lat: numberOf(lat.value), lon: numberOf(lon.value) }
    const hasPlace = [town, lat, lon].some(({ value }) => value.trim() !== '')
    if (hasPlace && (town.value.trim() === '' || Number.isNaN(point.lat) || Number.isNaN(point.lon)))
      return tell(
        new Error(
          t('A place is its name, its latitude and its longitude: 43.52 and -114.31. Or leave all three empty.')
        )
      )
    return save({
      station: { name: name.value, contact: contact.value, timezone: timezone.value },
      ...(hasPlace ? { place: { name: town.value, ...point } } : {})
    })
  }

  /** @param {import('./search.js').Found} found */
  const use = (found) =>
    during(async () => {
      const middle = await middleOf(found.code)
      if (middle === null) return
      lat.value = String(middle.lat)
      lon.value = String(middle.lon)
      if (town.value.trim() === '') town.value = found.name
    })

  return html`<${StepForm} onSave=${onSave}>
    <${Field} label=${t('Name of the station')} of=${name} required=${true} hint=${t('Heads the pages and signs the test message.')} />
    <${Field} label=${t('Contact')} of=${contact} autocomplete="email" hint=${t('E-mail or web address, told to the sources. The US weather service answers nobody without one.')} />
    <${Field} label=${t('Time zone')} of=${timezone} list=${ZONES} required=${true} hint=${timezone.value === OWN_ZONE ? t('That of this device.') : t('This device: {zone}', { zone: OWN_ZONE })} />
    <fieldset>
      <legend>${t('Place')}</legend>
      <p class="quiet">${t('Messages tell how far away something is, and in which direction. Skip it if you name counties in the next step.')}</p>
      <${PlaceSearch} label=${t('Take the middle of a county')} onPick=${use} hint=${t('United States only; else give latitude and longitude.')} />
      <${Field} label=${t('Name of the place')} of=${town} hint=${t('Short, as it shall stand in messages.')} />
      <div class="pair">
        <${Field} label=${t('Latitude')} of=${lat} inputmode="decimal" hint=${t('Degrees north, such as 43.52')} />
        <${Field} label=${t('Longitude')} of=${lon} inputmode="decimal" hint=${t('Degrees east; west is negative')} />
      </div>
    </fieldset>
  <//>`
}
