import { join } from 'node:path'
import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { SelfReport } from '../../../src/warning/readiness/self-report.ts'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

/** docs/interface.md §4 rule 6: what was not told because of a time is decided anew when the clock is set. */

const YEARS = 10 * 365 * 86_400_000
const HOUR = 3_600_000
const config = withMatrix({ fire: { North: { mt: 3 } }, weather: { North: { mt: 3 } } })
const at = (hours: number): string => new Date(START + hours * HOUR).toISOString()
const evacuation = { id: 'a', severity: 'immediate', title: 'Evacuate', sent_at: at(0), expires: at(5) }
const setClock = async (s: Station, time: number): Promise<void> => {
  s.clock.set(time)
  s.core.clockSet()
  await s.run(30)
}
const texts = (s: Station): string[] => s.mt.airLog.map(({ text }) => text)

t.test(
  'a warning that a clock ten years ahead took for over is told once the clock is right, and once only',
  async (t) => {
    const s = await station(t, { config })
    await setClock(s, START + YEARS)
    t.equal((await s.post(evacuation)).decision?.reason, 'expired')
    await s.run(60)
    await setClock(s, START + 600_000)
    t.match(texts(s), [/Evacuate/i])
    const [stored] = s.core.ledger.find('a')
    t.equal(stored?.decision, 'send')
    t.match(stored?.trace[0], { stage: 'clock', reason: 'clock_set' })
    t.ok(Date.parse(stored?.event.received_at ?? '') <= s.clock.now(), 'it did not come in ten years')
    t.ok((await s.post(evacuation)).duplicate)
    await setClock(s, START + 900_000)
    t.equal(texts(s).length, 1)
  }
)

t.test('the same when the clock is right after a restart', async (t) => {
  const first = await station(t, {
    config,
    databasePath: join(t.testdir(), 'lookout.db'),
    clock: new VirtualClock(START + YEARS)
  })
  await first.post(evacuation)
  const second = await first.restart({ clock: new VirtualClock(START + HOUR) })
  await second.run(30)
  t.match(second.onAir(), [/Evacuate/i])
  const third = await second.restart({ clock: new VirtualClock(START + 2 * HOUR) })
  await third.run(30)
  t.equal(third.onAir().length, 0)
})

t.test('a clock half an hour ahead makes nothing stale for good', async (t) => {
  const s = await station(t, { config })
  await setClock(s, START + 40 * 60_000)
  const storm = { family: 'weather', severity: 'priority', sent_at: at(0) }
  t.equal((await s.post({ ...storm, id: 'storm' })).decision?.reason, 'stale')
  await setClock(s, START + 300_000)
  t.match(texts(s), [/storm/i])
})

t.test('what a first listing held under a wrong clock is judged again as a first listing', async (t) => {
  const s = await station(t, { config })
  await setClock(s, START + YEARS)
  const list = ['critical', 'priority', 'routine'].map((severity) => ({
    ...evacuation,
    id: severity,
    severity,
    title: severity
  }))
  for (const event of list) t.equal((await s.post(event, { coldStart: true })).decision?.reason, 'cold_start')
  await setClock(s, START + 600_000)
  t.match(texts(s), [/critical/i])
  await s.run(120)
  t.match(texts(s), [/critical/i, /priority/i], 'the rest in its summary, routine not at all')
})

t.test('messages that a leap of the clock let expire in the queue go when it is back', async (t) => {
  const s = await station(t, { config })
  s.mt.setFault({ down: true })
  await s.post({ ...evacuation, id: 'waits' })
  await s.post({ id: 'told', severity: 'priority', expires: at(5), family: 'weather' })
  await s.run(5)
  await setClock(s, START + YEARS)
  await s.run(60)
  t.same([...new Set(s.deliveries().map(({ state }) => state))], ['expired'])
  s.mt.setFault({ down: false })
  await s.run(60)
  await setClock(s, START + 600_000)
  await s.run(60)
  t.match(texts(s).sort(), [/Evacuate/i, /told/i])
})

t.test('an end that a clock ahead took for needless is told when it is back', async (t) => {
  const s = await station(t, { config })
  await s.post(evacuation)
  await s.run(30)
  await setClock(s, START + YEARS)
  t.equal(
    (await s.post({ ...evacuation, revision: '2', lifecycle: 'cancel', sent_at: at(0.1) })).decision?.reason,
    'nothing_to_cancel'
  )
  await setClock(s, START + 600_000)
  t.match(texts(s), [/Evacuate/i, /CANCEL/])
})

