import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { familyKeys } from '../../../src/model/families.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { saidSteps } from '../../../src/warning/routing/said-trace.ts'
import { Sightings } from '../../../src/warning/routing/sightings.ts'
import { START, station, withMatrix } from '../../helpers/station.ts'

const CELLS = { weather: { North: { mt: 1, mc: null } }, seismic: { North: { mt: 2, mc: null } } }
const KEY = 'KBYZ.TO.W.0012.2026'
const END = '2026-06-01T18:45:00Z'
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString()
const TORNADO = {
  family: 'weather',
  severity: 'immediate',
  title: 'Tornado Warning',
  expires: END,
  sent_at: at(0),
  zones: ['MTC021'],
  data: { event_name: 'Tornado Warning', vtec: { key: KEY, action: 'NEW' }, material: `immediate|${END}` }
}
const vtec = (action: string, material = `immediate|${END}`) => ({
  event_name: 'Tornado Warning',
  vtec: { key: KEY, action },
  material
})
const vtecOf = (number: string) => ({
  ...vtec('NEW'),
  vtec: { key: `KBYZ.TO.W.${number}.2026`, action: 'NEW' }
})
const named = (name: string) => ({ event_name: name })
type Decided = { event: { thread_id: string }; decision: { kind: string; reason: string } | null }
const outcome = ({ decision }: Decided): string => `${decision?.kind} ${decision?.reason}`

t.test('the same tornado warning by NWS, IPAWS and raw text is one thread and one message per channel', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  const thread_id = `vtec:${KEY}`
  const first = await s.post({ ...TORNADO, source: 'nws', id: 'urn:oid:1', thread_id })
  await s.run(20)
  const ipaws = await s.post({ ...TORNADO, source: 'ipaws', id: 'CAP-1', thread_id })
  // Raw text does not carry every parameter: its level may be lower, its words differ.
  const text = await s.post({
    ...TORNADO,
    source: 'radio',
    id: 'KBYZ-1',
    thread_id,
    severity: 'critical',
    title: 'TORNADO WARNING',
    data: vtec('NEW', `critical|${END}`)
  })
  await s.run(20)
  t.strictSame([ipaws.threadId, text.threadId], [first.threadId, first.threadId])
  t.strictSame([outcome(ipaws), outcome(text)], ['suppressed duplicate', 'suppressed duplicate'])
  t.equal(s.onAir().length, 1)

  await s.run(20 * 60)
  const later = at(75)
  const extended = { ...TORNADO, thread_id, expires: later, sent_at: at(20), data: vtec('EXT', `immediate|${later}`) }
  await s.post({ ...extended, source: 'radio', id: 'KBYZ-2', lifecycle: 'update' })
  await s.run(20)
  const again = await s.post({ ...extended, source: 'nws', id: 'urn:oid:2', lifecycle: 'update' })
  await s.run(20)
  t.equal(outcome(again), 'suppressed duplicate')
  t.equal(s.onAir().length, 2, 'the new end is told by whoever is first')

  await s.run(10 * 60)
  const cancel = { ...TORNADO, thread_id, sent_at: at(30), lifecycle: 'cancel', data: vtec('CAN', 'CAN') }
  await s.post({ ...cancel, source: 'nws', id: 'urn:oid:3' })
  await s.run(20)
  const second = await s.post({ ...cancel, source: 'ipaws', id: 'CAP-3' })
  const late = await s.post({ ...extended, source: 'ipaws', id: 'CAP-2', lifecycle: 'update' })
  await s.run(20)
  t.equal(outcome(second), 'silent nothing_to_cancel')
  t.equal(outcome(late), 'recorded superseded', 'a late copy does not revive what was cancelled')
  t.equal(s.onAir().length, 3)
})

