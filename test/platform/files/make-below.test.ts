import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { makeBelow } from '../../../src/platform/files/make-below.ts'
import { makePrivate } from '../../../src/platform/files/private-file.ts'

t.test('a folder of the data folder is made with what is missing above it', async (t) => {
  const root = t.testdir({})
  await makeBelow(root, join(root, 'acquired', 'pdf'))
  await makeBelow(root, join(root, 'acquired', 'pdf'))
  t.same(readdirSync(join(root, 'acquired')), ['pdf'])
  await t.resolves(makeBelow(root, root))
})

t.test('a data folder that was pulled is never made again by what works in it', async (t) => {
  const at = t.testdir({ data: {} })
  const data = join(at, 'data')
  renameSync(data, `${data}-pulled`)
  await t.rejects(makeBelow(data, join(data, 'acquired', 'pdf')), {
    code: 'unavailable',
    message: /is not where it was/
  })
  makePrivate(join(data, 'metrics.db'))
  await t.rejects(openDatabase({ path: join(data, 'knowledge.db'), migrations: [], synchronous: 'FULL' }))
  t.notOk(existsSync(data))
  mkdirSync(data)
})
