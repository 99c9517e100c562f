// The form of the one cell in use: it lies over the grid beside its cell, and at the lower edge of a phone.
import { Dialog } from '/static/lib/dialog.js'
import { t } from '/static/lib/i18n.js'
import {
  emptyCell,
  filled,
  MC_MAX_BYTES,
  MT_CHANNELS,
  modeOf,
  readMcName,
  SEVERITIES,
  withMode
} from '/static/shared/matrix-model.js'
import { mtName } from '/static/shared/matrix-words.js'
import { html, useEffect, useId, useLayoutEffect, useRef, useSignal } from '/static/vendor/ui.js'
import { severityWord } from './words.js'

/** @typedef {import('/static/shared/matrix-model.js').Cell} Cell */
/** @typedef {import('./workspace.js').Workspace} Workspace */
/** @typedef {{ workspace: Workspace, id: string, cell: Cell, set: (patch: Partial<Cell>) => void }} FieldProps */

const MARGIN = 8

/**
 * @param {object} given
 * @param {Workspace} given.workspace
 * @param {import('./workspace.js').Editing} given.editing
 * @param {() => void} given.onClose gives the focus back
 */
export function Editor({ workspace, editing, onClose }) {
  const { matrix } = workspace
  const { key, choose } = editing
  const id = useId()
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null))
  /** As it is typed: without a channel it is not in the matrix, yet nothing typed is forgotten. */
  const draft = useSignal(matrix.cell(key).peek() ?? emptyCell())
  const modal = workspace.narrow.value
  useDialog(ref, modal, { isOver: () => workspace.editing.peek() === null, onClose })
  useOutside(ref, workspace)

  /** @param {Cell} next */
  const put = (next) => {
    draft.value = next
    matrix.put(key, filled(next))
  }
  /** @param {Partial<Cell>} patch */
  const set = (patch) => put({ ...draft.peek(), ...patch })
  /** Brings what an order changed back into the form. @param {() => void} order */
  const after = (order) => () => {
    order()
    draft.value = matrix.cell(key).peek() ?? emptyCell()
  }
  // A modal one gives the focus back by itself, and only when it is closed may anything else take it.
  const close = () => {
    const wrong = ref.current?.querySelector('[aria-invalid=true]')
    if (wrong instanceof HTMLElement) return wrong.focus()
    workspace.finish()
    ref.current?.close()
    onClose()
  }
  const cancel = () => {
    workspace.cancel()
    ref.current?.close()
    onClose()
  }
  /** @param {KeyboardEvent} event */
  const keydown = (event) => {
    if (event.key === 'Escape') cancel()
    else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  /** @param {Event} event */
  const backdrop = (event) => {
    if (modal && event.target === ref.current) close()
  }
  const field = { workspace, id, cell: draft.value, set }
  const isMc = matrix.data.value.side === 'mc'
  return html`<${Dialog} of=${ref} kind=${modal ? 'editor below' : 'editor'} modal=${modal} title=${workspace.placeWords(key)} onKeyDown=${keydown} onCancel=${cancel} onClick=${backdrop}>
    <form method="dialog" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault()
      close()
    }} autocomplete="off">
      ${choose !== null && html`<${Place} ...${{ workspace, id, choose, editing }} />`}
      ${isMc ? html`<${Mc} ...${field} /><${MtShown} ...${field} />` : html`<${Mt} ...${field} /><${Mc} ...${field} />`}
      <${Severity} ...${field} />
      <${Mode} id=${id} cell=${draft.value} put=${put} />
      <${Fallback} cell=${draft.value} />
      <p class="orders">
        <button type="button" onClick=${() => workspace.fillFrom(key, 'row')}>${t('Fill row')}</button>
        <button type="button" onClick=${() => workspace.fillFrom(key, 'column')}>${t('Fill column')}</button>
        <button type="button" onClick=${() => workspace.copy(key)}>${t('Copy')}</button>
        <button type="button" onClick=${after(() => workspace.paste(key))} disabled=${workspace.copied.value === null}>${t('Paste')}</button>
        <button type="button" onClick=${after(() => workspace.empty(key))}>${t('Clear')}</button>
      </p>
      <p class="orders end">
        <button type="button" onClick=${cancel}>${t('Cancel')}</button>
        <button type="submit" class="primary">${t('Done')}</button>
      </p>
    </form>
  <//>`
}

