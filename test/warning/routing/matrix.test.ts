import t from 'tap'
import { station, withMatrix } from '../../helpers/station.ts'

/** The behaviours of the region matrix: contract §4, and the earlier system's test ideas in our terms. */

const both = { fire: { North: { mt: 3, mc: 'north-fire' } } }

t.test('a cell with both channels sends exactly two messages, to the given index and name', async (t) => {
  const s = await station(t, { config: withMatrix(both) })
  await s.post({ id: 'a' })
  await s.run(60)
  t.same(
    s
      .deliveries()
      .map(({ transport, channel, state }) => [
        transport,
        channel,
        state === 'heard' || state === 'sent' || state === 'unconfirmed'
      ]),
    [
      ['mt', 3, true],
      ['mc', 'north-fire', true]
    ]
  )
  t.equal(s.mt.sentCount, 1)
  t.equal(s.mc.sentCount, 1)
})

t.test("the cell's channel value survives down to the radio, channel 0 included", async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 0, mc: 'Nörd' } } }) })
  await s.post({ id: 'a' })
  await s.run(60)
  t.equal(s.mt.airLog[0]?.channel, 0)
  t.equal(s.mc.airLog[0]?.channel, 'Nörd')
})

t.test('a routine event passes a routine cell although the family floor is priority', async (t) => {
  const config = withMatrix(both, {
    toggles: { fire: { enabled: true, min_severity: 'priority', broadcast_channel: 7 } }
  })
  const s = await station(t, { config })
  await s.post({ id: 'a', severity: 'routine' })
  await s.run(60)
  t.same(
    s.deliveries().map(({ channel }) => channel),
    [3, 'north-fire'],
    'and a match never also sends the family default'
  )
})

t.test('a region without a cell uses the family default channel', async (t) => {
  const config = withMatrix(both, {
    toggles: {
      fire: {
        enabled: true,
        min_severity: 'routine',
        broadcast_channel: 7,
        severity_channels: { routine: ['mesh_broadcast'] }
      }
    }
  })
  const s = await station(t, { config })
  await s.post({ id: 'a', regions: ['South'] })
  await s.run(60)
  t.same(
    s.deliveries().map(({ channel }) => channel),
    [7]
  )
})

t.test('matrix off: the result is that of no matrix', async (t) => {
  const toggles = {
    fire: {
      enabled: true,
      min_severity: 'routine',
      broadcast_channel: 7,
      severity_channels: { routine: ['mesh_broadcast'] }
    }
  }
  for (const region_routes of [undefined, { enabled: false, cells: both }]) {
    const s = await station(t, { config: { notifications: { coalesce_seconds: 0, toggles, region_routes } } })
    await s.post({ id: 'a' })
    await s.run(60)
    t.same(
      s.deliveries().map(({ transport, channel }) => [transport, channel]),
      [['mt', 7]]
    )
  }
})

const reasonsOf = (trace: readonly { stage: string; reason: string; channel?: string }[] = []) =>
  trace.filter(({ stage }) => stage === 'matrix').map(({ reason, channel = '' }) => `${reason} ${channel}`.trim())

t.test(
  'off for one network, the matrix still decides alone: nothing goes there, by a cell or by a policy',
  async (t) => {
    const toggles = {
      fire: {
        enabled: true,
        broadcast_channel: 7,
        meshcore_channel: 'all',
        severity_channels: { immediate: ['mesh_broadcast', 'meshcore_broadcast'] }
      }
    }
    const routes = { enabled: true, mc_enabled: false, cells: both }
    const s = await station(t, { config: withMatrix(both, { toggles, region_routes: routes }) })
    const { decision } = await s.post({ id: 'a', severity: 'immediate' })
    t.same(reasonsOf(decision?.trace), ['cell', 'network_off mc:north-fire', 'authoritative'])
    await s.run(60)
    t.same(
      s.deliveries().map(({ transport, channel }) => [transport, channel]),
      [['mt', 3]]
    )
    const other = await s.post({ id: 'b', severity: 'immediate', regions: ['South'] })
    t.same(
      other.decision?.sends.map(({ channel }) => channel),
      [7, 'all'],
      'what no cell matches goes by the policy'
    )
  }
)

t.test('off for every network a cell names, nothing is sent, with that reason', async (t) => {
  const routes = { enabled: true, mt_enabled: false, mc_enabled: false, cells: both }
  const s = await station(t, { config: withMatrix(both, { region_routes: routes }) })
  const { decision } = await s.post({ id: 'a', severity: 'immediate' })
  t.match(decision, { kind: 'suppressed', reason: 'network_off', sends: [] })
  t.same(reasonsOf(decision?.trace), ['network_off mt:3', 'network_off mc:north-fire', 'authoritative'])
  t.same(s.deliveries(), [])
})

