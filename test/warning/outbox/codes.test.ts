import fc from 'fast-check'
import t from 'tap'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { codeCandidate, normalCode, ThreadCodes } from '../../../src/warning/outbox/codes.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'

const DAY = 86_400_000

async function book(t: Test): Promise<ThreadCodes> {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  return new ThreadCodes(db)
}
type Test = typeof t

t.test('a code has four letters that cannot be mistaken, and is the same for the same thread', async (t) => {
  fc.assert(
    fc.property(fc.string(), fc.nat(399), (thread, attempt) => {
      const code = codeCandidate(thread, attempt)
      return (
        /^[0-9A-HJKMNP-TV-Z]{4}$/.test(code) && normalCode(code) === code && codeCandidate(thread, attempt) === code
      )
    })
  )
  const codes = await book(t as Test)
  t.equal(codes.codeOf('a', 0), codes.codeOf('a', 1))
  t.equal(codes.codeOf('a', 2), codeCandidate('a', 0))
  t.equal(codes.known('b'), null)
})

t.test('what a person types is forgiven: case, #, O for 0, I and L for 1', async (t) => {
  t.equal(normalCode(' #k7qf '), 'K7QF')
  t.equal(normalCode('oil0'), '0110')
  for (const wrong of ['', '#', 'K7Q', 'K7QFF', 'K7-F', 'KUQF', 'K7 F']) t.equal(normalCode(wrong), null, wrong)
})

t.test('no two live threads share a code; one that has been quiet for two weeks gives its code away', async (t) => {
  const codes = await book(t as Test)
  const first = 'thread 0'
  const rival = rivalOf(first)
  const code = codes.codeOf(first, 0)
  t.not(codes.codeOf(rival, DAY), code, 'a live thread keeps its code')
  t.equal(codes.threadOf(code), first)

  const later = await book(t as Test)
  later.codeOf(first, 0)
  t.equal(later.codeOf(rival, 15 * DAY), code)
  t.equal(later.threadOf(code), rival)
  t.equal(later.known(first), null)
})

t.test('a file of the version before gets its new columns and tables, and keeps its rows', async (t) => {
  const path = `${t.testdir()}/lookout.db`
  const before = await openDatabase({ path, migrations: ledgerMigrations.slice(0, 1), synchronous: 'NORMAL' })
  before.sql('INSERT INTO facts VALUES (?, ?)').run('a', 'b')
  before.close()
  const after = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => after.close())
  t.equal(after.sql('SELECT value FROM facts').get()?.['value'], 'b')
  t.same(after.sql('SELECT code, mark, origin FROM deliveries').all(), [])
  t.ok(new ThreadCodes(after).codeOf('x', 0))
})

t.test('thousands of threads all get codes of their own', async (t) => {
  const codes = await book(t as Test)
  const given = new Set(Array.from({ length: 5000 }, (_, index) => codes.codeOf(`thread ${index}`, 0)))
  t.equal(given.size, 5000)
})

/** Another thread whose first choice is the same code. */
function rivalOf(thread: string): string {
  const wanted = codeCandidate(thread, 0)
  for (let index = 1; index < 20_000_000; index++) {
    if (codeCandidate(`thread ${index}`, 0) === wanted) return `thread ${index}`
  }
  throw new Error('no rival found')
}
