import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { minuteOfDay } from '../../../src/warning/messages/times.ts'
import type { NewSilence } from '../../../src/warning/outbox/silence-store.ts'
import { quietUntil } from '../../../src/warning/routing/quiet-hours.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

const NIGHT = Date.parse('2026-06-01T23:00:00Z')
const CELLS = {
  weather: { North: { mt: 1, mc: null } },
  roads: { North: { mt: 1, mc: null } },
  fire: { North: { mt: 2, mc: null } }
}
const at = (hours: number): string => new Date(NIGHT + hours * 3_600_000).toISOString()
const quiet = { enabled: true, start: '22:00', end: '06:00', pass_severity: 'critical' as const, families: [] }
const toggles = { weather: { cooldown_seconds: 0 } }
const config = (more: Record<string, unknown> = {}) =>
  withMatrix(CELLS, { toggles, quiet_hours: { ...quiet, ...more } })
const alert = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  family: 'weather',
  severity: 'priority',
  title: id,
  expires: at(10),
  data: { event_name: id },
  ...more
})

t.test(
  'quiet hours hold what is lesser, and one digest per channel tells what is still valid at their end',
  async (t) => {
    const s = await station(t, { config: config(), clock: new VirtualClock(NIGHT) })
    const held = await s.post(alert('Wind Advisory', { severity: 'routine' }))
    t.equal(held.decision?.reason, 'quiet_hours')
    await s.post(alert('Flood Watch'))
    await s.post(alert('Frost Advisory', { expires: at(5) }))
    await s.post(alert('Dust Advisory', { thread_id: 'dust' }))
    await s.post(alert('Fire', { family: 'fire' }))
    await s.run(60)
    t.strictSame(s.onAir(), [], 'nobody is woken')
    t.strictSame([...new Set(s.deliveries().map(({ state, reason }) => `${state} ${reason}`))], ['held quiet_hours'])
    await s.post(alert('Tornado Warning', { severity: 'immediate' }))
    await s.run(30)
    t.equal(s.onAir().length, 1, 'what is grave passes')
    await s.post(alert('Dust over', { thread_id: 'dust', lifecycle: 'cancel' }))
    await s.run(8 * 3600)
    const [first = '', , second = '', ...more] = s.onAir().sort()
    t.equal(more.length, 0)
    t.match(first, /^mt:1 QUIET 22:00-06:00: FL[^;]* WATCH North til 9:00a; WIND ADV North til 9:00a/i)
    t.notMatch(first, /Frost|Dust/i, 'what ended or was cancelled meanwhile stays in the log')
    t.match(second, /^mt:2 Fire/, 'a single message is told as it is')
    const states = new Map(
      s.deliveries({ merged: true }).map(({ event_ids, path, state }) => [path + event_ids[0], state])
    )
    t.equal(states.get('matrixFrost Advisory'), 'expired')
    t.equal(states.get('matrixDust Advisory'), 'suppressed')
    t.equal(states.get('matrixFlood Watch'), 'merged')
  }
)

t.test('what a digest told is known to its thread: an end follows, a repeat does not', async (t) => {
  const s = await station(t, { config: config(), clock: new VirtualClock(NIGHT) })
  const watch = alert('Flood Watch', { thread_id: 'W', data: { event_name: 'Flood Watch', material: 'm' } })
  await s.post(watch)
  await s.post(alert('Wind Advisory'))
  await s.run(8 * 3600)
  t.equal(s.onAir().length, 1)
  const again = await s.post({ ...watch, id: 'repeat', lifecycle: 'update' })
  t.equal(again.decision?.reason, 'duplicate')
  await s.post({ ...watch, id: 'end', lifecycle: 'cancel' })
  await s.run(60)
  t.match(s.onAir()[1], /CANCEL/)
})

t.test('an upgrade takes what was held along and goes out at once', async (t) => {
  const s = await station(t, { config: config(), clock: new VirtualClock(NIGHT) })
  await s.post(alert('Flood', { thread_id: 'F' }))
  await s.run(60)
  await s.post(alert('Flood rising', { thread_id: 'F', severity: 'critical', lifecycle: 'update' }))
  await s.run(60)
  t.equal(s.onAir().length, 1)
  await s.run(9 * 3600)
  t.equal(s.onAir().length, 1)
})

