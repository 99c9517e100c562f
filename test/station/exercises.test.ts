import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import type { ExerciseView } from '../../src/dashboard/server/exercises.ts'
import { configSchema } from '../../src/settings/schema.ts'
import { type Exercises, stationExercises } from '../../src/station/exercises.ts'
import { type Exercise, exerciseSchema } from '../../src/warning/events/exercise.ts'
import { type Station, station, withMatrix } from '../helpers/station.ts'

/** Docs: docs/interface.md §13, scripted exercises. */

const CELLS = { weather: { North: { mt: 3 }, South: { mt: 4, mc: 'south' } } }
const event = (words: string, more: object = {}): object => ({
  name: 'river',
  family: 'weather',
  region: 'North',
  severity: 'priority',
  words,
  ...more
})
const script = (more: object = {}): Exercise =>
  v.parse(exerciseSchema, {
    title: 'Flood night',
    ends: 30,
    injects: [
      { at: 0, note: 'Check in.' },
      { at: 1, event: event('Mill River is rising') },
      { at: 10, event: event('Mill River is over the road', { severity: 'critical' }) },
      { at: 20, event: event('Trees are down', { name: 'storm', region: 'South', severity: 'routine' }) }
    ],
    ...more
  })

async function stage(t: Test, config: object = withMatrix(CELLS)): Promise<{ s: Station; exercises: Exercises }> {
  const s = await station(t, { config, databasePath: join(t.testdir(), 'lookout.db') })
  return { s, exercises: playerOf(t, s, config) }
}

function playerOf(t: Test, { core, clock }: Station, config: object): Exercises {
  const parsed = v.parse(configSchema, config)
  const log = pino({ level: 'error' }, { write: (line: string) => t.fail(line) })
  const exercises = stationExercises({ core, config: () => parsed, clock, log })
  t.teardown(() => exercises.close())
  return exercises
}

const statesOf = (view: ExerciseView | null): string[] => (view?.injects ?? []).map(({ state }) => state)
const texts = (s: Station): string[] => s.onAir()

t.test('what is due is told in its minute, each text marked, and at the end what goes on is ended', async (t) => {
  const { s, exercises } = await stage(t)
  exercises.start(script(), {})
  t.same(statesOf(exercises.status()), ['given', 'ahead', 'ahead', 'ahead'])
  await s.run(59)
  t.same(texts(s), [])
  await s.run(60)
  t.match(texts(s), [/^mt:3 EXERCISE, no danger: Mill River is rising/])
  await s.run(20 * 60)
  t.equal(exercises.status()?.state, 'running')
  t.same(statesOf(exercises.status()), ['given', 'given', 'given', 'given'])
  await s.run(15 * 60)
  t.equal(exercises.status()?.state, 'over')
  const all = texts(s)
  t.equal(all.filter((text) => /rising/.test(text)).length, 1)
  t.equal(all.filter((text) => /over the road/.test(text)).length, 2, 'the news, and the end')
  t.equal(all.filter((text) => /Trees are down/.test(text)).length, 4, 'two networks, and the ends there')
  t.same(
    all.filter((text) => !/EXERCISE, no danger/.test(text)),
    []
  )
  t.same(
    s.deliveries().filter(({ state }) => state === 'held'),
    []
  )
})

t.test('stopped, what is ahead is not told and what was told is ended', async (t) => {
  const { s, exercises } = await stage(t)
  exercises.start(script(), {})
  await s.run(120)
  t.equal(exercises.stop(), true)
  await s.run(3600)
  t.match(texts(s), [/rising/, /rising/])
  t.match(exercises.status(), { state: 'stopped' })
  t.same(statesOf(exercises.status()), ['given', 'given', 'withdrawn', 'withdrawn'])
  t.equal(exercises.stop(), false)
  exercises.start(script(), {})
  t.equal(exercises.status()?.state, 'running', 'another may begin')
})

