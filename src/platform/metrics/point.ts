/** Kinds of measurements over time (contract §10). */
export const METRIC_TYPES = ['knowledge', 'radios', 'feeds', 'airtime', 'system'] as const
export type MetricType = (typeof METRIC_TYPES)[number]

/** Numbers by name; `radios`, `feeds` and `airtime` have one such object per radio or source. Null: not known then. */
export type Measured = Record<string, number | null | Record<string, number | null>>

/** Contract §10: one point per 120 s, kept 7 days. */
export const POINT_EVERY_MS = 120_000
export const MAX_HOURS = 168

export interface Point {
  /** Epoch milliseconds. */
  at: number
  data: Measured
}
