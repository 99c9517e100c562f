// The part of the page where files are given: by hand, by key, or dropped onto it.
import { language, t } from '../lib/i18n.js'
import { bytesText, duration } from '../shared/times.js'
import { html, render, signal, useEffect, useSignal } from '../vendor/ui.js'
import { Sendings } from './sending.js'
import { forget, unfinished } from './tus.js'

/** @typedef {import('./sending.js').Sending} Sending */
/**
 * @typedef {object} UploadTarget where files go
 * @property {string} path of the route that takes them
 * @property {string} accept what a file chooser shows
 * @property {boolean} [categories] whether somebody may name a category
 * @property {readonly string[]} [over] statuses after which nothing more happens, where the station tells of more than the arrival
 * @property {(props: { one: Sending }) => any} [standing] tells what became of a file that has arrived
 * @property {() => boolean} [ready] false: something else is to be said first, and no file is taken
 * @property {() => void} [onArrival]
 */

/** Counts what changes the list of unfinished uploads. */
const changes = signal(0)

/** Takes the place of the form that works without a script, where the page has one. @param {UploadTarget} target */
export function mountUploader(target) {
  const root = document.getElementById('uploader')
  if (root === null) return
  root.replaceChildren()
  render(html`<${Uploader} target=${target} />`, root)
}

/** @param {{ target: UploadTarget }} props */
function Uploader({ target }) {
  const category = useSignal('')
  const over = useSignal(false)
  const sendings = useSendings(target)
  /** @param {Iterable<File>} files */
  const give = (files) => {
    if (target.ready?.() === false) return
    sendings.add(files, category.peek().trim())
  }
  useEffect(() => watchPage(sendings), [])
  const list = sendings.list.value
  return html`${target.categories ? html`<${Category} category=${category} />` : null}
    <div class=${`drop${over.value ? ' over' : ''}`} onDragOver=${(/** @type {DragEvent} */ event) => {
      event.preventDefault()
      over.value = true
    }} onDragLeave=${() => {
      over.value = false
    }} onDrop=${(/** @type {DragEvent} */ event) => {
      event.preventDefault()
      over.value = false
      give(event.dataTransfer?.files ?? [])
    }}><label for="file">${t('Choose files, or drop them here')}</label>
      <input id="file" type="file" multiple accept=${target.accept} onChange=${(/** @type {any} */ event) => {
        give([...event.currentTarget.files])
        event.currentTarget.value = ''
      }} /></div>
    <${Left} list=${list} path=${target.path} />
    <p role="status" class="quiet">${summary(list)}</p>
    ${list.length === 0 ? null : html`<ul class="files-list">${list.map((one) => html`<${Line} key=${one.id} one=${one} sendings=${sendings} target=${target} />`)}</ul>`}`
}

/** @param {{ category: import('../vendor/ui.js').Signal<string> }} props */
function Category({ category }) {
  return html`<p><label for="category">${t('Category (may be empty)')}</label>
    <input id="category" list="categories" maxlength="100" autocomplete="off" value=${category.value} onInput=${(
      /** @type {any} */ event
    ) => {
      category.value = event.currentTarget.value
    }} /></p>`
}

/** One set of files for the life of the page. @param {UploadTarget} target */
function useSendings(target) {
  const kept = useSignal(/** @type {Sendings | null} */ (null))
  if (kept.peek() === null) kept.value = new Sendings(target)
  return /** @type {Sendings} */ (kept.peek())
}

/** A file dropped beside the place for it must not replace the page; leaving while bytes go out is asked about. @param {Sendings} sendings */
function watchPage(sendings) {
  /** @param {Event} event */
  const ignore = (event) => event.preventDefault()
  /** @param {Event} event */
  const ask = (event) => {
    if (sendings.list.peek().some(({ busy }) => busy)) event.preventDefault()
  }
  addEventListener('dragover', ignore)
  addEventListener('drop', ignore)
  addEventListener('beforeunload', ask)
  return () => {
    removeEventListener('dragover', ignore)
    removeEventListener('drop', ignore)
    removeEventListener('beforeunload', ask)
  }
}

