import t from 'tap'
import type { Accepted } from '../../../src/warning/routing/accepted.ts'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

const CELLS = { weather: { North: { mt: 1, mc: null }, South: { mt: 2, mc: null } } }
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString()
const outcome = ({ decision }: Accepted): string => `${decision?.kind} ${decision?.reason}`
const config = (more: Record<string, unknown> = {}, cells: unknown = CELLS) =>
  withMatrix(cells, { toggles: { weather: { cooldown_seconds: 0 } }, ...more })
const alert = (name: string, severity: string, more: Record<string, unknown> = {}) => ({
  id: name,
  family: 'weather',
  severity,
  title: name,
  expires: at(120),
  data: { event_name: name },
  ...more
})
const box = (west: number, south: number, size: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south]
    ]
  ]
})
const held = (s: Station): string[] =>
  s
    .deliveries()
    .filter(({ state }) => state === 'held')
    .map(({ reason, event_ids }) => `${event_ids.join('+')} ${reason}`)

t.test('a warning mutes its watch only where it holds: each of the zones, or the whole of its shape', async (t) => {
  const warnings: [string, Record<string, unknown>, Record<string, unknown>, boolean][] = [
    ['all zones', { zones: ['IDC001', 'IDC003'] }, { zones: ['IDC003', 'IDC001'] }, true],
    ['one of two zones', { zones: ['IDC001'] }, { zones: ['IDC003', 'IDC001'] }, false],
    ['the whole state', { zones: ['IDC000'] }, { zones: ['IDC003', 'IDC001'] }, true],
    ['the shape', { geometry: box(-115, 43, 1) }, { geometry: box(-114.8, 43.2, 0.5) }, true],
    ['a corner of the shape', { geometry: box(-115, 43, 1) }, { geometry: box(-114.2, 43.2, 0.5) }, false],
    ['a shape in the county', { zones: ['IDC001'], geometry: box(-115, 43, 1) }, { zones: ['IDC001'] }, false],
    ['the county of the shape', { zones: ['IDC001'] }, { zones: ['IDC001'], geometry: box(-115, 43, 1) }, true],
    ['no place of its own', {}, { zones: ['IDC001'] }, true]
  ]
  for (const [name, warning, watch, muted] of warnings) {
    const s = await station(t, { config: config() })
    await s.post(alert('Flood Warning', 'priority', warning))
    await s.run(30)
    const answer = await s.post(alert('Flood Watch', 'priority', watch))
    t.equal(outcome(answer), muted ? 'suppressed inhibited' : 'send planned', name)
    t.strictSame(held(s), muted ? ['Flood Watch inhibited'] : [], name)
  }
})

t.test('a watch over two regions is told where no warning holds, though one holds in the other', async (t) => {
  const areas = [
    { name: 'North', codes: ['IDC001'] },
    { name: 'South', codes: ['IDC005'] }
  ]
  const cells = { weather: { North: { mt: 1, mc: null }, South: { mt: 1, mc: null } } }
  for (const [name, routes, sent] of [
    ['on two channels', CELLS, [/^mt:1 FL\S* WARN North/, /^mt:2 FL\S* WATCH South/, /^mt:1 FL\S* WATCH North/]],
    ['on one', cells, [/^mt:1 FL\S* WARN North/, /^mt:1 FL\S* WATCH South/, /^mt:1 FL\S* WATCH UPD North/]]
  ] as const) {
    const s = await station(t, { config: { ...config({}, routes), coverage: { region_tagging: true, areas } } })
    const texts = (): string[] => [...s.mt.airLog].map(({ channel, text }) => `mt:${channel} ${text}`)
    const warning = alert('Flood Warning', 'priority', { zones: ['IDC001'], regions: [], thread_id: 'W' })
    await s.post(warning)
    await s.run(30)
    await s.post(alert('Flood Watch', 'priority', { zones: ['IDC001', 'IDC005', 'IDC077'], regions: [] }))
    await s.run(30)
    t.match(texts(), sent.slice(0, 2), name)
    t.equal(texts().length, 2, name)
    // A repeat brings nothing out of its hold.
    await s.post(
      alert('Flood Watch', 'priority', {
        id: 'r',
        thread_id: 'test:Flood Watch',
        zones: ['IDC001', 'IDC005'],
        regions: []
      })
    )
    await s.run(60)
    t.equal(texts().length, 2, name)
    await s.post({ ...warning, id: 'end', lifecycle: 'expire' })
    await s.run(60)
    t.match(texts(), sent, name)
    t.equal(texts().length, 3, name)
  }
})

t.test(
  'a warning that ends before its watch does not mute it; one that says nothing on a channel mutes nothing there',
  async (t) => {
    const s = await station(t, { config: config() })
    await s.post(alert('Flood Warning', 'priority', { expires: at(60) }))
    await s.run(30)
    t.equal(outcome(await s.post(alert('Flood Watch', 'priority'))), 'send planned')
    t.equal(outcome(await s.post(alert('Flood Advisory', 'routine', { expires: null }))), 'send planned')
    t.equal(
      outcome(await s.post(alert('Flood Advisory', 'routine', { id: 'x', expires: at(50) }))),
      'suppressed inhibited'
    )
    s.setConfig(config({}, { weather: { North: { mt: 5, mc: null } } }))
    t.equal(outcome(await s.post(alert('Flood Advisory', 'routine', { id: 'y', expires: at(50) }))), 'send planned')
  }
)

