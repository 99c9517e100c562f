import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { CLOCKS_DIFFER_MS, slotTimes, untilTurnMs } from '../../../src/warning/outbox/standby-slots.ts'
import { MC_PRESETS, MT_PRESETS, mcModem, mtModem } from '../../../src/warning/radios/modem.ts'
import type { ModemSettings, Network } from '../../../src/warning/radios/radio.ts'
import { START, station, withMatrix } from '../../helpers/station.ts'

/** Docs: docs/interface.md §6, *Two stations*. */

const RADIOS: { network: Network; modem: ModemSettings }[] = [
  ...Object.keys(MT_PRESETS).map((preset) => ({
    network: 'mt' as const,
    modem: mtModem(preset as keyof typeof MT_PRESETS, 'US')
  })),
  ...Object.values(MC_PRESETS).map((preset) => ({ network: 'mc' as const, modem: mcModem(preset) }))
]
const LONG_FAST = { network: 'mt' as const, modem: mtModem('LongFast', 'US') }
const STEP_MS = 500

/** The times within one period at which a station may begin, every half second. */
function begins(order: number, stations: number, immediate: boolean, radio: (typeof RADIOS)[number]): number[] {
  const times = slotTimes(radio, stations)
  const all = Array.from({ length: times.periodMs / STEP_MS }, (_, at) => at * STEP_MS)
  return all.filter((now) => untilTurnMs({ order, stations, immediate, sentAt: null }, times, now) === 0)
}

t.test(
  'whatever the preset, no two stations begin so close that their texts cross, with clocks that differ',
  async (t) => {
    for (const radio of RADIOS)
      for (const stations of [2, 3, 4])
        for (const immediate of [false, true]) {
          const { periodMs, guardMs, guardImmediateMs } = slotTimes(radio, stations)
          const least = (immediate ? guardImmediateMs : guardMs) - CLOCKS_DIFFER_MS
          const own = Array.from({ length: stations }, (_, at) => begins(at + 1, stations, immediate, radio))
          let nearest = Number.POSITIVE_INFINITY
          for (const [one, times] of own.entries())
            for (const other of own.slice(one + 1).flat())
              for (const at of times) {
                const apart = Math.abs(at - other)
                nearest = Math.min(nearest, apart, periodMs - apart)
              }
          if (nearest - CLOCKS_DIFFER_MS < least - CLOCKS_DIFFER_MS)
            t.fail(`${radio.modem.label}, ${stations} stations: ${nearest} ms apart, not ${least}`)
        }
    t.pass('all presets')
  }
)

t.test('each station has its turn in every period, and the first more than half of the time', async (t) => {
  for (const radio of RADIOS)
    for (const stations of [2, 3, 4]) {
      const periods = slotTimes(radio, stations).periodMs / STEP_MS
      t.ok(begins(1, stations, false, radio).length / periods >= 0.49, radio.modem.label)
      for (let order = 2; order <= stations; order++) t.ok(begins(order, stations, true, radio).length > 0)
    }
})

t.test(
  'an immediate text of the first waits in the median for nothing, on LongFast 4 s in the mean and 23 s at most',
  async (t) => {
    const times = slotTimes(LONG_FAST, 2)
    const waits = Array.from({ length: times.periodMs / 100 }, (_, at) =>
      untilTurnMs({ order: 1, stations: 2, immediate: true, sentAt: null }, times, at * 100)
    ).sort((a, b) => a - b)
    t.equal(waits[Math.floor(waits.length / 2)], 0)
    t.ok(waits.reduce((sum, ms) => sum + ms, 0) / waits.length <= 4000)
    t.ok((waits.at(-1) ?? 0) <= 23_000)
  }
)

t.test('what a source said a moment ago the first says at once: nobody can have waited for it', async (t) => {
  const times = slotTimes(LONG_FAST, 2)
  const now = 100 * times.periodMs
  const wait = (sentAt: number | null): number =>
    untilTurnMs({ order: 1, stations: 2, immediate: true, sentAt }, times, now)
  t.equal(wait(now - 10_000), 0)
  t.ok(wait(now - 30_000) > 0, 'who stands by may have waited 30 seconds by now')
  t.ok(wait(null) > 0)
  t.ok(wait(now + 60_000) > 0, 'a time that is yet to come proves nothing')
})

const EVENT = { id: 'a', title: 'Pine Fire', severity: 'immediate', expires: '2026-06-02T18:00:00Z' }
const config = (order: number): object =>
  withMatrix(
    { fire: { North: { mt: 3, mc: 'north' } } },
    { standby: { enabled: true, order, secret: 'a shared secret of two', peers: ['!00000001'] } }
  )
/** The beginning of a slot of the second, for the simulated radio. */
const PERIOD = slotTimes({ network: 'mt', modem: mtModem('ShortFast', 'US') }, 2).periodMs
const SLOT = Math.ceil(START / PERIOD) * PERIOD

t.test('the first waits for the end of the slot of the second, and tells so', async (t) => {
  const s = await station(t, { config: config(1), clock: new VirtualClock(SLOT) })
  await s.run(PERIOD / 1000)
  await s.post(EVENT)
  // It listens for a text that is on the air, for it has begun a moment ago.
  await s.run(6)
  const row = (): unknown => s.deliveries().find(({ transport }) => transport === 'mt')
  t.match(row(), { state: 'queued', reason: 'standby_slot' })
  await s.run(22)
  t.match(
    s.onAir().filter((line) => line.startsWith('mt')),
    [/Pine Fire/]
  )
  t.match(row(), { state: 'heard' })
})

t.test('with a clock that nobody set there are no slots, and the wait has chance in it again', async (t) => {
  const unset = new VirtualClock(Date.UTC(1970, 0, 1, 0, 10))
  const s = await station(t, { config: config(1), clock: unset })
  for (let n = 0; n < 8; n++) {
    await s.post({ ...EVENT, id: `e${n}`, title: `Fire ${n}`, expires: '1970-01-02T00:00:00Z' })
    await s.run(10)
  }
  t.same(
    s.deliveries().filter(({ reason }) => reason === 'standby_slot'),
    []
  )
})
