import { join } from 'node:path'
import t from 'tap'
import { gravityOf, hasRisen } from '../../../src/model/gravity.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { saidSteps } from '../../../src/warning/routing/said-trace.ts'
import { seeded } from '../../faults/storm-events.ts'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

/** docs/interface.md §4 rule 4: a cooldown defers, it never loses. */

const CELLS = { fire: { North: { mt: 3 } }, weather: { North: { mt: 3 } }, seismic: { North: { mt: 3 } } }
const config = withMatrix(CELLS)
const quake = (id: string, magnitude: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  family: 'seismic',
  category: 'earthquake_event',
  severity: 'priority',
  title: `M ${magnitude} quake ${id}`,
  data: { magnitude, event_name: 'Earthquake' },
  ...more
})
const states = (s: Station): string[] =>
  s.deliveries({ merged: true }).map(({ event_ids, state, reason, path }) => {
    const name = path === 'digest' ? `[${event_ids.join(' ')}]` : event_ids.join(' ')
    return `${name} ${state}${state === 'held' || state === 'expired' || state === 'suppressed' ? ` ${reason}` : ''}`
  })
const texts = (s: Station): string[] => s.mt.airLog.map(({ text }) => text)

t.test('what a cooldown meets is held until it ends, then leaves; those of one channel become one text', async (t) => {
  const s = await station(t, { config })
  await s.post({ id: 'a', severity: 'priority', title: 'Fire at Adams' })
  await s.run(60)
  for (const [id, title] of [
    ['b', 'Fire at Baker'],
    ['c', 'Fire at Clark']
  ]) {
    const { decision } = await s.post({ id, severity: 'priority', title })
    t.match(decision, { kind: 'send', reason: 'cooldown', sends: [{ hold: { reason: 'cooldown' } }] })
    t.match(
      saidSteps(decision?.trace ?? []).find(({ stage }) => stage === 'cooldown'),
      {
        outcome: 'note',
        reason: 'cooldown',
        detail: /^held until 2026-06-01T18:05/
      }
    )
  }
  await s.run(200)
  t.same(states(s), ['a heard', 'b held cooldown', 'c held cooldown'])
  t.equal(texts(s).length, 1)
  await s.run(60)
  t.same(states(s), ['a heard', 'b merged', 'c merged', '[b c] heard'])
  t.equal(texts(s).length, 2)
  t.match(texts(s)[1], /^ALSO: .*Baker.*; .*Clark/)
  t.equal((await s.post({ id: 'd', severity: 'priority' })).decision?.reason, 'cooldown', 'the text arms it anew')
  await s.run(600)
  t.same(states(s).slice(-1), ['d heard'], 'alone, it leaves in its own words')
  t.notMatch(texts(s).at(-1), /ALSO/)
})

t.test('what is over when its cooldown ends is recorded as expired', async (t) => {
  const s = await station(t, { config })
  await s.post({ id: 'a', severity: 'priority' })
  await s.run(30)
  const short = new Date(s.clock.now() + 120_000).toISOString()
  await s.post({ id: 'b', severity: 'priority', expires: short })
  await s.post({ id: 'c', severity: 'priority', expires: new Date(s.clock.now() + 3_600_000).toISOString() })
  await s.run(400)
  t.same(states(s), ['a heard', 'b expired ended_held', 'c heard'])
})

t.test('a cooldown longer than a queue keeps what waits for its end', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS, { toggles: { fire: { cooldown_seconds: 7200 } } }) })
  await s.post({ id: 'a', severity: 'routine' })
  await s.run(30)
  await s.post({ id: 'b', severity: 'routine' })
  await s.run(7300)
  t.same(states(s), ['a heard', 'b heard'])
})

