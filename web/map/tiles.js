// The optional base map: one PMTiles file of the data folder, read in pieces. Without one, or with a broken one, the
// atlas stands alone.
import { get } from '../lib/api.js'
import { t } from '../lib/i18n.js'

const MOST_TILES = 160
const MOST_AT_ONCE = 6
const MOST_IN_VIEW = 64
const ANCESTORS = 4
/** Types of tiles in a PMTiles header, version 3. */
const VECTOR = 1
const RASTERS = [2, 3, 4, 5]

/** @import { View } from './view.js' */
/** @typedef {{ text: string, x: number, y: number, rank: number }} TileLabel */
/** @typedef {{ image: CanvasImageSource & { width: number, height: number } | null, labels: TileLabel[], ready: boolean }} Tile */
/** @typedef {{ redraw: () => void, credit: (text: string) => void, fail: (why: string) => void }} Told */
/** @typedef {import('./base.js').Colours} Colours */

/** @param {Told} told */
export function openTiles(told) {
  return new Tiles(told)
}

export class Tiles {
  /** @type {import('../vendor/pmtiles.js').PMTiles | null} */ #archive = null
  /** @type {{ vector: boolean, minZoom: number, maxZoom: number, bounds: number[] } | null} */ #header = null
  /** Least lately used first. @type {Map<string, Tile>} */ #tiles = new Map()
  #inFlight = 0
  #failed = false
  #theme = ''
  #file = ''
  #told

  /** @param {Told} told */
  constructor(told) {
    this.#told = told
    this.#open().catch(() => this.#fail())
  }

  /** The kind of tiles in the archive; null while nobody knows. @returns {'vector' | 'raster' | null} */
  get kind() {
    if (this.#header === null) return null
    return this.#header.vector ? 'vector' : 'raster'
  }

  async #open() {
    const { body } = await get('/api/maps').catch(() => ({ body: { maps: [] } }))
    const [first] = body.maps
    if (first === undefined) return
    this.#file = first.file
    const { PMTiles } = await import('../vendor/pmtiles.js')
    const archive = new PMTiles(new URL(first.url, location.href).href)
    const { tileType, minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = await archive.getHeader()
    if (tileType !== VECTOR && !RASTERS.includes(tileType)) throw new Error(t('its tiles are of an unknown kind'))
    this.#archive = archive
    this.#header = { vector: tileType === VECTOR, minZoom, maxZoom, bounds: [minLon, minLat, maxLon, maxLat] }
    this.#told.redraw()
    const metadata = /** @type {any} */ (await archive.getMetadata())
    if (typeof metadata?.attribution === 'string') this.#told.credit(plainText(metadata.attribution))
  }

  /** Told once; the map goes on without. */
  #fail() {
    if (this.#failed) return
    this.#failed = true
    this.#told.fail(
      t(
        'The base map {file} cannot be read: the map goes on without it. Put a whole file into the folder maps, or take it away.',
        {
          file: this.#file
        }
      )
    )
  }

