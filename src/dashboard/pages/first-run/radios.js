// Step 3: the radios. What is chosen is connected at once.
import { get } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { html, useEffect, useSignal } from '/static/vendor/ui.js'
import { Choice, Field, StepForm } from './parts.js'
import { RadioSearch } from './radio-search.js'
import { doc, during, save, simulatedByProfile, tell } from './state.js'

/** @import { Signal } from '/static/vendor/ui.js' */
/** @typedef {import('./radio-search.js').Port} Port */
/** @typedef {{ link: Signal<string>, path: Signal<string>, host: Signal<string>, port: Signal<string> }} Draft */

const USUAL_PORTS = { mt: 4403, mc: 5000 }
const NETWORKS = /** @type {const} */ ([
  ['mt', 'Meshtastic'],
  ['mc', 'MeshCore']
])

/** Links of the choice: `serial:PATH` names a port that was found, `serial` another one. @param {'mt' | 'mc'} network @returns {Draft} */
function useDraft(network) {
  const radio = doc.value.radios.find((one) => one.network === network)
  const beginning = simulatedByProfile && doc.value.radios.length === 0 ? 'simulated' : 'none'
  return {
    link: useSignal(radio === undefined ? beginning : radio.link === 'serial' ? `serial:${radio.path}` : radio.link),
    path: useSignal(radio?.path ?? ''),
    host: useSignal(radio?.host ?? ''),
    port: useSignal(radio?.port == null ? '' : String(radio.port))
  }
}

/** @param {Draft} draft */
function choiceOf({ link, path, host, port }) {
  if (link.value === 'none') return null
  if (link.value === 'simulated') return { link: /** @type {const} */ ('simulated') }
  if (link.value === 'tcp') {
    const number = Number(port.value)
    return {
      link: /** @type {const} */ ('tcp'),
      host: host.value,
      ...(port.value.trim() === '' ? {} : { port: number })
    }
  }
  return { link: /** @type {const} */ ('serial'), path: link.value.replace(/^serial:?/, '') || path.value }
}

export function RadiosStep() {
  const mt = useDraft('mt')
  const mc = useDraft('mc')
  const ports = useSignal(/** @type {Port[]} */ ([]))
  const look = () =>
    during(async () => {
      ports.value = (await get('/api/radios/candidates')).body.serial
    })
  useEffect(() => {
    void look()
  }, [])

  const onSave = () => {
    const chosen = { mt: choiceOf(mt), mc: choiceOf(mc) }
    for (const choice of Object.values(chosen)) {
      if (choice?.link === 'tcp' && choice.host.trim() === '')
        return tell(new Error(t('A radio on the network needs an address.')))
      if (choice?.link === 'serial' && choice.path.trim() === '')
        return tell(new Error(t('A radio on a USB port needs the name of the port.')))
    }
    if (chosen.mt?.link === 'serial' && chosen.mc?.link === 'serial' && chosen.mt.path === chosen.mc.path)
      return tell(new Error(t('Two radios cannot hang on the same port.')))
    return save({ radios: chosen })
  }

  const drafts = { mt, mc }
  /** @param {import('./radio-search.js').Found} found */
  const use = ({ network, at }) => {
    const draft = drafts[network]
    if ('path' in at) draft.link.value = `serial:${at.path}`
    else {
      draft.link.value = 'tcp'
      draft.host.value = at.host
      draft.port.value = at.port === USUAL_PORTS[network] ? '' : String(at.port)
    }
  }
  return html`<${StepForm} onSave=${onSave}>
    <p>${t('One radio per network. A simulated one shows everything and puts nothing on the air. The chosen radios are connected at once.')}</p>
    <${RadioSearch} ports=${ports.value} look=${look} onFound=${use} />
    ${NETWORKS.map(([network, name]) => html`<${RadioFields} key=${network} name=${name} draft=${drafts[network]} ports=${ports.value} />`)}
  <//>`
}

/** @param {{ name: string, draft: Draft, ports: Port[] }} props */
function RadioFields({ name, draft, ports }) {
  const { link, path, host, port } = draft
  // A port that is chosen and not plugged in at the moment stays in the list.
  const chosen = link.value.startsWith('serial:') ? link.value.slice('serial:'.length) : ''
  const gone =
    chosen !== '' && ports.every((one) => one.path !== chosen) ? [{ path: chosen, name: '', used_by: null }] : []
  const options = /** @type {[string, string][]} */ ([
    ['none', t('None')],
    ['simulated', t('Simulated: nothing goes on the air')],
    ...[...ports, ...gone].map((one) => [`serial:${one.path}`, `USB: ${one.name || one.path}`]),
    ['serial', t('USB: another port')],
    ['tcp', t('On the network (TCP)')]
  ])
  return html`<fieldset>
    <legend>${name}</legend>
    <${Choice} label=${t('How it is connected')} of=${link} options=${options} />
    ${link.value === 'serial' && html`<${Field} label=${t('Serial port')} of=${path} hint=${t('Best by its stable name: /dev/serial/by-id/…')} />`}
    ${
      link.value === 'tcp' &&
      html`<div class="pair">
        <${Field} label=${t('Address')} of=${host} autocomplete="off" hint=${t('Name or number, such as 192.168.4.20')} />
        <${Field} label=${t('Port (empty: the usual one)')} of=${port} inputmode="numeric" />
      </div>`
    }
  </fieldset>`
}
