import { readFileSync } from 'node:fs'
import t from 'tap'
import * as v from 'valibot'
import { saysHazard } from '../../../src/model/closure.ts'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { carsSource } from '../../../src/warning/feeds/roads/cars.ts'
import { datex2Source } from '../../../src/warning/feeds/roads/datex2.ts'
import { digitrafficSource } from '../../../src/warning/feeds/roads/digitraffic.ts'
import { open511Source } from '../../../src/warning/feeds/roads/open511.ts'
import {
  carsSourceSchema,
  datex2SourceSchema,
  digitrafficSourceSchema,
  open511SourceSchema,
  wzdxSourceSchema
} from '../../../src/warning/feeds/roads/settings.ts'
import { detailOf, roadInText, saysClosed } from '../../../src/warning/feeds/roads/words.ts'
import { wzdxSource } from '../../../src/warning/feeds/roads/wzdx.ts'
import type { SourceKind, SourceReading } from '../../../src/warning/feeds/source.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { inWords } from '../../helpers/in-words.ts'
import { request } from '../messages/samples.ts'
import { bytes, faults, reasons, type Setup, server, setup } from './geo-harness.ts'

const NOW = Date.parse('2026-02-01T12:00:00Z')
const MINUTES = 60_000
const LINE = {
  type: 'LineString',
  coordinates: [
    [-121, 50],
    [-121.1, 50.1],
    [-121.2, 50.1]
  ]
}
const open511 = (change: object = {}) => v.parse(open511SourceSchema, { kind: 'open511', ...change })
const road = (change: object = {}): object => ({
  id: 'drivebc.ca/DBC-1',
  headline: 'INCIDENT',
  status: 'ACTIVE',
  created: '2026-02-01T01:00:00-08:00',
  updated: '2026-02-01T03:30:00-08:00',
  description:
    'Highway 26, in both directions. Landslide at Cottonwood bridge. Road closed. Next update time Sun Feb 1. Last updated Sun Feb 1 at 3:30 AM PST. (DBC-1)',
  schedule: { intervals: ['2026-02-01T09:00:00+00:00/'] },
  event_type: 'INCIDENT',
  event_subtypes: ['HAZARD'],
  severity: 'MAJOR',
  geography: LINE,
  roads: [{ name: 'Highway 26', from: 'Quesnel', to: 'Wells', direction: 'BOTH' }],
  areas: [{ name: 'Cariboo District' }],
  ...change
})
const listing = (...events: unknown[]) => ({ events, pagination: { offset: 0 }, meta: {} })
const readRoads = (
  events: unknown[],
  room: Setup = setup('open511'),
  now = NOW,
  settings = open511()
): SourceReading => {
  const reading = open511Source.read(bytes(listing(...events)), settings, room.tools(now))
  room.save(reading)
  return reading
}
const short = ({ lifecycle, severity, category }: LookoutEvent) => `${lifecycle} ${severity} ${category}`

t.test('a closed road with what closed it', async (t) => {
  const [event] = readRoads([road()]).events
  t.match(event, {
    id: 'drivebc.ca/DBC-1',
    revision: String(Date.parse('2026-02-01T11:30:00Z')),
    category: 'road_closure',
    family: 'roads',
    severity: 'critical',
    title: 'Highway 26: Road closure',
    geometry: LINE,
    lat: 50.1,
    lon: -121.1,
    onset: '2026-02-01T09:00:00.000Z',
    expires: null,
    sent_at: '2026-02-01T11:30:00.000Z',
    thread_id: 'open511:drivebc.ca/DBC-1',
    data: { road: 'Hwy 26', places: ['Quesnel to Wells', 'Cariboo District'], attribution: 'DriveBC' }
  })
  t.equal(event?.data.detail, 'Landslide at Cottonwood bridge.')
  if (event === undefined) return
  const [text] = composeMessage(request({ event, nowMs: NOW, station: { ...request().station, anchors: [] } })).parts
  t.match(text, /^ROAD CLOSED Hwy 26 Quesnel to Wells.*: Landslide at Cottonwood bridge\. Upd 4:30a\. DriveBC$/)
})

t.test('whoever tells is named as the events name them, unless the settings do', async (t) => {
  const told = (event: object, attribution = '') =>
    readRoads([event], setup('open511'), NOW, open511({ attribution })).events[0]?.data.attribution
  t.equal(told(road()), 'DriveBC')
  t.equal(told(road({ id: 'ville.example/77' })), 'ville.example')
  t.equal(told(road({ id: '77' })), undefined)
  t.equal(told(road(), 'MoTI'), 'MoTI')
  const listed = { ID: 7, LastUpdated: 1_769_945_400, RoadwayName: 'I-15', EventType: 'accidentsAndIncidents' }
  t.equal(told({ ...listed, Organization: 'ERS', Description: 'Crash. Road closed.' }), 'ERS')
  t.equal(told({ ...listed, Description: 'Crash. Road closed.' }), undefined)
})

