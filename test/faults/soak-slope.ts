/** One value at one time, epoch milliseconds. */
export interface Sample {
  at: number
  value: number
}

const HOUR_MS = 3_600_000

/** The growth of a value an hour: the line of least squares through all samples; 0 for fewer than two. */
export function slopeAnHour(samples: readonly Sample[]): number {
  const [first] = samples
  if (first === undefined || samples.length < 2) return 0
  const points = samples.map(({ at, value }) => ({ x: (at - first.at) / HOUR_MS, y: value }))
  const mean = (of: (one: { x: number; y: number }) => number): number =>
    points.reduce((sum, one) => sum + of(one), 0) / points.length
  const [x, y] = [mean((one) => one.x), mean((one) => one.y)]
  const spread = points.reduce((sum, one) => sum + (one.x - x) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, one) => sum + (one.x - x) * (one.y - y), 0) / spread
}