t.test('an extension, and another change, of a watch that was told passes while its warning holds', async (t) => {
  const s = await station(t, { config: config() })
  const zones = ['FLC067', 'FLC123']
  const watch = alert('Tornado Watch', 'critical', { thread_id: 'A', zones, expires: at(60) })
  await s.post(watch)
  await s.run(30)
  await s.post(alert('Tornado Warning', 'immediate', { zones: ['FLC067', 'FLC123'], expires: at(300) }))
  await s.run(30)
  await s.post({ ...watch, id: 'ext', lifecycle: 'update', expires: at(120) })
  await s.run(30)
  t.equal(s.onAir().length, 3)
  t.match(s.onAir()[2], /WATCH UPD/)
  await s.post({ ...watch, id: 'more', lifecycle: 'update', expires: at(120), zones: [...zones, 'FLC121'] })
  await s.post({ ...watch, id: 'south', lifecycle: 'update', expires: at(120), regions: ['North', 'South'] })
  await s.run(30)
  t.match(s.onAir().at(-1), /^mt:2 .*South/)
})

t.test('a channel that got the beginning gets the end', async (t) => {
  const s = await station(t, { config: config() })
  const watch = alert('Flood Watch', 'priority', { thread_id: 'A', zones: ['IDC001'] })
  await s.post(watch)
  await s.run(30)
  await s.post(alert('Flood Warning', 'priority', { zones: ['IDC001'] }))
  await s.run(30)
  await s.post({ ...watch, id: 'end', lifecycle: 'cancel' })
  await s.run(30)
  t.match(s.onAir().at(-1), /CANCEL/)
})

t.test(
  'what inhibition held is told when the graver message ends while it still goes on, over a restart too',
  async (t) => {
    for (const end of ['cancel', 'expire', 'update'] as const) {
      const s = await station(t, { config: config(), databasePath: `${t.testdir()}/lookout.db` })
      const warning = alert('Flood Warning', 'priority', { thread_id: 'W', zones: ['IDC001'] })
      await s.post(warning)
      await s.run(30)
      await s.post(alert('Flood Watch', 'priority', { zones: ['IDC001'] }))
      await s.run(30)
      t.equal(s.onAir().length, 1, end)
      const next = await s.restart()
      await next.run(600)
      t.equal(next.onAir().length, 0, `${end}: it is still said by the warning`)
      await next.post({ ...warning, id: 'end', lifecycle: end, ...(end === 'update' ? { expires: at(30) } : {}) })
      await next.run(40 * 60)
      t.match(next.onAir().at(-1), /FL\S* WATCH/, end)
      t.strictSame(held(next), [], end)
    }
  }
)

t.test('what is over, cancelled or silenced by then is not told', async (t) => {
  for (const how of ['over', 'cancelled', 'silenced'] as const) {
    const s = await station(t, { config: config() })
    const warning = alert('Flood Warning', 'priority', { thread_id: 'W' })
    const watch = alert('Flood Watch', 'priority', { thread_id: 'A', expires: at(30) })
    await s.post(warning)
    await s.run(30)
    await s.post(watch)
    if (how === 'over') await s.run(31 * 60)
    if (how === 'cancelled') await s.post({ ...watch, id: 'end', lifecycle: 'cancel' })
    const silence = { family: 'weather', region: null, threadId: null, includesImmediate: false }
    if (how === 'silenced')
      s.core.reactions.silences.add({
        ...silence,
        author: 'x',
        reason: '',
        from: s.clock.now(),
        until: START + 3_600_000
      })
    await s.run(60)
    await s.post({ ...warning, id: 'end of it', lifecycle: 'expire' })
    await s.run(60)
    t.equal(s.onAir().length, 1, how)
    t.strictSame(held(s), [], how)
  }
})

t.test('what was held for a warning waits on while the quiet hours last', async (t) => {
  const quiet_hours = { enabled: true, start: '18:10', end: '19:00', pass_severity: 'critical', families: [] }
  const s = await station(t, { config: { ...config({ quiet_hours }), station: { timezone: 'UTC' } } })
  const warning = alert('Flood Warning', 'priority', { thread_id: 'W' })
  await s.post(warning)
  await s.run(30)
  await s.post(alert('Flood Watch', 'priority'))
  await s.run(15 * 60)
  await s.post({ ...warning, id: 'end', lifecycle: 'expire' })
  await s.run(60)
  t.strictSame(held(s), ['Flood Watch quiet_hours'])
  await s.run(3600)
  t.match(s.onAir().at(-1), /WATCH/)
})

t.test('a warning that never left mutes nothing any more', async (t) => {
  const s = await station(t, { config: config() })
  s.mt.setFault({ down: true })
  const warning = alert('Flood Warning', 'priority', { expires: at(300) })
  await s.post(warning)
  await s.post(alert('Flood Watch', 'priority', { expires: at(290) }))
  t.strictSame(held(s), ['Flood Warning radio_down', 'Flood Watch inhibited'])
  await s.run(31 * 60)
  s.mt.setFault({ down: false })
  await s.run(120)
  t.match(s.onAir(), [/WATCH/])
})
