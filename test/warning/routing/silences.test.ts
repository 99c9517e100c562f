import { join } from 'node:path'
import t from 'tap'
import type { NewSilence } from '../../../src/warning/outbox/silence-store.ts'
import { saidSteps } from '../../../src/warning/routing/said-trace.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

const HOUR = 3_600_000
const cells = { fire: { North: { mt: 3 }, South: { mt: 4, mc: 'both' } }, weather: { North: { mt: 3 } } }

function silence(s: Station, more: Partial<NewSilence>): number {
  const now = s.clock.now()
  return s.core.reactions.silences.add({
    family: null,
    region: null,
    threadId: null,
    includesImmediate: false,
    author: 'Ann',
    reason: 'drill',
    from: now,
    until: now + HOUR,
    ...more
  }).id
}

const channels = (s: Station): (number | string)[] => s.deliveries().map(({ channel }) => channel)

t.test('a silenced family is not sent, with author, reason and end in the trace; others are', async (t) => {
  const s = await station(t, { config: withMatrix(cells) })
  silence(s, { family: 'fire' })
  const { decision } = await s.post({ id: 'a' })
  t.match(decision, { kind: 'suppressed', reason: 'silenced', sends: [] })
  t.match(
    saidSteps(decision?.trace ?? []).find(({ stage }) => stage === 'silence'),
    {
      outcome: 'stop',
      reason: 'silenced',
      detail: /silence 1 of fire by Ann \(drill\) until 2026-06-01T19:00:00/
    }
  )
  await s.post({ id: 'b', family: 'weather' })
  t.same(channels(s), [3])
})

t.test('a silenced region is taken out; a channel that other regions feed goes on for those', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 3 }, South: { mt: 3, mc: 'south' } } }) })
  silence(s, { region: 'South' })
  await s.post({ id: 'a', regions: ['North', 'South'] })
  t.match(s.deliveries(), [{ channel: 3, regions: ['North'] }])
  t.equal(s.deliveries().length, 1, 'the channel of South alone is silent')
  const { decision } = await s.post({ id: 'b', regions: ['South'] })
  t.equal(decision?.reason, 'silenced')
  await s.post({ id: 'c', regions: ['North'], severity: 'critical' })
  t.equal(s.deliveries().length, 2)
})

t.test('immediate passes unless the silence names it', async (t) => {
  const s = await station(t, { config: withMatrix(cells) })
  silence(s, { family: 'fire' })
  const { decision } = await s.post({ id: 'a', severity: 'immediate' })
  t.same(channels(s), [3])
  t.ok(decision?.trace.some(({ stage, outcome }) => stage === 'silence' && outcome === 'pass'))
  silence(s, { family: 'fire', includesImmediate: true })
  await s.post({ id: 'b', severity: 'immediate' })
  t.same(channels(s), [3])
})

t.test('a silence ends by time or by hand, and outlives a restart', async (t) => {
  const s = await station(t, { config: withMatrix(cells), databasePath: `${t.testdir()}/db` })
  silence(s, { family: 'fire' })
  const r = await s.restart()
  t.equal((await r.post({ id: 'a' })).decision?.reason, 'silenced')
  await r.run(3601)
  t.equal((await r.post({ id: 'b' })).decision?.kind, 'send')
  const id = silence(r, { family: 'fire' })
  t.equal((await r.post({ id: 'c' })).decision?.reason, 'silenced')
  t.match(r.core.reactions.silences.end(id, 'Ben', r.clock.now()), { id, until: r.clock.now() })
  t.equal(r.core.reactions.silences.end(id, 'Ben', r.clock.now()), null, 'it ends once')
  t.same(r.core.reactions.silences.active(r.clock.now()), [])
})

t.test('whoever was warned hears of the end, silence or not', async (t) => {
  const s = await station(t, { config: withMatrix(cells) })
  await s.post({ id: 'a', severity: 'critical' })
  await s.run(60)
  silence(s, { family: 'fire' })
  await s.post({ id: 'a', revision: '2', lifecycle: 'cancel', severity: 'critical' })
  await s.run(60)
  t.match(s.onAir(), [/event a/, /CANCEL/])
})

t.test('explain shows the silence, and stores nothing', async (t) => {
  const s = await station(t, { config: withMatrix(cells) })
  const { event } = await s.post({ id: 'a', regions: ['Nowhere'] })
  silence(s, { family: 'fire' })
  t.equal(s.core.explain({ ...event, id: 'b', thread_id: 'b', regions: ['North'] }).reason, 'silenced')
  t.same(s.deliveries(), [])
})

