import t from 'tap'
import { START, type Station, type StationOptions, station, withMatrix } from '../../helpers/station.ts'

/** Docs: docs/interface.md §6, *Reminders*. A test begins at 18:00 UTC; these stations keep UTC. */

const HOUR = 3600
const cells = { fire: { North: { mt: 3, mc: 'north-fire' }, South: { mt: 4 } } }
const matrix = withMatrix(cells)
const withReminders = (...reminders: object[]): object => ({
  ...matrix,
  station: { timezone: 'UTC' },
  notifications: { ...matrix.notifications, reminders }
})
const always = { min_severity: 'critical', every_hours: 2, start: '00:00', end: '00:00' }
const EXPIRES = '2026-06-02T18:00:00Z'

const opened = (t: Parameters<typeof station>[0], config: object, more: StationOptions = {}): Promise<Station> =>
  station(t, { config, ...more })
const burn = (s: Station, more: object = {}) =>
  s.post({ id: 'a', title: 'Pine Fire', severity: 'critical', expires: EXPIRES, ...more })
const reminders = (s: Station) => s.deliveries().filter(({ path }) => path === 'reminder')
const reminded = (s: Station): string[] => reminders(s).map(({ transport, channel }) => `${transport}:${channel}`)

t.test('without a reminder in the configuration nothing is said again', async (t) => {
  const s = await opened(t, withReminders())
  await burn(s)
  await s.run(23 * HOUR)
  t.same(reminded(s), [])
})

t.test(
  'what goes on is said again on its channels, marked, each time the hours are over, and no more once it is over',
  async (t) => {
    const s = await opened(t, withReminders(always))
    await burn(s, { expires: '2026-06-02T00:30:00Z' })
    await s.run(HOUR * 1.9)
    t.same(reminded(s), [])
    await s.run(HOUR * 0.2)
    t.same(reminded(s).sort(), ['mc:north-fire', 'mt:3'])
    for (const { text, severity } of reminders(s)) {
      t.match(text, /^STILL .*Pine Fire, North/)
      t.equal(severity, 'critical')
    }
    await s.run(HOUR * 2)
    t.equal(reminded(s).length, 4)
    await s.run(20 * HOUR)
    t.equal(reminded(s).length, 6, 'three times in the six and a half hours')
  }
)

t.test(
  'a reminder arms no guard: an update of the alert is told as ever, and the next reminder counts from it',
  async (t) => {
    const s = await opened(t, withReminders(always))
    await burn(s)
    await s.run(HOUR * 2.1)
    t.equal(reminded(s).length, 2)
    await burn(s, { revision: '2', title: 'Pine Fire crosses the river', severity: 'immediate', lifecycle: 'update' })
    await s.run(60)
    t.ok(s.onAir().some((text) => text.includes('crosses')))
    await s.run(HOUR * 1.9)
    t.equal(reminded(s).length, 2)
    await s.run(HOUR * 0.2)
    t.equal(reminded(s).length, 4)
  }
)

t.test('only the families, levels and hours that are named; the first that fits counts', async (t) => {
  for (const [what, reminder] of [
    ['another family', { ...always, families: ['weather'] }],
    ['a higher level', { ...always, min_severity: 'immediate' }],
    ['another time of day', { ...always, start: '07:00', end: '18:30' }]
  ] as const) {
    const s = await opened(t, withReminders(reminder))
    await burn(s)
    await s.run(8 * HOUR)
    t.same(reminded(s), [], what)
  }
  const s = await opened(t, withReminders({ ...always, families: ['fire'], every_hours: 12 }, always))
  await burn(s)
  await s.run(8 * HOUR)
  t.same(reminded(s), [], 'the first')
})

t.test('the night ends and what is overdue is said in the morning', async (t) => {
  const s = await opened(t, withReminders({ ...always, start: '07:00', end: '22:00' }))
  await s.run(3 * HOUR)
  await burn(s)
  await s.run(9.9 * HOUR)
  t.same(reminded(s), [])
  await s.run(0.2 * HOUR)
  t.equal(reminded(s).length, 2, 'from 07:00 on')
})

