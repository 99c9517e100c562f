import t from 'tap'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'
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
    (text) => /FROM (events|deliveries|dedup|mc_stamps) /.test(text) && !/DESC LIMIT 1$/.test(text)
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
