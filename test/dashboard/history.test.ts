import t from 'tap'
import { openDatabase } from '../../src/platform/database/database.ts'
import { MetricsHistory } from '../../src/platform/metrics/history.ts'
import { metricsMigrations } from '../../src/platform/metrics/schema.ts'
import { fire, NOW, station } from './harness.ts'

type Tap = Parameters<typeof station>[0]

async function withHistory(t: Tap) {
  const db = await openDatabase({ path: ':memory:', migrations: metricsMigrations, synchronous: 'NORMAL' })
  const history = new MetricsHistory({ db, keepDays: 7 })
  return { history, ...(await station(t, { context: { history } })) }
}

t.test(
  'GET /api/metrics/history: type, hours and points, oldest first; knowledge and 24 hours unless asked',
  async (t) => {
    const { ask, history } = await withHistory(t)
    history.record(NOW - 240_000, { system: { load_1m: 1 }, knowledge: { total: 3 } })
    history.record(NOW - 120_000, { system: { load_1m: 2 } })
    t.same((await ask('/api/metrics/history?type=system&hours=1')).body, {
      type: 'system',
      hours: 1,
      points: [
        { timestamp: '2026-07-01T11:56:00.000Z', data: { load_1m: 1 } },
        { timestamp: '2026-07-01T11:58:00.000Z', data: { load_1m: 2 } }
      ]
    })
    t.match((await ask('/api/metrics/history')).body, {
      type: 'knowledge',
      hours: 24,
      points: [{ data: { total: 3 } }]
    })
  }
)

t.test('a week of measurements comes in pieces, whole, with and without compression', async (t) => {
  const { ask, history, service } = await withHistory(t)
  const feeds = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`feed${n}`, { up: 1, bytes: n * 1e6 }]))
  for (let at = NOW - 7 * 86_400_000 + 120_000; at < NOW; at += 600_000) history.record(at, { feeds })
  const path = '/api/metrics/history?type=feeds&hours=168'
  for (const accepted of ['identity', 'gzip', 'br', 'gzip;q=0']) {
    // `fetch` undoes the compression.
    const answer = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': accepted } })
    const { points } = (await answer.json()) as { points: { timestamp: string }[] }
    const times = points.map(({ timestamp }) => timestamp)
    t.equal(times.length, 1008, accepted)
    t.same(times, times.toSorted(), 'oldest first')
    t.equal(answer.headers.get('content-encoding'), accepted === 'gzip' ? 'gzip' : null)
    t.equal(answer.headers.get('vary'), 'Accept-Encoding')
  }
  const head = await ask({ method: 'HEAD', path, headers: { 'accept-encoding': 'identity' } })
  t.equal(head.text, '')
  t.ok(Number(head.headers['content-length']) > 100_000)
})

t.test('another type, and hours outside 1–168, are 422', async (t) => {
  const { ask } = await withHistory(t)
  for (const query of [
    'type=peertube',
    'type=',
    'hours=0',
    'hours=169',
    'hours=-1',
    'hours=1.5',
    'hours=abc',
    'hours='
  ])
    t.equal((await ask(`/api/metrics/history?${query}`)).status, 422, query)
  for (const query of ['hours=1', 'hours=168', 'type=radios', 'type=feeds', 'type=airtime'])
    t.equal((await ask(`/api/metrics/history?${query}`)).status, 200, query)
})

t.test('a profile without history says so', async (t) => {
  const { ask } = await station(t)
  t.equal((await ask('/api/metrics/history')).status, 404)
  t.match((await ask('/history')).text, /This profile keeps no history/)
})

t.test('a station that has measured nothing says so once', async (t) => {
  const { ask, history } = await withHistory(t)
  const { text } = await ask('/history')
  t.equal(text.match(/Nothing measured yet/g)?.length, 1)
  t.notMatch(text, /<figure|<h2>Machine/)
  for (const at of [NOW - 240_000, NOW - 120_000]) history.record(at, { system: { cpu_percent: 4 } })
  const young = (await ask('/history')).text
  t.notMatch(young, /Nothing measured yet/)
  t.match(
    young,
    /<h2>Machine[\s\S]*<figure class="chart" id="cpu"[\s\S]*Not measured yet: Memory; Memory by process [^;]*; Longest step/
  )
  t.match(young, /<h2>Radios<\/h2><p class="quiet">Not measured yet: Time on air/)
  t.equal(young.match(/<figure/g)?.length, 1, 'what has no line has no frame')
})

