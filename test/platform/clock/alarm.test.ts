import t from 'tap'
import { Alarm } from '../../../src/platform/clock/alarm.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'

t.test(
  'an alarm rings once, at the earliest time it was set for, and never inside the call that sets it',
  async (t) => {
    const clock = new VirtualClock(1000)
    const rang: number[] = []
    const alarm = new Alarm(
      clock,
      () => rang.push(clock.now()),
      (error) => t.error(error)
    )
    alarm.start()
    alarm.by(3000)
    alarm.by(2000)
    alarm.by(5000)
    await clock.runTo(10_000)
    t.same(rang, [2000])
    alarm.by(500)
    t.same(rang, [2000], 'what is overdue waits for the next turn')
    await clock.runTo(10_000)
    t.same(rang, [2000, 10_000])
    alarm.by(11_000)
    alarm.stop()
    await clock.runTo(20_000)
    t.equal(rang.length, 2, 'a stopped one is silent')
  }
)

t.test(
  'a task that fails is reported and tried again a minute later; far times are looked at every minute',
  async (t) => {
    const clock = new VirtualClock(0)
    const errors: unknown[] = []
    let runs = 0
    const alarm = new Alarm(
      clock,
      () => {
        runs++
        if (runs === 1) throw new Error('disk full')
      },
      (error) => errors.push(error)
    )
    alarm.start()
    alarm.by(0)
    await clock.runTo(59_999)
    t.same([runs, errors.length], [1, 1])
    await clock.runTo(60_000)
    t.same([runs, errors.length], [2, 1])
    alarm.by(10 * 60_000)
    await clock.runTo(120_000)
    t.equal(runs, 3)
  }
)
