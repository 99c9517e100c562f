// Hands on the map: drag, pinch, wheel, keys. Tells what was meant in pixels of the frame.

/** A finger moves this much without meaning it, pixels. */
const SLACK = 6
const STEP = 80

/**
 * @typedef {object} Hands
 * @property {(dx: number, dy: number) => void} pan
 * @property {(factor: number, x?: number, y?: number) => void} zoom
 * @property {(target: Element | null, x: number, y: number) => void} tap
 * @property {(x: number, y: number) => void} hover
 * @property {(handle: Element, x: number, y: number, done: boolean) => void} drag
 * @property {(event: KeyboardEvent) => boolean} key true: done with it
 */

/**
 * @param {HTMLElement} frame
 * @param {Hands} hands
 * @param {AbortSignal} signal ends listening
 */
export function listen(frame, hands, signal) {
  /** @type {Map<number, { x: number, y: number }>} */
  const down = new Map()
  /** @type {{ target: Element | null, x: number, y: number, moved: boolean, handle: Element | null } | null} */
  let gesture = null

  /** @param {PointerEvent | WheelEvent | MouseEvent} event */
  const at = ({ clientX, clientY }) => {
    const { left, top } = frame.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  /** @param {EventTarget | null} target */
  const element = (target) => (target instanceof Element ? target : null)

  /** @param {PointerEvent} event */
  const press = (event) => {
    const target = element(event.target)
    if (event.button !== 0 || target?.closest('.map-controls')) return
    const here = at(event)
    down.set(event.pointerId, here)
    if (down.size === 1) gesture = { target, ...here, moved: false, handle: target?.closest('.map-handle') ?? null }
    else if (gesture !== null) gesture.moved = true
  }

  /** @param {PointerEvent} event */
  const move = (event) => {
    const here = at(event)
    const before = down.get(event.pointerId)
    if (before === undefined) {
      hands.hover(here.x, here.y)
      return
    }
    if (gesture === null) return
    if (!gesture.moved) {
      if (Math.hypot(here.x - gesture.x, here.y - gesture.y) < SLACK) return
      gesture.moved = true
      frame.setPointerCapture(event.pointerId)
    }
    if (down.size > 1) pinch(event.pointerId, before, here)
    else if (gesture.handle !== null) hands.drag(gesture.handle, here.x, here.y, false)
    else hands.pan(here.x - before.x, here.y - before.y)
    down.set(event.pointerId, here)
  }

  /** @param {number} id @param {{ x: number, y: number }} before @param {{ x: number, y: number }} here */
  const pinch = (id, before, here) => {
    const [other] = [...down].filter(([pointer]) => pointer !== id).map(([, place]) => place)
    if (other === undefined) return
    const [was, is] = [
      Math.hypot(before.x - other.x, before.y - other.y),
      Math.hypot(here.x - other.x, here.y - other.y)
    ]
    hands.pan((here.x - before.x) / 2, (here.y - before.y) / 2)
    if (was > 10 && is > 10) hands.zoom(is / was, (here.x + other.x) / 2, (here.y + other.y) / 2)
  }

  /** @param {PointerEvent} event */
  const release = (event) => {
    if (!down.delete(event.pointerId) || gesture === null) return
    const { target, moved, handle } = gesture
    const here = at(event)
    if (moved && handle !== null && down.size === 0) hands.drag(handle, here.x, here.y, true)
    if (!moved && event.type === 'pointerup') hands.tap(target, here.x, here.y)
    if (down.size === 0) gesture = null
  }

  /** @param {WheelEvent} event */
  const wheel = (event) => {
    event.preventDefault()
    const { x, y } = at(event)
    const lines = event.deltaMode === 0 ? event.deltaY : event.deltaY * 30
    hands.zoom(2 ** (-Math.max(-240, Math.min(240, lines)) / 240), x, y)
  }

  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => hands.pan(STEP, 0),
    ArrowRight: () => hands.pan(-STEP, 0),
    ArrowUp: () => hands.pan(0, STEP),
    ArrowDown: () => hands.pan(0, -STEP),
    '+': () => hands.zoom(1.5),
    '=': () => hands.zoom(1.5),
    '-': () => hands.zoom(1 / 1.5),
    _: () => hands.zoom(1 / 1.5)
  }
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || element(event.target)?.closest('.map-controls')) return
    if (hands.key(event)) {
      event.preventDefault()
      return
    }
    const work = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (work === undefined) return
    event.preventDefault()
    work()
  }
  /** @param {MouseEvent} event */
  const twice = (event) => {
    if (element(event.target)?.closest('.map-controls')) return
    const { x, y } = at(event)
    hands.zoom(2, x, y)
  }

  const options = { signal }
  frame.addEventListener('pointerdown', press, options)
  frame.addEventListener('pointermove', move, options)
  frame.addEventListener('pointerup', release, options)
  frame.addEventListener('pointercancel', release, options)
  frame.addEventListener('wheel', wheel, { signal, passive: false })
  frame.addEventListener('keydown', key, options)
  frame.addEventListener('dblclick', twice, options)
}
