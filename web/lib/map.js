// One map for every page: the bundled atlas (and the operator's base map) with regions and events over it. Nothing it
// shows comes from anywhere but the station.
import { Base } from '../map/base.js'
import { build, coloursOf, credit } from '../map/frame.js'
import { listen } from '../map/gestures.js'
import { outlinesOf } from '../map/outlines.js'
import { Overlay } from '../map/overlay.js'
import { shapeOf } from '../map/shapes.js'
import { drawSketch } from '../map/sketch.js'
import { openTiles } from '../map/tiles.js'
import { boxOf, unionBox, View } from '../map/view.js'
import { t } from './i18n.js'

/**
 * Something on the map. What says where it is stands in it directly, or in `parts` when it is several pieces. `passive`: it
 * cannot be chosen.
 * @typedef {import('../map/shapes.js').Where & {
 *   kind: 'area' | 'event',
 *   name: string,
 *   label?: string,
 *   id?: string,
 *   severity?: string | undefined,
 *   state?: 'selected' | 'quiet' | '',
 *   passive?: boolean,
 *   parts?: readonly import('../map/shapes.js').Where[]
 * }} MapLayer
 */
/** @typedef {{ lon: number, lat: number }} Place */
/** @typedef {import('../map/sketch.js').Sketch} Sketch */
/**
 * @typedef {object} MapEvents
 * @property {MapLayer} select a layer was chosen by hand or by key
 * @property {Place} tap the ground was, while drawing
 * @property {Place} hover the pointer stands here
 * @property {Place & { index: number, done: boolean }} handle a handle of the sketch was moved
 * @property {{ index: number }} press a handle was chosen
 * @property {{ index: number }} remove a handle is to go
 * @property {{ bounds: number[], zoom: number }} move
 * @property {{ error: string }} trouble something of the ground cannot be shown
 */

/** Without anything to show: the United States, whose counties the atlas has. */
const HOME = [-125, 24, -66.5, 49.5]
const HANDLE_STEP = 8

/**
 * Draws a map into `element`, which must have a height. The map ends with `destroy`.
 * @param {HTMLElement} element
 * @param {{ layers?: readonly MapLayer[], bounds?: readonly number[] | null, interactive?: boolean, label: string, baseMap?: boolean }} options
 * `bounds`: west, south, east, north; without, everything that is drawn
 */
export function renderMap(element, { layers = [], bounds = null, interactive = true, label, baseMap = true }) {
  const map = new LookoutMap(element, { interactive, label, baseMap })
  map.setLayers(layers)
  map.fit(bounds)
  return map
}

class LookoutMap {
  /** @type {{ [Type in keyof MapEvents]?: Set<(event: any) => void> }} */ #listeners = {}
  /** @type {readonly MapLayer[]} */ #layers = []
  /** @type {import('../map/view.js').WorldBox | null} */ #extent = null
  /** @type {readonly number[] | null} */ #bounds = null
  /** The view of the window while nobody has moved it. */
  #target = boxOf(HOME)
  #fitted = true
  #following = true
  #drawing = false
  /** @type {Sketch | null} */ #sketch = null
  #frameDue = 0
  #view = new View()
  #overlay = new Overlay()
  #end = new AbortController()
  #interactive
  #parts
  #base
  #pen
  #sizes
  #theme

