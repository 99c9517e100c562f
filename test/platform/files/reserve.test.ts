import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Reserve } from '../../../src/platform/files/reserve.ts'
import { noSmallDisk, smallDisk } from '../../helpers/small-disk.ts'

const MIB = 1024 * 1024

t.test('it holds real room, gives it back at once, and is made again', { skip: noSmallDisk ?? false }, async (t) => {
  const disk = smallDisk(t, 64)
  const path = join(disk.path, 'reserve.bin')
  const reserve = new Reserve(path)
  t.equal(reserve.release(), false, 'there is none yet')
  const before = disk.free()
  await reserve.keep()
  const { size } = statSync(path)
  t.ok(size >= MIB && size <= before / 16, `${size} of ${before}`)
  t.ok(disk.free() <= before - size)
  disk.fill(0)
  t.throws(() => writeFileSync(join(disk.path, 'ledger'), Buffer.alloc(MIB)), { code: 'ENOSPC' })
  t.equal(reserve.release(), true)
  writeFileSync(join(disk.path, 'ledger'), Buffer.alloc(MIB))
  await reserve.keep()
  t.notOk(existsSync(path), 'a disk that is full keeps none')
  disk.empty()
  await reserve.keep()
  t.ok(existsSync(path))
})

t.test('given back while it is made it is gone, and a disk that takes nothing has none', async (t) => {
  const path = join(t.testdir({}), 'reserve.bin')
  const reserve = new Reserve(path)
  const making = reserve.keep()
  reserve.release()
  await making
  t.notOk(existsSync(path))
  const nowhere = new Reserve(join(t.testdirName, 'no', 'folder', 'reserve.bin'))
  await t.resolves(nowhere.keep())
})