t.test('with its first network off, the one that stands in is told at once', async (t) => {
  const cells = { fire: { North: { mt: 3, mc: 'north-fire', fallback: true } } }
  const s = await station(t, {
    config: withMatrix(cells, { region_routes: { enabled: true, mt_enabled: false, cells } })
  })
  const { decision } = await s.post({ id: 'a' })
  t.equal(decision?.fallbacks, undefined)
  await s.run(60)
  t.same(
    s.deliveries().map(({ transport, state }) => [transport, state]),
    [['mc', 'heard']]
  )
  t.notMatch(s.onAir()[0], /VIA/, 'it stands in for nothing')
})

t.test('an end goes where the beginning went, also when the network was switched off meanwhile', async (t) => {
  const s = await station(t, { config: withMatrix(both) })
  await s.post({ id: 'a' })
  await s.run(60)
  s.setConfig(withMatrix(both, { region_routes: { enabled: true, mc_enabled: false, cells: both } }))
  await s.post({ id: 'a', revision: '2', lifecycle: 'cancel' })
  await s.run(60)
  t.same(
    s.deliveries().map(({ transport, kind }) => [transport, kind]),
    [
      ['mt', 'new'],
      ['mc', 'new'],
      ['mt', 'cancel'],
      ['mc', 'cancel']
    ]
  )
})

t.test('below the floor the cell is still authoritative: nothing is sent, with that reason', async (t) => {
  const cells = { fire: { North: { mt: 3, min_severity: 'critical' } } }
  const toggles = {
    fire: {
      enabled: true,
      min_severity: 'routine',
      broadcast_channel: 7,
      severity_channels: { routine: ['mesh_broadcast'] }
    }
  }
  const s = await station(t, { config: withMatrix(cells, { toggles }) })
  const { decision } = await s.post({ id: 'a' })
  t.equal(decision?.reason, 'below_min_severity')
  t.same(s.deliveries(), [])
})

t.test('a disabled cell sends nothing by the matrix and does not match', async (t) => {
  const cells = { fire: { North: { mt: 3, enabled: false } } }
  const toggles = {
    fire: {
      enabled: true,
      min_severity: 'routine',
      broadcast_channel: 7,
      severity_channels: { routine: ['mesh_broadcast'] }
    }
  }
  const s = await station(t, { config: withMatrix(cells, { toggles }) })
  const { decision } = await s.post({ id: 'a' })
  await s.run(60)
  t.same(
    s.deliveries().map(({ channel }) => channel),
    [7],
    'the non-matrix path applies'
  )
  t.ok(decision?.trace.some(({ reason }) => reason === 'cell_disabled'))
})

t.test(
  'a multi-region event sends once per distinct channel; a shared channel gets one message naming both',
  async (t) => {
    const cells = { fire: { North: { mt: 3, mc: 'n' }, East: { mt: 3, mc: 'e' } } }
    const s = await station(t, { config: withMatrix(cells) })
    await s.post({ id: 'a', regions: ['North', 'East'] })
    await s.run(60)
    t.same(
      s.deliveries().map(({ channel, regions }) => [channel, regions]),
      [
        [3, ['North', 'East']],
        ['n', ['North']],
        ['e', ['East']]
      ]
    )
    t.match(s.mt.airLog[0]?.text, /North.*East/)
  }
)

t.test('the same event twice: one send, and the repeat is known by its identity whatever its content', async (t) => {
  const s = await station(t, { config: withMatrix(both) })
  await s.post({ id: 'a' })
  const again = await s.post({ id: 'a', title: 'quite another text', severity: 'immediate' })
  await s.run(60)
  t.equal(again.duplicate, true)
  t.equal(s.mt.sentCount, 1)
})

t.test('the same id with a new revision is an update, sent as one', async (t) => {
  const s = await station(t, { config: withMatrix(both) })
  await s.post({ id: 'a', severity: 'critical' })
  await s.run(30)
  const { event } = await s.post({ id: 'a', revision: '2', severity: 'critical', title: 'it has grown' })
  await s.run(30)
  t.equal(event.lifecycle, 'update')
  t.same(
    s.deliveries().map(({ kind }) => kind),
    ['new', 'new', 'update', 'update']
  )
  t.match(s.mt.airLog[1]?.text, /UPD/)
})

