import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ARCHIVE_FOLDER, adoptFormerFolder } from '../../../src/knowledge/library/archive-folder.ts'

t.test('archives lie in "archives" (contract §12); an older station has its folder renamed once', async (t) => {
  t.equal(ARCHIVE_FOLDER, 'archives')
  const data = t.testdir({ zim: { 'a.zim': 'archive' } })
  t.match(adoptFormerFolder(data), { moved: true, reason: /"zim" was renamed/ })
  t.same(readdirSync(join(data, 'archives')), ['a.zim'])
  t.equal(adoptFormerFolder(data), null, 'nothing is left to do')
})

t.test('two folders are never mixed: the older one is told of and left', async (t) => {
  const data = t.testdir({ zim: { 'a.zim': 'older' }, archives: { 'a.zim': 'newer' } })
  t.match(adoptFormerFolder(data), { moved: false, reason: /"zim" is not looked at/ })
  t.same([readdirSync(join(data, 'zim')), readdirSync(join(data, 'archives'))], [['a.zim'], ['a.zim']])
})