/** @param {{ workspace: Workspace, id: string, choose: string[], editing: import('./workspace.js').Editing }} given */
function Place({ workspace, id, choose, editing }) {
  const choices = choose.map(
    (key) => html`<option key=${key} value=${key} selected=${key === editing.key}>${workspace.placeWords(key)}</option>`
  )
  return html`<p class="field"><label for=${`${id}-place`}>${t('Cell')}</label>
    <select id=${`${id}-place`} onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => workspace.move(currentTarget.value)}>${choices}</select></p>`
}

/** Disabled channels may be chosen, and say so (contract §4). @param {FieldProps} given */
function Mt({ workspace, id, cell, set }) {
  const data = workspace.matrix.data.value
  const known = new Map((data.radios.mt?.channels ?? []).map((channel) => [channel.id, channel]))
  const ready = data.radios.mt?.state === 'ready'
  const options = MT_CHANNELS.map((index) => {
    const name = mtName(data, index)
    const channel = known.get(index)
    let label = name
    if (ready && channel === undefined) label = t('{channel} (not on the radio)', { channel: name })
    else if (ready && channel?.enabled === false) label = t('{channel} (disabled on the radio)', { channel: name })
    return html`<option key=${index} value=${String(index)} selected=${cell.mt === index}>${label}</option>`
  })
  /** @param {{ currentTarget: HTMLSelectElement }} event */
  const change = ({ currentTarget: { value } }) => set({ mt: value === '' ? null : Number(value) })
  return html`<p class="field"><label for=${`${id}-mt`}>${t('Meshtastic channel')}</label>
    <select id=${`${id}-mt`} onChange=${change}><option value="" selected=${cell.mt === null}>${t('none')}</option>${options}</select></p>`
}

/** @param {FieldProps} given */
function MtShown({ workspace, cell }) {
  const words = cell.mt === null ? t('none') : mtName(workspace.matrix.data.value, cell.mt)
  return html`<p class="field quiet"><span>${t('Meshtastic channel')}</span><span>${words} <small>(<a href="/mesh-a/routing">${t('edited at Meshtastic routing')}</a>)</small></span></p>`
}

/** Any name, with those the radio has as suggestions. @param {FieldProps} given */
function Mc({ workspace, id, cell, set }) {
  const typed = useSignal(cell.mc ?? '')
  /** The names from before the typing, and those that typing has put there. */
  const names = useRef({ before: cell.mc, put: cell.mc })
  const { matrix } = workspace
  // Paste and clear change it from outside.
  if (cell.mc !== names.current.put) {
    names.current = { before: cell.mc, put: cell.mc }
    typed.value = cell.mc ?? ''
  }
  const shown = readMcName(typed.value)
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const input = ({ currentTarget: { value } }) => {
    typed.value = value
    const read = readMcName(value)
    // Of a name that is too long nothing is taken, not even its beginning: that would be another channel.
    names.current.put = read.tooLong ? names.current.before : read.name
    set({ mc: names.current.put })
  }
  const known = new Set((matrix.data.value.radios.mc?.channels ?? []).map(({ id }) => String(id)))
  for (const { mc } of matrix.saved.value.values()) if (mc !== null) known.add(mc)
  const problem = shown.tooLong
    ? t('At most {most} bytes; this has {bytes}. It is not taken.', { most: MC_MAX_BYTES, bytes: shown.bytes })
    : ''
  return html`<p class="field"><label for=${`${id}-mc`}>${t('MeshCore channel')}</label>
    <input id=${`${id}-mc`} type="text" list=${`${id}-names`} value=${typed.value} onInput=${input} placeholder=${t('none')}
      autocapitalize="none" spellcheck=${false} aria-invalid=${shown.tooLong} aria-describedby=${`${id}-mc-problem`} />
    <datalist id=${`${id}-names`}>${[...known].map((name) => html`<option key=${name} value=${name} />`)}</datalist></p>
    <p class="bad problem" id=${`${id}-mc-problem`} role="status">${problem}</p>`
}

