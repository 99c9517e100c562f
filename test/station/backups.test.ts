import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { readBackupState } from '../../src/platform/backup/kept-state.ts'
import { placeRestored } from '../../src/platform/backup/place.ts'
import type { BackupConfig } from '../../src/platform/backup/settings.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { backUp, judgeFile, putReady } from '../../src/station/backup-work.ts'
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
    putReady: async (wish, onProgress) => void (await putReady(wish, onProgress)),
    judge: judgeFile,
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
    await t.rejects(putReady({ dataFolder: data, from: found, stamp: found.stamp, version: '0.9.0' }), {
      message: /newer than this one/
    })
    await t.rejects(backups.restore({ folder, stamp: '../../etc' }), { code: 'not-found' })
  }
)

/** Sends a file as an upload does, and waits until it was looked at. */
async function upload(backups: Backups, bytes: Buffer, name = 'lookout-backup-x.tar'): Promise<void> {
  const { id } = await backups.uploads.create(bytes.length, { filename: name })
  await backups.uploads.append(id, 0, Readable.from([bytes]))
  await eventually('it was looked at', () => !backups.state().judging)
}

async function fileOf(backups: Backups): Promise<Buffer> {
  const [found] = await backups.find()
  const { content } = await backups.file(found ?? { folder: '', stamp: '' })
  return buffer(content())
}

t.test('a backup that is made to be downloaded is no good one of the station, and a new one replaces it', async (t) => {
  const { backups, data, wait } = world(t, { every: 'off' })
  for (const _ of [1, 2]) {
    backups.beginFile()
    await wait(1000)
  }
  t.equal(backups.state().last, null)
  t.match(await backups.find(), [{ folder: join(data, 'backup-file/lookout-backups') }])
  t.equal((await backups.find()).length, 1)
  backups.begin()
  await wait(0)
  const [, stick] = await backups.find()
  t.notOk(existsSync(join(stick?.folder ?? '', stick?.stamp ?? '', 'backup-file')), 'it is in no other backup')
})

t.test('one that is uploaded says what it is, and takes its place at the next start', async (t) => {
  const { data, backups, wait, ready } = world(t, { every: 'off' })
  backups.beginFile()
  await wait(0)
  const file = await fileOf(backups)
  writeFileSync(join(data, 'config.json'), '{"station":{"name":"Blank"}}')
  await upload(backups, file)
  t.match(backups.state().uploaded, { size: file.length, refused: null, facts: { made_by: '1.0.0', files: 2 } })
  t.match(readFileSync(join(data, 'config.json'), 'utf8'), /Blank/, 'the upload alone replaces nothing')
  await backups.restoreUploaded()
  await eventually('it is read in', () => backups.state().restore === 'ready')
  t.equal(ready.length, 1)
  t.notOk(existsSync(join(data, 'restore.upload/backup.tar')), 'the file is not kept beside what was read of it')
  await placeRestored(data, NOW)
  t.equal(readFileSync(join(data, 'config.json'), 'utf8'), '{}')
  t.notOk(existsSync(join(data, 'restore.upload')))
})

t.test('what is no backup, is cut off, damaged or of a newer release is refused, and nothing is changed', async (t) => {
  const { data, backups, wait } = world(t, { every: 'off' })
  backups.beginFile()
  await wait(0)
  const file = await fileOf(backups)
  await t.rejects(upload(backups, Buffer.alloc(9000, 1)), { code: 'unsupported', message: /no backup/ })
  await t.rejects(backups.restoreUploaded(), { code: 'not-found' })
  await upload(backups, file.subarray(0, file.length - 1024 - 600))
  t.match(backups.state().uploaded, { facts: null, refused: { code: 'backup_file_cut_off' } })
  t.notOk(existsSync(join(data, 'restore.upload/backup.tar')), 'it takes no room')
  await upload(
    backups,
    Buffer.from(file.toString('latin1').replace('"made_by": "1.0.0"', '"made_by": "9.0.0"'), 'latin1')
  )
  t.match(backups.state().uploaded, { refused: { code: 'restore_newer' } })
  await upload(backups, Buffer.from(file.toString('latin1').replace('A=1', 'A=2'), 'latin1'))
  t.match(backups.state().uploaded, { refused: null }, 'bytes are compared while they are read in')
  await backups.restoreUploaded()
  await eventually('it is refused', () => backups.state().notRestored !== null)
  t.match(backups.state(), { restore: null, notRestored: { code: 'restore_not_whole' } })
  t.equal(await placeRestored(data, NOW), null)
  t.equal(readFileSync(join(data, 'config.json'), 'utf8'), '{}')
})

