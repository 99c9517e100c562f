import t from 'tap'
import type { DeliveryState } from '../../../src/model/delivery.ts'
import { type Database, openDatabase, openMemory } from '../../../src/platform/database/database.ts'
import { lastRowid, RecordedChanges } from '../../../src/warning/outbox/recorded-changes.ts'
import { copyRows } from '../../../src/warning/outbox/rescue.ts'
import { RowNumbers } from '../../../src/warning/outbox/row-numbers.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'

async function open(): Promise<Database> {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  return db
}

/** A message of this state as the outbox stores it: numbered, counted, and a row. */
function add(db: Database, numbers: RowNumbers, state: DeliveryState): number {
  const id = numbers.next('mt', state)
  const columns = db.sql(`SELECT name, type FROM pragma_table_info('deliveries') WHERE "notnull" = 1`).all()
  const values = columns.map(({ name, type }) =>
    name === 'transport' ? 'mt' : name === 'state' ? state : type === 'TEXT' ? '' : 0
  )
  const names = columns.map(({ name }) => String(name))
  db.sql(`INSERT INTO deliveries (id, ${names.join(', ')}) VALUES (?, ${names.map(() => '?').join(', ')})`).run(
    id,
    ...values
  )
  return id
}

const JSON_LISTS = ['regions', 'zones', 'event_seqs', 'event_ids', 'cooldown', 'identities']

const counted = (db: Database): Record<string, number> =>
  Object.fromEntries(
    db
      .sql('SELECT state, n FROM delivery_counts WHERE n <> 0')
      .all()
      .map(({ state, n }) => [String(state), Number(n)])
  )
const stored = (db: Database): Record<string, number> =>
  Object.fromEntries(
    db
      .sql('SELECT state, count(*) AS n FROM deliveries GROUP BY state')
      .all()
      .map(({ state, n }) => [String(state), Number(n)])
  )

t.test('rows are counted in the transaction that adds them, also where one moves or goes before its end', async (t) => {
  const db = await open()
  const numbers = new RowNumbers(db)
  db.transaction(() => {
    add(db, numbers, 'queued')
    const moved = add(db, numbers, 'held')
    db.sql("UPDATE deliveries SET state = 'queued' WHERE id = ?").run(moved)
    db.sql('DELETE FROM deliveries WHERE id = ?').run(add(db, numbers, 'failed'))
  })
  t.same(counted(db), { queued: 2 })
  t.same(counted(db), stored(db))
})

t.test('what is undone is not counted, neither by itself nor with what comes after it', async (t) => {
  const db = await open()
  const numbers = new RowNumbers(db)
  t.throws(
    () =>
      db.transaction(() => {
        add(db, numbers, 'queued')
        throw new Error('no')
      }),
    'no'
  )
  t.same(counted(db), {})
  db.transaction(() => {
    add(db, numbers, 'queued')
    t.type(
      db.attempt(() => {
        add(db, numbers, 'queued')
        throw new Error('a part of it')
      }),
      Error
    )
    add(db, numbers, 'held')
  })
  t.same(counted(db), { held: 1, queued: 1 })
  t.same(counted(db), stored(db))
})

t.test('what joins a commit is counted with it, and not when it is lost', async (t) => {
  const db = await open()
  const numbers = new RowNumbers(db)
  const group = { stored: (tell: () => void) => tell(), lost: () => undefined }
  db.join(() => void add(db, numbers, 'queued'), group)
  db.join(() => void add(db, numbers, 'queued'), group)
  db.commitGroup()
  db.join(() => void add(db, numbers, 'queued'), group)
  db.abandonGroup()
  t.same(counted(db), { queued: 2 })
  t.same(counted(db), stored(db))
})

t.test('whoever reads the counts within the transaction settles them first', async (t) => {
  const db = await open()
  const numbers = new RowNumbers(db)
  db.transaction(() => {
    add(db, numbers, 'queued')
    db.settle()
    t.same(counted(db), { queued: 1 })
    add(db, numbers, 'queued')
  })
  t.same(counted(db), { queued: 2 })
})

t.test('rows that are copied out of a file, or written down after a time in memory, are counted', async (t) => {
  const from = await open()
  const numbers = new RowNumbers(from)
  const into = openMemory(ledgerMigrations, 'file:/row-numbers-test?vfs=memdb')
  t.teardown(() => into.close())
  from.transaction(() => {
    for (const state of ['queued', 'sent'] as const) add(from, numbers, state)
  })
  from.exec(
    `UPDATE deliveries SET kind = 'new', path = 'matrix', ${JSON_LISTS.map((name) => `${name} = '[]'`).join(', ')}`
  )
  const copy = (): void => {
    const rows = copyRows(from, into, { table: 'deliveries' })
    while (rows.next().done !== true);
  }
  copy()
  copy()
  t.same(counted(into), { queued: 1, sent: 1 }, 'each once, however often it is copied')

  const changes = new RecordedChanges(into)
  t.teardown(() => changes.close())
  into.transaction(() => add(into, new RowNumbers(into), 'queued'))
  changes.finish(from)
  t.equal(lastRowid(from, 'deliveries'), 3)
  t.same(counted(from), { queued: 2, sent: 1 })
  from.transaction(() => add(from, numbers, 'queued'))
  t.same(counted(from), stored(from), 'and once only afterwards')
})
