import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { station, withMatrix } from '../../helpers/station.ts'

const NOW = Date.parse('2026-06-01T18:00:00Z')
const CELLS = { weather: { North: { mt: 1, mc: null } } }
const config = withMatrix(CELLS, { toggles: { weather: { cooldown_seconds: 0 } }, coalesce_seconds: 20 })
const at = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString()

const ice = (zone: number, more: Record<string, unknown> = {}) => ({
  id: `ice-${zone}`,
  source: 'cap',
  family: 'weather',
  category: 'weather_warning',
  severity: 'priority',
  title: 'Freezing rain warning',
  expires: at(6),
  sent_at: at(0),
  data: {
    event_name: 'Freezing Rain Warning',
    places: [`Zone ${zone}`],
    detail: 'Ice 5 to 10 mm thick',
    attribution: 'ECCC',
    material: 'priority'
  },
  ...more
})

const river = (name: string, grade: string, more: Record<string, unknown> = {}) => ({
  ...ice(0),
  id: name,
  title: 'Flood Warning',
  expires: at(40),
  data: {
    event_name: 'Flood Warning',
    places: ['King, WA'],
    detail: `${name}: ${grade} flooding, 12ft`,
    attribution: 'NWS SEW',
    material: 'priority'
  },
  ...more
})

t.test('one warning in pieces within minutes is one message', async (t) => {
  const s = await station(t, { config, clock: new VirtualClock(NOW) })
  for (const zone of [1, 2, 3, 4, 5, 6]) await s.post(ice(zone))
  await s.run(60)
  const [only = '', ...more] = s.onAir()
  t.strictSame(more, [])
  t.match(only, /FREEZING RAIN WARN .*Zone 1.*Ice 5 to 10 mm thick/)
  t.equal(s.deliveries({ merged: true }).filter(({ state }) => state === 'merged').length, 5)
})

t.test(
  'river warnings of one product are one message that names each river and its grade, the gravest first',
  async (t) => {
    const s = await station(t, { config, clock: new VirtualClock(NOW) })
    await s.post(river('Green River near Auburn', 'minor'))
    await s.post(river('White River at R Street', 'major'))
    await s.post(river('Cedar River at Renton', 'minor'))
    await s.run(60)
    t.equal(s.onAir().length, 1)
    t.match(
      s.onAir()[0],
      /3 rivers\. White River at R Street: major flooding\. Green River near Auburn: minor flooding/
    )
  }
)

t.test('two warnings that only share a name stay two messages', async (t) => {
  const s = await station(t, { config, clock: new VirtualClock(NOW) })
  const { data } = ice(1)
  await s.post(ice(1))
  await s.post(ice(2, { data: { ...data, places: ['Zone 2'], detail: 'Ice 20 mm thick' } }))
  await s.post(ice(3, { expires: at(9) }))
  await s.post(ice(4, { sent_at: at(-0.4) }))
  await s.run(120)
  t.equal(s.onAir().length, 4)
})

t.test('a warning that is issued again in the same words is not said again, until something changes', async (t) => {
  const s = await station(t, { config, clock: new VirtualClock(NOW) })
  await s.post(ice(1))
  await s.run(60)
  await s.post(ice(1, { id: 'again', sent_at: at(0.1) }))
  await s.run(60)
  t.equal(s.onAir().length, 1)
  t.ok(s.deliveries().some(({ state, reason }) => state === 'suppressed' && reason === 'same_text'))
  await s.post(ice(1, { id: 'longer', sent_at: at(0.2), expires: at(7) }))
  await s.run(60)
  t.equal(s.onAir().length, 2, 'a new end is news')
  await s.post(ice(1, { id: 'graver', sent_at: at(0.3), expires: at(7), data: { ...ice(1).data, material: 'raised' } }))
  await s.run(60)
  t.equal(s.onAir().length, 3, 'and so is a raised level')
})

t.test('the end of a part of a watch names that part and what goes on', async (t) => {
  const s = await station(t, { config, clock: new VirtualClock(NOW) })
  const watch = (id: string, counties: string[], more: Record<string, unknown> = {}) =>
    ice(0, {
      id,
      thread_id: 'watch-8',
      title: 'Tornado Watch',
      zones: counties.map((name) => `FLC00${name.length}`),
      data: {
        event_name: 'Tornado Watch',
        places: counties.map((name) => `${name}, FL`),
        material: id,
        attribution: 'NWS'
      },
      ...more
    })
  await s.post(watch('new', ['Dixie', 'Madison', 'Lafayette']))
  await s.run(60)
  await s.post(watch('over', ['Madison'], { lifecycle: 'cancel', sent_at: at(0.5) }))
  await s.run(60)
  t.match(s.onAir()[1], /CANCEL TOR WATCH Madison Co FL .*Still on: Dixie\/Lafayette Co FL\. NWS/)
  await s.post(watch('all over', ['Dixie', 'Lafayette'], { lifecycle: 'cancel', sent_at: at(0.6) }))
  await s.run(60)
  t.notMatch(s.onAir()[2], /Still on/)
})
