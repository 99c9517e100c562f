// The style of vector tiles: few colours, so that regions and events stand out. Knows the layers of Protomaps and
// OpenMapTiles.

/** @import { TileFeature, TileLayer } from './mvt.js' */
/** @import { Colours } from './base.js' */
/** @typedef {{ names: readonly string[], fill?: 'land' | 'water' | 'border' | 'green' | 'road', stroke?: 'land' | 'water' | 'border' | 'green' | 'road', width?: (feature: TileFeature) => number, alpha?: number }} Rule */

/** Pixels a side. */
export const TILE_SIZE = 512
const MAX_LABELS = 60

/** In the order they are drawn. @type {readonly Rule[]} */
const RULES = [
  { names: ['earth'], fill: 'land' },
  { names: ['landcover', 'landuse', 'park'], fill: 'green', alpha: 0.5 },
  { names: ['water'], fill: 'water', stroke: 'water', width: () => 1 },
  { names: ['waterway'], stroke: 'water', width: () => 1.5 },
  { names: ['buildings', 'building'], fill: 'border', alpha: 0.4 },
  { names: ['roads', 'transportation'], stroke: 'road', width: roadWidth },
  { names: ['boundaries', 'boundary'], stroke: 'border', width: () => 1.5 }
]
const PLACES = ['places', 'place']
const GREEN = /forest|wood|park|grass|nature|protected|scrub|meadow|farmland/

/** Layers that are read from a tile. */
export const WANTED = new Set([...RULES.flatMap(({ names }) => names), ...PLACES])

/** @param {TileFeature} feature */
function roadWidth(feature) {
  const kind = kindOf(feature)
  if (/highway|motorway|trunk/.test(kind)) return 2.5
  if (/major|primary|secondary/.test(kind)) return 1.6
  return /path|track|rail|ferry/.test(kind) ? 0.5 : 0.9
}

/**
 * The tile as a picture, and the names in it (x, y from 0 to 1).
 * @param {ReadonlyMap<string, TileLayer>} layers
 * @param {Colours} colours
 */
export function paintTile(layers, colours) {
  const canvas = document.createElement('canvas')
  canvas.width = TILE_SIZE
  canvas.height = TILE_SIZE
  const pen = canvas.getContext('2d')
  if (pen !== null) for (const rule of RULES) drawRule(pen, layers, rule, colours)
  return { image: canvas, labels: placesIn(layers) }
}

/** @param {CanvasRenderingContext2D} pen @param {ReadonlyMap<string, TileLayer>} layers @param {Rule} rule @param {Colours} paint */
function drawRule(pen, layers, rule, paint) {
  pen.globalAlpha = rule.alpha ?? 1
  for (const layer of rule.names.flatMap((name) => layers.get(name) ?? [])) {
    for (const feature of layer.features) {
      if (feature.type === 1 || (rule.fill === 'green' && !GREEN.test(kindOf(feature)))) continue
      pen.beginPath()
      for (const line of feature.lines) trace(pen, line, TILE_SIZE / layer.extent)
      inkFeature(pen, feature, rule, paint)
    }
  }
  pen.globalAlpha = 1
}

/** @param {CanvasRenderingContext2D} pen @param {TileFeature} feature @param {Rule} rule @param {Colours} paint */
function inkFeature(pen, feature, { fill, stroke, width }, paint) {
  if (fill !== undefined && feature.type === 3) {
    pen.fillStyle = paint[fill]
    pen.fill('evenodd')
  }
  if (stroke === undefined || (feature.type === 3 && fill !== undefined)) return
  pen.strokeStyle = paint[stroke]
  pen.lineWidth = width?.(feature) ?? 1
  pen.stroke()
}

/** @param {TileFeature} feature */
function kindOf({ tags }) {
  return String(tags['kind'] ?? tags['class'] ?? '')
}

/** @param {CanvasRenderingContext2D} pen @param {readonly number[]} line @param {number} scale */
function trace(pen, line, scale) {
  for (let at = 0; at + 1 < line.length; at += 2) {
    const [x, y] = [Number(line[at]) * scale, Number(line[at + 1]) * scale]
    if (at === 0) pen.moveTo(x, y)
    else pen.lineTo(x, y)
  }
}

/** @param {ReadonlyMap<string, TileLayer>} layers */
function placesIn(layers) {
  const found = PLACES.flatMap((name) => {
    const layer = layers.get(name)
    return (layer?.features ?? []).flatMap(({ type, tags, lines }) => {
      const [x, y] = lines[0] ?? []
      const text = tags['name:en'] ?? tags['name']
      const inside =
        x !== undefined && y !== undefined && x >= 0 && y >= 0 && x < (layer?.extent ?? 0) && y < (layer?.extent ?? 0)
      if (type !== 1 || typeof text !== 'string' || !inside || layer === undefined) return []
      const rank = Number(tags['population_rank'] ?? -Number(tags['rank'] ?? 99))
      return [{ text: text.slice(0, 40), x: x / layer.extent, y: y / layer.extent, rank }]
    })
  })
  return found.sort((a, b) => b.rank - a.rank).slice(0, MAX_LABELS)
}
