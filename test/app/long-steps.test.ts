import t from 'tap'
import type { VirtualClock } from '../../src/platform/clock/clock.ts'
import { NOW } from '../dashboard/harness.ts'
import { clientApart } from '../helpers/client-apart.ts'
import { StepMeter } from '../helpers/step-meter.ts'
import { config, FAMILIES, storm } from '../helpers/storm.ts'

/**
 * Contract §6, *Warnings before work*: nothing that anybody asks for, and no chore, holds the thread of the radios for longer than
 * this, on the machine of docs/measurements.md. Milliseconds.
 */
const MOST_MS = 25
/** The first try compiles, and others may use this machine meanwhile: one of so many is to be short enough. */
const MOST_TRIES = 10

/** Time goes on while somebody waits for an answer. */
async function whileTimeGoes(clock: VirtualClock, answer: Promise<number>): Promise<number> {
  let over = false
  void answer.then(() => {
    over = true
  })
  while (!over) await clock.runTo(clock.now() + 1)
  return answer
}

const PAGES = [
  ...['/', '/alerts', '/events', '/events?q=nothing+like+it', '/deliveries', '/deliveries?state=failed'],
  ...['/deliveries?channel=nowhere', '/mesh-a/routing', '/mesh-b/routing', '/coverage', '/radios', '/first-run'],
  ...['/settings', '/settings/notifications', '/sources', '/history', '/docs/api', '/api/openapi.json', '/metrics'],
  ...['/api/status', '/api/radios', '/api/health/live', '/api/events?q=nothing+like+it', '/api/settings', '/profile'],
  ...['/api/notifications/region-routing', '/api/settings/schema', '/api/silences', '/api/coverage']
]
const LISTS = [
  ...['/api/events?limit=500', '/api/deliveries?limit=500', '/api/deliveries?limit=500&format=csv', '/events'],
  ...['/', '/alerts', '/api/deliveries?limit=500&format=jsonl', '/deliveries']
]
const ROUTING = '/api/notifications/region-routing'

function shaped(id: string, corners: number, patch = {}, size = 2) {
  const ring = Array.from({ length: corners }, (_, n) => {
    const [angle, reach] = [(n / corners) * 2 * Math.PI, 1 + 0.1 * Math.sin(n)]
    return [-115 + size * Math.cos(angle) * reach, 44 + size * Math.sin(angle) * reach]
  })
  const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
  const times = { sent_at: new Date(NOW).toISOString(), expires: new Date(NOW + 7_200_000).toISOString() }
  return {
    id,
    source: 'test',
    family: 'fire',
    severity: 'critical',
    title: `Fire ${id}`,
    ...times,
    geometry,
    ...patch
  }
}

t.test('in a storm no single step holds the thread of the radios for longer than 25 ms', async (t) => {
  const meter = new StepMeter()
  t.teardown(() => meter.close())
  const s = await storm(t, { transmit: true })
  const asking = clientApart(t, s.service.port)
  const ask = async (path: string, posted?: unknown): Promise<number> => {
    // Nobody asks for more than one may.
    if (posted !== undefined && path !== '/api/events') await s.clock.runTo(s.clock.now() + 60_000)
    return asking(path, posted)
  }
  const { time } = s
  /** The least of some tries: another one is made only while none was short enough. */
  const holds = async (what: string, work: (attempt: number) => Promise<unknown>): Promise<void> => {
    meter.begin()
    const steps: number[] = []
    let limit = { ms: 0, why: '' }
    do {
      const { ms } = await meter.longest(async () => {
        const status = await work(steps.length)
        if (typeof status === 'number' && (status < 200 || status > 299)) t.fail(`${what}: ${status}`)
      })
      steps.push(ms)
      limit = meter.limit(MOST_MS)
    } while (steps.length < MOST_TRIES && Math.min(...steps) > limit.ms)
    const longest = Math.min(...steps)
    t.comment(`${what}: ${steps.map((ms) => ms.toFixed(1)).join(', ')} ms of CPU, ${limit.why}`)
    t.ok(longest <= limit.ms, `${what}: ${longest.toFixed(1)} ms`)
  }
  const read = (paths: readonly string[], when = '') =>
    paths.reduce(async (before, path) => {
      await before
      await holds(`${path}${when}`, async () => {
        // Pages that were drawn a moment ago are drawn anew.
        await s.time.runTo(s.time.now() + 2000)
        return ask(path)
      })
    }, Promise.resolve())

  await read([...PAGES, ...LISTS])
  await holds('ten clients at once', async () => {
    const many = Array.from({ length: 10 }, () =>
      fetch(`${s.service.url}/api/events?limit=200`).then((r) => r.arrayBuffer())
    )
    await Promise.all(many)
  })
  let serial = 0
  const post = (events: unknown): Promise<number> => whileTimeGoes(time, ask('/api/events', events))
  for (const corners of [40, 700, 5000]) {
    await holds(`an event of ${corners} corners over all cells`, () => post(shaped(`s${serial++}`, corners)))
    await holds(`what would become of ${corners} corners`, () =>
      ask(`${ROUTING}/explain`, { event: shaped('x', corners) })
    )
  }
  await holds('what would become of an event below every floor', () =>
    ask(`${ROUTING}/explain`, { event: shaped('x', 40, { severity: 'routine' }), matrix: floors })
  )
  await holds('300 events in one post', () =>
    post(Array.from({ length: 300 }, () => shaped(`b${serial++}`, 40, { severity: 'priority' }, 0.1)))
  )
  await read(LISTS, ' with large shapes')
  const since = new Date(NOW - 2 * 3_600_000).toISOString()
  await holds('a back-test', () => ask(`${ROUTING}/backtest`, { matrix: config.notifications.region_routes, since }))
  await holds('a preview of areas', () => ask('/api/coverage/preview', { coverage: config.coverage }))

  // No radio is listened to yet.
  s.core.start()
  await holds('a sweep of what waits', () => time.runTo(time.now() + 30_000))
  // Each try silences another one: what is silent already costs nothing.
  for (const [named, all] of Object.entries({
    family: FAMILIES,
    region: ['Valley 1', 'Valley 2', 'Valley 3', 'Valley 4']
  }))
    await holds(`a silence of a ${named}`, (attempt) =>
      ask('/api/silences', { [named]: all[attempt % all.length], duration: '5m', reason: 'too much' })
    )
  await holds('what follows', () => time.runTo(time.now() + 30_000))
  s.setNotifications({ enabled: false })
  await holds('switched off', () => time.runTo(time.now() + 30_000))
  s.setNotifications({})
  await holds('switched on', () => time.runTo(time.now() + 30_000))
  await holds('the clock is set', async () => {
    s.core.clockSet()
    await time.runTo(time.now() + 500)
  })
  time.set(time.now() + 2 * 3_600_000)
  await holds('all that waited too long', () => time.runTo(time.now() + 30_000))
  time.set(time.now() + 40 * 86_400_000)
  await time.runTo(time.now() + 30_000)
  await holds('tidying', async () => {
    s.core.tidy()
    await time.runTo(time.now() + 2000)
  })
})

const floors = {
  ...config.notifications.region_routes,
  cells: Object.fromEntries(
    Object.entries(config.notifications.region_routes.cells).map(([family, row]) => [
      family,
      Object.fromEntries(Object.entries(row).map(([region, cell]) => [region, { ...cell, min_severity: 'critical' }]))
    ])
  )
}
