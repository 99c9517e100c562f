// Finds radios by asking: every USB port that no radio uses, and an address that is typed.
import { send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { html, useId, useRef, useSignal } from '/static/vendor/ui.js'

/** @typedef {{ path: string, name: string, used_by: string | null }} Port */
/** @typedef {{ path: string } | { host: string, port: number }} At */
/**
 * @typedef {{ network: 'mt' | 'mc', node: string, firmware: string | null, model: string | null, channels: { id: string | number }[], reason: string | null, at: At }} Found
 */
/** @typedef {Event & { currentTarget: HTMLInputElement }} InputEventOf */
/** @typedef {{ label: string, found: Found | null, why: string }} Result */

/** At one address each firmware listens at a port of its own. */
const NETWORK_PORTS = [4403, 5000]
const FIRMWARE = { mt: 'Meshtastic', mc: 'MeshCore' }

/** @param {Port[]} ports @param {string} typed `192.168.4.20`, `radio.local:4403` @returns {{ label: string, at: At }[]} */
function placesOf(ports, typed) {
  const serial = ports
    .filter((port) => port.used_by === null)
    .map(({ path, name }) => ({ label: name || path, at: { path } }))
  const [, host = '', port = ''] = /^([^\s/]+?)(?::(\d{1,5}))?$/.exec(typed.trim()) ?? []
  const numbers = host === '' ? [] : port === '' ? NETWORK_PORTS : [Number(port)]
  return [...serial, ...numbers.map((number) => ({ label: `${host}:${number}`, at: { host, port: number } }))]
}

/** @param {{ ports: Port[], look: () => Promise<unknown>, onFound: (found: Found) => void }} props */
export function RadioSearch({ ports, look, onFound }) {
  const id = useId()
  const address = useSignal('')
  const asking = useSignal('')
  const results = useSignal(/** @type {Result[] | null} */ (null))
  const stopped = useRef(false)
  const known = useRef(ports)
  known.current = ports

  const find = async () => {
    stopped.current = false
    results.value = []
    await look()
    for (const { label, at } of placesOf(known.current, address.value)) {
      if (stopped.current) break
      asking.value = label
      const result = await ask(label, at)
      results.value = [...(results.value ?? []), result]
      if (result.found !== null) onFound(result.found)
    }
    asking.value = ''
  }
  const stop = () => {
    stopped.current = true
    // The question that it ends says so itself.
    send('/api/radios/probe/stop', {}).catch(() => undefined)
  }
  const busy = asking.value !== ''
  return html`<fieldset class="radio-search">
    <legend>${t('Find radios')}</legend>
    <p class="field">
      <label for=${id}>${t('Address of a radio on the network, if there is one')}</label>
      <input id=${id} value=${address.value} onInput=${(/** @type {InputEventOf} */ event) => (address.value = event.currentTarget.value)} onKeyDown=${(/** @type {KeyboardEvent} */ event) => onEnter(event, () => busy || void find())} autocomplete="off" aria-describedby=${`${id}-hint`} />
      <small id=${`${id}-hint`}>${t('Name or number, such as 192.168.4.20; USB ports are looked at anyway.')}</small>
    </p>
    <p class="buttons">
      <button type="button" disabled=${busy} onClick=${find}>${busy ? t('Asking {place} …', { place: asking.value }) : t('Find radios')}</button>
      ${busy && html`<button type="button" onClick=${stop}>${t('Stop')}</button>`}
    </p>
    <${Results} results=${results.value} busy=${busy} />
  </fieldset>`
}

/** Enter looks there; it does not save the step. @param {KeyboardEvent} event @param {() => unknown} find */
function onEnter(event, find) {
  if (event.key !== 'Enter') return
  event.preventDefault()
  find()
}

/** @param {{ results: Result[] | null, busy: boolean }} props */
function Results({ results, busy }) {
  const told = (results ?? []).map(({ label, found, why }) =>
    found === null
      ? html`<li key=${label} class="quiet">${label}: ${why}</li>`
      : html`<li key=${label} class="state good"><strong>${found.node}</strong>: ${nameOf(found)} (${label})${found.reason !== null && html`<br />${found.reason}`}</li>`
  )
  const none = results?.length === 0 && !busy
  return html`<div role="status"><ul class="results">${told}${none && html`<li class="quiet">${t('No USB port of a radio was found.')}</li>`}</ul></div>`
}

/** @param {Found} found `MeshCore v1.10.0, Heltec V3` */
function nameOf({ network, firmware, model }) {
  const name = [FIRMWARE[network], firmware ?? ''].join(' ').trim()
  return model === null || model === '' ? name : `${name}, ${model}`
}

/** @param {string} label @param {At} at @returns {Promise<Result>} */
async function ask(label, at) {
  try {
    const { body } = await send('/api/radios/probe', at)
    return { label, found: { ...body, at }, why: '' }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { label, found: null, why: error.message }
  }
}
