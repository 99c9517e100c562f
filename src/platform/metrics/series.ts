import type { Measured, Point } from './point.ts'

/** One line of a chart. */
export interface Series {
  name: string
  points: { at: number; value: number }[]
}

/** The values of `name` over time; where it was not known there is no point. */
export function seriesOf(points: readonly Point[], name: string): Series {
  return {
    name,
    points: points.flatMap(({ at, data }) => {
      const value = data[name]
      return typeof value === 'number' ? [{ at, value }] : []
    })
  }
}

/** One line per radio or source: the values of `name` of each. */
export function seriesByKey(points: readonly Point[], name: string): Series[] {
  return [...eachSeries(points, name)]
}

/** `seriesByKey`, one line after the other. */
export function* eachSeries(points: readonly Point[], name: string): Generator<Series> {
  const keys = new Set<string>()
  for (const { data } of points) for (const key of Object.keys(data)) keys.add(key)
  for (const key of [...keys].sort()) {
    const line: Series = { name: key, points: [] }
    for (const { at, data } of points) {
      const value = inner(data, key)?.[name]
      if (typeof value === 'number') line.points.push({ at, value })
    }
    yield line
  }
}

function inner(data: Measured, key: string): Record<string, number | null> | null {
  const value = data[key]
  return typeof value === 'object' && value !== null ? value : null
}

/** A counter as what was added per hour; where it began anew (a restart) there is a gap. */
export function perHour({ name, points }: Series): Series {
  return {
    name,
    points: points.flatMap(({ at, value }, n) => {
      const before = points[n - 1]
      if (before === undefined || value < before.value || at <= before.at) return []
      return [{ at, value: ((value - before.value) * 3_600_000) / (at - before.at) }]
    })
  }
}

/**
 * At most `most` points for drawing: of each stretch of time its smallest and its largest value, so that no peak is lost.
 * The stored points stay as they are.
 */
export function thinned({ name, points }: Series, most: number): Series {
  if (points.length <= most) return { name, points }
  const first = points[0]?.at ?? 0
  const span = (points.at(-1)?.at ?? 0) - first + 1
  const slots = new Map<number, Series['points']>()
  for (const point of points) {
    const slot = Math.floor(((point.at - first) / span) * Math.floor(most / 2))
    const list = slots.get(slot)
    if (list === undefined) slots.set(slot, [point])
    else list.push(point)
  }
  const kept = [...slots.values()].flatMap((list) => {
    const low = list.reduce((a, b) => (b.value < a.value ? b : a))
    const high = list.reduce((a, b) => (b.value > a.value ? b : a))
    return low === high ? [low] : [low, high].sort((a, b) => a.at - b.at)
  })
  return { name, points: kept }
}
