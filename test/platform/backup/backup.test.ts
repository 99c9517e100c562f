import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { knowledgeMigrations } from '../../../src/knowledge/catalogue/schema.ts'
import { FileMoves } from '../../../src/knowledge/intake/file-moves.ts'
import { type BackupOptions, type MadeBackup, makeBackup } from '../../../src/platform/backup/make.ts'
import { BackupFolder } from '../../../src/platform/backup/manifest.ts'
import { prune } from '../../../src/platform/backup/prune.ts'
import { restoreBackup } from '../../../src/platform/backup/restore.ts'
import { verifyBackups } from '../../../src/platform/backup/verify.ts'
import { sha256Hex } from '../../../src/platform/bytes/hash.ts'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'
import { holdLock } from '../../../src/platform/files/data-lock.ts'

const SHELVED = 'shelf/Food/Goats.txt'
const CONVERTED = `processing/${'a'.repeat(64)}/converted.pdf`
const NOON = Date.parse('2026-07-01T12:00:00Z')

/** A data folder with something of everything. */
const DATA: Record<string, string> = {
  'config.json': '{"station":{"name":"Hill"}}',
  'tokens.json': '{"tokens":[]}',
  'session.json': '{}',
  'keys.env': 'OPENAI_KEY=sk-test\n',
  'search.db': 'index',
  'search.db-wal': 'log',
  'metrics.db': 'figures',
  'lookout.lock': '',
  '.config.json.123456.tmp': 'half',
  [SHELVED]: 'goats eat everything',
  [CONVERTED]: 'pages of a book',
  [`rejected/${'b'.repeat(64)}/source.pdf`]: 'locked',
  'acquired/text/new.txt': 'just dropped',
  'acquired/.parts/1.part': 'half of it',
  'models/.parts/halves/small/model.safetensors': 'half of a model',
  'models/whole/tokenizer.json': '{}',
  'zones/idaho.geojson': '{}',
  'archives/wiki.zim': 'an archive',
  'maps/base.pmtiles': 'a map',
  'addresses.sqlite': 'streets',
  'folder of a later version/file.bin': 'anything'
}
const LEFT_OUT = ['addresses.sqlite', 'archives', 'keys.env', 'maps', 'metrics.db', 'search.db']
const NEVER = [
  ...LEFT_OUT,
  'search.db-wal',
  'lookout.lock',
  '.config.json.123456.tmp',
  'acquired/.parts/1.part',
  'models/.parts/halves/small/model.safetensors'
]

interface Setup {
  data: string
  backups: BackupFolder
  db: Database
  make: (patch?: Partial<BackupOptions>) => Promise<MadeBackup>
  restore: (name: string, stamp?: string) => Promise<string>
}

async function setup(t: Test, files: Record<string, string> = DATA): Promise<Setup> {
  const root = t.testdir({})
  const data = join(root, 'data')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(data, path)), { recursive: true })
    writeFileSync(join(data, path), text)
  }
  const db = await openDatabase({
    path: join(data, 'knowledge.db'),
    migrations: knowledgeMigrations,
    synchronous: 'FULL'
  })
  t.teardown(() => db.close())
  const backups = new BackupFolder(join(root, 'backups'))
  const folders = { dataFolder: data, backupFolder: backups.path }
  return {
    data,
    backups,
    db,
    make: (patch = {}) =>
      makeBackup({
        ...folders,
        withKeys: false,
        withArchives: false,
        version: '1.2.3',
        now: () => NOON,
        tell: () => undefined,
        onProgress: () => undefined,
        ...patch
      }),
    restore: async (name, stamp) => {
      const dataFolder = join(root, name)
      await restoreBackup({ folder: backups, dataFolder, stamp, onProgress: () => undefined })
      return dataFolder
    }
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort()
}

const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    filesBelow(folder)
      .filter((name) => !/\.db(-wal|-shm)?$|\.lock$/.test(name))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  )

