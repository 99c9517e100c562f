// State of the edits and what can be done with them; whatever hindered saving is told here, and the edits stay.
import { t } from '/static/lib/i18n.js'
import { keyOf, sameCell } from '/static/shared/matrix-model.js'
import { html } from '/static/vendor/ui.js'
import { cellWords } from './words.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */

/**
 * On the screen while there is something to save: undo, redo, discard, save, how many changes wait, and what came between. Without
 * it what remains is the way back.
 * @param {{ workspace: Workspace }} given
 */
export function Bar({ workspace }) {
  const { saving } = workspace
  const newer = saving.elsewhere.value
  return html`<div class=${dockClass(workspace)}><div class="news" role="status">
    ${
      newer &&
      html`<div class="banner note"><p>${t('Somebody else has saved the matrix meanwhile. Your changes are kept here.')}</p>
      <p class="orders"><button type="button" onClick=${() => saving.show(newer)}>${t('See what changed')}</button></p></div>`
    }
    <${Hindrance} workspace=${workspace} /></div>
    <${Picked} workspace=${workspace} />
    <${Orders} workspace=${workspace} /></div>`
}

/** Orders on the picked cells, for the pointer and the thumb. @param {{ workspace: Workspace }} given */
function Picked({ workspace }) {
  const { picked, copied, matrix } = workspace
  const [first, ...others] = picked.keys.value
  if (first === undefined && !picked.tapping.value) return null
  const count = others.length + (first === undefined ? 0 : 1)
  const words =
    first === undefined
      ? t('Pick the cell to fill with, then those to fill.')
      : count === 1
        ? t('1 cell is picked.')
        : t('{count} cells are picked.', { count })
  const source = first === undefined ? null : matrix.cell(first).value
  const held = copied.value
  return html`<div class="bar picked" role="toolbar" aria-label=${t('Picked cells')}><p class="state quiet">${words}</p>
    ${others.length > 0 && source !== null && html`<button type="button" onClick=${picked.fill}>${t('Fill with {cell}', { cell: cellWords(matrix.data.value, source) })}</button>`}
    ${count > 0 && held !== null && html`<button type="button" onClick=${() => picked.paste(held.cell)}>${t('Paste')}</button>`}
    ${count > 0 && html`<button type="button" onClick=${picked.clear}>${t('Clear')}</button>`}
    <button type="button" onClick=${picked.end}>${t('Pick no more')}</button></div>`
}

/** @param {Workspace} workspace */
function dockClass({ matrix, saving, picked }) {
  const { kind } = saving.status.value
  if (picked.keys.value.size > 0 || picked.tapping.value) return 'dock due'
  const waits = saving.elsewhere.value !== null || !['idle', 'saved'].includes(kind)
  if (matrix.dirty.value > 0 || waits) return 'dock due'
  return kind === 'saved' || hasPast(matrix) ? 'dock rest' : 'dock'
}

/** @param {Workspace['matrix']} matrix */
const hasPast = ({ history }) => history.value.done.length + history.value.undone.length > 0

/** @param {{ workspace: Workspace }} given */
function Orders({ workspace }) {
  const { matrix, undo, redo, discard } = workspace
  const { done, undone } = matrix.history.value
  const count = matrix.dirty.value
  const now = workspace.editing.value
  const underWay = now !== null && !sameCell(now.before, matrix.cell(now.key).value)
  const canUndo = done.length > 0 || underWay
  return html`<div class="bar" role="toolbar" aria-label=${t('Changes')}>
    <p class=${count > 0 ? 'state waiting' : 'state quiet'} role="status" id="dirty">${stateWords(workspace)}</p>
    ${canUndo && html`<button type="button" onClick=${undo} aria-keyshortcuts="U Control+Z">${t('Undo')}</button>`}
    ${undone.length > 0 && html`<button type="button" onClick=${redo} aria-keyshortcuts="Shift+U Control+Y">${t('Redo')}</button>`}
    ${count > 0 && html`<button type="button" onClick=${discard}>${t('Discard')}</button><${Save} workspace=${workspace} />`}
  </div>`
}