t.test(
  'a closure wakes people in its first hours, by a hazard and not by works; once told so it stays so',
  async (t) => {
    const wash = 'Highway 26, in both directions. Washout at Cottonwood bridge. Road closed.'
    const since = (time: string, more: object = {}) => road({ schedule: { intervals: [`${time}/`] }, ...more })
    const told = (event: object) => readRoads([event]).events.map(short)
    t.same(told(since('2026-02-01T09:00:00Z')), ['new critical road_closure'])
    t.same(told(since('2021-04-26T15:19:00Z')), ['new priority road_closure'], 'closed for years')
    t.same(told(since('2021-04-26T15:19:00Z', { roads: [], description: 'Washout. Road closed.' })), [
      'new priority road_closure'
    ])
    const works = { event_type: 'CONSTRUCTION', event_subtypes: [], description: `${wash} Repairs.` }
    t.same(told(since('2026-02-01T09:00:00Z', works)), ['new priority road_closure'], 'the repair of a washout')
    const control = 'Highway 26, in both directions. Avalanche control. Road closed.'
    t.same(told(since('2026-02-01T09:00:00Z', { event_subtypes: [], description: control })), [
      'new priority road_closure'
    ])
    const room = setup('open511')
    readRoads([since('2026-02-01T09:00:00Z')], room)
    const later = readRoads([since('2026-02-01T09:00:00Z')], room, NOW + 20 * 3_600_000)
    t.same(later.events.map(short), ['new critical road_closure'], 'no news of a level that time alone would lower')
  }
)

t.test(
  'closures of named roads are priority, with a natural hazard critical, the rest routine; planned work is off',
  async (t) => {
    const plain = { event_subtypes: [], description: 'Highway 26. Vehicle incident.' }
    const closed = 'Highway 26. Vehicle incident. Road closed.'
    const rows: [object, string, string][] = [
      [{ ...plain }, 'new routine road_incident', ''],
      [{ ...plain, description: closed }, 'new priority road_closure', ''],
      [{ ...plain, roads: [{ name: 'Highway 26', state: 'CLOSED' }] }, 'new priority road_closure', ''],
      [{ ...plain, description: `${closed} Evacuation order.` }, 'new critical road_closure', ''],
      [{ ...plain, description: 'Right lane closed.', roads: [] }, 'new routine road_incident', ''],
      [{ ...plain, description: 'A thing. Closed in both directions.', roads: [] }, 'new routine road_closure', ''],
      [{ ...plain, event_type: 'CONSTRUCTION' }, '', 'planned work'],
      [{ ...plain, event_type: 'CONSTRUCTION', description: closed }, 'new priority road_closure', ''],
      [
        { event_type: 'CONSTRUCTION', schedule: { intervals: ['2026-03-01T00:00:00Z/'] } },
        '',
        'planned closure that has not begun'
      ],
      [{ schedule: { intervals: ['2026-01-01T00:00:00Z/2026-02-01T11:00:00Z'] } }, '', 'over since …'],
      [{ status: 'ARCHIVED' }, '', 'over'],
      [{ updated: null, created: null }, '', 'no time of its last change'],
      [{ id: null }, '', 'no id']
    ]
    for (const [change, expected, reason] of rows) {
      const reading = readRoads([road(change)])
      t.same(
        [reading.events.map(short).join(), Object.keys(reasons(reading)).join()],
        [expected, reason],
        JSON.stringify(change)
      )
    }
    const work = road({ ...plain, event_type: 'CONSTRUCTION' })
    t.same(readRoads([work], setup('x'), NOW, open511({ work: 'all' })).events.map(short), ['new routine work_zone'])
    const closure = road({ event_type: 'CONSTRUCTION' })
    t.same(readRoads([closure], setup('x'), NOW, open511({ work: 'off' })).events, [])
  }
)

t.test('only a change of kind, level or end is worth an update', async (t) => {
  const material = (change: object) => readRoads([road(change)]).events[0]?.data.material
  const first = material({})
  t.equal(
    material({ updated: '2026-02-01T03:40:00-08:00', description: 'Highway 26. Landslide. Road closed. New words.' }),
    first
  )
  t.not(material({ description: 'Highway 26. Landslide. Single lane.', roads: [] }), first)
  t.not(material({ schedule: { intervals: ['2026-02-01T09:00:00Z/2026-02-02T09:00:00Z'] } }), first)
})

