// One cell, drawn from its own signal: an edit draws this cell again and no other.
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { cellText, lookClasses, namesIn, lookOf as saidLook } from '/static/shared/matrix.js'
import { keyOf, sameCell } from '/static/shared/matrix-model.js'
import { html, useComputed } from '/static/vendor/ui.js'
import { Editor } from './editor.js'
import { weekWords } from './week.js'
import { cellWords, verdictWords } from './words.js'

/** @typedef {import('./workspace.js').Workspace} Workspace */
/** @typedef {import('/static/shared/matrix.js').Line} Line */
/** @typedef {ReturnType<typeof lookOf>} Look */

/** MC names the saved matrix uses. @param {Workspace} workspace */
export function savedNames({ matrix }) {
  return namesIn(matrix.saved.value.values())
}

/**
 * Everything a cell shows, of the signals as they are.
 * @param {Workspace} workspace
 * @param {{ row: Line, column: Line, named: ReadonlySet<string> }} place
 */
export function lookOf({ matrix, verdicts, view, week }, { row, column, named }) {
  const key = keyOf(row.key, column.key)
  const cell = matrix.cell(key).value
  const data = matrix.data.value
  const look = saidLook(t, data, { cell, row, column, switches: matrix.switches.value, named })
  const verdict = verdicts.value?.get(key) ?? null
  const changed = !sameCell(cell, matrix.saved.value.get(key) ?? null)
  const words = [cellWords(data, cell), ...look.marks.filter((mark) => mark !== t('off') && mark !== t('muted'))]
  const overlay = view.overlay.value
  const days = overlay === 'week' ? week.of(key) : null
  if (days) words.push(t('in 7 days: {words}', { words: weekWords(days).join(', ') }))
  if (changed) words.push(t('changed, not saved'))
  if (verdict) words.push([verdictWords(verdict.state)[1], verdict.reason, verdict.change].filter(Boolean).join('; '))
  return { ...look, key, data, verdict, changed, overlay, days, words: words.join(', ') }
}

/**
 * The text of the cell, whether it is changed, and a verdict. Hidden from screen readers, which hear the same in the name of
 * the button, in words that make sentences.
 * @param {{ look: Look }} given
 */
export function CellText({ look }) {
  const { data, verdict, changed, overlay, days } = look
  return html`<span class="text" aria-hidden="true">
    ${overlay === 'week' ? html`<${WeekText} days=${days} />` : cellText(pen, data, look)}
    ${changed && html`<span class="dot">${t('changed')}</span>`}${verdict && html`<${VerdictText} verdict=${verdict} />`}
  </span>`
}

/** Much is long, so that the eye finds it. @param {{ days: import('./week.js').CellWeek | null }} given */
function WeekText({ days }) {
  if (days === null) return html`<span class="none">…</span>`
  const [first, ...others] = weekWords(days)
  const total = days.messages + days.simulated
  if (total === 0) return html`<span class="none">–</span>`
  return html`<strong>${first}</strong>${others.map((words) => html`<span class="other" key=${words}>${words}</span>`)}<span class="amount" style=${{ width: `${Math.min(100, 12 * Math.log2(1 + total))}%` }}></span>`
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
 * @param {string} given.place where it stands still
 */
export function Cell({ workspace, row, column, id, named, place }) {
  const key = keyOf(row.key, column.key)
  const look = lookOf(workspace, { row, column, named })
  const isEntry = useComputed(() => workspace.focus.value === key)
  const editing = useComputed(() =>
    workspace.editing.value?.key === key && !workspace.narrow.value ? workspace.editing.value : null
  )
  const isPicked = useComputed(() => workspace.picked.keys.value.has(key))
  /** @param {MouseEvent} event */
  const open = (event) => workspace.touch(key, { shift: event.shiftKey, command: event.ctrlKey || event.metaKey })
  // A click gives the focus first: what is picked begins where the focus was.
  /** @param {MouseEvent} event */
  const down = (event) => {
    if (event.shiftKey) event.preventDefault()
  }
  const close = () => document.getElementById(id)?.focus()
  return html`<td class=${`${lookClasses(look)} ${place}`} aria-selected=${isPicked.value}>
    <button type="button" id=${id} onMouseDown=${down} tabindex=${isEntry.value ? 0 : -1}
      aria-haspopup="dialog" aria-expanded=${editing.value !== null} onClick=${open} onFocus=${() => {
        workspace.focus.value = key
      }}>
      <span class="hidden">${`${workspace.placeWords(key)}: ${look.words}`}</span><${CellText} look=${look} />
    </button>
    ${editing.value && html`<${Editor} workspace=${workspace} editing=${editing.value} onClose=${close} />`}
  </td>`
}