/** @param {{ workspace: Workspace }} given */
function Save({ workspace: { matrix, saving, save } }) {
  const waits = saving.status.value.kind === 'saving'
  return html`<button type="button" class="primary" onClick=${save} disabled=${waits || matrix.data.value.demo} aria-keyshortcuts="Control+S">${waits ? t('Saving …') : t('Save')}</button>`
}

/** @param {Workspace} workspace */
function stateWords({ matrix, saving }) {
  const count = matrix.dirty.value
  const now = saving.status.value
  if (now.kind === 'saving') return t('Saving …')
  if (count === 1) return t('1 change, not saved')
  if (count > 1) return t('{count} changes, not saved', { count })
  if (now.kind !== 'saved') return hasPast(matrix) ? t('No changes') : ''
  const { length } = now.warnings
  if (length === 0) return t('Saved.')
  return length === 1 ? t('Saved, with 1 warning.') : t('Saved, with {count} warnings.', { count: length })
}

/** The known obstacles to saving, before anybody tries. @param {{ workspace: Workspace }} given */
export function Notices({ workspace }) {
  const { demo, canWrite, broken } = workspace.matrix.data.value
  return html`<div class="notices" role="status">
    ${demo && html`<p class="banner note">${t('This is the matrix of the demo: try things out here. It cannot be saved; name a coverage area, and the matrix becomes your own.')}</p>`}
    ${!canWrite && !demo && html`<p class="banner note">${t('You may look and try things out here. Saving needs the operator:')} <${SignIn} /></p>`}
    ${broken && html`<p class="banner bad">${t('config.json on the station cannot be read, so saving is refused until it is mended: {problem}', { problem: broken })}</p>`}
  </div>`
}

/** @param {{ workspace: Workspace }} given */
function Hindrance({ workspace }) {
  const { saving, save } = workspace
  const now = saving.status.value
  if (now.kind === 'waiting')
    return html`<div class="banner bad" data-hindrance="waiting"><p>${now.detail} ${t('Your changes are kept here; saving is tried again by itself.')}</p>
      <p class="orders"><button type="button" onClick=${save}>${t('Try now')}</button><button type="button" onClick=${saving.keepEditing}>${t('Stop trying')}</button></p></div>`
  if (now.kind !== 'refused') return null
  const signIn = now.status === 401 || now.status === 403
  return html`<div class="banner bad" data-hindrance=${now.status}><p>${t('Not saved: {detail}', { detail: now.detail })} ${t('Your changes are kept here.')}</p>
    ${now.errors.length > 0 && html`<ul>${now.errors.map(({ path, message }) => html`<li key=${path}>${errorWords(workspace, path, message)}</li>`)}</ul>`}
    <p class="orders">${signIn && html`<${SignIn} />`}<button type="button" onClick=${save}>${t('Try again')}</button></p></div>`
}

/** `/cells/fire/North~1West/mc`: the cell it is about, in words. @param {Workspace} workspace @param {string} path @param {string} message */
function errorWords(workspace, path, message) {
  const [root, family, region] = path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (root !== 'cells' || !family || !region) return message
  return `${workspace.placeWords(keyOf(family, region))}: ${message}`
}

/** In a window of its own: what is edited here stays. */
function SignIn() {
  return html`<a class="button" href=${`/sign-in?back=${encodeURIComponent(location.pathname)}`} target="_blank">${t('Sign in')}</a>`
}

/** For `Ctrl+Z` and the like from wherever the focus is. @param {Workspace} workspace @param {KeyboardEvent} event */
export function shortcut(workspace, event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return
  const { target } = event
  const letter = event.key.toLowerCase()
  // A field of text undoes its own typing.
  const typing = target instanceof HTMLInputElement && target.type === 'text'
  if (letter === 's') void workspace.save()
  else if (typing || document.querySelector('dialog.conflict')) return
  else if (letter === 'z' && !event.shiftKey) workspace.undo()
  else if (letter === 'y' || letter === 'z') workspace.redo()
  else return
  event.preventDefault()
}