t.test('the end of something grave passes, the end of something lesser waits', async (t) => {
  const s = await station(t, { config: config(), clock: new VirtualClock(NIGHT) })
  await s.post(alert('Tornado Warning', { severity: 'immediate', thread_id: 'T' }))
  await s.run(60)
  await s.post(alert('over', { severity: 'routine', thread_id: 'T', lifecycle: 'cancel' }))
  await s.run(60)
  t.equal(s.onAir().length, 2)
})

t.test('held messages outlive a restart, and a change of the quiet hours lets them go', async (t) => {
  const databasePath = join(mkdtempSync(join(tmpdir(), 'lookout-quiet-')), 'lookout.db')
  const s = await station(t, { config: config(), clock: new VirtualClock(NIGHT), databasePath })
  await s.post(alert('Flood Watch'))
  const next = await s.restart()
  await next.run(120)
  t.strictSame(next.onAir(), [])
  next.setConfig(config({ enabled: false }))
  await next.run(60)
  t.equal(next.onAir().length, 1)
})

t.test('nothing stands in for what is held, also when something else of the event goes out', async (t) => {
  const s = await station(t, {
    config: withMatrix(
      { weather: { North: { mt: 1, mc: 'north', fallback: true } } },
      {
        quiet_hours: quiet,
        destinations: { setup: { type: 'webhook', webhook_url: 'http://127.0.0.1:9/' } },
        toggles: { weather: { enabled: true, destinations: ['setup'] } }
      }
    ),
    clock: new VirtualClock(NIGHT)
  })
  const { decision } = await s.post(alert('Flood Watch'))
  t.equal(decision?.fallbacks, undefined)
  await s.run(600)
  t.strictSame(s.onAir(), [], 'nobody is woken over the other network')
})

t.test('what is held stays held while notifications are switched off', async (t) => {
  const s = await station(t, { config: config(), clock: new VirtualClock(NIGHT) })
  await s.post(alert('Flood Watch'))
  s.setConfig({ notifications: { ...config().notifications, enabled: false } })
  await s.run(7 * 3600 + 600)
  t.strictSame(s.onAir(), [])
  s.setConfig(config())
  await s.run(60)
  t.equal(s.onAir().length, 1, 'still worth sending')
})

t.test('a digest that never left takes nothing with it: the next message of its threads is told', async (t) => {
  const s = await station(t, { config: config(), clock: new VirtualClock(NIGHT) })
  await s.post(alert('Flood Watch', { thread_id: 'W', expires: at(7.4) }))
  await s.post(alert('Wind Advisory', { expires: at(7.4) }))
  s.mt.setFault({ down: true })
  await s.run(7.5 * 3600)
  t.strictSame(
    s.deliveries().map(({ path, state }) => `${path} ${state}`),
    ['digest expired']
  )
  s.mt.setFault({ down: false })
  const later = await s.post(alert('Flood Watch', { id: 'again', thread_id: 'W', expires: at(12) }))
  t.equal(later.decision?.reason, 'planned')
})

t.test('what a digest told mutes its watch, as if it had been told alone', async (t) => {
  const s = await station(t, { config: config(), clock: new VirtualClock(NIGHT) })
  await s.post(alert('Flood Warning'))
  await s.post(alert('Wind Advisory'))
  await s.run(7 * 3600 + 600)
  t.equal(s.onAir().length, 1)
  t.equal((await s.post(alert('Flood Watch'))).decision?.reason, 'inhibited')
  t.equal((await s.post(alert('High Wind Watch'))).decision?.reason, 'planned')
})