t.test('what is over, too old or replaced stays untold, and nothing told is told again', async (t) => {
  const s = await station(t, { config })
  await s.post({ id: 'told', severity: 'critical', expires: at(5) })
  await s.post({ id: 'over', severity: 'critical', sent_at: at(-3), expires: at(-1) })
  await s.post({ id: 'old', severity: 'priority', family: 'weather', sent_at: at(-3) })
  await s.run(60)
  await setClock(s, START + YEARS)
  await s.post({ ...evacuation, id: 'v', revision: '1', title: 'first words' })
  await s.post({ ...evacuation, id: 'v', revision: '2', title: 'newer words', sent_at: at(0.05) })
  await setClock(s, START + 600_000)
  await setClock(s, START + 3_000_000)
  await setClock(s, START + 700_000)
  t.match(texts(s), [/told/i, /newer words/i])
  t.same(
    ['over', 'old'].map((id) => s.core.ledger.find(id)[0]?.reason),
    ['expired', 'stale']
  )
})

t.test('a clock ten years ahead forgets nothing that was told', async (t) => {
  const first = await station(t, { config, databasePath: join(t.testdir(), 'lookout.db') })
  await first.post(evacuation)
  await first.run(30)
  await setClock(first, START + YEARS)
  for (let hour = 0; hour < 3; hour++) {
    first.core.tidy()
    await first.run(3600)
  }
  const ahead = await first.restart()
  ahead.core.tidy()
  const back = await ahead.restart({ clock: new VirtualClock(START + HOUR) })
  t.ok((await back.post(evacuation)).duplicate)
  t.equal((await back.post({ ...evacuation, id: 'b', thread_id: 'test:a' })).decision?.reason, 'duplicate')
  await back.run(60)
  t.equal(back.onAir().length, 0)
})

t.test(
  'listings are read in full again after the clock was set: a reader may have left out what seemed over',
  async (t) => {
    const s = await station(t, { config })
    const urls = new Map([['https://feed.example/', { etag: 'e', modified: null, hash: 'h' }]])
    s.core.sourceStore.save('nws', { urls }, s.clock.now())
    await setClock(s, START + YEARS)
    t.equal(s.core.sourceStore.validators('nws', 'https://feed.example/'), null)
  }
)

t.test(
  'what was told by a clock that was behind is not forgotten by the right one, and so not told again',
  async (t) => {
    for (const behind of [START - 11_000, YEARS / 10]) {
      const folder = t.testdir({ [String(behind)]: {} })
      const s = await station(t, { config, databasePath: join(folder, String(behind), 'lookout.db') })
      await s.post({ id: 'before', expires: at(9) })
      await s.run(30)
      await setClock(s, START - behind)
      await s.post({ ...evacuation, expires: at(9) })
      await s.post({ id: 'b', severity: 'priority', title: 'Flood', sent_at: at(0), expires: at(9) })
      await s.run(60)
      const right = await s.restart({ clock: new VirtualClock(START + HOUR) })
      await right.run(30)
      right.core.tidy()
      const later = await right.restart({ clock: new VirtualClock(START + 2 * HOUR) })
      later.core.tidy()
      t.ok((await later.post({ ...evacuation, expires: at(9) })).duplicate)
      t.ok(
        (await later.post({ id: 'b', severity: 'priority', title: 'Flood', sent_at: at(0), expires: at(9) })).duplicate
      )
      await later.run(60)
      t.same([...right.onAir(), ...later.onAir()], [], `${behind}`)
    }
  }
)

t.test('a station that begins at 1970 knows in the right time what it heard there', async (t) => {
  const s = await station(t, { config, databasePath: join(t.testdir(), 'lookout.db'), clock: new VirtualClock(9000) })
  await s.post({ ...evacuation, expires: at(90) })
  await s.run(60)
  await setClock(s, START)
  await s.run(25 * 3600)
  s.core.tidy()
  t.ok((await s.post({ ...evacuation, expires: at(90) })).duplicate)
  t.equal(texts(s).length, 1)
  const received = s.core.ledger.find('a')[0]?.event.received_at ?? ''
  t.ok(Date.parse(received) >= START, 'nobody received it in 1970')
})

t.test('a message that a leap let expire is not told once a later one of the same event was', async (t) => {
  const s = await station(t, { config })
  s.mt.setFault({ down: true })
  const fire = { id: 'f', revision: '1', severity: 'routine', title: 'Fire 30 acres', sent_at: at(0), expires: at(3) }
  await s.post(fire)
  await s.run(5)
  await setClock(s, START + 4 * HOUR)
  s.mt.setFault({ down: false })
  await s.run(60)
  const later = { ...fire, revision: '2', lifecycle: 'update', title: 'Fire 80 acres', sent_at: at(1) }
  await s.post({ ...later, expires: at(90) })
  await s.run(60)
  t.match(texts(s), [/80 acres/])
  await setClock(s, START + 2 * HOUR)
  await s.run(60)
  t.match(texts(s), [/80 acres/], 'when the clock is right again')
  t.equal(texts(s).length, 1)
})

