import { drain } from '../clock/slices.ts'
import type { Database } from '../database/database.ts'
import type { Measured, MetricType, Point } from './point.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Read in one go: some hundred points. */
const PORTION_MS = 4 * HOUR_MS

interface Span {
  hours: number
  now: number
}

/** The measurements of the last days. Points are kept as they were measured; thinning is for drawing only (contract §10). */
export class MetricsHistory {
  readonly #db: Database
  readonly #keepMs: number

  constructor({ db, keepDays }: { db: Database; keepDays: number }) {
    this.#db = db
    this.#keepMs = keepDays * DAY_MS
  }

  /** Stores one point of each kind, and forgets what is too old: one commit. */
  record(at: number, measured: Partial<Record<MetricType, Measured>>): void {
    this.#db.transaction(() => {
      for (const [type, data] of Object.entries(measured))
        this.#db
          .sql('INSERT OR REPLACE INTO points (type, at, data) VALUES (?, ?, ?)')
          .run(type, at, JSON.stringify(data))
      for (const type of Object.keys(measured))
        this.#db.sql('DELETE FROM points WHERE type = ? AND at < ?').run(type, at - this.#keepMs)
    })
  }

  /** Points of the last `hours` before `now`, oldest first. */
  read(type: MetricType, span: Span): Point[] {
    return drain(this.readSteps(type, span))
  }

  /** `read`, a few hours at a time: a week holds thousands of points. */
  *readSteps(type: MetricType, span: Span): Generator<void, Point[]> {
    const points: Point[] = []
    for (const some of this.portions(type, span)) {
      for (const { at, json } of some) points.push({ at, data: JSON.parse(json) as Measured })
      yield
    }
    return points
  }

  /** The same points as they are stored, in JSON, those of a few hours together: to hand on a week nobody need read it. */
  *portions(type: MetricType, { hours, now }: Span): Generator<{ at: number; json: string }[]> {
    const begin = now - hours * HOUR_MS
    for (let from = begin; from < now; from += PORTION_MS)
      yield this.#db
        .sql('SELECT at, data FROM points WHERE type = ? AND at > ? AND at <= ? ORDER BY at')
        .all(type, from, Math.min(now, from + PORTION_MS))
        .map((row) => ({ at: Number(row['at']), json: String(row['data']) }))
  }

  /** The newest point not older than `withinMs`; null when there is none. */
  latest(type: MetricType, { now, withinMs }: { now: number; withinMs: number }): Point | null {
    return this.read(type, { hours: withinMs / HOUR_MS, now }).at(-1) ?? null
  }

  close(): void {
    this.#db.close()
  }
}
