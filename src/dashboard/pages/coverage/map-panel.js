// The map of the coverage page: areas, recent events, and the hands that draw.
import { t, term } from '/static/lib/i18n.js'
import { renderMap } from '/static/lib/map.js'
import { latOf, lonOf } from '/static/map/mercator.js'
import { outlinesOf } from '/static/map/outlines.js'
import { shapeOf } from '/static/map/shapes.js'
import { boxOf } from '/static/map/view.js'
import { effect, html, signal, useEffect, useRef } from '/static/vendor/ui.js'
import { cornersOf, handlesOf, inserted, moved, NEEDED, partOf, removed, sketchOf } from './shapes.js'
import { partInWords } from './words.js'

/** @typedef {import('./state.js').Editor} Editor */
/** @typedef {import('./state.js').AreaPart} AreaPart */
/** @typedef {import('./preview.js').Preview} Preview */
/** @typedef {import('/static/lib/map.js').MapLayer} MapLayer */

/** @param {{ editor: Editor, preview: Preview, names: import('/static/vendor/ui.js').Signal<Map<string, string>>, demo: readonly any[] | null }} props */
export function MapPanel({ editor, preview, names, demo }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null))
  useEffect(() => {
    if (place.current === null) return undefined
    const map = renderMap(place.current, { label: t('Map of the coverage areas') })
    editor.map = { bounds: () => map.bounds(), fit: (bounds) => map.fit(bounds) }
    const ends = [follow(map, { editor, preview, names, demo }), listen(map, editor)]
    return () => {
      for (const end of ends) end()
      map.destroy()
    }
  }, [])
  return html`<div class="coverage-map" ref=${place}></div>`
}

/** The part that is being moved right now, before it is an edit. @type {import('/static/vendor/ui.js').Signal<AreaPart | null>} */
const live = signal(null)
/** @type {import('/static/vendor/ui.js').Signal<import('./shapes.js').Place | null>} */
const hover = signal(null)

/** @param {ReturnType<typeof renderMap>} map @param {{ editor: Editor, preview: Preview, names: { value: Map<string, string> }, demo: readonly any[] | null }} shown */
function follow(map, { editor, preview, names, demo }) {
  const ends = [
    effect(() => map.setLayers([...eventLayers(preview), ...demoLayers(demo), ...areaLayers(editor, names.value)])),
    effect(() => map.setDrawing(editor.drawing.value !== null)),
    effect(() => map.setSketch(sketch(editor)))
  ]
  // Without areas the country is shown, not an earthquake on the other side of the world.
  if (editor.draft.peek().areas.length === 0 && demo === null) map.fit([-125, 24, -66.5, 49.5])
  return () => {
    for (const end of ends) end()
  }
}

/** @param {Preview} preview @returns {MapLayer[]} */
function eventLayers({ events, result }) {
  const inside = new Set(result.value?.inside ?? [])
  return events.value.map((event) => {
    const { severity, title, geometry, circle, bbox, lat, lon, zones, same, seq } = event
    const codes = zones.length > 0 ? zones : same
    const where = geometry || circle || bbox || lat !== null ? { geometry, circle, bbox, lat, lon } : { codes }
    /** @type {MapLayer['state']} */
    const state = inside.has(seq) ? '' : 'quiet'
    const label = `${t('Event')}: ${title} (${term(severity)})`
    return { kind: 'event', name: title, label, id: `event-${seq}`, severity, state, passive: true, ...where }
  })
}

/** @param {readonly any[] | null} demo @returns {MapLayer[]} */
function demoLayers(demo) {
  return (demo ?? []).map(({ name, parts }) => {
    const label = t('Area of the demo: {name}', { name: name ?? '' })
    return { kind: 'area', name: name ?? '', label, parts, state: 'quiet', passive: true }
  })
}

/** @param {Editor} editor @param {Map<string, string>} names @returns {MapLayer[]} */
function areaLayers({ draft, chosen }, names) {
  return draft.value.areas.map(({ key, name, parts }) => {
    const shown = name || t('Area without a name')
    const label = `${shown}: ${parts.map((part) => partInWords(part, names)).join('; ')}`
    const state = chosen.value?.area === key ? 'selected' : name ? '' : 'quiet'
    return { kind: 'area', name: shown, label, id: `area-${key}`, parts, state }
  })
}

/** @param {Editor} editor @returns {import('/static/map/sketch.js').Sketch | null} */
function sketch({ drawing, part, corner }) {
  const now = drawing.value
  if (now !== null) {
    const pointed = hover.value === null || now.places.length === 0 ? [] : [hover.value]
    const handles = now.places.map((at, index) => {
      return { ...at, kind: /** @type {const} */ ('vertex'), label: t('Place {number}', { number: index + 1 }) }
    })
    return { where: sketchOf(now.tool, [...now.places, ...pointed]), handles }
  }
  const shown = live.value ?? part.value
  if (shown === null || shown.codes !== undefined) return null
  return { where: shown, handles: handlesOf(shown), ...(corner.value === null ? {} : { chosen: corner.value }) }
}

