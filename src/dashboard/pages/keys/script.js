// The keys: added, replaced, removed and tested. A key is sent once and never comes back.
import '/static/lib/shell.js'
import { get, pageData, send } from '/static/lib/api.js'
import { t, term } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { problemOf } from '/static/settings/entries.js'
import { Refusal } from '/static/settings/save-bar.js'
import { keyCard } from '/static/shared/key-card.js'
import { toast } from '/static/shared/parts.js'
import { html, render, signal, useSignal } from '/static/vendor/ui.js'

/** @typedef {import('./page.ts').SaidKeyRow} KeyRow */
/** @typedef {{ status: number, detail: string }} Problem */

/** @type {import('./page.ts').KeysData} */
const data = pageData()
const keys = signal(data.keys)
/** The last failure, beside the key it is about; '' for none of them. */
const problem = signal(/** @type {({ id: string } & Problem) | null} */ (null))
/** The result of the last order. */
const notice = signal('')
/** The key an order is under way for, '*' for all. */
const busy = signal('')

/**
 * One order at a time; afterwards the list is as the station has it.
 * @param {string} id
 * @param {() => Promise<string>} order
 * @returns {Promise<boolean>}
 */
async function run(id, order) {
  busy.value = id === '' ? '*' : id
  problem.value = null
  notice.value = ''
  let done = true
  try {
    notice.value = await order()
  } catch (error) {
    problem.value = { id, ...problemOf(error) }
    done = false
  }
  try {
    keys.value = (await get('/api/keys')).body.keys
  } catch (error) {
    problem.value ??= { id, ...problemOf(error) }
  }
  busy.value = ''
  return done
}

/** @param {string} provider */
const providerOf = (provider) => data.providers.find(({ id }) => id === provider)

/** @param {{ id: string }} props */
function Wrong({ id }) {
  return problem.value?.id === id ? html`<div role="alert"><${Refusal} problem=${problem.value} /></div>` : null
}

/** @param {{ row: KeyRow }} props */
function Card({ row }) {
  const { id, provider } = row
  /** The part that is open below the facts: '', 'replace' or 'remove'. */
  const open = useSignal('')
  const known = providerOf(provider)
  const close = () => {
    open.value = ''
  }
  const controls = html`<${Wrong} id=${id} />
    ${open.value === 'replace' ? html`<${Replace} row=${row} close=${close} />` : open.value === 'remove' ? html`<${Remove} row=${row} close=${close} />` : html`<${Buttons} row=${row} open=${open} />`}`
  return keyCard(pen, { row, name: known?.name ?? provider, host: known?.host ?? null, why: row.reason }, controls)
}

/** @param {{ row: KeyRow, open: { value: string } }} props */
function Buttons({ row: { id, masked }, open }) {
  /** @param {string} label */
  const named = (label) => `${label}: ${masked}`
  /** @param {string} what */
  const show = (what) => () => {
    open.value = what
  }
  const test = () => run(id, async () => testText((await send(`/api/keys/${id}/validate`)).body, masked))
  return html`<p class="buttons">
    <button type="button" disabled=${busy.value !== ''} aria-label=${named(t('Test'))} onClick=${() => void test()}>${busy.value === id ? t('Testing …') : t('Test')}</button>
    <button type="button" disabled=${busy.value !== ''} aria-label=${named(t('Replace'))} onClick=${show('replace')}>${t('Replace')}</button>
    <button type="button" disabled=${busy.value !== ''} aria-label=${named(t('Remove'))} onClick=${show('remove')}>${t('Remove')}</button></p>`
}

/**
 * @param {{ valid: boolean | null, message: string }} result
 * @param {string} masked
 */
function testText({ valid, message }, masked) {
  if (valid === null) return t('{key}: no clear answer. {message}', { key: masked, message })
  return valid
    ? t('{key} works: {message}', { key: masked, message })
    : t('{key} is refused: {message}', { key: masked, message })
}

/** @param {{ row: KeyRow, close: () => void }} props */
function Remove({ row: { id, masked }, close }) {
  const remove = async () => {
    if (
      await run(id, async () =>
        t('{key} is removed.', { key: (await send(`/api/keys/${id}`, undefined, { method: 'DELETE' })).body.removed })
      )
    )
      close()
  }
  return html`<p class="buttons"><span>${t('Remove this key?')}</span>
    <button type="button" class="danger" disabled=${busy.value !== ''} aria-label=${`${t('Remove for good')}: ${masked}`} onClick=${() => void remove()}>${t('Remove for good')}</button>
    <button type="button" onClick=${close}>${t('Keep')}</button></p>`
}