t.test(
  'the cooldown of region A does not block region B, and both channels of one cell share the answer',
  async (t) => {
    const cells = { fire: { North: { mt: 3, mc: 'n' }, East: { mt: 4, mc: 'e' } } }
    const s = await station(t, { config: withMatrix(cells, { toggles: { fire: { cooldown_seconds: 300 } } }) })
    await s.post({ id: 'a' })
    await s.run(60)
    t.equal(s.mt.sentCount + s.mc.sentCount, 2, 'MC is not silenced by the success on MT')
    const held = await s.post({ id: 'b' })
    t.equal(held.decision?.reason, 'cooldown')
    await s.post({ id: 'c', regions: ['East'] })
    await s.run(60)
    t.same(
      s.deliveries().map(({ event_ids, state }) => `${event_ids[0]} ${state}`),
      ['a heard', 'a heard', 'b held', 'b held', 'c heard', 'c heard']
    )
    await s.run(600)
    await s.post({ id: 'd' })
    await s.run(60)
    t.equal(
      s.deliveries().filter(({ state }) => state === 'heard').length,
      8,
      'after its time the region is free again'
    )
  }
)

t.test('a channel is held for cooldown only when every region feeding it is cooling', async (t) => {
  const cells = { fire: { North: { mt: 3 }, East: { mt: 3 } } }
  const s = await station(t, { config: withMatrix(cells) })
  await s.post({ id: 'a' })
  await s.run(60)
  await s.post({ id: 'b', regions: ['North', 'East'] })
  await s.run(60)
  t.same(
    s.deliveries().map(({ event_ids, regions }) => [event_ids[0], regions]),
    [
      ['a', ['North']],
      ['b', ['North', 'East']]
    ]
  )
})

t.test('critical and immediate are never held by a cooldown, and 0 switches it off', async (t) => {
  const s = await station(t, { config: withMatrix(both) })
  await s.post({ id: 'a' })
  await s.run(60)
  for (const severity of ['critical', 'immediate']) {
    const { decision } = await s.post({ id: severity, severity })
    t.equal(decision?.kind, 'send', severity)
  }
  const off = await station(t, { config: withMatrix(both, { toggles: { fire: { cooldown_seconds: 0 } } }) })
  await off.post({ id: 'a' })
  await off.run(60)
  t.equal((await off.post({ id: 'b' })).decision?.kind, 'send')
})

t.test('an update that raises the severity bypasses the cooldown', async (t) => {
  const s = await station(t, { config: withMatrix(both) })
  await s.post({ id: 'a', severity: 'routine' })
  await s.run(60)
  const other = await s.post({ id: 'b', severity: 'routine' })
  t.equal(other.decision?.reason, 'cooldown')
  const changed = await s.post({ id: 'a', revision: '2', severity: 'routine', title: 'other words' })
  t.equal(changed.decision?.reason, 'planned', 'as does what is new of it where it was told')
  const raised = await s.post({ id: 'a', revision: '3', severity: 'priority', title: 'other words' })
  t.equal(raised.decision?.kind, 'send')
})

t.test('a cancel goes once, to the channels that carried the original and to no other', async (t) => {
  const cells = { fire: { North: { mt: 3, mc: 'n' }, East: { mt: 4, mc: 'e' } } }
  const s = await station(t, { config: withMatrix(cells) })
  await s.post({ id: 'a', thread_id: 'T', regions: ['North'] })
  await s.run(60)
  const cancel = await s.post({ id: 'b', thread_id: 'T', lifecycle: 'cancel', regions: ['North', 'East'] })
  await s.run(60)
  await s.post({ id: 'c', thread_id: 'T', lifecycle: 'cancel', regions: ['North', 'East'] })
  await s.run(60)
  t.equal(cancel.decision?.kind, 'send')
  t.same(
    s.deliveries().map(({ channel, kind }) => [channel, kind]),
    [
      [3, 'new'],
      ['n', 'new'],
      [3, 'cancel'],
      ['n', 'cancel']
    ]
  )
  t.match(s.mt.airLog[1]?.text, /^CANCEL/)
})

t.test('a cancel of something never sent says nothing; one of something that still waits takes it back', async (t) => {
  const s = await station(t, {
    config: { notifications: { coalesce_seconds: 20, region_routes: { enabled: true, cells: both } } }
  })
  const unknown = await s.post({ id: 'x', thread_id: 'U', lifecycle: 'cancel' })
  t.equal(unknown.decision?.reason, 'nothing_to_cancel')
  await s.post({ id: 'a', thread_id: 'T' })
  await s.post({ id: 'b', thread_id: 'T', lifecycle: 'cancel' })
  await s.run(60)
  t.equal(s.mt.sentCount + s.mc.sentCount, 0)
  t.same(
    s.deliveries().map(({ state, reason }) => [state, reason]),
    [
      ['suppressed', 'cancelled'],
      ['suppressed', 'cancelled']
    ]
  )
})