t.test('a rise of severity passes, of the same thread and of another', async (t) => {
  const s = await station(t, { config })
  await s.post({ id: 'a', severity: 'routine' })
  await s.run(30)
  t.equal((await s.post({ id: 'b', severity: 'routine' })).decision?.reason, 'cooldown')
  t.equal((await s.post({ id: 'c', severity: 'priority' })).decision?.reason, 'planned', 'graver than what armed it')
  await s.run(30)
  t.equal((await s.post({ id: 'd', severity: 'priority' })).decision?.reason, 'cooldown', 'and now that is the measure')
  t.equal((await s.post({ id: 'e', severity: 'critical' })).decision?.reason, 'planned')
  const raised = await s.post({ id: 'b', revision: '2', severity: 'priority', title: 'b has grown' })
  t.same(raised.decision?.sends[0]?.hold, undefined, 'of what is held')
  await s.run(30)
  t.ok(texts(s).some((text) => /b has grown/i.test(text)))
  t.same(states(s).slice(1), ['b heard', 'c heard', 'd held cooldown', 'e heard', 'b merged'])
})

t.test('a main shock passes the cooldown of its foreshock, an aftershock does not', async (t) => {
  const s = await station(t, { config })
  await s.post(quake('fore', 3.6))
  await s.run(10)
  t.equal((await s.post(quake('same', 3.9))).decision?.reason, 'cooldown', 'less than its step')
  t.equal((await s.post(quake('main', 5.9))).decision?.reason, 'planned')
  await s.run(10)
  t.equal((await s.post(quake('after', 5.4))).decision?.reason, 'cooldown')
  await s.run(600)
  t.same(
    states(s).filter((state) => !/heard|merged/.test(state)),
    []
  )
  t.match(texts(s).join('\n'), /5\.9(.|\n)*ALSO:(.|\n)*5\.4/)
})

t.test('every family says what its measure is, and its step', async (t) => {
  const of = (family: string, category: string, data: Record<string, unknown>) => ({ family, category, data })
  const table: [string, string, Record<string, unknown>, number, Record<string, unknown>, Record<string, unknown>][] = [
    ['seismic', 'earthquake_event', { magnitude: 4 }, 4, { magnitude: 4.4 }, { magnitude: 4.5 }],
    ['seismic', 'stream_flood_warning', { stage: 'minor' }, 2, { stage: 'minor' }, { stage: 'moderate' }],
    ['fire', 'wildfire_incident', { acres: 100 }, 100, { acres: 199 }, { acres: 200 }],
    ['fire', 'wildfire_declared', { hectares: 1000 }, 2471, { hectares: 1500 }, { hectares: 2200 }],
    ['fire', 'wildfire_hotspot', { frp_mw: 10 }, 10, { frp_mw: 12 }, { frp_mw: 20 }],
    ['rf_propagation', 'geomagnetic_storm', { scale: 'G2' }, 2, { scale: 'G2' }, { scale: 'G3' }],
    ['avalanche', 'avalanche_warning', { danger_level: 4 }, 4, { danger_level: 4 }, { danger_level: 5 }],
    ['weather', 'weather_tropical_warning', { gravity: 1 }, 1, { gravity: 1 }, { gravity: 2 }],
    ['seismic', 'earthquake_event', { gravity: 4, magnitude: 9 }, 4, { magnitude: 4.1 }, { gravity: 5 }]
  ]
  for (const [family, category, first, gravity, less, more] of table) {
    const name = `${category} ${JSON.stringify(first)}`
    t.equal(gravityOf(of(family, category, first)), gravity, name)
    t.notOk(hasRisen(of(family, category, less), gravity), name)
    t.ok(hasRisen(of(family, category, more), gravity), name)
  }
  for (const data of [{}, { magnitude: Number.NaN }, { magnitude: '5' }])
    t.equal(gravityOf(of('seismic', 'earthquake_event', data)), null)
  t.equal(gravityOf(of('seismic', 'stream_flow', { stage: 4.2 })), null, 'a height has no steps')
  t.notOk(hasRisen(of('seismic', 'earthquake_event', { magnitude: 9 }), null), 'nothing to compare with')
})

t.test('what a thread says anew where it was told passes; of a thread that is held it joins', async (t) => {
  const s = await station(t, { config })
  await s.post({ id: 'a', severity: 'priority', title: 'Flood Warning Big Wood' })
  await s.run(30)
  await s.post({ id: 'b', severity: 'priority', title: 'Flood Warning Camas' })
  t.equal(
    (await s.post({ id: 'a', revision: '2', severity: 'priority', title: 'Dam may fail' })).decision?.reason,
    'planned'
  )
  t.equal(
    (await s.post({ id: 'b', revision: '2', severity: 'priority', title: 'Camas rises' })).decision?.reason,
    'cooldown'
  )
  await s.run(30)
  t.match(texts(s).at(-1), /Dam may fail/i)
  await s.run(600)
  t.same(
    states(s),
    ['a heard', 'b b heard', 'a heard', 'b merged'].map((row) => row.replace('b b', 'b'))
  )
  t.match(texts(s).at(-1), /Camas rises/i)
})