t.test('without the matrix a silence holds for policies and rules alike', async (t) => {
  const toggles = {
    fire: {
      enabled: true,
      min_severity: 'routine',
      broadcast_channel: 7,
      severity_channels: { routine: ['mesh_broadcast'] }
    }
  }
  const s = await station(t, { config: { notifications: { coalesce_seconds: 0, toggles } } })
  silence(s, { region: 'North' })
  t.equal((await s.post({ id: 'a' })).decision?.reason, 'silenced')
  t.equal(
    (await s.post({ id: 'b', regions: [] })).decision?.kind,
    'send',
    'an event outside every region has none to silence'
  )
})

t.test('a silence counts for what still waits: never for immediate, an end, or what was said', async (t) => {
  const config = withMatrix({ fire: { North: { mt: 3 }, South: { mt: 3 } }, weather: { North: { mt: 3 } } })
  const s = await station(t, { config })
  const told = await s.post({ id: 'told', revision: '1' })
  await s.run(10)
  s.mt.setFault({ down: true })
  await s.post({ id: 'told', revision: '2', lifecycle: 'cancel' })
  await s.post({ id: 'fire', severity: 'critical' })
  await s.post({ id: 'grave', severity: 'immediate' })
  await s.post({ id: 'both', severity: 'critical', regions: ['North', 'South'] })
  await s.post({ id: 'rain', severity: 'critical', family: 'weather' })
  silence(s, { region: 'North' })
  silence(s, { family: 'weather' })
  silence(s, { threadId: told.threadId, includesImmediate: true })
  const states = (): string[] =>
    s
      .deliveries()
      .map(({ event_ids, kind, state, reason, regions }) => `${event_ids} ${kind} ${state} ${reason} ${regions}`)
  t.same(states(), [
    'told new heard null North',
    'told cancel held radio_down North',
    'fire new suppressed silenced North',
    'grave new held radio_down North',
    'both new held radio_down South',
    'rain new suppressed silenced North'
  ])
  s.mt.setFault({ down: false })
  await s.run(60)
  t.equal(s.onAir().length, 4)
  const both = s.onAir().filter((line) => line.includes('both'))
  t.ok(both.length === 1 && both[0]?.includes('South') && !both[0].includes('North'), both.join())
})

t.test('what stands in for a silenced message is silent too', async (t) => {
  const config = withMatrix({ fire: { North: { mt: 3, mc: 'north', fallback: true } } })
  const s = await station(t, { config, neighbours: 0 })
  await s.post({ id: 'a', severity: 'priority' })
  await s.run(3)
  silence(s, { family: 'fire' })
  await s.run(600)
  t.same(channels(s), [3])
  t.match(s.deliveries(), [{ state: 'unconfirmed' }])
})

const MANY = 60
/** Rows of one family that all wait for further pieces; the last one is the gravest. */
async function waiting(s: Station): Promise<number> {
  for (let n = 0; n < MANY; n++)
    await s.post({ id: `w${n}`, title: `Fire number ${n}`, severity: n === MANY - 1 ? 'critical' : 'priority' })
  return s.deliveries().length
}
const silencedOf = (s: Station) => s.deliveries().filter(({ reason }) => reason === 'silenced')
const patient = withMatrix(cells, { coalesce_seconds: 600 })

t.test('a silence over many waiting rows asks some at a time, those first that would leave next', async (t) => {
  const s = await station(t, { config: patient })
  const all = await waiting(s)
  t.ok(all >= MANY, `${all} rows wait`)
  silence(s, { family: 'fire' })
  const first = silencedOf(s)
  t.ok(first.length > 0 && first.length < all / 2, `${first.length} of ${all} at once`)
  t.ok(first.some(({ severity }) => severity === 'critical'))
  await s.run(1)
  t.equal(silencedOf(s).length, all, 'the others right after it')
  t.same(s.onAir(), [])
})

t.test('a restart in the middle of that leaves none unasked', async (t) => {
  const s = await station(t, { config: patient, databasePath: join(t.testdir(), 'lookout.db') })
  const all = await waiting(s)
  silence(s, { family: 'fire' })
  t.ok(silencedOf(s).length < all)
  const after = await s.restart()
  await after.run(1)
  t.equal(silencedOf(after).length, all)
})
