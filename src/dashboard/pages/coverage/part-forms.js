// The numbers of a part: everything the map does by hand can be typed.
import { t } from '/static/lib/i18n.js'
import { html, useId, useSignal } from '/static/vendor/ui.js'
import { CodesForm } from './codes.js'
import { removeCorner } from './map-panel.js'
import { cornersOf, openRing, polygonsOf, rounded } from './shapes.js'

/** @typedef {import('./state.js').Editor} Editor */
/** @typedef {import('./state.js').AreaPart} AreaPart */
/** @typedef {import('/static/vendor/ui.js').Signal<Map<string, string>>} Names */
/** @typedef {{ part: AreaPart, set: (part: AreaPart, together?: string) => void, editor: Editor, names: Names }} Props */

/** @param {Props} props */
export function PartForm(props) {
  const { part } = props
  if (part.bbox !== undefined) return html`<${BoxForm} ...${props} />`
  if (part.circle !== undefined) return html`<${CircleForm} ...${props} />`
  if (part.geometry !== undefined) return html`<${PolygonForm} ...${props} />`
  const { names, set } = props
  return html`<${CodesForm} codes=${part.codes ?? []} names=${names} onChange=${(/** @type {string[]} */ codes) => set({ codes })} />`
}

/** @param {{ label: string, value: number, min: number, max: number, onValue: (value: number) => void }} props */
function NumberField({ label, value, min, max, onValue }) {
  const id = useId()
  const bad = useSignal(false)
  /** @param {Event} event */
  const change = (event) => {
    const typed = /** @type {HTMLInputElement} */ (event.target).valueAsNumber
    bad.value = !Number.isFinite(typed) || typed < min || typed > max
    if (!bad.value) onValue(rounded(typed))
  }
  return html`<div class="field"><label for=${id}>${label}</label>
    <input id=${id} type="number" inputmode="decimal" step="any" min=${min} max=${max} value=${value} aria-invalid=${bad.value} onChange=${change} />
    ${bad.value && html`<small class="warning">${t('From {min} to {max}', { min, max })}</small>`}</div>`
}

/** @param {Props} props */
function BoxForm({ part, set }) {
  const box = part.bbox ?? [0, 0, 0, 0]
  const [west, south, east, north] = box
  /** @param {0 | 1 | 2 | 3} at */
  const put = (at) => (/** @type {number} */ value) => {
    const next = /** @type {[number, number, number, number]} */ ([...box])
    next[at] = value
    set({ bbox: next })
  }
  return html`<div class="fields">
    <${NumberField} label=${t('North')} value=${north} min=${south} max=${90} onValue=${put(3)} />
    <${NumberField} label=${t('South')} value=${south} min=${-90} max=${north} onValue=${put(1)} />
    <${NumberField} label=${t('West')} value=${west} min=${-360} max=${360} onValue=${put(0)} />
    <${NumberField} label=${t('East')} value=${east} min=${-360} max=${360} onValue=${put(2)} />
  </div>
  ${west > east && html`<p class="hint">${t('West is greater than east: the box crosses the antimeridian.')}</p>`}`
}

/** @param {Props} props */
function CircleForm({ part, set }) {
  const circle = part.circle ?? { lat: 0, lon: 0, radius_km: 0 }
  return html`<div class="fields">
    <${NumberField} label=${t('Latitude')} value=${circle.lat} min=${-90} max=${90} onValue=${(/** @type {number} */ lat) => set({ circle: { ...circle, lat } })} />
    <${NumberField} label=${t('Longitude')} value=${circle.lon} min=${-360} max=${360} onValue=${(/** @type {number} */ lon) => set({ circle: { ...circle, lon } })} />
    <${NumberField} label=${t('Radius, km')} value=${circle.radius_km} min=${0} max=${20000} onValue=${(/** @type {number} */ radius_km) => set({ circle: { ...circle, radius_km } })} />
  </div>`
}

/** A plain ring is a list of corners; anything else is GeoJSON. @param {Props} props */
function PolygonForm({ part, set, editor }) {
  const id = useId()
  const problem = useSignal('')
  const polygons = polygonsOf(part)
  const [ring, ...holes] = polygons[0] ?? []
  const plain = polygons.length === 1 && holes.length === 0 && ring !== undefined
  const text = plain
    ? openRing(ring)
        .map(([lon, lat]) => `${lat}, ${lon}`)
        .join('\n')
    : JSON.stringify(part.geometry)
  /** @param {Event} event */
  const change = (event) => {
    const written = /** @type {HTMLTextAreaElement} */ (event.target).value
    const read = readPolygon(written)
    problem.value = typeof read === 'string' ? read : ''
    if (typeof read !== 'string') set(read)
  }
  const corners = cornersOf(part).length
  const chosen = editor.corner.value
  return html`<p class="buttons">
      <button type="button" disabled=${chosen === null || chosen >= corners || corners <= 3} onClick=${() => removeCorner(editor, chosen ?? 0)}>
        ${chosen === null || chosen >= corners ? t('Remove corner') : t('Remove corner {number}', { number: chosen + 1 })}</button></p>
    <p class="hint">${t('Drag a corner, or the dot between two of them to add one. With the keys: Tab to a corner, arrows move it, Delete removes it.')}</p>
    <div class="field"><label for=${id}>${plain ? t('Corners: latitude, longitude; one a line') : t('Outline as GeoJSON')}</label>
    <textarea id=${id} rows="6" spellcheck="false" aria-invalid=${problem.value !== ''} onChange=${change} value=${text}></textarea>
    ${problem.value && html`<small class="warning" role="alert">${problem.value}</small>`}</div>`
}

/** Corners as lines, or GeoJSON that was pasted. A text answers what is wrong. @param {string} written @returns {AreaPart | string} */
export function readPolygon(written) {
  if (written.trim().startsWith('{')) return readGeoJson(written)
  const lines = written
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  /** @type {number[][]} */
  const ring = []
  for (const [index, line] of lines.entries()) {
    const [lat = Number.NaN, lon = Number.NaN, ...more] = line.split(/[\s,;]+/).map(Number)
    if (more.length > 0 || !Number.isFinite(lon) || !(Math.abs(lat) <= 90))
      return t('Line {number}: write a latitude and a longitude, such as 43.61, -116.2', { number: index + 1 })
    ring.push([lon, lat])
  }
  if (ring.length < 3) return t('A polygon has at least three corners.')
  return { geometry: { type: 'Polygon', coordinates: [[...ring, ring[0] ?? []]] } }
}

/** @param {string} written @returns {AreaPart | string} */
function readGeoJson(written) {
  try {
    const value = JSON.parse(written)
    const geometry = value.type === 'Feature' ? value.geometry : value
    if (geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon') return { geometry }
    return t('Only a GeoJSON Polygon or MultiPolygon can be an area.')
  } catch (error) {
    return t('This is not JSON: {why}', { why: error instanceof Error ? error.message : String(error) })
  }
}