t.test('what is missing from two complete listings is over, once, and its return is news', async (t) => {
  const room = setup('open511')
  const other = road({ id: 'drivebc.ca/DBC-2' })
  const [first] = readRoads([road(), other], room).events
  t.same(
    readRoads([other], room).events.map(({ id }) => id),
    ['drivebc.ca/DBC-2'],
    'once is not enough'
  )
  t.same(readRoads([road(), other], room).events.length, 2, 'it was only a slip')
  readRoads([other], room)
  const gone = readRoads([other], room, NOW + 30 * MINUTES).events.filter(({ lifecycle }) => lifecycle !== 'new')
  t.match(gone, [
    {
      id: first?.id,
      thread_id: first?.thread_id,
      lifecycle: 'cancel',
      category: 'road_closure',
      severity: 'critical',
      sent_at: '2026-02-01T12:30:00.000Z',
      data: { road: 'Hwy 26', material: 'over' }
    }
  ])
  if (gone[0] === undefined) return
  const [text] = composeMessage(request({ event: gone[0], kind: 'cancel', nowMs: NOW })).parts
  t.match(text, /^CANCEL ROAD CLOSED Hwy 26/)
  t.same(readRoads([other], room).events.length, 1, 'told once')
  const [back] = readRoads([road(), other], room).events
  t.not(back?.revision, first?.revision, 'the same version as before its end is news again')
  t.equal(back?.thread_id, first?.thread_id)
  t.equal(readRoads([road(), other], room).events[0]?.revision, back?.revision, 'but only once')
})

t.test('an empty listing ends nothing by itself, a refused one does not count', async (t) => {
  const room = setup('open511')
  readRoads([road()], room)
  t.same(readRoads([], room).events, [])
  for (const body of ['', '<html>', '{"events":', '{"error":{"message":"down"}}', '{}'])
    t.throws(() => open511Source.read(bytes(body), open511(), room.tools(NOW)), { code: 'bad-input' })
  t.notOk(room.memory.changed)
  t.same(
    readRoads([], room).events.map(({ lifecycle }) => lifecycle),
    ['cancel']
  )
})

t.test('a thing that was due to end ends silently; one that is archived ends at once', async (t) => {
  const room = setup('open511')
  const until = road({ schedule: { intervals: ['2026-02-01T09:00:00Z/2026-02-01T12:10:00Z'] } })
  readRoads([until], room)
  readRoads([], room, NOW + 5 * MINUTES)
  t.same(
    readRoads([], room, NOW + 15 * MINUTES).events.map(({ lifecycle }) => lifecycle),
    ['expire']
  )
  const archived = setup('open511')
  readRoads([road()], archived)
  t.same(
    readRoads([road({ status: 'ARCHIVED' })], archived).events.map(({ lifecycle }) => lifecycle),
    ['cancel']
  )
  t.same(readRoads([road({ status: 'ARCHIVED' })], archived).events, [])
})

t.test('a closure that becomes a lane closure beside work is over after two listings', async (t) => {
  const room = setup('open511')
  readRoads([road({ event_type: 'CONSTRUCTION' })], room)
  const opened = road({ event_type: 'CONSTRUCTION', description: 'Highway 26. Single lane alternating.' })
  t.same(readRoads([opened], room).events, [])
  t.same(
    readRoads([opened], room).events.map(({ lifecycle }) => lifecycle),
    ['cancel']
  )
})

t.test('a poll repeated after a crash gives the same events', async (t) => {
  const room = setup('open511')
  readRoads([road()], room)
  readRoads([], room)
  const poll = () => open511Source.read(bytes(listing()), open511(), room.tools(NOW))
  const first = poll()
  room.crash(first)
  t.same(poll(), first)
})

