import { readFileSync } from 'node:fs'
import t from 'tap'
import { feedDate, looseTime } from '../../../src/warning/feeds/reading/loose.ts'
import { parseUsgsQuakes } from '../../../src/warning/feeds/usgs/usgs.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { quakeFeature, quakeListing } from './samples.ts'

const options = { receivedAt: 1_760_000_200_000 }
const parse = (...features: unknown[]) => parseUsgsQuakes(quakeListing(...features), options)
const material = (properties: Record<string, unknown>) =>
  parse(quakeFeature('us1', properties)).events[0]?.data.material

t.test('a strong earthquake is a circle of shaking, a weaker one a point', async (t) => {
  const [strong] = parse(quakeFeature('us1', { mag: 6, ids: ',us1,ak9,' })).events
  t.match(strong, {
    id: 'us1',
    source: 'usgs',
    revision: '1760000060000',
    category: 'earthquake_event',
    family: 'seismic',
    severity: 'critical',
    title: 'M 6.0 earthquake, 9 km N of Fairfield, Idaho',
    geometry: null,
    circle: { lat: 43.4, lon: -114.8, radius_km: 53.7 },
    lat: 43.4,
    lon: -114.8,
    sent_at: new Date(1_760_000_060_000).toISOString(),
    thread_id: 'usgs:ak9',
    lifecycle: 'new',
    data: {
      magnitude: 6,
      depth_km: 8.1,
      ids: ['ak9', 'us1'],
      places: ['9 km N of Fairfield, Idaho'],
      attribution: 'USGS'
    }
  })
  const [weak] = parse(quakeFeature('us2', { mag: 3.1 })).events
  t.match(weak, { severity: 'routine', circle: null, geometry: { type: 'Point', coordinates: [-114.8, 43.4] } })
  const pointed = parseUsgsQuakes(quakeListing(quakeFeature('us1', { mag: 6 })), { ...options, circleFrom: null })
  t.match(pointed.events[0], { circle: null, geometry: { type: 'Point' } })
})

t.test('the depth in its summary is in the units of the station', async (t) => {
  const depth = (units: 'metric' | 'imperial') =>
    parseUsgsQuakes(quakeListing(quakeFeature('us1', {}, [-114.8, 43.4, 38.2])), { ...options, units }).events[0]
      ?.summary
  t.equal(depth('metric'), 'Depth 38 km.')
  t.equal(depth('imperial'), 'Depth 24 mi.')
})

t.test('only what is an earthquake at or above the floor comes through', async (t) => {
  const features = [
    quakeFeature('us1', { mag: 2.5 }),
    quakeFeature('us2', { mag: 2.4 }),
    quakeFeature('us3', { mag: null }),
    quakeFeature('us4', { type: 'quarry blast' }),
    quakeFeature('us5', {}, [null, 43, 1]),
    quakeFeature('us6', {}, [1, 95, 1]),
    quakeFeature('us7', { time: 'noon' }),
    quakeFeature('us8', { time: 9e15 }),
    null,
    quakeFeature('us9', { mag: null, status: 'deleted' })
  ]
  const { events, skipped } = parse(...features)
  t.same(
    events.map(({ id, lifecycle }) => `${id} ${lifecycle}`),
    ['us1 new', 'us9 cancel']
  )
  t.equal(skipped.length, 8)
  t.equal(parseUsgsQuakes(quakeListing(...features), { ...options, floor: 1 }).events.length, 3)
})

t.test('numbers as text, older spellings and the details of one earthquake are read as well', async (t) => {
  const text = { mag: '4.6', time: '1760000000000', updated: '1760000060000', tsunami: '1', type: 'Earthquake' }
  const feature = quakeFeature('us1', text, ['-114.8', '43.4', null])
  const want = { severity: 'priority', lat: 43.4, lon: -114.8, data: { magnitude: 4.6, usgs: { tsunami: true } } }
  t.match(parse(feature).events, [want])
  t.match(parseUsgsQuakes(JSON.stringify(feature), options).events, [want])
  t.equal(parse(quakeFeature('us2', { status: 'DELETED' })).events[0]?.lifecycle, 'cancel')
})

t.test('entries that share a network id are one earthquake, the newest', async (t) => {
  const { events, skipped } = parse(
    quakeFeature('ak1', { ids: ',ak1,us2,', updated: 1_760_000_010_000 }),
    quakeFeature('us2', { ids: ',us2,', updated: 1_760_000_090_000 })
  )
  t.same(
    events.map(({ id }) => id),
    ['us2']
  )
  t.match(skipped, [{ id: 'ak1' }])
  t.same(events[0]?.data['ids'], ['us2'])
})

t.test('small corrections are not news; half a magnitude, level and PAGER colour are', async (t) => {
  const first = material({ mag: 4.6 })
  t.equal(material({ mag: 4.7, updated: 1_760_000_099_000, alert: 'green' }), first)
  t.not(material({ mag: 5.1 }), first)
  t.not(material({ mag: 4.4 }), first)
  t.not(material({ mag: 4.6, alert: 'yellow' }), first)
})

t.test('a body that is not a summary listing is refused', async (t) => {
  for (const body of [
    '',
    '<html/>',
    '{}',
    '{"type":"FeatureCollection","features":{}}',
    quakeListing(quakeFeature('a')).slice(0, 90)
  ])
    t.throws(() => parseUsgsQuakes(body, options), { code: 'bad-input' })
})

t.test('the captured listings give the counts they were studied with', async (t) => {
  const table: [string, number, number][] = [
    ['1.0_day-2022-04-04.geojson', 47, 113],
    ['1.0_week-2022-04-04.geojson', 331, 1074]
  ]
  for (const [name, kept, skipped] of table) {
    const file = needsFixture(t, `feeds/usgs-quakes/${name}`)
    if (file === null) continue
    const feed = parseUsgsQuakes(readFileSync(file, 'utf8'), options)
    t.same([feed.events.length, feed.skipped.length], [kept, skipped], name)
    t.ok(feed.events.every(({ data }) => (data.magnitude ?? 0) >= 2.5))
    t.match(feed.updated, /^2022-04-04T06:0/)
  }
})

t.test('a number beyond the year 9999 is no time', async (t) => {
  const far = Date.UTC(12026, 0)
  t.match(parse(quakeFeature('us1', { time: far })), { events: [], skipped: [{ reason: { code: 'no_origin_time' } }] })
  const [quake] = parse(quakeFeature('us1', { updated: far })).events
  t.equal(quake?.sent_at, new Date(1_760_000_000_000).toISOString(), 'a wrong time of change does not count')
  for (const wrong of [far, -far, 8.64e15, Number.NaN]) t.equal(looseTime(wrong), null)
  t.equal(feedDate('31 Dec 9999 23:30:00 -0800'), null, 'its time zone pushes it into the year 10000')
})
