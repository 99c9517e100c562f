// Two people edited the matrix: what changed there and here, cell by cell, and what to do about it.
import { Dialog } from '/static/lib/dialog.js'
import { t } from '/static/lib/i18n.js'
import { switchesOf, turned } from '/static/shared/matrix-model.js'
import { NETWORK_NAMES } from '/static/shared/words.js'
import { html, useSignal } from '/static/vendor/ui.js'
import { cellWords } from './words.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */
/** @typedef {import('/static/shared/matrix-model.js').MergeRow} MergeRow */
/** @typedef {'here' | 'there'} Choice */

/** @param {{ workspace: Workspace, rows: MergeRow[], theirs: import('./state.js').RoutingData }} given */
export function Conflict({ workspace, rows, theirs }) {
  const choices = useSignal(/** @type {Map<string, Choice>} */ (new Map()))
  const conflicts = rows.filter(({ kind }) => kind === 'conflict')
  const open = conflicts.filter(({ key }) => !choices.value.has(key)).length
  /** @param {string[]} keys @param {Choice} choice */
  const choose = (keys, choice) => {
    choices.value = new Map([...choices.peek(), ...keys.map((key) => /** @type {const} */ ([key, choice]))])
  }
  const all = (/** @type {Choice} */ choice) => () =>
    choose(
      conflicts.map(({ key }) => key),
      choice
    )
  const { saving, matrix } = workspace
  const there = switchesOf(theirs.matrix)
  const turnedThere = turned(matrix.savedSwitches.value, there)
  return html`<${Dialog} kind="conflict" title=${t('Somebody else has saved the matrix meanwhile')} onCancel=${saving.keepEditing}>
    <p>${t('Nothing is lost: below is what changed there and what you changed here. Merging keeps both; where both changed the same cell, choose.')}</p>
    ${turnedThere.map((name) => html`<p key=${name}><strong>${turnedWords(name, there[name])}</strong></p>`)}
    ${conflicts.length > 1 && html`<p class="orders"><button type="button" onClick=${all('here')}>${t('All: keep mine')}</button><button type="button" onClick=${all('there')}>${t('All: take theirs')}</button></p>`}
    <ul class="changes">${[...conflicts, ...rows.filter(({ kind }) => kind !== 'conflict')].map(
      (row) =>
        html`<${Row} key=${row.key} workspace=${workspace} row=${row} data=${theirs} choice=${choices.value.get(row.key)} choose=${(/** @type {Choice} */ choice) => choose([row.key], choice)} />`
    )}</ul>
    <p class="quiet" role="status">${open === 1 ? t('1 cell waits for your choice.') : open > 1 && t('{count} cells wait for your choice.', { count: open })}</p>
    <p class="orders end">
      <button type="button" onClick=${saving.keepEditing}>${t('Back to editing')}</button>
      <button type="button" class="danger" onClick=${saving.loadTheirs}>${t('Reload: drop my changes')}</button>
      <button type="button" class="primary" disabled=${open > 0} onClick=${() => saving.merge(choices.peek())}>${t('Merge and save')}</button>
    </p>
  <//>`
}

/** @param {import('/static/shared/matrix-model.js').Switch} name @param {boolean} on */
function turnedWords(name, on) {
  if (name === 'enabled') return on ? t('The matrix was turned on there.') : t('The matrix was turned off there.')
  const network = NETWORK_NAMES[name === 'mt_enabled' ? 'mt' : 'mc']
  return on
    ? t('The matrix was turned on for {network} there.', { network })
    : t('The matrix was turned off for {network} there.', { network })
}

/**
 * @param {object} given
 * @param {Workspace} given.workspace
 * @param {MergeRow} given.row
 * @param {import('./state.js').RoutingData} given.data
 * @param {Choice | undefined} given.choice
 * @param {(choice: Choice) => void} given.choose
 */
function Row({ workspace, row, data, choice, choose }) {
  const place = workspace.placeWords(row.key)
  const [before, here, there] = [row.base, row.here, row.there].map((cell) => cellWords(data, cell))
  if (row.kind !== 'conflict') {
    const who =
      row.kind === 'there'
        ? t('changed there')
        : row.kind === 'here'
          ? t('changed here')
          : t('changed alike on both sides')
    return html`<li data-kind=${row.kind}><strong>${place}</strong> <span class="quiet">${who}</span><br /><s>${before}</s> → ${row.kind === 'there' ? there : here}</li>`
  }
  /** @param {Choice} value @param {string} label */
  const option = (value, label) =>
    html`<label><input type="radio" name=${`choice ${row.key}`} value=${value} checked=${choice === value} onChange=${() => choose(value)} /> <span>${label}</span></label>`
  return html`<li data-kind="conflict"><fieldset><legend>${place} <span class="bad">${t('changed on both sides')}</span></legend>
    <p class="quiet was">${t('It was: {cell}', { cell: before ?? '' })}</p>
    ${option('here', t('Keep mine: {cell}', { cell: here ?? '' }))}
    ${option('there', t('Take theirs: {cell}', { cell: there ?? '' }))}</fieldset></li>`
}
