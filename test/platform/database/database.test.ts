import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { knowledgeMigrations } from '../../../src/knowledge/catalogue/schema.ts'
import { searchMigrations } from '../../../src/knowledge/search/schema.ts'
import { Database, openDatabase, openMemory } from '../../../src/platform/database/database.ts'
import { loadDriver } from '../../../src/platform/database/sqlite-driver.ts'
import { holdLock } from '../../../src/platform/files/data-lock.ts'
import { metricsMigrations } from '../../../src/platform/metrics/schema.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import { runnable } from '../../helpers/runnable.ts'

const { flags, file: source } = runnable('src/platform/database/database.ts')
/** Opens the file as a process of its own, at the moment it is told to. */
const PROGRAM = `
import { openDatabase } from ${JSON.stringify(source)}
const migrations = ['CREATE TABLE one (id INTEGER PRIMARY KEY)', 'CREATE TABLE two (id INTEGER PRIMARY KEY)', 'INSERT INTO one VALUES (1)']
process.stdout.write('ready\\n')
await new Promise((resolve) => process.stdin.once('data', resolve))
const db = await openDatabase({ path: process.argv[1], migrations, synchronous: 'NORMAL' })
db.close()
process.exit(0)
`

t.test('processes that open a new file at the same moment take every step of its schema once', async (t) => {
  const path = join(t.testdir({}), 'shared.db')
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [...flags, '--input-type=module', '-e', PROGRAM, path], {
      stdio: ['pipe', 'pipe', 'pipe']
    })
  )
  t.teardown(() => {
    for (const child of children) child.kill('SIGKILL')
  })
  await Promise.all(children.map((child) => new Promise((resolve) => child.stdout.once('data', resolve))))
  for (const child of children) child.stdin.write('go\n')
  const ends = await Promise.all(
    children.map(async (child) => {
      let said = ''
      child.stderr.on('data', (chunk) => {
        said += chunk
      })
      const code = await new Promise((resolve) => child.once('close', resolve))
      return code === 0 ? 'well' : said
    })
  )
  t.same(ends, ['well', 'well', 'well', 'well'])
  const db = await openDatabase({ path, migrations: ['', '', ''], synchronous: 'NORMAL' })
  t.equal(Number(db.sql('SELECT count(*) AS n FROM one').get()?.['n']), 1)
  db.close()
})