t.test('a warning issued again after its cancel is new', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 3 } } }) })
  await s.post({ id: 'a', thread_id: 'T', severity: 'critical' })
  await s.run(30)
  await s.post({ id: 'b', thread_id: 'T', lifecycle: 'cancel' })
  await s.run(30)
  await s.post({ id: 'c', thread_id: 'T', severity: 'critical' })
  await s.run(30)
  t.same(
    s.deliveries().map(({ kind }) => kind),
    ['new', 'cancel', 'new']
  )
})

t.test('the end by time is silent', async (t) => {
  const s = await station(t, { config: withMatrix(both) })
  await s.post({ id: 'a', thread_id: 'T' })
  await s.run(60)
  const { decision } = await s.post({ id: 'b', thread_id: 'T', lifecycle: 'expire' })
  t.equal(decision?.reason, 'ended_by_time')
  t.equal(s.deliveries().length, 2)
})

t.test(
  'staleness is measured from the source’s own time; in force from priority on it is never stale; over is over',
  async (t) => {
    const s = await station(t, { config: withMatrix({ ...both, weather: { North: { mt: 1 } } }) })
    const old = new Date(s.clock.now() - 3_600_000).toISOString()
    const later = new Date(s.clock.now() + 3_600_000).toISOString()
    const at = (id: string, more: Record<string, unknown>) => s.post({ id, family: 'weather', sent_at: old, ...more })
    t.equal((await at('a', { severity: 'priority' })).decision?.reason, 'stale')
    t.equal((await at('b', { severity: 'critical', expires: later })).decision?.kind, 'send')
    t.equal((await at('c', { severity: 'priority', expires: later })).decision?.kind, 'send')
    t.equal((await at('r', { severity: 'routine', expires: later })).decision?.reason, 'stale')
    t.equal((await at('d', { severity: 'immediate', expires: old })).decision?.reason, 'expired')
    t.equal((await at('e', { family: 'fire' })).decision?.kind, 'send', 'fire may be six hours old')
    s.setConfig(withMatrix({ weather: { North: { mt: 1 } } }, { toggles: { weather: { freshness_seconds: 0 } } }))
    t.equal((await at('f', { severity: 'priority' })).decision?.kind, 'send', '0 switches staleness off')
  }
)

t.test('cold start: recorded, not broadcast — except what is in force from priority on and was not sent', async (t) => {
  const s = await station(t, { config: withMatrix(both) })
  const later = new Date(s.clock.now() + 3_600_000).toISOString()
  const old = new Date(s.clock.now() - 3 * 3_600_000).toISOString()
  const cold = (event: Record<string, unknown>) => s.post(event, { coldStart: true })
  t.equal((await cold({ id: 'a', severity: 'priority', expires: later })).decision?.reason, 'summary')
  t.equal((await cold({ id: 'r', severity: 'routine', expires: later })).decision?.reason, 'cold_start')
  t.equal((await cold({ id: 'b', severity: 'critical', expires: later })).decision?.kind, 'send')
  t.equal((await cold({ id: 'c', severity: 'critical' })).decision?.reason, 'cold_start')
  t.equal((await cold({ id: 'd', severity: 'immediate', expires: later, sent_at: old })).decision?.reason, 'summary')
  t.equal((await s.post({ id: 'e' })).decision?.kind, 'send', 'pushed events have no cold start')
})

t.test('notifications off: recorded, nothing is sent, and the trace says why', async (t) => {
  const s = await station(t, {
    config: { notifications: { enabled: false, region_routes: { enabled: true, cells: both } } }
  })
  const { decision } = await s.post({ id: 'a', severity: 'immediate' })
  t.equal(decision?.reason, 'notifications_off')
  t.same(s.deliveries(), [])
})

t.test('toggles, rules and destinations share one guard chain: a channel named twice is told once', async (t) => {
  const notifications = {
    coalesce_seconds: 0,
    toggles: { fire: { enabled: true, min_severity: 'routine', destinations: ['a', 'nobody'] } },
    destinations: {
      a: { type: 'mesh_broadcast', broadcast_channel: 0 },
      b: { type: 'meshcore_broadcast', meshcore_channel: 'ops' }
    },
    rules: [
      { name: 'r', categories: [], destinations: ['a', 'b'] },
      { name: 'far', region_scope: ['South'], delivery_type: 'mesh_broadcast', broadcast_channel: 6 }
    ]
  }
  const s = await station(t, { config: { notifications } })
  const { decision } = await s.post({ id: 'x' })
  await s.run(60)
  t.same(
    s.deliveries().map(({ transport, channel }) => [transport, channel]),
    [
      ['mt', 0],
      ['mc', 'ops']
    ]
  )
  t.ok(
    decision?.trace.some(({ reason }) => reason === 'unknown_destination'),
    'an unknown name is told and never replaced by inline settings'
  )
})

