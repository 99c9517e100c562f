import { readFileSync } from 'node:fs'
import t from 'tap'
import { AddressIndex } from '../../../src/knowledge/addresses/address-index.ts'
import { findAddresses } from '../../../src/knowledge/addresses/find.ts'
import { inspectAddresses } from '../../../src/knowledge/addresses/inspect.ts'
import { openReadOnlyDatabase } from '../../../src/platform/database/database-read-only.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import { mistake, readTable, TABLES, tablePath, tableText, worldFile } from './tables.ts'

const RIGHT = 0.98

for (const table of TABLES)
  t.test(`of the questions of the table that is ${table.name}, ${RIGHT * 100} % are answered right`, async (t) => {
    const path = await worldFile(t.testdir({}), table)
    const db = await openReadOnlyDatabase(path)
    t.teardown(() => db.close())
    const found = inspectAddresses(db, path)
    if ('code' in found) throw new AppError('bad-input', found)
    const asked = readTable(table)
    const misses = asked.flatMap((one) => {
      const wrong = mistake(one, findAddresses(found.table, { text: one.q, country: null, limit: 10 }))
      return wrong === null ? [] : [`${one.kind}: ${one.q}: ${wrong}`]
    })
    for (const miss of misses) t.comment(miss)
    t.ok(asked.length >= 300, `${asked.length} questions`)
    t.ok(misses.length <= asked.length * (1 - RIGHT), `${asked.length - misses.length} of ${asked.length}`, { misses })
  })

t.test(
  'the tables in the repository are those of the generator: scripts/address-questions.ts writes them',
  async (t) => {
    for (const table of TABLES) t.equal(readFileSync(tablePath(table), 'utf8'), tableText(table), table.name)
  }
)

t.test('a lookup lets others go first: whatever is asked, the loop turns at least every few steps', async (t) => {
  const [table] = TABLES
  const book = new AddressIndex({ file: await worldFile(t.testdir({}), table), log: createLog({ level: 'silent' }) })
  t.teardown(() => book.close())
  await book.health()
  const questions = readTable(table).filter(({ kind }) => kind.startsWith('unknown street'))
  let turns = 0
  let going = true
  const turn = (): void => {
    turns++
    if (going) setImmediate(turn)
  }
  setImmediate(turn)
  for (let round = 0; round < 20; round++)
    await Promise.all(questions.map(({ q }) => book.lookup({ text: q, country: null, limit: 10 })))
  going = false
  t.ok(turns > 20, `${turns} turns of the loop while ${20 * questions.length} questions were answered`)
})