t.test('without a common key, the same hazard for the same place and time is one thread', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  const alert = {
    family: 'weather',
    severity: 'critical',
    title: 'Storm',
    expires: at(120),
    sent_at: at(0),
    data: named('Severe Thunderstorm Warning')
  }
  const box = {
    type: 'Polygon',
    coordinates: [
      [
        [-115, 43],
        [-114, 43],
        [-114, 44],
        [-115, 44],
        [-115, 43]
      ]
    ]
  }
  const first = await s.post({ ...alert, source: 'nws', id: 'a', geometry: box })
  await s.run(20)
  const same = await s.post({ ...alert, source: 'cap', id: 'b', circle: { lat: 43.5, lon: -114.5, radius_km: 10 } })
  t.equal(same.threadId, first.threadId)
  t.equal(outcome(same), 'suppressed duplicate')
  const others: [string, Record<string, unknown>][] = [
    ['another place', { geometry: null, lat: 40, lon: -100 }],
    ['another hazard', { geometry: box, data: named('Flood Warning') }],
    ['another end', { geometry: box, expires: at(300) }],
    ['another time', { geometry: box, sent_at: at(-45) }],
    ['the same source again', { geometry: box, source: 'nws' }]
  ]
  for (const [name, change] of others) {
    const other = await s.post({ ...alert, source: 'cap', id: name, ...change })
    t.not(other.threadId, first.threadId, name)
  }
  const update = await s.post({
    ...alert,
    source: 'cap',
    id: 'c',
    sent_at: at(10),
    data: { ...named('x'), references: ['b'] }
  })
  t.equal(update.threadId, first.threadId, 'what refers to the copy belongs to the thread too')
})

t.test('what another source told before a restart still joins', async (t) => {
  const databasePath = join(mkdtempSync(join(tmpdir(), 'lookout-lineage-')), 'lookout.db')
  const s = await station(t, { config: withMatrix(CELLS), databasePath })
  const quake = {
    family: 'seismic',
    category: 'earthquake_event',
    severity: 'critical',
    sent_at: at(0),
    data: { magnitude: 6.1, origin_time: at(-2) }
  }
  const first = await s.post({ ...quake, source: 'usgs', id: 'us1', lat: 44, lon: -115 })
  await s.run(30)
  const next = await s.restart()
  const same = await next.post({
    ...quake,
    source: 'gdacs',
    id: 'EQ1',
    lat: 44.2,
    lon: -115.3,
    data: { magnitude: 6, origin_time: at(-2) }
  })
  t.equal(same.threadId, first.threadId)
  const aftershock = await next.post({
    ...quake,
    source: 'gdacs',
    id: 'EQ2',
    lat: 44.2,
    lon: -115.3,
    data: { magnitude: 6, origin_time: at(3) }
  })
  t.not(aftershock.threadId, first.threadId)
})