/** @param {{ row: KeyRow, close: () => void }} props */
function Replace({ row: { id, masked }, close }) {
  const value = useSignal('')
  const save = async () => {
    const put = async () => {
      const { body } = await send(`/api/keys/${id}`, { key: value.value }, { method: 'PUT' })
      return t('{key} takes the place of {old}.', { key: body.masked, old: masked })
    }
    if (await run(id, put)) close()
  }
  return html`<form autocomplete="off" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault()
    void save()
  }}><${KeyField} name=${`new-${id}`} label=${t('New key')} value=${value} autofocus />
    <p class="buttons"><button class="primary" disabled=${busy.value !== '' || value.value.trim() === ''}>${busy.value === id ? t('Saving …') : t('Replace')}</button>
    <button type="button" onClick=${close}>${t('Cancel')}</button></p></form>`
}

/** @param {{ name: string, label: string, value: { value: string }, autofocus?: boolean }} props */
function KeyField({ name, label, value, autofocus = false }) {
  const shown = useSignal(false)
  /** @param {HTMLInputElement | null} field */
  const focus = (field) => {
    if (autofocus && field !== null && field.value === '') field.focus()
  }
  return html`<div class="field"><label for=${name}>${label}</label>
    <div class="key-field"><input id=${name} ref=${focus} type=${shown.value ? 'text' : 'password'} autocomplete="off" autocapitalize="off" spellcheck=${false} maxlength="512" value=${value.value}
      onInput=${(/** @type {any} */ event) => {
        value.value = event.currentTarget.value
      }} />
    <button type="button" aria-pressed=${shown.value} onClick=${() => {
      shown.value = !shown.value
    }}>${t('Show')}</button></div></div>`
}

function AddKey() {
  const provider = useSignal('gemini')
  const value = useSignal('')
  const host = providerOf(provider.value)?.host
  const add = async () => {
    await run('+', async () => {
      const { body } = await send('/api/keys', { provider: provider.value, key: value.value })
      // Forgotten before the page says that it has it.
      value.value = ''
      return t('{key} is added.', { key: body.masked })
    })
  }
  return html`<section class="card" aria-labelledby="add"><h2 id="add">${t('Add a key')}</h2>
    <form autocomplete="off" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault()
      void add()
    }}>
    <div class="field"><label for="provider">${t('For')}</label>
    <select id="provider" onChange=${(/** @type {any} */ event) => {
      provider.value = event.currentTarget.value
    }}>${data.providers.map(({ id, name }) => html`<option value=${id} selected=${id === provider.value}>${term(name)}</option>`)}</select>
    <p class="help">${host ? t('It is sent to {host} and to nobody else.', { host }) : t('It is kept until an embedding server is chosen in the settings.')}</p></div>
    <${KeyField} name="key" label=${t('Key')} value=${value} />
    <${Wrong} id="+" />
    <p class="buttons"><button class="primary" disabled=${busy.value !== '' || value.value.trim() === ''}>${busy.value === '+' ? t('Saving …') : t('Add')}</button></p></form></section>`
}

/** @param {{ valid: boolean | null }[]} results */
function countText(results) {
  const good = results.filter(({ valid }) => valid === true).length
  return t('{good} of {count} keys work.', { good, count: results.length })
}

function Page() {
  const testAll = () => run('', async () => countText((await send('/api/keys/validate')).body.results))
  const reload = () =>
    run('', async () => t('Read again: {count} keys.', { count: (await send('/api/keys/reload')).body.count }))
  return html`${toast({ html }, notice.value)}<${Wrong} id="" />
    ${keys.value.length === 0 ? html`<p>${t('There are no keys yet.')}</p>` : null}
    <ul class="cards plain keys">${keys.value.map((row) => html`<${Card} key=${row.id} row=${row} />`)}</ul>
    <${AddKey} />
    <p class="buttons">${keys.value.length === 0 ? null : html`<button type="button" disabled=${busy.value !== ''} onClick=${() => void testAll()}>${busy.value === '*' ? t('Working …') : t('Test all')}</button>`}
    <button type="button" disabled=${busy.value !== ''} onClick=${() => void reload()}>${t('Read the file again')}</button></p>
    <p class="help">${t('Read the file again after editing keys.env by hand. Keys that were refused get another chance.')}</p>`
}

const root = document.getElementById('editor')
if (root !== null) {
  render(html`<div><${Page} /></div>`, root)
}