t.test('all pages are one listing; one that is unchanged counts as seen again', async (t) => {
  const room = setup('open511')
  const two = { ...listing(road({ id: 'b' })), pagination: {} }
  const one = { ...listing(road({ id: 'a' })), pagination: { next_url: '/events?offset=1' } }
  const first = server(room.tools(NOW), [
    [/offset=1/, two],
    [/./, one]
  ])
  const reading = await open511Source.poll(open511({ api_key: 'secret', key_parameter: 'key' }), first.tools)
  if (reading === 'unchanged') throw new Error('the listing was new')
  t.same([reading.items, reading.events.map(({ id }) => id)], [2, ['a', 'b']])
  t.same(
    first.asked.map(({ url, conditional }) => [new URL(url).searchParams.get('key'), conditional]),
    [
      ['secret', true],
      ['secret', false]
    ]
  )
  room.save(reading)
  const single = server(room.tools(NOW), [[/./, listing(road({ id: 'a' }))]])
  const less = await open511Source.poll(open511(), single.tools)
  t.equal(single.asked[0]?.conditional, false, 'after several pages the whole is asked for')
  if (less === 'unchanged') throw new Error('the listing was new')
  room.save(less)
  const same = server(room.tools(NOW), [[/./, 'unchanged']])
  t.match(await open511Source.poll(open511(), same.tools), { events: [{ id: 'b', lifecycle: 'cancel' }] })
  const idle = setup('open511')
  const nothing = server(idle.tools(NOW), [[/./, 'unchanged']])
  t.equal(await open511Source.poll(open511(), nothing.tools), 'unchanged')
  const endless = server(idle.tools(NOW), [[/./, { ...listing(), pagination: { next_url: '/more' } }]])
  await t.rejects(open511Source.poll(open511(), endless.tools), { code: 'bad-input', message: /more than 20 pages/ })
})

t.test('the event lists of state 511 services are read by the same source', async (t) => {
  const body = bytes([
    {
      ID: 42,
      RoadwayName: 'ID-75',
      Description: 'Road closed at Galena Summit for avalanche work.',
      EventType: 'accidentsAndIncidents',
      IsFullClosure: true,
      LastUpdated: 1_769_945_000,
      StartDate: 1_769_940_000,
      PlannedEndDate: 0,
      Latitude: 43.87,
      Longitude: -114.71,
      LatitudeSecondary: 43.9,
      LongitudeSecondary: -114.8
    },
    { ID: 43, RoadwayName: 'US-93', EventType: 'roadwork', LastUpdated: 1_769_945_000, Description: 'One lane.' },
    { ID: '', RoadwayName: 'US-20' },
    { ID: 44, RoadwayName: 'US-20' }
  ])
  const reading = open511Source.read(body, open511({ attribution: '511 ID' }), setup('x').tools(NOW))
  t.match(reading.events, [
    { id: '42', severity: 'priority', geometry: { type: 'LineString' }, expires: null, data: { attribution: '511 ID' } }
  ])
  t.same(reasons(reading), { 'no id': 1, 'no time of its last change': 1, 'planned work': 1 })
})

const wzdx = (change: object = {}) =>
  v.parse(wzdxSourceSchema, { kind: 'wzdx', url: 'https://example.org/wzdx', ...change })
const zone = (core: object = {}, properties: object = {}, rest: object = {}): object => ({
  id: 'w1',
  type: 'Feature',
  properties: {
    core_details: {
      event_type: 'work-zone',
      data_source_id: '1',
      road_names: ['I-80'],
      direction: 'northbound',
      description: 'Bridge work.',
      creation_date: '2026-01-01T00:00:00Z',
      update_date: '2026-02-01T11:00:00Z',
      ...core
    },
    start_date: '2026-01-15T00:00:00Z',
    end_date: '2026-03-01T00:00:00Z',
    vehicle_impact: 'all-lanes-closed',
    beginning_cross_street: 'US 6',
    ending_cross_street: 'Douglas Ave',
    ...properties
  },
  geometry: LINE,
  ...rest
})
const work = (...features: unknown[]) =>
  bytes({
    type: 'FeatureCollection',
    feed_info: { publisher: 'TestDOT', version: '4.2', update_date: '2026-02-01T11:30:00Z' },
    features
  })

