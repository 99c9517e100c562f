// /coverage: a map, and an editor of the list that the server has drawn.

import '/static/lib/shell.js'
import { pageData } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { html, render, signal, useEffect } from '/static/vendor/ui.js'
import { AreaList, Switches } from './area-list.js'
import { AreaSheet } from './area-sheet.js'
import { Findings } from './findings.js'
import { MapPanel } from './map-panel.js'
import { createPreview } from './preview.js'
import { createSaving, SaveBar } from './save.js'
import { createEditor } from './state.js'

/** @type {{ coverage: import('./state.js').Coverage, revision: string, uses: Record<string, string[]>, names: Record<string, string>, sources: string[], demo: any[] | null, stale: boolean }} */
const data = pageData()
const editor = createEditor(data.coverage, data.revision)
const preview = createPreview(editor)
const names = signal(new Map(Object.entries(data.names)))
/** @type {import('/static/vendor/ui.js').Signal<{ message: string }[]>} */
const afterSaving = signal([])
const saving = createSaving(editor, {
  uses: data.uses,
  onSaved: (warnings) => {
    afterSaving.value = warnings.filter(({ code }) => code === 'silence_keeps_name')
  }
})

function addArea() {
  const { key } = editor.newArea([])
  editor.chosen.value = { area: key, part: null }
}

/** The focus goes back to where the sheet was opened from. */
function close() {
  const key = editor.chosen.peek()?.area
  editor.drawing.value = null
  editor.chosen.value = null
  document.getElementById(`area-${key}`)?.focus()
}

/** @param {KeyboardEvent} event */
function keys(event) {
  if (event.key === 'Escape' && editor.drawing.peek() !== null) editor.drawing.value = null
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
  if (typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
  event.preventDefault()
  if (event.shiftKey) editor.redo()
  else editor.undo()
}

/** @param {BeforeUnloadEvent} event */
function leave(event) {
  if (editor.dirty.peek()) event.preventDefault()
}

function App() {
  useEffect(() => {
    const ends = [preview.start(), saving.follow()]
    addEventListener('keydown', keys)
    addEventListener('beforeunload', leave)
    return () => {
      for (const end of ends) end()
    }
  }, [])
  return html`<${MapPanel} editor=${editor} preview=${preview} names=${names} demo=${data.demo} />
    <div class="coverage-side">
      ${data.demo !== null && html`<p class="hint">${t('The demo brings its own areas, dashed on the map. What you save here takes their place.')}</p>`}
      ${data.stale && html`<p class="warning">${t('The file config.json is not valid: nothing can be saved before it is repaired.')}</p>`}
      <${SaveBar} saving=${saving} editor=${editor} />
      ${afterSaving.value.map(({ message }) => html`<p class="warning" key=${message}>${message}</p>`)}
      <${AreaList} editor=${editor} preview=${preview} names=${names} onAdd=${addArea} />
      <${Switches} editor=${editor} sources=${data.sources} />
      <${Findings} preview=${preview} editor=${editor} />
    </div>
    <${AreaSheet} editor=${editor} names=${names} onClose=${close} />`
}

const place = document.getElementById('editor')
if (place !== null) render(html`<div class="live-editor"><${App} /></div>`, place)
