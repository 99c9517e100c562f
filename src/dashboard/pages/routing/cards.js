// The matrix on a phone: one column, a card for each region or family with its filled cells, the form at the lower edge.
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { lookClasses, policyNote } from '/static/shared/matrix.js'
import { SEVERITIES } from '/static/shared/matrix-model.js'
import { html, useSignal } from '/static/vendor/ui.js'
import { CellText, lookOf, savedNames } from './cell.js'
import { Editor } from './editor.js'
import { severityWord } from './words.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */
/** @typedef {import('/static/shared/matrix.js').Line} Line */
/** @typedef {'region' | 'family'} By */

/** @param {{ workspace: Workspace }} given */
export function Cards({ workspace }) {
  const by = useSignal(/** @type {By} */ ('region'))
  const { matrix, editing } = workspace
  const lines = by.value === 'region' ? matrix.columns.value : matrix.rows.value
  /** @param {By} value @param {string} label */
  const choice = (value, label) =>
    html`<button type="button" aria-pressed=${by.value === value} onClick=${() => {
      by.value = value
    }}>${label}</button>`
  return html`<div class="cards">
    <div class="choices" role="group" aria-label=${t('One card for each')}>${choice('region', t('By region'))}${choice('family', t('By family'))}</div>
    ${lines.map((line) => html`<${Card} key=${`${by.value} ${line.key}`} ...${{ workspace, line, by: by.value }} />`)}
    ${editing.value && html`<${Editor} workspace=${workspace} editing=${editing.value} onClose=${() => undefined} />`}
  </div>`
}

/** @param {{ workspace: Workspace, line: Line, by: By }} given */
function Card({ workspace, line, by }) {
  const { matrix } = workspace
  const named = savedNames(workspace)
  const others = by === 'region' ? matrix.rows.value : matrix.columns.value
  const looks = others.map((other) => {
    const place = by === 'region' ? { row: other, column: line } : { row: line, column: other }
    return { other, look: lookOf(workspace, { ...place, named }) }
  })
  const shown = looks.filter(({ look }) => look.cell !== null || look.changed || look.verdict)
  const free = line.orphan ? [] : looks.filter(({ other, look }) => look.cell === null && !other.orphan)
  const add = () =>
    workspace.open(
      free[0]?.look.key ?? '',
      free.map(({ look }) => look.key)
    )
  const { label } = line
  const why = by === 'region' ? t('no such area') : t('no such family')
  return html`<section class=${line.orphan ? 'card orphan' : 'card'} aria-label=${label}>
    <div class="head"><div class="title"><h2>${label}${line.orphan && html` <small>${why}</small>`}</h2>${by === 'family' && policyNote(pen, matrix.data.value, { family: line.key, linked: true })}<${Summary} looks=${looks.map(({ look }) => look)} /></div>
      ${free.length > 0 && html`<button type="button" class="add" onClick=${add} aria-label=${t('Add a cell: {place}', { place: label })}>${t('Add')}</button>`}</div>
    ${shown.length > 0 && html`<ul>${shown.map(({ other, look }) => html`<${Item} key=${look.key} ...${{ workspace, look }} label=${other.label} />`)}</ul>`}
  </section>`
}

/** The number of cells, and the lowest severity any of them lets through. @param {{ looks: import('./cell.js').Look[] }} given */
function Summary({ looks }) {
  const cells = looks.flatMap(({ cell }) => (cell === null ? [] : [cell]))
  const lowest = SEVERITIES.find((severity) =>
    cells.some(({ min_severity, enabled }) => enabled && min_severity === severity)
  )
  if (cells.length === 0) return html`<p class="quiet">${t('empty')}</p>`
  return html`<p>${cells.length === 1 ? t('1 cell') : t('{count} cells', { count: cells.length })}${lowest && html`, <span class=${`severity ${lowest}`}>${t('from {severity}', { severity: severityWord(lowest) })}</span>`}</p>`
}

/** @param {{ workspace: Workspace, look: import('./cell.js').Look, label: string }} given */
function Item({ workspace, look, label }) {
  return html`<li class=${lookClasses(look)}><button type="button" onClick=${() => workspace.open(look.key)} aria-haspopup="dialog"><span class="hidden">${`${workspace.placeWords(look.key)}: ${look.words}`}</span><span class="place" aria-hidden="true">${label}</span><${CellText} look=${look} /></button></li>`
}
