import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Database, openDatabase, openMemory } from '../../../src/platform/database/database.ts'
import { UnchangedSince } from '../../../src/platform/database/unchanged.ts'

const migrations = ['CREATE TABLE news (at INTEGER PRIMARY KEY, word TEXT) STRICT']

async function made(t: Test, { path = ':memory:' } = {}) {
  const db = await openDatabase({ path, migrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  const kept = new UnchangedSince<number>(db, (at) => at)
  let reads = 0
  const after = (since: number): number[] =>
    kept.after(since, () => {
      reads++
      return db
        .sql('SELECT at FROM news WHERE at > ? ORDER BY at DESC')
        .all(since)
        .map(({ at }) => Number(at))
    })
  return { db, after, reads: () => reads }
}

const add = (db: Database, at: number): void => void db.sql('INSERT INTO news VALUES (?, ?)').run(at, 'fire')

t.test('while nothing changes rows are read once, and time that passes leaves out what is too old', async (t) => {
  const { db, after, reads } = await made(t)
  for (const at of [10, 20, 30]) add(db, at)
  t.same(after(15), [30, 20])
  t.same(after(30), [])
  t.equal(reads(), 1)
  t.same(after(0), [30, 20, 10], 'what is older than was asked for before has to be read')
  t.same(after(5), [30, 20, 10])
  t.equal(reads(), 2)
})

t.test(
  'every change is seen at once: of this connection, in a transaction, after one was undone, of another one',
  async (t) => {
    const path = join(t.testdir({}), 'news.db')
    const { db, after } = await made(t, { path })
    t.same(after(0), [])
    add(db, 10)
    t.same(after(0), [10])
    db.sql('UPDATE news SET at = 11').run()
    t.same(after(0), [11])
    t.throws(() =>
      db.transaction(() => {
        add(db, 20)
        t.same(after(0), [20, 11], 'what the transaction wrote')
        throw new Error('undone')
      })
    )
    t.same(after(0), [11])
    const other = await openDatabase({ path, migrations, synchronous: 'NORMAL' })
    add(other, 30)
    other.close()
    t.same(after(0), [30, 11])
    db.sql('DELETE FROM news').run()
    t.same(after(0), [])
  }
)

t.test('a database that moves to another file forgets what it read of the one before', async (t) => {
  const { db, after } = await made(t)
  add(db, 10)
  t.same(after(0), [10])
  const refuge = openMemory(migrations)
  add(refuge, 20)
  db.moveTo(refuge).close()
  t.same(after(0), [20])
})
