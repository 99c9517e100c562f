import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { START_RECORD, StartRecord, startWait } from '../../../src/platform/files/start-record.ts'

t.test(
  'starts that fail at once are counted over restarts, one that lives a minute or is told to end counts as well',
  async (t) => {
    const folder = t.testdir()
    const clock = new VirtualClock(0)
    const start = (): StartRecord => new StartRecord(folder, clock)
    const failed = (error: unknown): void => void t.fail(String(error))
    for (const before of [0, 1, 2, 3]) t.equal(await start().begin(), before)

    const short = start()
    t.equal(await short.begin(), 4)
    short.up(failed)
    await clock.runTo(59_000)
    t.match(readFileSync(join(folder, START_RECORD), 'utf8'), '{"failed":5,', 'not yet')

    const long = start()
    t.equal(await long.begin(), 5)
    long.up(failed)
    await clock.runTo(180_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    t.equal(await start().begin(), 0, 'it lived')

    const told = start()
    t.equal(await told.begin(), 1)
    await told.end()
    t.equal(await start().begin(), 0, 'it ended because it was told to')
  }
)

t.test('a start that the machine cut short did not fail', async (t) => {
  const folder = t.testdir({ boot: 'b1\n' })
  const clock = new VirtualClock(0)
  const start = (): Promise<number> => new StartRecord(folder, clock, join(folder, 'boot')).begin()
  for (const before of [0, 1, 2]) t.equal(await start(), before)
  writeFileSync(join(folder, 'boot'), 'b2\n')
  for (const before of [0, 1]) t.equal(await start(), before, 'since the power came back')
})

t.test('a record that makes no sense is none', async (t) => {
  for (const content of ['', 'null', '{"failed":-1}', '{"failed":"2"}', '{"failed":1e9}', 'x'.repeat(10_000)]) {
    const folder = t.testdir()
    writeFileSync(join(folder, START_RECORD), content)
    t.equal(await new StartRecord(folder, new VirtualClock(0)).begin(), 0)
  }
})

t.test('the wait doubles from the third failure on, and is never longer than half a minute', (t) => {
  t.strictSame([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1000].map(startWait), [0, 0, 0, 1, 2, 4, 8, 16, 30, 30, 30])
  t.end()
})
