// The state of every source, live; asked on demand, switched, added, edited and removed.
import '/static/lib/shell.js'
import { get, pageData, send } from '/static/lib/api.js'
import { moreWords, t, term } from '/static/lib/i18n.js'
import { onLive } from '/static/lib/live.js'
import { pen } from '/static/lib/pen.js'
import { EntryForm, freshSettings, problemOf, quickChange } from '/static/settings/entries.js'
import { Suggestions } from '/static/settings/fields.js'
import { Refusal } from '/static/settings/save-bar.js'
import { sourceCard } from '/static/shared/source-card.js'
import { html, render, signal, useSignal } from '/static/vendor/ui.js'
import { Passes } from './passes.js'

/** @typedef {import('../../server/said-status.ts').SaidSource} SourceStatus */

const data = pageData()
const sources = signal(/** @type {SourceStatus[]} */ (data.sources))
const entries = signal(/** @type {Record<string, any>[]} */ (data.settings.sources))
const revision = signal(/** @type {string} */ (data.revision))
/** The open entry: the name of a source, `+kind` for a new one. */
const open = signal('')
const problem = signal(/** @type {{ name: string, status: number, detail: string } | null} */ (null))
/** Descriptions of kinds, fetched when the first form of a kind opens. @type {Map<string, any>} */
const kinds = new Map()

/** @param {Record<string, any>} entry */
const nameOf = (entry) => entry['name'] ?? entry['kind']

/** @param {{ settings: Record<string, any>, revision: string }} served */
function take(served) {
  entries.value = served.settings['sources'] ?? []
  revision.value = served.revision
}

async function reload() {
  try {
    const { body } = await get('/api/sources')
    sources.value = body.sources
    take(await freshSettings())
  } catch (error) {
    problem.value = { name: '', ...problemOf(error) }
  }
}

/** @param {any} served */
function saved(served) {
  take(served)
  open.value = ''
  void reload()
}

/**
 * @param {string} name
 * @param {{ set?: Record<string, unknown>, remove?: string[] }} change
 */
async function change(name, change) {
  problem.value = null
  const outcome = await quickChange(change, revision.value)
  if ('problem' in outcome) problem.value = { name, ...outcome.problem }
  else take(outcome.served)
  await reload()
}

/** @param {string} kind */
async function describe(kind) {
  if (kinds.has(kind)) return
  const [{ body }] = await Promise.all([get(`/api/settings/schema?section=sources&kind=${kind}`), moreWords()])
  kinds.set(kind, body)
}

/**
 * @param {string} key
 * @param {string} kind
 */
async function openForm(key, kind) {
  problem.value = null
  try {
    await describe(kind)
    open.value = key
  } catch (error) {
    problem.value = { name: key, ...problemOf(error) }
  }
}

/** @param {{ status: SourceStatus }} props */
function Card({ status }) {
  const { name, kind } = status
  const known = data.kinds.find((/** @type {any} */ one) => one.kind === kind)
  const index = entries.value.findIndex((entry) => nameOf(entry) === name)
  const refusal = problem.value?.name === name ? problem.value : null
  const controls = html`${refusal === null ? null : html`<div role="alert"><${Refusal} problem=${refusal} /></div>`}
    ${open.value === name && index >= 0 ? html`<${EntryForm} pointer=${`/sources/${index}`} setting=${kinds.get(kind)} base=${entries.value[index]} revision=${revision.value} suggestions=${data.suggestions} skip=${['kind']} onSaved=${saved} onCancel=${close} />` : html`<${Buttons} status=${status} index=${index} />`}`
  return sourceCard(pen, { status, title: known?.title ?? kind }, controls)
}

function close() {
  open.value = ''
}

