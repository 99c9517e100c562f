// The routing page once its script runs.
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { matrixIntro, noRegions } from '/static/shared/matrix.js'
import { TrialPanel } from '/static/trial/panel.js'
import { html, useEffect } from '/static/vendor/ui.js'
import { Bar, Notices, shortcut } from './bar.js'
import { Cards } from './cards.js'
import { Conflict } from './conflict.js'
import { Grid } from './grid.js'
import { Policies } from './policies.js'
import { Tools } from './tools.js'
import { Warnings } from './warnings.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */

/** @param {{ workspace: Workspace }} given */
export function App({ workspace }) {
  const { matrix, saving, narrow } = workspace
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const keydown = (event) => shortcut(workspace, event)
    document.addEventListener('keydown', keydown)
    return () => document.removeEventListener('keydown', keydown)
  }, [])
  const now = saving.status.value
  const told = now.kind === 'saved' ? now.warnings : []
  return html`<${Head} workspace=${workspace} />
    <${Notices} workspace=${workspace} />
    <${Warnings} matrix=${matrix} told=${told} narrow=${narrow.value} />
    ${!narrow.value && html`<${Tools} workspace=${workspace} />`}
    <${Body} workspace=${workspace} />
    ${narrow.value && html`<${Tools} workspace=${workspace} />`}
    <${Bar} workspace=${workspace} />
    <${Policies} workspace=${workspace} />
    ${!narrow.value && html`<${Keys} />`}
    <${TrialPanel} ...${workspace.trial} wanted=${workspace.view.overlay.value === 'event'} />
    ${now.kind === 'conflict' && html`<${Conflict} key=${now.theirs.revision} workspace=${workspace} rows=${now.rows} theirs=${now.theirs} />`}
    <p class="hidden" role="status" id="announced">${workspace.announced.value}</p>`
}

/** @param {{ workspace: Workspace }} given */
function Body({ workspace }) {
  const { matrix, narrow } = workspace
  if (matrix.columns.value.length === 0) return noRegions(pen)
  return narrow.value ? html`<${Cards} workspace=${workspace} />` : html`<${Grid} workspace=${workspace} />`
}

/** @param {{ workspace: Workspace }} given */
function Head({ workspace: { matrix } }) {
  const switches = matrix.switches.value
  return matrixIntro(pen, matrix.data.value, { switches, cells: matrix.current.value.values() }, (name, words) => {
    const id = name === 'enabled' ? 'master' : name
    /** @param {{ currentTarget: HTMLInputElement }} event */
    const turn = ({ currentTarget }) => matrix.turn(name, currentTarget.checked)
    return html`<input type="checkbox" role="switch" id=${id} checked=${switches[name]} onChange=${turn} aria-describedby="master-note" />
      <label for=${id}>${words}</label>`
  })
}

function Keys() {
  const keys = [
    ['↑ ↓ ← →', t('go from cell to cell')],
    ['Enter, F2', t('edit; Enter again when done, Escape to leave it as it was')],
    ['Delete', t('clear the cell')],
    [t('Space; Shift+↑ ↓ ← →'), t('pick this cell; pick as far as there')],
    ['R, C', t('pick the row, the column')],
    ['F', t('fill what is picked with the cell that was picked first')],
    ['U, Shift+U', t('undo, redo')],
    ['P', t('pin the region: it stands first')],
    ['Ctrl+C, Ctrl+V', t('copy, paste a cell')],
    ['Ctrl+S', t('save')]
  ]
  return html`<details class="keys"><summary>${t('Keys')}</summary><dl class="facts">${keys.map(([key, what]) => html`<dt key=${key}>${key}</dt><dd>${what}</dd>`)}</dl></details>`
}
