import { Grid, nearKm } from './grid.ts'
import type { Pixel } from './pixels.ts'

/** Pixels that belong together. Kilometres, megawatts, epoch milliseconds. */
export interface Cluster {
  pixels: Pixel[]
  lat: number
  lon: number
  radiusKm: number
  frp: number
  first: Pixel
  last: number
}

export interface ClusterRule {
  km: number
  hours: number
}

const HOUR_MS = 3_600_000
/** Of a square this many pixels are compared with those of its neighbours: a square holds some tens in a day at most. */
const MOST_COMPARED = 48
const STEP = 512

/**
 * Pixels linked by chains of pixels near to each other in place and time, in the order of the listing. A generator, so that a poll
 * can pause; linear in the number of pixels.
 */
export function* clusterPixels(pixels: readonly Pixel[], { km, hours }: ClusterRule): Generator<void, Cluster[]> {
  const links = new Links(pixels.length)
  const grid = new Grid(km)
  const cells = new Map<string, number[]>()
  for (const [index, pixel] of pixels.entries()) {
    const cell = grid.cell(pixel)
    const members = cells.get(cell)
    if (members === undefined) cells.set(cell, [index])
    else members.push(index)
    if (index % STEP === 0) yield
  }
  const near = (a: number, b: number): boolean => {
    const [one, other] = [pixels[a], pixels[b]]
    if (one === undefined || other === undefined) return false
    return Math.abs(one.time - other.time) <= hours * HOUR_MS && nearKm(one, other) <= km
  }
  let done = 0
  for (const [cell, members] of cells) {
    linkInside(members, pixels, hours * HOUR_MS, links)
    for (const index of members.slice(0, MOST_COMPARED)) {
      const pixel = pixels[index]
      if (pixel !== undefined) linkAround(index, { grid, cells, links, near, cell, pixel })
      if (++done % STEP === 0) yield
    }
  }
  return yield* gather(pixels, links)
}

/** In one square everything is near: only time can part. */
function linkInside(members: readonly number[], pixels: readonly Pixel[], ms: number, links: Links): void {
  const inOrder = members.toSorted((a, b) => (pixels[a]?.time ?? 0) - (pixels[b]?.time ?? 0))
  for (const [place, index] of inOrder.entries()) {
    const before = inOrder[place - 1]
    if (before !== undefined && (pixels[index]?.time ?? 0) - (pixels[before]?.time ?? 0) <= ms)
      links.join(before, index)
  }
}

interface Around {
  grid: Grid
  cells: ReadonlyMap<string, readonly number[]>
  links: Links
  near: (a: number, b: number) => boolean
  cell: string
  pixel: Pixel
}

function linkAround(index: number, { grid, cells, links, near, cell, pixel }: Around): void {
  for (const other of grid.around(pixel)) {
    if (other === cell) continue
    for (const candidate of (cells.get(other) ?? []).slice(0, MOST_COMPARED)) {
      if (links.rootOf(index) !== links.rootOf(candidate) && near(index, candidate)) links.join(index, candidate)
    }
  }
}

/** Union-find with path halving. */
class Links {
  readonly #parents: Int32Array

  constructor(count: number) {
    this.#parents = Int32Array.from({ length: count }, (_, index) => index)
  }

  rootOf(index: number): number {
    let at = index
    for (;;) {
      const parent = this.#parents[at] ?? at
      if (parent === at) return at
      const above = this.#parents[parent] ?? parent
      this.#parents[at] = above
      at = above
    }
  }

  /** The lower index stays the root. */
  join(a: number, b: number): void {
    const [one, other] = [this.rootOf(a), this.rootOf(b)]
    this.#parents[Math.max(one, other)] = Math.min(one, other)
  }
}

function* gather(pixels: readonly Pixel[], links: Links): Generator<void, Cluster[]> {
  const groups = new Map<number, Pixel[]>()
  for (const [index, pixel] of pixels.entries()) {
    const root = links.rootOf(index)
    const group = groups.get(root)
    if (group === undefined) groups.set(root, [pixel])
    else group.push(pixel)
  }
  yield
  const clusters: Cluster[] = []
  for (const group of groups.values()) {
    const [first] = group.toSorted((a, b) => a.time - b.time || a.lat - b.lat || a.lon - b.lon)
    if (first !== undefined) clusters.push(measured(group, first))
    if (clusters.length % STEP === 0) yield
  }
  return clusters
}

function measured(pixels: Pixel[], first: Pixel): Cluster {
  let [lat, lon, frp, last] = [0, 0, 0, first.time]
  for (const pixel of pixels) {
    lat += pixel.lat / pixels.length
    lon += pixel.lon / pixels.length
    frp += pixel.frp
    last = Math.max(last, pixel.time)
  }
  const centre = { lat: round5(lat), lon: round5(lon) }
  let radiusKm = 0
  for (const pixel of pixels) radiusKm = Math.max(radiusKm, nearKm(centre, pixel))
  return { pixels, ...centre, radiusKm, frp, first, last }
}

function round5(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5
}
