import t from 'tap'
import { station, withMatrix } from '../../helpers/station.ts'

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

t.test(
  'once an end was told, what it ended is not said again: neither unheard, nor unknown, nor refused',
  async (t) => {
    const cases = [
      ['nobody_heard', { neighbours: 0 }, {}, 'unconfirmed'],
      ['resend', {}, { silentNext: 'on-air' }, 'sent_unknown'],
      ['no_interface', {}, { refuseNext: { code: 'NO_INTERFACE', retry: true } }, 'suppressed']
    ] as const
    for (const [reason, options, fault, state] of cases) {
      const s = await station(t, { config: withMatrix({ fire: { North: { mt: 3 } } }), ...options })
      s.mt.setFault(fault)
      await s.post({ id: 'a', severity: 'critical', title: 'Big fire' })
      for (let i = 0; i < 3000 && s.deliveries()[0]?.reason !== reason; i++) await s.run(0.1)
      t.match(s.deliveries(), [{ state: 'queued', reason }])
      const before = s.mt.sentCount
      await s.post({ id: 'a', revision: '2', lifecycle: 'cancel', severity: 'critical', title: 'Big fire' })
      await s.run(300)
      t.match(s.deliveries()[0], { state }, reason)
      const later = s.onAir().slice(before)
      t.notOk(
        later.some((text) => !text.includes('CANCEL')),
        `${reason}: ${later.join(' | ')}`
      )
    }
  }
)

t.test(
  'an end names the region its channel was told of, although it is placed more narrowly than its beginning',
  async (t) => {
    const s = await station(t, { config: withMatrix(CELLS) })
    const zones = ['IDC053', 'IDC083']
    await s.post({ ...WATCH, id: 'new', severity: 'immediate', regions: ['North', 'South'], zones })
    await s.run(30)
    await s.post({ ...WATCH, id: 'end', severity: 'routine', lifecycle: 'cancel', regions: ['South'], zones })
    await s.run(60)
    const ends = s.deliveries().filter(({ kind }) => kind === 'cancel')
    t.strictSame(
      ends.map(({ channel, regions }) => [channel, regions]),
      [
        [1, ['North']],
        ['both', ['North', 'South']],
        [2, ['South']]
      ]
    )
    for (const { text, regions } of ends) t.match(text, new RegExp(`CANCEL .*${regions.join('/')}`))
    // An event that begins again afterwards is news on every channel.
    await s.post({ ...WATCH, id: 'again', severity: 'immediate', regions: ['North', 'South'], zones })
    await s.run(60)
    t.strictSame(
      s
        .deliveries()
        .slice(6)
        .map(({ channel, kind }) => [channel, kind]),
      [
        [1, 'new'],
        ['both', 'new'],
        [2, 'new']
      ]
    )
  }
)

t.test('what ended county by county has ended where none of it was placed any more', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  await s.post({ ...WATCH, id: 'new', regions: ['North', 'South'], zones: ['IDC053', 'IDC083'] })
  await s.run(30)
  const end = { ...WATCH, lifecycle: 'cancel', regions: ['South'] }
  const heard = (): unknown[] =>
    s
      .deliveries()
      .filter(({ kind }) => kind === 'cancel')
      .map(({ channel, regions }) => [channel, regions])
  await s.post({ ...end, id: 'end-1', zones: ['IDC053'] })
  await s.run(60)
  const first = [
    ['both', ['South']],
    [2, ['South']]
  ]
  t.strictSame(heard(), first, 'it goes on in the other county, which may be the one in the North')
  await s.post({ ...end, id: 'end-2', zones: ['IDC083'] })
  await s.run(60)
  t.strictSame(heard().slice(2), [
    [1, ['North']],
    ['both', ['North', 'South']],
    [2, ['South']]
  ])
})

