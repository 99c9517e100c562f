// Step 4: what is listened to: proposed for the country, each with a word on what it covers.
import { t } from '/static/lib/i18n.js'
import { html, useEffect, useSignal } from '/static/vendor/ui.js'
import { Field, StepForm, Tick } from './parts.js'
import { proposedFor } from './proposed.js'
import { doc, during, goTo, mode, offered, save, tell } from './state.js'
import { statesOf } from './states.js'

/** @param {import('../../../warning/feeds/settings.ts').OfferedKind} offer @param {string} country */
function hintOf({ hint, services = {} }, country) {
  const names = (services[country] ?? []).map(({ title }) => title)
  return names.length === 0 ? hint : `${hint} (${names.join(', ')})`
}

export function SourcesStep() {
  const { sources, station, areas } = doc.value
  const kinds = useSignal(/** @type {ReadonlySet<string>} */ (new Set(sources.kinds)))
  const states = useSignal(sources.states.join(' '))
  const contact = useSignal(station.contact)
  const country = useSignal(station.country)
  useEffect(() => {
    // Only a first proposal: what somebody has saved is left alone.
    if (sources.kinds.length > 0 || sources.states.length > 0) return
    void during(async () => {
      const found = ['', 'US'].includes(station.country) ? await statesOf(areas) : []
      states.value = found.join(' ')
      // A station of before, which names no country, with an area in the United States.
      if (found.length > 0) country.value = 'US'
      kinds.value = new Set(proposedFor(offered, country.value).ticked)
    })
  }, [])

  const { shown, national } = proposedFor(offered, country.value, kinds.value)
  const chosen = shown.filter(({ kind }) => kinds.value.has(kind))
  const needsStates = chosen.some((one) => one.states !== undefined)
  const asksWho = chosen.filter((one) => one.contact === true)
  const onSave = () => {
    const list = states.value.split(/[\s,;]+/).filter((state) => state !== '')
    if (asksWho.length > 0 && contact.value.trim() === '')
      return tell(
        new Error(
          t('This source answers nobody without a contact: give an e-mail or web address. {source}', {
            source: asksWho[0]?.title ?? ''
          })
        )
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
    ${country.value === '' && html`<p class="banner note">${t('No country is chosen: only worldwide sources are proposed.')} <button type="button" onClick=${() => goTo('place')}>${t('Choose the country')}</button></p>`}
    ${country.value !== '' && !national && html`<p class="banner note">${t('Lookout reads no warning service of this country yet: the worldwide sources are proposed, and they tell of great disasters only. If yours publishes CAP, add its address on the page Sources.')}</p>`}
    ${mode === 'preview' && html`<p class="banner note">${t('Preview: no source is asked.')}</p>`}
    <div class="ticks">${shown.map((one) => html`<${Tick} key=${one.kind} name=${one.kind} label=${one.title} hint=${hintOf(one, country.value)} of=${kinds} />`)}</div>
    ${needsStates && html`<${Field} label=${t('States')} of=${states} autocomplete="off" hint=${t('Two letters each, with spaces between them; filled in from your areas.')} />`}
    ${asksWho.length > 0 && html`<${Field} label=${t('Contact')} of=${contact} autocomplete="email" hint=${t('E-mail or web address, told to the sources.')} />`}
  <//>`
}
