import fc from 'fast-check'
import t from 'tap'
import {
  AirtimeLedger,
  budgetMs,
  LIMIT_SHARE,
  mcChannelAirtimeMs,
  mcDirectAirtimeMs,
  mtTextAirtimeMs,
  RESERVE_SHARE,
  timeOnAirMs
} from '../../../src/warning/outbox/airtime.ts'
import {
  MC_PRESETS,
  MT_PRESETS,
  type MtPreset,
  mcModem,
  mtDutyCycle,
  mtModem
} from '../../../src/warning/radios/modem.ts'
import type { ModemSettings } from '../../../src/warning/radios/radio.ts'
import { mtGiveUpMs, mtSlotMs } from '../../../src/warning/radios/time-on-air.ts'

/** Within 2 %, or the half millisecond by which the measured number was rounded. */
function near(actual: number, expected: number): boolean {
  return Math.abs(actual - expected) <= Math.max(0.02 * expected, 0.5)
}

/** Milliseconds measured for MT texts of 20, 60, 120, 200 and 232 bytes, and the slot. */
const MT_TABLE: [MtPreset, number[], number][] = [
  ['ShortTurbo', [24, 38, 61, 90, 102], 8],
  ['ShortFast', [48, 76, 122, 181, 204], 9],
  ['ShortSlow', [85, 136, 213, 321, 362], 10],
  ['MediumFast', [160, 252, 386, 570, 642], 13],
  ['MediumSlow', [300, 464, 710, 1037, 1181], 18],
  ['LongTurbo', [378, 607, 968, 1459, 1656], 18],
  ['LongFast', [559, 846, 1296, 1911, 2157], 28],
  ['LongModerate', [1774, 2953, 4657, 7016, 7934], 49],
  ['LongSlow', [3285, 5382, 8528, 12722, 14295], 90]
]

/** Milliseconds measured for MC channel texts of 20, 60, 120 and 160 bytes, name included. */
const MC_TABLE: [string, ModemSettings, number[]][] = [
  ['EU/UK narrow', mcModem(MC_PRESETS['EU/UK narrow']), [509, 902, 1295, 1689]],
  ['US/Canada', mcModem(MC_PRESETS['US/Canada']), [214, 347, 490, 633]],
  [
    '62.5/SF8/CR5',
    mcModem({ bandwidthHz: 62_500, spreadingFactor: 8, codingRate: 5, dutyCycle: 1 }),
    [386, 632, 878, 1123]
  ],
  [
    '125/SF9/CR5',
    mcModem({ bandwidthHz: 125_000, spreadingFactor: 9, codingRate: 5, dutyCycle: 1 }),
    [300, 525, 730, 955]
  ],
  ['ANZ', mcModem(MC_PRESETS['ANZ']), [280, 484, 669, 873]],
  ['EU long range', mcModem(MC_PRESETS['EU long range']), [518, 887, 1255, 1583]]
]

t.test('the time-on-air of an MT text agrees with the firmware within 2 % on every preset', async (t) => {
  for (const [preset, expected, slot] of MT_TABLE) {
    const modem = mtModem(preset, 'US')
    for (const [i, bytes] of [20, 60, 120, 200, 232].entries()) {
      const actual = mtTextAirtimeMs(bytes, modem)
      t.ok(near(actual, expected[i]!), `${preset}, ${bytes} bytes: ${actual.toFixed(1)} for ${expected[i]}`)
    }
    t.equal(Math.round(mtSlotMs(modem)), slot, `${preset}: slot`)
  }
})

t.test(
  'the time-on-air of an MC channel text agrees with the firmware within 2 % on every radio setting',
  async (t) => {
    for (const [name, modem, expected] of MC_TABLE) {
      for (const [i, bytes] of [20, 60, 120, 160].entries()) {
        const actual = mcChannelAirtimeMs(bytes, modem)
        t.ok(near(actual, expected[i]!), `${name}, ${bytes} bytes: ${actual.toFixed(1)} for ${expected[i]}`)
      }
    }
  }
)

