// The matrix on a phone: one region or family at a time, with its filled cells, and the form at the lower edge.
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { lookClasses, policyNote } from '/static/shared/matrix.js'
import { SEVERITIES } from '/static/shared/matrix-model.js'
import { html, useId, useSignal } from '/static/vendor/ui.js'
import { CellText, lookOf, savedNames } from './cell.js'
import { Editor } from './editor.js'
import { isLike } from './find.js'
import { severityWord } from './words.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */
/** @typedef {import('/static/shared/matrix.js').Line} Line */
/** @typedef {'region' | 'family'} By */

/** So many are seen at a glance. */
const FEW = 5
/** Names that a search offers at once. */
const MOST_FOUND = 6

/** @param {{ workspace: Workspace }} given */
export function Cards({ workspace }) {
  const by = useSignal(/** @type {By} */ ('region'))
  const at = useSignal(/** @type {Record<By, string>} */ ({ region: '', family: '' }))
  const { matrix, editing } = workspace
  const lines = by.value === 'region' ? matrix.columns.value : matrix.rows.value
  const line = lines.find(({ key }) => key === at.value[by.value]) ?? lines[0]
  /** @param {Line} next */
  const go = (next) => {
    at.value = { ...at.peek(), [by.peek()]: next.key }
    workspace.say(next.label)
  }
  /** @param {By} value @param {string} label */
  const choice = (value, label) =>
    html`<button type="button" aria-pressed=${by.value === value} onClick=${() => {
      by.value = value
    }}>${label}</button>`
  return html`<div class="cards">
    <div class="choices" role="group" aria-label=${t('One card for each')}>${choice('region', t('By region'))}${choice('family', t('By family'))}</div>
    ${lines.length > FEW && html`<${Find} key=${by.value} ...${{ lines, go, by: by.value }} />`}
    ${line && html`<${Switcher} ...${{ lines, line, go, by: by.value }} /><${Card} key=${`${by.value} ${line.key}`} ...${{ workspace, line, by: by.value }} />`}
    ${editing.value && html`<${Editor} workspace=${workspace} editing=${editing.value} onClose=${() => undefined} />`}
  </div>`
}

/**
 * One line at a time: the one before, any, the one after.
 * @param {{ lines: readonly Line[], line: Line, go: (next: Line) => void, by: By }} given
 */
function Switcher({ lines, line, go, by }) {
  const at = lines.indexOf(line)
  /** @param {number} step @param {string} sign @param {string} word */
  const button = (step, sign, word) => {
    const next = lines[(at + step + lines.length) % lines.length] ?? line
    return html`<button type="button" disabled=${lines.length < 2} aria-label=${`${word}: ${next.label}`} onClick=${() => go(next)}>${sign}</button>`
  }
  /** @param {{ currentTarget: HTMLSelectElement }} event */
  const change = ({ currentTarget: { value } }) => {
    const chosen = lines.find(({ key }) => key === value)
    if (chosen) go(chosen)
  }
  return html`<div class="switcher">${button(-1, '‹', t('Before'))}
    <select aria-label=${by === 'region' ? t('Region') : t('Family')} onChange=${change}>${lines.map(({ key, label }) => html`<option key=${key} value=${key} selected=${key === line.key}>${label}</option>`)}</select>
    ${button(1, '›', t('Next one'))}</div>`
}

/** @param {{ lines: readonly Line[], go: (next: Line) => void, by: By }} given */
function Find({ lines, go, by }) {
  const typed = useSignal('')
  const id = useId()
  const found = typed.value.trim() === '' ? [] : lines.filter(({ label }) => isLike(label, typed.value))
  /** @param {Line | undefined} next */
  const take = (next) => {
    if (next === undefined) return
    typed.value = ''
    go(next)
  }
  const none = typed.value.trim() !== '' && found.length === 0
  return html`<form class="find" role="search" onSubmit=${(/** @type {SubmitEvent} */ event) => {
    event.preventDefault()
    take(found[0])
  }}><label for=${id}>${by === 'region' ? t('Find a region') : t('Find a family')}</label>
    <input id=${id} type="search" autocomplete="off" value=${typed.value} onInput=${(
      /** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }
    ) => {
      typed.value = currentTarget.value
    }} />
    <ul role="list">${found.slice(0, MOST_FOUND).map((line) => html`<li key=${line.key}><button type="button" onClick=${() => take(line)}>${line.label}</button></li>`)}</ul>
    <p class="quiet" role="status">${none && t('No name is like that.')}</p></form>`
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
    <div class="head"><div class="title"><h2 class=${line.orphan ? '' : 'hidden'}>${label}${line.orphan && html` <small>${why}</small>`}</h2>${by === 'family' && policyNote(pen, matrix.data.value, { family: line.key, linked: true })}<${Summary} looks=${looks.map(({ look }) => look)} /></div>
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
  return html`<li class=${lookClasses(look)}><button type="button" onClick=${() => workspace.touch(look.key)} aria-haspopup="dialog" aria-pressed=${workspace.picked.tapping.value ? workspace.picked.keys.value.has(look.key) : undefined}><span class="hidden">${`${workspace.placeWords(look.key)}: ${look.words}`}</span><span class="place" aria-hidden="true">${label}</span><${CellText} look=${look} /></button></li>`
}
