// Saving the areas: what was refused and why, who else was faster, and names that are used elsewhere.
import { ApiError, get, send } from '/static/lib/api.js'
import { useKeptFocus } from '/static/lib/focus.js'
import { t } from '/static/lib/i18n.js'
import { onLive } from '/static/lib/live.js'
import { toast } from '/static/shared/parts.js'
import { computed, html, signal } from '/static/vendor/ui.js'
import { isComplete, renamesOf, wire } from './state.js'

/** @typedef {import('./state.js').Editor} Editor */
/** @typedef {import('./state.js').Coverage} Coverage */
/** @typedef {ReturnType<typeof createSaving>} Saving */
/** @typedef {{ document: Coverage, revision: string }} Theirs */

/**
 * @param {Editor} editor
 * @param {{ uses: Record<string, string[]>, onSaved: (warnings: { code: string, message: string, path: string }[]) => void }} options
 */
export function createSaving(editor, { uses: first, onSaved }) {
  const uses = signal(first)
  /** @type {import('/static/vendor/ui.js').Signal<'idle' | 'saving' | 'saved'>} */
  const state = signal('idle')
  /** @type {import('/static/vendor/ui.js').Signal<import('/static/lib/api.js').Problem | null>} */
  const problem = signal(null)
  /** The document that somebody else saved meanwhile. @type {import('/static/vendor/ui.js').Signal<Theirs | null>} */
  const conflict = signal(null)
  /** Old names that are not to be renamed elsewhere. @type {import('/static/vendor/ui.js').Signal<Set<string>>} */
  const kept = signal(new Set())
  const renames = computed(() => renamesOf(editor.base.value.draft, editor.draft.value, uses.value))

  /** @param {unknown} error */
  const failed = async (error) => {
    state.value = 'idle'
    if (!(error instanceof ApiError)) throw error
    if (error.status === 412) conflict.value = await fetchTheirs()
    else problem.value = error.problem
  }
  const save = async (/** @type {string | null} */ revision = editor.base.peek().revision) => {
    if (state.peek() === 'saving' || !isComplete(editor.draft.peek())) return
    state.value = 'saving'
    problem.value = null
    const rename = Object.fromEntries(
      renames
        .peek()
        .filter(({ from }) => !kept.peek().has(from))
        .map(({ from, to }) => [from, to])
    )
    try {
      const { body } = await send(
        '/api/coverage',
        { ...wire(editor.draft.peek()), ...(Object.keys(rename).length > 0 ? { rename } : {}) },
        { revision }
      )
      uses.value = renamed(uses.peek(), rename)
      editor.saved(body.revision)
      conflict.value = null
      state.value = 'saved'
      onSaved(body.warnings)
    } catch (error) {
      await failed(error).catch((other) => {
        problem.value = { status: 0, title: '', detail: String(other?.message ?? other) }
      })
    }
  }
  /** An edit elsewhere is taken over when nothing is edited here, and told when something is. */
  const follow = () =>
    onLive(['config', 'reset'], () => {
      if (state.peek() === 'saving') return
      fetchTheirs().then(
        (theirs) => {
          if (theirs.revision === editor.base.peek().revision) return
          if (editor.dirty.peek()) conflict.value = theirs
          else editor.load(theirs.document, theirs.revision)
        },
        () => undefined
      )
    })
  return {
    state,
    problem,
    conflict,
    renames,
    kept,
    save,
    follow,
    discard: () => {
      const { document, revision } = conflict.peek() ?? {
        document: wire(editor.base.peek().draft),
        revision: editor.base.peek().revision
      }
      conflict.value = null
      problem.value = null
      editor.load(document, revision)
    },
    /** Puts what is edited here over what they saved. */
    overwrite: async () => {
      const theirs = conflict.peek()
      if (theirs === null) return
      conflict.value = null
      await save(theirs.revision)
    }
  }
}

/** @returns {Promise<Theirs>} */
async function fetchTheirs() {
  const { body, revision } = await get('/api/coverage')
  return { document: body, revision: revision ?? '' }
}

/** @param {Record<string, string[]>} uses @param {Record<string, string>} rename */
function renamed(uses, rename) {
  return Object.fromEntries(Object.entries(uses).map(([name, places]) => [rename[name] ?? name, places]))
}