t.test('a cancel of what was told passes, and what is held is withdrawn by its cancel', async (t) => {
  const s = await station(t, { config })
  await s.post({ id: 'a', severity: 'priority' })
  await s.run(30)
  await s.post({ id: 'b', severity: 'priority' })
  t.match((await s.post({ id: 'a', revision: '2', lifecycle: 'cancel' })).decision, { kind: 'send' })
  t.match((await s.post({ id: 'b', revision: '2', lifecycle: 'cancel' })).decision, { reason: 'nothing_to_cancel' })
  await s.run(600)
  t.same(states(s), ['a heard', 'b suppressed cancelled', 'a heard'])
})

t.test('what is held survives a restart, and a clock that is set back', async (t) => {
  const databasePath = join(t.testdir(), 'lookout.db')
  const first = await station(t, { config, databasePath })
  await first.post(quake('fore', 3.6))
  await first.run(30)
  await first.post(quake('b', 3.7))
  const second = await first.restart()
  t.equal((await second.post(quake('main', 5.9))).decision?.reason, 'planned', 'how grave it was is remembered')
  t.equal((await second.post(quake('c', 5.8))).decision?.reason, 'planned', 'asked before the first has left')
  await second.run(400)
  t.ok(second.onAir().some((text) => /3\.7/.test(text)))
  await second.post(quake('d', 4))
  const back = await second.restart({ clock: new VirtualClock(START - 5 * 3_600_000) })
  await back.run(90)
  t.match(back.onAir(), [/4\.0/], 'it does not wait five hours')
})

t.test('quiet hours, a silence, a matrix or notifications switched off count for what is held', async (t) => {
  const held = async (more: Record<string, unknown>) => {
    const s = await station(t, { config })
    await s.post({ id: 'a', severity: 'priority' })
    await s.run(30)
    await s.post({ id: 'b', severity: 'priority' })
    s.setConfig(withMatrix(CELLS, more))
    return s
  }
  const night = await held({ quiet_hours: { enabled: true, start: '18:02', end: '19:00' } })
  await night.run(400)
  t.same(states(night), ['a heard', 'b held quiet_hours'])
  await night.run(3600)
  t.same(states(night), ['a heard', 'b heard'])

  const silent = await held({})
  const by = { author: 'op', reason: 'drill', includesImmediate: false, until: START + 7_200_000 }
  silent.core.reactions.silences.add({ ...by, family: 'fire', region: null, threadId: null, from: START })
  await silent.run(400)
  t.same(states(silent), ['a heard', 'b suppressed silenced'])

  const off = await held({ region_routes: { enabled: false, cells: CELLS } })
  await off.run(400)
  t.same(states(off), ['a heard', 'b suppressed matrix_off'])

  const unheard = await held({ region_routes: { enabled: true, mt_enabled: false, cells: CELLS } })
  await unheard.run(400)
  t.same(states(unheard), ['a heard', 'b suppressed network_off'])

  const mute = await held({ enabled: false })
  await mute.run(400)
  t.same(states(mute), ['a heard', 'b held cooldown'])
  mute.setConfig(config)
  await mute.run(60)
  t.same(states(mute), ['a heard', 'b heard'])
})

t.test('what finds no room in one text waits for the next cooldown, and none is lost', async (t) => {
  const s = await station(t, { config })
  await s.post({ id: 'first', severity: 'priority' })
  await s.run(10)
  const names = Array.from({ length: 12 }, (_, index) => `Creek number ${index} at the long meadow`)
  for (const [index, name] of names.entries())
    await s.post({ id: `f${index}`, severity: index === 11 ? 'priority' : 'routine', title: `${name} burns` })
  await s.run(320)
  t.equal(texts(s).length, 2)
  t.match(texts(s)[1], /^ALSO: .*number 11/i, 'the gravest first')
  t.notMatch(texts(s)[1], /\+\d/, 'it names everything it stands for')
  await s.run(3600)
  const all = texts(s).join('\n')
  for (const index of names.keys()) t.match(all, new RegExp(`number ${index} at`, 'i'))
  t.ok(texts(s).length < 9, `${texts(s).length} texts`)
})

