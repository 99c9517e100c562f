import { join } from 'node:path'
import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { AirtimeBudget } from '../../../src/warning/outbox/airtime-budget.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import { mtModem } from '../../../src/warning/radios/modem.ts'
import type { RadioDescription } from '../../../src/warning/radios/radio.ts'
import { SimulatedMt } from '../../../src/warning/radios/simulated-mt.ts'
import { station, withMatrix } from '../../helpers/station.ts'

const START = Date.UTC(2026, 5, 1)
/** A tenth of the hour is allowed: 252 s are ours, 201.6 s for all but immediate. */
const EU: RadioDescription = {
  id: 'mt',
  network: 'mt',
  link: 'simulated',
  simulated: true,
  nodeName: 'LOOK',
  modem: mtModem('LongFast', 'EU_868')
}
const cells = { fire: { North: { mt: 3 } } }
const config = withMatrix(cells)
/** Steps of the schema of the last version that did not tell answers apart. */
const WITHOUT_REPLIES = 21

t.test('answers have a share of the hour, and no more, over a restart', async (t) => {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  const budget = new AirtimeBudget(db, EU, START)
  budget.spend(START, 24_000, true)
  budget.spend(START, 60_000)
  t.equal(budget.replyWaitMs(1000, 0.1, START), 0, 'what else was sent takes nothing of the share')
  t.ok(budget.replyWaitMs(2000, 0.1, START) > 3_000_000, '25.2 s are a tenth: until the hour is over')
  t.equal(budget.replyWaitMs(2000, 0.2, START), 0, 'the owner may give more')
  t.ok(budget.replyWaitMs(1, 0, START) > 0, 'or none')
  const again = new AirtimeBudget(db, EU, START + 1000)
  t.ok(again.replyWaitMs(2000, 0.1, START + 1000) > 3_000_000)
  t.equal(again.summary(START + 1000).used_seconds, 84, 'they count as airtime like everything else')
})

t.test('the airtime of answers delays nothing critical or immediate', async (t) => {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  const budget = new AirtimeBudget(db, EU, START)
  budget.spend(START, 25_000, true)
  budget.spend(START, 176_000)
  t.ok(budget.waitMs(2000, 'routine', START) > 0)
  t.ok(budget.waitMs(2000, 'priority', START) > 0)
  t.equal(budget.waitMs(2000, 'critical', START), 0, 'as if no answer had been given')
  t.equal(budget.waitMs(25_600, 'critical', START), 0)
  t.ok(budget.waitMs(25_700, 'critical', START) > 0, 'and not a second more')
  budget.spend(START, 76_000)
  t.equal(budget.waitMs(0, 'immediate', START), 0)
})

t.test('drills of immediate danger leave half of the hour to what is real', async (t) => {
  const clock = new VirtualClock(START)
  const radio = new SimulatedMt({ id: 'mt', clock, modem: EU.modem, nodeName: 'LOOK', random: () => 0.5 })
  await radio.connect()
  const s = await station(t, { config, clock, radios: [radio] })
  for (let n = 0; n < 100; n++) {
    const title = `Dam ${n} breaks`.padEnd(120, '.')
    await s.post({
      id: `d${n}`,
      category: 'drill',
      severity: 'immediate',
      data: { drill: true, exercise: 'Dams' },
      title
    })
    await s.run(20)
  }
  const spent = (): number => new AirtimeBudget(s.core.storage.db, EU, clock.now()).summary(clock.now()).used_seconds
  t.ok(spent() > 120 && spent() <= 126, `${spent()} of 252 s`)
  await s.post({ id: 'a', severity: 'critical', title: 'Pine Fire' })
  await s.run(60)
  t.match(radio.airLog.at(-1)?.text, /Pine Fire/)
})

t.test('an answer goes when nothing else is due, also what came after it', async (t) => {
  const s = await station(t, { config })
  s.mt.setFault({ down: true })
  s.mt.receive({ text: '!help' })
  s.mt.receive({ text: '!status' })
  await s.post({ id: 'a', severity: 'routine', title: 'A routine message' })
  await s.run(60)
  t.equal(s.mt.sentCount, 0)
  s.mt.setFault({ down: false })
  await s.run(120)
  t.match(
    s.mt.airLog.map(({ text }) => text),
    [/A routine message/, /Ask:/, /up/]
  )
})

t.test('an answer does not begin while a grave warning waits for its last pieces', async (t) => {
  const s = await station(t, { config: withMatrix(cells, { coalesce_seconds: 10 }) })
  await s.post({ id: 'a', severity: 'critical', title: 'Pine Fire' })
  s.mt.receive({ text: '!help' })
  await s.run(60)
  t.match(
    s.mt.airLog.map(({ text }) => text),
    [/Pine Fire/, /Ask:/]
  )
})

t.test(
  'without a share nothing is answered, and warnings go on; what comes meanwhile does not wait behind it',
  async (t) => {
    const s = await station(t, {
      config: { ...withMatrix(cells, { coalesce_seconds: 10 }), commands: { reply_airtime_percent: 0 } }
    })
    s.mt.receive({ text: '!help' })
    await s.run(5)
    t.match(s.deliveries(), [{ path: 'reply', state: 'queued', reason: 'airtime' }])
    await s.post({ id: 'a', severity: 'priority', title: 'Pine Fire' })
    await s.run(25)
    t.match(
      s.mt.airLog.map(({ text }) => text),
      [/Pine Fire/]
    )
    await s.run(600)
    t.match(s.deliveries()[0], { path: 'reply', state: 'expired' })
  }
)

t.test('airtime of the version before counts as none of answers', async (t) => {
  const path = join(t.testdir(), 'lookout.db')
  const old = await openDatabase({
    path,
    migrations: ledgerMigrations.slice(0, WITHOUT_REPLIES),
    synchronous: 'NORMAL'
  })
  old.sql('INSERT INTO airtime VALUES (?, ?, ?)').run('mt', START - 1000, 30_000)
  old.close()
  const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  const budget = new AirtimeBudget(db, EU, START)
  t.equal(budget.summary(START).used_seconds, 30)
  t.equal(budget.repliesMs(START), 0)
})
