// One cell, drawn from its own signal: an edit draws this cell again and no other.
import { t } from '/static/lib/i18n.js'
import { html, useComputed } from '/static/vendor/ui.js'
import { Editor } from './editor.js'
import { keyOf, sameCell } from './model.js'
import { cellWords, channelWords, marksOf, severityWord, verdictWords } from './words.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */
/** @typedef {import('./state.js').Line} Line */
/** @typedef {ReturnType<typeof lookOf>} Look */

/** MC names the saved matrix uses. @param {Workspace} workspace */
export function savedNames({ matrix }) {
  return new Set([...matrix.saved.value.values()].flatMap(({ mc }) => (mc === null ? [] : [mc])))
}

/**
 * Everything a cell shows, of the signals as they are.
 * @param {Workspace} workspace
 * @param {{ row: Line, column: Line, named: ReadonlySet<string> }} place
 */
export function lookOf({ matrix, verdicts }, { row, column, named }) {
  const key = keyOf(row.key, column.key)
  const cell = matrix.cell(key).value
  const data = matrix.data.value
  const orphan = column.orphan ? t('no such area') : row.orphan ? t('no such family') : null
  const at = { cell, family: row.key, region: column.key, matrixOn: matrix.enabled.value, orphan, named }
  const marks = cell === null ? [] : marksOf(data, { ...at, cell })
  const verdict = verdicts.value?.get(key) ?? null
  const changed = !sameCell(cell, matrix.saved.value.get(key) ?? null)
  const words = [cellWords(data, cell), ...marks.filter((mark) => mark !== t('off') && mark !== t('muted'))]
  if (changed) words.push(t('changed, not saved'))
  if (verdict) words.push([verdictWords(verdict.state)[1], verdict.reason, verdict.change].filter(Boolean).join('; '))
  return { key, cell, data, marks, verdict, changed, orphan, words: words.join(', ') }
}

/** @param {Look} look */
export function lookClasses({ cell, marks, changed, orphan }) {
  const classes = ['cell']
  if (cell === null) classes.push('empty')
  else classes.push('set', cell.min_severity)
  if (cell !== null && !cell.enabled) classes.push('off')
  if (cell?.enabled && marks.length > 0) classes.push('unreachable')
  if (orphan) classes.push('orphan')
  if (changed) classes.push('changed')
  return classes.join(' ')
}

/**
 * Channels, severity, marks and verdict: what stands in a cell and on a card. Hidden from screen readers, which hear the
 * same in the name of the button, in words that make sentences.
 * @param {{ look: Look }} given
 */
export function CellText({ look: { cell, data, marks, verdict, changed } }) {
  return html`<span class="text" aria-hidden="true">
    ${cell === null ? html`<span class="none">–</span>` : html`<${Filled} cell=${cell} data=${data} marks=${marks} />`}
    ${changed && html`<span class="dot">${t('changed')}</span>`}${verdict && html`<${VerdictText} verdict=${verdict} />`}
  </span>`
}

/** @param {{ cell: import('./model.js').Cell, data: import('./state.js').RoutingData, marks: string[] }} given */
function Filled({ cell, data, marks }) {
  const { own, other } = channelWords(data, cell)
  const none = data.side === 'mt' ? t('no MT') : t('no MC')
  return html`${own === null ? html`<span class="none">${none}</span>` : html`<strong>${own}</strong>`}${other && html`<span class="other">${other}</span>`}
    <span class=${`severity ${cell.min_severity}`}>${severityWord(cell.min_severity)}</span>
    ${marks.map((mark) => html`<em key=${mark}>${mark}</em>`)}`
}

/** @param {{ verdict: import('./words.js').Verdict }} given */
function VerdictText({ verdict: { state, reason, change } }) {
  const [icon, word] = verdictWords(state)
  return html`<span class=${`verdict ${state}`} title=${[reason, change].filter(Boolean).join(' ')}>${icon} ${word}</span>`
}

/**
 * A cell of the grid. Only the one in use holds a form.
 * @param {object} given
 * @param {Workspace} given.workspace
 * @param {Line} given.row
 * @param {Line} given.column
 * @param {string} given.id
 * @param {ReadonlySet<string>} given.named
 */
export function Cell({ workspace, row, column, id, named }) {
  const key = keyOf(row.key, column.key)
  const look = lookOf(workspace, { row, column, named })
  const isEntry = useComputed(() => workspace.focus.value === key)
  const editing = useComputed(() =>
    workspace.editing.value?.key === key && !workspace.narrow.value ? workspace.editing.value : null
  )
  const open = () => workspace.open(key)
  const close = () => document.getElementById(id)?.focus()
  return html`<td class=${lookClasses(look)}>
    <button type="button" id=${id} tabindex=${isEntry.value ? 0 : -1}
      aria-haspopup="dialog" aria-expanded=${editing.value !== null} onClick=${open} onFocus=${() => {
        workspace.focus.value = key
      }}>
      <span class="hidden">${`${workspace.placeWords(key)}: ${look.words}`}</span><${CellText} look=${look} />
    </button>
    ${editing.value && html`<${Editor} workspace=${workspace} editing=${editing.value} onClose=${close} />`}
  </td>`
}