t.test('of work zones those that close the road now are told', async (t) => {
  const rows: [object, string, string][] = [
    [zone(), 'new priority road_closure', ''],
    [zone({}, { vehicle_impact: 'some-lanes-closed' }), '', 'planned work'],
    [zone({ event_type: 'restriction' }, { vehicle_impact: 'all-lanes-open' }), '', 'planned work'],
    [zone({ event_type: 'incident' }, { vehicle_impact: 'unknown' }), 'new routine road_incident', ''],
    [zone({ description: 'Closed by a rock slide.' }), 'new priority road_closure', ''],
    [
      zone({ event_type: 'incident', description: 'Closed by a rock slide.' }, { start_date: '2026-02-01T06:00:00Z' }),
      'new critical road_closure',
      ''
    ],
    [zone({ road_names: [] }), 'new routine road_closure', ''],
    [zone({}, { start_date: '2026-02-15T00:00:00Z' }), '', 'planned closure that has not begun'],
    [zone({}, { end_date: '2026-01-20T00:00:00Z' }), '', 'over since …'],
    [zone({}, { event_status: 'cancelled' }), '', 'over'],
    [zone({}, {}, { id: null }), '', 'no id or no properties']
  ]
  for (const [feature, expected, reason] of rows) {
    const reading = wzdxSource.read(work(feature), wzdx(), setup('wzdx').tools(NOW))
    t.same([reading.events.map(short).join(), Object.keys(reasons(reading)).join()], [expected, reason])
  }
  t.match(wzdxSource.read(work(zone()), wzdx(), setup('wzdx').tools(NOW)), {
    updated: '2026-02-01T11:30:00.000Z',
    events: [
      { geometry: LINE, data: { road: 'I-80', places: ['US 6 to Douglas Ave', 'northbound'], attribution: 'TestDOT' } }
    ]
  })
  const older = {
    type: 'FeatureCollection',
    road_event_feed_info: { feed_update_date: 'x', update_date: '2026-02-01T11:30:00Z' },
    features: [
      {
        type: 'Feature',
        geometry: LINE,
        properties: {
          road_event_id: 'old',
          road_name: 'US 1',
          event_type: 'work-zone',
          vehicle_impact: 'all-lanes-closed',
          start_date: '2026-01-15T00:00:00Z'
        }
      }
    ]
  }
  t.match(wzdxSource.read(bytes(older), wzdx(), setup('wzdx').tools(NOW)).events, [
    { id: 'old', data: { road: 'US 1' } }
  ])
  t.type(inWords(wzdxSource.missing?.(v.parse(wzdxSourceSchema, { kind: 'wzdx' }))), 'string')
  t.same(faults(wzdxSource, { body: work(zone(), zone({}, {}, { id: 'w2' })), settings: wzdx(), now: NOW }), [])
})

const datex = (change: object = {}) =>
  v.parse(datex2SourceSchema, { kind: 'datex2', url: 'https://example.org/d', ...change })
const v3 = (...situations: string[]) =>
  bytes(`<?xml version="1.0"?>
<mc:messageContainer xmlns:mc="m" xmlns:sit="s" xmlns:com="c" xmlns:loc="l" xmlns:xsi="x" modelBaseVersion="3">
<mc:payload xsi:type="sit:SituationPublication" lang="nl"><com:publicationTime>2026-02-01T11:50:00Z</com:publicationTime>
${situations.join('\n')}</mc:payload></mc:messageContainer>`)
interface Record3 {
  type?: string
  version?: number
  body?: string
  start?: string
  end?: string
  place?: string
  header?: string
}
const situation = (id: string, ...records: Record3[]) => `<sit:situation id="${id}">${records[0]?.header ?? ''}
${records
  .map(
    ({ type = 'Accident', version = 1, body = '', start = '2026-02-01T09:00:00Z', end = '', place = '' }, index) =>
      `<sit:situationRecord xsi:type="sit:${type}" id="${id}_${index}" version="${version}">
<sit:situationRecordVersionTime>2026-02-01T11:${10 + version}:00Z</sit:situationRecordVersionTime>
<sit:validity><com:validityStatus>active</com:validityStatus><com:validityTimeSpecification><com:overallStartTime>${start}</com:overallStartTime>${
        end === '' ? '' : `<com:overallEndTime>${end}</com:overallEndTime>`
      }</com:validityTimeSpecification></sit:validity>
<sit:locationReference xsi:type="loc:PointLocation">${place}</sit:locationReference>${body}</sit:situationRecord>`
  )
  .join('\n')}</sit:situation>`
const closedRecord: Record3 = {
  type: 'RoadOrCarriagewayOrLaneManagement',
  body: '<sit:roadOrCarriagewayOrLaneManagementType>roadClosed</sit:roadOrCarriagewayOrLaneManagementType>'
}
const named =
  '<loc:supplementaryPositionalDescription><loc:roadInformation><loc:roadName>N-432</loc:roadName></loc:roadInformation></loc:supplementaryPositionalDescription>'
const pointAt = (lat: number, lon: number) =>
  `<loc:pointByCoordinates><loc:pointCoordinates><loc:latitude>${lat}</loc:latitude><loc:longitude>${lon}</loc:longitude></loc:pointCoordinates></loc:pointByCoordinates>`
const readDatex = (body: Uint8Array, room = setup('datex2'), settings = datex(), now = NOW): SourceReading => {
  const reading = datex2Source.read(body, settings, room.tools(now))
  room.save(reading)
  return reading
}

