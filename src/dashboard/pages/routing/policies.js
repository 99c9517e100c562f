// Rows whose events have no region by nature (contract §4 rule 11): no cell matches them, so the policy of the family is
// shown and edited here.
import { send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { Problem, refusalOf } from '/static/log/problem.js'
import { MC_MAX_BYTES, MT_CHANNELS, readMcName, SEVERITIES } from '/static/shared/matrix-model.js'
import { mtName } from '/static/shared/matrix-words.js'
import { toast } from '/static/shared/parts.js'
import { isEqual } from '/static/shared/values.js'
import { html, useId, useSignal } from '/static/vendor/ui.js'
import { severityWord } from './words.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */
/** @typedef {import('./routing-view.ts').PolicyRow} Policy */

/** @param {{ workspace: Workspace }} given */
export function Policies({ workspace }) {
  const data = workspace.matrix.data.value
  const labels = new Map(data.families.map(({ key, label }) => [key, label]))
  const rows = Object.entries(data.policies)
  const about = html`<p class="quiet">${t('Space weather, a feed that is silent and the station itself are nowhere in particular: no cell matches them. The policy of their family sends them, to everybody on its channels.')}</p>`
  const forms = rows.map(
    ([family, policy]) =>
      html`<${Form} key=${`${family} ${JSON.stringify(policy)}`} ...${{ workspace, family, policy }} label=${labels.get(family) ?? family} />`
  )
  // On a phone they wait behind their heading: a region and what belongs to it come first.
  if (workspace.narrow.value)
    return html`<section aria-labelledby="policies"><h2 id="policies">${t('Without a region')}</h2>
      <details class="more"><summary>${rows.map(([family]) => labels.get(family) ?? family).join(', ')}</summary><div class="policies">${about}${forms}</div></details></section>`
  return html`<section class="policies" aria-labelledby="policies"><h2 id="policies">${t('Without a region')}</h2>${about}${forms}</section>`
}

/** @param {{ workspace: Workspace, family: string, policy: Policy, label: string }} given */
function Form({ workspace, family, policy, label }) {
  const data = workspace.matrix.data.value
  const id = useId()
  const base = useSignal(policy)
  const draft = useSignal(policy)
  const changed = !isEqual(base.value, draft.value)
  const refusal = useSignal(/** @type {import('/static/log/problem.js').Refusal | null} */ (null))
  const said = useSignal('')
  const { enabled, min_severity, mt, mc, destinations } = draft.value
  const fixed = destinations.length > 0
  const locked = fixed || data.demo || !data.canWrite
  /** @param {Partial<Policy>} patch */
  const set = (patch) => {
    draft.value = { ...draft.peek(), ...patch }
  }
  const save = async () => {
    refusal.value = null
    try {
      await send('/api/settings', { set: changeOf(family, draft.peek()), remove: [] })
      base.value = draft.peek()
      said.value = t('Saved.')
    } catch (error) {
      refusal.value = refusalOf(error)
    }
  }
  return html`<form class="policy" id=${`policy-${family}`} aria-label=${label} onSubmit=${(
    /** @type {SubmitEvent} */ event
  ) => {
    event.preventDefault()
    void save()
  }}>
    <h3>${label}</h3>
    ${fixed && html`<p>${t('It goes to {destinations}.', { destinations: destinations.join(', ') })} <a href="/settings/notifications">${t('Edited in the settings')}</a></p>`}
    <p class="check"><input id=${`${id}on`} type="checkbox" checked=${enabled} disabled=${locked} onChange=${(/** @type {any} */ { currentTarget }) => set({ enabled: currentTarget.checked })} />
      <label for=${`${id}on`}>${t('Policy is on')}</label></p>
    <p class="field"><label for=${`${id}mt`}>${t('Meshtastic channel')}</label><select id=${`${id}mt`} disabled=${locked} onChange=${(/** @type {any} */ { currentTarget }) => set({ mt: currentTarget.value === '' ? null : Number(currentTarget.value) })}>
      <option value="" selected=${mt === null}>${t('none')}</option>${MT_CHANNELS.map((index) => html`<option key=${index} value=${String(index)} selected=${mt === index}>${mtName(data, index)}</option>`)}</select></p>
    <p class="field"><label for=${`${id}mc`}>${t('MeshCore channel')}</label><input id=${`${id}mc`} value=${mc ?? ''} disabled=${locked} placeholder=${t('none')} maxlength=${MC_MAX_BYTES} autocapitalize="none" spellcheck=${false}
      onInput=${(/** @type {any} */ { currentTarget }) => set({ mc: readMcName(currentTarget.value).name })} /></p>
    <p class="field"><label for=${`${id}from`}>${t('Severity')}</label><select id=${`${id}from`} disabled=${locked} onChange=${(/** @type {any} */ { currentTarget }) => set({ min_severity: currentTarget.value })}>
      ${SEVERITIES.map((severity) => html`<option key=${severity} value=${severity} selected=${min_severity === severity}>${t('from {severity}', { severity: severityWord(severity) })}</option>`)}</select></p>
    ${changed && html`<p><button type="submit" disabled=${locked}>${t('Save policy')}</button></p>`}
    ${toast({ html }, changed ? '' : said.value, 'good')}
    <${Problem} refusal=${refusal.value} />
  </form>`
}

const BROADCASTS = new Set(['mesh_broadcast', 'meshcore_broadcast'])

/** Its channels at every severity; what is delivered otherwise stays. @param {string} family @param {Policy} policy */
function changeOf(family, { enabled, min_severity, mt, mc, severity_channels }) {
  const broadcasts = [...(mt === null ? [] : ['mesh_broadcast']), ...(mc === null ? [] : ['meshcore_broadcast'])]
  const channels = SEVERITIES.map((severity) => {
    const others = (severity_channels[severity] ?? []).filter((type) => !BROADCASTS.has(type))
    return [severity, [...broadcasts, ...others]]
  })
  const at = `/notifications/toggles/${family}`
  return {
    [`${at}/enabled`]: enabled,
    [`${at}/min_severity`]: min_severity,
    [`${at}/broadcast_channel`]: mt,
    [`${at}/meshcore_channel`]: mc,
    [`${at}/severity_channels`]: Object.fromEntries(channels)
  }
}
