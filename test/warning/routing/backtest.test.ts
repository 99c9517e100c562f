import fc from 'fast-check'
import t from 'tap'
import type { DeliveryView } from '../../../src/warning/outbox/delivery.ts'
import type { RegionRoutes } from '../../../src/warning/routing/settings.ts'
import { START, type Station, station } from '../../helpers/station.ts'

const cell = (mt: number | null, mc: string | null, min_severity: 'routine' | 'critical' = 'routine') => ({
  mt,
  mc,
  min_severity,
  enabled: true
})
const ROUTES: RegionRoutes = {
  enabled: true,
  cells: {
    weather: { North: cell(1, 'north'), South: cell(2, null) },
    fire: { North: cell(1, null), South: cell(2, null, 'critical') }
  }
}
const AREAS = [
  { name: 'North', codes: ['IDC001', 'IDC003'] },
  { name: 'South', codes: ['IDC005'] }
]
const configOf = (more: Record<string, unknown> = {}) => ({
  station: { timezone: 'UTC' },
  coverage: { region_tagging: true, areas: AREAS },
  notifications: { region_routes: ROUTES, coalesce_seconds: 20, ...more }
})
const quiet_hours = { enabled: true, start: '22:00', end: '06:00', pass_severity: 'critical', families: [] }
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString()

const LEFT = new Set(['sent', 'heard', 'delivered', 'unconfirmed', 'sent_unknown'])
const left = (s: Station): DeliveryView[] => s.deliveries().filter(({ state }) => LEFT.has(state))

/** The station's messages, counted as a report counts. */
function done(s: Station): Record<string, [messages: number, bytes: number]> {
  const counts: Record<string, [number, number]> = {}
  for (const { transport, channel, bytes } of left(s)) {
    const [messages, sum] = counts[`${transport}:${channel}`] ?? [0, 0]
    counts[`${transport}:${channel}`] = [messages + 1, sum + (bytes ?? 0)]
  }
  return counts
}

async function said(s: Station, routes: RegionRoutes = ROUTES): Promise<ReturnType<typeof done>> {
  const report = await s.core.backtest(routes, START - 1, s.clock.now() + 1)
  return Object.fromEntries(report.channels.map(({ channel, messages, bytes }) => [channel, [messages, bytes]]))
}

t.test('a back-test counts merged messages once, as they leave', async (t) => {
  const s = await station(t, { config: configOf() })
  const warning = { family: 'weather', severity: 'priority', thread_id: 'W', regions: [], expires: at(300) }
  await s.post({ ...warning, id: '1', zones: ['IDC001'], title: 'one' })
  await s.run(5)
  await s.post({ ...warning, id: '2', zones: ['IDC003'], title: 'two', lifecycle: 'update' })
  await s.run(600)
  t.strictSame(Object.keys(done(s)).sort(), ['mc:north', 'mt:1'])
  t.equal(left(s).length, 2)
  t.strictSame(await said(s), done(s))
})

t.test('a back-test of a matrix that is off for a network counts nothing there, and says why', async (t) => {
  const s = await station(t, { config: configOf() })
  await s.post({ id: 'x', family: 'weather', severity: 'priority', regions: [], zones: ['IDC001'] })
  await s.run(60)
  t.strictSame(Object.keys(await said(s, { ...ROUTES, mc_enabled: false })), ['mt:1'])
  const none = await s.core.backtest({ ...ROUTES, mt_enabled: false, mc_enabled: false }, START - 1, s.clock.now() + 1)
  t.same(none.channels, [])
  t.match(none.silent, { network_off: 1 })
})

t.test(
  'a back-test of long texts one after the other keeps the pause of four times their time on the air',
  async (t) => {
    const toggles = { weather: { cooldown_seconds: 0 } }
    const s = await station(t, { config: configOf({ toggles, coalesce_seconds: 0 }) })
    for (const id of ['one', 'two', 'three']) {
      const title = `${id} incident near the northern road along the river`
      const summary = 'Moves east with the wind; crews are on their way, the road may close within the hour.'
      await s.post({ id, family: 'weather', severity: 'priority', regions: [], zones: ['IDC001'], title, summary })
    }
    await s.run(600)
    t.equal(done(s)['mc:north']?.[0], 3)
    t.strictSame(await said(s), done(s))
  }
)

t.test('a back-test tells what the quiet hours held in one digest', async (t) => {
  const s = await station(t, { config: configOf({ quiet_hours }) })
  await s.run(5 * 3600)
  const held = { family: 'weather', severity: 'priority', regions: [], zones: ['IDC005'], expires: at(20 * 60) }
  for (const id of ['a', 'b', 'c']) {
    const data = { event_name: `${id} Warning` }
    await s.post({ ...held, id, title: id, sent_at: at(300), category: `weather_${id}`, data })
    await s.run(60)
  }
  await s.run(9 * 3600)
  t.equal(left(s).length, 1)
  t.match(s.onAir()[0], /QUIET/)
  t.strictSame(await said(s), done(s))
})

