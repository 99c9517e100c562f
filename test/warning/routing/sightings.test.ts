import t from 'tap'
import type { LookoutEvent } from '../../../src/model/event.ts'
import type { Accepted } from '../../../src/warning/routing/accepted.ts'
import { START, station, withMatrix } from '../../helpers/station.ts'

const CELLS = { weather: { North: { mt: 1, mc: null } }, emergency: { North: { mt: 2, mc: null } } }
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString()
const outcome = ({ decision }: Accepted): string => `${decision?.kind} ${decision?.reason}`
const named = (name: string, more: Partial<LookoutEvent['data']> = {}) => ({ event_name: name, ...more })
const box = (west: number, south: number, size = 0.3) => ({
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
/** The lower left half of a box: its bounding box is the whole of it. */
const triangle = (west: number, south: number, size: number, upper = false) => ({
  type: 'Polygon',
  coordinates: [
    upper
      ? [
          [west + size, south + size],
          [west + size, south + 0.02],
          [west + 0.02, south + size],
          [west + size, south + size]
        ]
      : [
          [west, south],
          [west + size, south],
          [west, south + size],
          [west, south]
        ]
  ]
})

const saying = (detail: string, event_name = 'Evacuation Immediate', more: Partial<LookoutEvent['data']> = {}) => ({
  title: detail,
  data: named(event_name, { instruction: detail, ...more })
})
const EVACUATION = {
  family: 'emergency',
  category: 'emergency_evacuation',
  severity: 'immediate',
  same: ['016013'],
  sent_at: at(0),
  expires: at(60),
  data: named('Evacuation Immediate')
}
const TORNADO = {
  severity: 'immediate',
  family: 'weather',
  zones: ['IDC013'],
  sent_at: at(0),
  expires: at(45),
  data: named('Tornado Warning')
}

t.test('two different immediate evacuations of two sources in one county are two: both are on the air', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  const first = { ...EVACUATION, source: 'ipaws', id: 'E1', ...saying('Leave Croy Creek now, go east') }
  const second = { ...EVACUATION, source: 'county', id: 'E2', ...saying('Leave Bellevue now, go south') }
  const one = await s.post(first)
  await s.run(6 * 60)
  const two = await s.post({ ...second, sent_at: at(6), expires: at(66) })
  await s.run(60)
  t.not(two.threadId, one.threadId)
  t.equal(outcome(two), 'send planned')
  t.match(s.onAir(), [/Croy Creek/, /Bellevue/])
})

t.test('at critical a shared county and close times make no copy; below it they do', async (t) => {
  for (const [severity, same] of [
    ['critical', false],
    ['priority', true]
  ] as const) {
    const s = await station(t, { config: withMatrix(CELLS, { toggles: { weather: { cooldown_seconds: 0 } } }) })
    const warning = { ...TORNADO, severity, data: named('Flood Warning') }
    const one = await s.post({ ...warning, source: 'nws', id: '1', title: 'Flood on the Big Wood River' })
    await s.run(30)
    const two = await s.post({ ...warning, source: 'county', id: '2', title: 'Flood on Camas Creek' })
    await s.run(30)
    t.equal(two.threadId === one.threadId, same, severity)
    t.equal(s.onAir().length, same ? 1 : 2, severity)
  }
})

t.test('a region in common is no copy: only codes and what is drawn are places', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS, { toggles: { weather: { cooldown_seconds: 0 } } }) })
  const warning = { ...TORNADO, severity: 'priority', data: named('Flood Warning') }
  const one = await s.post({ ...warning, source: 'nws', id: '1', title: 'Big Wood River' })
  const two = await s.post({ ...warning, source: 'cap', id: '2', title: 'Camas Creek', zones: [], lat: 44, lon: -115 })
  t.not(two.threadId, one.threadId)
})

t.test('a third storm is not the first one because a sighting between them joined it', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  const text = 'A tornado is on the ground near Bellevue and moves east. Take cover now.'
  const a = await s.post({ ...TORNADO, source: 'nws', id: 'A', title: text, geometry: box(-115, 43) })
  await s.run(120)
  const b = await s.post({ ...TORNADO, source: 'county', id: 'B', title: text })
  t.equal(b.threadId, a.threadId, 'the same text')
  await s.run(120)
  const c = await s.post({ ...TORNADO, source: 'third', id: 'C', title: text, geometry: box(-114.4, 43) })
  await s.run(60)
  t.not(c.threadId, a.threadId)
  t.equal(s.onAir().length, 2)
  // Also when the copy was heard again, and after its words came a second time.
  await s.post({ ...TORNADO, source: 'county', id: 'B', revision: '2', title: text, sent_at: at(3) })
  const d = await s.post({ ...TORNADO, source: 'fourth', id: 'D', title: text, geometry: box(-114.4, 43) })
  t.not(d.threadId, a.threadId)
})

t.test('what joined does not lend its place after a restart either', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS), databasePath: `${t.testdir()}/lookout.db` })
  const critical = { ...TORNADO, severity: 'critical', zones: [], expires: at(45) }
  const a = await s.post({ ...critical, source: 'nws', id: 'A', title: 'a', geometry: box(-115, 43, 0.3) })
  const b = await s.post({ ...critical, source: 'cap', id: 'B', title: 'b', geometry: box(-114.93, 43, 0.3) })
  t.equal(b.threadId, a.threadId, 'they overlap by more than half')
  const next = await s.restart()
  const c = await next.post({ ...critical, source: 'third', id: 'C', title: 'c', geometry: box(-114.86, 43, 0.3) })
  t.not(c.threadId, a.threadId, 'it overlaps B by more than half, and A by less')
})