const square = (west: number, south: number, size = 0.3) => ({
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

t.test('two storms near each other are two, whoever tells them: both are on the air', async (t) => {
  const second: [string, Record<string, unknown>][] = [
    ['another polygon in the same county', { geometry: square(-114.6, 43), data: named('Tornado Warning') }],
    ['drawn half over the first one', { geometry: square(-114.8, 43.15), zones: [], data: named('Tornado Warning') }],
    ['a quarter of an hour later', { sent_at: at(14), expires: at(58), data: named('Tornado Warning') }],
    ['another number of the weather service', { thread_id: 'vtec:KBYZ.TO.W.0013.2026', data: vtecOf('0013') }],
    ['no place of its own', { zones: [], geometry: null, data: named('Tornado Warning') }]
  ]
  for (const [name, change] of second) {
    const s = await station(t, { config: withMatrix(CELLS) })
    const first = await s.post({
      ...TORNADO,
      source: 'nws',
      id: 'n1',
      thread_id: `vtec:${KEY}`,
      geometry: square(-115, 43)
    })
    await s.run(14 * 60)
    const other = await s.post({ ...TORNADO, geometry: square(-115, 43), source: 'cap', id: 'c2', ...change })
    await s.run(60)
    t.not(other.threadId, first.threadId, name)
    t.equal(s.onAir().length, 2, name)
  }
})

t.test('explain says of a copy what the live path does with it, and remembers nothing', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  await s.post({ ...TORNADO, source: 'nws', id: 'n1', thread_id: `vtec:${KEY}`, geometry: square(-115, 43) })
  await s.run(60)
  const copy = { ...TORNADO, source: 'cap', id: 'c1', geometry: square(-115, 43), data: named('Tornado Warning') }
  const parsed = parseEventInput({ ...copy, regions: ['North'] }, { now: s.clock.now(), families: familyKeys({}) })
  for (let turn = 0; turn < 2; turn++) {
    const said = s.core.explain(parsed)
    t.strictSame([said.outcome, said.reason, said.event.thread_id], ['suppressed', 'duplicate', `vtec:${KEY}`])
    t.equal(said.trace[0]?.reason, 'same_hazard')
  }
  t.equal(s.core.ledger.threadOf('cap|c1'), null)
  t.equal(outcome(await s.post(copy)), 'suppressed duplicate')
})

t.test('two incidents on one road are two; the same one by two sources is one', async (t) => {
  const cells = { roads: { North: { mt: 1, mc: null } } }
  const s = await station(t, { config: withMatrix(cells, { toggles: { roads: { cooldown_seconds: 0 } } }) })
  const crash = { family: 'roads', severity: 'priority', title: 'Crash', data: named('Crash') }
  const line = {
    type: 'LineString',
    coordinates: [
      [-116, 43],
      [-115, 44]
    ]
  }
  await s.post({ ...crash, source: 'dot', id: '1', geometry: line })
  const near = await s.post({ ...crash, source: 'wzdx', id: '2', lat: 43.9, lon: -115.1 })
  const nowhere = await s.post({ ...crash, source: 'mqtt', id: '3' })
  const same = await s.post({ ...crash, source: 'rest', id: '4', lat: 43.901, lon: -115.1 })
  t.equal(new Set([near.threadId, nowhere.threadId, 'test|1']).size, 3)
  t.equal(same.threadId, near.threadId)
})

t.test('the end of a copy does not end what another source still tells; its own end does', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  const alert = { ...TORNADO, geometry: square(-115, 43) }
  const thread_id = `vtec:${KEY}`
  const copy = { ...alert, source: 'cap', id: 'c1', thread_id: 'cap:x,c1', data: named('Tornado Warning') }
  const first = await s.post({ ...alert, source: 'nws', id: 'n1', thread_id })
  await s.run(20)
  t.equal((await s.post(copy)).threadId, first.threadId)
  const end = { ...copy, id: 'c2', sent_at: at(2), lifecycle: 'cancel' }
  const ended = await s.post({ ...end, data: { ...named('Tornado Warning'), references: ['c1'] } })
  await s.run(60)
  t.equal(outcome(ended), 'silent nothing_to_cancel')
  t.match(
    saidSteps(ended.decision?.trace ?? []).find(({ stage }) => stage === 'thread'),
    {
      reason: 'still_told',
      detail: /^nws still tells/
    }
  )
  t.not(s.core.ledger.goesOn(first.threadId, s.clock.now()), null, 'it goes on for everybody else too')
  await s.post({ ...alert, source: 'nws', id: 'n2', thread_id, lifecycle: 'cancel', sent_at: at(3), data: vtec('CAN') })
  await s.run(60)
  t.match(s.onAir()[1], /CANCEL/)
  const shared = await s.post({
    ...alert,
    source: 'nws',
    id: 'urn:oid:9',
    thread_id: 'T',
    data: named('Squall Warning')
  })
  await s.post({ ...copy, id: 'k1', data: named('Squall Warning') })
  const named9 = { ...named('Squall Warning'), references: ['k1', 'urn:oid:9'] }
  const byName = await s.post({ ...copy, id: 'k2', sent_at: at(4), lifecycle: 'cancel', data: named9 })
  t.equal(byName.threadId, shared.threadId, 'an end that names the very message counts')
})

