import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { DiskFiles } from '../../../../src/knowledge/intake/bulk/mounts.ts'
import { mountOf, parseMounts } from '../../../../src/knowledge/intake/bulk/mounts.ts'
import { checkFolder, diskOf, listPlaces, type PlaceRules } from '../../../../src/knowledge/intake/bulk/places.ts'
import { sentenceOf } from '../../../../src/model/words/sentences.ts'
import { AppError } from '../../../../src/platform/errors.ts'

/** A machine with a stick, its card and a folder of its own, as the kernel and udev tell of them. */
function machine(t: Test) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lookout-places-')))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  const at = (path: string): string => join(root, path)
  const folder = (path: string): void => void mkdirSync(at(path), { recursive: true })
  const file = (path: string, content: string): void => {
    folder(join(path, '..'))
    writeFileSync(at(path), content)
  }
  for (const path of ['media/stick one/books', 'media/closed', 'srv/docs', 'data/library', 'home/private']) folder(path)
  const usb = 'sys/devices/pci/usb1/1-1/block/sda'
  const card = 'sys/devices/platform/mmc/block/mmcblk0'
  const other = 'sys/devices/pci/usb1/1-2/block/sdb'
  for (const [path, dev] of [
    [`${usb}/sda1`, '8:1'],
    [`${card}/mmcblk0p2`, '179:2'],
    [`${other}/sdb1`, '8:17']
  ] as const) {
    file(`${path}/dev`, `${dev}\n`)
    file(join(path, '../removable'), path.includes('usb') ? '1\n' : '0\n')
    const [name = ''] = path.split('/').slice(-1)
    folder('sys/dev/block')
    folder('sys/class/block')
    symlinkSync(at(path), at(`sys/dev/block/${dev}`))
    symlinkSync(at(path), at(`sys/class/block/${name}`))
  }
  folder('labels')
  folder('uuids')
  symlinkSync('../../sda1', at('labels/BOOKS\\x20OF\\x20ANN'))
  symlinkSync('../../sdb1', at('labels/SPARE'))
  symlinkSync('../../sda1', at('uuids/ABCD-1234'))
  symlinkSync('../../sdb1', at('uuids/FFFF-0000'))
  const mountinfo = (withStick = true): void =>
    file(
      'mountinfo',
      [
        `24 1 179:2 / / rw,relatime shared:1 - ext4 /dev/mmcblk0p2 rw`,
        ...(withStick
          ? [`30 24 8:1 / ${at('media/stick one').replaceAll(' ', '\\040')} rw,nosuid - vfat /dev/sda1 rw`]
          : [])
      ].join('\n')
    )
  mountinfo()
  const files: DiskFiles = { mountinfo: at('mountinfo'), sys: at('sys'), labels: at('labels'), uuids: at('uuids') }
  const rules: PlaceRules = {
    dataFolder: at('data'),
    folders: [at('srv/docs')],
    sticks: [at('media')],
    never: ['/proc', '/etc', '/usr'],
    files
  }
  return { at, rules, files, mountinfo }
}

async function refusal(work: Promise<unknown>): Promise<AppError> {
  try {
    await work
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it was not refused')
}

t.test("the kernel's list of mounts is read: blanks in names, the later of two at one point", async (t) => {
  const mounts = parseMounts(
    '24 1 179:2 / / rw shared:1 - ext4 /dev/root rw\n30 24 8:1 / /media/a\\040b rw shared:2 master:3 - vfat /dev/sda1 rw\n31 24 8:2 / /media/a\\040b rw - exfat /dev/sda2 rw\nbroken\n'
  )
  t.equal(mounts.length, 2)
  t.match(mountOf('/media/a b/books/x.pdf', mounts), { device: '8:2', type: 'exfat', point: '/media/a b' })
  t.match(mountOf('/media/a bc', mounts), { point: '/' })
})

t.test('sticks are listed with label, size and free space, then folders, then what is not mounted', async (t) => {
  const { rules, at } = machine(t)
  const places = await listPlaces({ ...rules, folders: [at('srv/docs'), at('srv/gone'), '/etc'] })
  t.match(places, [
    { path: at('media/stick one'), label: 'BOOKS OF ANN', removable: true, reason: null },
    { path: at('srv/docs'), label: '', removable: false, reason: null },
    { path: at('srv/gone'), reason: { code: 'source_gone' } },
    { path: '/etc', reason: { code: 'source_of_system' } },
    { path: '', label: 'SPARE', removable: true, reason: { code: 'stick_not_mounted' } }
  ])
  t.ok((places[0]?.free ?? 0) > 0 && (places[0]?.size ?? 0) >= (places[0]?.free ?? 0))
})

t.test('a folder is taken from a stick or a named folder, and from nowhere else', async (t) => {
  const { rules, at } = machine(t)
  t.same(await checkFolder(` ${at('media/stick one/books')} `, rules), {
    path: at('media/stick one/books'),
    disk: `${at('media/stick one')}\tABCD-1234`
  })
  t.equal((await checkFolder(at('srv/docs'), rules)).path, at('srv/docs'))
  for (const folder of [
    '/etc',
    '/proc/self',
    '/',
    at('home/private'),
    at('media/../home/private'),
    '/nowhere/at/all',
    at('mediaX')
  ])
    t.match(
      await refusal(checkFolder(folder, rules)),
      { code: 'invalid', reason: { code: 'bulk_folder_not_allowed' } },
      folder
    )
  for (const folder of ['books', '../etc', '', '/media/\0'])
    t.match(await refusal(checkFolder(folder, rules)), { code: 'invalid', message: /whole path/ }, folder)
  const gone = await refusal(checkFolder(at('media/stick two'), rules))
  t.match(gone, { code: 'unavailable', message: /cannot be read by the station: it is not there/ })
  t.match(sentenceOf(gone.reason, 'de'), /für die Station nicht lesbar: nicht vorhanden/)
})

t.test(
  'no link leads out of a stick, and no setting to the files of the system or of the station itself',
  async (t) => {
    const { rules, at } = machine(t)
    symlinkSync('/etc', at('media/stick one/etc'))
    symlinkSync(at('home/private'), at('media/stick one/private'))
    for (const folder of [at('media/stick one/etc'), at('media/stick one/private')])
      t.match(await refusal(checkFolder(folder, rules)), { reason: { code: 'bulk_folder_not_allowed' } }, folder)
    const wide = { ...rules, folders: ['/etc', '/', at('.'), at('data')] }
    for (const folder of ['/etc', '/proc', '/usr/share'])
      t.match(await refusal(checkFolder(folder, wide)), { reason: { code: 'bulk_folder_not_allowed' } }, folder)
    for (const folder of [at('data'), at('data/library')])
      t.match(await refusal(checkFolder(folder, wide)), { reason: { code: 'bulk_folder_is_data' } }, folder)
  }
)

t.test('a stick is known again by its file system, and another one at its place is not it', async (t) => {
  const { rules, at, files, mountinfo } = machine(t)
  const folder = at('media/stick one/books')
  const { disk } = await checkFolder(folder, rules)
  t.equal(await diskOf(folder, files), disk)
  mountinfo(false)
  t.not(await diskOf(folder, files), disk, 'pulled out: only the empty folder is there')
  mountinfo()
  rmSync(at('uuids/ABCD-1234'))
  symlinkSync('../../sda1', at('uuids/EEEE-9999'))
  t.not(await diskOf(folder, files), disk)
})