/** @param {FieldProps} given */
function Severity({ id, cell, set }) {
  const options = SEVERITIES.map((severity) => {
    const label =
      severity === 'routine'
        ? t('routine and up (all)')
        : severity === 'immediate'
          ? t('immediate only')
          : t('{severity} and up', { severity: severityWord(severity) })
    return html`<option key=${severity} value=${severity} selected=${cell.min_severity === severity}>${label}</option>`
  })
  /** @param {{ currentTarget: HTMLSelectElement }} event */
  const change = ({ currentTarget: { value } }) => {
    const chosen = SEVERITIES.find((severity) => severity === value)
    if (chosen) set({ min_severity: chosen })
  }
  return html`<p class="field"><label for=${`${id}-severity`}>${t('Severity')}</label>
    <select id=${`${id}-severity`} onChange=${change}>${options}</select></p>`
}

/** On, off or muted (contract §4 rules 2 and 12). @param {{ id: string, cell: Cell, put: (next: Cell) => void }} given */
function Mode({ id, cell, put }) {
  const now = modeOf(cell)
  /** @type {[import('/static/shared/matrix-model.js').Mode, string][]} */
  const modes = [
    ['on', t('On')],
    ['off', t('Off: policy and rules decide')],
    ['muted', t('Muted: nothing is told here')]
  ]
  /** @param {{ currentTarget: HTMLSelectElement }} event */
  const change = ({ currentTarget: { value } }) => {
    const chosen = modes.find(([mode]) => mode === value)
    if (chosen) put(withMode(cell, chosen[0]))
  }
  return html`<p class="field"><label for=${`${id}-on`}>${t('State')}</label>
    <select id=${`${id}-on`} onChange=${change}>${modes.map(([mode, label]) => html`<option key=${mode} value=${mode} selected=${mode === now}>${label}</option>`)}</select></p>`
}

/** Kept, not edited here. @param {{ cell: Cell }} given */
function Fallback({ cell }) {
  if (!cell.fallback) return null
  return html`<p class="quiet">${cell.fallback === 'mc_first' ? t('Meshtastic only stands in when MeshCore fails (fallback).') : t('MeshCore only stands in when Meshtastic fails (fallback).')}</p>`
}

/** @param {{ current: HTMLDialogElement | null }} ref @param {boolean} modal @param {{ isOver: () => boolean, onClose: () => void }} end */
function useDialog(ref, modal, { isOver, onClose }) {
  useLayoutEffect(() => {
    const dialog = ref.current
    // Whatever ended it from outside (undo, save): the focus does not vanish with it.
    return () => {
      // Going on in the other layout is no end.
      if (!isOver() || !dialog?.contains(document.activeElement)) return
      dialog.close()
      onClose()
    }
  }, [])
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return
    const first = dialog.querySelector('select, input')
    if (first instanceof HTMLElement) first.focus({ preventScroll: true })
    if (modal) return
    const place = () => putBeside(dialog)
    place()
    addEventListener('resize', place)
    addEventListener('scroll', place, true)
    return () => {
      removeEventListener('resize', place)
      removeEventListener('scroll', place, true)
    }
  }, [modal])
}

/** Below its cell, or above where there is no room; always within the window. @param {HTMLDialogElement} dialog */
function putBeside(dialog) {
  const cell = dialog.parentElement?.getBoundingClientRect()
  if (!cell) return
  const { width, height } = dialog.getBoundingClientRect()
  const left = Math.max(MARGIN, Math.min(cell.left, document.documentElement.clientWidth - width - MARGIN))
  const under = cell.bottom + height + MARGIN <= innerHeight ? cell.bottom : cell.top - height
  const top = Math.max(MARGIN, Math.min(under, innerHeight - height - MARGIN))
  Object.assign(dialog.style, { left: `${left}px`, top: `${top}px` })
}

/** Going elsewhere is being done. @param {{ current: HTMLDialogElement | null }} ref @param {Workspace} workspace */
function useOutside(ref, workspace) {
  useEffect(() => {
    /** @param {Event} event */
    const outside = ({ target }) => {
      if (target instanceof Node && ref.current?.isConnected && !ref.current.contains(target)) workspace.finish()
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
    }
  }, [])
}