t.test('what stands in for a held message waits with it, and takes over when that does not get through', async (t) => {
  const cells = { fire: { North: { mt: 3, mc: 'n', fallback: true } } }
  const s = await station(t, { config: withMatrix(cells) })
  await s.post({ id: 'a', severity: 'priority' })
  await s.run(60)
  const before = s.onAir().length
  await s.post({ id: 'b', severity: 'priority' })
  await s.run(120)
  t.equal(s.onAir().length, before, 'nobody takes over for what is only held')
  const [primary, other] = s.mc.sentCount > 0 ? [s.mc, s.mt] : [s.mt, s.mc]
  primary.setFault({ down: true })
  await s.run(600)
  t.match(other.airLog.at(-1)?.text, /VIA M[TC] .*event b/i)
})

t.test('a stream of routine and priority events: each is told, joined, over, or known', async (t) => {
  for (const seed of [1, 2, 3, 4]) {
    const random = seeded(seed)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const cells = {
      fire: { North: { mt: 3, mc: 'n' }, East: { mt: 3 } },
      seismic: { North: { mt: 4 }, East: { mc: 'e' } },
      weather: { North: { mt: 3 }, East: { mt: 3, min_severity: 'priority' } }
    }
    const toggles = { fire: { cooldown_seconds: 120 }, seismic: {}, weather: { cooldown_seconds: 600 } }
    let s = await station(t, {
      config: withMatrix(cells, { coalesce_seconds: pick([0, 20]), toggles }),
      databasePath: join(t.testdir(), `lookout${seed}.db`)
    })
    const accepted: { id: string; kind: string; reason: string; ends: number | null }[] = []
    for (let n = 0; n < 120; n++) {
      const [family, category] = pick([
        ['fire', 'wildfire_declared'],
        ['seismic', 'earthquake_event'],
        ['weather', 'weather_flood_warning'],
        ['weather', 'weather_winter_warning']
      ] as const)
      const id = pick([`n${n}`, `n${n}`, `n${n}`, `n${Math.max(0, n - 3)}`])
      const minutes = pick([null, 4, 30, 300])
      const { decision, duplicate } = await s.post({
        id,
        revision: pick(['', `${n}`]),
        family,
        category,
        severity: pick(['routine', 'priority']),
        title: `Event ${n}`,
        regions: pick([['North'], ['East'], ['North', 'East']]),
        expires: minutes === null ? null : new Date(s.clock.now() + minutes * 60_000).toISOString(),
        data: { magnitude: 3 + Math.floor(random() * 30) / 10 }
      })
      const ends = minutes === null ? null : s.clock.now() + minutes * 60_000
      if (!duplicate) accepted.push({ id, kind: decision?.kind ?? '', reason: decision?.reason ?? '', ends })
      await s.run(pick([0, 1, 5, 40, 90]))
      if (n === 60) s = await s.restart()
    }
    await s.run(5 * 3600)
    const rows = s.deliveries({ merged: true })
    for (const { state, reason, event_ids } of rows) {
      const fine = ['sent', 'heard', 'unconfirmed', 'merged'].includes(state)
      t.ok(fine || (state === 'expired' && reason === 'ended_held'), `${seed}: ${event_ids} ${state} ${reason}`)
    }
    for (const { id, kind, reason } of accepted) {
      const stopped = kind !== 'send' && ['duplicate', 'below_min_severity', 'superseded'].includes(reason)
      t.ok(stopped || rows.some(({ event_ids }) => event_ids.includes(id)), `${seed}: ${id} ${kind} ${reason}`)
    }
    // Each row that was over says so truly.
    for (const row of rows.filter(({ state }) => state === 'expired'))
      t.ok(
        accepted.some(({ id, ends }) => row.event_ids.includes(id) && ends !== null && ends < s.clock.now()),
        `${seed}: ${row.event_ids}`
      )
    t.ok(rows.some(({ path }) => path === 'digest') || s.onAir().length > 0)
  }
})
