import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'

/** Work of several turns in one commit, of which nobody sees anything before it is stored. */

const migrations = [
  'CREATE TABLE one (id INTEGER PRIMARY KEY REFERENCES one (id) DEFERRABLE INITIALLY DEFERRED, up INTEGER)'
]

async function opened(t: Test) {
  const path = join(t.testdir({}), 'joined.db')
  const db = await openDatabase({ path, migrations, synchronous: 'NORMAL' })
  const other = await openDatabase({ path, migrations, synchronous: 'NORMAL' })
  t.teardown(() => {
    db.close()
    other.close()
  })
  const said: string[] = []
  const group = {
    stored: (tell: () => void) => {
      said.push('stored')
      tell()
    },
    lost: () => void said.push('lost')
  }
  const put = (id: number) => (): void => void db.sql('INSERT INTO one (id) VALUES (?)').run(id)
  return { db, other, group, said, put }
}

const ids = (db: Database): number[] =>
  db
    .sql('SELECT id FROM one ORDER BY id')
    .all()
    .map(({ id }) => Number(id))

t.test('what joins is stored together, and then whoever waited for that is told', async (t) => {
  const { db, other, group, said, put } = await opened(t)
  const noted = (id: number) => (): void => {
    put(id)()
    db.afterCommit(() => said.push(`after ${id}`))
  }
  t.equal(db.join(noted(1), group), null)
  t.equal(db.join(noted(2), group), null)
  t.same(ids(other), [], 'not yet')
  t.same(said, [])
  db.commitGroup(put(3))
  t.same(ids(other), [1, 2, 3])
  t.same(said, ['stored', 'after 1', 'after 2'])
  db.commitGroup()
  t.equal(said.length, 3, 'nothing is left to be stored')
})

t.test('whoever else uses the database, to read or to write, finds stored what had joined', async (t) => {
  const { db, other, group, said, put } = await opened(t)
  const uses: Record<string, () => void> = {
    'a read': () => t.equal(ids(db).length, ids(other).length),
    'a row that is read': () => void db.sql('SELECT 1 FROM one').get(),
    'a reader of rows one by one': () => t.equal([...db.sql('SELECT id FROM one').iterate()].length, ids(other).length),
    'a guarded reading': () => db.guarded(() => undefined),
    'a mark': () => void db.mark(),
    'a write': () => void db.sql('UPDATE one SET up = 1').run(),
    'a statement': () => db.exec('UPDATE one SET up = 2'),
    'a transaction': () => db.transaction(() => t.equal(said.at(-1), 'stored', 'before its own'))
  }
  for (const [at, [what, use]] of Object.entries(uses).entries()) {
    said.length = 0
    db.join(put(at + 1), group)
    use()
    t.same(said, ['stored'], what)
    t.equal(ids(other).length, at + 1, what)
  }
})

t.test('work that fails takes along what had joined, and whoever joined hears of it', async (t) => {
  const { db, other, group, said, put } = await opened(t)
  db.join(() => {
    put(1)()
    db.afterCommit(() => said.push('after'))
  }, group)
  const epoch = db.epoch
  t.match(db.join(put(1), group), /UNIQUE|constraint/i)
  t.same(said, ['lost'])
  t.not(db.epoch, epoch, 'whoever remembers rows forgets them')
  db.commitGroup()
  t.same(ids(other), [])
  t.equal(db.join(put(1), group), null, 'and others join again')
  db.commitGroup()
  t.same(ids(other), [1])
})

t.test('a commit that fails stores nothing of it, and costs whoever else came by nothing', async (t) => {
  const { db, other, group, said, put } = await opened(t)
  db.exec('CREATE TABLE child (up INTEGER REFERENCES one (id) DEFERRABLE INITIALLY DEFERRED)')
  db.join(() => {
    put(1)()
    db.exec('INSERT INTO child VALUES (99)')
    db.afterCommit(() => said.push('after'))
  }, group)
  db.transaction(put(2))
  t.same(said, ['lost'])
  t.same(ids(other), [2])
})

t.test('a transaction that another process holds up is told to whoever would join, and to nobody else', async (t) => {
  const { db, other, group, said, put } = await opened(t)
  db.exec('PRAGMA busy_timeout = 1')
  other.exec('BEGIN IMMEDIATE')
  t.match(db.join(put(1), group), /locked/)
  other.exec('ROLLBACK')
  t.same(said, [], 'nothing had joined')
  t.equal(db.join(put(1), group), null)
  db.commitGroup()
  t.same(ids(other), [1])
})

t.test('what had joined is undone when the database is closed: nobody was promised anything', async (t) => {
  const path = join(t.testdir({}), 'closed.db')
  const db = await openDatabase({ path, migrations, synchronous: 'NORMAL' })
  const said: string[] = []
  const group = { stored: () => void said.push('stored'), lost: () => void said.push('lost') }
  db.join(() => void db.sql('INSERT INTO one (id) VALUES (1)').run(), group)
  db.close()
  t.same(said, ['lost'])
  const again = await openDatabase({ path, migrations, synchronous: 'NORMAL' })
  t.teardown(() => again.close())
  t.same(ids(again), [])
})
