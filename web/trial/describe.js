// Describing an event that has not happened.
import { get } from '../lib/api.js'
import { t, term } from '../lib/i18n.js'
import { Problem, refusalOf } from '../log/problem.js'
import { html, useEffect, useId, useSignal } from '../vendor/ui.js'
import { severityWord } from './words.js'

/** @typedef {import('./events.js').Description} Description */
/** @typedef {{ value: Description, set: (patch: Partial<Description>) => void }} FieldsProps */

const SEVERITIES = ['routine', 'priority', 'critical', 'immediate']

/** @type {Description} */
const EMPTY = {
  family: '',
  severity: 'priority',
  title: '',
  place: 'regions',
  regions: [],
  lat: '',
  lon: '',
  radius: '',
  codes: ''
}

/** @param {{ onDescribed: (described: Description) => void }} props */
export function Describe({ onDescribed }) {
  const described = useSignal(EMPTY)
  const families = useSignal(/** @type {{ key: string, label: string, dynamic: boolean }[]} */ ([]))
  const regions = useSignal(/** @type {string[] | null} */ (null))
  const refusal = useSignal(/** @type {import('../log/problem.js').Refusal | null} */ (null))
  const id = useId()
  /** @param {Partial<Description>} patch */
  const set = (patch) => {
    described.value = { ...described.peek(), ...patch }
  }
  useEffect(() => {
    Promise.all([get('/api/notifications/families'), get('/api/notifications/regions')]).then(
      ([{ body: known }, { body: names }]) => {
        families.value = known.families
        regions.value = names
        set({ family: described.peek().family || (known.families[0]?.key ?? '') })
      },
      (error) => {
        refusal.value = refusalOf(error)
      }
    )
  }, [])
  const { family, severity, title, place } = described.value
  return html`<form class="trial-form" onSubmit=${(/** @type {SubmitEvent} */ event) => {
    event.preventDefault()
    onDescribed({ ...described.peek(), title: title.trim() || t('Trial') })
  }}>
    <${Problem} refusal=${refusal.value} />
    <p><label for=${`${id}f`}>${t('Family')}</label><select id=${`${id}f`} value=${family} onChange=${(/** @type {any} */ event) => set({ family: event.currentTarget.value })}>
      ${families.value.map(({ key, label, dynamic }) => html`<option value=${key}>${dynamic ? label : term(label)}</option>`)}</select></p>
    <p><label for=${`${id}s`}>${t('Severity')}</label><select id=${`${id}s`} value=${severity} onChange=${(/** @type {any} */ event) => set({ severity: event.currentTarget.value })}>
      ${SEVERITIES.map((one) => html`<option value=${one}>${severityWord(one)}</option>`)}</select></p>
    <p class="wide"><label for=${`${id}t`}>${t('Title')}</label><input id=${`${id}t`} maxlength="200" value=${title} onInput=${(/** @type {any} */ event) => set({ title: event.currentTarget.value })} /></p>
    <p><label for=${`${id}p`}>${t('Where')}</label><select id=${`${id}p`} value=${place} onChange=${(/** @type {any} */ event) => set({ place: event.currentTarget.value })}>
      <option value="regions">${t('in regions')}</option><option value="point">${t('at a position')}</option><option value="codes">${t('in counties or zones')}</option></select></p>
    <${Place} value=${described.value} set=${set} names=${regions.value} id=${id} />
    <p class="wide"><button class="primary">${t('Try it')}</button></p></form>`
}

/** @param {FieldsProps & { names: string[] | null, id: string }} props */
function Place({ value, set, names, id }) {
  if (value.place === 'regions') return html`<${Regions} value=${value} set=${set} names=${names} />`
  if (value.place === 'codes')
    return html`<p><label for=${`${id}c`}>${t('Codes (UGC, FIPS or SAME)')}</label>
      <input id=${`${id}c`} placeholder="IDC001 IDZ014" value=${value.codes} onInput=${(/** @type {any} */ event) => set({ codes: event.currentTarget.value })} /></p>`
  /** @type {[ 'lat' | 'lon' | 'radius', string ][]} */
  const fields = [
    ['lat', t('Latitude')],
    ['lon', t('Longitude')],
    ['radius', t('Radius in km (may be empty)')]
  ]
  return fields.map(
    ([name, label]) => html`<p key=${name}><label for=${`${id}${name}`}>${label}</label>
      <input id=${`${id}${name}`} inputmode="decimal" value=${value[name]} onInput=${(/** @type {any} */ event) => set({ [name]: event.currentTarget.value })} /></p>`
  )
}

/** `known` is null while the names are on their way: that there are none is not said before. @param {FieldsProps & { names: string[] | null }} props */
function Regions({ value, set, names: known }) {
  const names = known ?? []
  /** @param {string} name @param {boolean} on */
  const turn = (name, on) => set({ regions: names.filter((one) => (one === name ? on : value.regions.includes(one))) })
  return html`<fieldset class="wide"><legend>${t('Regions')}</legend>
    ${known === null ? html`<p class="quiet">${t('Loading …')}</p>` : names.length === 0 ? html`<p>${t('There are no named areas yet.')}</p>` : null}
    ${names.map(
      (name) => html`<label key=${name}><input type="checkbox" checked=${value.regions.includes(name)}
        onChange=${(/** @type {any} */ event) => turn(name, event.currentTarget.checked)} /> ${name}</label>`
    )}</fieldset>`
}