  /** @param {HTMLElement} element @param {{ interactive: boolean, label: string, baseMap: boolean }} options */
  constructor(element, { interactive, label, baseMap }) {
    this.#interactive = interactive
    this.#parts = build(label, interactive)
    const { box, frame, canvas, note, controls } = this.#parts
    frame.append(canvas, this.#overlay.element, this.#parts.cross, ...(interactive ? [controls] : []))
    element.append(box)
    this.#pen = canvas.getContext('2d')
    const trouble = (/** @type {string} */ error) => {
      note.textContent = error
      this.#tell('trouble', { error })
    }
    const tiles = baseMap
      ? openTiles({ redraw: () => this.#redraw(), credit: (text) => credit(note, text), fail: trouble })
      : null
    this.#base = new Base({
      redraw: () => this.#redraw(),
      fail: () => trouble(t('The map cannot be loaded: the station does not answer.')),
      tiles
    })
    this.#sizes = new ResizeObserver(() => this.#resize())
    this.#sizes.observe(frame)
    const redraw = () => this.#redraw()
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw, { signal: this.#end.signal })
    this.#theme = new MutationObserver(redraw)
    this.#theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    if (interactive) this.#listen()
  }

  #listen() {
    const { frame, controls } = this.#parts
    const hands = {
      pan: (/** @type {number} */ dx, /** @type {number} */ dy) => this.#moved(() => this.#view.pan(dx, dy)),
      zoom: (/** @type {number} */ factor, /** @type {number} */ x = this.#view.width / 2, y = this.#view.height / 2) =>
        this.#moved(() => this.#view.zoomBy(factor, x, y)),
      tap: (/** @type {Element | null} */ target, /** @type {number} */ x, /** @type {number} */ y) =>
        this.#tap(target, x, y),
      hover: (/** @type {number} */ x, /** @type {number} */ y) => this.#tell('hover', this.#view.toPlace(x, y)),
      drag: (
        /** @type {Element} */ handle,
        /** @type {number} */ x,
        /** @type {number} */ y,
        /** @type {boolean} */ done
      ) => this.#tell('handle', { ...this.#view.toPlace(x, y), index: indexOf(handle), done }),
      key: (/** @type {KeyboardEvent} */ event) => this.#key(event)
    }
    listen(frame, hands, this.#end.signal)
    const [more, less, all] = controls.querySelectorAll('button')
    more?.addEventListener('click', () => hands.zoom(1.6))
    less?.addEventListener('click', () => hands.zoom(1 / 1.6))
    all?.addEventListener('click', () => this.fit())
  }

  /** @param {Element | null} target @param {number} x @param {number} y */
  #tap(target, x, y) {
    const handle = target?.closest('.map-handle') ?? null
    const layer = this.#overlay.layerOf(target)
    if (handle !== null) this.#tell('press', { index: indexOf(handle) })
    else if (this.#drawing) this.#tell('tap', this.#view.toPlace(x, y))
    else if (layer !== null) this.#tell('select', layer)
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = event.target instanceof Element ? event.target : null
    const handle = target?.closest('.map-handle') ?? null
    if (handle !== null) return this.#handleKey(handle, event)
    if (event.key !== 'Enter' && event.key !== ' ') return false
    const layer = this.#overlay.layerOf(target)
    if (this.#drawing) this.#tell('tap', this.center())
    else if (layer !== null) this.#tell('select', layer)
    else return false
    return true
  }

  /** @param {Element} handle @param {KeyboardEvent} event */
  #handleKey(handle, { key, shiftKey }) {
    const index = indexOf(handle)
    const step = shiftKey ? 1 : HANDLE_STEP
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }
    const at = this.#sketch?.handles[index]
    if (key === 'Delete' || key === 'Backspace') this.#tell('remove', { index })
    else if (key === 'Enter' || key === ' ') this.#tell('press', { index })
    else if (at !== undefined && Object.hasOwn(steps, key)) {
      const [dx, dy] = steps[key] ?? [0, 0]
      const [x, y] = this.toPixel(at)
      this.#tell('handle', { ...this.#view.toPlace(x + dx, y + dy), index, done: true })
    } else return false
    return true
  }

  /** Replaces everything that is drawn; the window stays. @param {readonly MapLayer[]} layers */
  setLayers(layers) {
    this.#layers = layers
    const { list } = this.#parts
    const { outlineOf, complete } = outlinesOf(layers, () => {
      if (!this.#end.signal.aborted) this.setLayers(this.#layers)
    })
    const shaped = layers.map((layer) => ({ layer, shape: shapeOf(layer.parts ?? [layer], outlineOf) }))
    this.#overlay.fill(shaped, this.#interactive && this.#listeners.select !== undefined)
    const active = shaped.filter(({ layer }) => !layer.passive)
    this.#extent = unionBox((active.length > 0 ? active : shaped).flatMap(({ shape }) => shape.box ?? []))
    const texts = layers.map((layer) => layer.label ?? layer.name)
    const items = (texts.length === 0 ? [t('Nothing is drawn on this map.')] : texts).map((text) => {
      const item = document.createElement('li')
      item.textContent = text
      return item
    })
    list.replaceChildren(...items)
    if (this.#fitted && this.#following) this.fit(this.#bounds)
    // The first complete picture is fitted; later ones must not move under somebody's hands.
    if (complete && this.#extent !== null) this.#following = false
    this.#redraw()
  }

  /** Shows these bounds, or everything that is drawn. @param {readonly number[] | null} [bounds] */
  fit(bounds = null) {
    this.#bounds = bounds
    this.#target = bounds !== null ? boxOf(bounds) : (this.#extent ?? boxOf(HOME))
    this.#moved(() => this.#view.fit(this.#target))
    this.#fitted = true
  }

  /** While drawing, taps and the Enter key give places instead of choosing layers. @param {boolean} drawing */
  setDrawing(drawing) {
    this.#drawing = drawing
    this.#parts.frame.classList.toggle('map-drawing', drawing)
  }

  /** Shows what is being drawn or edited: an outline and handles over everything else; null removes it. @param {Sketch | null} sketch */
  setSketch(sketch) {
    this.#sketch = sketch
    drawSketch(this.#overlay.sketch, sketch, this.#view)
  }

  /** @template {keyof MapEvents} Type @param {Type} type @param {(event: MapEvents[Type]) => void} listener */
  on(type, listener) {
    const all = this.#listeners[type] ?? new Set()
    const first = all.size === 0
    this.#listeners[type] = all
    all.add(listener)
    if (type === 'select' && first) this.setLayers(this.#layers)
    return () => all.delete(listener)
  }

  /** In the middle of the window. @returns {Place} */
  center() {
    return this.#view.toPlace(this.#view.width / 2, this.#view.height / 2)
  }

  /** Degrees seen: west, south, east, north. */
  bounds() {
    const { width, height } = this.#view
    const [nw, se] = [this.#view.toPlace(0, 0), this.#view.toPlace(width, height)]
    return [nw.lon, se.lat, se.lon, nw.lat]
  }

  /** @param {Place} place @returns {[number, number]} pixels in the frame */
  toPixel({ lon, lat }) {
    const { minX, minY } = boxOf([lon, lat, lon, lat])
    return this.#view.toPixel(minX, minY)
  }

  destroy() {
    this.#end.abort()
    this.#sizes.disconnect()
    this.#theme.disconnect()
    cancelAnimationFrame(this.#frameDue)
    this.#parts.box.remove()
  }

  /** @template {keyof MapEvents} Type @param {Type} type @param {MapEvents[Type]} event */
  #tell(type, event) {
    for (const listener of this.#listeners[type] ?? []) listener(event)
  }

  /** @param {() => void} change */
  #moved(change) {
    change()
    this.#fitted = false
    this.#redraw()
    this.#tell('move', { bounds: this.bounds(), zoom: this.#view.zoom })
  }

  #resize() {
    const { frame, canvas } = this.#parts
    const ratio = Math.min(2, devicePixelRatio || 1)
    const [width, height] = [frame.clientWidth, frame.clientHeight]
    if (width === 0 || height === 0) return
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
    this.#pen?.setTransform(ratio, 0, 0, ratio, 0, 0)
    this.#overlay.element.setAttribute('viewBox', `0 0 ${width} ${height}`)
    this.#view.resize(width, height)
    if (this.#fitted) this.#view.fit(this.#target)
    this.#draw()
  }

  #redraw() {
    if (this.#frameDue !== 0 || this.#end.signal.aborted) return
    this.#frameDue = requestAnimationFrame(() => this.#draw())
  }

  #draw() {
    cancelAnimationFrame(this.#frameDue)
    this.#frameDue = 0
    if (this.#pen === null || this.#view.width <= 1) return
    this.#base.draw(this.#pen, this.#view, coloursOf(this.#parts.frame))
    this.#overlay.place(this.#view)
    drawSketch(this.#overlay.sketch, this.#sketch, this.#view)
  }
}

/** @param {Element} handle */
function indexOf(handle) {
  return Number(handle.getAttribute('data-index'))
}
