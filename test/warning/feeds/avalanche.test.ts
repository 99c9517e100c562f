import { readFileSync } from 'node:fs'
import t from 'tap'
import * as v from 'valibot'
import { avalancheCanadaSource } from '../../../src/warning/feeds/avalanche/avalanche-canada.ts'
import { avalancheSource } from '../../../src/warning/feeds/avalanche/avalanche-org.ts'
import { avalancheCanadaSourceSchema } from '../../../src/warning/feeds/avalanche/canada-settings.ts'
import { avalancheSourceSchema } from '../../../src/warning/feeds/avalanche/settings.ts'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { inWords } from '../../helpers/in-words.ts'
import { request } from '../messages/samples.ts'
import { bytes, faults, reasons, server, setup } from './geo-harness.ts'

const NOW = Date.parse('2026-01-10T16:00:00Z')
const HOUR = 3_600_000
const RING = [
  [-115, 44],
  [-114, 44],
  [-114, 45],
  [-115, 44]
]
const us = (change: object = {}) => v.parse(avalancheSourceSchema, { kind: 'avalanche', ...change })
const zone = (properties: object = {}, rest: object = {}): object => ({
  type: 'Feature',
  id: 183,
  geometry: { type: 'Polygon', coordinates: [RING] },
  properties: {
    name: 'Sawtooth Mountains',
    center: 'Sawtooth Avalanche Center',
    center_id: 'SNFAC',
    timezone: 'America/Boise',
    state: 'ID',
    off_season: false,
    travel_advice: 'Travel in avalanche terrain is not recommended.',
    danger: 'high',
    danger_level: 4,
    start_date: '2026-01-10T14:00:00',
    end_date: '2026-01-11T14:00:00',
    warning: { product: null },
    ...properties
  },
  ...rest
})
const layer = (...features: unknown[]) => bytes({ type: 'FeatureCollection', features })
const read = (features: unknown[], now = NOW, room = setup('avalanche'), settings = us()): SourceReading => {
  const reading = avalancheSource.read(layer(...features), settings, room.tools(now))
  room.save(reading)
  return reading
}

t.test('a zone with its danger becomes an event until the bulletin ends', async (t) => {
  const [event] = read([zone()]).events
  t.match(event, {
    id: '183:2026-01-10T14:00:00.000Z',
    category: 'avalanche_warning',
    family: 'avalanche',
    severity: 'critical',
    title: 'Avalanche danger high (4): Sawtooth Mountains',
    geometry: { type: 'Polygon', coordinates: [RING] },
    onset: '2026-01-10T14:00:00.000Z',
    expires: '2026-01-11T14:00:00.000Z',
    sent_at: '2026-01-10T14:00:00.000Z',
    thread_id: 'avalanche:183:2026-01-10T14:00:00.000Z',
    lifecycle: 'new',
    data: {
      danger_level: 4,
      places: ['Sawtooth Mountains'],
      instruction: 'Travel in avalanche terrain is not recommended.',
      attribution: 'SNFAC'
    }
  })
  if (event === undefined) return
  const [text] = composeMessage(request({ event, nowMs: NOW })).parts
  t.match(text, /^AVY HIGH\(4\) Sawtooth Mountains til Sun 7a\. .*SNFAC$/)
})

t.test('the level follows the danger, and a warning is critical at least', async (t) => {
  const rows: [object, string, string][] = [
    [{ danger_level: 5 }, 'immediate', 'avalanche_warning'],
    [{ danger_level: 4 }, 'critical', 'avalanche_warning'],
    [{ danger_level: 3 }, 'priority', 'avalanche_considerable'],
    [{ danger_level: 2 }, 'routine', 'avalanche_advisory'],
    [{ danger_level: 1 }, 'routine', 'avalanche_advisory'],
    [{ danger_level: 2, warning: { product: 'warning' } }, 'critical', 'avalanche_warning'],
    [{ danger_level: 5, warning: { product: 'warning' } }, 'immediate', 'avalanche_warning'],
    [{ danger_level: 2, warning: { product: 'watch' } }, 'priority', 'avalanche_watch'],
    [{ danger_level: -1, warning: { product: 'warning' } }, 'critical', 'avalanche_warning'],
    [{ danger_level: undefined, danger: 'considerable' }, 'priority', 'avalanche_considerable']
  ]
  for (const [properties, severity, category] of rows) {
    const [event] = read([zone(properties)], NOW, setup('avalanche'), us({ min_danger: 1 })).events
    t.same([event?.severity, event?.category], [severity, category], JSON.stringify(properties))
  }
})

