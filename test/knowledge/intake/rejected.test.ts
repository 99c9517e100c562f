import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { trimRejected } from '../../../src/knowledge/intake/rejected.ts'
import { createLog } from '../../../src/platform/log/log.ts'

const log = createLog({ level: 'silent' })
const DAY = 86_400_000

t.test('rejected/ is bounded: a week is left to everybody, then the oldest go until it fits', async (t) => {
  const folder = t.testdir({ rejected: {} })
  const root = join(folder, 'rejected')
  t.same(await trimRejected({ folder: join(folder, 'nowhere'), maxBytes: 0, now: Date.now(), log }), {
    folders: 0,
    bytes: 0
  })
  let last = 0
  for (const name of ['first', 'second', 'third']) {
    const path = join(root, name)
    mkdirSync(path)
    writeFileSync(join(path, 'source.pdf'), Buffer.alloc(1000))
    // The system tells the age, in steps of its own: each is made later than the one before.
    while (statSync(path).ctimeMs <= last) chmodSync(path, 0o755)
    last = statSync(join(root, name)).ctimeMs
  }
  const trim = (days: number, maxBytes: number) => trimRejected({ folder, maxBytes, now: last + days * DAY, log })
  t.same(await trim(6, 0), { folders: 0, bytes: 0 }, 'all of them are new')
  t.same(await trim(8, 3000), { folders: 0, bytes: 0 }, 'there is room')
  t.same(await trim(8, 2500), { folders: 1, bytes: 1000 })
  t.same(readdirSync(root).sort(), ['second', 'third'])
  t.same(await trim(8, 0), { folders: 2, bytes: 2000 })
  t.same(readdirSync(root), [])
})