t.test('a silence made while something is held counts when it is released, a lifted one does not', async (t) => {
  const held = async (): Promise<Station> => {
    const matrix = { ...CELLS, weather: { North: { mt: 1, mc: null }, South: { mt: 1, mc: null } } }
    const notifications = { toggles, quiet_hours: quiet }
    const s = await station(t, { config: withMatrix(matrix, notifications), clock: new VirtualClock(NIGHT) })
    await s.post(alert('Flood Watch', { regions: ['North', 'South'], thread_id: 'W', expires: at(40) }))
    await s.post(alert('Fire', { family: 'fire' }))
    return s
  }
  const silence = (s: Station, more: Partial<NewSilence>): number =>
    s.core.reactions.silences.add({
      family: null,
      region: null,
      threadId: null,
      includesImmediate: false,
      author: 'Ann',
      reason: 'drill',
      from: s.clock.now(),
      until: NIGHT + 9 * 3_600_000,
      ...more
    }).id
  const family = await held()
  silence(family, { family: 'weather' })
  await family.run(8 * 3600)
  t.match(family.onAir(), [/^mt:2 Fire/])
  t.equal(family.onAir().length, 1, 'what is silenced is not released')
  const row = family.deliveries().find(({ family: of }) => of === 'weather')
  t.match(row, { state: 'suppressed', reason: 'silenced' })
  const again = await family.post(alert('more', { thread_id: 'W', lifecycle: 'update', regions: ['North'] }))
  t.equal(again.decision?.reason, 'silenced', 'its place in the ledger is given back, not taken for told')

  const region = await held()
  silence(region, { region: 'South' })
  await region.run(8 * 3600)
  t.match(
    region.onAir().find((text) => text.startsWith('mt:1')),
    /Flood Watch|FLOOD WATCH/i
  )
  t.strictSame(region.deliveries().find(({ family: of }) => of === 'weather')?.regions, ['North'])

  const lifted = await held()
  lifted.core.reactions.silences.end(silence(lifted, { family: 'weather' }), 'Ann', lifted.clock.now())
  await lifted.run(8 * 3600)
  t.equal(lifted.onAir().length, 2)

  const over = await held()
  await over.run(8 * 3600)
  t.equal(over.onAir().length, 2)
  await over.run(16 * 3600)
  silence(over, { family: 'weather', until: NIGHT + 48 * 3_600_000 })
  await over.post(alert('over', { thread_id: 'W', lifecycle: 'cancel', sent_at: at(24), expires: at(40) }))
  await over.run(9 * 3600)
  t.ok(
    over.onAir().some((text) => /CANCEL/.test(text)),
    'an end is told in spite of a silence, also after it was held'
  )
})

t.test('families and e-mail outside the quiet hours are not held', async (t) => {
  const s = await station(t, { config: config({ families: ['roads'] }), clock: new VirtualClock(NIGHT) })
  await s.post(alert('Flood Watch'))
  await s.post(alert('Closure', { family: 'roads' }))
  await s.run(60)
  t.equal(s.onAir().length, 1)
  t.match(s.onAir()[0], /FLOOD WATCH/i)
})

t.test('the end is the local time of day, also in the nights the clocks change', async (t) => {
  const zone = 'America/Denver'
  const clock = fc.integer({ min: Date.parse('2026-01-01Z'), max: Date.parse('2026-12-31Z') })
  const time = fc
    .integer({ min: 0, max: 1439 })
    .map((m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`)
  const nights = ['2026-03-08T06:30:00Z', '2026-11-01T05:30:00Z'].map((text) => Date.parse(text))
  fc.assert(
    fc.property(fc.oneof(clock, fc.constantFrom(...nights)), time, time, (now, start, end) => {
      const until = quietUntil({ ...quiet, start, end }, zone, now)
      if (until === null) return true
      const [hours = 0, minutes = 0] = end.split(':').map(Number)
      const local = minuteOfDay(until, zone)
      // 02:00-02:59 does not exist in the night summer time begins.
      return until > now && until - now <= 26 * 3_600_000 && (local === hours * 60 + minutes || hours === 2)
    }),
    { numRuns: 300 }
  )
  const cases: [string, string, string | null][] = [
    ['22:00', '06:00', '2026-06-02T06:00:00.000Z'],
    ['23:00', '23:01', '2026-06-01T23:01:00.000Z'],
    ['06:00', '22:00', null],
    ['23:00', '23:00', null]
  ]
  for (const [start, end, want] of cases) {
    const until = quietUntil({ ...quiet, start, end }, 'UTC', NIGHT)
    t.equal(until === null ? null : new Date(until).toISOString(), want, `${start}-${end}`)
  }
})

t.test('a digest that waited for its radio until all it tells of was cancelled is not sent', async (t) => {
  const s = await station(t, { config: config(), clock: new VirtualClock(NIGHT) })
  for (const id of ['one', 'two']) await s.post(alert(id, { thread_id: id }))
  s.mt.setFault({ down: true })
  await s.run(7 * 3600 + 60)
  t.ok(
    s.deliveries().some(({ path, state }) => path === 'digest' && state === 'held'),
    'the digest waits for the radio'
  )
  for (const id of ['one', 'two']) await s.post(alert(`${id} over`, { thread_id: id, lifecycle: 'expire' }))
  s.mt.setFault({ down: false })
  await s.run(120)
  t.match(
    s.deliveries().find(({ path }) => path === 'digest'),
    { state: 'suppressed', reason: 'ended' }
  )
  t.strictSame(s.onAir(), [])
})