t.test('what has no danger to tell is skipped with the reason', async (t) => {
  const rows: [object, string][] = [
    [zone({ off_season: true }), 'off season'],
    [zone({ danger_level: -1 }), 'no danger rating'],
    [zone({ danger_level: 0 }), 'no danger rating'],
    [zone({ danger_level: 7 }), 'no danger rating'],
    [zone({ danger_level: null, danger: 'no rating' }), 'no danger rating'],
    [zone({ danger_level: 2 }), 'danger 2, below 3'],
    [zone({ start_date: null }), 'no date of publication'],
    [zone({ start_date: '2027-01-10T14:00:00' }), 'dated in the future'],
    [zone({ end_date: '2026-01-10T15:00:00' }), 'over since …'],
    [zone({}, { id: null }), 'no id or no properties'],
    [zone({}, { properties: null }), 'no id or no properties']
  ]
  for (const [feature, reason] of rows) {
    const reading = read([feature])
    t.same([reading.events.length, Object.keys(reasons(reading))], [0, [reason]])
  }
  t.same(read([null, 3, zone()]).events.length, 1, 'one broken entry does not spoil the rest')
  t.equal(read([zone({ end_date: null })]).events[0]?.expires, '2026-01-11T14:00:00.000Z', 'a day without an end')
})

t.test('outlines that are broken never throw and leave the zone without a place', async (t) => {
  for (const geometry of [null, {}, { type: 'Polygon' }, { type: 'Polygon', coordinates: [[['a']]] }, { type: 'Box' }])
    t.equal(read([zone({}, { geometry })]).events[0]?.geometry, null)
  const bow = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1]
      ],
      []
    ]
  }
  t.equal(read([zone({}, { geometry: { ...bow, coordinates: [bow.coordinates[0]] } })]).events.length, 1)
})

t.test('the next bulletin goes on with the thread of the one in force', async (t) => {
  const room = setup('avalanche')
  const day = (start: number, properties: object = {}): object =>
    zone({
      start_date: new Date(start).toISOString(),
      end_date: new Date(start + 24 * HOUR).toISOString(),
      ...properties
    })
  const first = NOW - HOUR
  const rows: [features: object[], now: number, expected: string[]][] = [
    [[day(first)], NOW, ['new 4']],
    [[day(first)], NOW + HOUR, ['new 4']],
    [[day(first, { danger_level: 5 })], NOW + 2 * HOUR, ['new 5']],
    [[day(first + 23 * HOUR)], NOW + 23 * HOUR, ['update 4']],
    [[day(first + 46 * HOUR, { danger_level: 2 })], NOW + 46 * HOUR, ['cancel 4']],
    [[day(first + 46 * HOUR, { danger_level: 2 })], NOW + 47 * HOUR, []],
    [[day(first + 70 * HOUR)], NOW + 70 * HOUR, ['new 4']]
  ]
  const threads: string[] = []
  const revisions: string[] = []
  for (const [features, now, expected] of rows) {
    const { events } = read(features, now, room)
    t.same(
      events.map(({ lifecycle, data }) => `${lifecycle} ${data['danger_level']}`),
      expected
    )
    threads.push(...events.map(({ thread_id }) => thread_id))
    revisions.push(...events.map(({ id, revision }) => `${id}|${revision}`))
  }
  t.equal(new Set(threads.slice(0, 5)).size, 1)
  t.equal(new Set(threads).size, 2, 'after its end the next one is a thread of its own')
  t.equal(revisions[0], revisions[1], 'a repeat is a repeat')
  t.equal(new Set(revisions).size, 5)
})