/** @param {readonly Sending[]} list */
function summary(list) {
  if (list.length === 0) return ''
  const here = list.filter(({ state }) => state.value === 'here').length
  const refused = list.filter(({ state }) => state.value === 'refused').length
  const said = t('{here} of {count} uploaded', { here, count: list.length })
  return refused === 0 ? said : `${said}, ${t('{count} refused', { count: refused })}`
}

/** Uploads of this browser that were not finished, as long as nobody goes on with them. @param {{ list: readonly Sending[], path: string }} props */
function Left({ list, path }) {
  void changes.value
  const open = unfinished(path).filter(({ name, size }) => !list.some((one) => one.name === name && one.size === size))
  if (open.length === 0) return null
  return html`<div class="left"><p>${t('Not finished. Choose the same file again to go on where it ended:')}</p>
    <ul class="files-list">${open.map(
      (
        one
      ) => html`<li key=${one.key}><span class="name">${one.name}</span> <small>${bytesText(one.size, language)}</small>
        <button type="button" onClick=${async () => {
          await forget(one)
          changes.value++
        }}>${t('Forget it')}<span class="hidden">: ${one.name}</span></button></li>`
    )}</ul></div>`
}

/** @param {{ one: Sending, sendings: Sendings, target: UploadTarget }} props */
function Line({ one, sendings, target }) {
  const state = one.state.value
  const button = (/** @type {string} */ text, /** @type {() => void} */ act) =>
    html`<button type="button" onClick=${act}>${text}<span class="hidden">: ${one.name}</span></button> `
  const buttons = {
    waiting: [button(t('Stop'), () => one.stop())],
    sending: [button(t('Stop'), () => one.stop())],
    lost: [button(t('Stop'), () => one.stop())],
    stopped: [button(t('Go on'), () => sendings.again(one)), button(t('Remove'), () => sendings.remove(one))],
    refused: [
      one.refusal.value?.passing ? button(t('Try again'), () => sendings.again(one)) : null,
      button(t('Remove'), () => sendings.remove(one))
    ],
    here: []
  }
  return html`<li data-state=${state}><p><span class="name">${one.name}</span> <small>${bytesText(one.size, language)}</small></p>
    ${state === 'here' ? html`<${target.standing ?? Arrived} one=${one} />` : html`<${Way} one=${one} />`}
    <p class="act-line">${buttons[state]}</p></li>`
}

function Arrived() {
  return html`<p><strong class="state good">${t('It has arrived.')}</strong></p>`
}

/** The way of the bytes to the station. @param {{ one: Sending }} props */
function Way({ one }) {
  const state = one.state.value
  const { refusal, sent, size, name } = one
  if (refusal.value !== null) return html`<${Refused} refusal=${refusal.value} />`
  if (state === 'waiting') return html`<p class="quiet">${t('Waits for its turn')}</p>`
  const pace = state === 'sending' ? one.pace.value : 0
  const share = size === 0 ? 0 : Math.floor((sent.value / size) * 100)
  return html`<progress max=${size} value=${sent.value} aria-label=${t('Upload of {name}', { name })}></progress>
    <p>${t('{sent} of {size} ({share} %)', { sent: bytesText(sent.value, language), size: bytesText(size, language), share })}
      ${
        pace > 0 && share < 100
          ? html` <span class="quiet">${t('{pace} a second, about {span} left', { pace: bytesText(pace, language), span: duration(((size - sent.value) / pace) * 1000, language) })}</span>`
          : null
      }
      ${state === 'lost' ? html` <strong class="state bad">${t('The station is out of reach: this goes on once it is back.')}</strong>` : null}
      ${state === 'stopped' ? html` <strong class="state off">${t('Stopped')}</strong>` : null}
      ${state === 'sending' && share === 100 ? html` <span class="quiet">${t('The station looks at it …')}</span>` : null}</p>`
}

/** @param {{ refusal: import('./sending.js').Refusal }} props */
function Refused({ refusal: { detail, signIn, existing } }) {
  const back = encodeURIComponent(location.pathname)
  return html`<p class=${existing ? '' : 'refusal'} role="alert">${detail}
    ${signIn ? html` <a href=${`/sign-in?back=${back}`}>${t('Sign in')}</a>` : null}
    ${existing ? html` <a href=${`/documents/${existing.hash}`}>${t('The document that is here already')}</a>` : null}</p>`
}
