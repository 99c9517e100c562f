import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type BackupOptions, makeBackup } from '../../src/platform/backup/make.ts'
import { BackupFolder } from '../../src/platform/backup/manifest.ts'
import { restoreBackup } from '../../src/platform/backup/restore.ts'
import { verifyBackups } from '../../src/platform/backup/verify.ts'
import { importPack } from '../../src/warning/atlas/import-pack.ts'
import { readPack } from '../../src/warning/atlas/zone-files.ts'
import { noSmallDisk, smallDisk } from '../helpers/small-disk.ts'

/** Contract §6 on a real disk that fills up under what an operator does: it says why, nothing is lost, and no half file stays. */

const KIB = 1024
const skip = { skip: noSmallDisk ?? false }
/** No two bytes of it are packed together. */
const noise = (bytes: number, seed: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: bytes / 4 }, (_, n) => Math.imul(n + seed, 2_654_435_761)).buffer)

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

t.test(
  'a backup that finds no room, or fills the disk on its way, leaves what was there and goes on later',
  skip,
  async (t) => {
    const disk = smallDisk(t, 64)
    const data = t.testdir({ 'config.json': '{"station":{"name":"Hill"}}', shelf: {} })
    writeFileSync(join(data, 'shelf', 'first.txt'), noise(256 * KIB, 1))
    const folder = new BackupFolder(join(disk.path, 'backups'))
    let hour = 0
    const back = (patch: Partial<BackupOptions> = {}) =>
      makeBackup({
        ...{ dataFolder: data, backupFolder: folder.path, withKeys: false, withArchives: false, version: '1.2.3' },
        now: () => Date.parse('2026-07-01T12:00:00Z') + 3_600_000 * hour++,
        tell: () => undefined,
        onProgress: () => undefined,
        ...patch
      })
    await back()
    const before = filesBelow(folder.path)
    writeFileSync(join(data, 'shelf', 'second.txt'), noise(4096 * KIB, 2))
    disk.fill(1024 * KIB)
    await t.rejects(back(), { code: 'no-space', message: /MB are missing/ })
    t.same(filesBelow(folder.path), before, 'nothing was begun')
    // Somebody else takes the room after it was looked at.
    await t.rejects(back({ free: async () => 1e9 }), { code: 'no-space', message: /full/ })
    t.same((await verifyBackups(folder)).damaged, [], 'the earlier one is whole')
    disk.empty()
    await back()
    const restored = join(t.testdirName, 'restored')
    await restoreBackup({ folder, stamp: undefined, dataFolder: restored, onProgress: () => undefined })
    for (const name of ['first.txt', 'second.txt'])
      t.same(readFileSync(join(restored, 'shelf', name)), readFileSync(join(data, 'shelf', name)), name)
    t.notMatch(filesBelow(folder.path).join(' '), /part|tmp/)

    const small = smallDisk(t, 8)
    const into = join(small.path, 'data')
    small.fill(1024 * KIB)
    await t.rejects(restoreBackup({ folder, stamp: undefined, dataFolder: into, onProgress: () => undefined }), {
      code: 'no-space'
    })
    await t.rejects(
      restoreBackup({ folder, stamp: undefined, dataFolder: into, onProgress: () => undefined, free: async () => 1e9 }),
      {
        code: 'no-space'
      }
    )
    // Without them no station begins in it, and nobody takes it for whole.
    t.notOk(existsSync(join(into, 'config.json')))
    const whole = join(t.testdirName, 'whole')
    await restoreBackup({ folder, stamp: undefined, dataFolder: whole, onProgress: () => undefined })
    t.same(readFileSync(join(whole, 'shelf', 'second.txt')), readFileSync(join(data, 'shelf', 'second.txt')))
  }
)

t.test('an import of zones that fills the disk says so, and the pack of before stays', skip, async (t) => {
  const disk = smallDisk(t, 8)
  const zonesFolder = join(disk.path, 'zones')
  mkdirSync(zonesFolder)
  const write = (outlines: number): string => {
    const features = Array.from({ length: outlines }, (_, n) => {
      const ring = Array.from({ length: 200 }, (_, k) => [-115 + Math.sin(n * 7.1 + k), 44 + Math.cos(n * 3.3 + k)])
      const id = `IDZ${String(n % 1000).padStart(3, '0')}`
      return { type: 'Feature', id, properties: {}, geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] } }
    })
    const file = join(t.testdirName, 'zones.geojson')
    writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }))
    return file
  }
  t.testdir({})
  const bring = (outlines: number) =>
    importPack({ file: write(outlines), zonesFolder, tolerance: 0, onSkipped: () => undefined })
  const { path } = await bring(10)
  const before = filesBelow(zonesFolder)
  disk.fill(200 * KIB)
  await t.rejects(bring(600), { code: 'no-space', message: /full/ })
  t.same(filesBelow(zonesFolder), before, 'no half pack is left')
  t.equal(readPack(path, () => undefined).codes.length, 10)
  disk.empty()
  await bring(600)
  t.equal(readPack(path, () => undefined).codes.length, 600)
})
