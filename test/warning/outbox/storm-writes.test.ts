import { join } from 'node:path'
import t from 'tap'
import { because } from '../../../src/model/reason.ts'
import { SEVERITIES } from '../../../src/model/severity.ts'
import { Database, openDatabase } from '../../../src/platform/database/database.ts'
import { DeliveryList } from '../../../src/warning/outbox/delivery-list.ts'
import { Pace } from '../../../src/warning/outbox/pace.ts'
import { RowNumbers } from '../../../src/warning/outbox/row-numbers.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import { station, withMatrix } from '../../helpers/station.ts'

/** The writes of a storm for each event: every row, index and look costs a card and a battery. */

const both = { fire: { North: { mt: 3, mc: 'north' } } }
/** Steps of the schema before the counts were kept by a plain UPDATE. */
const BY_UPSERT = 17

/** The texts of all statements that run meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const asked = Database.prototype.sql
  Database.prototype.sql = function (text) {
    texts.push(text.replace(/\s+/g, ' '))
    return asked.call(this, text)
  }
  try {
    await work()
  } finally {
    Database.prototype.sql = asked
  }
  return texts
}

t.test('an event is written once, together with what was decided of it', async (t) => {
  const { post } = await station(t, { config: withMatrix(both) })
  const texts = await statementsOf(() => post({ id: 'a' }))
  t.equal(texts.filter((text) => text.startsWith('INSERT INTO events')).length, 1)
  t.same(
    texts.filter((text) => text.startsWith('UPDATE events')),
    []
  )
})

t.test('what joins a waiting message costs no step and no more of its row than differs', async (t) => {
  const config = { notifications: { ...withMatrix(both).notifications, coalesce_seconds: 60 } }
  const { post, core } = await station(t, { config })
  await post({ id: 'a', thread_id: 'x', title: 'one' })
  const texts = await statementsOf(() => post({ id: 'b', thread_id: 'x', title: 'two' }))
  const steps = texts.filter((text) => text.startsWith('INSERT INTO delivery_steps'))
  t.same(steps, [], 'its row tells that it joined')
  const updates = texts.filter((text) => text.startsWith('UPDATE deliveries'))
  t.equal(updates.length, 2, 'one for each channel')
  for (const text of updates) t.notMatch(text, /regions|cooldown|severity|rank|due_at|hazard_ends_at|changed_at/)
  const again = /FROM (thread_codes|silences|cooldowns) |FROM deliveries WHERE id =|LEFT JOIN/
  const read = texts.filter((text) => again.test(text))
  t.same(
    read,
    [],
    'the last transaction knew what the thread carries, its code and what is silenced: nothing of it is read again'
  )
  const { deliveries } = core.deliveries.list({ state: 'merged', limit: 10 })
  t.equal(deliveries.length, 2)
  for (const { id, merged_into, created_at } of deliveries)
    t.same(core.deliveries.steps(id), [
      { at: created_at, state: 'merged', reason: 'merged', step: because('joined', { id: Number(merged_into) }) }
    ])
})

t.test(
  'the newest event of a thread asks for nothing that was sent later, and each name is asked for once',
  async (t) => {
    const { post } = await station(t, { config: withMatrix(both) })
    await post({ id: 'a', thread_id: 'x' })
    const texts = await statementsOf(() => post({ id: 'b', thread_id: 'x', title: 'two' }))
    t.same(
      texts.filter((text) => /FROM events WHERE thread_id/.test(text)),
      [],
      'what the thread was told last is remembered'
    )
    const first = await statementsOf(() => post({ id: 'c', thread_id: 'y' }))
    t.equal(first.filter((text) => text.includes('FROM thread_names')).length, 1)
    t.equal(first.filter((text) => text.includes('FROM thread_codes WHERE thread_id')).length, 1, 'its code as well')
  }
)

t.test('an event that comes after a later one is known for what it is, whoever stored that', async (t) => {
  const path = join(t.testdir({}), 'lookout.db')
  const { post, core, clock } = await station(t, { config: withMatrix(both), databasePath: path })
  const at = (seconds: number): string => new Date(clock.now() + seconds * 1000).toISOString()
  await post({ id: 'a', thread_id: 'x', sent_at: at(-300) })
  await post({ id: 'b', thread_id: 'x', title: 'two', source: 'other', sent_at: at(-100) })
  await post({ id: 'c', thread_id: 'x', title: 'three', source: 'third', sent_at: at(-200) })
  const reason = (id: string): string | undefined => core.ledger.find(id)[0]?.reason
  t.equal(reason('c'), 'superseded')
  const beside = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
  beside.sql('UPDATE events SET sent_at = ? WHERE id = ?').run(clock.now() - 10_000, 'b')
  beside.close()
  await post({ id: 'd', thread_id: 'x', title: 'four', source: 'third', sent_at: at(-50) })
  t.equal(reason('d'), 'superseded', 'what another process changed is not remembered')
})

t.test('messages and pieces are numbered in one row, past whatever was undone or stored by others', async (t) => {
  const path = join(t.testdir({}), 'lookout.db')
  const { core } = await station(t, { databasePath: path })
  const { db } = core.storage
  const numbers = new RowNumbers(db)
  const next = (): number => db.transaction(() => numbers.next('mt', 'queued'))
  t.equal(next(), 1)
  t.throws(() =>
    db.transaction(() => {
      t.equal(numbers.next('mt', 'queued'), 2)
      throw new Error('undone')
    })
  )
  t.equal(next(), 1, 'nothing was stored')
  const beside = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
  const columns =
    'id, merged_into, transport, kind, path, severity, family, lifecycle, regions, zones, event_seqs, event_ids, material'
  beside
    .sql(
      `INSERT INTO delivery_pieces (${columns}, created_at) VALUES (41, 1, 'mt', 'new', 'event', '', '', '', '', '', '', '', '', 0)`
    )
    .run()
  beside.close()
  t.equal(next(), 42)
  t.equal(numbers.next('mt', 'queued'), 42, 'outside of a transaction nothing is remembered')
})

t.test('a queue is asked for nothing before any message may go, and no message waits longer for it', (t) => {
  const pace = new Pace('mt')
  t.equal(pace.soonest(0), 0, 'before the first text')
  pace.left(10_000, { tookMs: 500, airtimeMs: 400 })
  t.equal(pace.soonest(10_000), 2500)
  for (const severity of SEVERITIES)
    for (let now = 10_000; now < 14_000; now += 250)
      t.ok(pace.soonest(now) <= pace.wait({ severity }, now), `${severity} at ${now}`)
  t.equal(pace.soonest(0), 0, 'the clock was set back')
  t.end()
})

t.test('the demo is found by its index, without reading any event', async (t) => {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  const plan = db
    .sql(
      `EXPLAIN QUERY PLAN SELECT thread_id FROM events
       WHERE instr(event, '"demo":true') > 0 AND json_extract(event, '$.data.demo') = 1`
    )
    .all()
    .map((row) => String(row['detail']))
  t.match(plan.join(), 'events_demo')
})

t.test('an id is found by its sources, of which there are few: no index has each id once more', async (t) => {
  const { core, post } = await station(t, { config: withMatrix(both) })
  for (const [source, id] of [
    ['a', 'same'],
    ['b', 'other'],
    ['c', 'same']
  ])
    await post({ source, id })
  const { ledger, storage } = core
  t.same(
    ledger.find('same').map(({ event }) => event.source),
    ['c', 'a'],
    'of every source, newest first'
  )
  t.same(ledger.find('nothing like it'), [])
  const [asked = ''] = await statementsOf(async () => ledger.find('same'))
  const plan = storage.db
    .sql(`EXPLAIN QUERY PLAN ${asked}`)
    .all('same')
    .map((row) => String(row['detail']))
    .join()
  t.match(plan, /SEARCH events USING INDEX sqlite_autoindex_events_1 \(source=\? AND id=\?\)/)
  t.notMatch(plan, /SCAN events/)
})

t.test('a file of the version before keeps its counts, and its messages the steps they have', async (t) => {
  const path = join(t.testdir({}), 'lookout.db')
  const old = await openDatabase({ path, migrations: ledgerMigrations.slice(0, BY_UPSERT), synchronous: 'NORMAL' })
  const columns = old
    .sql("SELECT name, type FROM pragma_table_info('deliveries') WHERE \"notnull\" = 1 OR name = 'id'")
    .all()
    .map(({ name, type }) => ({ name: String(name), value: type === 'TEXT' ? '' : 0 }))
  const put = (db: Database, id: number, state: string): void => {
    const row = columns.map(({ name, value }) => ({ id, state, transport: 'mt' })[name] ?? value)
    const names = columns.map(({ name }) => name)
    db.sql(`INSERT INTO deliveries (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(...row)
  }
  put(old, 1, 'queued')
  put(old, 2, 'merged')
  const step = old.sql("INSERT INTO delivery_steps VALUES (?, ?, ?, ?, NULL, 'joined', ?)")
  step.run(2, 10, 'merged', 'merged', '{"id":1}')
  old.close()

  const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  const numbers = new RowNumbers(db)
  db.transaction(() => {
    for (const state of ['queued', 'sent'] as const) put(db, numbers.next('mt', state), state)
  })
  const counts = db.sql('SELECT state, n FROM delivery_counts ORDER BY state').all()
  t.same(
    counts.map(({ state, n }) => [state, n]),
    [
      ['merged', 1],
      ['queued', 2],
      ['sent', 1]
    ]
  )
  t.same(
    new DeliveryList(db, () => 0).steps(2),
    [{ at: new Date(10).toISOString(), state: 'merged', reason: 'merged', step: because('joined', { id: 1 }) }],
    'told once'
  )
})
