import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../src/settings/read-config.ts'

t.test('a folder that is not there is not made, and the defaults count', async (t) => {
  const folder = join(t.testdir({}), 'data')
  const { config, problem } = await readConfig(folder)
  t.same([config.station.name, problem], ['Lookout', null])
  t.notOk(existsSync(folder))
})

t.test('what a crash left beside the file stays where it is', async (t) => {
  const left = '.config.json.0123456789ab.tmp'
  const folder = t.testdir({ 'config.json': '{"station": {"name": "A"}}', [left]: '{' })
  utimesSync(join(folder, left), 1, 1)
  t.equal((await readConfig(folder)).config.station.name, 'A')
  t.same(readdirSync(folder).sort(), ['config.json', left].sort())
})

t.test(
  'the backup counts where the file is broken, with the problem of the file; without one it is refused',
  async (t) => {
    const folder = t.testdir({ 'config.json': '{', 'config.json.bak': '{"station": {"name": "B"}}' })
    const { config, problem } = await readConfig(folder)
    t.match([config.station.name, problem], ['B', { code: 'syntax', line: 1 }])
    await t.rejects(readConfig(t.testdir({ 'config.json': '{' })), { code: 'config-refused' })
  }
)