t.test('a DATEX situation is told by its gravest record that is in force', async (t) => {
  const work: Record3 = { type: 'MaintenanceWorks', place: named }
  const rows: [string, string, string][] = [
    [situation('a', {}), 'new routine road_incident', ''],
    [situation('a', { type: 'AbnormalTraffic' }), 'new routine traffic_congestion', ''],
    [situation('a', { place: named }, closedRecord), 'new priority road_closure', ''],
    [situation('a', {}, closedRecord), 'new routine road_closure', ''],
    [situation('a', { type: 'EnvironmentalObstruction', place: named }, closedRecord), 'new critical road_closure', ''],
    [situation('a', work), '', 'planned work'],
    [situation('a', work, { type: 'SpeedManagement' }), '', 'planned work'],
    [situation('a', work, {}), 'new routine road_incident', ''],
    [situation('a', work, closedRecord), 'new priority road_closure', ''],
    [situation('a', work, { ...closedRecord, start: '2026-02-02T00:00:00Z' }), '', 'planned work'],
    [situation('a', { ...work, end: '2026-01-02T00:00:00Z' }), '', 'over since …'],
    [situation('a'), '', 'no record'],
    [
      situation('a', {
        header: '<sit:headerInformation><com:informationStatus>test</com:informationStatus></sit:headerInformation>'
      }),
      '',
      'test'
    ],
    [
      situation('a', {
        header: '<sit:headerInformation><com:confidentiality>internalUse</com:confidentiality></sit:headerInformation>'
      }),
      '',
      'not for the public'
    ],
    [
      situation('a', {
        body: '<sit:management><sit:lifeCycleManagement><sit:end>true</sit:end></sit:lifeCycleManagement></sit:management>'
      }),
      '',
      'over'
    ],
    ['<sit:situation/>', '', 'no id']
  ]
  for (const [text, expected, reason] of rows) {
    const reading = readDatex(v3(text))
    t.same(
      [reading.events.map(short).join(), Object.keys(reasons(reading)).join()],
      [expected, reason],
      text.slice(0, 200)
    )
  }
})

t.test('a higher version is a new revision, told again only when it matters; absence ends it', async (t) => {
  const room = setup('datex2')
  const [first] = readDatex(v3(situation('a', { place: named }, closedRecord)), room).events
  const [second] = readDatex(v3(situation('a', { place: named, version: 2 }, closedRecord)), room).events
  t.same([first?.revision, second?.revision], ['0.1', '0.2'])
  t.equal(first?.data.material, second?.data.material)
  t.match(second, { sent_at: '2026-02-01T11:12:00.000Z', data: { road: 'N-432' } })
  readDatex(v3(situation('b', {})), room)
  t.match(readDatex(v3(situation('b', {})), room).events, [{ id: 'b' }, { id: 'a', lifecycle: 'cancel' }])
})

t.test('coordinates of all kinds become points and lines', async (t) => {
  const line = (positions: string) => `<loc:gmlLineString><loc:posList>${positions}</loc:posList></loc:gmlLineString>`
  const display =
    '<loc:coordinatesForDisplay><loc:latitude>51</loc:latitude><loc:longitude>4</loc:longitude></loc:coordinatesForDisplay>'
  const rows: [string, unknown, object?][] = [
    [pointAt(52, 5), { type: 'Point', coordinates: [5, 52] }],
    [pointAt(52, 5) + display, { type: 'Point', coordinates: [5, 52] }],
    [display, { type: 'Point', coordinates: [4, 51] }],
    [
      pointAt(52, 5) + pointAt(52.1, 5.1),
      {
        type: 'LineString',
        coordinates: [
          [5, 52],
          [5.1, 52.1]
        ]
      }
    ],
    [
      line('52 5 52.1 5.1'),
      {
        type: 'LineString',
        coordinates: [
          [5, 52],
          [5.1, 52.1]
        ]
      }
    ],
    [
      line('5 52 5.1 52.1'),
      {
        type: 'LineString',
        coordinates: [
          [5, 52],
          [5.1, 52.1]
        ]
      },
      { lon_lat: true }
    ],
    [line('52 5 52.1 5.1') + line('53 5 53.1 5.1'), { type: 'MultiLineString' }],
    [line('52 5 52.1'), null],
    [line('a b c d'), null],
    [pointAt(123, 456), null],
    ['', null]
  ]
  for (const [place, expected, change] of rows)
    t.match(readDatex(v3(situation('a', { place })), setup('x'), datex(change)).events[0]?.geometry, expected, place)
})

