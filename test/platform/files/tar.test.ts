import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { tarOf } from '../../../src/platform/files/tar.ts'

const AT = Date.UTC(2026, 5, 1, 18)

t.test('tar reads what is written: names, bytes, mode and time', (t) => {
  const folder = t.testdir({})
  const files = [
    { path: 'a/one.txt', bytes: Buffer.from('one\n') },
    { path: 'a/empty', bytes: Buffer.alloc(0) },
    { path: 'a/block', bytes: Buffer.alloc(512, 'x') },
    { path: 'a/more', bytes: Buffer.alloc(1300, 'y') }
  ]
  const archive = join(folder, 'a.tar')
  writeFileSync(archive, tarOf(files, AT))
  const listed = spawnSync('tar', ['-tvf', archive], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' }
  })
  t.same([listed.status, listed.stderr], [0, ''])
  t.match(listed.stdout, /^-rw------- 0\/0 +4 2026-06-01 18:00 a\/one\.txt$/m)
  t.equal(spawnSync('tar', ['-xf', archive, '-C', folder]).status, 0)
  for (const { path, bytes } of files) t.same(readFileSync(join(folder, path)), Buffer.from(bytes), path)
  t.end()
})

t.test('a name that leads elsewhere, or that the form cannot hold, is refused', (t) => {
  const bytes = Buffer.alloc(1)
  for (const path of ['/etc/passwd', 'a//b', '', 'ä', 'n'.repeat(101)])
    t.throws(() => tarOf([{ path, bytes }], AT), /ustar/, path)
  t.end()
})
