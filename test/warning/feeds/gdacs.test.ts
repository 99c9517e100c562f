import { readFileSync } from 'node:fs'
import t from 'tap'
import * as v from 'valibot'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import type { AreaPart } from '../../../src/warning/coverage/settings.ts'
import { parseCap } from '../../../src/warning/feeds/cap/parse.ts'
import { gdacsSource } from '../../../src/warning/feeds/gdacs/gdacs.ts'
import { type GdacsSettings, gdacsSourceSchema } from '../../../src/warning/feeds/gdacs/settings.ts'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { inWords } from '../../helpers/in-words.ts'
import { areasOf, indexOf } from '../coverage/harness.ts'
import { bytes, fixtureBytes, lives, MapMemory, pollTools, survivesDamage, textOf, tools } from './source-harness.ts'

const settings = (change: Record<string, unknown> = {}): GdacsSettings =>
  v.parse(gdacsSourceSchema, { kind: 'gdacs', ...change })
const read = (body: string, of = settings(), with_ = tools()): SourceReading => gdacsSource.read(bytes(body), of, with_)

/** An item with what the service puts into every one; null leaves an element out. */
function item(type: string, id: number, change: Record<string, string | null> = {}): string {
  const elements: Record<string, string | null> = {
    title: `Orange alert ${type}${id}`,
    pubDate: 'Mon, 06 Jul 2026 10:00:00 GMT',
    'gdacs:datemodified': 'Mon, 06 Jul 2026 11:30:00 GMT',
    'gdacs:iscurrent': 'true',
    'gdacs:fromdate': 'Mon, 06 Jul 2026 09:00:00 GMT',
    guid: `${type}${id}`,
    'georss:point': '-20.5 -178.8',
    'gdacs:eventtype': type,
    'gdacs:alertlevel': 'Orange',
    'gdacs:eventid': String(id),
    'gdacs:episodeid': '3',
    'gdacs:country': 'Fiji',
    ...change
  }
  const lines = Object.entries(elements).map(([name, text]) => (text === null ? '' : `<${name}>${text}</${name}>`))
  return `<item>${lines.join('')}</item>`
}