t.test('a cell that is mute, that is gone or whose floor was raised is reminded of nothing', async (t) => {
  for (const cell of [
    { mt: 3, enabled: false, mute: true },
    { mt: null },
    { mt: 3, min_severity: 'immediate' },
    { mt: 7 }
  ]) {
    const config = withReminders(always)
    const s = await opened(t, config)
    await burn(s)
    await s.run(60)
    const changed = withMatrix({ fire: { North: cell } }).notifications
    s.setConfig({ ...config, notifications: { ...changed, reminders: [always] } })
    await s.run(5 * HOUR)
    t.same(reminded(s), [], JSON.stringify(cell))
  }
})

t.test('nothing silenced, nothing in quiet hours, no drill, nothing that is over in a moment', async (t) => {
  const silenced = await opened(t, withReminders(always))
  await burn(silenced)
  await silenced.run(60)
  const until = START + 20 * HOUR * 1000
  const all = { family: 'fire', region: null, threadId: null, includesImmediate: false }
  silenced.core.reactions.silences.add({ ...all, author: 'x', reason: '', from: START, until })
  await silenced.run(5 * HOUR)
  t.same(reminded(silenced), [], 'silenced')

  const config = withReminders(always) as { notifications: object }
  const quiet_hours = { enabled: true, start: '19:00', end: '23:59', pass_severity: 'immediate' }
  const quiet = await opened(t, { ...config, notifications: { ...config.notifications, quiet_hours } })
  await burn(quiet)
  await quiet.run(5 * HOUR)
  t.same(reminded(quiet), [], 'quiet hours')

  const drill = await opened(t, withReminders(always))
  await burn(drill, { data: { drill: true } })
  await drill.run(5 * HOUR)
  t.same(reminded(drill), [], 'a drill')

  const short = await opened(t, withReminders(always))
  await burn(short, { expires: '2026-06-01T20:10:00Z' })
  await short.run(5 * HOUR)
  t.same(reminded(short), [], 'over in ten minutes')
})

t.test(
  'one message a minute and network, the gravest first: news never waits for more than the one on the air',
  async (t) => {
    const s = await opened(t, withReminders(always))
    for (let n = 0; n < 6; n++)
      await burn(s, { id: `f${n}`, title: `Fire ${n}`, severity: n === 5 ? 'immediate' : 'critical' })
    await s.run(2 * HOUR - 60)
    t.same(reminded(s), [])
    const perMinute: number[] = []
    for (let minute = 0; minute < 12; minute++) {
      const before = reminders(s).length
      await s.run(60)
      perMinute.push(reminders(s).length - before)
    }
    t.ok(Math.max(...perMinute) <= 2, perMinute.join(' '))
    t.equal(reminders(s).length, 12)
    t.match(reminders(s)[0]?.text, /Fire 5/)
  }
)

t.test(
  'nothing is said again while its radio is down, more than half of the hour is spent, or news waits',
  async (t) => {
    const s = await opened(t, withReminders(always))
    await burn(s)
    await s.run(60)
    s.mt.setFault({ down: true })
    await s.run(3 * HOUR)
    t.same(reminded(s), ['mc:north-fire'])
    s.mt.setFault({ down: false })
    await s.run(10 * 60)
    t.same(reminded(s).sort(), ['mc:north-fire', 'mt:3'])
  }
)

t.test('a restart says nothing twice, and forgets no reminder', async (t) => {
  const s = await opened(t, withReminders(always), { databasePath: `${t.testdir()}/db` })
  await burn(s)
  await s.run(2.1 * HOUR)
  t.equal(reminded(s).length, 2)
  const again = await s.restart()
  await again.run(1.8 * HOUR)
  t.equal(reminded(again).length, 2)
  await again.run(0.3 * HOUR)
  t.equal(reminded(again).length, 4)
})

t.test('what a graver warning of the same place says is not said beside it', async (t) => {
  const reminder = { ...always, min_severity: 'priority' }
  const plain = withMatrix({ weather: { North: { mt: 1 } } }, { reminders: [reminder] })
  const s = await opened(t, { ...plain, station: { timezone: 'UTC' } })
  const flood = { family: 'weather', severity: 'priority', expires: EXPIRES }
  await s.post({ ...flood, id: 'w', title: 'Flood Watch', data: { event_name: 'Flood Watch' } })
  await s.run(HOUR)
  await s.post({ ...flood, id: 'x', title: 'Flood Warning', data: { event_name: 'Flood Warning' } })
  await s.run(4.2 * HOUR)
  const told = reminders(s).map(({ text }) => text ?? '')
  t.equal(told.length, 2)
  for (const text of told) t.match(text, /^STILL FLOOD WARN/i)
})
