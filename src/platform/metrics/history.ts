import { drain } from '../clock/slices.ts'
import type { Database } from '../database/database.ts'
import type { Measured, MetricType, Point } from './point.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Read in one go: some hundred points. */
const PORTION_MS = 4 * HOUR_MS
/**
 * Moments that are written together: a quarter of an hour at one every 120 s. Each kind has pages of its own, so that a commit for
 * every moment is 15 MB a day on the card. Whoever pulls the plug loses these.
 */
const TOGETHER = 8
/** Kept while the disk refuses them. */
const MOST_WAITING = 30 * 24

interface Span {
  hours: number
  now: number
}

interface Moment {
  at: number
  measured: Partial<Record<MetricType, Measured>>
}

/** The measurements of the last days. Points are kept as they were measured; thinning is for drawing only (contract §10). */
export class MetricsHistory {
  readonly #db: Database
  readonly #keepMs: number
  /** Measured and not written yet, oldest first; read with the others. */
  #waiting: Moment[] = []

  constructor({ db, keepDays }: { db: Database; keepDays: number }) {
    this.#db = db
    this.#keepMs = keepDays * DAY_MS
  }

  /** Takes one point of each kind. Now and then all that wait are written, and what is too old is forgotten: one commit. @throws StorageError */
  record(at: number, measured: Moment['measured']): void {
    this.#waiting = [...this.#waiting.filter((moment) => moment.at !== at), { at, measured }].slice(-MOST_WAITING)
    if (this.#waiting.length >= TOGETHER) this.#write()
  }

  #write(): void {
    const moments = this.#waiting
    this.#db.transaction(() => {
      for (const { at, measured } of moments)
        for (const [type, data] of Object.entries(measured))
          this.#db
            .sql('INSERT OR REPLACE INTO points (type, at, data) VALUES (?, ?, ?)')
            .run(type, at, JSON.stringify(data))
      const [newest] = moments.slice(-1)
      for (const type of Object.keys(newest?.measured ?? {}))
        this.#db.sql('DELETE FROM points WHERE type = ? AND at < ?').run(type, (newest?.at ?? 0) - this.#keepMs)
    })
    this.#waiting = []
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
    // Points that are too old go with the next commit only.
    const begin = now - Math.min(hours * HOUR_MS, this.#keepMs + 1)
    for (let from = begin; from < now; from += PORTION_MS) {
      const to = Math.min(now, from + PORTION_MS)
      const written = this.#db
        .sql('SELECT at, data FROM points WHERE type = ? AND at > ? AND at <= ? ORDER BY at')
        .all(type, from, to)
        .map((row) => ({ at: Number(row['at']), json: String(row['data']) }))
      yield this.#withWaiting(written, { type, from, to })
    }
  }

  /** A clock that was set back measures the same moments again: the later measurement counts. */
  #withWaiting(
    written: { at: number; json: string }[],
    { type, from, to }: { type: MetricType; from: number; to: number }
  ): { at: number; json: string }[] {
    const waiting = this.#waiting.flatMap(({ at, measured }) => {
      const data = at > from && at <= to ? measured[type] : undefined
      return data === undefined ? [] : [{ at, json: JSON.stringify(data) }]
    })
    if (waiting.length === 0) return written
    const byTime = new Map([...written, ...waiting].map((point) => [point.at, point]))
    return [...byTime.values()].sort((a, b) => a.at - b.at)
  }

  /** The newest point not older than `withinMs`; null when there is none. */
  latest(type: MetricType, { now, withinMs }: { now: number; withinMs: number }): Point | null {
    return this.read(type, { hours: withinMs / HOUR_MS, now }).at(-1) ?? null
  }

  /** Writes what waits. @throws StorageError, when the database is closed all the same */
  close(): void {
    try {
      if (this.#waiting.length > 0) this.#write()
    } finally {
      this.#db.close()
    }
  }
}