const rss = (...items: string[]): string =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:gdacs="http://www.gdacs.org" xmlns:georss="g"><channel><title>GDACS</title><pubDate>Mon, 06 Jul 2026 12:00:00 GMT</pubDate>${items.join('')}</channel></rss>`

t.test('red is critical and immediate inside a region, orange priority, green nothing unless asked for', async (t) => {
  const colours = ['Red', 'Orange', 'Green'].map((colour, index) => item('FL', index, { 'gdacs:alertlevel': colour }))
  const { events, skipped, updated, items } = read(rss(...colours))
  t.same(
    events.map(({ severity, data }) => [severity, data.severity_inside_region]),
    [
      ['critical', 'immediate'],
      ['priority', undefined]
    ]
  )
  t.same(inWords([skipped, updated, items]), [[{ id: 'FL2', reason: 'green' }], '2026-07-06T12:00:00.000Z', 3])
  t.match(read(rss(...colours), settings({ green: true })).events[2], { id: 'FL2', severity: 'routine' })
})

t.test('every kind of disaster has its family; droughts only when asked for', async (t) => {
  const table: [string, string, string][] = [
    ['EQ', 'seismic', 'earthquake_event'],
    ['TC', 'weather', 'weather_tropical_warning'],
    ['FL', 'weather', 'weather_flood_warning'],
    ['VO', 'seismic', 'volcano_warning'],
    ['WF', 'fire', 'wildfire_incident'],
    ['TS', 'seismic', 'tsunami_watch'],
    ['DR', 'weather', 'weather_statement']
  ]
  const listing = rss(...table.map(([type], index) => item(type, index)))
  t.same(
    read(listing, settings({ droughts: true })).events.map(({ family, category }) => [family, category]),
    table.map(([, ...rest]) => rest)
  )
  t.same(inWords(read(listing).skipped), [{ id: 'DR6', reason: 'a drought' }])
})

t.test('identity is type and number; a version is an episode and its time', async (t) => {
  const version = (change: Record<string, string | null>): unknown => {
    const [event] = read(rss(item('TC', 7, change))).events
    return [event?.id, event?.thread_id, event?.revision, event?.sent_at]
  }
  t.same(version({}), ['TC7', 'gdacs:TC7', '3@2026-07-06T11:30:00.000Z', '2026-07-06T11:30:00.000Z'])
  t.same(version({ 'gdacs:episodeid': '4', 'gdacs:datemodified': 'Mon, 06 Jul 2026 12:30:00 GMT' }), [
    'TC7',
    'gdacs:TC7',
    '4@2026-07-06T12:30:00.000Z',
    '2026-07-06T12:30:00.000Z'
  ])
  const older = ['TC7', 'gdacs:TC7', '3@2026-07-06T10:00:00.000Z', '2026-07-06T10:00:00.000Z']
  t.same(version({ 'gdacs:datemodified': null }), older, 'older feeds have no such element')
  const twice = read(
    rss(item('TC', 7), item('TC', 7, { 'gdacs:episodeid': '4', 'gdacs:datemodified': 'Mon, 06 Jul 2026 12:30:00 GMT' }))
  )
  t.match(inWords(twice), { events: [{ revision: /^4@/ }], skipped: [{ reason: /older episode/ }] })
})

t.test('a box is lonmin lonmax latmin latmax, and only believed when it is the extent of something', async (t) => {
  const place = (type: string, point: string, bbox: string): unknown => {
    const [event] = read(rss(item(type, 1, { 'georss:point': point, 'gdacs:bbox': bbox }))).events
    return [event?.bbox, event?.geometry, event?.lat, event?.lon]
  }
  const point = (lat: number, lon: number): unknown => [null, { type: 'Point', coordinates: [lon, lat] }, lat, lon]
  t.same(place('TC', '-19.4 59.8', '55 61 -25 -18'), [[55, -25, 61, -18], null, -19.4, 59.8])
  t.same(place('FL', '-20.5 -178.8', '-35.6 -9.6 -32.2 -6.2'), point(-20.5, -178.8), 'a box elsewhere')
  const winds = [[-182.8, -24.5, -174.8, -16.5], null, -20.5, -178.8]
  t.same(place('TC', '-20.5 -178.8', '-35.6 -9.6 -32.2 -6.2'), winds, 'a cyclone is no point at sea')
  t.same(place('TC', '-20.5 -178.8', '-182.8 -174.8 -24.5 -16.5'), winds, 'nor is one with the frame of a map')
  t.same(place('FL', '50 14', '10 18 46 54'), point(50, 14), 'the frame of a map')
  t.same(place('VO', '-19.4 59.8', '55 61 -25 -18'), point(-19.4, 59.8), 'a volcano is a point')
  t.same(place('FL', '50 14', '10 18 north 54'), point(50, 14))
  const named = item('FL', 1, { 'georss:point': null, 'geo:Point': '<geo:lat>5</geo:lat><geo:long>6</geo:long>' })
  t.match(read(rss(named)).events, [{ lat: 5, lon: 6 }])
})

t.test('an area coded by country is reached by what names the country, wherever its point lies', async (t) => {
  const far = item('TC', 3, { 'georss:point': '14.6 112.1', 'gdacs:iso3': 'PHL', 'gdacs:country': 'Philippines' })
  const [event] = read(rss(far)).events
  if (event === undefined) throw new Error('no event')
  const coast: AreaPart = { bbox: [115, 14, 116, 15] }
  const areas = { home: { codes: ['ISO3:PHL'] }, elsewhere: { codes: ['ISO3:FJI'] }, coast }
  t.same(indexOf(areasOf(areas)).match(event).names, ['home', 'coast'])
})

t.test('an earthquake has magnitude, depth and the circle of its shaking; the texts are short', async (t) => {
  const quake = item('EQ', 9, {
    'gdacs:alertlevel': 'Red',
    'gdacs:severity': 'Magnitude 6.1M, Depth:10.4km',
    'georss:point': '42.9 146.5',
    'gdacs:country': 'Russia'
  })
  const [event] = read(rss(quake)).events
  t.match(event, {
    circle: { lat: 42.9, lon: 146.5, radius_km: 59.3 },
    geometry: null,
    data: { magnitude: 6.1, depth_km: 10.4, origin_time: '2026-07-06T09:00:00.000Z', material: 'Red|6.0' }
  })
  t.equal(
    event && textOf(event, '2026-07-06T12:00:00Z'),
    'QUAKE M6.1 Russia, 10km deep, 3:00a. Red alert: many people near it. GDACS'
  )
  const storm = item('TC', 7, {
    'gdacs:eventname': 'SARAI-26',
    'gdacs:severity': 'Hurricane/Typhoon &gt; 74 mph (maximum wind speed of 211 km/h)'
  })
  const [cyclone] = read(rss(storm)).events
  t.equal(
    cyclone && textOf(cyclone, '2026-07-06T12:00:00Z'),
    'ORANGE TROPICAL CYCLONE SARAI-26 Fiji (5:30a). Hurricane/Typhoon (maximum wind speed of 211 km/h). GDACS'
  )
  const fire = item('WF', 8, {
    'gdacs:severity': 'Orange impact for forestfire in 12,345 ha',
    'gdacs:country': 'Greece'
  })
  const [burning] = read(rss(fire)).events
  t.match(burning, { data: { hectares: 12_345, places: ['Greece'] } })
  t.equal(burning?.data.detail, undefined, 'the hectares are told already')
  const flood = item('FL', 9, {
    'gdacs:severity': 'Magnitude 7.22',
    'gdacs:population': '33 dead and 12000 displaced',
    'gdacs:country': 'Pakistan'
  })
  t.equal(read(rss(flood)).events[0]?.data.detail, '33 dead and 12000 displaced', 'a flood has no magnitude that helps')
})

t.test('what has been told is followed to its end, and only what has been told', async (t) => {
  const memory = new MapMemory()
  const poll = (change: Record<string, string>): SourceReading =>
    read(rss(item('FL', 5, change)), settings(), tools({ memory }))
  t.same(lives(poll({ 'gdacs:alertlevel': 'Green' })), [], 'green was never told')
  t.same(lives(poll({ 'gdacs:iscurrent': 'false' })), [], 'and neither what is over')
  t.match(poll({}).events, [{ lifecycle: 'new', severity: 'priority', data: { material: 'Orange|' } }])
  t.match(poll({ 'gdacs:alertlevel': 'Green' }).events, [
    { lifecycle: 'new', severity: 'routine', data: { material: 'Green|' } }
  ])
  const closed = poll({ 'gdacs:iscurrent': 'false' }).events
  t.match(closed, [{ lifecycle: 'expire', thread_id: 'gdacs:FL5', data: { material: 'closed' } }])
  t.same(poll({ 'gdacs:iscurrent': 'false' }).events, closed)
  t.same(lives(read(rss(), settings(), tools({ memory }))), [], 'a listing without it ends nothing')
  const later = tools({ memory, receivedAt: Date.parse('2027-01-01T00:00:00Z') })
  read(rss(), settings(), later)
  t.equal(memory.dump, '[]', 'and is forgotten in time')
})

t.test('a broken item is skipped with its reason, a broken document refused', async (t) => {
  const table: [Record<string, string | null>, string][] = [
    [{ 'gdacs:eventtype': 'XX' }, 'event type XX'],
    [{ 'gdacs:eventid': 'one' }, 'no event id'],
    [{ 'gdacs:alertlevel': 'Blue' }, 'alert level Blue'],
    [{ 'georss:point': '95 10' }, 'no position'],
    [{ 'gdacs:datemodified': 'yesterday', pubDate: null }, 'no time']
  ]
  for (const [change, reason] of table) {
    const { events, skipped } = read(rss(item('FL', 5, change), item('FL', 6)))
    t.same(inWords([events.length, skipped.map((skip) => skip.reason)]), [1, [reason]])
  }
  for (const body of ['', '<html><body>busy</body></html>', '<feed/>', rss(item('FL', 1)).slice(0, 400), '{}'])
    t.throws(() => read(body), { code: 'bad-input' }, body.slice(0, 20))
})

t.test('a poll asks for the one listing', async (t) => {
  const asked = pollTools(() => rss(item('FL', 5)))
  t.same(lives(await gdacsSource.poll(settings(), asked)), ['FL5 new'])
  t.same(asked.asked, [{ url: 'https://www.gdacs.org/xml/rss.xml' }])
  t.equal(
    await gdacsSource.poll(
      settings(),
      pollTools(() => null)
    ),
    'unchanged'
  )
})

t.test('the recorded listing and messages give the numbers they were studied with', async (t) => {
  const body = fixtureBytes(t, 'feeds/gdacs/gdacs-rss-24h.xml')
  if (body !== null) {
    const plain = gdacsSource.read(body, settings(), tools())
    const reasons = plain.skipped.map(({ reason }) => sentenceOf(reason)).sort()
    const expected = [...Array(2).fill('a drought'), ...Array(10).fill('green'), ...Array(9).fill('not current')]
    t.same([plain.items, plain.events.length, reasons], [21, 0, expected])
    const everything = settings({ green: true, droughts: true })
    const all = gdacsSource.read(body, everything, tools())
    t.same([all.events.length, all.skipped.length], [12, 9])
    t.same(
      all.events.flatMap(({ bbox, data }) => (bbox === null ? [] : [data.geocodes])),
      [['ISO3:FJI'], ['ISO3:MUS']],
      'not one of its boxes is an extent: the two cyclones have that of their winds'
    )
    survivesDamage(t, gdacsSource, body, everything, { name: 'gdacs-rss-24h.xml' })
  }
  for (const [name, event, rings] of [
    ['gdacs-cap_1001150.xml', 'Tropical Cyclone', 2],
    ['gdacs-cap_1470644.xml', 'Earthquake', 1]
  ] as const) {
    const file = needsFixture(t, `feeds/gdacs/${name}`)
    if (file === null) continue
    const cap = parseCap(readFileSync(file, 'utf8'), { receivedAt: 0 })
    t.match(
      cap.events,
      [{ lifecycle: 'new', severity: 'routine', data: { event_name: event } }],
      `${name} is plain CAP`
    )
    const shape = cap.events[0]?.geometry
    t.equal(shape?.type === 'MultiPolygon' ? shape.coordinates.length : 1, rings)
    const reading = gdacsSource.read(readFileSync(file), settings(), tools())
    t.match(reading, { items: 1, events: [{ source: 'test', data: { places: [] } }] })
    survivesDamage(t, gdacsSource, readFileSync(file), settings(), { name })
  }
})