t.test('L6: everything of a data folder is in a backup but what is named, and comes back as it was', async (t) => {
  const { data, backups, make, restore } = await setup(t)
  chmodSync(join(data, 'session.json'), 0o600)
  chmodSync(join(data, SHELVED), 0o640)
  const made = await make()
  t.equal(made.stamp, '2026-07-01T12-00-00Z')
  t.same(made.leftOut.map(({ path }) => path).sort(), LEFT_OUT)
  t.equal(statSync(backups.path).mode & 0o777, 0o700, 'others may not look into it')
  const back = await restore('back')
  const wanted = Object.fromEntries(
    Object.entries(DATA).filter(([path]) => !NEVER.some((name) => path === name || path.startsWith(`${name}/`)))
  )
  t.same(contents(back), wanted)
  t.equal(statSync(join(back, 'session.json')).mode & 0o777, 0o600)
  t.equal(statSync(join(back, SHELVED)).mode & 0o777, 0o640)
  t.ok(existsSync(join(back, 'knowledge.db')))
  const all = await make({ withKeys: true, withArchives: true })
  t.equal(all.stamp, '2026-07-01T12-00-00Z-2', 'two of one second')
  const more = contents(await restore('more'))
  t.match(more, { 'keys.env': DATA['keys.env'], 'archives/wiki.zim': 'an archive', 'addresses.sqlite': 'streets' })
})

t.test('a second backup writes only what is new; what was deleted stays in the first', async (t) => {
  const { data, backups, make, restore } = await setup(t)
  const first = await make()
  rmSync(join(data, SHELVED))
  writeFileSync(join(data, 'shelf', 'Food', 'Same goats.txt'), DATA[CONVERTED] ?? '')
  const second = await make()
  t.ok(second.written < first.written, 'the databases and settings alone')
  t.notOk(existsSync(join(await restore('new'), SHELVED)))
  t.equal(readFileSync(join(await restore('old', first.stamp), SHELVED), 'utf8'), DATA[SHELVED])
  const names = readdirSync(backups.objects)
  t.equal(names.length, new Set(names).size)
  for (const name of names) t.equal(sha256Hex(readFileSync(join(backups.objects, name))), name)
})

t.test('the database is copied whole while another process writes to it', async (t) => {
  const { db, make, restore } = await setup(t)
  db.sql("INSERT INTO file_moves (hash, from_path, to_path, state, at) VALUES ('x', 'a', 'b', 'done', 1)").run()
  db.exec('BEGIN IMMEDIATE')
  db.sql("INSERT INTO file_moves (hash, from_path, to_path, state, at) VALUES ('y', 'c', 'd', 'done', 2)").run()
  await make()
  db.exec('COMMIT')
  const copy = await openDatabase({
    path: join(await restore('back'), 'knowledge.db'),
    migrations: knowledgeMigrations,
    synchronous: 'FULL'
  })
  t.same(
    copy
      .sql('SELECT hash FROM file_moves')
      .all()
      .map((row) => row['hash']),
    ['x'],
    'what was stored, nothing half'
  )
  copy.close()
})

t.test('files that the station moves while it is copied stand where the copied rows know them', async (t) => {
  const { data, db, make, restore } = await setup(t)
  const ledger = await openDatabase({ path: join(data, 'lookout.db'), migrations: [], synchronous: 'FULL' })
  t.teardown(() => ledger.close())
  const hash = 'a'.repeat(64)
  const [source, filed] = [`processing/${hash}/source.txt`, 'shelf/Food/Letter.txt']
  writeFileSync(join(data, source), 'a letter')
  const moves = new FileMoves({ db, folder: data, now: () => NOON })
  // knowledge.db has been copied when it says this.
  const tell = (text: string): void => {
    if (text !== 'copying lookout.db') return
    moves.plan(hash, [{ from: source, to: filed }])
    renameSync(join(data, source), join(data, filed))
    moves.done(hash)
  }
  // Gone from where it was seen, before it is read.
  const [dropped, brought] = ['zones/idaho.geojson', 'zones/idaho.json']
  const onProgress = (): void => {
    if (existsSync(join(data, dropped))) renameSync(join(data, dropped), join(data, brought))
  }
  await make({ tell, onProgress })
  t.ok(existsSync(join(data, filed)) && existsSync(join(data, brought)), 'both have moved')
  const back = await restore('back')
  t.equal(readFileSync(join(back, source), 'utf8'), 'a letter')
  t.notOk(existsSync(join(back, filed)))
  t.equal(readFileSync(join(back, brought), 'utf8'), '{}')
  t.notOk(existsSync(join(back, dropped)))
})

