// Step 4: what is listened to. The states are filled in from the areas.
import { t } from '../lib/i18n.js'
import { html, useEffect, useSignal } from '../vendor/ui.js'
import { Field, StepForm, Tick } from './parts.js'
import { doc, during, mode, save, tell } from './state.js'
import { statesOf } from './states.js'

/** @import { OfferedSource } from '../../src/dashboard/editing/first-run-document.ts' */

/** @type {[OfferedSource, string, string][]} */
const OFFERED = [
  ['nws', t('Weather warnings, United States (NWS)'), t('Warnings, watches and advisories. Needs a contact.')],
  ['wfigs', t('Wildfires, United States (WFIGS)'), t('New fires and how they grow.')],
  ['usgs', t('Earthquakes, worldwide (USGS)'), t('From magnitude 2.5 on, where they touch your areas.')],
  ['swpc', t('Space weather (NOAA SWPC)'), t('What disturbs radio: storms, flares, blackouts.')],
  ['gdacs', t('Disasters, worldwide (GDACS)'), t('Floods, storms, volcanoes, from orange on.')]
]
const OF_STATES = ['nws', 'wfigs']

export function SourcesStep() {
  const { sources, station, areas } = doc.value
  const kinds = useSignal(/** @type {ReadonlySet<string>} */ (new Set(sources.kinds)))
  const states = useSignal(sources.states.join(' '))
  const contact = useSignal(station.contact)
  useEffect(() => {
    // Only a first proposal: what somebody has saved is left alone.
    if (sources.kinds.length > 0 || sources.states.length > 0) return
    void during(async () => {
      const found = await statesOf(areas)
      states.value = found.join(' ')
      kinds.value = new Set(found.length > 0 ? ['nws', 'wfigs', 'usgs', 'swpc'] : ['usgs', 'gdacs'])
    })
  }, [])

  const needsStates = OF_STATES.some((kind) => kinds.value.has(kind))
  const onSave = () => {
    const list = states.value.split(/[\s,;]+/).filter((state) => state !== '')
    if (kinds.value.has('nws') && contact.value.trim() === '')
      return tell(
        new Error(t('The US weather service answers nobody without a contact: give an e-mail or web address.'))
      )
    if (kinds.value.has('nws') && list.length === 0)
      return tell(new Error(t('Name at least one state for the weather warnings, such as ID.')))
    const chosen = OFFERED.map(([kind]) => kind).filter((kind) => kinds.value.has(kind))
    return save({
      sources: { kinds: chosen, states: list },
      ...(contact.value === station.contact ? {} : { station: { contact: contact.value } })
    })
  }

  return html`<${StepForm} onSave=${onSave}>
    <p>${t('Nothing is asked before it is chosen here. More kinds, brokers and your own are on the page Sources.')}</p>
    ${mode === 'preview' && html`<p class="banner note">${t('Preview: no source is asked.')}</p>`}
    <div class="ticks">${OFFERED.map(([kind, label, hint]) => html`<${Tick} key=${kind} name=${kind} label=${label} hint=${hint} of=${kinds} />`)}</div>
    ${needsStates && html`<${Field} label=${t('States')} of=${states} autocomplete="off" hint=${t('Two letters each, with spaces between them; filled in from your areas.')} />`}
    ${kinds.value.has('nws') && html`<${Field} label=${t('Contact')} of=${contact} autocomplete="email" hint=${t('E-mail or web address, told to the sources.')} />`}
  <//>`
}