/** Opens `path` in a process of its own while this one is in the middle of a write to it, which ends after `heldMs`. */
async function openedWhileWritten(t: Test, path: string, heldMs: number): Promise<string> {
  const writer = new (await loadDriver())(path)
  t.teardown(() => writer.close())
  // Another process that makes the same file stands here when it takes its first step. A busy timeout does not help against
  // it: SQLite answers at once when a reader wants to become a writer.
  // The timeout is for its own commit, which has to wait while the other looks at the file: it asks again every few ms.
  writer.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE; CREATE TABLE made (id INTEGER PRIMARY KEY)')
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', PROGRAM, path])
  t.teardown(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise<string>((resolve) => child.once('close', (code) => resolve(code === 0 ? 'well' : said)))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.stdin.write('go\n')
  const first = await Promise.race([ended, setTimeout(heldMs, null, { ref: false })])
  writer.exec('COMMIT')
  return first ?? ended
}

t.test('a new file that another process is writing is opened when the write is over', async (t) => {
  t.equal(await openedWhileWritten(t, join(t.testdir({}), 'new.db'), 400), 'well')
})

t.test('a new file that stays locked is told as such, not waited for without end', async (t) => {
  t.match(
    await openedWhileWritten(t, join(t.testdir({}), 'held.db'), 50_000),
    /cannot open the database \S+held\.db: .*locked/
  )
})

t.test(
  'an empty database in memory is what the steps of its schema lead to, the first and every later one',
  async (t) => {
    const schema = `SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name`
    const rows = ['CREATE TABLE a (b)', "INSERT INTO a VALUES ('a row of the first step')"]
    const shadows = ['CREATE VIRTUAL TABLE words USING fts5 (word)', 'CREATE TABLE a (b)']
    for (const migrations of [
      ledgerMigrations,
      knowledgeMigrations,
      searchMigrations,
      metricsMigrations,
      rows,
      shadows
    ]) {
      const path = join(t.testdir({}), 'steps.db')
      const file = await openDatabase({ path, migrations, synchronous: 'OFF' })
      const wanted = file.sql(schema).all()
      const [version] = file.sql('PRAGMA user_version').all()
      file.close()
      for (const nth of ['the first', 'a later one']) {
        const db = openMemory(migrations)
        t.same(db.sql(schema).all(), wanted, nth)
        t.same(db.sql('PRAGMA user_version').all(), [version])
        if (migrations === rows) t.same(db.sql('SELECT b FROM a').all(), [{ b: 'a row of the first step' }], nth)
        db.close()
      }
    }
  }
)

t.test('a file of a newer program is refused, not changed', async (t) => {
  const path = join(t.testdir({}), 'newer.db')
  const newer = await openDatabase({
    path,
    migrations: ['CREATE TABLE a (x)', 'CREATE TABLE b (x)'],
    synchronous: 'NORMAL'
  })
  newer.close()
  await t.rejects(openDatabase({ path, migrations: ['CREATE TABLE a (x)'], synchronous: 'NORMAL' }), {
    code: 'unavailable',
    message: /made by a newer Lookout \(schema 2, this one knows 1\)/
  })
})

t.test('a full disk is told as such, and the next transaction works when there is room', async (t) => {
  const path = join(t.testdir({}), 'full.db')
  const db = await openDatabase({ path, migrations: ['CREATE TABLE one (text TEXT)'], synchronous: 'FULL' })
  t.teardown(() => db.close())
  // Stands in for a full disk: the same error from the same place, after which SQLite has rolled back by itself.
  const pages = Number(db.sql('PRAGMA page_count').get()?.['page_count'])
  db.exec(`PRAGMA max_page_count = ${pages}`)
  const fill = (): void => void db.sql('INSERT INTO one VALUES (?)').run('x'.repeat(50_000))
  t.throws(() => db.transaction(fill), { code: 'no-space', message: /full: free some space/ })
  db.exec('PRAGMA max_page_count = 1000')
  db.transaction(fill)
  t.equal(db.sql('SELECT count(*) AS n FROM one').get()?.['n'], 1)
})

t.test('what goes wrong in a transaction is thrown as it is, and nothing of it is stored', async (t) => {
  const db = await openDatabase({ path: ':memory:', migrations: ['CREATE TABLE one (n)'], synchronous: 'FULL' })
  t.teardown(() => db.close())
  const broken = new Error('a bug')
  t.throws(
    () =>
      db.transaction(() => {
        db.sql('INSERT INTO one VALUES (1)').run()
        throw broken
      }),
    broken
  )
  t.equal(db.sql('SELECT count(*) AS n FROM one').get()?.['n'], 0)
})

t.test('a lock nobody holds is no lock, whatever stands in its file', async (t) => {
  const path = join(t.testdir({ 'lookout.lock': `garbage ${'x'.repeat(9000)}` }), 'lookout.lock')
  const release = await holdLock(path)
  await t.rejects(holdLock(path), { code: 'conflict', message: /another Lookout runs/ })
  writeFileSync(path, 'garbage while it is held')
  await t.rejects(holdLock(path), { code: 'conflict' }, 'garbage opens no lock that is held')
  release()
  const again = await holdLock(path)
  again()
})

t.test('a failure of the disk is told as such by reads and writes alike, in and outside of transactions', async (t) => {
  const path = join(t.testdir({}), 'a.db')
  const db = await openDatabase({ path, migrations: ['CREATE TABLE one (text TEXT)'], synchronous: 'FULL' })
  t.teardown(() => db.close())
  const insert = (): unknown => db.sql('INSERT INTO one VALUES (?)').run('a')
  db.exec('PRAGMA query_only = ON')
  for (const work of [insert, () => db.transaction(insert)])
    t.throws(work, { name: 'AppError', code: 'unavailable', fault: 'read_only', message: /read-only/ })
  db.exec('PRAGMA query_only = OFF')
  db.transaction(insert)
  t.equal(db.sql('SELECT count(*) AS n FROM one').get()?.['n'], 1)
})

t.test('a database whose file fails goes on where its refuge leads: what failed is done there, whole', async (t) => {
  const migrations = ['CREATE TABLE one (id INTEGER PRIMARY KEY, text TEXT)']
  const db = await openDatabase({ path: join(t.testdir({}), 'a.db'), migrations, synchronous: 'FULL' })
  t.teardown(() => db.close())
  const insert = db.sql('INSERT INTO one (text) VALUES (?)')
  insert.run('on disk')
  const faults: string[] = []
  db.useRefuge((fault) => {
    faults.push(fault)
    const old = db.moveTo(openMemory(migrations))
    t.equal(old.sql('SELECT text FROM one').get()?.['text'], 'on disk', 'what it stood on can be read')
    old.close()
    return true
  })
  db.exec(`PRAGMA max_page_count = ${Number(db.sql('PRAGMA page_count').get()?.['page_count'])}`)
  let runs = 0
  db.transaction(() => {
    runs++
    insert.run('first')
    insert.run('x'.repeat(50_000))
  })
  t.same(faults, ['full'])
  t.equal(runs, 2, 'the transaction is begun again')
  t.same(
    db
      .sql('SELECT length(text) AS n FROM one')
      .all()
      .map(({ n }) => n),
    [5, 50_000]
  )
})

t.test('an attempt that fails inside a transaction undoes only what it did itself', async (t) => {
  const db = await openDatabase({
    path: ':memory:',
    migrations: ['CREATE TABLE one (n INTEGER PRIMARY KEY)'],
    synchronous: 'NORMAL'
  })
  const add = (n: number) => db.sql('INSERT INTO one VALUES (?)').run(n)
  db.transaction(() => {
    add(1)
    t.equal(
      db.attempt(() => void add(2)),
      null
    )
    const failed = db.attempt(() => {
      add(3)
      add(1)
    })
    t.match(failed, { message: /UNIQUE/ })
    add(4)
  })
  t.same(
    db
      .sql('SELECT n FROM one')
      .all()
      .map(({ n }) => n),
    [1, 2, 4]
  )
  t.throws(
    () =>
      db.transaction(() => {
        add(5)
        db.attempt(() => {
          db.exec('ROLLBACK')
          throw new Error('the disk has failed')
        })
      }),
    { message: 'the disk has failed' }
  )
  db.close()
})

t.test('a statement with a limit is prepared once, whatever is bound to it', async (t) => {
  const Driver = await loadDriver()
  const raw = new Driver(':memory:') as InstanceType<typeof Driver> & { setAuthorizer?: (ask: () => number) => void }
  if (raw.setAuthorizer === undefined) return t.comment('skipped: this SQLite tells nobody when it prepares')
  const db = new Database(raw)
  t.teardown(() => db.close())
  db.exec('CREATE TABLE one (id INTEGER PRIMARY KEY, at INTEGER); INSERT INTO one (at) VALUES (1), (2), (3)')
  let asked = 0
  raw.setAuthorizer(() => {
    asked++
    return 0
  })
  const statement = db.sql('SELECT id FROM one WHERE at >= ? ORDER BY at LIMIT ? OFFSET ?')
  t.same(statement.all(1, 2, 0), [{ id: 1 }, { id: 2 }])
  const once = asked
  t.ok(once > 0)
  t.same(statement.all(2, 1, 0), [{ id: 2 }])
  t.same(statement.all(1, 3, 2), [{ id: 3 }])
  t.equal(asked, once)
  const numbered = db.sql('SELECT id FROM one WHERE at >= ?1 ORDER BY at LIMIT ?2')
  t.same(numbered.all(3, 2), [{ id: 3 }])
  const twice = asked
  t.same(numbered.all(1, 1), [{ id: 1 }])
  t.equal(asked, twice)
})
