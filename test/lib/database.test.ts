import { spawn } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '../../src/lib/database.ts'
import { runnable } from '../helpers/runnable.ts'

const { flags, file: source } = runnable('src/lib/database.ts')
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