t.test('a backup that was cut off counts as none, and the next one clears it away', async (t) => {
  const { backups, make } = await setup(t)
  const stamp = '2026-06-30T12-00-00Z'
  mkdirSync(join(backups.path, stamp), { recursive: true })
  mkdirSync(backups.objects)
  writeFileSync(join(backups.path, stamp, 'config.json'), '{')
  writeFileSync(join(backups.objects, '.copying-0123456789abcdef'), 'half')
  await t.rejects(verifyBackups(backups), { code: 'missing' })
  const said: string[] = []
  const made = await make({ tell: (text) => said.push(text) })
  t.match(said.join('\n'), /2026-06-30.* cut off/)
  t.same((await backups.stamps()).complete, [made.stamp])
  t.notOk(existsSync(join(backups.path, stamp)))
  t.notOk(readdirSync(backups.objects).some((name) => name.startsWith('.')))
})

t.test('keep removes the oldest, and contents that nobody names any more', async (t) => {
  const { data, backups, make } = await setup(t)
  await make()
  rmSync(join(data, SHELVED))
  const [second, third] = [await make(), await make()]
  const gone = await prune(backups, 2)
  t.match(gone, { stamps: ['2026-07-01T12-00-00Z'], objects: 1, bytes: DATA[SHELVED]?.length })
  t.same((await backups.stamps()).complete, [second.stamp, third.stamp])
  t.same((await verifyBackups(backups)).damaged, [])
  t.same(await prune(backups, 5), { stamps: [], objects: 0, bytes: 0 })
  writeFileSync(backups.manifestPath(third.stamp), '{"version":1')
  const before = filesBelow(backups.path)
  await t.rejects(prune(backups, 1), { code: 'bad-input' }, 'what cannot be read may name anything')
  t.same(filesBelow(backups.path), before)
})

t.test('verify finds every kind of damage', async (t) => {
  const { backups, make } = await setup(t)
  const { stamp } = await make()
  t.match(await verifyBackups(backups), { stamps: [stamp], damaged: [] })
  const object = (text: string): string => join(backups.objects, sha256Hex(text))
  writeFileSync(object(DATA[SHELVED] ?? ''), 'Goats eat everything')
  writeFileSync(object(DATA[CONVERTED] ?? ''), 'short')
  rmSync(object('locked'))
  writeFileSync(join(backups.stampFolder(stamp), 'config.json'), '{}')
  const { damaged } = await verifyBackups(backups)
  const reasons = Object.fromEntries(damaged.map(({ path, reason }) => [path, reason]))
  t.match(reasons, {
    [SHELVED]: /have changed/,
    [CONVERTED]: /has 5 bytes, not 15/,
    [`rejected/${'b'.repeat(64)}/source.pdf`]: /not there/,
    'config.json': /has 2 bytes/
  })
  t.equal(damaged.length, 4)
  writeFileSync(backups.manifestPath(stamp), '[]')
  t.match((await verifyBackups(backups)).damaged, [{ path: 'manifest.json' }])
  await t.rejects(verifyBackups(backups, { stamp: '2020-01-01T00-00-00Z' }), {
    code: 'missing',
    message: /there are: 2026/
  })
})