t.test('after an end at any moment what was said is not said again, and the rest goes on', async (t) => {
  const config = withMatrix(CELLS)
  let { s, exercises } = await stage(t, config)
  exercises.start(script(), {})
  let said = 0
  for (let n = 0; n < 12; n++) {
    await s.run(170)
    said += texts(s).length
    await exercises.close()
    s = await s.restart()
    exercises = playerOf(t, s, config)
  }
  said += texts(s).length
  t.same(statesOf(exercises.status()), ['given', 'given', 'given', 'given'])
  t.equal(exercises.status()?.state, 'over')
  t.equal(said, 2 + 2 + 1 + 2, 'two of the river, the trees on two networks, and the ends of each')
})

t.test('what fell due while the station was off is told to be missed, and not told late', async (t) => {
  const config = withMatrix(CELLS)
  const { s, exercises } = await stage(t, config)
  exercises.start(script(), {})
  await exercises.close()
  const again = await s.restart({ between: () => s.clock.runTo(s.clock.now() + 15 * 60_000) })
  const player = playerOf(t, again, config)
  await again.run(30)
  t.same(texts(again), [])
  t.same(statesOf(player.status()), ['given', 'missed', 'missed', 'ahead'])
  await again.run(8 * 60)
  t.match(texts(again), [/Trees/, /Trees/])
})

t.test('with channels of its own it stays there, whatever the matrix says', async (t) => {
  const { s, exercises } = await stage(t)
  exercises.start(script({ channels: { mt: 7, mc: 'drill' } }), {})
  await s.run(300)
  t.same(
    s.deliveries().map(({ transport, channel }) => `${transport}:${channel}`),
    ['mt:7', 'mc:drill']
  )
})

t.test('an exercise cools no region, mutes no real alert and takes none for its own', async (t) => {
  const inhibition = { rules: [{ name: 'all', source: { family: 'weather' }, target: { family: 'weather' } }] }
  const { s, exercises } = await stage(
    t,
    withMatrix(CELLS, { inhibition, toggles: { weather: { cooldown_seconds: 3600 } } })
  )
  const real = {
    family: 'weather',
    category: 'weather_warning',
    severity: 'priority',
    title: 'Flood Warning',
    regions: ['North'],
    expires: '2026-06-02T18:00:00Z'
  }
  exercises.start(script({ injects: [{ at: 0, event: event('Flood Warning', { severity: 'critical' }) }] }), {})
  await s.run(60)
  await s.post({ ...real, id: 'real' })
  await s.run(120)
  const found = s.deliveries().filter(({ state }) => state === 'heard')
  t.equal(found.length, 2, 'the drill and the real one')
  t.equal(new Set(found.map(({ thread_id: thread }) => thread)).size, 2)
  t.same(
    s.core.ledger.active(s.clock.now(), 10).map((one) => one.event.id),
    ['real'],
    'only the real one is in force'
  )
})

t.test('a second one is refused while one runs, and one whose event cannot be before anything is told', async (t) => {
  const { s, exercises } = await stage(t)
  t.throws(() => exercises.start(script({ injects: [{ at: 0, event: event('x', { family: 'nothing' }) }] }), {}), {
    code: 'invalid'
  })
  t.equal(exercises.status(), null)
  exercises.start(script(), {})
  t.throws(() => exercises.start(script(), {}), { code: 'conflict' })
  await s.run(1)
})

t.test('a script that nobody can play is refused with the place of what is wrong', async (t) => {
  const faults: [object, RegExp][] = [
    [{ injects: [] }, /has an inject/],
    [{ injects: [{ at: 1 }] }, /an event, a note, or both/],
    [{ injects: [{ at: -1, note: 'x' }] }, /before the beginning/],
    [{ injects: [{ at: 1, event: event('x'.repeat(81)) }] }, /at most 80 characters/],
    [{ ends: 5, injects: [{ at: 6, note: 'x' }] }, /after the end/],
    [{ channels: {} }, /name a channel/],
    [{ anything: 1 }, /never/]
  ]
  for (const [more, words] of faults) t.throws(() => script(more), words)
})
