// The drawing over the ground, as SVG: every region and event is an element of its own, with a name.

/** @import { View } from './view.js' */
/** @import { Shape } from './shapes.js' */
/** @import { MapLayer } from '../lib/map.js' */

const SVG = 'http://www.w3.org/2000/svg'
/** Path units a world: fine enough for the deepest zoom, and small numbers near the origin of each path. */
const UNITS = 2 ** 20
/** Smaller ones get a round target of this radius, pixels. */
const TARGET = 14

/**
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name @param {Record<string, string | number>} [attributes]
 */
export function svg(name, attributes = {}) {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}

/** Severities by form as well as by colour. @type {Record<string, string>} */
const MARKS = {
  routine: 'M0-7A7 7 0 1 1 0 7A7 7 0 1 1 0-7Z',
  priority: 'M-7-7H7V7H-7Z',
  critical: 'M0-10L10 0L0 10L-10 0Z',
  immediate: 'M0-11L11 8H-11Z'
}

/** One layer on the map. */
class Item {
  /** @type {[number, number]} */ origin = [0, 0]

  /** @param {MapLayer} layer @param {Shape} shape @param {boolean} selectable */
  constructor(layer, shape, selectable) {
    this.layer = layer
    this.shape = shape
    const named = selectable && !layer.passive ? { tabindex: 0, role: 'button' } : { role: 'img' }
    const classes = [`map-${layer.kind}`, layer.severity ?? '', layer.state ?? '', layer.passive ? 'passive' : '']
      .filter(Boolean)
      .join(' ')
    this.element = svg('g', { ...named, class: classes, 'aria-label': layer.label ?? layer.name })
    if (selectable && !layer.passive && layer.state === 'selected') this.element.setAttribute('aria-pressed', 'true')
    const title = svg('title')
    title.textContent = layer.label ?? layer.name
    this.paths = svg('g')
    this.mark = svg('g', { class: 'map-mark' })
    this.element.append(title, this.paths, this.mark)
    this.#fill()
  }

  #fill() {
    const { polygons, lines, points, box } = this.shape
    if (box === null) return
    this.origin = [(box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2]
    for (const rings of polygons) {
      const d = rings.map((ring) => `${pathOf(ring, this.origin)}Z`).join('')
      this.paths.append(
        svg('path', { d, class: 'map-fill', 'fill-rule': 'evenodd', 'vector-effect': 'non-scaling-stroke' })
      )
    }
    for (const line of lines) {
      this.paths.append(
        svg('path', { d: pathOf(line, this.origin), class: 'map-line', 'vector-effect': 'non-scaling-stroke' })
      )
    }
    this.mark.append(svg('circle', { r: TARGET, class: 'map-target' }))
    if (points.length > 0)
      this.mark.append(
        svg('path', { d: MARKS[this.layer.severity ?? ''] ?? MARKS['routine'] ?? '', class: 'map-point' })
      )
  }

  /** @param {View} view */
  place(view) {
    const { box, points, polygons, lines } = this.shape
    if (box === null) return
    const [x, y] = view.toPixel(...this.origin)
    const size = Math.max(box.maxX - box.minX, box.maxY - box.minY) * view.scale
    const scale = view.scale / UNITS
    this.paths.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`)
    // A mark for points, and where an outline is too small to be seen or hit.
    const small = size < 2 * TARGET
    const only = points.length > 0 && polygons.length + lines.length === 0
    this.mark.setAttribute('class', only || small ? 'map-mark' : 'map-mark map-away')
    const at = points[0]
    const [mx, my] = only && at !== undefined && points.length === 1 ? view.toPixel(...at) : [x, y]
    this.mark.setAttribute('transform', `translate(${mx} ${my})`)
    const reach = size / 2 + TARGET
    const away = x + reach < 0 || y + reach < 0 || x - reach > view.width || y - reach > view.height
    this.element.classList.toggle('map-away', away)
  }
}

/** @param {Float64Array} line @param {[number, number]} origin */
function pathOf(line, [x, y]) {
  const parts = []
  for (let at = 0; at < line.length; at += 2) {
    const px = Math.round((Number(line[at]) - x) * UNITS * 100) / 100
    const py = Math.round((Number(line[at + 1]) - y) * UNITS * 100) / 100
    parts.push(`${at === 0 ? 'M' : 'L'}${px} ${py}`)
  }
  return parts.join('')
}

export class Overlay {
  element = svg('svg', { class: 'map-overlay' })
  #layers = svg('g')
  sketch = svg('g', { class: 'map-sketch' })
  /** @type {Item[]} */ #items = []

  constructor() {
    this.element.append(this.#layers, this.sketch)
  }

  /** @param {readonly { layer: MapLayer, shape: Shape }[]} layers @param {boolean} selectable */
  fill(layers, selectable) {
    const focused = this.layerOf(document.activeElement)
    this.#items = layers
      .filter(({ shape }) => shape.box !== null)
      .map(({ layer, shape }) => new Item(layer, shape, selectable))
    this.#layers.replaceChildren(...this.#items.map(({ element }) => element))
    const same = this.#items.find(
      ({ layer }) => focused !== null && layer.id === focused.id && layer.kind === focused.kind
    )
    if (same && focused?.id !== undefined) same.element.focus({ preventScroll: true })
  }

  /** @param {View} view */
  place(view) {
    for (const item of this.#items) item.place(view)
  }

  /** The layer an element of the overlay belongs to. @param {EventTarget | null} target @returns {MapLayer | null} */
  layerOf(target) {
    if (!(target instanceof Element)) return null
    return this.#items.find(({ element }) => element.contains(target))?.layer ?? null
  }
}
