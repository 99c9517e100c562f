import t from 'tap'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { AirtimeBudget } from '../../../src/warning/outbox/airtime-budget.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import { MC_PRESETS, mcModem, mtModem } from '../../../src/warning/radios/modem.ts'
import type { RadioDescription } from '../../../src/warning/radios/radio.ts'
import { PAIRS } from '../../faults/saturated-pairs.ts'
import { saturatedRun } from '../../faults/saturated-run.ts'
import { RULES } from '../../faults/saturated-verdict.ts'
import { SaturatedWorld } from '../../faults/saturated-world.ts'
import { START, station, withMatrix } from '../../helpers/station.ts'

/** The pause before the next text, and the cost of a text: contract §6. */

const cells = { fire: { North: { mt: 3 } } }
const config = withMatrix(cells, { toggles: { fire: { cooldown_seconds: 0 } } })

t.test('on a slow preset only an immediate message follows without a pause of 3 s more', async (t) => {
  const followed = async (severity: string): Promise<number> => {
    const s = await station(t, { config })
    Object.assign(s.mt.description.modem, mtModem('LongSlow', 'US'))
    await s.post({ id: 'first', severity: 'critical' })
    await s.run(4)
    await s.post({ id: 'second', severity })
    await s.run(120)
    const [first, second] = s.mt.airLog
    t.match(second?.text, /second/)
    return (second?.at ?? 0) - (first?.at ?? 0)
  }
  const [immediate, critical] = [await followed('immediate'), await followed('critical')]
  t.ok(immediate >= 3000, `${immediate} ms from end to end`)
  t.ok(critical - immediate > 2000, `${critical} ms for critical, ${immediate} ms for immediate`)
})

t.test('on a fast preset an immediate message keeps 3 s from the last one, end to end', async (t) => {
  const s = await station(t, { config })
  const long = 'seen from the ridge by the lookout this morning, growing fast and moving towards the road in the valley'
  await s.post({ id: 'long', severity: 'immediate', title: `event long ${long}` })
  for (const id of ['a', 'b', 'c']) await s.post({ id, severity: 'immediate' })
  await s.run(60)
  const ends = s.mt.airLog.map(({ at }) => at)
  t.equal(ends.length, 4)
  t.ok(
    ends.slice(1).every((at, index) => at - (ends[index] ?? 0) >= 3000),
    ends.join(' ')
  )
})

t.test('what a text costs follows the settings the radio tells, not those assumed before', async (t) => {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  const description = (modem: RadioDescription['modem'], nodeName: string): RadioDescription => ({
    id: 'r',
    network: 'mc',
    link: 'tcp',
    simulated: false,
    modem,
    nodeName
  })
  const book = new AirtimeBudget(db, description(mcModem(MC_PRESETS['EU/UK narrow']), ''), START)
  const assumed = book.cost('Smoke', false)
  t.match(book.summary(START), { budget_seconds: 252, legal_share: 0.1 })
  book.learn(description(mcModem(MC_PRESETS['US/Canada']), 'a node with a long name'))
  t.not(book.cost('Smoke', false), assumed)
  t.match(book.summary(START), { budget_seconds: 2520, legal_share: 1 })
  db.close()
})

t.test('the hour of a radio that connects after the start is the one of its region', async (t) => {
  const pair = PAIRS.find(({ name }) => name === 'longfast-eu')
  if (pair === undefined) throw new Error('no such pair')
  const world = new SaturatedWorld({ ...pair, repeats: false }, () => 0.5)
  await world.open()
  t.match(
    world.core.radioStatus().map(({ id, modem, airtime }) => [id, modem, airtime.legal_share, airtime.budget_seconds]),
    [
      ['mt', 'LongFast', 0.1, 252],
      ['mc', '62.5 kHz SF11 CR5', 0.1, 252]
    ]
  )
  await world.close()
})

/** Every pair has its whole hours in `node scripts/faults.js saturated`; here the one whose two radios both have a legal limit. */
const hoursOf = (name: string): number => (name === 'longfast-eu' ? 1 : 0.25)

t.test('with full queues immediate messages get through in time, and no radio refuses anything', async (t) => {
  for (const pair of PAIRS) {
    const run = { seed: 7, hours: hoursOf(pair.name), immediates: 3 }
    const { problems, figures } = await saturatedRun({ ...pair, repeats: true }, run)
    for (const rule of RULES)
      t.same(
        problems.filter((problem) => problem.rule === rule),
        [],
        `${pair.name}: ${rule}`
      )
    t.ok(
      figures.every(({ sent, immediates }) => sent > 10 && immediates === 3),
      JSON.stringify(figures)
    )
  }
})

t.test(
  'adverts and further attempts count in the hourly ledger, and the last advert is known to the next process',
  async (t) => {
    const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
    t.teardown(() => db.close())
    const description: RadioDescription = {
      id: 'r',
      network: 'mc',
      link: 'tcp',
      simulated: false,
      nodeName: '',
      modem: mcModem(MC_PRESETS['EU/UK narrow'])
    }
    const book = new AirtimeBudget(db, description, START)
    t.equal(book.advertAt(), null)
    book.spendOther({ kind: 'advert', at: START, ms: 1100 })
    book.spendOther({ kind: 'attempt', at: START + 1, ms: 900 })
    t.equal(book.summary(START + 2).used_seconds, 2)
    const next = new AirtimeBudget(db, description, START + 2)
    t.equal(next.advertAt(), START)
    t.equal(next.summary(START + 2).used_seconds, 2)
  }
)
