import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { checkDataFolder, prepareDataFolder, roomOf } from '../../../src/platform/files/data-folder.ts'
import { FolderLock, holdLock, isHeld } from '../../../src/platform/files/data-lock.ts'
import { keepPrivate, openToOthers } from '../../../src/platform/files/keep-private.ts'

t.test('a folder is made when it is missing, and a good one is taken as it is', async (t) => {
  const root = t.testdir({ old: { 'lookout.db': '', 'config.json': '{}' } })
  await prepareDataFolder(join(root, 'deep/new'))
  await checkDataFolder(join(root, 'deep/new'))
  await prepareDataFolder(join(root, 'old'))
})

t.test('a file that this user may not write is named, with what to do', async (t) => {
  const root = t.testdir({ data: { 'lookout.db': '', 'knowledge.db-wal': '', 'config.json': '{}', 'notes.txt': '' } })
  const data = join(root, 'data')
  chmodSync(join(data, 'config.json'), 0o444)
  chmodSync(join(data, 'notes.txt'), 0)
  await t.resolves(checkDataFolder(data), 'somebody may keep config.json to himself; other files are not ours')
  for (const name of ['lookout.db', 'knowledge.db-wal']) {
    chmodSync(join(data, name), 0o444)
    await refusedTo(t, () => checkDataFolder(data), new RegExp(`${name} cannot be written: its mode forbids it`))
    chmodSync(join(data, name), 0o644)
  }
  chmodSync(data, 0o555)
  await refusedTo(t, () => prepareDataFolder(data), /data cannot be written/)
  chmodSync(data, 0o755)
})

/** Modes do not bind root, who runs the tests in some places. */
async function refusedTo(t: Test, work: () => Promise<void>, said: RegExp): Promise<void> {
  if (process.getuid?.() === 0) {
    await t.resolves(work(), 'root may')
    return
  }
  await t.rejects(work(), { code: 'missing', message: said })
}

t.test('a disk without room is a problem before a commit fails, one with room is none', async (t) => {
  const folder = t.testdir({})
  t.same(
    roomOf(folder, () => 1_000_000_000),
    { freeBytes: 1_000_000_000, problem: null }
  )
  t.match(
    roomOf(folder, () => 4096),
    { problem: { code: 'disk_full' } }
  )
  t.equal(roomOf(folder).problem, null)
  t.match(roomOf(join(folder, 'gone')), { freeBytes: null, problem: { code: 'folder_unreadable', detail: /ENOENT/ } })
})

t.test('made by hand, with any mask, the folder and every database are for their owner alone', async (t) => {
  const mask = process.umask(0o022)
  t.teardown(() => process.umask(mask))
  const folder = join(t.testdir({}), 'data')
  await prepareDataFolder(folder)
  t.equal(statSync(folder).mode & 0o777, 0o700)
  const path = join(folder, 'lookout.db')
  writeFileSync(path, '')
  t.equal(statSync(path).mode & 0o777, 0o644, 'as an older version left it')
  const db = await openDatabase({ path, migrations: ['CREATE TABLE a (x)'], synchronous: 'FULL' })
  const release = await holdLock(join(folder, 'lookout.lock'))
  for (const name of readdirSync(folder)) t.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name)
  t.ok(readdirSync(folder).includes('lookout.db-wal'))
  db.close()
  release()
})

t.test(
  'what an older version left open to others is closed at the start; links lead elsewhere and keep their mode',
  (t) => {
    const root = t.testdir({
      data: { 'config.json': '{}', 'keys.env': '', 'kept.json': '', tool: '', library: { deep: { 'a.pdf': '' } } },
      elsewhere: { 'map.pmtiles': '' }
    })
    const data = join(root, 'data')
    symlinkSync(join(root, 'elsewhere'), join(data, 'maps'))
    const mode = (name: string): number => statSync(join(data, name)).mode & 0o777
    const open = {
      '.': 0o775,
      'config.json': 0o664,
      'keys.env': 0o644,
      'kept.json': 0o444,
      tool: 0o755,
      library: 0o755
    }
    for (const [name, bits] of Object.entries(open)) chmodSync(join(data, name), bits)
    t.same(openToOthers(data).sort(), Object.keys(open).sort())
    t.same(keepPrivate(data), [])
    t.same(openToOthers(data), [])
    t.same(
      Object.keys(open).map((name) => [name, mode(name)]),
      [
        ['.', 0o700],
        ['config.json', 0o600],
        ['keys.env', 0o600],
        ['kept.json', 0o400],
        ['tool', 0o700],
        ['library', 0o700]
      ]
    )
    t.equal(mode('maps') & 0o077, statSync(join(root, 'elsewhere')).mode & 0o077)
    t.equal(statSync(join(root, 'elsewhere/map.pmtiles')).mode & 0o777, 0o666 & ~process.umask())
    t.end()
  }
)

t.test('a folder that went away and came back is locked again, unless somebody else was quicker', async (t) => {
  const folder = t.testdir({ data: {}, other: {} })
  const path = join(folder, 'data', 'lookout.lock')
  const lock = await FolderLock.open(path)
  t.teardown(() => lock.close())
  lock.hold()
  t.equal(lock.isOurs(), true)
  renameSync(join(folder, 'data'), join(folder, 'pulled'))
  mkdirSync(join(folder, 'data'))
  const somebody = await holdLock(path)
  t.equal(lock.isOurs(), false)
  somebody()
  t.equal(lock.isOurs(), true)
  await t.rejects(holdLock(path), { code: 'conflict' })
})

t.test('a look at the lock tells whether somebody holds it, and changes nothing', async (t) => {
  const folder = t.testdir({ broken: 'anything that is no lock, as an older version or a person left it there' })
  const path = join(folder, 'lookout.lock')
  t.equal(await isHeld(path), false)
  t.same(readdirSync(folder), ['broken'], 'no file is made')
  const release = await holdLock(path)
  t.equal(await isHeld(path), true)
  release()
  t.equal(await isHeld(path), false)
  t.equal(await isHeld(join(folder, 'broken')), false, 'what stands in it means nothing')
})
