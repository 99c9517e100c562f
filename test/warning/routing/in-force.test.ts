import { join } from 'node:path'
import t from 'tap'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

/** docs/interface.md §4 rule 6: what is in force and was never told is told, late as it is. */

const MINUTE = 60_000
const config = withMatrix({ weather: { North: { mt: 3, mc: 'n' } }, fire: { North: { mt: 3 } } })
const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString()
const alert = (id: string, severity: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  family: 'weather',
  category: 'weather_flood_warning',
  severity,
  title: `Flood Warning ${id}`,
  sent_at: at(-40),
  expires: at(300),
  ...more
})
const texts = (s: Station): string[] => s.mt.airLog.map(({ text }) => text)

t.test(
  'a priority event in force, sent before an outage and never told, is told once and says since when',
  async (t) => {
    const s = await station(t, { config })
    t.equal((await s.post(alert('a', 'priority'))).decision?.reason, 'planned')
    await s.run(30)
    t.match(texts(s), [/FLOOD WARNING.* since 5:20p til 11:00p/i])
    t.equal((await s.post(alert('a', 'priority', { revision: '2' }))).decision?.reason, 'duplicate', 'once')
    await s.run(3600)
    t.equal(texts(s).length, 1)
  }
)

t.test('since is when it began, where its source says so; what is news says no such thing', async (t) => {
  const s = await station(t, {
    config: withMatrix({ weather: { North: { mt: 3 } } }, { toggles: { weather: { cooldown_seconds: 0 } } })
  })
  await s.post(alert('a', 'critical', { onset: at(-180) }))
  await s.run(60)
  await s.post(alert('b', 'critical', { sent_at: at(-5) }))
  await s.run(60)
  await s.post(alert('c', 'critical', { onset: at(60) }))
  await s.run(60)
  t.match(texts(s), [/since 3:00p til/, /^(?!.*since)/, /from 7:00p til/])
})

t.test('a routine event, one without an end, and one that is over stay untold', async (t) => {
  const s = await station(t, { config })
  t.equal((await s.post(alert('a', 'routine'))).decision?.reason, 'stale')
  t.equal((await s.post(alert('b', 'priority', { expires: null }))).decision?.reason, 'stale')
  t.equal((await s.post(alert('c', 'priority', { expires: at(-1) }))).decision?.reason, 'expired')
})

t.test(
  'at a cold start what is grave and young has a text of its own, the rest in force one summary per channel',
  async (t) => {
    const s = await station(t, { config })
    const cold = (event: Record<string, unknown>) => s.post(event, { coldStart: true })
    t.equal((await cold(alert('Camas', 'priority', { sent_at: at(-300) }))).decision?.reason, 'summary')
    t.equal(
      (await cold(alert('Elmore', 'critical', { sent_at: at(-180) }))).decision?.reason,
      'summary',
      'grave, not young'
    )
    t.equal((await cold(alert('Gooding', 'critical'))).decision?.reason, 'planned')
    t.equal((await cold(alert('Jerome', 'routine'))).decision?.reason, 'cold_start')
    t.equal((await cold(alert('Blaine', 'priority', { expires: at(-1) }))).decision?.reason, 'cold_start')
    await s.run(20)
    // Another source whose first listing comes a little later.
    await cold(alert('Lincoln', 'priority', { source: 'second', family: 'fire', category: 'wildfire_declared' }))
    await s.run(120)
    t.equal(texts(s).length, 2)
    t.match(texts(s)[0], /Gooding/i)
    t.match(texts(s)[1], /^(\w+: )?In force: /)
    for (const name of ['Elmore', 'Camas', 'Lincoln']) t.match(texts(s)[1], new RegExp(name, 'i'))
    t.equal(s.mc.airLog.length, 2, 'and one on the other network')
    const fresh = alert('Twin Falls', 'priority', { sent_at: at(2) })
    t.equal((await s.post(fresh)).decision?.reason, 'cooldown', 'what spoke for itself cools its category')
  }
)

t.test('a summary makes nothing cool, and one alone is told in its own words', async (t) => {
  const s = await station(t, { config })
  await s.post(alert('Camas', 'priority'), { coldStart: true })
  await s.run(120)
  t.match(texts(s), [/^(?!.*In force)FLOOD WARNING.*since 5:20p/i])
  t.equal((await s.post(alert('News', 'priority', { sent_at: at(2) }))).decision?.reason, 'planned')
})

t.test(
  'what was told before a restart is not summed up again, and what waits for the summary survives one',
  async (t) => {
    const databasePath = join(t.testdir(), 'lookout.db')
    const first = await station(t, { config, databasePath })
    await first.post(alert('Told', 'priority', { sent_at: at(0) }))
    await first.run(30)
    await first.post(alert('Waits', 'priority'), { coldStart: true })
    const second = await first.restart()
    const again = await second.post(alert('Told', 'priority', { revision: '2', title: 'Flood Warning Told goes on' }), {
      coldStart: true
    })
    t.equal(again.decision?.reason, 'cold_start')
    await second.run(120)
    t.match(second.onAir(), [/Waits/i, /Waits/i])
  }
)

t.test('news of what waits for the summary lets it go at once', async (t) => {
  const s = await station(t, { config })
  await s.post(alert('Camas', 'priority'), { coldStart: true })
  await s.run(5)
  await s.post(
    alert('Camas', 'priority', { revision: '2', title: 'Flood Warning Camas: dam may fail', sent_at: at(0) })
  )
  await s.run(20)
  t.match(texts(s), [/dam may fail/i])
})