t.test('a graver late copy is told: when in doubt, warn', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  const alert = { family: 'weather', title: 'Flood', expires: at(120), thread_id: 'T', zones: ['IDC013'] }
  await s.post({ ...alert, source: 'one', id: '1', severity: 'priority', sent_at: at(-1) })
  await s.run(10)
  const lower = await s.post({ ...alert, source: 'two', id: '2', severity: 'routine', sent_at: at(-5) })
  const graver = await s.post({ ...alert, source: 'two', id: '3', severity: 'critical', sent_at: at(-5) })
  const elsewhere = await s.post({
    ...alert,
    source: 'two',
    id: '4',
    severity: 'routine',
    sent_at: at(-5),
    zones: ['IDC025']
  })
  t.equal(outcome(lower), 'recorded superseded')
  t.equal(graver.decision?.kind, 'send')
  t.not(elsewhere.decision?.reason, 'superseded', 'an event lives per zone')
})

t.test('a message from the future supersedes nothing: its clock is wrong', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  const alert = { family: 'weather', title: 'Flood', severity: 'critical', thread_id: 'T', expires: at(600) }
  await s.post({ ...alert, source: 'one', id: '1', sent_at: at(240) })
  const next = await s.post({ ...alert, source: 'two', id: '2', sent_at: at(0) })
  t.not(next.decision?.reason, 'superseded')
})

t.test('whatever order copies come in, each source joins what it matches and memory stays bounded', async (t) => {
  const place = fc.record({ lat: fc.integer({ min: -60, max: 60 }), lon: fc.integer({ min: -179, max: 179 }) })
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 40 }), (places) => {
      const seen = new Sightings()
      places.forEach(({ lat, lon }, n) => {
        const event = eventAt(lat, lon, n)
        seen.note({ ...event, source: 'a', thread_id: `a${n}` })
      })
      return places.every(({ lat, lon }, n) => {
        const match = seen.match({ ...eventAt(lat, lon, n), source: 'b' })
        return match !== null && match.source === 'a'
      })
    }),
    { numRuns: 50 }
  )
  const full = new Sightings()
  for (let n = 0; n < 1000; n++) full.note({ ...eventAt(0, n / 10, n), source: 'a', thread_id: `a${n}` })
  t.equal(full.match({ ...eventAt(0, 0, 0), source: 'b' }), null, 'the oldest of a flood are forgotten')
  t.match(full.match({ ...eventAt(0, 99.9, 0), source: 'b' }), { threadId: 'a999' })
})

function eventAt(lat: number, lon: number, n: number): LookoutEvent {
  return {
    id: `e${n}`,
    source: 'x',
    revision: '',
    category: 'weather_warning',
    family: 'weather',
    severity: 'critical',
    title: '',
    summary: '',
    body: '',
    geometry: null,
    bbox: null,
    circle: null,
    lat,
    lon,
    zones: [],
    same: [],
    onset: null,
    expires: END,
    sent_at: at(0),
    received_at: at(0),
    thread_id: '',
    lifecycle: 'new',
    region: null,
    regions: [],
    data: named('Storm Warning')
  }
}

t.test('a back-test knows what came late, as the live walk does', async (t) => {
  const areas = [{ name: 'North', bbox: [-116, 43, -114, 45] }]
  const s = await station(t, { config: { ...withMatrix(CELLS), coverage: { region_tagging: true, areas } } })
  const alert = { family: 'weather', title: 'Flood', expires: at(120), thread_id: 'T', lat: 44, lon: -115, regions: [] }
  await s.post({ ...alert, source: 'one', id: '1', severity: 'critical', sent_at: at(-1) })
  const late = await s.post({ ...alert, source: 'two', id: '2', severity: 'priority', sent_at: at(-5) })
  t.equal(outcome(late), 'recorded superseded')
  const cell = { mt: 5, mc: null, min_severity: 'routine' as const, enabled: true }
  const report = await s.core.backtest(
    { enabled: true, cells: { weather: { North: cell } } },
    START - 1000,
    START + 60_000
  )
  t.match(report.silent, { superseded: 1 })
  t.equal(report.messages, 1)
})
