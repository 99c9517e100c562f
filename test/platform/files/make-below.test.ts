import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join, relative } from 'node:path'
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

t.test('the name of a folder that was made is synced before anything is put into it, and no other', async (t) => {
  const root = t.testdir({ acquired: {} })
  const steps: string[] = []
  const fs = {
    mkdir: (path: string) => {
      mkdirSync(path)
      steps.push(`made ${relative(root, path)}`)
      return Promise.resolve()
    },
    sync: (path: string) => {
      steps.push(`synced ${relative(root, path)}`)
      return Promise.resolve()
    }
  }
  await makeBelow(root, join(root, 'shelf', 'Water', 'Wells'), fs)
  t.same(steps, [
    'made shelf',
    'synced ',
    'made shelf/Water',
    'synced shelf',
    'made shelf/Water/Wells',
    'synced shelf/Water'
  ])
  steps.length = 0
  await t.rejects(
    makeBelow(root, join(root, 'acquired', 'pdf'), { ...fs, sync: () => Promise.reject(new Error('no sync')) }),
    { message: 'no sync' },
    'whoever asks is told'
  )
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
