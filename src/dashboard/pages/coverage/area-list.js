// The areas in their order, and the switches of the coverage.
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { areaSection, areaText, coverageSwitches } from '/static/shared/coverage.js'
import { html, useId } from '/static/vendor/ui.js'
import { choose, reveal } from './map-panel.js'
import { partInWords } from './words.js'

/** @typedef {import('./state.js').Editor} Editor */
/** @typedef {import('./preview.js').Preview} Preview */

/** @param {{ editor: Editor, preview: Preview, names: import('/static/vendor/ui.js').Signal<Map<string, string>>, onAdd: () => void }} props */
export function AreaList({ editor, preview, names, onAdd }) {
  const { areas } = editor.draft.value
  const counts = preview.result.value?.areas ?? []
  const items = areas.map(
    (area, index) => html`<${Row} key=${area.key} area=${area} index=${index} last=${index === areas.length - 1}
      events=${counts.length === areas.length ? (counts[index]?.events ?? null) : null} days=${preview.days} editor=${editor} names=${names.value} />`
  )
  const add = html`<p class="buttons"><button type="button" onClick=${onAdd}>${t('Add an area')}</button></p>`
  return areaSection(pen, items, add)
}

/** @param {{ area: import('./state.js').Area, index: number, last: boolean, events: number | null, days: number, editor: Editor, names: Map<string, string> }} props */
function Row({ area, index, last, events, days, editor, names }) {
  const shown = area.name || t('Area without a name')
  const open = editor.chosen.value?.area === area.key
  const parts = area.parts.map((part) => partInWords(part, names))
  const said = events === null ? null : t('Events in {days} days: {count}', { count: events, days })
  const pick = () => {
    choose(editor, area.key)
    reveal(editor, area.key)
  }
  return html`<li class=${open ? 'open' : ''}>
    <div class="order">
      <button type="button" disabled=${index === 0} aria-label=${t('Move {name} up', { name: shown })} onClick=${() => editor.move(area.key, -1)}>↑</button>
      <button type="button" disabled=${last} aria-label=${t('Move {name} down', { name: shown })} onClick=${() => editor.move(area.key, 1)}>↓</button>
    </div>
    <button type="button" class="area-row" id=${`area-${area.key}`} aria-expanded=${open} onClick=${pick}>
      ${areaText(pen, { index, name: area.name, parts, events: said })}
    </button>
    <button type="button" class="danger" aria-label=${t('Delete {name}', { name: shown })} onClick=${() => editor.remove(area.key)}>×</button>
  </li>`
}

/** @param {{ editor: Editor, sources: readonly string[] }} props */
export function Switches({ editor, sources }) {
  const { enabled, region_tagging, excluded_sources } = editor.draft.value
  const all = [...new Set([...sources, ...excluded_sources])].sort()
  /** @param {Partial<import('./state.js').Draft>} patch */
  const put = (patch) => editor.change({ ...editor.draft.value, ...patch })
  /** @param {string} source @param {boolean} on */
  const exclude = (source, on) =>
    put({ excluded_sources: on ? [...excluded_sources, source] : excluded_sources.filter((one) => one !== source) })
  const everywhere =
    all.length === 0
      ? null
      : html`<details><summary>${t('Sources that pass from everywhere')} (${excluded_sources.length})</summary>
      <p class="hint">${t('Sources with a scope of their own: their events skip the coverage, not the tagging.')}</p>
      ${all.map((source) => html`<${Switch} key=${source} label=${source} hint="" on=${excluded_sources.includes(source)} set=${(/** @type {boolean} */ on) => exclude(source, on)} />`)}</details>`
  return coverageSwitches(
    pen,
    { enabled, region_tagging },
    (name, label, hint) =>
      html`<${Switch} label=${label} hint=${hint} on=${editor.draft.value[name]} set=${(/** @type {boolean} */ on) => put({ [name]: on })} />`,
    everywhere
  )
}

/** @param {{ label: string, hint: string, on: boolean, set: (on: boolean) => void }} props */
function Switch({ label, hint, on, set }) {
  const id = useId()
  const change = (/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).checked)
  return html`<div class="switch"><input type="checkbox" id=${id} checked=${on} onChange=${change} aria-describedby=${hint && `${id}-hint`} />
    <label for=${id}>${label}</label>${hint && html`<small id=${`${id}-hint`}>${hint}</small>`}</div>`
}