t.test('a 232-byte MT text fills the LoRa frame of 255 bytes, and the length field grows at 128 bytes', async (t) => {
  const modem = mtModem('ShortFast', 'US')
  t.equal(mtTextAirtimeMs(232, modem), timeOnAirMs(255, modem))
  t.equal(mtTextAirtimeMs(127, modem), timeOnAirMs(149, modem))
  t.equal(mtTextAirtimeMs(128, modem), timeOnAirMs(151, modem))
})

t.test('an MC direct text is 22 bytes on the air up to 11 bytes of text and 38 from there, as recorded', async (t) => {
  const modem = mcModem(MC_PRESETS['EU/UK narrow'])
  t.equal(mcDirectAirtimeMs(11, modem), timeOnAirMs(22, modem))
  t.equal(mcDirectAirtimeMs(12, modem), timeOnAirMs(38, modem))
})

t.test('time-on-air never falls when a text grows, for any preset', async (t) => {
  const presets = fc.constantFrom(...(Object.keys(MT_PRESETS) as MtPreset[]))
  fc.assert(
    fc.property(presets, fc.integer({ min: 0, max: 231 }), (preset, bytes) => {
      const modem = mtModem(preset, 'US')
      return mtTextAirtimeMs(bytes, modem) > 0 && mtTextAirtimeMs(bytes + 1, modem) >= mtTextAirtimeMs(bytes, modem)
    })
  )
  t.pass('holds')
})

t.test('an MT text is given up after three transmissions and 10 s, and never later than 3 minutes', async (t) => {
  const shortFast = mtModem('ShortFast', 'US')
  t.ok(
    near(mtGiveUpMs(mtTextAirtimeMs(20, shortFast), shortFast), 15_300 + 10_000),
    '15.3 s measured at ShortFast, and 10 s'
  )
  const slow: ModemSettings = { ...mtModem('LongSlow', 'US'), bandwidthHz: 15_600 }
  t.equal(mtGiveUpMs(mtTextAirtimeMs(232, slow), slow), 180_000)
})

t.test('the legal share follows the region, and a region without a known limit has none', async (t) => {
  for (const region of ['EU_868', 'EU_433', 'UA_433', 'TH']) t.equal(mtDutyCycle(region), 0.1, region)
  t.equal(mtDutyCycle('UA_868'), 0.01)
  t.equal(mtDutyCycle('EU_866'), 0.025)
  for (const region of ['US', 'ANZ', 'JP', 'UNSET', 'constructor']) t.equal(mtDutyCycle(region), 1, region)
  t.match(mtModem('LongFast', 'EU_868'), { preambleSymbols: 16, dutyCycle: 0.1, label: 'LongFast' })
  t.match(mcModem(MC_PRESETS['US/Canada']), { preambleSymbols: 32, dutyCycle: 1, label: '62.5 kHz SF7 CR5' })
  t.match(mcModem(MC_PRESETS['ANZ']), { preambleSymbols: 16, label: '250 kHz SF10 CR5' })
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const START = Date.UTC(2026, 0, 1)

t.test('the ledger counts the last 60 minutes and never less than the truth', async (t) => {
  const entry = fc.record({ at: fc.integer({ min: 0, max: 3 * HOUR }), ms: fc.integer({ min: 0, max: 15_000 }) })
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), (drawn) => {
      const entries = drawn.sort((a, b) => a.at - b.at)
      const ledger = new AirtimeLedger()
      for (const { at, ms } of entries) ledger.add(START + at, ms)
      const now = entries.at(-1)?.at ?? 0
      const sum = (window: number): number =>
        entries.filter(({ at }) => at > now - window).reduce((total, { ms }) => total + ms, 0)
      const used = ledger.usedMs(START + now)
      return used >= sum(HOUR) && used <= sum(HOUR + MINUTE)
    })
  )
  t.pass('holds')
})