/** @param {ReturnType<typeof renderMap>} map @param {Editor} editor */
function listen(map, editor) {
  const { chosen, drawing, part, corner } = editor
  /** A handle in the hand: its part before, and which corner it is. @type {{ before: AreaPart, index: number } | null} */
  let held = null

  const grab = (
    /** @type {AreaPart} */ from,
    /** @type {number} */ index,
    /** @type {import('./shapes.js').Place} */ to
  ) => {
    const corners = cornersOf(from).length
    // A middle handle becomes a corner the moment it moves.
    if (from.geometry === undefined || index < corners) return { before: from, index }
    const at = index - corners
    return { before: inserted(from, at, to), index: nextCorner(from, at) }
  }
  const ends = [
    map.on('select', (layer) => {
      const key = Number(layer.id?.replace('area-', ''))
      if (layer.kind === 'area' && Number.isFinite(key)) choose(editor, key)
    }),
    map.on('hover', (at) => {
      if (drawing.peek() !== null) hover.value = at
    }),
    map.on('tap', (at) => addPlace(editor, at)),
    map.on('handle', ({ index, done, lon, lat }) => {
      const now = drawing.peek()
      if (now !== null) {
        drawing.value = { ...now, places: now.places.map((place, at) => (at === index ? { lon, lat } : place)) }
        return
      }
      const from = part.peek()
      const { area, part: number } = chosen.peek() ?? {}
      if (from === null || area === undefined || number === null || number === undefined) return
      held ??= grab(from, index, { lon, lat })
      corner.value = held.index
      const next = moved(held.before, held.index, { lon, lat })
      live.value = done ? null : next
      if (!done) return
      held = null
      editor.setPart(area, number, next, `handle-${area}-${number}-${index}`)
    }),
    map.on('press', ({ index }) => {
      const now = drawing.peek()
      if (now === null) corner.value = index
      else if (now.tool === 'polygon' && index === 0) finish(editor)
    }),
    map.on('remove', ({ index }) => removeCorner(editor, index))
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** The handle of the corner that was put in after the `at`th. @param {AreaPart} part @param {number} at */
function nextCorner(part, at) {
  return cornersOf(part)[at] === undefined ? at : at + 1
}

/** Moves the map when the area cannot be seen on it. @param {Editor} editor @param {number} key */
export function reveal(editor, key) {
  const area = editor.draft.peek().areas.find((one) => one.key === key)
  const parts = area?.parts ?? []
  const { box } = shapeOf(parts, outlinesOf(parts, () => undefined).outlineOf)
  const seen = boxOf(editor.map.bounds())
  if (box === null) return
  const turn = Math.round((box.minX + box.maxX - seen.minX - seen.maxX) / 2)
  const apart =
    box.maxX - turn < seen.minX || box.minX - turn > seen.maxX || box.maxY < seen.minY || box.minY > seen.maxY
  if (apart) editor.map.fit([lonOf(box.minX), latOf(box.maxY), lonOf(box.maxX), latOf(box.minY)])
}

/** @param {Editor} editor @param {number} key @param {number | null} [part] */
export function choose(editor, key, part = null) {
  const area = editor.draft.peek().areas.find((one) => one.key === key)
  const only = area?.parts.length === 1 ? 0 : null
  editor.corner.value = null
  editor.endStep()
  editor.chosen.value = { area: key, part: part ?? only }
}

/** @param {Editor} editor @param {import('./shapes.js').Place} at */
function addPlace(editor, at) {
  const now = editor.drawing.peek()
  if (now === null) return
  hover.value = null
  const places = [...now.places, at]
  editor.drawing.value = { ...now, places }
  if (now.tool !== 'polygon' && places.length >= NEEDED[now.tool]) finish(editor)
}

/** Makes a part of what was drawn. @param {Editor} editor */
export function finish(editor) {
  const now = editor.drawing.peek()
  const part = now === null ? null : partOf(now.tool, now.places)
  if (now === null || part === null) return
  editor.drawing.value = null
  hover.value = null
  editor.addPart(now.area, part)
}

/** @param {Editor} editor @param {number} index */
export function removeCorner(editor, index) {
  const now = editor.drawing.peek()
  if (now !== null) {
    editor.drawing.value = { ...now, places: now.places.filter((_, at) => at !== index) }
    return
  }
  const part = editor.part.peek()
  const { area, part: number } = editor.chosen.peek() ?? {}
  if (part?.geometry === undefined || area === undefined || number === null || number === undefined) return
  editor.corner.value = null
  editor.setPart(area, number, removed(part, index))
}
