import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/platform/database/database.ts'
import { MetricsHistory } from '../../src/platform/metrics/history.ts'
import { metricsMigrations } from '../../src/platform/metrics/schema.ts'
import { startLookout } from '../helpers/process.ts'
import { checkPage, closeBrowser, openPage } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(300_000)

const EVERY_MS = 120_000
const wave = (n: number, period: number): number => Math.sin((2 * Math.PI * n) / period)

t.test('a day of measurements is drawn without fault at three widths', async (t) => {
  const data = t.testdir({})
  const db = await openDatabase({
    path: join(data, 'metrics.db'),
    migrations: metricsMigrations,
    synchronous: 'NORMAL'
  })
  const history = new MetricsHistory({ db, keepDays: 7 })
  const now = Date.now()
  for (let n = 700; n > 0; n--) {
    // Half an hour without power.
    if (n > 300 && n < 316) continue
    history.record(now - n * EVERY_MS, {
      system: {
        cpu_percent: 30 + 25 * wave(n, 90),
        process_cpu_percent: 4 + 2 * wave(n, 31),
        rss_bytes: 68e6 + 3e6 * wave(n, 200),
        memory_available_bytes: 210e6 + 40e6 * wave(n, 300),
        // An update in the night: from then on all processes are measured.
        ...(n > 500
          ? {}
          : {
              station_processes: 3,
              station_memory_bytes: 110e6 + 60e6 * wave(n, 120),
              station_memory_peak_bytes: 150e6 + 110e6 * wave(n, 120),
              station_memory_is_pss: 1,
              main_memory_bytes: 66e6 + 3e6 * wave(n, 200),
              worker_memory_bytes: 70e6 + 50e6 * wave(n, 120),
              largest_child_bytes: 60e6 + 60e6 * wave(n, 60),
              station_cpu_percent: 20 + 15 * wave(n, 90)
            }),
        temperature_celsius: 52 + 6 * wave(n, 720),
        throttled: 0,
        throttled_since_boot: n < 200 ? 1 : 0,
        disk_free_bytes: 12e9 - (700 - n) * 2e5,
        disk_written_bytes: (700 - n) * 3e5,
        process_written_bytes: (700 - n) * 9e4
      },
      radios: {
        roof: {
          ready: n % 97 === 0 ? 0 : 1,
          waiting: n % 5,
          channel_utilization: 0.1,
          nodes_known: 12,
          battery_percent: 90
        },
        mast: { ready: 1, waiting: 0, channel_utilization: 0.03, nodes_known: 4, battery_percent: null }
      },
      airtime: { roof: { used_seconds: 40 + 30 * wave(n, 60) }, mast: { used_seconds: 10 } },
      feeds: { nws: { up: 1, bytes: (700 - n) * 4e4 }, quakes: { up: n % 50 === 0 ? 0 : 1, bytes: (700 - n) * 1e4 } },
      knowledge: {
        total: 900,
        complete: 700 - n,
        in_pipeline: n % 20,
        failed: 3,
        items: (700 - n) * 40,
        vectors: (700 - n) * 39
      }
    })
  }
  history.close()
  const station = await startLookout(t, data, { env: { LOOKOUT_LOG: 'error' } })
  await checkPage(t, { base: station.url, path: '/history', name: 'history-day' })
  await tellsValues(t, station.url)
  await checkPage(t, { base: station.url, path: '/history?hours=168', name: 'history-week' })
})

/** Under the pointer stands what the line shows there, and when. */
async function tellsValues(t: Test, base: string): Promise<void> {
  const watched = await openPage(t, { base })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${base}/history`, { waitUntil: 'load' })
  // In the middle of its day; nobody points at what is below the edge.
  await page.hover('#nodes > svg')
  const told = await page.$eval('#nodes .told', (line) => line.textContent)
  t.match(
    told,
    /^\w{3},? \d{1,2}:\d\d [AP]M · mast 4 · roof 12$/,
    'both lines, in their own numbers, by the clock of the station'
  )
  await page.mouse.move(0, 0)
  t.equal(await page.$eval('#nodes .told', (line) => line.textContent), '')
}
