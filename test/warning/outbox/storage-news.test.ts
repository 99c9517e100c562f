import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
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
      'LOOKOUT data folder gone: nothing stored. Critical and above goes out, perhaps twice after a restart. (6:01p)'
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

t.test('a network without an operator channel hears it on the channel that its warnings use first', async (t) => {
  for (const [own, expected] of [
    [{}, ['mt:3', 'mc:north']],
    [{ mt: 5 }, ['mt:5', 'mc:north']]
  ] as const) {
    const { s, folder } = await world(
      t,
      withMatrix({ fire: { North: { mt: 3, mc: 'north' } } }, { operator_channel: own })
    )
    renameSync(folder, `${folder}-pulled`)
    await s.run(3600)
    t.same(
      s.onAir().map((text) => text.split(' ')[0]),
      expected
    )
    renameSync(`${folder}-pulled`, folder)
    await s.run(120)
  }
})

t.test('a disk that fails again and again is told once in six hours, whatever restarts in between', async (t) => {
  const { s, folder } = await world(t)
  let now = s
  const texts: string[] = []
  for (let round = 0; round < 4; round++) {
    renameSync(folder, `${folder}-pulled`)
    await now.run(120)
    renameSync(`${folder}-pulled`, folder)
    await now.run(600)
    texts.push(...told(now))
    now = await now.restart()
  }
  t.same(
    texts.map((text) => /disk|folder gone|again/.exec(text)?.[0]),
    ['folder gone', 'again', 'folder gone', 'again'],
    'by each radio once, and that it works again'
  )
  await now.run(6 * 3600)
  renameSync(folder, `${folder}-pulled`)
  await now.run(120)
  t.equal(told(now).length, 2)
  renameSync(`${folder}-pulled`, folder)
  await now.run(120)
})

t.test('its airtime is counted, and at 1970 it says that the time is not known', async (t) => {
  const folder = join(t.testdir({ data: {} }), 'data')
  const clock = new VirtualClock(9000)
  const s = await station(t, {
    config: CONFIG,
    databasePath: join(folder, 'lookout.db'),
    onError: () => undefined,
    clock
  })
  renameSync(folder, `${folder}-pulled`)
  await s.run(120)
  t.match(told(s), [/\(time unknown\)$/, /\(time unknown\)$/])
  for (const { airtime } of s.core.radioStatus()) t.ok(airtime.used_seconds > 0)
  renameSync(`${folder}-pulled`, folder)
  await s.run(120)
})

t.test('with nowhere to go, or with notifications off, nobody is told', async (t) => {
  for (const more of [
    { operator_channel: { fallback: 'nowhere' } },
    { enabled: false, operator_channel: { mt: 5, mc: 'ops' } }
  ]) {
    const { s, folder } = await world(t, withMatrix({ fire: { North: { mt: 3, mc: 'north' } } }, more))
    mkdirSync(`${folder}-other`)
    renameSync(folder, `${folder}-pulled`)
    await s.run(600)
    t.same(s.onAir(), [])
    renameSync(`${folder}-pulled`, folder)
    await s.run(120)
  }
})