t.test('a text in the wanted language, or words made of the values', async (t) => {
  const comment = (lang: string, text: string) => `<com:value lang="${lang}">${text}</com:value>`
  const body = `<sit:generalPublicComment><sit:comment><com:values>${comment('nl', 'Ongeval.')}${comment('en', 'N-432, Azuaga. Accident at km 3.')}</com:values></sit:comment></sit:generalPublicComment>`
  t.match(readDatex(v3(situation('a', { body }))).events[0], { data: { detail: 'Azuaga. Accident at km 3.' } })
  const dutch = readDatex(v3(situation('a', { body })), setup('x'), datex({ language: 'nl' })).events[0]
  t.equal(dutch?.data.detail, 'Ongeval.')
  const values = '<sit:vehicleObstructionType>vehicleOnFire</sit:vehicleObstructionType>'
  t.equal(readDatex(v3(situation('a', { body: values }))).events[0]?.data.detail, 'vehicle on fire.')
  const cause = '<sit:cause><sit:causeType>accident</sit:causeType></sit:cause>'
  t.equal(
    readDatex(v3(situation('a', { type: 'GenericSituationRecord', body: cause }))).events[0]?.data.detail,
    'accident.'
  )
})

t.test('XML that is no situation publication is refused', async (t) => {
  for (const body of ['', '<a/>', '<!DOCTYPE x><a/>', '<payload type="VmsPublication"><vms/></payload>', '{"a":1}'])
    t.throws(() => readDatex(bytes(body)), { code: 'bad-input' }, body)
  t.same(readDatex(v3()).events, [], 'none at all is a publication too')
  const inner = Buffer.from(v3(situation('a', { place: named }, closedRecord)))
    .toString()
    .replace(/<\?xml[^>]*\?>/, '')
  const soap = `<S:Envelope xmlns:S="s"><S:Body><answer>${inner}</answer></S:Body></S:Envelope>`
  t.equal(readDatex(bytes(soap)).events.length, 1, 'in the envelope of a service')
  t.same(
    faults(datex2Source, {
      body: v3(situation('a', { place: named }, closedRecord), situation('b', {})),
      settings: datex(),
      now: NOW
    }),
    []
  )
})

t.test('a message of Digitraffic that closes early ends what was told', async (t) => {
  const message = (change: object) =>
    bytes({
      type: 'FeatureCollection',
      dataUpdatedTime: '2026-02-01T11:59:00Z',
      features: [
        {
          type: 'Feature',
          geometry: LINE,
          properties: {
            situationId: 'GUID1',
            situationType: 'TRAFFIC_ANNOUNCEMENT',
            version: 1,
            versionTime: '2026-02-01T11:30:00Z',
            announcements: [
              {
                language: 'FI',
                features: [{ name: 'Tie on suljettu liikenteeltä' }],
                locationDetails: {
                  roadAddressLocation: { primaryPoint: { municipality: 'Inari', roadAddress: { road: 4 } } }
                },
                timeAndDuration: { startTime: '2026-02-01T11:00:00Z' },
                ...change
              }
            ]
          }
        }
      ]
    })
  const room = setup('digitraffic')
  const settings = v.parse(digitrafficSourceSchema, { kind: 'digitraffic' })
  const read = (change: object = {}) => {
    const reading = digitrafficSource.read(message(change), settings, room.tools(NOW))
    room.save(reading)
    return reading
  }
  t.match(read().events, [{ id: 'GUID1', severity: 'priority', data: { road: 'Tie 4', places: ['Inari'] } }])
  t.match(read({ earlyClosing: 'CLOSED' }).events, [{ lifecycle: 'cancel' }])
  const { asked, tools } = server(room.tools(NOW), [[/./, 'unchanged']])
  t.equal(await digitrafficSource.poll(settings, tools), 'unchanged')
  t.same(asked[0]?.headers, { 'Digitraffic-User': 'Lookout' })
})

t.test('what words say', async (t) => {
  for (const text of [
    'Road closed.',
    'The highway is closed at km 3.',
    'All lanes blocked',
    'Full closure',
    'Slide. Closed.'
  ])
    t.ok(saysClosed(text), text)
  for (const text of ['Right lane closed.', 'Road reopened, was: road closed', 'Shoulder closed', 'Lane Closure.'])
    t.notOk(saysClosed(text), text)
  t.ok(saysHazard('Evacuation order in place'))
  t.notOk(saysHazard('Vehicle fire'))
  t.equal(roadInText('Quesnel-Hixon Road, in both directions.'), 'Quesnel-Hixon Road')
  t.equal(roadInText('Tie 21, Muonio. Liikennetiedote.'), 'Tie 21')
  t.equal(roadInText('Something happened'), '')
  t.equal(
    detailOf('Highway 3. Road maintenance. Until Sat Jul 22. Last updated Thu.', 'Highway 3'),
    'Road maintenance.'
  )
})