t.test('the page draws every line on the server', async (t) => {
  const { ask, history } = await withHistory(t)
  for (let n = 30; n > 0; n--)
    history.record(NOW - n * 120_000, {
      system: { cpu_percent: n, rss_bytes: 7e7, disk_written_bytes: (31 - n) * 1e6 },
      radios: { roof: { ready: 1, waiting: n % 4 }, '<b>': { ready: 0, waiting: 1 } },
      airtime: { roof: { used_seconds: n } }
    })
  const { text } = await ask('/history?hours=6')
  t.match(text, /<figure class="chart" id="cpu"[^>]*>[\s\S]*?<path class="line s0" d="M[\d.]+ [\d.]+L/)
  t.match(text, /30 MB/, 'written per hour')
  t.match(text, /&lt;b&gt;/)
  t.notMatch(text, /<script(?! type="application\/json")(?! type="module")/)
  const { portions } = history
  let hours = 0
  history.portions = (type, span) => {
    hours += span.hours
    return portions.call(history, type, span)
  }
  t.match((await ask('/history?hours=6')).text, /30 MB/)
  t.ok(hours < 1, 'charts are drawn once for all who look before the next point')
  t.match((await ask('/history?hours=5')).text, /aria-current="page">24 hours/, 'a span that is not offered is a day')
})

t.test('points of an older version are drawn beside those that tell of all processes', async (t) => {
  const { ask, history } = await withHistory(t)
  for (let n = 30; n > 0; n--) {
    const all = {
      station_memory_bytes: 1.5e8,
      station_memory_is_pss: 0,
      main_memory_bytes: 6e7,
      worker_memory_bytes: 9e7
    }
    history.record(NOW - n * 120_000, { system: { rss_bytes: 7e7, ...(n > 15 ? {} : all) } })
  }
  const { text } = await ask('/history?hours=6')
  const chart = /<figure class="chart" id="processes"[\s\S]*?<\/figure>/.exec(text)?.[0] ?? ''
  t.match(chart, /RSS/, 'it says how the memory was counted')
  t.match(chart, /Main process[\s\S]*70(?:\.0)? MB/, 'the older points')
  t.match(chart, /Worker[\s\S]*90(?:\.0)? MB/)
  t.match(text, /All processes of Lookout/)
})

t.test('names of metrics are part of the interface', async (t) => {
  const { ask, history } = await withHistory(t)
  history.record(NOW - 60_000, { system: { cpu_percent: 12.5, temperature_celsius: null }, knowledge: { total: 4 } })
  const { text } = await ask('/metrics')
  t.match(text, /^lookout_system_cpu_percent 12\.5$/m)
  t.match(text, /^lookout_documents 4$/m)
  t.notMatch(text, /^lookout_system_temperature_celsius \S/m, 'what is not known has no sample')
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => `${name} ${kind}`)
  t.same(names.toSorted(), [...new Set(names)].toSorted(), 'each once')
  t.matchOnly(names.toSorted(), [
    'lookout_airtime_budget_seconds gauge',
    'lookout_airtime_used_seconds gauge',
    'lookout_build_info gauge',
    'lookout_config_stale gauge',
    'lookout_deliveries gauge',
    'lookout_documents gauge',
    'lookout_documents_complete gauge',
    'lookout_documents_failed gauge',
    'lookout_documents_in_pipeline gauge',
    'lookout_events_total counter',
    'lookout_items gauge',
    'lookout_loop_stalled_seconds_total counter',
    'lookout_loop_worst_stall_seconds gauge',
    'lookout_queue_waiting gauge',
    'lookout_radio_ready gauge',
    'lookout_ready gauge',
    'lookout_source_bytes_total counter',
    'lookout_source_events_total counter',
    'lookout_source_last_ok_seconds gauge',
    'lookout_source_requests_total counter',
    'lookout_source_up gauge',
    'lookout_station_cpu_percent gauge',
    'lookout_station_largest_child_bytes gauge',
    'lookout_station_main_memory_bytes gauge',
    'lookout_station_memory_bytes gauge',
    'lookout_station_memory_is_pss gauge',
    'lookout_station_memory_peak_bytes gauge',
    'lookout_station_processes gauge',
    'lookout_station_service_memory_peak_bytes gauge',
    'lookout_station_worker_memory_bytes gauge',
    'lookout_stream_clients gauge',
    'lookout_system_cpu_percent gauge',
    'lookout_system_disk_free_bytes gauge',
    'lookout_system_disk_total_bytes gauge',
    'lookout_system_disk_written_bytes gauge',
    'lookout_system_load1 gauge',
    'lookout_system_memory_available_bytes gauge',
    'lookout_system_memory_total_bytes gauge',
    'lookout_system_process_cpu_percent gauge',
    'lookout_system_temperature_celsius gauge',
    'lookout_system_throttled gauge',
    'lookout_up gauge',
    'lookout_vectors gauge',
    'process_resident_memory_bytes gauge',
    'process_start_time_seconds gauge'
  ])
})

t.test('when something grave was in force is shaded behind the lines, and nothing milder', async (t) => {
  const s = await withHistory(t)
  for (let n = 60; n > 0; n--) s.history.record(NOW - n * 120_000, { system: { cpu_percent: n } })
  const bands = async (): Promise<string[]> =>
    (await s.ask('/history')).text
      .match(/<figure class="chart" id="cpu"[\s\S]*?<\/figure>/)?.[0]
      .match(/<rect class="band"/g) ?? []
  const mild = { ...fire, id: 'mild', severity: 'priority', thread_id: 'mild' }
  await s.ask({ path: '/api/events', body: mild })
  t.same(await bands(), [])
  s.history.record(NOW, { system: { cpu_percent: 1 } })
  await s.ask({ path: '/api/events', body: fire })
  t.equal((await bands()).length, 1)
})
