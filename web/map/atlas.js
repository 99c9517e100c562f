// The bundled atlas, projected once: world (110 m), states and counties of the United States (10 m). Each file is
// fetched when it is first needed.
import { toWorld } from './mercator.js'
import { boxOfLines } from './view.js'

/** Rings or lines of one thing with the box round them. @typedef {{ lines: Float64Array[], box: import('./view.js').WorldBox }} Drawn */
/** @typedef {{ text: string, x: number, y: number, span: number }} Label */
/** @typedef {{ fills: Drawn[], borders: Drawn[], labels: Label[] }} Sheet */

/** @type {Map<string, Promise<Sheet>>} */
const loading = new Map()

/**
 * Rejects when the station does not answer; the next call tries again.
 * @param {'world' | 'states' | 'counties'} name
 * @returns {Promise<Sheet>}
 */
export function loadSheet(name) {
  const known = loading.get(name)
  if (known) return known
  const started = READ[name]().catch((error) => {
    loading.delete(name)
    throw error
  })
  loading.set(name, started)
  return started
}

const READ = {
  /** The United States are left out: their own sheet is finer. */
  world: async () => {
    const { features, borders } = await readAtlas('countries-110m', 'countries', (a, b) => a !== b)
    return sheet(
      features.filter(({ id }) => id !== '840'),
      borders
    )
  },
  states: async () => {
    const { features, borders } = await readAtlas('states-10m', 'states', (a, b) => a !== b)
    return sheet(features, borders)
  },
  /** Lines and names only: the land is drawn already. */
  counties: async () => {
    const inner = (/** @type {any} */ a, /** @type {any} */ b) => a !== b && sameState(a.id, b.id)
    const { features, borders } = await readAtlas('counties-10m', 'counties', inner)
    return { ...sheet(features, borders), fills: [] }
  }
}

/** @param {unknown} a @param {unknown} b */
function sameState(a, b) {
  return String(a).slice(0, 2) === String(b).slice(0, 2)
}

/**
 * All that lies in an atlas, and the lines between two of which `isBorder`. Its reader comes with it: a map without an atlas needs none.
 * @param {string} name @param {string} what @param {(a: any, b: any) => boolean} isBorder
 * @returns {Promise<{ features: any[], borders: any[] }>}
 */
async function readAtlas(name, what, isBorder) {
  const [topology, { feature, mesh }] = await Promise.all([fetchAtlas(name), import('../vendor/topojson.js')])
  const collection = feature(topology, topology.objects[what])
  return {
    features: 'features' in collection && Array.isArray(collection.features) ? collection.features : [],
    borders: mesh(topology, topology.objects[what], isBorder).coordinates
  }
}

/** @param {string} name @returns {Promise<any>} */
async function fetchAtlas(name) {
  const answer = await fetch(`/static/vendor/atlas/${name}.json`)
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
  return answer.json()
}

/**
 * @param {readonly any[]} features
 * @param {readonly any[]} borders
 * @returns {Sheet}
 */
function sheet(features, borders) {
  const fills = []
  const labels = []
  for (const { geometry, properties } of features) {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    const drawn = polygons.map((/** @type {any} */ rings) =>
      drawnOf(rings.map((/** @type {any} */ ring) => toWorld(ring, null)))
    )
    fills.push(...drawn)
    const label = labelOf(String(properties?.name ?? ''), drawn)
    if (label !== null) labels.push(label)
  }
  return { fills, borders: borders.map((line) => drawnOf([toWorld(line, null)])), labels }
}

/** A place for the name: the middle of the largest piece. @param {string} text @param {readonly Drawn[]} drawn @returns {Label | null} */
function labelOf(text, drawn) {
  const width = (/** @type {Drawn} */ { box }) => (box.maxX - box.minX) * (box.maxY - box.minY)
  const [largest] = [...drawn].sort((a, b) => width(b) - width(a))
  if (text === '' || largest === undefined) return null
  const { minX, maxX, minY, maxY } = largest.box
  return { text, x: (minX + maxX) / 2, y: (minY + maxY) / 2, span: maxX - minX }
}

/** @param {Float64Array[]} lines @returns {Drawn} */
function drawnOf(lines) {
  return { lines, box: boxOfLines(lines) ?? { minX: 0, maxX: 0, minY: 0, maxY: 0 } }
}
