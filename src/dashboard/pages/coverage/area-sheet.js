// One area: its name, its parts, and the tools to draw more. On a phone it is a sheet over the lower half.
import { t } from '/static/lib/i18n.js'
import { normalLon } from '/static/map/mercator.js'
import { html, useEffect, useId, useRef } from '/static/vendor/ui.js'
import { finish } from './map-panel.js'
import { PartForm } from './part-forms.js'
import { NEEDED, rounded } from './shapes.js'
import { kindOf, partInWords } from './words.js'

/** @typedef {import('./state.js').Editor} Editor */
/** @typedef {import('./state.js').Area} Area */
/** @typedef {import('./shapes.js').Tool} Tool */
/** @typedef {import('/static/vendor/ui.js').Signal<Map<string, string>>} Names */

/** @param {{ editor: Editor, names: Names, onClose: () => void }} props */
export function AreaSheet({ editor, names, onClose }) {
  const area = editor.area.value
  if (area === null) return null
  return html`<${Sheet} key=${area.key} area=${area} editor=${editor} names=${names} onClose=${onClose} />`
}

/** @param {{ area: Area, editor: Editor, names: Names, onClose: () => void }} props */
function Sheet({ area, editor, names, onClose }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null))
  const id = useId()
  useEffect(() => {
    // Chosen on the map the focus stays there, and with whoever was quicker and writes in the sheet already; from the list it comes here.
    if (!document.activeElement?.closest('.map, .area-sheet')) heading.current?.focus({ preventScroll: true })
    // On a phone the sheet covers the lower half: the map goes to the upper one.
    if (matchMedia('(max-width: 59.99rem)').matches)
      document.querySelector('.coverage-map')?.scrollIntoView({ block: 'start' })
  }, [])
  return html`<section class="area-sheet" aria-labelledby=${`${id}-title`}>
    <div class="sheet-head"><h2 id=${`${id}-title`} tabindex="-1" ref=${heading}>${area.name || t('Area without a name')}</h2>
      <button type="button" disabled=${!editor.canUndo.value} onClick=${editor.undo}>${t('Undo')}</button>
      <button type="button" onClick=${onClose}>${t('Close')}</button></div>
    ${editor.drawing.value === null ? html`<${Form} area=${area} editor=${editor} names=${names} />` : html`<${Drawing} editor=${editor} drawing=${editor.drawing.value} />`}
  </section>`
}

/** @param {{ area: Area, editor: Editor, names: Names }} props */
function Form({ area, editor, names }) {
  const id = useId()
  const rename = (/** @type {Event} */ event) => {
    const name = /** @type {HTMLInputElement} */ (event.target).value
    editor.changeArea(area.key, (old) => ({ ...old, name: name === '' ? null : name }), `name-${area.key}`)
  }
  return html`<div class="field"><label for=${id}>${t('Name')}</label>
      <input id=${id} type="text" maxlength="80" value=${area.name ?? ''} onInput=${rename} autocomplete="off" aria-describedby=${`${id}-hint`} />
      <small id=${`${id}-hint`}>${area.name ? t('The region: a column of the matrix.') : t('Without a name it is covered, but never a region.')}</small></div>
    <${Parts} area=${area} editor=${editor} names=${names} />
    <${Tools} area=${area} editor=${editor} />`
}

