// The sketch being drawn or edited: an outline and its handles, over everything else.
import { svg } from './overlay.js'
import { shapeOf, worldOf } from './shapes.js'

/**
 * @typedef {object} Handle
 * @property {number} lon
 * @property {number} lat
 * @property {string} label for screen readers: "Corner 3"
 * @property {'vertex' | 'middle'} kind `middle` adds a corner where it stands
 */
/**
 * @typedef {object} Sketch
 * @property {import('./shapes.js').Where | null} where what it is so far
 * @property {readonly Handle[]} handles
 * @property {number} [chosen] the handle that is chosen
 */

/** @type {WeakMap<SVGGElement, { sketch: Sketch | null, place: (view: import('./view.js').View) => void }>} */
const drawn = new WeakMap()

/** Makes the elements when the sketch is another one, and puts them where they belong. @param {SVGGElement} group @param {Sketch | null} sketch @param {import('./view.js').View} view */
export function drawSketch(group, sketch, view) {
  let present = drawn.get(group)
  if (present === undefined || present.sketch !== sketch) {
    present = { sketch, place: make(group, sketch) }
    drawn.set(group, present)
  }
  present.place(view)
}

/** @param {SVGGElement} group @param {Sketch | null} sketch */
function make(group, sketch) {
  const active = group.contains(document.activeElement) ? document.activeElement?.getAttribute('data-index') : null
  const outline = svg('path', { class: 'map-sketch-outline', 'fill-rule': 'evenodd' })
  const handles = (sketch?.handles ?? []).map((handle, index) => handleOf(handle, index, index === sketch?.chosen))
  group.replaceChildren(outline, ...handles)
  if (active !== null && active !== undefined) handles[Number(active)]?.focus({ preventScroll: true })
  const shape = sketch?.where ? shapeOf([sketch.where], () => null) : null
  return (/** @type {import('./view.js').View} */ view) => {
    const closed = (shape?.polygons ?? []).flat().map((ring) => `${pathOf(ring, view)}Z`)
    const open = (shape?.lines ?? []).map((line) => pathOf(line, view))
    outline.setAttribute('d', [...closed, ...open].join(''))
    for (const [index, handle] of (sketch?.handles ?? []).entries()) {
      const [x, y] = view.toPixel(...worldOf(handle))
      handles[index]?.setAttribute('transform', `translate(${x} ${y})`)
    }
  }
}

/** @param {Handle} handle @param {number} index @param {boolean} chosen */
function handleOf({ label, kind }, index, chosen) {
  const group = svg('g', {
    class: `map-handle ${kind}${chosen ? ' chosen' : ''}`,
    tabindex: 0,
    role: 'button',
    'aria-label': label,
    'data-index': index
  })
  group.append(
    svg('circle', { r: 16, class: 'map-target' }),
    svg('circle', { r: kind === 'vertex' ? 7 : 4.5, class: 'map-dot' })
  )
  return group
}

/** @param {Float64Array} line @param {import('./view.js').View} view */
function pathOf(line, view) {
  const first = line[0] ?? 0
  // All of it on the copy of the world its first vertex is on.
  const [left] = view.toPixel(first, 0)
  const parts = []
  for (let at = 0; at < line.length; at += 2) {
    const x = left + (Number(line[at]) - first) * view.scale
    const y = view.toPixel(0, Number(line[at + 1]))[1]
    parts.push(`${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
  }
  return parts.join('')
}