t.test('a kill before it was looked at, or while it is read in, costs nothing but doing it again', async (t) => {
  const first = world(t, { every: 'off' })
  first.backups.beginFile()
  await first.wait(0)
  await upload(first.backups, await fileOf(first.backups))
  const { data } = first
  const note = join(data, 'restore.upload/backup.json')
  writeFileSync(note, JSON.stringify({ ...JSON.parse(readFileSync(note, 'utf8')), facts: null }))
  mkdirSync(join(data, 'restore.new'))
  writeFileSync(join(data, 'restore.new/lookout.db'), 'half')
  const again = new Backups({
    dataFolder: data,
    version: '1.0.0',
    config: () => first.config,
    clock: first.clock,
    log: createLog({ level: 'fatal', destination: { write: () => undefined } }),
    sticks: [],
    onReady: () => undefined,
    judge: judgeFile,
    putReady: async (wish) => void (await putReady(wish))
  })
  t.teardown(() => again.close())
  await again.open()
  await t.rejects(again.restoreUploaded(), { code: 'conflict', message: /still being looked at/ })
  await t.rejects(again.discardUploaded(), { code: 'conflict' })
  await eventually('it was looked at', () => !again.state().judging)
  t.notOk(existsSync(join(data, 'restore.new')), 'what was half read in is gone')
  t.match(again.state().uploaded, { facts: { files: 2 } })
  await again.restoreUploaded()
  await eventually('it is read in', () => again.state().restore === 'ready')
})

t.test('there is room for one upload: a new one takes the place of one that was not finished', async (t) => {
  const { backups } = world(t, { every: 'off' })
  const { id } = await backups.uploads.create(5000, { filename: 'a.tar' })
  await backups.uploads.create(5000, { filename: 'b.tar' })
  await t.rejects(backups.uploads.get(id), { code: 'not-found' })
  const huge = 2 ** 50
  await t.rejects(backups.uploads.create(huge, { filename: 'c.tar' }), { code: 'no-space' })
})

t.test('what was found out about one upload is not told of the one that has taken its place', async (t) => {
  const verdicts: ((stamp: string) => void)[] = []
  const first = world(t, { every: 'off' })
  const backups = new Backups({
    dataFolder: first.data,
    version: '1.0.0',
    config: () => first.config,
    clock: first.clock,
    log: createLog({ level: 'fatal', destination: { write: () => undefined } }),
    sticks: [],
    onReady: () => undefined,
    judge: () =>
      new Promise((resolve) =>
        verdicts.push((stamp) => resolve({ stamp, made_by: '', made_at: '', files: 1, bytes: 1 }))
      )
  })
  t.teardown(() => backups.close())
  first.backups.beginFile()
  await first.wait(0)
  const file = await fileOf(first.backups)
  for (const _ of [1, 2]) {
    const { id } = await backups.uploads.create(file.length, { filename: 'x.tar' })
    await backups.uploads.append(id, 0, Readable.from([file]))
  }
  await eventually('both are looked at', () => verdicts.length === 2)
  verdicts[0]?.('old')
  await new Promise((resolve) => setImmediate(resolve))
  t.ok(backups.state().judging, 'the second has no verdict yet')
  verdicts[1]?.('new')
  await eventually('it was looked at', () => !backups.state().judging)
  t.match(backups.state().uploaded, { facts: { stamp: 'new' } })
})
