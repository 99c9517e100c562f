import t from 'tap'
import { storm } from '../helpers/storm.ts'

/** Whoever may read may ask as often as they like: no page may cost what a warning waits for (contract §6). */

/**
 * Milliseconds of the processor for one answer: the least of some, as others use this machine too; no further try when it is `enough`.
 */
async function costOf(work: () => Promise<unknown>, { times = 5, enough = 0 } = {}): Promise<number> {
  const costs: number[] = []
  for (let time = 0; time < times && Math.min(...costs) > enough; time++) {
    const begun = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(begun)
    costs.push((user + system) / 1000)
  }
  return Math.min(...costs)
}

const PATHS = [
  ...['/', '/alerts', '/events', '/events?q=nothing+like+it', '/deliveries', '/deliveries?state=failed'],
  ...['/deliveries?channel=nowhere', '/mesh-a/routing', '/mesh-b/routing', '/coverage', '/radios', '/first-run'],
  ...[
    '/settings',
    '/settings/notifications',
    '/sources',
    '/history',
    '/docs/api',
    '/docs/design',
    '/api/openapi.json',
    '/metrics'
  ],
  ...['/api/status', '/api/radios', '/api/health/ready', '/api/events?limit=100', '/api/deliveries?limit=50'],
  ...['/api/deliveries?state=failed', '/api/deliveries?channel=nowhere', '/api/events?q=nothing+like+it'],
  ...['/api/notifications/region-routing', '/api/settings', '/api/settings/schema', '/api/silences', '/api/coverage']
]
/** Half a thousand rows are read, written and sent in slices. */
const LONG = ['/api/events?limit=500', '/api/deliveries?limit=500', '/api/deliveries?limit=500&format=csv']

/** 50 ms of a main thread on which the plain page takes 3.5. */
const MOST = 14
/** This process is the client too, which reads megabytes of JSON. */
const MOST_LONG = 60

t.test('in a storm no anonymous GET costs more than some plain pages', async (t) => {
  const s = await storm(t)
  const plain = await costOf(() => s.ask('/profile'), { times: 12 })
  for (const path of [...PATHS, ...LONG]) {
    // Pages that were drawn a moment ago are drawn anew.
    const most = LONG.includes(path) ? MOST_LONG : MOST
    const work = async (): Promise<void> => {
      await s.clock.runTo(s.clock.now() + 2000)
      const { status } = await s.ask(path)
      if (status !== 200 && status !== 503) t.fail(`${path}: ${status}`)
    }
    const cost = await costOf(work, { enough: most * plain })
    t.ok(cost <= most * plain, `${path}: ${(cost / plain).toFixed(1)} plain pages`)
  }
})

t.test('a routing page asks the radios once, however many cells it has; so does a page of messages', async (t) => {
  const s = await storm(t)
  const radios = s.context.radios
  let asked = 0
  s.context.radios = () => {
    asked++
    return radios()
  }
  for (const path of ['/mesh-a/routing', '/mesh-b/routing', '/deliveries']) {
    asked = 0
    await s.ask(path)
    t.ok(asked <= 4, `${path}: ${asked} times`)
  }
})