/** @param {{ saving: Saving, editor: Editor }} props */
export function SaveBar({ saving, editor }) {
  const { state, problem, conflict } = saving
  const dirty = editor.dirty.value
  const complete = isComplete(editor.draft.value)
  const busy = state.value === 'saving'
  useKeptFocus(dirty || busy)
  return html`<div class="save-bar">
    <div role="alert">${problem.value !== null && html`<${Refusal} problem=${problem.value} />`}
      ${conflict.value !== null && html`<${Conflict} saving=${saving} editor=${editor} theirs=${conflict.value} />`}</div>
    <${Renames} saving=${saving} />
    <p class="buttons">
      ${
        (dirty || busy) &&
        html`<button type="button" class="primary" disabled=${busy || !complete || conflict.value !== null} onClick=${() => void saving.save()}>${t('Save')}</button>
      <button type="button" disabled=${busy} onClick=${saving.discard}>${t('Discard')}</button>`
      }
      ${editor.canUndo.value && html`<button type="button" onClick=${editor.undo}>${t('Undo')}</button>`}
      ${editor.canRedo.value && html`<button type="button" onClick=${editor.redo}>${t('Redo')}</button>`}
      <span role="status">${stateText(state.value, dirty, complete)}</span></p>
    ${toast({ html }, state.value === 'saved' && !dirty ? t('Saved.') : '', 'good')}</div>`
}

/** @param {string} state @param {boolean} dirty @param {boolean} complete */
function stateText(state, dirty, complete) {
  if (state === 'saving') return t('Saving …')
  if (!complete) return t('An area has no shape yet.')
  return dirty ? t('Not saved yet.') : ''
}

/** @param {{ problem: import('/static/lib/api.js').Problem }} props */
function Refusal({ problem }) {
  const signIn = problem.status === 401 || problem.status === 403
  return html`<div class="warning"><p>${problem.detail} ${
    signIn && html`<a href=${`/sign-in?back=${encodeURIComponent(location.pathname)}`}>${t('Sign in')}</a>`
  }</p>${
    (problem.errors?.length ?? 0) > 1 &&
    html`<ul>${problem.errors?.map(({ path, message }) => html`<li key=${path}><code>${path}</code>: ${message}</li>`)}</ul>`
  }</div>`
}

/** @param {{ saving: Saving, editor: Editor, theirs: Theirs }} props */
function Conflict({ saving, editor, theirs }) {
  const lines = differences(wire(editor.base.value.draft), theirs.document)
  return html`<div class="warning"><p>${t('Somebody else saved the coverage in the meantime:')}</p>
    <ul>${lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul>
    <p class="buttons"><button type="button" onClick=${saving.discard}>${t('Take theirs, drop mine')}</button>
    <button type="button" onClick=${() => void saving.overwrite()}>${t('Save mine over theirs')}</button></p></div>`
}

/** Their changes, in words. @param {Coverage} before @param {Coverage} after */
function differences(before, after) {
  const label = (/** @type {Coverage['areas'][number]} */ { name }) => name ?? t('Area without a name')
  const spelt = (/** @type {unknown} */ value) => JSON.stringify(value)
  const [old, fresh] = [
    new Map(before.areas.map((area) => [label(area), spelt(area)])),
    new Map(after.areas.map((area) => [label(area), spelt(area)]))
  ]
  const lines = [
    ...[...fresh.keys()].filter((name) => !old.has(name)).map((name) => t('new area: {name}', { name })),
    ...[...old.keys()].filter((name) => !fresh.has(name)).map((name) => t('area taken out: {name}', { name })),
    ...[...fresh]
      .filter(([name, text]) => old.has(name) && old.get(name) !== text)
      .map(([name]) => t('area changed: {name}', { name }))
  ]
  return lines.length > 0 ? lines : [t('its order or its switches')]
}

/** @param {{ saving: Saving }} props */
function Renames({ saving }) {
  const { renames, kept } = saving
  if (renames.value.length === 0) return null
  const toggle = (/** @type {string} */ from, /** @type {boolean} */ on) => {
    const next = new Set(kept.value)
    if (on) next.delete(from)
    else next.add(from)
    kept.value = next
  }
  return html`<fieldset class="renames"><legend>${t('Names that are used elsewhere')}</legend>
    ${renames.value.map(
      ({
        from,
        to,
        places
      }) => html`<div class="switch" key=${from}><input type="checkbox" id=${`rename-${from}`} checked=${!kept.value.has(from)}
        onChange=${(/** @type {Event} */ event) => toggle(from, /** @type {HTMLInputElement} */ (event.target).checked)} />
        <label for=${`rename-${from}`}>${t('Rename "{from}" to "{to}" there too', { from, to })}</label><small>${places.join(', ')}</small></div>`
    )}
    <p class="hint">${t('Otherwise those keep the old name and match nothing. Silences in force always keep the name they were given.')}</p></fieldset>`
}
