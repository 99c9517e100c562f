import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readBackupState } from '../../src/platform/backup/kept-state.ts'
import { placeRestored } from '../../src/platform/backup/place.ts'
import type { BackupConfig } from '../../src/platform/backup/settings.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { backUp, putReady } from '../../src/station/backup-work.ts'
import { Backups } from '../../src/station/backups.ts'
import { eventually } from '../helpers/process.ts'

/** Backups that are made by themselves: when, where to, and what is said when one is not made. */

const NOW = Date.parse('2026-11-28T00:00:00Z')
const HOUR = 3_600_000

interface World {
  folder: string
  data: string
  clock: VirtualClock
  backups: Backups
  config: BackupConfig
  asked: string[]
  ready: number[]
  wait: (ms: number) => Promise<void>
}

function world(t: Test, config: Partial<BackupConfig>): World {
  const base = t.testdir({ data: { 'config.json': '{}', 'keys.env': 'A=1' }, stick: {}, folder: {} })
  const [data, folder] = [join(base, 'data'), join(base, 'folder')]
  const clock = new VirtualClock(NOW)
  const settings: BackupConfig = { every: 'daily', keep: 2, folder, ...config }
  const asked: string[] = []
  const ready: number[] = []
  const backups = new Backups({
    dataFolder: data,
    version: '1.0.0',
    config: () => settings,
    clock,
    log: createLog({ level: 'fatal', destination: { write: () => undefined } }),
    stick: join(base, 'stick'),
    sticks: [],
    onReady: () => void ready.push(clock.now()),
    putReady: async (wish) => void (await putReady(wish)),
    make: (wish) => {
      asked.push(wish.folder)
      return backUp(wish)
    }
  })
  t.teardown(() => backups.close())
  const wait = async (ms: number): Promise<void> => {
    await clock.runTo(clock.now() + ms)
    await eventually('nothing is under way', () => !backups.state().busy)
  }
  return { folder, data, ready, clock, backups, config: settings, asked, wait }
}

t.test('one a day is made, read back, and only so many are kept', async (t) => {
  const { folder, backups, wait, asked } = world(t, {})
  await wait(6 * 60_000)
  t.match(backups.state(), { failed: null, last: { files: 2, folder: join(folder, 'lookout-backups') } })
  await wait(12 * HOUR)
  t.equal(asked.length, 1)
  for (let day = 0; day < 3; day++) await wait(25 * HOUR)
  t.equal(asked.length, 4)
  const stamps = readdirSync(join(folder, 'lookout-backups')).filter((name) => name.startsWith('20'))
  t.equal(stamps.length, 2)
})

t.test('off makes none, and says nothing is wrong', async (t) => {
  const { asked, backups, wait } = world(t, { every: 'off' })
  await wait(48 * HOUR)
  t.same(asked, [])
  t.equal(backups.problem(), null)
})

t.test('a folder that is not there is not made: it is said, and found again within minutes', async (t) => {
  const { folder, data, backups, wait, asked } = world(t, {})
  rmSync(folder, { recursive: true })
  await wait(6 * 60_000)
  t.match(backups.problem(), { code: 'backup_folder_missing' })
  t.notOk(existsSync(folder))
  t.match(readBackupState(data), { failed: { reason: { code: 'backup_folder_missing' } } })
  mkdirSync(folder)
  await wait(11 * 60_000)
  t.equal(asked.length, 1)
  t.equal(backups.problem(), null)
})

t.test('without a folder it is the stick, which counts only where one is mounted', async (t) => {
  const { backups, wait, asked } = world(t, { folder: '' })
  await wait(6 * 60_000)
  t.match(backups.problem(), { code: 'backup_stick_missing' })
  t.same(asked, [])
})

t.test('a stick that gives back other bytes than it was given costs no older backup', async (t) => {
  const { folder, wait, data, backups } = world(t, {})
  mkdirSync(join(data, 'library'))
  writeFileSync(join(data, 'library/a.pdf'), 'document')
  await wait(6 * 60_000)
  const objects = join(folder, 'lookout-backups/objects')
  for (const name of readdirSync(objects)) writeFileSync(join(objects, name), 'DOCUMENT')
  await wait(25 * HOUR)
  t.match(backups.problem(), { code: 'backup_not_whole', params: { file: 'library/a.pdf' } })
  await wait(25 * HOUR)
  t.ok(readdirSync(join(folder, 'lookout-backups')).filter((name) => name.startsWith('20')).length > 2)
})

t.test(
  'a backup is put back at the next start: settings, keys and documents are its own, and nothing of before is lost',
  async (t) => {
    const { data, backups, wait, ready } = world(t, { every: 'off' })
    backups.begin()
    await wait(0)
    const [found] = await backups.find()
    t.ok(found)
    writeFileSync(join(data, 'config.json'), '{"station":{"name":"Blank"}}')
    writeFileSync(join(data, 'lookout.db-wal'), 'of the blank one')
    mkdirSync(join(data, 'archives'))
    await backups.restore(found ?? { folder: '', stamp: '' })
    await eventually('it is read in', () => backups.state().restore === 'ready')
    t.equal(ready.length, 1)
    t.match(readFileSync(join(data, 'config.json'), 'utf8'), /Blank/, 'nothing is replaced while the program runs')
    const aside = await placeRestored(data, NOW)
    t.equal(readFileSync(join(data, 'config.json'), 'utf8'), '{}')
    t.equal(readFileSync(join(data, 'keys.env'), 'utf8'), 'A=1')
    t.ok(existsSync(join(data, 'archives')), 'large files that no backup has stay')
    t.notOk(existsSync(join(data, 'lookout.db-wal')))
    t.match(readFileSync(join(data, aside ?? '', 'config.json'), 'utf8'), /Blank/)
    t.equal(await placeRestored(data, NOW), null)
  }
)

t.test('a power cut while it takes its place costs nothing', async (t) => {
  const { data } = world(t, {})
  mkdirSync(join(data, 'restore.moving'))
  writeFileSync(join(data, 'restore.moving/lookout.db'), 'restored')
  await placeRestored(data, NOW)
  t.equal(readFileSync(join(data, 'lookout.db'), 'utf8'), 'restored')
  t.equal(readFileSync(join(data, 'config.json'), 'utf8'), '{}', 'what had moved up already stays')
  t.notOk(existsSync(join(data, 'restore.moving')))
})

t.test(
  'a damaged backup, one of a newer release and a folder that is none are refused, and nothing is changed',
  async (t) => {
    const { data, folder, backups, wait } = world(t, { every: 'off' })
    backups.begin()
    await wait(0)
    const found = (await backups.find())[0] ?? { folder: '', stamp: '' }
    writeFileSync(join(found.folder, found.stamp, 'config.json'), '[]')
    await backups.restore(found)
    await eventually('it is refused', () => backups.state().notRestored !== null)
    t.match(backups.state(), { restore: null, notRestored: { code: 'restore_not_whole' } })
    t.notOk(readdirSync(data).some((name) => name.startsWith('restore')))
    await t.rejects(putReady({ dataFolder: data, ...found, version: '0.9.0' }), { message: /newer than this one/ })
    await t.rejects(backups.restore({ folder, stamp: '../../etc' }), { code: 'not-found' })
  }
)
