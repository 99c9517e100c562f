// The ground of a map, on a canvas: the bundled atlas, and tiles of the optional base map over it.
import { t } from '../lib/i18n.js'
import { loadSheet } from './atlas.js'
import { Labels } from './labels.js'

/** From here on the sheet is worth its weight. */
const STATES_ZOOM = 2.5
const COUNTIES_ZOOM = 6
const STATE_NAMES_ZOOM = 4
const COUNTY_NAMES_ZOOM = 7.5
/** Borders and how wide they are. */
const LINES = /** @type {const} */ ([
  ['counties', 0.6],
  ['world', 1.4],
  ['states', 1.2]
])
/** Vertices nearer than this to the last one drawn are left out, squared pixels. */
const NEAR = 0.4

/** @import { View } from './view.js' */
/** @import { Drawn, Sheet } from './atlas.js' */
/** @typedef {{ dark: boolean, land: string, water: string, border: string, text: string, halo: string, green: string, road: string }} Colours */

export class Base {
  /** @type {Record<string, Sheet | null>} */
  #sheets = {}
  #redraw
  #fail
  #tiles

  /** @param {{ redraw: () => void, fail: (why: string) => void, tiles: import('./tiles.js').Tiles | null }} options */
  constructor({ redraw, fail, tiles }) {
    this.#redraw = redraw
    this.#fail = fail
    this.#tiles = tiles
  }

  /** @param {'world' | 'states' | 'counties'} name @returns {Sheet | null} null while it comes */
  #sheet(name) {
    const known = this.#sheets[name]
    if (known !== undefined) return known
    this.#sheets[name] = null
    loadSheet(name)
      .then((sheet) => {
        this.#sheets[name] = sheet
        this.#redraw()
      })
      .catch(() => {
        delete this.#sheets[name]
        this.#fail(t('The outlines of the map do not come. Load the page again when the station answers.'))
      })
    return null
  }

  /** @param {CanvasRenderingContext2D} pen @param {View} view @param {Colours} colours */
  draw(pen, view, colours) {
    pen.fillStyle = colours.water
    pen.fillRect(0, 0, view.width, view.height)
    const world = this.#sheet('world')
    const states = view.zoom >= STATES_ZOOM || world !== null ? this.#sheet('states') : null
    const counties = view.zoom >= COUNTIES_ZOOM ? this.#sheet('counties') : null
    pen.lineJoin = 'round'
    for (const sheet of [world, states]) if (sheet !== null) fill(pen, view, sheet.fills, colours.land)
    const names = this.#tiles?.draw(pen, view, colours) ?? null
    const sheets = { world, states, counties: names === null ? counties : null }
    for (const [name, width] of LINES) stroke(pen, view, sheets[name]?.borders ?? [], { colour: colours.border, width })
    const labels = new Labels(pen, view, colours)
    for (const { text, x, y } of names ?? []) labels.draw([{ text, x, y, span: 1 }], { size: 12, from: 0 })
    labels.draw(states?.labels, { size: 13, from: STATE_NAMES_ZOOM })
    labels.draw(sheets.counties?.labels, { size: 11, from: COUNTY_NAMES_ZOOM })
  }
}

/**
 * Calls `work` for each copy of the world that the box of `drawn` shows in: the offset to add to x.
 * @param {View} view @param {Drawn} drawn @param {(turn: number) => void} work
 */
function onCopies(view, { box }, work) {
  const seen = view.box
  if (box.maxY < seen.minY || box.minY > seen.maxY) return
  for (let turn = Math.ceil(seen.minX - box.maxX); turn <= seen.maxX - box.minX; turn++) work(turn)
}

/** @param {CanvasRenderingContext2D} pen @param {View} view @param {readonly Drawn[]} all @param {string} colour */
function fill(pen, view, all, colour) {
  pen.fillStyle = colour
  // Neighbours share their edges: without this the water shines through between them.
  pen.strokeStyle = colour
  pen.lineWidth = 1
  for (const drawn of all) {
    onCopies(view, drawn, (turn) => {
      pen.beginPath()
      for (const line of drawn.lines) trace(pen, view, line, turn)
      pen.fill('evenodd')
      pen.stroke()
    })
  }
}

/**
 * @param {CanvasRenderingContext2D} pen @param {View} view @param {readonly Drawn[]} all
 * @param {{ colour: string, width: number }} style
 */
function stroke(pen, view, all, { colour, width }) {
  pen.strokeStyle = colour
  pen.lineWidth = width
  pen.beginPath()
  for (const drawn of all) {
    onCopies(view, drawn, (turn) => {
      for (const line of drawn.lines) trace(pen, view, line, turn)
    })
  }
  pen.stroke()
}

/** @param {CanvasRenderingContext2D} pen @param {View} view @param {Float64Array} line @param {number} turn */
function trace(pen, view, line, turn) {
  const { scale, x, y, width, height } = view
  const [left, top] = [(turn - x) * scale + width / 2, height / 2 - y * scale]
  let [beforeX, beforeY] = [Infinity, Infinity]
  const last = line.length - 2
  for (let at = 0; at <= last; at += 2) {
    const px = Number(line[at]) * scale + left
    const py = Number(line[at + 1]) * scale + top
    const [dx, dy] = [px - beforeX, py - beforeY]
    if (at > 0 && at < last && dx * dx + dy * dy < NEAR) continue
    if (at === 0) pen.moveTo(px, py)
    else pen.lineTo(px, py)
    beforeX = px
    beforeY = py
  }
}
