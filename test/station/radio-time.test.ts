import t from 'tap'
import { LentTime, VirtualClock } from '../../src/platform/clock/clock.ts'
import { believed, borrowTime } from '../../src/station/radio-time.ts'
import { watchTime } from '../../src/station/time-watch.ts'
import { NodeTime } from '../../src/warning/radios/meshtastic/node-time.ts'
import type { RadioTime } from '../../src/warning/radios/radio.ts'

/** docs/decisions/0032: whose time is believed while the own clock is not set. */

const NOW = Date.parse('2026-06-01T18:00:00Z')
const HOUR = 3_600_000
const YEAR = 365 * 24 * HOUR
const mt = (time: number, proven = false) => ({ radio: 'mt', time, proven })
const mc = (time: number, proven = true) => ({ radio: 'mc', time, proven })

t.test('one radio whose time no stranger can have set is believed; another only when a second one agrees', (t) => {
  t.match(believed([mc(NOW)], null), { radio: 'mc', time: NOW })
  t.equal(believed([mt(NOW)], null), null, 'any node in reach may have set it')
  t.match(believed([mt(NOW, true)], null), { radio: 'mt' }, 'satellites have')
  t.match(believed([mt(NOW), { radio: 'mt2', time: NOW + 60_000, proven: false }], null), { time: NOW })
  t.equal(believed([mt(NOW), { radio: 'mt2', time: NOW + HOUR, proven: false }], null), null)
  t.equal(believed([mt(NOW), mt(NOW)], null), null, 'one radio is one witness')
  t.match(believed([mt(NOW + 5 * HOUR), mc(NOW)], null), { radio: 'mc' })
  t.equal(believed([mt(NOW + 5 * HOUR, true), mc(NOW)], null), null, 'two that are sure and differ')
  t.equal(believed([], null), null)
  t.end()
})

t.test('no time is believed that lies before what is stored, long after it, or before this program', (t) => {
  t.equal(believed([mc(NOW - HOUR)], NOW), null)
  t.match(believed([mc(NOW + HOUR)], NOW), { radio: 'mc' })
  t.equal(believed([mc(NOW + 3 * YEAR)], NOW), null, 'a companion that a clock of 2036 had set')
  t.equal(believed([mc(Date.parse('2024-05-15T08:00:00Z'))], null), null, 'where its firmware begins')
  t.end()
})

t.test(
  'the time is lent until the clock is set, the leap is told to what waits for it, and all say whose it is',
  async (t) => {
    const wall = new VirtualClock(9000)
    const clock = new LentTime(wall)
    const from: (string | null)[] = []
    const leaps: number[] = []
    let said: RadioTime | null = null
    const warnings: string[] = []
    let passed = 0
    const stopWatch = watchTime(
      { clockJumped: () => t.fail('a clock that is set for the first time has not leapt') },
      { clock, steady: () => passed, onLeap: () => leaps.push(clock.now()) }
    )
    const stop = borrowTime({
      clock,
      radios: [{ description: { id: 'mc' } as never, time: () => said }],
      newest: () => null,
      report: { clockFrom: (radio) => void from.push(radio) },
      log: { warn: (_: unknown, words: string) => void warnings.push(words) } as never
    })
    const run = async (seconds: number): Promise<void> => {
      for (let n = 0; n < seconds; n++) {
        passed += 1000
        await wall.runTo(wall.now() + 1000)
      }
    }
    await run(20)
    t.same(from, [])
    t.equal(clock.now(), wall.now(), 'nobody knows')
    said = { told: NOW, at: wall.now(), proven: true }
    await run(20)
    t.same(from, ['mc'])
    t.equal(clock.now(), NOW + 20_000, 'its seconds have gone on')
    t.equal(leaps.length, 1)
    t.equal(warnings.length, 1)
    said = { told: NOW + 9 * HOUR, at: wall.now(), proven: true }
    await run(20)
    t.equal(clock.now(), NOW + 40_000, 'it is asked once')
    wall.set(NOW + 45_000)
    t.equal(clock.now(), NOW + 45_000, 'the own clock is set')
    await run(10)
    t.same(from, ['mc', null])
    t.notOk(clock.isLent)
    stop()
    stopWatch()
  }
)

t.test('a clock that is set borrows nothing', async (t) => {
  const wall = new VirtualClock(NOW)
  const clock = new LentTime(wall)
  const stop = borrowTime({
    clock,
    radios: [{ description: { id: 'mc' } as never, time: () => ({ told: NOW - YEAR, at: NOW, proven: true }) }],
    newest: () => null,
    report: { clockFrom: () => t.fail('nobody needs it') },
    log: { warn: () => undefined } as never
  })
  await wall.runTo(NOW + 60_000)
  t.equal(clock.now(), NOW + 60_000)
  clock.lend(5)
  t.equal(clock.now(), NOW + 60_000)
  stop()
})

t.test('a Meshtastic node proves its time by a position of its own from satellites, and by nothing else', (t) => {
  const clock = new VirtualClock(5000)
  const time = new NodeTime(clock)
  const packet = (port: number, payload: number[], rxTime = NOW / 1000) =>
    ({ rxTime, data: { port, payload: Uint8Array.from(payload), requestId: 0, emoji: false } }) as never
  t.equal(time.told, null)
  time.take(packet(67, [], 0))
  t.equal(time.told, null, 'it does not know the time')
  time.take(packet(67, []))
  t.same(time.told, { told: NOW, at: 5000, proven: false })
  // time, location_source, sats_in_view
  const position = (source: number, satellites: number): number[] => [
    ...[0x25, 1, 2, 3, 4],
    ...[0x28, source],
    ...[0x98, 0x01, satellites]
  ]
  time.take(packet(3, position(1, 7)))
  t.equal(time.told?.proven, false, 'somebody typed it')
  time.take(packet(3, position(2, 0)))
  t.equal(time.told?.proven, false, 'no satellite')
  time.take(packet(3, position(2, 7)))
  t.equal(time.told?.proven, true)
  time.take(packet(67, []))
  t.equal(time.told?.proven, true, 'until it says otherwise')
  time.forget()
  t.equal(time.told, null)
  t.end()
})
