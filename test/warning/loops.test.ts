import { pino } from 'pino'
import t from 'tap'
import type { Loop } from '../../src/platform/clock/pulse.ts'
import { parseEventInput } from '../../src/warning/events/input.ts'
import type { SendOutcome } from '../../src/warning/radios/radio.ts'
import { Scheduler } from '../../src/warning/schedule/scheduler.ts'
import { type Station, station, withMatrix } from '../helpers/station.ts'

/** How the loops of the walk tell the watchdog that they live: contract §12. */

const MATRIX = withMatrix({ fire: { North: { mt: 1, mc: 'net', min_severity: 'routine' } } })

const EVENT = { id: 'b', source: 'test', title: 'b', family: 'fire', regions: ['North'] }

const loopOf = (s: Station, name: string): Loop => {
  const found = s.core.loops().find((loop) => loop.name === name)
  if (found === undefined) throw new Error(`no loop ${name}`)
  return found
}

/** True when a tick alone makes it beat: it has nothing to do. */
function isAtRest(loop: Loop): boolean {
  const { beats } = loop.pulse
  loop.tick()
  return loop.pulse.beats > beats
}

t.test('the watchdog is given the pipeline and the loop of each radio', async (t) => {
  const s = await station(t, { config: MATRIX })
  t.strictSame(
    s.core.loops().map(({ name }) => name),
    ['pipeline', ...s.radios.map(({ description }) => `radio ${description.id}`)]
  )
  for (const loop of s.core.loops()) t.ok(isAtRest(loop), `${loop.name} has nothing to do, and lives`)
})

t.test('a station without a radio lives', async (t) => {
  const s = await station(t, { config: MATRIX, noRadios: true })
  await s.post({ id: 'a' })
  await s.run(600)
  for (const loop of s.core.loops()) t.ok(isAtRest(loop))
})

t.test('a radio that is not connected waits, and its loop lives', async (t) => {
  const s = await station(t, { config: MATRIX })
  s.mt.setFault({ down: true })
  await s.post({ id: 'a' })
  await s.run(600)
  for (const loop of s.core.loops()) t.ok(isAtRest(loop), loop.name)
})

t.test('an event that nobody takes up is a pipeline that stands still', async (t) => {
  const s = await station(t, { config: MATRIX })
  const pipeline = loopOf(s, 'pipeline')
  const lost = s.core.accept([{ event: parseEventInput(EVENT, { now: s.clock.now(), families: new Set(['fire']) }) }])
  // No timer rings: the clock stands.
  t.notOk(isAtRest(pipeline))
  t.notOk(isAtRest(pipeline), 'however often it is asked')
  s.core.pipeline.flush()
  await lost
  t.ok(isAtRest(pipeline))
})

t.test(
  'a text whose radio never says what became of it is a radio that stands still, after its time on the air',
  async (t) => {
    const s = await station(t, { config: MATRIX })
    const loop = loopOf(s, `radio ${s.mt.description.id}`)
    let end: (outcome: SendOutcome) => void = () => undefined
    t.intercept(s.mt, 'send', { value: () => new Promise<SendOutcome>((resolve) => (end = resolve)) })
    await s.post({ id: 'a', severity: 'critical' })
    await s.run(30)
    t.notOk(isAtRest(loop))
    t.ok(loop.pulse.patienceMs > 16_000 && loop.pulse.patienceMs < 30_000, `waits ${loop.pulse.patienceMs} ms`)
    end({ kind: 'unknown', reason: { code: 'driver_failed', params: {} } })
    await s.run(1)
    t.ok(isAtRest(loop), 'and lives again once it has')
  }
)

t.test('a radio that answers while a text waits in it moves on, and not for ever', async (t) => {
  const s = await station(t, { config: MATRIX })
  const loop = loopOf(s, `radio ${s.mc.description.id}`)
  let working = (): void => undefined
  t.intercept(s.mc, 'send', {
    value: (_message: unknown, told: () => void) => {
      working = told
      return new Promise<SendOutcome>(() => undefined)
    }
  })
  await s.post({ id: 'a', severity: 'critical' })
  await s.run(30)
  const before = loop.pulse.beats
  working()
  t.equal(loop.pulse.beats, before + 1)
  await s.run(75)
  working()
  t.equal(loop.pulse.beats, before + 1, 'after a minute and a quarter its answers prove nothing')
})

t.test('a job that does not end is a scheduler that stands still', async (t) => {
  const scheduler = new Scheduler(pino({ level: 'silent' }))
  t.teardown(() => scheduler.stop())
  t.ok(isAtRest(scheduler), 'without jobs it lives')
  let begun: () => void = () => undefined
  let end: () => void = () => undefined
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))
  const hangs = (): Promise<void> => {
    begun()
    return new Promise((resolve) => (end = resolve))
  }
  await scheduler.set('a', [{ name: 'a', cron: '* * * * * *', run: hangs }], 'UTC')
  t.ok(isAtRest(scheduler))
  await hasBegun
  t.notOk(isAtRest(scheduler))
  end()
  await new Promise((resolve) => setImmediate(resolve))
  t.ok(isAtRest(scheduler))
})
