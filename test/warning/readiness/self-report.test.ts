import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { watchTime } from '../../../src/station/time-watch.ts'
import { SelfReport } from '../../../src/warning/readiness/self-report.ts'

const NOW = Date.parse('2026-07-01T12:00:00Z')

t.test('events that came and are not written are known until a write succeeds', async (t) => {
  const report = new SelfReport()
  report.eventsCame(NOW)
  report.eventsCame(NOW + 5000)
  t.equal(report.facts(NOW + 9000).writes.unwrittenSince, NOW, 'since the oldest')
  report.storageFailed('io_error', { at: NOW + 9000, detail: 'EIO' })
  report.storageFailed('io_error', { at: NOW + 19_000 })
  t.match(report.facts(NOW + 20_000).storage, { code: 'io_error', since: NOW + 9000 })
  report.written(NOW + 30_000)
  t.match(report.facts(NOW + 30_000), { storage: null, writes: { lastAt: NOW + 30_000, unwrittenSince: null } })
})

t.test('a stall over a second is remembered for ten minutes, the worst of them', async (t) => {
  const report = new SelfReport()
  report.loopStalled(900, NOW)
  t.equal(report.facts(NOW).loop, null)
  report.loopStalled(4000, NOW)
  report.loopStalled(1500, NOW + 60_000)
  t.same(report.facts(NOW + 60_000).loop, { stalledMs: 4000, at: NOW })
  t.equal(report.facts(NOW + 601_000).loop, null)
  report.loopStalled(1500, NOW + 700_000)
  t.match(report.facts(NOW + 700_000).loop, { stalledMs: 1500 })
})

/** A wall clock that somebody sets, and a steady one that nobody can. */
async function watched(start: number) {
  const report = new SelfReport()
  const timers = new VirtualClock(0)
  let set = start
  let stood = 0
  const clock = { now: () => timers.now() + set, after: (ms: number, task: () => void) => timers.after(ms, task) }
  let leaps = 0
  const onLeap = (): void => {
    leaps++
  }
  const stop = watchTime(report, { clock, steady: () => timers.now() + stood, onLeap })
  return {
    facts: () => report.facts(clock.now()),
    leaps: () => leaps,
    stop,
    run: (ms: number) => timers.runTo(timers.now() + ms),
    setClock: (by: number) => {
      set += by
    },
    stand: (ms: number) => {
      stood += ms
      set += ms
    },
    timers
  }
}

t.test('a clock that leaps is told, one that runs, drifts or is set for the first time is not', async (t) => {
  const made = await watched(NOW)
  await made.run(5000)
  made.setClock(2000)
  await made.run(5000)
  t.equal(made.facts().clock.jump, null)
  t.equal(made.leaps(), 0)
  made.setClock(-3_600_000)
  await made.run(1000)
  t.equal(made.leaps(), 1)
  t.match(made.facts().clock.jump, { seconds: -3600 })
  t.equal(made.facts().loop, null, 'nothing stood still')
  const unset = await watched(0)
  unset.setClock(NOW)
  await unset.run(2000)
  t.equal(unset.facts().clock.jump, null)
  t.equal(unset.leaps(), 1, 'what a wrong time kept back is decided anew all the same')
  made.stop()
  unset.stop()
  t.equal(made.timers.waiting, 0)
})

t.test('the clock of a program that stood still did not leap', async (t) => {
  const made = await watched(NOW)
  await made.run(1000)
  made.stand(3000)
  await made.run(1000)
  t.match(made.facts(), { clock: { jump: null } })
})