/** @param {{ area: Area, editor: Editor, names: Names }} props */
function Parts({ area, editor, names }) {
  const chosen = editor.chosen.value?.part ?? null
  if (area.parts.length === 0)
    return html`<p class="warning">${t('It has no shape yet: draw one on the map, or pick counties.')}</p>`
  const open = (/** @type {number} */ index) => {
    editor.corner.value = null
    editor.endStep()
    editor.chosen.value = { area: area.key, part: chosen === index ? null : index }
  }
  return html`<ul class="area-parts">${area.parts.map(
    (part, index) => html`<li key=${index} class=${chosen === index ? 'open' : ''}>
      <div class="part-head"><button type="button" class="part" aria-expanded=${chosen === index} onClick=${() => open(index)}>
        <strong>${kindOf(part)}</strong> ${partInWords(part, names.value)}</button>
      <button type="button" class="danger" aria-label=${t('Delete part {number}: {kind}', { number: index + 1, kind: kindOf(part) })} onClick=${() => editor.removePart(area.key, index)}>×</button></div>
      ${
        chosen === index &&
        html`<${PartForm} part=${part} editor=${editor} names=${names}
          set=${(/** @type {import('./state.js').AreaPart} */ next) => editor.setPart(area.key, index, next)} />`
      }</li>`
  )}</ul>`
}

/** @param {{ area: Area, editor: Editor }} props */
function Tools({ area, editor }) {
  const begin = (/** @type {Tool} */ tool) => {
    editor.chosen.value = { area: area.key, part: null }
    editor.drawing.value = { tool, area: area.key, places: [] }
  }
  return html`<h3>${t('Add to this area')}</h3><p class="buttons">
    <button type="button" onClick=${() => begin('polygon')}>${t('Draw a polygon')}</button>
    <button type="button" onClick=${() => begin('box')}>${t('Draw a box')}</button>
    <button type="button" onClick=${() => begin('circle')}>${t('Draw a circle')}</button>
    <button type="button" onClick=${() => editor.addPart(area.key, { codes: [] })}>${t('Pick counties or zones')}</button></p>`
}

/** @type {Record<Tool, string[]>} */
const STEPS = {
  polygon: [t('Touch the map at each corner. With the keys: move the map under the cross, Enter sets a corner.')],
  box: [t('Touch one corner of the box.'), t('Now the opposite corner.')],
  circle: [t('Touch the centre of the circle.'), t('Now a place on its edge.')]
}

/** @param {{ editor: Editor, drawing: { tool: Tool, area: number, places: import('./shapes.js').Place[] } }} props */
function Drawing({ editor, drawing }) {
  const { tool, places } = drawing
  const steps = STEPS[tool]
  return html`<div class="drawing"><p role="status">${steps[Math.min(places.length, steps.length - 1)]}
      ${tool === 'polygon' && places.length > 0 ? ` ${t('Corners so far: {count}.', { count: places.length })}` : ''}</p>
    <p class="buttons">
      ${tool === 'polygon' && html`<button type="button" class="primary" disabled=${places.length < NEEDED.polygon} onClick=${() => finish(editor)}>${t('Done')}</button>`}
      <button type="button" disabled=${places.length === 0} onClick=${() => (editor.drawing.value = { ...drawing, places: places.slice(0, -1) })}>${t('Take back')}</button>
      <button type="button" onClick=${() => (editor.drawing.value = null)}>${t('Cancel')}</button>
      <button type="button" onClick=${() => typeIn(editor)}>${t('Type numbers')}</button></p></div>`
}

/** A shape to begin with, for those who type. @param {Editor} editor */
function typeIn(editor) {
  const now = editor.drawing.peek()
  if (now === null) return
  const [west = 0, south = 0, right = 0, north = 0] = editor.map.bounds()
  const [lon, lat] = [rounded(normalLon(west + ((right - west + 360) % 360) / 2)), rounded((south + north) / 2)]
  const reach = rounded((north - south) / 8)
  /** @type {Record<Tool, import('./state.js').AreaPart>} */
  const shapes = {
    box: { bbox: [lon - reach, lat - reach, lon + reach, lat + reach] },
    circle: { circle: { lat, lon, radius_km: Math.max(1, Math.round(reach * 111)) } },
    polygon: {
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [lon - reach, lat - reach],
            [lon + reach, lat - reach],
            [lon, lat + reach],
            [lon - reach, lat - reach]
          ]
        ]
      }
    }
  }
  editor.drawing.value = null
  editor.addPart(now.area, shapes[now.tool])
}
