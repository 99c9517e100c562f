// Names on the ground of a map.

/** @import { View } from './view.js' */
/** @import { Label } from './atlas.js' */
/** @import { Colours } from './base.js' */
/** @typedef {[left: number, top: number, right: number, bottom: number]} Box */

/** Names where there is room for them, none over another. */
export class Labels {
  /** @type {Box[]} */ #taken
  #pen
  #view
  #colours

  /** @param {CanvasRenderingContext2D} pen @param {View} view @param {Colours} colours @param {readonly Box[]} [taken] pixels that others write on */
  constructor(pen, view, colours, taken = []) {
    this.#pen = pen
    this.#view = view
    this.#colours = colours
    this.#taken = [...taken]
  }

  /** @param {readonly Label[] | undefined} labels @param {{ size: number, from: number }} how `from` which zoom */
  draw(labels = [], { size, from }) {
    const pen = this.#pen
    if (this.#view.zoom < from) return
    pen.font = `${size}px system-ui, sans-serif`
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    pen.lineWidth = 3
    pen.strokeStyle = this.#colours.halo
    pen.fillStyle = this.#colours.text
    for (const { text, x, y, span } of labels) {
      const [px, py] = this.#view.toPixel(x, y)
      const outside = px < 0 || py < 0 || px > this.#view.width || py > this.#view.height
      if (outside || span * this.#view.scale < text.length * size * 0.5) continue
      const half = pen.measureText(text).width / 2 + 2
      if (!this.#free([px - half, py - size, px + half, py + size])) continue
      pen.strokeText(text, px, py)
      pen.fillText(text, px, py)
    }
  }

  /** @param {Box} box */
  #free(box) {
    const [left, top, right, bottom] = box
    if (this.#taken.some(([l, t, r, b]) => left < r && right > l && top < b && bottom > t)) return false
    this.#taken.push(box)
    return true
  }
}