t.test('a policy without a channel is told, not sent to channel 0', async (t) => {
  const toggles = {
    fire: {
      enabled: true,
      min_severity: 'routine',
      severity_channels: { routine: ['mesh_broadcast', 'meshcore_broadcast'] }
    }
  }
  const s = await station(t, { config: { notifications: { toggles } } })
  const { decision } = await s.post({ id: 'x' })
  t.equal(decision?.trace.filter(({ reason }) => reason === 'incomplete_destination').length, 2)
  t.same(s.deliveries(), [])
})

t.test('pieces of one event become one message naming the places; later ones only what is new', async (t) => {
  const cells = { weather: { North: { mt: 1 }, East: { mt: 1 }, South: { mt: 1 } } }
  const s = await station(t, {
    config: { notifications: { coalesce_seconds: 20, region_routes: { enabled: true, cells } } }
  })
  const piece = (id: string, regions: string[]) =>
    s.post({ id, family: 'weather', severity: 'priority', thread_id: 'T', regions, data: { material: 'm' } })
  await piece('a', ['North'])
  await s.run(5)
  await piece('b', ['East'])
  await s.run(40)
  t.equal(s.mt.sentCount, 1)
  t.match(s.mt.airLog[0]?.text, /North.*East/)
  const rows = s.deliveries({ merged: true })
  t.same(rows[0]?.event_ids, ['a', 'b'])
  t.match(rows[1], { state: 'merged', merged_into: rows[0]?.id })
  await piece('c', ['East'])
  await piece('d', ['South'])
  await s.run(40)
  t.equal(s.mt.sentCount, 2)
  t.match(s.deliveries().at(-1), { kind: 'update', regions: ['South'], event_ids: ['d'] })
  t.notMatch(s.mt.airLog[1]?.text, /North|East/)
})

t.test('the deadline of coalescing is fixed by the first piece; immediate does not wait at all', async (t) => {
  const cells = { weather: { North: { mt: 1 } } }
  const s = await station(t, {
    config: { notifications: { coalesce_seconds: 20, region_routes: { enabled: true, cells } } }
  })
  for (let at = 0; at < 20; at += 4) {
    await s.post({ id: `p${at}`, family: 'weather', thread_id: 'T' })
    await s.run(4)
  }
  await s.run(2)
  t.equal(s.mt.sentCount, 1, 'sent at its deadline although pieces kept coming')
  const before = s.clock.now()
  await s.post({ id: 'now', family: 'weather', severity: 'immediate' })
  await s.run(5)
  const sent = s.mt.airLog[1]
  t.ok(sent !== undefined && sent.at - before < 5000)
})

t.test('an event ends per county: what goes on next door stays, in the queue and on the channel', async (t) => {
  const cells = { weather: { Plains: { mt: 5 } } }
  const s = await station(t, {
    config: { notifications: { coalesce_seconds: 20, region_routes: { enabled: true, cells } } }
  })
  const piece = (id: string, zones: string[], lifecycle: string) =>
    s.post({
      id,
      family: 'weather',
      severity: 'priority',
      thread_id: 'V',
      regions: ['Plains'],
      zones,
      lifecycle,
      data: { material: 'm' }
    })
  await piece('exp', ['KSZ001'], 'expire')
  await piece('con', ['KSZ002', 'KSZ003'], 'update')
  await piece('exp2', ['KSZ004'], 'expire')
  await s.run(60)
  t.match(s.deliveries(), [{ event_ids: ['con'], kind: 'new', sent_at: String }])
  await piece('can1', ['KSZ009'], 'cancel')
  await s.run(60)
  t.equal(s.deliveries().length, 1, 'a county nobody was told about has no cancel')
  await piece('can2', ['KSZ002'], 'cancel')
  await piece('can3', ['KSZ003'], 'cancel')
  await s.run(60)
  t.match(s.deliveries()[1], { kind: 'cancel', event_ids: ['can2', 'can3'] }, 'pieces of one cancel are one message')
  await piece('can4', ['KSZ003'], 'cancel')
  await s.run(60)
  t.equal(s.deliveries().length, 2, 'and it is told once')
})
