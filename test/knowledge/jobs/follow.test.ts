import t from 'tap'
import { followJobs } from '../../../src/knowledge/jobs/follow.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'

const START = Date.parse('2026-07-01T12:00:00Z')

t.test('a worker that sleeps is woken when a job is due, one that works is left alone', async (t) => {
  const clock = new VirtualClock(START)
  let due: number | null = START - 5
  let asleep = true
  let woken = 0
  const errors: unknown[] = []
  const { look, stop } = followJobs({
    nextDue: () => due,
    asleep: () => asleep,
    wake: () => {
      woken++
      asleep = false
    },
    clock,
    onError: (error) => errors.push(error)
  })
  await clock.runTo(START + 1000)
  t.equal(woken, 1, 'what an earlier process left is begun at once')
  await clock.runTo(START + 600_000)
  t.equal(woken, 1, 'jobs that are still due are its own business')
  asleep = true
  due = null
  await clock.runTo(START + 1_200_000)
  t.equal(woken, 1, 'nothing is left')
  due = START + 1_300_000
  await clock.runTo(START + 1_299_000)
  t.equal(woken, 1, 'not before its time')
  await clock.runTo(START + 1_301_000)
  t.equal(woken, 2)
  asleep = true
  due = START + 10 * 365 * 86_400_000
  await clock.runTo(START + 1_400_000)
  t.equal(woken, 3, 'a time years ahead was told by a clock that was wrong')
  asleep = true
  due = clock.now() + 5000
  look()
  await clock.runTo(clock.now() + 6000)
  t.equal(woken, 4, 'what was put off for a moment is not late when the worker ends')
  stop()
  look()
  asleep = true
  await clock.runTo(START + 2_000_000)
  t.equal(woken, 4)
  t.same(errors, [])
})

t.test('a table that cannot be read is looked at again', async (t) => {
  const clock = new VirtualClock(START)
  let broken = true
  let woken = 0
  const errors: unknown[] = []
  const { stop } = followJobs({
    nextDue: () => {
      if (broken) throw new Error('database is locked')
      return START
    },
    asleep: () => true,
    wake: () => {
      woken++
    },
    clock,
    onError: (error) => errors.push(error)
  })
  await clock.runTo(START + 2000)
  t.match(errors, [{ message: 'database is locked' }])
  broken = false
  await clock.runTo(START + 70_000)
  t.ok(woken > 0)
  stop()
})