  /**
   * Draws what is there and asks for what is missing.
   * @param {CanvasRenderingContext2D} pen @param {View} view @param {Colours} colours
   * @returns {TileLabel[] | null} names to write, in world coordinates; null: nothing was drawn
   */
  draw(pen, view, colours) {
    if (this.#header === null) return null
    this.#followTheme(colours)
    const { vector, minZoom, maxZoom } = this.#header
    const zoom = Math.min(maxZoom, Math.round(view.zoom - (vector ? 1 : 0)))
    if (zoom < minZoom) return null
    const wanted = this.#inView(view, zoom)
    /** @type {TileLabel[]} */
    const labels = []
    let drawn = false
    for (const { x, y, turn } of wanted) {
      const found = this.#nearest(zoom, x, y)
      if (found === null) continue
      drawn = true
      paint(pen, view, found, { zoom, x, y, turn })
      for (const label of found.above === 0 ? found.tile.labels : []) {
        labels.push({ ...label, x: (x + label.x) / 2 ** zoom, y: (y + label.y) / 2 ** zoom })
      }
    }
    for (const { x, y } of wanted) this.#ask(zoom, x, y, colours)
    return drawn ? labels.sort((a, b) => b.rank - a.rank) : null
  }

  /** @param {Colours} colours */
  #followTheme({ land, water }) {
    if (this.#theme !== land + water && this.#header?.vector) this.#tiles.clear()
    this.#theme = land + water
  }

  /** The middle first. @param {View} view @param {number} zoom */
  #inView(view, zoom) {
    const { minX, maxX, minY, maxY } = view.box
    const side = 2 ** zoom
    const [west = -180, south = -90, east = 180, north = 90] = this.#header?.bounds ?? []
    const found = []
    for (let column = Math.floor(minX * side); column <= Math.floor(maxX * side); column++) {
      for (let y = Math.max(0, Math.floor(minY * side)); y <= Math.min(side - 1, Math.floor(maxY * side)); y++) {
        const turn = Math.floor(column / side)
        const x = column - turn * side
        const [left, right] = [(x / side) * 360 - 180, ((x + 1) / side) * 360 - 180]
        if (right < west || left > east || latitude((y + 1) / side) > north || latitude(y / side) < south) continue
        found.push({ x, y, turn, far: Math.hypot((column + 0.5) / side - view.x, (y + 0.5) / side - view.y) })
      }
    }
    return found.sort((a, b) => a.far - b.far).slice(0, MOST_IN_VIEW)
  }

  /** The tile, or the nearest of those that hold it. @param {number} zoom @param {number} x @param {number} y */
  #nearest(zoom, x, y) {
    for (let above = 0; above <= Math.min(ANCESTORS, zoom); above++) {
      const tile = this.#tiles.get(`${zoom - above}/${x >> above}/${y >> above}`)
      if (tile?.ready && tile.image !== null) return { tile, above }
    }
    return null
  }

  /** @param {number} zoom @param {number} x @param {number} y @param {Colours} colours */
  #ask(zoom, x, y, colours) {
    const key = `${zoom}/${x}/${y}`
    const known = this.#tiles.get(key)
    if (known !== undefined) {
      this.#tiles.delete(key)
      this.#tiles.set(key, known)
      return
    }
    if (this.#inFlight >= MOST_AT_ONCE) return
    this.#inFlight++
    /** @type {Tile} */
    const tile = { image: null, labels: [], ready: false }
    this.#tiles.set(key, tile)
    this.#load(zoom, x, y, colours)
      .then((loaded) => Object.assign(tile, loaded))
      .catch(() => this.#fail())
      .finally(() => {
        tile.ready = true
        this.#inFlight--
        this.#forget()
        this.#told.redraw()
      })
  }

  /** @param {number} zoom @param {number} x @param {number} y @param {Colours} colours */
  async #load(zoom, x, y, colours) {
    const answer = await this.#archive?.getZxy(zoom, x, y)
    if (answer === undefined) return {}
    if (!this.#header?.vector) return { image: await createImageBitmap(new Blob([answer.data])) }
    const [{ decodeTile }, { paintTile, WANTED }] = await Promise.all([import('./mvt.js'), import('./tile-style.js')])
    return paintTile(decodeTile(new Uint8Array(answer.data), WANTED), colours)
  }

  #forget() {
    for (const key of this.#tiles.keys()) {
      if (this.#tiles.size <= MOST_TILES) return
      this.#tiles.delete(key)
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} pen @param {View} view
 * @param {{ tile: Tile, above: number }} found @param {{ zoom: number, x: number, y: number, turn: number }} at
 */
function paint(pen, view, { tile: { image }, above }, { zoom, x, y, turn }) {
  if (image === null) return
  const side = 2 ** zoom
  const [left, top] = [
    (x / side + turn - view.x) * view.scale + view.width / 2,
    (y / side - view.y) * view.scale + view.height / 2
  ]
  const size = view.scale / side
  const parts = 2 ** above
  const [width, height] = [image.width / parts, image.height / parts]
  // A hair wider: no seams between tiles.
  pen.drawImage(image, (x % parts) * width, (y % parts) * height, width, height, left, top, size + 0.5, size + 0.5)
}

/** @param {number} y */
function latitude(y) {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI
}

/** @param {string} markup */
function plainText(markup) {
  const text = new DOMParser().parseFromString(markup, 'text/html').body.textContent ?? ''
  return text.trim().slice(0, 200)
}