t.test('a warning that still waits is withdrawn with the last county of it, not sent after its end', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS), transmit: false })
  await s.post({ ...WATCH, id: 'new', regions: ['North'], zones: ['IDC053', 'IDC083'] })
  await s.post({ ...WATCH, id: 'end-1', lifecycle: 'cancel', regions: ['North'], zones: ['IDC053'] })
  t.match(s.deliveries(), [{ state: /queued|held/ }, { state: /queued|held/ }], 'the other county goes on')
  await s.post({ ...WATCH, id: 'end-2', lifecycle: 'cancel', regions: ['North'], zones: ['IDC083'] })
  t.match(s.deliveries(), [
    { kind: 'new', state: 'suppressed', reason: 'cancelled' },
    { kind: 'new', state: 'suppressed', reason: 'cancelled' }
  ])
})

t.test('an end of all of it says of nothing that it goes on, however it names the place', async (t) => {
  const codes = ['IDC053', 'IDC083']
  for (const [name, end] of [
    ['no place', { regions: [], zones: [] }],
    ['another region', { regions: ['South'], zones: codes }]
  ] as const) {
    const s = await station(t, { config: withMatrix(CELLS) })
    const named = (places: string[]) => ({ data: { event_name: 'Flood Warning', places } })
    await s.post({ ...WATCH, id: 'new', regions: ['North'], zones: codes, ...named(['Jerome, ID']) })
    await s.run(30)
    await s.post({ ...WATCH, ...end, id: 'end', lifecycle: 'cancel', ...named(['Jerome County']) })
    await s.run(60)
    const ends = s.onAir().filter((text) => text.includes('CANCEL'))
    t.equal(ends.length, 2, name)
    for (const text of ends) t.notMatch(text, /Still on/, name)
  }
})

t.test('an end that still waits is not said after its warning has come again', async (t) => {
  const config = withMatrix(CELLS, { coalesce_seconds: 30 })
  const zones = ['IDC053']
  const told = { ...WATCH, severity: 'immediate', regions: ['North'], zones }
  for (const [name, again] of [
    ['as it was', { id: 'new', revision: '2', title: 'event new' }],
    ['graver words', { id: 'again', title: 'event again', data: { material: 'more' } }]
  ] as const) {
    const s = await station(t, { config })
    await s.post({ ...told, id: 'new' })
    await s.run(30)
    await s.post({ ...told, id: 'end', lifecycle: 'cancel', severity: 'routine' })
    await s.run(5)
    await s.post({ ...told, ...again })
    await s.run(120)
    t.notOk(
      s.onAir().some((text) => text.includes('CANCEL')),
      name
    )
    t.match(
      s.deliveries().filter(({ kind }) => kind === 'cancel'),
      [
        { state: 'suppressed', reason: 'superseded' },
        { state: 'suppressed', reason: 'superseded' }
      ],
      name
    )
  }
  const s = await station(t, { config })
  await s.post({ ...told, id: 'new', zones: ['IDC053', 'IDC083'] })
  await s.run(30)
  await s.post({ ...told, id: 'end', lifecycle: 'cancel', severity: 'routine', zones: ['IDC053', 'IDC083'] })
  await s.run(5)
  await s.post({ ...told, id: 'again', zones })
  await s.run(120)
  t.equal(s.onAir().filter((text) => text.includes('CANCEL')).length, 2, 'the other county hears of its end')
})

t.test('what still waits for two regions is told in the one where it goes on', async (t) => {
  const areas = [
    { name: 'North', codes: ['IDC053'] },
    { name: 'South', codes: ['IDC083'] }
  ]
  const s = await station(t, { config: { ...withMatrix(CELLS), coverage: { region_tagging: true, areas } } })
  s.mc.setFault({ down: true })
  await s.post({ ...WATCH, id: 'new', regions: [], zones: ['IDC053', 'IDC083'] })
  await s.run(5)
  await s.post({ ...WATCH, id: 'end', lifecycle: 'cancel', regions: [], zones: ['IDC053'] })
  await s.run(5)
  s.mc.setFault({ down: false })
  await s.run(60)
  t.match(
    s.deliveries().map(({ channel, kind, regions }) => [channel, kind, regions]),
    [
      [1, 'new', ['North']],
      ['both', 'new', ['South']],
      [2, 'new', ['South']],
      [1, 'cancel', ['North']]
    ]
  )
})
