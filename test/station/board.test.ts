import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import type { Power } from '../../src/platform/metrics/power.ts'
import type { PowerConfig } from '../../src/platform/metrics/power-settings.ts'
import { type BoardFacts, BoardWatch } from '../../src/station/board.ts'
import { eventually } from '../helpers/process.ts'

/** The station says how it is for its lamp, and asks to be switched off before the power does it. */

const QUIET: BoardFacts = { troubled: false, alert: false, waiting: 0 }
const MINUTE = 60_000

function world(t: Test, config: Partial<PowerConfig> = {}) {
  const file = join(t.testdir({}), 'board')
  const clock = new VirtualClock(1_790_000_000_000)
  const now = { facts: QUIET, power: { low: null, wasLow: null } as Power, battery: null as number | null }
  const warned: string[] = []
  const settings: PowerConfig = { shutdown: true, battery_percent: 5, low_voltage_minutes: 5, ...config }
  const board = new BoardWatch({
    file,
    clock,
    log: { warn: () => undefined, info: () => undefined },
    facts: () => now.facts,
    power: () => now.power,
    battery: () => now.battery,
    config: () => settings,
    warn: async ({ code }) => void warned.push(code)
  })
  t.teardown(() => board.close())
  board.start()
  const text = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  /** Each look ends before the next one is due. */
  const wait = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 10_000) {
      await clock.runTo(clock.now() + Math.min(left, 10_000))
      await new Promise((done) => setImmediate(done))
      await eventually('the look is over', () => clock.waiting > 0)
    }
  }
  return { now, warned, board, file, text, wait, clock, settings }
}

t.test('the lamp says good only while nothing is wrong, and an alert before anything else', async (t) => {
  const { now, text, wait, board, file } = world(t)
  await wait(10_000)
  t.equal(text(), 'lamp=good\n')
  now.facts = { ...QUIET, troubled: true }
  await wait(10_000)
  t.equal(text(), 'lamp=bad\n')
  now.facts = { troubled: true, alert: true, waiting: 3 }
  await wait(10_000)
  t.equal(text(), 'lamp=alert\n')
  await board.close()
  t.notOk(existsSync(file), 'nobody speaks for a station that has ended')
})

t.test(
  'a state that root may not have seen is told again, and one that is not seen goes on being told while the board is to go',
  async (t) => {
    const { now, text, wait, file } = world(t)
    const told = async (ms: number): Promise<boolean> => {
      if (existsSync(file)) rmSync(file)
      await wait(ms)
      return text() !== ''
    }
    await wait(10_000)
    t.equal(await told(10_000), true, 'root worked at the one before')
    t.equal(await told(10_000), false)
    t.equal(await told(60_000), true)
    t.equal(await told(600_000), false, 'not for ever')
    now.battery = 2
    await wait(30_000)
    t.match(text(), /poweroff=battery/)
    await wait(120_000)
    for (let minute = 0; minute < 5; minute++) t.equal(await told(60_000), true, `minute ${minute}`)
  }
)

t.test('an empty battery switches off after one message, once that has left', async (t) => {
  const { now, text, wait, warned } = world(t)
  now.battery = 6
  await wait(10_000)
  t.same(warned, [])
  now.battery = 5
  now.facts = { ...QUIET, waiting: 1 }
  await wait(30_000)
  t.same(warned, ['board_off_battery'])
  t.notMatch(text(), 'poweroff', 'the message still waits')
  now.facts = QUIET
  await wait(10_000)
  t.equal(text(), 'lamp=good\npoweroff=battery\n')
  now.battery = null
  await wait(10_000)
  t.equal(text(), 'lamp=good\n', 'it is charged again: the wish is taken back')
  t.equal(warned.length, 1)
})

t.test('a message that does not leave holds it up for a minute and a half, no longer', async (t) => {
  const { now, text, wait } = world(t)
  now.battery = 2
  now.facts = { ...QUIET, waiting: 1 }
  await wait(80_000)
  t.notMatch(text(), 'poweroff')
  await wait(30_000)
  t.match(text(), 'poweroff=battery')
})

t.test('a voltage that dips now and then switches nothing off; one that stays low for its minutes does', async (t) => {
  const { now, text, wait, warned } = world(t)
  for (let dip = 0; dip < 30; dip++) {
    now.power = { low: dip % 3 === 0, wasLow: true }
    await wait(20_000)
  }
  t.same(warned, [])
  now.power = { low: true, wasLow: true }
  await wait(6 * MINUTE)
  t.same(warned, ['board_off_voltage'])
  t.match(text(), 'poweroff=voltage')
})

t.test('off as it comes: neither battery nor voltage switches off', async (t) => {
  const { now, text, wait, warned } = world(t, { shutdown: false })
  now.battery = 1
  now.power = { low: true, wasLow: true }
  await wait(20 * MINUTE)
  t.same(warned, [])
  t.notMatch(text(), 'poweroff')
})

t.test('a machine that does not tell its voltage is not switched off for it', async (t) => {
  const { text, wait } = world(t)
  await wait(20 * MINUTE)
  t.notMatch(text(), 'poweroff')
})
