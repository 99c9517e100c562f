import { statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { Collector } from '../../../src/platform/metrics/collector.ts'
import { MetricsHistory } from '../../../src/platform/metrics/history.ts'
import { metricsMigrations } from '../../../src/platform/metrics/schema.ts'
import { perHour, seriesByKey, seriesOf, thinned } from '../../../src/platform/metrics/series.ts'

const NOON = Date.parse('2026-07-01T12:00:00Z')
const HOUR = 3_600_000

async function history(keepDays = 7): Promise<MetricsHistory> {
  const db = await openDatabase({ path: ':memory:', migrations: metricsMigrations, synchronous: 'NORMAL' })
  return new MetricsHistory({ db, keepDays })
}

t.test('there is one point per 120 s, at whole intervals of the clock, whenever the program started', async (t) => {
  const clock = new VirtualClock(NOON + 37_123)
  const kept = await history()
  let n = 0
  const collector = new Collector({
    history: kept,
    samplers: { system: () => ({ n: n++ }) },
    clock,
    log: { warn() {} }
  })
  collector.start()
  await clock.runTo(NOON + 10 * 60_000)
  const points = kept.read('system', { hours: 1, now: clock.now() })
  t.same(
    points.map(({ at }) => (at - NOON) / 1000),
    [120, 240, 360, 480, 600]
  )
  t.same(
    points.map(({ data }) => data['n']),
    [0, 1, 2, 3, 4]
  )
  await collector.stop()
  await clock.runTo(NOON + HOUR)
  t.equal(kept.read('system', { hours: 2, now: clock.now() }).length, 5, 'none after the end')
})

t.test('points of a quarter of an hour are one commit: the card is spared, and they are read at once', async (t) => {
  const path = join(t.testdir(), 'metrics.db')
  const open = () => openDatabase({ path, migrations: metricsMigrations, synchronous: 'NORMAL' })
  const kept = new MetricsHistory({ db: await open(), keepDays: 7 })
  const sizes = new Set<number>()
  const span = { hours: 1, now: NOON + HOUR }
  for (let n = 1; n <= 7; n++) {
    kept.record(NOON + n * 120_000, { system: { n }, feeds: { n } })
    sizes.add(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0)
    t.equal(kept.read('system', span).length, n)
  }
  t.equal(sizes.size, 1, 'nothing was written')
  kept.record(NOON + 7 * 120_000, { system: { n: -1 } })
  t.same(kept.read('system', span).at(-1)?.data, { n: -1 }, 'a moment that is measured again')
  kept.close()
  const later = new MetricsHistory({ db: await open(), keepDays: 7 })
  t.equal(later.read('system', span).length, 7, 'all of them after a stop')
  for (let n = 8; n <= 15; n++) later.record(NOON + n * 120_000, { system: { n } })
  const other = new MetricsHistory({ db: await open(), keepDays: 7 })
  t.equal(other.read('system', span).length, 15, 'written by now')
  other.close()
  later.close()
})

t.test('who cannot measure leaves a gap and a line in the log; the others go on', async (t) => {
  const clock = new VirtualClock(NOON)
  const kept = await history()
  const warned: string[] = []
  const collector = new Collector({
    history: kept,
    samplers: {
      radios: () => {
        throw new Error('no radio')
      },
      system: async () => ({ load: 1 })
    },
    clock,
    log: { warn: (_: unknown, text?: string) => void warned.push(text ?? '') } as never
  })
  collector.start()
  await clock.runTo(NOON + 4 * 60_000)
  t.equal(kept.read('system', { hours: 1, now: clock.now() }).length, 2)
  t.equal(kept.read('radios', { hours: 1, now: clock.now() }).length, 0)
  t.same(warned, ['nothing was measured: no radio', 'nothing was measured: no radio'])
  await collector.stop()
})

t.test('points are kept seven days, unthinned, and answered oldest first', async (t) => {
  const kept = await history()
  const days = 8
  const each = 120_000
  const count = (days * 24 * HOUR) / each
  for (let n = 0; n <= count; n++) kept.record(NOON + n * each, { feeds: { n } })
  const now = NOON + count * each
  const points = kept.read('feeds', { hours: 168, now })
  t.equal(points.length, (7 * 24 * HOUR) / each)
  t.ok(points.every(({ at }, n) => n === 0 || at === (points[n - 1]?.at ?? 0) + each))
  t.equal(kept.read('feeds', { hours: 400, now })[0]?.at, now - 7 * 24 * HOUR, 'what is older is forgotten')
  t.same(kept.latest('feeds', { now, withinMs: 300_000 })?.data, { n: count })
  t.equal(kept.latest('feeds', { now: now + HOUR, withinMs: 300_000 }), null)
  kept.close()
})

t.test('a point of the same moment replaces the one before: a restart within two minutes counts once', async (t) => {
  const kept = await history()
  kept.record(NOON, { system: { n: 1 } })
  kept.record(NOON, { system: { n: 2 } })
  t.same(kept.read('system', { hours: 1, now: NOON }), [{ at: NOON, data: { n: 2 } }])
})

t.test('lines are made of what was known', (t) => {
  const points = [
    { at: 0, data: { load: 1, roof: { waiting: 2, ready: 1 } } },
    { at: 120_000, data: { load: null, roof: { waiting: null, ready: 1 } } },
    { at: 240_000, data: { load: 3, roof: { waiting: 5, ready: 0 }, mast: { waiting: 1, ready: 1 } } }
  ]
  t.same(seriesOf(points, 'load').points, [
    { at: 0, value: 1 },
    { at: 240_000, value: 3 }
  ])
  t.same(
    seriesByKey(points, 'waiting').map(({ name, points }) => [name, points.map(({ value }) => value)]),
    [
      ['load', []],
      ['mast', [1]],
      ['roof', [2, 5]]
    ]
  )
  t.end()
})

t.test('a counter is shown per hour, with a gap where it began anew', (t) => {
  const points = [100, 400, 50, 80].map((value, n) => ({ at: n * 120_000, value }))
  t.same(
    perHour({ name: 'x', points }).points.map(({ value }) => value),
    [9000, 900]
  )
  t.end()
})

t.test('thinning for drawing keeps order, the smallest and the largest value, and never makes up a point', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: 2000 }),
      fc.integer({ min: 10, max: 500 }),
      (values, most) => {
        const points = values.map((value, n) => ({ at: n * 120_000, value }))
        const thin = thinned({ name: 'x', points }, most).points
        const known = new Set(points)
        return (
          thin.length <= Math.max(most, 0) &&
          thin.every((point) => known.has(point)) &&
          thin.every(({ at }, n) => n === 0 || at > (thin[n - 1]?.at ?? 0)) &&
          Math.max(...thin.map(({ value }) => value)) === Math.max(...values) &&
          Math.min(...thin.map(({ value }) => value)) === Math.min(...values)
        )
      }
    )
  )
  t.end()
})