t.test('shapes overlap, not the boxes round them', async (t) => {
  for (const [upper, same] of [
    [false, true],
    [true, false]
  ] as const) {
    const s = await station(t, { config: withMatrix(CELLS) })
    const critical = { ...TORNADO, severity: 'critical' }
    const one = await s.post({ ...critical, source: 'nws', id: '1', title: 'a', geometry: triangle(-115, 43, 1) })
    const geometry = triangle(-115, 43, 1, upper)
    const two = await s.post({ ...critical, source: 'cap', id: '2', title: 'b', geometry })
    t.equal(two.threadId === one.threadId, same, upper ? 'the other half of the box' : 'the same half')
  }
})

t.test('an immediate event with other words is told wherever it is drawn, with the same it is a copy', async (t) => {
  for (const [title, sent] of [
    ['Leave Bellevue now', 2],
    ['Leave Croy Creek NOW!', 1]
  ] as const) {
    const s = await station(t, { config: withMatrix(CELLS) })
    const drawn = { ...EVACUATION, geometry: box(-115, 43) }
    await s.post({ ...drawn, source: 'ipaws', id: 'E1', title: 'Leave Croy Creek now' })
    await s.run(60)
    await s.post({ ...drawn, source: 'county', id: 'E2', title, sent_at: at(1) })
    await s.run(60)
    t.equal(s.onAir().length, sent, title)
  }
})

t.test('the same text is one event, unless its places are apart', async (t) => {
  const title = 'Water rises fast on Camas Creek, leave the banks at once'
  const warning = { ...TORNADO, severity: 'critical', data: named('Flash Flood Warning') }
  const places: [string, Record<string, unknown>, boolean][] = [
    ['nothing is said of the place', { zones: [] }, true],
    ['the same county', {}, true],
    ['another county', { zones: ['IDC025'] }, false],
    ['drawn elsewhere', { geometry: box(-116, 43) }, false]
  ]
  for (const [name, change, same] of places) {
    const s = await station(t, { config: withMatrix(CELLS) })
    const one = await s.post({ ...warning, source: 'nws', id: '1', title, geometry: box(-115, 43) })
    const two = await s.post({ ...warning, source: 'cap', id: '2', title, ...change })
    t.equal(two.threadId === one.threadId, same, name)
  }
})

t.test('what the second source says anew of a joined event is told, though its end stays', async (t) => {
  for (const severity of ['priority', 'critical'] as const) {
    const s = await station(t, { config: withMatrix(CELLS, { toggles: { weather: { cooldown_seconds: 0 } } }) })
    const warning = { ...TORNADO, severity, geometry: box(-115, 43), expires: at(240) }
    const flood = (detail: string, more = {}) => saying(detail, 'Flood Warning', more)
    const one = await s.post({ ...warning, source: 'nws', id: '1', ...flood('Flood on Camas Creek') })
    await s.run(60)
    const copy = await s.post({ ...warning, source: 'county', id: '2', ...flood('Camas Creek floods') })
    t.strictSame([copy.threadId, outcome(copy)], [one.threadId, 'suppressed duplicate'])
    await s.run(25 * 60)
    const again = { ...warning, source: 'county', sent_at: at(26), lifecycle: 'update' }
    const references = ['2']
    const same = await s.post({ ...again, id: '3', ...flood('Camas Creek floods', { references }) })
    t.equal(outcome(same), 'suppressed duplicate', 'it says what it said')
    await s.run(60)
    await s.post({ ...again, id: '4', ...flood('Camas dam may fail', { references }), sent_at: at(27) })
    await s.run(60)
    t.match(s.onAir(), [/Flood on Camas Creek/, /dam may fail/], severity)
  }
})

t.test('an immediate update with other words is told, though it refers to what another source told', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  const urn = 'urn:oid:2.49.0.1.840.0.77'
  await s.post({ ...EVACUATION, source: 'ipaws', id: urn, ...saying('Leave Croy Creek now') })
  await s.run(60)
  const copy = await s.post({ ...EVACUATION, source: 'cap', id: urn, ...saying('EVACUATE CROY CREEK') })
  t.equal(outcome(copy), 'suppressed duplicate', 'the same identifier is the same message')
  const update = { ...EVACUATION, source: 'county', id: 'u2', lifecycle: 'update', sent_at: at(9) }
  await s.post({ ...update, ...saying('Leave Bellevue too', 'Evacuation Immediate', { references: [urn] }) })
  await s.run(60)
  t.match(s.onAir(), [/Croy Creek/, /Bellevue/])
})

t.test('a warning of the weather service by two sources is told once, and what is new of it once', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  const key = 'KBYZ.TO.W.0012.2026'
  const vtec = (action: string, detail: string, material: string) =>
    saying(detail, 'Tornado Warning', { vtec: { key, action }, material })
  const warning = { ...TORNADO, thread_id: `vtec:${key}` }
  await s.post({ ...warning, source: 'nws', id: 'n1', ...vtec('NEW', 'Near Bellevue', 'a') })
  await s.run(60)
  await s.post({ ...warning, source: 'ipaws', id: 'i1', ...vtec('NEW', 'NEAR BELLEVUE IT IS', 'b') })
  await s.run(12 * 60)
  const goesOn = { ...warning, lifecycle: 'update', sent_at: at(13) }
  await s.post({ ...goesOn, source: 'ipaws', id: 'i2', ...vtec('CON', 'Still near Bellevue', 'b') })
  await s.post({ ...goesOn, source: 'nws', id: 'n2', ...vtec('CON', 'Still near Bellevue', 'a') })
  await s.run(60)
  t.equal(s.onAir().length, 1, 'whichever comes first')
})
