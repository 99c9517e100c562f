// State, channels, queue and airtime of the radios, live; a test text; radios of the configuration.
import '/static/lib/shell.js'
import { get, pageData } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { onLive } from '/static/lib/live.js'
import { pen } from '/static/lib/pen.js'
import { EntryForm, freshSettings, problemOf, quickChange } from '/static/settings/entries.js'
import { Refusal } from '/static/settings/save-bar.js'
import { toast } from '/static/shared/parts.js'
import { radioCard } from '/static/shared/radio-card.js'
import { linkName, networkName } from '/static/shared/words.js'
import { html, render, signal, useSignal } from '/static/vendor/ui.js'
import { TestSend } from './test-send.js'

/** @typedef {import('../../server/said-status.ts').SaidRadio} RadioStatus */

const data = pageData()
const radios = signal(/** @type {RadioStatus[]} */ (data.radios))
const logs = signal(/** @type {Record<string, any[]>} */ (data.logs))
const entries = signal(/** @type {Record<string, any>[]} */ (data.settings.radios ?? []))
const revision = signal(/** @type {string} */ (data.revision))
const open = signal('')
const problem = signal(/** @type {{ status: number, detail: string } | null} */ (null))
/** Something was saved: the station follows at once. */
const isSaved = signal(false)

/** @param {{ settings: Record<string, any>, revision: string }} served */
function take(served) {
  entries.value = served.settings['radios'] ?? []
  revision.value = served.revision
}

/** @param {any} served */
function saved(served) {
  take(served)
  open.value = ''
  isSaved.value = true
}

/** @param {RadioStatus} status */
function follow(status) {
  radios.value = radios.value.map((one) => {
    if (one.id !== status.id) return one
    // The live stream leaves the nodes out.
    return status.details === null
      ? status
      : { ...status, details: { ...status.details, nodes: one.details?.nodes ?? [] } }
  })
  const log = logs.value[status.id] ?? []
  const [last] = log
  if (last?.state === status.state && last.reason === status.reason) return
  logs.value = {
    ...logs.value,
    [status.id]: [{ at: status.since, state: status.state, reason: status.reason }, ...log].slice(0, 100)
  }
}

async function reload() {
  try {
    radios.value = (await get('/api/radios')).body.radios
    take(await freshSettings())
  } catch (error) {
    problem.value = problemOf(error)
  }
}

/** @param {number} index */
async function remove(index) {
  problem.value = null
  const outcome = await quickChange({ remove: [`/radios/${index}`] }, revision.value)
  if ('problem' in outcome) problem.value = outcome.problem
  else saved(outcome.served)
}

function close() {
  open.value = ''
}

/** @param {{ entry: Record<string, any>, index: number }} props */
function Entry({ entry, index }) {
  const sure = useSignal(false)
  const name = String(entry['id'] ?? index + 1)
  if (open.value === String(index)) {
    return html`<li class="card"><h3>${name}</h3><${EntryForm} pointer=${`/radios/${index}`} setting=${data.setting} base=${entry} revision=${revision.value}
      suggestions=${data.suggestions} onSaved=${saved} onCancel=${close} /></li>`
  }
  const place = entry['path'] ?? (entry['host'] === undefined ? '' : `${entry['host']}:${entry['port'] ?? ''}`)
  return html`<li class="card"><h3>${name}</h3><p>${networkName(String(entry['network']))} · ${linkName(String(entry['link']), t)} ${place}</p><p class="buttons">${
    sure.value
      ? html`<span>${t('Remove this radio?')}</span> <button type="button" class="danger" onClick=${() => void remove(index)}>${t('Remove for good')}</button>
        <button type="button" onClick=${() => {
          sure.value = false
        }}>${t('Keep')}</button>`
      : html`<button type="button" aria-label=${`${t('Edit')}: ${name}`} onClick=${() => {
          open.value = String(index)
        }}>${t('Edit')}</button>
        <button type="button" aria-label=${`${t('Remove')}: ${name}`} onClick=${() => {
          sure.value = true
        }}>${t('Remove')}</button>`
  }</p></li>`
}

function Configured() {
  return html`<section aria-labelledby="configured"><h2 id="configured">${t('Radios of the configuration')}</h2>
    <p>${t('At most one for each network. A change is used at once.')}</p>
    ${toast(pen, isSaved.value ? t('Saved, and in use.') : '', 'good')}
    ${problem.value === null ? null : html`<div role="alert"><${Refusal} problem=${problem.value} /></div>`}
    ${entries.value.length === 0 ? html`<p>${t('None. What is shown above comes from the profile.')}</p>` : null}
    <ul class="plain">${entries.value.map((entry, index) => html`<${Entry} key=${entry['id'] ?? index} entry=${entry} index=${index} />`)}</ul>
    ${
      open.value === '+'
        ? html`<div class="card"><h3>${t('New radio')}</h3><${EntryForm} pointer="/radios/-" setting=${data.setting} base=${{}} revision=${revision.value} suggestions=${data.suggestions} onSaved=${saved} onCancel=${close} /></div>`
        : entries.value.length < 2
          ? html`<button type="button" onClick=${() => {
              open.value = '+'
            }}>${t('Add a radio')}</button>`
          : null
    }</section>`
}

/** @param {{ radio: RadioStatus }} props */
function Card({ radio }) {
  const test = html`<${TestSend} radio=${radio} notifications=${data.notifications} />`
  return radioCard(pen, { radio, log: logs.value[radio.id] ?? [] }, test)
}

function Page() {
  return html`${radios.value.length === 0 ? html`<p>${data.mode === 'preview' ? t('Preview: no radio is connected.') : t('No radio is connected: messages wait until there is one.')}</p>` : null}
    <div class="cards">${radios.value.map((radio) => html`<${Card} key=${radio.id} radio=${radio} />`)}</div>
    <${Configured} />`
}

const root = document.getElementById('editor')
if (root !== null) {
  render(html`<div><${Page} /></div>`, root)
  onLive(['radio'], follow)
  onLive(['config', 'reset'], () => void reload())
}
