import t from 'tap'
import { station, withMatrix } from '../helpers/station.ts'

const CELLS = {
  weather: { North: { mt: 1, mc: 'both' }, South: { mt: 2, mc: 'both' } },
  fire: { North: { mt: 3, mc: null } }
}
const WATCH = { family: 'weather', severity: 'critical', thread_id: 'T', expires: '2026-06-01T23:00:00Z' }

t.test(
  'one message about two counties may end for one: the channel of the other region hears nothing of it',
  async (t) => {
    const s = await station(t, { config: withMatrix(CELLS) })
    await s.post({ ...WATCH, id: 'new', regions: ['North', 'South'], zones: ['IDZ001', 'IDZ002'] })
    await s.run(30)
    const partly = await s.post({ ...WATCH, id: 'end-1', lifecycle: 'cancel', regions: ['South'], zones: ['IDZ002'] })
    await s.run(30)
    t.equal(partly.decision?.kind, 'send')
    const cancels = (): unknown[] =>
      s
        .deliveries()
        .filter(({ kind }) => kind === 'cancel')
        .map(({ channel, regions }) => [channel, regions])
    t.strictSame(cancels(), [
      ['both', ['South']],
      [2, ['South']]
    ])
    await s.post({ ...WATCH, id: 'end-2', lifecycle: 'cancel', regions: ['North'], zones: ['IDZ001'] })
    await s.run(30)
    t.strictSame(cancels().slice(2), [
      [1, ['North']],
      ['both', ['North']]
    ])
  }
)

t.test('a CAP Cancel that names only the message it ends says what that was', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  const told = { title: 'Dam failure at Lake X', data: { event_name: 'Dam failure', places: ['Lake X'] } }
  await s.post({ ...WATCH, ...told, id: 'new', regions: ['North'] })
  await s.run(30)
  await s.post({ ...WATCH, id: 'end', title: 'Alert', lifecycle: 'cancel', regions: [], data: { cap: {}, places: [] } })
  await s.run(30)
  const ends = s.onAir().filter((text) => text.includes('CANCEL'))
  t.equal(ends.length, 2)
  t.ok(
    ends.every((text) => /CANCEL DAM FAILURE North, Lake X/.test(text)),
    ends.join()
  )
})

t.test('an end that expires as it is sent is told all the same, whatever its level', async (t) => {
  for (const severity of ['routine', 'critical', 'immediate']) {
    const s = await station(t, { config: withMatrix(CELLS) })
    await s.post({ ...WATCH, id: 'new', regions: ['North'] })
    await s.run(30)
    const expires = new Date(s.clock.now()).toISOString()
    await s.post({ ...WATCH, id: 'end', lifecycle: 'cancel', regions: ['North'], severity, expires })
    await s.run(30)
    t.equal(s.onAir().filter((text) => text.includes('CANCEL')).length, 2, severity)
  }
})

t.test('a cancel of all that was told counts even when its region has another name by now', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  await s.post({ ...WATCH, id: 'new', regions: ['North'], zones: ['IDZ001'] })
  await s.run(30)
  await s.post({ ...WATCH, id: 'end', lifecycle: 'cancel', regions: ['Northern'], zones: ['IDZ001', 'IDZ002'] })
  await s.run(30)
  t.strictSame(
    s.deliveries().map(({ kind, channel }) => [kind, channel]),
    [
      ['new', 1],
      ['new', 'both'],
      ['cancel', 1],
      ['cancel', 'both']
    ]
  )
})
