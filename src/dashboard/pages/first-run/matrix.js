// Step 5: one line of the matrix: these families of this area go to this channel of each network.
import { t } from '/static/lib/i18n.js'
import { onLive } from '/static/lib/live.js'
import { html, useEffect, useSignal } from '/static/vendor/ui.js'
import { Choice, Field, StepForm, Tick } from './parts.js'
import { doc, families, goTo, load, radios, save, tell } from './state.js'

/** @import { Column } from '../../editing/first-run-document.ts' */
/** @typedef {Column['min_severity'] & ('routine' | 'priority' | 'critical' | 'immediate')} Severity */

const FIRST = ['weather', 'fire', 'seismic', 'emergency']
/** Sources whose events have no region: what they bring is told by the policy of their family. */
const BY_POLICY = { swpc: 'rf_propagation' }
/** @type {[Severity, string][]} */
const SEVERITIES = [
  ['routine', t('Everything')],
  ['priority', t('Priority and above')],
  ['critical', t('Critical and above')],
  ['immediate', t('Immediate danger only')]
]

/** MT channels by index, with the names the radio tells. @returns {[string, string][]} */
function mtOptions() {
  const known = radios.value.find(({ network }) => network === 'mt')?.channels ?? []
  const indices = Array.from({ length: 8 }, (_, index) => {
    const channel = known.find(({ id }) => id === index)
    // Simulated radios call them by their number.
    const name = channel?.name && channel.name !== `Channel ${index}` ? ` – ${channel.name}` : ''
    const off = channel !== undefined && !channel.enabled ? ` (${t('disabled on the radio')})` : ''
    return /** @type {[string, string]} */ ([String(index), `${t('Channel {index}', { index })}${name}${off}`])
  })
  return [['', t('No channel')], ...indices]
}

/**
 * A channel that a radio has beside its public one, of which most boards have one at least: the first; an empty text when there is none.
 * @param {'mt' | 'mc'} network
 */
function proposedOf(network) {
  const channels = radios.value.find((radio) => radio.network === network && !radio.simulated)?.channels ?? []
  const isPublic = (/** @type {number | string} */ id) => id === 0 || /^#?public$/i.test(String(id))
  const own = channels.find(({ id, enabled }) => enabled && !isPublic(id))
  return own === undefined ? '' : String(own.id)
}

export function MatrixStep() {
  useEffect(() => {
    load().catch(tell)
    return onLive(['radio', 'config', 'reset'], () => void load().catch(tell))
  }, [])
  const regions = [...new Set(doc.value.areas.flatMap(({ name }) => (name === null ? [] : [name])))]
  const region = useSignal(regions[0] ?? '')
  if (regions.length === 0)
    return html`<p>${t('The matrix needs an area with a name first.')}</p>
      <p class="buttons"><button type="button" class="primary" onClick=${() => goTo('area')}>${t('To the areas')}</button>
      <button type="button" onClick=${() => goTo('test')}>${t('Skip')}</button></p>`
  const options = regions.map((name) => /** @type {[string, string]} */ ([name, name]))
  return html`${regions.length > 1 && html`<${Choice} label=${t('Area')} of=${region} options=${options} />`}
    <${ColumnForm} key=${region.value} region=${region.value} />`
}

/** The ticked severity: as it was saved, else what most want. @param {Column | undefined} column */
function chosenFor(column) {
  const { matrix, sources } = doc.value
  const everywhere = sources.kinds.flatMap((kind) => (kind === 'swpc' ? [BY_POLICY[kind]] : []))
  const families = column === undefined ? [...FIRST, ...everywhere] : column.families
  return new Set([...families, ...matrix.policies])
}

/** @param {{ region: string }} props */
function ColumnForm({ region }) {
  const column = doc.value.matrix.columns.find((one) => one.region === region)
  const chosen = useSignal(/** @type {ReadonlySet<string>} */ (chosenFor(column)))
  const mt = useSignal(column?.mt == null ? '' : String(column.mt))
  const mc = useSignal(column?.mc ?? '')
  const least = useSignal(column?.min_severity ?? 'priority')
  const known = JSON.stringify(radios.value.map(({ channels }) => channels))
  useEffect(() => {
    // Only a first proposal: what somebody has saved or written is left alone.
    if (column !== undefined) return
    if (mt.value === '') mt.value = proposedOf('mt')
    if (mc.value === '') mc.value = proposedOf('mc')
  }, [known])
  if (column?.mixed)
    return html`<p>${t('The cells of {region} differ from each other: they are edited in the matrix itself.', { region })} <a href="/mesh-a/routing">${t('Meshtastic routing')}</a> · <a href="/mesh-b/routing">${t('MeshCore routing')}</a></p>
      <p class="buttons"><button type="button" class="primary" onClick=${() => goTo('test')}>${t('Go on')}</button></p>`

  const onSave = () => {
    if (chosen.value.size === 0) return tell(new Error(t('Choose at least one family.')))
    if (mt.value === '' && mc.value.trim() === '')
      return tell(new Error(t('Choose a channel on at least one network.')))
    return save({
      matrix: {
        region,
        families: [...chosen.value],
        mt: mt.value === '' ? null : Number(mt.value),
        mc: mc.value.trim() === '' ? null : mc.value,
        min_severity: /** @type {Severity} */ (least.value)
      }
    })
  }

  const names = (radios.value.find(({ network }) => network === 'mc')?.channels ?? []).map(({ name }) => name)
  return html`<${StepForm} onSave=${onSave}>
    <p>${t('What touches {region} goes to these channels. Each family can have its own later, on the routing pages.', { region })}</p>
    <div class="pair">
      <${Choice} label=${t('Meshtastic channel')} of=${mt} options=${mtOptions()} hint=${t('Channel 0 is usually the public one.')} />
      <${Field} label=${t('MeshCore channel')} of=${mc} list=${names} autocomplete="off" maxlength=${31} hint=${t('Its name, as it stands on the radio; empty for none.')} />
    </div>
    <${Choice} label=${t('What is told')} of=${least} options=${SEVERITIES} />
    <fieldset>
      <legend>${t('Families')}</legend>
      <div class="ticks">${families.map(({ key, label, everywhere }) => html`<${Tick} key=${key} name=${key} label=${label} of=${chosen} hint=${everywhere ? t('Has no region: goes to these channels wherever it is.') : ''} />`)}</div>
    </fieldset>
  <//>`
}