t.test(
  'a restore refuses a folder with anything in it, a damaged file, and no space; nothing is written over',
  async (t) => {
    const { data, backups, make, restore } = await setup(t)
    await t.rejects(restore('back'), { code: 'missing' })
    await make()
    const before = contents(data)
    await t.rejects(restore('data'), { code: 'conflict', message: /not empty/ })
    t.same(contents(data), before)
    await t.rejects(restore('backups/inside'), { code: 'usage' })
    const full = {
      folder: backups,
      dataFolder: join(data, '..', 'full'),
      stamp: undefined,
      onProgress: () => undefined
    }
    await t.rejects(restoreBackup({ ...full, free: async () => 1000 }), { code: 'no-space' })
    t.notOk(existsSync(full.dataFolder))
    mkdirSync(full.dataFolder)
    await restoreBackup(full)
    t.match(contents(full.dataFolder), { [SHELVED]: DATA[SHELVED] }, 'an empty folder is as good')
    writeFileSync(join(backups.objects, sha256Hex(DATA[SHELVED] ?? '')), 'Goats eat everything')
    await t.rejects(restore('damaged'), { code: 'bad-input', message: /Goats\.txt is damaged.*not whole: remove it/s })
    t.notOk(existsSync(join(data, '..', 'damaged', 'config.json')), 'it is no station')
  }
)

t.test('no backup where there is no station, no space, another backup, or the station itself', async (t) => {
  const { data, backups, make } = await setup(t)
  await t.rejects(make({ dataFolder: join(data, 'none') }), { code: 'missing' })
  await t.rejects(make({ dataFolder: join(data, 'zones') }), {
    code: 'missing',
    message: /no data folder of a station/
  })
  await t.rejects(make({ backupFolder: data }), { code: 'usage' })
  await t.rejects(make({ free: async () => 1000 }), { code: 'no-space', message: /MB are missing/ })
  t.same((await backups.stamps()).complete, [])
  const release = await holdLock(join(backups.path, 'backup.lock'))
  await t.rejects(make(), { code: 'conflict', message: /another backup/ })
  release()
  const inside = await make({ backupFolder: join(data, 'mine') })
  const { files } = await new BackupFolder(join(data, 'mine')).manifest(inside.stamp)
  t.notOk(
    files.some(({ path }) => path.startsWith('mine')),
    'a backup is not in itself'
  )
  const again = await make({ backupFolder: join(data, 'mine') })
  t.equal(again.files, inside.files)
})

t.test('links are followed at the top of the data folder only, and told elsewhere', async (t) => {
  const { data, make, restore } = await setup(t)
  const other = join(data, '..', 'disk')
  renameSync(join(data, 'shelf'), other)
  symlinkSync(other, join(data, 'shelf'))
  symlinkSync('/etc/hostname', join(data, 'zones', 'link'))
  symlinkSync(join(data, 'nowhere'), join(data, 'dangling'))
  const { leftOut } = await make()
  t.same(
    leftOut.map(({ path }) => path).filter((path) => !LEFT_OUT.includes(path)),
    ['dangling', 'zones/link']
  )
  t.equal(readFileSync(join(await restore('back'), SHELVED), 'utf8'), DATA[SHELVED])
})

t.test('no manifest writes outside the new folder', async (t) => {
  const { backups, make, restore } = await setup(t)
  const { stamp } = await make()
  const good = await backups.manifest(stamp)
  const [first] = good.files
  for (const path of ['../out', '/etc/out', 'a/../../out', 'a//b', './a', '', 'a\\b', 'a/', '..', 'a\0b']) {
    await backups.complete(stamp, { ...good, files: [{ ...first, path } as (typeof good.files)[number]] })
    await t.rejects(restore('out'), { code: 'bad-input' }, JSON.stringify(path))
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 40 }), async (text) => {
      writeFileSync(backups.manifestPath(stamp), text)
      await t.rejects(backups.manifest(stamp), { code: 'bad-input' })
    }),
    { numRuns: 50 }
  )
})
