import t, { type Test } from 'tap'
import { type Power, PowerWatch, readPower } from '../../../src/platform/metrics/power.ts'

/** The voltage of the board, as either kernel tells it. */

const firmware = (t: Test, word: string): Power =>
  readPower(t.testdir({ devices: { platform: { soc: { 'soc:firmware': { get_throttled: word } } } } }))

t.test(
  "the firmware's word tells low voltage now and since the start, and nothing else of it is taken for that",
  (t) => {
    t.same(firmware(t, '0\n'), { low: false, wasLow: false })
    t.same(firmware(t, '50005\n'), { low: true, wasLow: true })
    t.same(firmware(t, '50000\n'), { low: false, wasLow: true })
    // Hot, and its clock lowered: no matter of the supply.
    t.same(firmware(t, 'e000e\n'), { low: false, wasLow: false })
    t.end()
  }
)

t.test("Debian's own kernel tells an alarm of the voltage", (t) => {
  const hwmon = (alarm: string) => ({
    class: { hwmon: { hwmon0: { name: 'cpu_thermal\n' }, hwmon1: { name: 'rpi_volt\n', in0_lcrit_alarm: alarm } } }
  })
  t.same(readPower(t.testdir(hwmon('1\n'))), { low: true, wasLow: null })
  t.same(readPower(t.testdir(hwmon('0\n'))), { low: false, wasLow: null })
  t.end()
})

t.test('a machine that tells nothing has no voltage that is good', (t) => {
  t.same(readPower(t.testdir({})), { low: null, wasLow: null })
  t.same(firmware(t, 'no word\n'), { low: null, wasLow: null })
  t.end()
})

t.test('it is asked at most every 15 s', (t) => {
  let [now, asked] = [0, 0]
  const read = (): Power => {
    asked++
    return { low: asked > 1, wasLow: null }
  }
  const watch = new PowerWatch({ read, clock: { now: () => now } })
  watch.now()
  now = 14_999
  t.equal(watch.now().low, false)
  now = 15_000
  t.equal(watch.now().low, true)
  t.equal(asked, 2)
  t.end()
})
