// The routing page once its script runs.
import { t } from '/static/lib/i18n.js'
import { TrialPanel } from '/static/trial/panel.js'
import { html, useEffect } from '/static/vendor/ui.js'
import { Bar, Notices, shortcut } from './bar.js'
import { Cards } from './cards.js'
import { Conflict } from './conflict.js'
import { Grid } from './grid.js'
import { MT_CHANNELS_BEFORE_WARNING, mtChannelsOf, SEVERITIES } from './model.js'
import { Policies } from './policies.js'
import { Warnings } from './warnings.js'
import { severityWord } from './words.js'

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
    <${Bar} workspace=${workspace} />
    <${Body} workspace=${workspace} />
    <${Policies} workspace=${workspace} />
    ${!narrow.value && html`<${Keys} />`}
    <${TrialPanel} ...${workspace.trial} />
    ${now.kind === 'conflict' && html`<${Conflict} key=${now.theirs.revision} workspace=${workspace} rows=${now.rows} theirs=${now.theirs} />`}
    <p class="hidden" role="status" id="announced">${workspace.announced.value}</p>`
}

/** @param {{ workspace: Workspace }} given */
function Body({ workspace }) {
  const { matrix, narrow } = workspace
  if (matrix.columns.value.length === 0)
    return html`<p>${t('There are no regions: give a coverage area a name, and it becomes a column here.')} <a href="/coverage">${t('Coverage')}</a></p>`
  return narrow.value ? html`<${Cards} workspace=${workspace} />` : html`<${Grid} workspace=${workspace} />`
}

/** @param {{ workspace: Workspace }} given */
function Head({ workspace }) {
  const { matrix } = workspace
  const { side } = matrix.data.value
  const on = matrix.enabled.value
  const other =
    side === 'mt'
      ? html`<a href="/mesh-b/routing">${t('MC routing')}</a>`
      : html`<a href="/mesh-a/routing">${t('MT routing')}</a>`
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const turn = ({ currentTarget }) => matrix.setEnabled(currentTarget.checked)
  return html`<div class="intro">
    <p class="master"><input type="checkbox" role="switch" id="master" checked=${on} onChange=${turn} aria-describedby="master-note" />
      <label for="master">${on ? t('The matrix is on') : t('The matrix is off')}</label></p>
    <p id="master-note" class="quiet">${on ? t('A cell that is on decides alone what its events broadcast.') : t('Every event takes the policy of its family, as if there were no cells.')} ${t('The other side:')} ${other}.</p>
    <${Radio} workspace=${workspace} />
  </div>`
}

/** The radio of this side, how many MT channels are in use, and what the tints mean. @param {{ workspace: Workspace }} given */
function Radio({ workspace }) {
  const { side, radios } = workspace.matrix.data.value
  const radio = radios[side]
  const name = side.toUpperCase()
  const used = mtChannelsOf(workspace.matrix.current.value.values())
  const state =
    radio === null
      ? t('No {network} radio is configured: messages wait.', { network: name })
      : radio.state === 'ready'
        ? t('Radio {id}: ready', { id: radio.id })
        : radio.state === 'preview'
          ? t('Radio {id}: configured; a preview does not connect it', { id: radio.id })
          : t('Radio {id}: not ready ({reason})', { id: radio.id, reason: radio.reason ?? radio.state })
  const channels =
    used.length === 0
      ? t('no MT channel in use')
      : t('MT channels in use: {channels} ({count} of {most})', {
          channels: used.join(', '),
          count: used.length,
          most: MT_CHANNELS_BEFORE_WARNING
        })
  return html`<p class="legend"><span class=${radio?.state === 'ready' || radio?.state === 'preview' ? 'quiet' : 'bad'}>${state}</span> <span class=${used.length > MT_CHANNELS_BEFORE_WARNING ? 'bad' : 'quiet'} id="mt-used">${channels}</span>
    <span class="tints">${t('From:')} ${SEVERITIES.map((severity) => html`<span key=${severity} class=${`tint ${severity}`}><span class=${`severity ${severity}`}>${severityWord(severity)}</span></span>`)}</span></p>`
}

function Keys() {
  const keys = [
    ['↑ ↓ ← →', t('go from cell to cell')],
    ['Enter, F2', t('edit; Enter again when done, Escape to leave it as it was')],
    ['Delete', t('clear the cell')],
    ['Ctrl+C, Ctrl+V', t('copy, paste a cell')],
    ['Ctrl+R, Ctrl+D', t('fill the row, the column with this cell')],
    ['Ctrl+Z, Ctrl+Y', t('undo, redo')],
    ['Ctrl+S', t('save')]
  ]
  return html`<details class="keys"><summary>${t('Keys')}</summary><dl class="facts">${keys.map(([key, what]) => html`<dt key=${key}>${key}</dt><dd>${what}</dd>`)}</dl></details>`
}
