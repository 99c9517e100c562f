// Step 4: what is listened to. The states are filled in from the areas.
import { t } from '/static/lib/i18n.js'
import { html, useEffect, useSignal } from '/static/vendor/ui.js'
import { Field, StepForm, Tick } from './parts.js'
import { doc, during, mode, offered, save, tell } from './state.js'
import { statesOf } from './states.js'

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
      const here = found.length > 0 ? 'inside' : 'outside'
      const fitting = offered.filter(({ proposed }) => proposed === 'everywhere' || proposed === here)
      kinds.value = new Set(fitting.map(({ kind }) => kind))
    })
  }, [])

  const chosen = offered.filter(({ kind }) => kinds.value.has(kind))
  const needsStates = chosen.some((one) => one.states !== undefined)
  const needsContact = chosen.some((one) => one.contact === true)
  const onSave = () => {
    const list = states.value.split(/[\s,;]+/).filter((state) => state !== '')
    if (needsContact && contact.value.trim() === '')
      return tell(
        new Error(t('The US weather service answers nobody without a contact: give an e-mail or web address.'))
      )
    if (list.length === 0 && chosen.some((one) => one.states?.needed))
      return tell(new Error(t('Name at least one state for the weather warnings, such as ID.')))
    return save({
      sources: { kinds: chosen.map(({ kind }) => kind), states: list },
      ...(contact.value === station.contact ? {} : { station: { contact: contact.value } })
    })
  }

  return html`<${StepForm} onSave=${onSave}>
    <p>${t('Nothing is asked before it is chosen here. More kinds, brokers and your own are on the page Sources.')}</p>
    ${mode === 'preview' && html`<p class="banner note">${t('Preview: no source is asked.')}</p>`}
    <div class="ticks">${offered.map(({ kind, title, hint }) => html`<${Tick} key=${kind} name=${kind} label=${title} hint=${hint} of=${kinds} />`)}</div>
    ${needsStates && html`<${Field} label=${t('States')} of=${states} autocomplete="off" hint=${t('Two letters each, with spaces between them; filled in from your areas.')} />`}
    ${needsContact && html`<${Field} label=${t('Contact')} of=${contact} autocomplete="email" hint=${t('E-mail or web address, told to the sources.')} />`}
  <//>`
}
