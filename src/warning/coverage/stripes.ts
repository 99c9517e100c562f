/** The edges of an outline sorted into horizontal stripes, so that a question about one latitude reads only a few of them. */
export interface Stripes {
  /** The beginning of each stripe's edges in `edges`; one entry more than there are stripes. */
  readonly starts: Uint32Array
  /** Numbers of edges: the index of an edge's first vertex. An edge stands in every stripe it touches. */
  readonly edges: Uint16Array | Uint32Array
  readonly minY: number
  readonly perDegree: number
}

const EDGES_A_STRIPE = 6
/** Above this many entries an edge the stripes are made coarser: a zigzag of tall edges would fill all memory. */
const ENTRIES_AN_EDGE = 5

/** The stripe of a latitude within the outline; clamped, and never decreasing with latitude. */
export function stripeOf(stripes: Stripes, y: number): number {
  const last = stripes.starts.length - 2
  const at = Math.floor((y - stripes.minY) * stripes.perDegree)
  return at < 0 ? 0 : at > last ? last : at
}

/** Sorts the edges of rings (`xy` flat, `ends` one past the last vertex of each) into stripes between two latitudes. */
export function makeStripes(xy: Float64Array, ends: readonly number[], minY: number, maxY: number): Stripes {
  const list = listEdges(ends)
  const height = maxY - minY
  let count = height > 0 ? Math.max(1, Math.ceil(list.length / EDGES_A_STRIPE)) : 1
  for (;;) {
    const perDegree = height > 0 ? count / height : 0
    const grid: Stripes = {
      starts: new Uint32Array(count + 1),
      edges: list,
      minY,
      perDegree: Number.isFinite(perDegree) ? perDegree : 0
    }
    const total = countEntries(grid, xy)
    if (count === 1 || total <= ENTRIES_AN_EDGE * list.length) return fill(grid, xy, total)
    count >>= 1
  }
}

function listEdges(ends: readonly number[]): Uint32Array {
  const total = (ends.at(-1) ?? 0) - ends.length
  const list = new Uint32Array(total)
  let at = 0
  let vertex = 0
  for (const end of ends) {
    for (; vertex < end - 1; vertex++) list[at++] = vertex
    vertex = end
  }
  return list
}

/** Leaves in `starts[i + 1]` how many entries stripe i will have, and returns their sum. */
function countEntries(grid: Stripes, xy: Float64Array): number {
  let total = 0
  for (const edge of grid.edges) {
    const a = stripeOf(grid, xy[2 * edge + 1] ?? 0)
    const b = stripeOf(grid, xy[2 * edge + 3] ?? 0)
    const to = Math.max(a, b)
    for (let at = Math.min(a, b); at <= to; at++) grid.starts[at + 1] = (grid.starts[at + 1] ?? 0) + 1
    total += Math.abs(a - b) + 1
  }
  return total
}

function fill(grid: Stripes, xy: Float64Array, total: number): Stripes {
  const { starts } = grid
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
  const next = starts.slice()
  const edges = xy.length / 2 <= 0x10000 ? new Uint16Array(total) : new Uint32Array(total)
  for (const edge of grid.edges) {
    const a = stripeOf(grid, xy[2 * edge + 1] ?? 0)
    const b = stripeOf(grid, xy[2 * edge + 3] ?? 0)
    const to = Math.max(a, b)
    for (let at = Math.min(a, b); at <= to; at++) {
      const slot = next[at] ?? 0
      edges[slot] = edge
      next[at] = slot + 1
    }
  }
  return { ...grid, edges }
}