t.test('a restart goes on counting from the stored entries, one for each minute', async (t) => {
  const ledger = new AirtimeLedger()
  for (let second = 0; second < 7200; second += 10) ledger.add(START + second * 1000, 100)
  const now = START + 7200 * 1000
  const entries = ledger.entries(now)
  t.ok(entries.length <= 61, 'compact')
  const restored = new AirtimeLedger(JSON.parse(JSON.stringify(entries)))
  t.equal(restored.usedMs(now), ledger.usedMs(now))
  t.same(restored.entries(now + 30 * MINUTE), ledger.entries(now + 30 * MINUTE))
  t.equal(restored.usedMs(now + 2 * HOUR), 0, 'and forgets')
})

t.test('airtime stays counted when the clock is set back, and is dropped when it was hours ahead', async (t) => {
  const ledger = new AirtimeLedger([{ at: START, ms: 500 }])
  t.equal(ledger.usedMs(START - 30 * MINUTE), 500)
  t.equal(ledger.usedMs(START - 2 * HOUR), 0)
})

t.test('an airtime that is no number is a bug and is not booked', async (t) => {
  const ledger = new AirtimeLedger()
  for (const ms of [Number.NaN, -1, Number.POSITIVE_INFINITY]) t.throws(() => ledger.add(START, ms), RangeError)
  t.throws(() => ledger.add(Number.NaN, 1), RangeError)
  ledger.add(START, 0.2)
  t.equal(ledger.usedMs(START), 1, 'parts of a millisecond are rounded up')
})

t.test('the budget is 70 % of the legal limit, and a fifth of it is for immediate alone', async (t) => {
  const whole = 252_000
  t.equal(LIMIT_SHARE, 0.7)
  t.equal(RESERVE_SHARE, 0.2)
  t.equal(budgetMs({ dutyCycle: 0.1, severity: 'immediate' }), whole)
  t.equal(budgetMs({ dutyCycle: 0.1, severity: 'critical' }), 201_600)
  const ledger = new AirtimeLedger([{ at: START, ms: 200_600 }])
  for (const severity of ['routine', 'priority', 'critical'] as const) {
    t.match(ledger.room(START, 1000, { dutyCycle: 0.1, severity }), { fits: true, freeMs: 1000, at: START }, severity)
    t.match(
      ledger.room(START, 1001, { dutyCycle: 0.1, severity }),
      { fits: false, at: START + HOUR + MINUTE },
      severity
    )
  }
  const reserve = whole - 200_600
  t.match(ledger.room(START, reserve, { dutyCycle: 0.1, severity: 'immediate' }), { fits: true, freeMs: reserve })
  t.match(ledger.room(START, reserve + 1, { dutyCycle: 0.1, severity: 'immediate' }), { fits: false })
  const generous = { dutyCycle: 0.1, severity: 'routine', limitShare: 1, reserveShare: 0 } as const
  t.match(ledger.room(START, 150_000, generous), { fits: true }, 'the shares can be given')
})

t.test('room says when it will fit: as minutes fall out of the hour, or never', async (t) => {
  const options = { dutyCycle: 0.01, severity: 'immediate' } as const
  const ledger = new AirtimeLedger()
  for (let i = 0; i < 5; i++) ledger.add(START + i * 10 * MINUTE, 5000)
  const now = START + 45 * MINUTE
  t.equal(ledger.room(now, 200, options).at, now)
  t.equal(ledger.room(now, 5000, options).at, START + HOUR + MINUTE)
  t.equal(ledger.room(now, 10_000, options).at, START + HOUR + 11 * MINUTE)
  t.same(ledger.room(now, 25_201, options), { fits: false, freeMs: 200, at: null })
  const later = ledger.room(now, 10_000, options).at!
  t.ok(ledger.room(later, 10_000, options).fits, 'and then it does fit')
  t.notOk(ledger.room(later - 1, 10_000, options).fits, 'not earlier')
})