t.test('the centres of the settings are asked one by one', async (t) => {
  const all = server(setup('avalanche').tools(NOW), [[/./, { type: 'FeatureCollection', features: [zone()] }]])
  t.match(await avalancheSource.poll(us(), all.tools), { items: 1 })
  const two = server(setup('avalanche').tools(NOW), [
    [/SNFAC/, { type: 'FeatureCollection', features: [zone()] }],
    [/./, 'unchanged']
  ])
  t.match(await avalancheSource.poll(us({ centers: ['SNFAC', 'UAC'] }), two.tools), { items: 1 })
  t.same(
    [...all.asked, ...two.asked].map(({ url }) => url.slice(url.indexOf('map-layer'))),
    ['map-layer', 'map-layer/SNFAC', 'map-layer/UAC']
  )
  for (const body of ['', '<p>', '{}', { message: 'no such center' }, '[]'])
    t.throws(() => avalancheSource.read(bytes(body), us(), setup('avalanche').tools(NOW)), { code: 'bad-input' })
})

const ca = (change: object = {}) => v.parse(avalancheCanadaSourceSchema, { kind: 'avalanche_canada', ...change })
const band = (value: string) => ({ display: value, rating: { value, display: value } })
const product = (report: object = {}, rest: object = {}): object => ({
  id: 'p1',
  slug: 'p1-slug',
  type: 'avalancheforecast',
  area: { id: 'A1', name: 'area', bbox: [-119, 50, -118, 51] },
  owner: { value: 'avalanche-canada', display: 'Avalanche Canada' },
  report: {
    title: 'Glacier',
    dateIssued: '2026-01-10T01:00:00Z',
    validUntil: '2026-01-11T01:00:00Z',
    highlights: '<style>p { margin: 0 }</style><p>Storm slabs are <b>touchy</b>.</p>',
    terrainAndTravelAdvice: ['Avoid all avalanche terrain.'],
    dangerRatings: [
      {
        date: { value: '2026-01-10T00:00:00Z' },
        ratings: { alp: band('high'), tln: band('considerable'), btl: band('low') }
      },
      {
        date: { value: '2026-01-11T00:00:00Z' },
        ratings: { alp: band('extreme'), tln: band('norating'), btl: band('spring') }
      }
    ],
    ...report
  },
  ...rest
})

t.test('a Canadian forecast is told with the highest danger of today, in the outline of its area', async (t) => {
  const room = setup('avalanche_canada')
  const areas = {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', id: 'A1', properties: {}, geometry: { type: 'Polygon', coordinates: [RING] } }]
  }
  const { tools, asked } = server(room.tools(NOW), [
    [/areas/, areas],
    [/products/, [product()]]
  ])
  const reading = await avalancheCanadaSource.poll(ca(), tools)
  if (reading === 'unchanged') throw new Error('the listing was new')
  t.match(reading.events, [
    {
      id: 'A1:2026-01-10T01:00:00.000Z',
      severity: 'critical',
      title: 'Avalanche danger high (4): Glacier',
      geometry: { type: 'Polygon' },
      expires: '2026-01-11T01:00:00.000Z',
      data: { danger_level: 4, detail: 'Storm slabs are touchy .', instruction: 'Avoid all avalanche terrain.' }
    }
  ])
  room.save(reading)
  const later = server(room.tools(NOW + HOUR), [[/products/, 'unchanged']])
  t.equal(await avalancheCanadaSource.poll(ca(), later.tools), 'unchanged')
  t.same([asked.length, later.asked.length], [2, 1], 'outlines are asked once a day')
  const next = avalancheCanadaSource.read(bytes([product()]), ca(), room.tools(Date.parse('2026-01-11T00:30:00Z')))
  t.match(next.events, [{ severity: 'immediate', data: { danger_level: 5 } }])
})