t.test('a back-test ends a thing on the channel that was told of the end, and on no other', async (t) => {
  const toggles = { weather: { cooldown_seconds: 0 } }
  const s = await station(t, { config: configOf({ toggles }) })
  const zones = ['IDC001', 'IDC005']
  const warning = { family: 'weather', severity: 'priority', regions: [], expires: at(300), thread_id: 'W' }
  const flood = (kind: string) => ({ data: { event_name: `Flood ${kind}` } })
  await s.post({ ...warning, id: '1', zones, title: 'w', ...flood('Warning') })
  await s.run(60)
  await s.post({ ...warning, id: '2', zones: ['IDC001'], lifecycle: 'cancel', title: 'w', ...flood('Warning') })
  await s.run(60)
  const watch = { ...warning, thread_id: 'X', severity: 'routine', ...flood('Watch'), expires: at(200) }
  await s.post({ ...watch, id: '3', zones, title: 'x' })
  await s.run(60)
  t.strictSame(await said(s), done(s))
})

t.test('a back-test says of what came at a cold start what the station did with it', async (t) => {
  const s = await station(t, { config: configOf() })
  const warning = { family: 'weather', severity: 'priority', regions: [], zones: ['IDC001'], expires: at(300) }
  await s.post({ ...warning, id: '1', title: 'old' }, { coldStart: true })
  await s.post({ ...warning, id: '2', title: 'new' })
  await s.run(600)
  t.strictSame(await said(s), done(s))
})

t.test('a back-test works in steps and stops when it is told to', async (t) => {
  const s = await station(t, { config: configOf() })
  for (let n = 0; n < 20; n++) await s.post({ family: 'fire', severity: 'critical', id: `${n}`, title: `${n}` })
  let steps = 0
  const gone = new Error('gone')
  const pace = async (): Promise<void> => {
    if (++steps === 5) throw gone
  }
  await t.rejects(s.core.backtest(ROUTES, START - 1, s.clock.now() + 1, pace), gone)
  t.equal(steps, 5)
})

const SEVERITIES = ['routine', 'priority', 'critical', 'immediate'] as const
const NAMES = ['Flood Warning', 'Flood Watch', 'Wind Advisory', 'Tornado Warning', 'Tornado Watch']
const step = fc.record({
  /** Minutes after the one before; 0: at once. */
  after: fc.constantFrom(0, 1, 2, 7, 45, 200),
  thread: fc.nat(4),
  severity: fc.constantFrom(...SEVERITIES),
  family: fc.constantFrom('weather', 'fire'),
  name: fc.constantFrom(...NAMES),
  zones: fc.uniqueArray(fc.constantFrom('IDC001', 'IDC003', 'IDC005', 'IDC099'), { minLength: 1, maxLength: 4 }),
  lasts: fc.constantFrom(null, 20, 90, 600),
  end: fc.constantFrom(false, false, false, true)
})

t.test('whatever came, a back-test with the matrix of the station says what the station did', async (t) => {
  const setting = fc.record({
    quiet: fc.boolean(),
    cooldown: fc.constantFrom(0, 300),
    steps: fc.array(step, { minLength: 1, maxLength: 14 })
  })
  await fc.assert(
    fc.asyncProperty(setting, async ({ quiet, cooldown, steps }) => {
      const toggles = { weather: { cooldown_seconds: cooldown }, fire: { cooldown_seconds: cooldown } }
      const s = await station(t, {
        config: configOf({ toggles, ...(quiet ? { quiet_hours } : {}) })
      })
      let minute = 0
      for (const [n, { after, thread, severity, family, name, zones, lasts, end }] of steps.entries()) {
        minute += after
        await s.run(after * 60)
        await s.post({
          id: `e${n}`,
          thread_id: `T${thread}`,
          severity,
          family,
          zones,
          regions: [],
          title: `${name} ${n}`,
          lifecycle: end ? 'cancel' : 'update',
          sent_at: at(minute),
          expires: lasts === null ? null : at(minute + lasts),
          data: { event_name: name }
        })
      }
      for (let hour = 0; hour < 30 && s.core.waiting.open() > 0; hour++) await s.run(3600)
      t.strictSame(await said(s), done(s), JSON.stringify({ quiet, cooldown, steps }))
    }),
    { numRuns: 25 }
  )
})
