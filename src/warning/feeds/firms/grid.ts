const KM_PER_DEGREE = 111.195
const RADIANS = Math.PI / 180

/** Anything that is somewhere. Degrees. */
export interface Place {
  lat: number
  lon: number
}

/**
 * Squares of equal size over the world, so that neighbours are found without comparing everything with everything. The side is so
 * short that two places in one square are never more than `reachKm` apart.
 */
export class Grid {
  readonly #latStep: number
  readonly #reach: number

  constructor(reachKm: number) {
    this.#reach = reachKm / KM_PER_DEGREE
    this.#latStep = this.#reach / Math.SQRT2
  }

  /** The name of the square a place lies in. */
  cell({ lat, lon }: Place): string {
    const row = Math.floor(lat / this.#latStep)
    return `${row}:${Math.floor(lon / this.#lonStep(row))}`
  }

  /** The squares in which something within reach of the place may lie, its own among them. */
  *around({ lat, lon }: Place): Generator<string> {
    const last = Math.floor((lat + this.#reach) / this.#latStep)
    for (let row = Math.floor((lat - this.#reach) / this.#latStep); row <= last; row++) {
      const step = this.#lonStep(row)
      const reach = Math.min(180, this.#reach / narrowing(lat))
      const east = Math.floor((lon + reach) / step)
      for (let column = Math.floor((lon - reach) / step); column <= east; column++) yield `${row}:${column}`
    }
  }

  /** Squares keep their width in kilometres: toward the poles they span more degrees. */
  #lonStep(row: number): number {
    const nearestToEquator = Math.min(Math.abs(row), Math.abs(row + 1)) * this.#latStep
    return this.#latStep / narrowing(nearestToEquator)
  }
}

/** Never zero: at the poles there is no fire, and no end of squares. */
function narrowing(lat: number): number {
  return Math.max(0.02, Math.cos(lat * RADIANS))
}

/** Distance in kilometres over a few kilometres: flat, 0.5 % off at most. */
export function nearKm(a: Place, b: Place): number {
  const x = (a.lon - b.lon) * narrowing((a.lat + b.lat) / 2)
  return KM_PER_DEGREE * Math.hypot(x, a.lat - b.lat)
}
