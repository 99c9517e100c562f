/**
 * The lines of an atlas (TopoJSON) as numbers that are drawn without being parsed: 32-bit floats, little-endian. First how many lines there are, then of
 * each west, south, east, north and the number of its corners, then the corners of all: longitude and latitude in degrees.
 */

/** Lines by number, each with the things that it bounds. */
function users(objects) {
  const found = new Map()
  for (const { id, type, arcs } of objects) {
    const rings = type === 'Polygon' ? arcs : (arcs ?? []).flat()
    for (const arc of rings.flat()) {
      const number = arc < 0 ? ~arc : arc
      found.set(number, [...(found.get(number) ?? []), String(id)])
    }
  }
  return found
}

function corners(arc, { scale, translate }) {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/** `isDrawn` is told the ids of what a line bounds. */
export function linesOf(topology, name, isDrawn) {
  const bounded = users(topology.objects[name].geometries)
  const lines = topology.arcs
    .filter((_arc, number) => bounded.has(number) && isDrawn(bounded.get(number)))
    .map((arc) => corners(arc, topology.transform))
  const heads = lines.map((line) => {
    const [xs, ys] = [0, 1].map((axis) => line.map((corner) => corner[axis]))
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), line.length]
  })
  const numbers = Float32Array.from([lines.length, ...heads.flat(), ...lines.flat(2)])
  return Buffer.from(numbers.buffer)
}

/** The United States have finer lines of their own. */
const UNITED_STATES = '840'
const inOneState = (ids) => ids.length === 2 && ids[0].slice(0, 2) === ids[1].slice(0, 2)

/** The file and the lines of each layer: coasts and borders of countries and of states, and counties inside of a state. */
export const LINES = {
  countries: ['countries-110m.json', (ids) => !ids.includes(UNITED_STATES)],
  states: ['states-10m.json', () => true],
  counties: ['counties-10m.json', inOneState]
}