/** @param {{ status: SourceStatus, index: number }} props */
function Buttons({ status, index }) {
  const { name, kind, mode, enabled } = status
  const asking = useSignal(false)
  const sure = useSignal(false)
  const ask = async () => {
    asking.value = true
    problem.value = null
    try {
      await send(`/api/sources/${encodeURIComponent(name)}/poll`)
    } catch (error) {
      problem.value = { name, ...problemOf(error) }
    }
    asking.value = false
  }
  /** @param {string} label */
  const named = (label) => `${label}: ${name}`
  if (sure.value) {
    return html`<p class="buttons"><span>${t('Remove this source?')}</span>
      <button type="button" class="danger" aria-label=${named(t('Remove for good'))} onClick=${() => void change(name, { remove: [`/sources/${index}`] })}>${t('Remove for good')}</button>
      <button type="button" onClick=${() => {
        sure.value = false
      }}>${t('Keep')}</button></p>`
  }
  const byProfile = index < 0
  return html`<p class="buttons">
    ${mode === 'poll' && enabled ? html`<button type="button" disabled=${asking.value} aria-label=${named(t('Ask now'))} onClick=${() => void ask()}>${asking.value ? t('Asking …') : t('Ask now')}</button>` : null}
    ${
      byProfile
        ? html`<small>${t('Switched on by the profile.')}</small> <button type="button" aria-label=${named(t('Switch off'))} onClick=${() => void change(name, { set: { '/sources/-': { kind, enabled: false } } })}>${t('Switch off')}</button>`
        : html`<button type="button" aria-label=${named(enabled ? t('Switch off') : t('Switch on'))} onClick=${() => void change(name, { set: { [`/sources/${index}/enabled`]: !enabled } })}>${enabled ? t('Switch off') : t('Switch on')}</button>
        <button type="button" aria-label=${named(t('Edit'))} onClick=${() => void openForm(name, kind)}>${t('Edit')}</button>
        <button type="button" aria-label=${named(t('Remove'))} onClick=${() => {
          sure.value = true
        }}>${t('Remove')}</button>`
    }</p>`
}

function AddSource() {
  const kind = useSignal('')
  const key = `+${kind.value}`
  const chosen = data.kinds.find((/** @type {any} */ one) => one.kind === kind.value)
  const isOpen = kind.value !== '' && open.value === key
  return html`<section class="card" aria-labelledby="add"><h2 id="add">${t('Add a source')}</h2>
    <p><label for="kind">${t('Kind')}</label>
    <select id="kind" value=${kind.value} onChange=${(/** @type {any} */ event) => {
      kind.value = event.currentTarget.value
      if (kind.value !== '') void openForm(`+${kind.value}`, kind.value)
    }}><option value="">${t('choose')}</option>
    ${data.kinds.map((/** @type {any} */ one) => html`<option value=${one.kind} selected=${one.kind === kind.value}>${term(one.title)}</option>`)}</select></p>
    ${chosen === undefined ? null : html`<p>${term(chosen.about)}</p>`}
    ${problem.value?.name === key ? html`<${Refusal} problem=${problem.value} />` : null}
    ${
      isOpen
        ? html`<${EntryForm} key=${key} pointer="/sources/-" setting=${kinds.get(kind.value)} base=${{ kind: kind.value }} revision=${revision.value} suggestions=${data.suggestions} skip=${['kind']}
      onSaved=${(/** @type {any} */ served) => {
        kind.value = ''
        saved(served)
      }} onCancel=${() => {
        kind.value = ''
        close()
      }} />`
        : null
    }</section>`
}

function Page() {
  const hasPasses = sources.value.some(({ kind, enabled }) => kind === 'satpass' && enabled)
  return html`<${Suggestions} suggestions=${data.suggestions} />
    ${data.mode === 'preview' ? html`<p>${t('Preview: nobody is asked.')}</p>` : null}
    ${problem.value?.name === '' ? html`<${Refusal} problem=${problem.value} />` : null}
    ${sources.value.length === 0 ? html`<p>${t('Nothing is listened to yet. Add a source below.')}</p>` : null}
    <div class="cards">${sources.value.map((status) => html`<${Card} key=${status.name} status=${status} />`)}</div>
    <${AddSource} />${hasPasses ? html`<${Passes} first=${data.passes} />` : null}`
}

const root = document.getElementById('editor')
if (root !== null) {
  render(html`<div><${Page} /></div>`, root)
  onLive(['source'], (status) => {
    sources.value = sources.value.map((one) => (one.name === status.name ? status : one))
  })
  onLive(['config', 'reset'], () => void reload())
}
