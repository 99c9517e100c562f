import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { makeBackup } from '../../../src/platform/backup/make.ts'
import { BackupFolder } from '../../../src/platform/backup/manifest.ts'
import { BackupArchive, backupFile } from '../../../src/platform/backup/one-file.ts'
import { restoreBackup } from '../../../src/platform/backup/restore.ts'

/** A backup as one file: what a phone keeps is what was there. */

const NOW = Date.parse('2026-11-28T00:00:00Z')
const LONG = `${'a long name of a file that somebody put there '.repeat(3)}ü.txt`

async function made(t: Test): Promise<{ base: string; file: string; folder: BackupFolder; stamp: string }> {
  const data = {
    'config.json': '{}',
    'keys.env': '',
    [LONG]: 'long',
    library: { 'a.txt': 'one', 'b.txt': 'one', 'c.bin': Buffer.alloc(70_000, 7) }
  }
  const base = t.testdir({ data })
  const quiet = { tell: () => undefined, onProgress: () => undefined, now: () => NOW }
  const options = { withKeys: true, withArchives: false, version: '1.0.0', ...quiet }
  const folder = new BackupFolder(join(base, 'lookout-backups'))
  const { stamp } = await makeBackup({ dataFolder: join(base, 'data'), backupFolder: folder.path, ...options })
  const { content, bytes, name } = await backupFile(folder, stamp)
  t.equal(name, 'lookout-backup-2026-11-28T00-00-00Z.tar')
  const parts: Uint8Array[] = []
  for await (const part of content()) parts.push(part)
  const file = join(base, name)
  writeFileSync(file, Buffer.concat(parts))
  t.equal(readFileSync(file).length, bytes, 'the length is known before')
  return { base, file, folder, stamp }
}

const restored = async (from: BackupArchive, dataFolder: string): Promise<string[]> => {
  await restoreBackup({ folder: from, dataFolder, stamp: undefined, onProgress: () => undefined })
  // The lock is of the folder, not of the backup.
  return readdirSync(dataFolder)
    .filter((name) => !name.startsWith('lookout.lock'))
    .sort()
}

t.test('what is restored from the file is what was backed up, names and modes too', async (t) => {
  const { base, file } = await made(t)
  const to = join(base, 'new')
  t.same(await restored(await BackupArchive.open(file), to), [LONG, 'config.json', 'keys.env', 'library'].sort())
  t.equal(readFileSync(join(to, LONG), 'utf8'), 'long')
  t.equal(readFileSync(join(to, 'library/b.txt'), 'utf8'), 'one')
  t.same(readFileSync(join(to, 'library/c.bin')), Buffer.alloc(70_000, 7))
})

t.test('tar unpacks it to a folder of backups, and one that tar packed again is read too', async (t) => {
  const { base, file, stamp } = await made(t)
  mkdirSync(join(base, 'stick'))
  execFileSync('tar', ['-xf', file, '-C', join(base, 'stick')])
  t.same((await new BackupFolder(join(base, 'stick/lookout-backups')).stamps()).complete, [stamp])
  for (const form of ['gnu', 'posix', 'ustar']) {
    const again = join(base, `${form}.tar`)
    const without = form === 'ustar' ? [`--exclude=*${LONG.slice(-8)}`] : []
    execFileSync('tar', ['-cf', again, `--format=${form}`, ...without, '-C', join(base, 'stick'), './lookout-backups'])
    t.same((await (await BackupArchive.open(again)).stamps()).complete, [stamp], form)
    if (form !== 'ustar')
      t.equal((await restored(await BackupArchive.open(again), join(base, `new-${form}`))).length, 4)
  }
})

t.test('a byte that changed on the way is found before anything stands', async (t) => {
  const { base, file } = await made(t)
  const bytes = readFileSync(file)
  bytes[bytes.indexOf(Buffer.alloc(70_000, 7)) + 9] = 8
  writeFileSync(file, bytes)
  await t.rejects(restored(await BackupArchive.open(file), join(base, 'new')), { code: 'bad-input', message: /c\.bin/ })
})

t.test('a file that ends too early, another file, and one with a link in it are refused', async (t) => {
  const { base, file } = await made(t)
  truncateSync(file, readFileSync(file).length - 40_000)
  await t.rejects(BackupArchive.open(file), { code: 'bad-input', message: /ends too early/ })
  writeFileSync(file, 'PK\x03\x04'.padEnd(2000))
  await t.rejects(BackupArchive.open(file), { message: /no backup/ })
  writeFileSync(file, '')
  await t.rejects(BackupArchive.open(file), { message: /no backup/ })
  symlinkSync('/etc/passwd', join(base, 'lookout-backups/objects/link'))
  execFileSync('tar', ['-cf', file, '-C', base, 'lookout-backups'])
  await t.rejects(BackupArchive.open(file), { message: /no backup has \(lookout-backups\/objects\/link\)/ })
  execFileSync('tar', ['-cf', file, '-C', base, 'data'])
  await t.rejects(BackupArchive.open(file), { message: /no backup/ })
})

t.test('a copy that is gone or has another size is not handed out as a backup', async (t) => {
  const { folder, stamp } = await made(t)
  const [object = ''] = readdirSync(folder.objects)
  writeFileSync(join(folder.objects, object), 'other length')
  await t.rejects(backupFile(folder, stamp), { code: 'bad-input' })
})
