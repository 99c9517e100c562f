import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** Contract §6: an operator channel may be told once that nothing can be stored. */

const CONFIG = withMatrix(
  { fire: { North: { mt: 3, mc: 'north' } } },
  { operator_channel: { mt: 5, mc: 'ops' }, toggles: { fire: { cooldown_seconds: 0 } } }
)

async function world(t: Test, config: unknown = CONFIG): Promise<{ s: Station; folder: string }> {
  const folder = join(t.testdir({ data: {} }), 'data')
  const s = await station(t, { config, databasePath: join(folder, 'lookout.db'), onError: () => undefined })
  return { s, folder }
}
const told = (s: Station): string[] => s.onAir().filter((text) => /^(?:mt:5|mc:ops) /.test(text))

t.test(
  'the operator channels hear once that nothing can be stored and what to do, and once that it works again',
  async (t) => {
    const { s, folder } = await world(t)
    renameSync(folder, `${folder}-pulled`)
    await s.run(50)
    t.same(told(s), [], 'what passes within a minute is nobody woken for')
    await s.run(60)
    const words =
      'LOOKOUT data folder gone: nothing is stored, critical and above still goes out. Do not restart; look at the disk. (6:01p)'
    t.same(told(s), [`mt:5 ${words}`, `mc:ops Lookout: ${words}`])
    await s.run(3600)
    t.equal(told(s).length, 2)
    renameSync(`${folder}-pulled`, folder)
    await s.run(120)
    t.equal(s.core.storage.fault, null)
    t.same(
      told(s).filter((text) => text.includes('again')),
      ['mt:5 LOOKOUT stores again after 1h2m. (7:02p)', 'mc:ops Lookout: LOOKOUT stores again after 1h2m. (7:02p)']
    )
    renameSync(folder, `${folder}-pulled`)
    await s.run(600)
    t.equal(told(s).length, 4, 'a loose plug does not fill the channel')
  }
)

t.test('a warning goes before the news of the disk', async (t) => {
  const { s, folder } = await world(t)
  renameSync(folder, `${folder}-pulled`)
  await s.run(65)
  await s.post({ id: 'Croy', severity: 'immediate', title: 'Leave Croy now', expires: '2026-06-01T22:00:00Z' })
  await s.run(60)
  t.equal(s.onAir().filter((text) => text.includes('Croy')).length, 2)
  t.equal(told(s).length, 2)
})

t.test('without operator channels, or with notifications off, nobody is told', async (t) => {
  for (const more of [{}, { enabled: false, operator_channel: { mt: 5, mc: 'ops' } }]) {
    const { s, folder } = await world(t, withMatrix({ fire: { North: { mt: 3, mc: 'north' } } }, more))
    mkdirSync(`${folder}-other`)
    renameSync(folder, `${folder}-pulled`)
    await s.run(600)
    t.same(s.onAir(), [])
    renameSync(`${folder}-pulled`, folder)
    await s.run(120)
  }
})