t.test('without an outline the box of the area counts; the forms of other years are read too', async (t) => {
  const one = avalancheCanadaSource.read(bytes(product()), ca(), setup('c').tools(NOW))
  t.same(one.events[0]?.bbox, [-119, 50, -118, 51])
  const old = {
    id: 'bid_1',
    region: 'sea-to-sky',
    dateIssued: '2026-01-10T01:00:00Z',
    bulletinTitle: 'Avalanche Forecast - Sea-to-Sky',
    dangerRatings: [
      { date: '2026-01-11T02:00:00Z', dangerRating: { alp: '4:High', tln: '1:Low', btl: 'N/A:No Rating' } }
    ]
  }
  t.match(avalancheCanadaSource.read(bytes(old), ca(), setup('c').tools(NOW)).events, [
    {
      id: 'sea-to-sky:2026-01-10T01:00:00.000Z',
      title: 'Avalanche danger high (4): Sea-to-Sky',
      data: { danger_level: 4 }
    }
  ])
  const rows: [object, string][] = [
    [product({}, { type: 'mountaininformation' }), 'not a forecast: mountaininformation'],
    [product({ dateIssued: null }), 'no date of publication'],
    [product({ dangerRatings: [] }), 'no danger rating'],
    [product({ dangerRatings: [{ ratings: { alp: band('earlyseason') } }] }), 'no danger rating'],
    [product({}, { area: null, id: '' }), 'no area']
  ]
  for (const [entry, reason] of rows)
    t.same(reasons(avalancheCanadaSource.read(bytes([entry]), ca(), setup('c').tools(NOW))), { [reason]: 1 })
  for (const body of ['', '<p>', '{}', { message: 'not found' }, '[1'])
    t.throws(() => avalancheCanadaSource.read(bytes(body), ca(), setup('c').tools(NOW)), { code: 'bad-input' })
})

t.test('the U.S. recording has no danger in it: nothing to tell, zone by zone', async (t) => {
  const file = needsFixture(t, 'feeds/avalanche/us-zones-part-a.geojson')
  if (file === null) return
  const body = new Uint8Array(readFileSync(file))
  const reading = avalancheSource.read(body, us(), setup('avalanche').tools(NOW))
  t.same([reading.events.length, reading.items, reasons(reading)], [0, 37, { 'no danger rating': 37 }])
  t.same(faults(avalancheSource, { body, settings: us(), now: NOW }), [])
})

t.test('the same zones with a danger of today all become events, broken outlines and all', async (t) => {
  const file = needsFixture(t, 'feeds/avalanche/us-zones-part-a.geojson')
  if (file === null) return
  const listing = JSON.parse(readFileSync(file, 'utf8'))
  for (const feature of listing.features)
    Object.assign(feature.properties, { danger_level: 4, start_date: '2026-01-10T14:00:00', end_date: null })
  const body = bytes(listing)
  const reading = avalancheSource.read(body, us(), setup('avalanche').tools(NOW))
  t.same([reading.events.length, reading.skipped.length], [37, 0])
  t.ok(reading.events.every(({ geometry }) => geometry !== null))
  t.same(faults(avalancheSource, { body, settings: us(), now: NOW }), [])
})

t.test('the Canadian recordings: a forecast below the least danger, and outlines', async (t) => {
  const now = Date.parse('2015-12-31T12:00:00Z')
  const file = needsFixture(t, 'feeds/avalanche/ca-sea-to-sky-forecast.json')
  if (file !== null) {
    const body = new Uint8Array(readFileSync(file))
    const tools = setup('c').tools(now)
    t.same(reasons(avalancheCanadaSource.read(body, ca(), tools)), { 'danger 2, below 3': 1 })
    const [event] = avalancheCanadaSource.read(body, ca({ min_danger: 1 }), tools).events
    t.match(event, {
      id: 'sea-to-sky:2015-12-31T02:07:00.000Z',
      severity: 'routine',
      expires: '2016-01-01T06:00:00.000Z',
      data: { danger_level: 2, detail: /^Solar radiation and warm alpine temperatures/ }
    })
    t.same(faults(avalancheCanadaSource, { body, settings: ca({ min_danger: 1 }), now }), [])
  }
  for (const name of ['glacier', 'cariboos', 'purcells', 'sea-to-sky']) {
    const outline = needsFixture(t, `feeds/avalanche/ca-${name}.geojson`)
    if (outline === null) continue
    const body = new Uint8Array(readFileSync(outline))
    const room = setup('c')
    t.match(inWords(avalancheCanadaSource.read(body, ca(), room.tools(now))), {
      events: [],
      items: 1,
      skipped: [{ reason: 'an outline without a name' }]
    })
    const feature = { type: 'Feature', id: name, properties: {}, geometry: JSON.parse(readFileSync(outline, 'utf8')) }
    t.match(avalancheCanadaSource.read(bytes(feature), ca(), room.tools(now)), { events: [], items: 1, skipped: [] })
    t.ok(JSON.stringify(room.memory.entries('area:')).length < 20_000, 'what is kept is small')
    t.same(faults(avalancheCanadaSource, { body, settings: ca(), now }), [], name)
  }
})
