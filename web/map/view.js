// The visible part of the world: a centre, a scale, the size of the window. Knows nothing of the page.
import { latOf, lonOf, worldX, worldY } from './mercator.js'

/** World coordinates: 0 to 1, x may pass 1 where a box crosses the antimeridian. @typedef {{ minX: number, minY: number, maxX: number, maxY: number }} WorldBox */

const DEEPEST = 256 * 2 ** 19
const PADDING = 24
/** A single point is shown with so much around it. */
const LEAST_SPAN = 0.0008

export class View {
  /** Centre. */
  x = 0.5
  y = 0.5
  /** Pixels a world. */
  scale = 512
  width = 1
  height = 1

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.width = Math.max(1, width)
    this.height = Math.max(1, height)
    this.clamp()
  }

  /** Never more than one world side by side, never beyond the poles. */
  clamp() {
    this.scale = Math.min(DEEPEST, Math.max(this.width, this.scale))
    this.x -= Math.floor(this.x)
    const half = this.height / this.scale / 2
    this.y = half >= 0.5 ? 0.5 : Math.min(1 - half, Math.max(half, this.y))
  }

  /** Tile zoom, as everybody counts it. */
  get zoom() {
    return Math.log2(this.scale / 256)
  }

  /** The window, in world coordinates; x may leave 0 to 1. @returns {WorldBox} */
  get box() {
    const [halfX, halfY] = [this.width / this.scale / 2, this.height / this.scale / 2]
    return { minX: this.x - halfX, maxX: this.x + halfX, minY: this.y - halfY, maxY: this.y + halfY }
  }

  /**
   * Pixels of a place, on the copy of the world nearest to the centre.
   * @param {number} wx @param {number} wy
   * @returns {[number, number]}
   */
  toPixel(wx, wy) {
    const dx = wx - this.x
    return [(dx - Math.round(dx)) * this.scale + this.width / 2, (wy - this.y) * this.scale + this.height / 2]
  }

  /** @param {number} px @param {number} py @returns {{ lon: number, lat: number }} */
  toPlace(px, py) {
    const { minX, minY } = this.box
    return { lon: lonOf(minX + px / this.scale), lat: latOf(minY + py / this.scale) }
  }

  /** @param {number} dx pixels the content moves @param {number} dy */
  pan(dx, dy) {
    this.x -= dx / this.scale
    this.y -= dy / this.scale
    this.clamp()
  }

  /** The place under the pixel stays there. @param {number} factor @param {number} [px] @param {number} [py] */
  zoomBy(factor, px = this.width / 2, py = this.height / 2) {
    const [fromX, fromY] = [px - this.width / 2, py - this.height / 2]
    const before = this.scale
    this.scale = Math.min(DEEPEST, Math.max(this.width, before * factor))
    this.x += fromX / before - fromX / this.scale
    this.y += fromY / before - fromY / this.scale
    this.clamp()
  }

  /** Shows the width of a box and its middle, without room around it: as another picture of that box does. @param {WorldBox} box */
  match({ minX, minY, maxX, maxY }) {
    this.scale = this.width / (maxX - minX)
    this.x = (minX + maxX) / 2
    this.y = (minY + maxY) / 2
    this.clamp()
  }

  /** @param {WorldBox} box */
  fit({ minX, minY, maxX, maxY }) {
    const spanX = Math.max(maxX - minX, LEAST_SPAN)
    const spanY = Math.max(maxY - minY, LEAST_SPAN)
    const room = (/** @type {number} */ size) => Math.max(size - 2 * PADDING, size / 2)
    this.scale = Math.min(room(this.width) / spanX, room(this.height) / spanY)
    this.x = (minX + maxX) / 2
    this.y = (minY + maxY) / 2
    this.clamp()
  }
}

/**
 * @param {readonly number[]} bounds west, south, east, north; west > east crosses the antimeridian
 * @returns {WorldBox}
 */
export function boxOf([west = -180, south = -60, east = 180, north = 75]) {
  return { minX: worldX(west), maxX: worldX(east < west ? east + 360 : east), minY: worldY(north), maxY: worldY(south) }
}

/**
 * The smallest box round all, on copies of the world that lie near the first.
 * @param {readonly WorldBox[]} boxes
 * @returns {WorldBox | null}
 */
export function unionBox(boxes) {
  const [first, ...others] = boxes
  if (first === undefined) return null
  const all = { ...first }
  for (const box of others) {
    const turn = Math.round((box.minX + box.maxX - all.minX - all.maxX) / 2)
    all.minX = Math.min(all.minX, box.minX - turn)
    all.maxX = Math.max(all.maxX, box.maxX - turn)
    all.minY = Math.min(all.minY, box.minY)
    all.maxY = Math.max(all.maxY, box.maxY)
  }
  return all
}

/** The smallest box round flat lines; null when there are none. @param {readonly Float64Array[]} lines @returns {WorldBox | null} */
export function boxOfLines(lines) {
  if (lines.length === 0) return null
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity }
  for (const line of lines) {
    for (let at = 0; at < line.length; at += 2) {
      box.minX = Math.min(box.minX, Number(line[at]))
      box.maxX = Math.max(box.maxX, Number(line[at]))
      box.minY = Math.min(box.minY, Number(line[at + 1]))
      box.maxY = Math.max(box.maxY, Number(line[at + 1]))
    }
  }
  return box
}
