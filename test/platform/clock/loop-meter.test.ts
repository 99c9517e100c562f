import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { LoopMeter, patientClock } from '../../../src/platform/clock/loop-meter.ts'
import { SelfReport } from '../../../src/warning/readiness/self-report.ts'

/** Timers that run late by as long as the process stands still, as those of Node do. */
function stalling() {
  const timers = new VirtualClock(0)
  let stood = 0
  const stalls: number[] = []
  const meter = new LoopMeter({ clock: timers, steady: () => timers.now() + stood, onStall: (ms) => stalls.push(ms) })
  meter.start()
  return {
    timers,
    meter,
    stalls,
    run: (ms: number) => timers.runTo(timers.now() + ms),
    /** Time passes in which nothing of this process runs. */
    stand: (ms: number) => {
      stood += ms
    }
  }
}

t.test('a stall is counted while it lasts and once it is over; small delays are none', async (t) => {
  const { meter, stalls, run, stand } = stalling()
  await run(1000)
  t.equal(meter.lostMs(), 0)
  stand(15)
  await run(1000)
  t.equal(meter.lostMs(), 0)
  await run(50)
  stand(3000)
  t.ok(meter.lostMs() >= 2900, 'whose timer runs before that of the meter knows too')
  await run(1000)
  t.equal(meter.lostMs(), 3000)
  t.same(stalls, [3000])
})

t.test('the worst stall is that of the last minute', async (t) => {
  const { meter, run, stand } = stalling()
  t.equal(meter.worst().ms, 0)
  for (const ms of [200, 1500, 300]) {
    stand(ms)
    await run(20_000)
  }
  t.equal(meter.worst().ms, 1500)
  await run(22_000)
  t.equal(meter.worst().ms, 300)
  await run(60_000)
  t.equal(meter.worst().ms, 0)
  meter.stop()
})

t.test(
  'whoever was at work at the worst stall is named, and a history takes the longest since it asked last',
  async (t) => {
    const timers = new VirtualClock(0)
    let stood = 0
    let atWork = ['nws']
    const meter = new LoopMeter({ clock: timers, steady: () => timers.now() + stood, atWork: () => atWork })
    meter.start()
    stood += 700
    await timers.runTo(1000)
    atWork = ['usgs']
    stood += 300
    await timers.runTo(2000)
    t.same(meter.worst(), { ms: 700, during: ['nws'] })
    t.equal(meter.takeLongestMs(), 700)
    t.equal(meter.takeLongestMs(), 0)
    stood += 45
    await timers.runTo(3000)
    t.ok(meter.takeLongestMs() > 0, 'a step of two looks is never missed')
    meter.stop()
  }
)

t.test('a stall of more than a second is what readiness tells as loop_stalled', async (t) => {
  const report = new SelfReport()
  const timers = new VirtualClock(0)
  let stood = 0
  const onStall = (ms: number): void => report.loopStalled(ms, timers.now())
  const meter = new LoopMeter({ clock: timers, steady: () => timers.now() + stood, onStall })
  meter.start()
  stood += 900
  await timers.runTo(1000)
  t.equal(report.facts(timers.now()).loop, null)
  stood += 3000
  await timers.runTo(2000)
  t.match(report.facts(timers.now()).loop, { stalledMs: 3000 })
  meter.stop()
})

t.test('who waits for an answer does not count the time in which we did not listen', async (t) => {
  const { timers, meter, run, stand } = stalling()
  const clock = patientClock(timers, meter)
  let silentAt: number | null = null
  const wait = (ms: number): void => {
    silentAt = null
    clock.after(ms, () => {
      silentAt = timers.now()
    })
  }
  wait(3000)
  await run(3000)
  t.equal(silentAt, timers.now(), 'without a stall it waits as long as it was asked')

  wait(3000)
  await run(100)
  stand(2500)
  await run(2900)
  t.equal(silentAt, null, 'of three seconds we listened for half a second')
  await run(2500)
  t.equal(silentAt, timers.now())

  wait(3000)
  stand(60_000)
  await run(3000)
  t.equal(silentAt, null)
  await run(3000)
  t.equal(silentAt, timers.now(), 'never more than once more')
})

t.test('what is called off stays so, before and after a stall', async (t) => {
  const { timers, meter, run, stand } = stalling()
  const clock = patientClock(timers, meter)
  let called = 0
  const first = clock.after(1000, () => called++)
  first()
  const second = clock.after(1000, () => called++)
  stand(800)
  await run(1000)
  second()
  await run(5000)
  t.equal(called, 0)
})