interface Recording {
  name: string
  kind: SourceKind<never>
  settings: { kind: string; enabled: boolean; overrides: object }
  now: string
  events: string[]
  skipped: Record<string, number>
}
const cars = v.parse(carsSourceSchema, { kind: 'cars', url: 'https://example.org/cars' })
const digitraffic = v.parse(digitrafficSourceSchema, { kind: 'digitraffic' })
const RECORDINGS: Recording[] = [
  {
    name: 'open511-drivebc-five.json',
    kind: open511Source,
    settings: open511(),
    now: '2023-06-29T18:00:00Z',
    events: ['new priority road_closure Point Quesnel-Hixon Road'],
    skipped: { 'planned work': 4 }
  },
  {
    name: 'open511-drivebc-five.json',
    kind: open511Source,
    settings: open511({ work: 'all' }),
    now: '2023-06-29T18:00:00Z',
    events: [
      'new priority road_closure Point Quesnel-Hixon Road',
      ...Array(3).fill('new routine work_zone LineString Hwy 14'),
      'new routine work_zone LineString Hwy 3'
    ],
    skipped: {}
  },
  {
    name: 'cars-chain-ups.json',
    kind: carsSource,
    settings: cars,
    now: '2024-12-07T00:00:00Z',
    events: [20, 3, 3, 3, 22, 37, 37, 1, 1, 1, 93, 93, 5, 5, '97C', '97C', '97C', 37].map(
      (number) => `new routine road_incident LineString Hwy ${number}`
    ),
    skipped: {}
  },
  {
    name: 'datex2-GUID50365428-v1.xml',
    kind: datex2Source,
    settings: datex(),
    now: '2019-11-26T13:00:00Z',
    events: ['new routine road_incident none Tie 21', 'new routine road_incident none Tie 4'],
    skipped: {}
  },
  {
    name: 'datex2-vehicle-obstruction.xml',
    kind: datex2Source,
    settings: datex(),
    now: '2022-02-07T13:30:00Z',
    events: ['new routine road_incident none Tie 7'],
    skipped: {}
  },
  {
    name: 'datex2-roadwork2.xml',
    kind: datex2Source,
    settings: datex(),
    now: '2025-11-12T15:20:00Z',
    events: ['new priority road_closure none Tie 50'],
    skipped: {}
  },
  {
    name: 'datex2-roadwork2.xml',
    kind: datex2Source,
    settings: datex(),
    now: '2026-11-12T16:00:00Z',
    events: [],
    skipped: { 'planned work': 1 }
  },
  {
    name: 'digitraffic-GUID50409331.json',
    kind: digitrafficSource,
    settings: digitraffic,
    now: '2023-01-25T05:00:00Z',
    events: ['new routine road_incident Polygon '],
    skipped: {}
  }
]

t.test('the recordings of all formats, as they are and broken', async (t) => {
  for (const { name, kind, settings, now, events, skipped } of RECORDINGS) {
    const file = needsFixture(t, `feeds/roads/${name}`)
    if (file === null) continue
    const body = new Uint8Array(readFileSync(file))
    const reading = kind.read(body, settings as never, setup(kind.kind).tools(Date.parse(now)))
    t.same(
      reading.events.map((event) => `${short(event)} ${event.geometry?.type ?? 'none'} ${event.data['road'] ?? ''}`),
      events,
      name
    )
    t.same(reasons(reading), skipped, name)
    t.equal(reading.items, reading.events.length + reading.skipped.length)
    t.same(faults(kind, { body, settings, now: Date.parse(now) }), [], name)
  }
})

t.test('the second version of the recorded situations is a revision of the same two threads', async (t) => {
  const files = ['v1', 'v2'].map((version) => needsFixture(t, `feeds/roads/datex2-GUID50365428-${version}.xml`))
  const room = setup('datex2')
  const [one, two] = files.flatMap((file) =>
    file === null
      ? []
      : [readDatex(new Uint8Array(readFileSync(file)), room, datex(), Date.parse('2019-11-26T13:40:00Z'))]
  )
  if (one === undefined || two === undefined) return
  t.same(
    one.events.map(({ thread_id }) => thread_id),
    two.events.map(({ thread_id }) => thread_id)
  )
  t.same(
    [...one.events, ...two.events].map(({ revision }) => revision),
    ['1.1', '1.1', '1.1', '1.2']
  )
  t.same(one.events[1]?.data.material, two.events[1]?.data.material)
})