t.test('what was over by a clock that was set is not told by one that lost its time', async (t) => {
  const first = await station(t, { config, databasePath: join(t.testdir(), 'lookout.db') })
  await first.post({ ...evacuation, sent_at: at(-60), expires: at(-50) })
  await first.run(60)
  t.equal(texts(first).length, 0)
  const received = first.core.ledger.find('a')[0]?.event.received_at
  const second = await first.restart({ clock: new VirtualClock(9000) })
  await second.run(120)
  t.equal(texts(second).length, 0, 'after a power cut, at 1970')
  t.equal(second.core.ledger.find('a')[0]?.event.received_at, received, 'and it was received when it was')
  await setClock(second, START + HOUR)
  t.equal(texts(second).length, 0)
})

t.test(
  'a text told while nobody knows the time names no hour of 1970; what the source said of the time stays',
  async (t) => {
    const s = await station(t, { config, clock: new VirtualClock(26_000_000) })
    await s.post({ id: 'b', severity: 'immediate', title: 'Evacuate Croy', family: 'fire' })
    await s.run(60)
    await s.post({ id: 'c', severity: 'immediate', title: 'Fire at the mill', family: 'fire', sent_at: at(0) })
    await s.run(60)
    const [croy = '', mill = ''] = texts(s)
    t.match(croy, 'Evacuate Croy')
    t.notMatch(croy, /Upd|\d:\d\d|midnight|1970/, croy)
    t.match(mill, / Upd \w+ \d+ 20\d\d$/, 'with its year, for nobody here knows how far that is')
  }
)

t.test('times that were put right are no rows that were lost: nothing is told again at the next start', async (t) => {
  const s = await station(t, { config, databasePath: join(t.testdir(), 'lookout.db') })
  await setClock(s, START + 7 * HOUR)
  await s.post({ ...evacuation, expires: at(20) })
  await s.post({ id: 'b', severity: 'priority', title: 'Flood', sent_at: at(0), expires: at(20) })
  await s.run(60)
  await setClock(s, START + 600_000)
  await s.run(60)
  const next = await s.restart({ clock: new VirtualClock(START + 900_000) })
  await next.run(60)
  t.same(next.onAir(), [])
})

t.test('what was cancelled while the clock was behind is not told to those who missed it', async (t) => {
  const s = await station(t, { config })
  await setClock(s, START - 72 * HOUR)
  s.mt.setFault({ down: true })
  await s.post({ id: 'v', severity: 'routine', title: 'Fire V', sent_at: at(0), expires: at(5) })
  await setClock(s, START - 7 * HOUR)
  await s.run(30)
  t.same(
    s.deliveries().map(({ state }) => state),
    ['expired']
  )
  const cancel = { id: 'v', revision: '2', lifecycle: 'cancel', severity: 'routine', sent_at: at(0.1), expires: at(5) }
  await s.post(cancel)
  s.mt.setFault({ down: false })
  for (const time of [START + 600_000, START - YEARS, START + 900_000]) await setClock(s, time)
  t.same(texts(s), [])
})

t.test('a clock that is behind what is stored is told at the start', async (t) => {
  const report = new SelfReport()
  const s = await station(t, { config, databasePath: join(t.testdir(), 'lookout.db'), report })
  await s.post(evacuation)
  t.equal(report.facts(s.clock.now()).clock.jump, null)
  const next = await s.restart({ clock: new VirtualClock(START - 3 * HOUR) })
  t.match(report.facts(next.clock.now()).clock.jump, { seconds: -10_800 })
})

t.test('a sender whose clock nobody set is heard: 1970 is no time', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 1 } } }) })
  for (const [id, sent_at] of [
    ['a', '1970-01-01T00:03:00Z'],
    ['b', '1980-01-06T00:00:09Z']
  ])
    t.match(await s.post({ id, severity: 'critical', title: `Fire ${id}`, sent_at }), { decision: { kind: 'send' } })
  await s.run(60)
  t.notMatch(s.onAir().join(' '), /Dec|Jan/)
})

t.test('of two revisions only the newer is told, wherever the edge between two steps lies', async (t) => {
  for (const before of [8, 9, 10]) {
    const s = await station(t, { config })
    await setClock(s, START + YEARS)
    for (let n = 0; n < before; n++)
      await s.post({ id: `x${n}`, severity: 'critical', title: `other ${n}`, sent_at: at(0), expires: at(5) })
    await s.post({ ...evacuation, id: 'v', revision: '1', title: 'first words' })
    for (let n = 0; n < 12; n++)
      await s.post({ id: `y${n}`, severity: 'critical', title: `later ${n}`, sent_at: at(0), expires: at(5) })
    await s.post({ ...evacuation, id: 'v', revision: '2', title: 'newer words', sent_at: at(0.05) })
    await setClock(s, START + 600_000)
    await s.run(600)
    const told = texts(s).filter((text) => /words/i.test(text))
    t.match(told, [/newer words/i], `${before} before it`)
    t.equal(told.length, 1)
  }
})
