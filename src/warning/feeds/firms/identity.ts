import { asBag, numberOf } from '../reading/json.ts'
import type { SourceMemory } from '../source.ts'
import type { Cluster } from './clusters.ts'
import { Grid } from './grid.ts'
import { pixelKey } from './pixels.ts'

/** A cluster that has been told. Epoch milliseconds, megawatts. */
export interface KnownCluster {
  id: string
  first: number
  last: number
  /** As told last. */
  pixels: number
  frp: number
  /** The number of times it has doubled since. */
  doublings: number
  /** It has been strong enough for more than routine. */
  strong: boolean
  cells: string[]
}

const PREFIX = 'cluster:'
const MOST_CELLS = 256
const STEP = 64
const HOUR_MS = 3_600_000

interface Likely {
  cluster: Cluster
  known: KnownCluster
  score: number
}

/** The clusters that have been told, from poll to poll: they move, grow and fade while satellites pass. */
export class ClusterStore {
  readonly #memory: SourceMemory
  readonly #grid: Grid
  readonly #hours: number

  constructor(memory: SourceMemory, { km, hours }: { km: number; hours: number }) {
    this.#memory = memory
    this.#grid = new Grid(km)
    this.#hours = hours
  }

  /**
   * Finds the told cluster that each of these is: the one with most squares in common, else one next to it; no told
   * cluster is two.
   */
  *recognise(clusters: readonly Cluster[]): Generator<void, Map<Cluster, KnownCluster>> {
    const byCell = new Map<string, KnownCluster[]>()
    for (const known of this.#all()) {
      for (const cell of known.cells) byCell.set(cell, [...(byCell.get(cell) ?? []), known])
    }
    yield
    const pairs: Likely[] = []
    for (const [index, cluster] of (byCell.size === 0 ? [] : clusters).entries()) {
      pairs.push(...this.#likely(cluster, byCell))
      if (index % STEP === 0) yield
    }
    pairs.sort((a, b) => b.score - a.score || a.known.first - b.known.first)
    const found = new Map<Cluster, KnownCluster>()
    const taken = new Set<string>()
    for (const { cluster, known } of pairs) {
      if (found.has(cluster) || taken.has(known.id)) continue
      found.set(cluster, known)
      taken.add(known.id)
    }
    return found
  }

  #likely(cluster: Cluster, byCell: ReadonlyMap<string, readonly KnownCluster[]>): Likely[] {
    const scores = new Map<KnownCluster, number>()
    const vote = (cell: string, weight: number): void => {
      for (const known of byCell.get(cell) ?? []) {
        if (cluster.first.time - known.last > this.#hours * HOUR_MS) continue
        scores.set(known, (scores.get(known) ?? 0) + weight)
      }
    }
    const representatives = new Map(cluster.pixels.map((pixel) => [this.#grid.cell(pixel), pixel]))
    for (const [cell, pixel] of representatives) {
      vote(cell, 1000)
      for (const near of this.#grid.around(pixel)) vote(near, 1)
    }
    return [...scores].map(([known, score]) => ({ cluster, known, score }))
  }

  /** The id of a cluster seen for the first time: its earliest pixel. */
  static newId({ first }: Cluster): string {
    return pixelKey(first)
  }

  note(known: Omit<KnownCluster, 'cells'>, cluster: Cluster): void {
    const cells = [...new Set(cluster.pixels.map((pixel) => this.#grid.cell(pixel)))].slice(0, MOST_CELLS)
    this.#memory.set(PREFIX + known.id, { ...known, cells })
  }

  /** Forgets what no satellite has seen for twice the time that parts clusters; `latest` is the newest pixel. */
  forget(latest: number): void {
    for (const { id, last } of this.#all()) {
      if (latest - last > 2 * this.#hours * HOUR_MS) this.#memory.delete(PREFIX + id)
    }
  }

  #all(): KnownCluster[] {
    return this.#memory.entries(PREFIX).flatMap(([key, value]) => {
      const bag = asBag(value)
      const [first, last] = [numberOf(bag?.['first']), numberOf(bag?.['last'])]
      const cells: unknown[] = Array.isArray(bag?.['cells']) ? bag['cells'] : []
      if (bag === null || first === null || last === null) return []
      return [
        {
          id: key.slice(PREFIX.length),
          first,
          last,
          pixels: numberOf(bag['pixels']) ?? 1,
          frp: numberOf(bag['frp']) ?? 0,
          doublings: numberOf(bag['doublings']) ?? 0,
          strong: bag['strong'] === true,
          cells: cells.filter((cell) => typeof cell === 'string')
        }
      ]
    })
  }
}
