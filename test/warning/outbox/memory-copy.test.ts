import t from 'tap'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'
import { DeliveryList } from '../../../src/warning/outbox/delivery-list.ts'
import { searchEvents } from '../../../src/warning/outbox/event-search.ts'
import { Ledger } from '../../../src/warning/outbox/ledger.ts'
import { copyToMemory } from '../../../src/warning/outbox/memory-copy.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'

t.test('what a warning waits for when the disk fails is found by indexes, however much is stored', async (t) => {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  const asked = new Set<string>()
  const watched = {
    sql: (text: string) => {
      asked.add(text)
      return db.sql(text)
    }
  }
  copyToMemory(watched as unknown as Database, { now: 0, remembered: [] }).close()
  const large = [...asked].filter(
    (text) => /FROM (events|deliveries|delivery_pieces|dedup|mc_stamps) /.test(text) && !/DESC LIMIT 1$/.test(text)
  )
  t.ok(large.length >= 6)
  for (const text of large) {
    const values = Array.from(text.matchAll(/\?/g), () => null)
    const plan = db
      .sql(`EXPLAIN QUERY PLAN ${text}`)
      .all(...values)
      .map(({ detail }) => String(detail))
    t.notMatch(plan.join('; '), /SCAN \w+(?:;|$)/, text)
  }
})

t.test('a row that only keeps a number free is shown to nobody, and nobody counts it', (t) => {
  const { db } = copyToMemory(null, { now: 0, remembered: [] })
  t.equal(db.sql('SELECT count(*) AS n FROM deliveries').get()?.['n'], 1)
  const list = new DeliveryList(db, () => 0)
  t.same(list.list({ limit: 10 }), { deliveries: [], next: null })
  t.same(list.list({ limit: 10, since: 0, state: 'merged' }), { deliveries: [], next: null })
  t.same(searchEvents(db, { limit: 10 }), { events: [], next: null })
  t.same(searchEvents(db, { limit: 10, since: 0, text: 'a' }).events, [])
  t.same(new Ledger(db).list({ limit: 10, since: 0 }), [])
  t.same(db.sql('SELECT state FROM delivery_counts WHERE n > 0').all(), [])
  db.close()
  t.end()
})

t.test('a message that joined another at once and lost it has steps that can be read', (t) => {
  const { db } = copyToMemory(null, { now: 0, remembered: [] })
  const [row] = db.sql('SELECT id FROM deliveries').all()
  const steps = new DeliveryList(db, () => 0).steps(Number(row?.['id']))
  t.doesNotThrow(() => steps.map(({ step }) => sentenceOf(step)))
  db.close()
  t.end()
})
