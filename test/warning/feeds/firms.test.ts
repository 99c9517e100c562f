import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { clusterPixels } from '../../../src/warning/feeds/firms/clusters.ts'
import { firmsSource } from '../../../src/warning/feeds/firms/firms.ts'
import { nearKm } from '../../../src/warning/feeds/firms/grid.ts'
import type { Pixel } from '../../../src/warning/feeds/firms/pixels.ts'
import { type FirmsSettings, firmsSourceSchema } from '../../../src/warning/feeds/firms/settings.ts'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { event } from '../messages/sample-events.ts'
import { bytes, fixtureBytes, lives, MapMemory, pollTools, survivesDamage, textOf, tools } from './source-harness.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const settings = (change: Record<string, unknown> = {}): FirmsSettings =>
  v.parse(firmsSourceSchema, { kind: 'firms', map_key: KEY, ...change })
const read = (body: string, of = settings(), with_ = tools()): SourceReading => firmsSource.read(bytes(body), of, with_)

const MODIS =
  'latitude,longitude,brightness,scan,track,acq_date,acq_time,satellite,confidence,version,bright_t31,frp,daynight'
const VIIRS =
  'latitude,longitude,bright_ti4,scan,track,acq_date,acq_time,satellite,instrument,confidence,version,bright_ti5,frp,daynight'
const KM = 1 / 111.195

interface Row {
  lat?: number
  lon?: number
  time?: string
  confidence?: string
  frp?: number
}

function modis({ lat = 44.1, lon = -116.9, time = '2026-07-31 0913', confidence = '80', frp = 10 }: Row): string {
  const [day, clock] = time.split(' ')
  return `${lat},${lon},320.1,1.2,1.1,${day},${clock},T,${confidence},6.1NRT,290.1,${frp},D`
}

function viirs({ lat = 44.1, lon = -116.9, time = '2026-07-31 0913', confidence = 'n', frp = 10 }: Row): string {
  const [day, clock] = time.split(' ')
  return `${lat},${lon},320.1,0.4,0.4,${day},${clock},N20,VIIRS,${confidence},2.0NRT,290.1,${frp},D`
}

const file = (...rows: Row[]): string => `${[MODIS, ...rows.map(modis)].join('\n')}\n`
/** So many pixels in a line to the north, half a kilometre apart. */
const line = (count: number, change: Row = {}): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    ...change,
    lat: Number(((change.lat ?? 44.1) + index * 0.5 * KM).toFixed(5))
  }))

t.test('three pixels or fifty megawatts make a cluster worth telling; less is none', async (t) => {
  const table: [string, Row[], number][] = [
    ['three near ones', line(3), 1],
    ['two', line(2), 0],
    ['one strong', [{ frp: 50 }], 1],
    ['one weak', [{ frp: 49.9 }], 0],
    ['two that are strong together', line(2, { frp: 25 }), 1],
    ['three far apart', [{}, { lat: 44.2 }, { lat: 44.3 }], 0],
    ['three of which one is a day older', [...line(2), { time: '2026-07-30 0912' }], 0],
    ['three of which one is almost a day older', [...line(2), { time: '2026-07-30 0913' }], 1],
    ['three of which one is doubtful', [...line(2), { confidence: '59' }], 0],
    ['three, one of them twice', [...line(2), {}], 0],
    ['none', [], 0]
  ]
  for (const [name, rows, count] of table) t.equal(read(file(...rows)).events.length, count, name)
  t.equal(read(file(...line(3)), settings({ min_pixels: 4 })).events.length, 0)
  t.equal(read(file({}, { lat: 44.12 }, { lat: 44.14 }), settings({ cluster_km: 3 })).events.length, 1)
})

t.test('a cluster is routine, and priority inside a region from 200 MW on', async (t) => {
  const [weak] = read(file(...line(6, { frp: 20 }))).events
  t.match(weak, {
    id: 'T2026-07-31T09:13_44.1_-116.9',
    thread_id: 'firms:T2026-07-31T09:13_44.1_-116.9',
    category: 'unattributed_hotspot_cluster',
    family: 'fire',
    severity: 'routine',
    sent_at: '2026-07-31T09:13:00.000Z',
    expires: '2026-08-01T09:13:00.000Z',
    geometry: null,
    circle: { radius_km: 1.25 },
    data: { pixels: 6, frp_mw: 120, material: 'x0' }
  })
  t.notOk(weak && 'severity_inside_region' in weak.data)
  t.equal(
    weak && textOf(weak, '2026-07-31T12:00:00Z'),
    '6 hotspots, 120 MW, 11km NNE Ontario OR (DN14nc). Upd 3:13a. Heat seen by satellite, away from any known fire. FIRMS'
  )
  const [strong] = read(file(...line(2, { frp: 100 }))).events
  t.match(strong?.data, { severity_inside_region: 'priority', material: 'x0|strong' })
  const [single] = read(file({ frp: 75 })).events
  t.match(single, { category: 'wildfire_hotspot', circle: { radius_km: 0.5 } })
  t.match(single && textOf(single, '2026-07-31T12:00:00Z'), /^Hotspot, 75 MW, /)
})

t.test(
  'columns are found by name, MODIS and VIIRS, in any order, with zeros lost and lines ended as they come',
  async (t) => {
    const nearby = line(3)
    const bodies: [string, string, number][] = [
      ['VIIRS nominal', [VIIRS, ...nearby.map((row) => viirs(row))].join('\r\n'), 1],
      ['VIIRS high', [VIIRS, ...nearby.map((row) => viirs({ ...row, confidence: 'h' }))].join('\n'), 1],
      ['VIIRS words', [VIIRS, ...nearby.map((row) => viirs({ ...row, confidence: 'nominal' }))].join('\n'), 1],
      ['VIIRS low', [VIIRS, ...nearby.map((row) => viirs({ ...row, confidence: 'l' }))].join('\n'), 0],
      ['a mark in front', `\uFEFF${file(...nearby)}`, 1],
      ['a column more', [`country_id,${VIIRS}`, ...nearby.map((row) => `USA,${viirs(row)}`)].join('\n'), 1],
      [
        'without power',
        `LATITUDE,longitude,acq_date,acq_time,confidence\n${[44.1, 44.101, 44.102].map((lat) => `${lat},-116.9,2026-07-31,13,90\n`).join('')}`,
        1
      ]
    ]
    for (const [name, body, count] of bodies) t.equal(read(body).events.length, count, name)
    const [midnight] = read(file(...line(3, { time: '2026-07-31 13' }))).events
    t.equal(midnight?.sent_at, '2026-07-31T00:13:00.000Z')
    const clock = read(file(...line(3, { time: '2026-07-31 0913' })).replaceAll('0913', '9:13'))
    t.equal(clock.events[0]?.sent_at, '2026-07-31T09:13:00.000Z', 'older files write a colon')
    const odd = [
      'nowhere',
      '95,-116.9,1,1,1,2026-07-31,0913,T,80,6,1,9,D',
      '44,-116,1,1,1,2026-02-31,0913,T,80,6,1,9,D',
      '44,-116,1,1,1,2026-07-31,2561,T,80,6,1,9,D',
      '"44,-116,1,1,1,2026-07-31,0913,T,80,6,1,9,D'
    ]
    const { events, skipped, items } = read(`${[MODIS, ...odd, ...nearby.map(modis)].join('\n')}\n`)
    t.same([events.length, items], [1, 8])
    t.same(
      skipped.map(({ id, reason }) => `${id}: ${sentenceOf(reason)}`),
      [
        'row 1: not as many columns as the head names',
        'row 2: no position',
        'row 3: no time',
        'row 4: no time',
        'row 5: no position'
      ]
    )
  }
)

t.test('what is no list of hotspots is refused', async (t) => {
  const table: [string, RegExp][] = [
    ['', /empty/],
    ['<!doctype html><html>', /web page/],
    [`Invalid MAP_KEY. ${KEY}`, /Invalid MAP_KEY\. \[redacted\]/],
    ['latitude,longitude\n', /not a list/],
    [file(...line(3)).slice(0, -20), /cut off/]
  ]
  for (const [body, message] of table) t.throws(() => read(body), { code: 'bad-input', message }, String(message))
  t.same(lives(read(`${MODIS}\n`)), [], 'no fires is an answer')
})

t.test('pixels in and near known fires are no news; a red flag warning is no fire', async (t) => {
  const ring = [
    [-117, 44],
    [-116.9, 44],
    [-116.9, 44.1],
    [-117, 44.1],
    [-117, 44]
  ]
  const hole = [
    [-116.96, 44.04],
    [-116.94, 44.04],
    [-116.94, 44.06],
    [-116.96, 44.06],
    [-116.96, 44.04]
  ]
  const fire = (change: Partial<LookoutEvent>): LookoutEvent =>
    event({ source: 'wfigs', family: 'fire', category: 'wildfire_incident', ...change })
  const outline = fire({ geometry: { type: 'Polygon', coordinates: [ring, hole] } })
  const told = (rows: Row[], known: LookoutEvent, of = settings()): number =>
    read(file(...rows), of, tools({ inForce: (family) => (family === 'fire' ? [known] : []) })).events.length
  const strong = (lat: number, lon: number): Row[] => [{ lat, lon, frp: 80 }]
  const table: [string, Row[], LookoutEvent, number][] = [
    ['inside', strong(44.02, -116.95), outline, 0],
    [
      'in a hole, 1.1 km from its edge',
      strong(44.05, -116.95),
      {
        ...outline,
        geometry: {
          type: 'Polygon',
          coordinates: [ring, hole.map(([x = 0, y = 0]) => [x + (x + 116.95), y + (y - 44.05)])]
        }
      },
      1
    ],
    ['900 m north of it', strong(44.1 + 0.9 * KM, -116.95), outline, 0],
    ['1.1 km north of it', strong(44.1 + 1.1 * KM, -116.95), outline, 1],
    ['900 m east of it', strong(44.05, -116.9 + (0.9 * KM) / Math.cos((44.05 * Math.PI) / 180)), outline, 0],
    ['1.1 km east of it', strong(44.05, -116.9 + (1.1 * KM) / Math.cos((44.05 * Math.PI) / 180)), outline, 1],
    [
      'in the second part',
      strong(44.02, -116.95),
      fire({ geometry: { type: 'MultiPolygon', coordinates: [[hole], [ring]] } }),
      0
    ],
    [
      'within the radius its acres give, 2.54 km, and one more',
      strong(44 + 3.5 * KM, -117),
      fire({ lat: 44, lon: -117, data: { acres: 5000 } }),
      0
    ],
    ['beyond', strong(44 + 3.6 * KM, -117), fire({ lat: 44, lon: -117, data: { acres: 5000 } }), 1],
    ['a fire in hectares', strong(44 + 3.5 * KM, -117), fire({ lat: 44, lon: -117, data: { hectares: 2024 } }), 0],
    ['a fire of unknown size', strong(44 + 0.9 * KM, -117), fire({ lat: 44, lon: -117 }), 0],
    ['a circle', strong(44 + 5.9 * KM, -117), fire({ circle: { lat: 44, lon: -117, radius_km: 5 } }), 0],
    [
      'a red flag warning',
      strong(44.02, -116.95),
      fire({ category: 'fire_weather_warning', geometry: outline.geometry }),
      1
    ],
    [
      'hotspots of another source',
      strong(44.02, -116.95),
      fire({ category: 'unattributed_hotspot_cluster', geometry: outline.geometry }),
      1
    ],
    ['an event of this source', strong(44.02, -116.95), { ...outline, source: 'test' }, 1],
    [
      'a broken outline',
      strong(44.02, -116.95),
      fire({ geometry: { type: 'Polygon', coordinates: [[[Number.NaN, 1]], []] } }),
      1
    ]
  ]
  for (const [name, rows, known, count] of table) t.equal(told(rows, known), count, name)
  t.equal(told(strong(44.1 + 2.9 * KM, -116.95), outline, settings({ known_fire_km: 3 })), 0)
})

t.test('a cluster stays itself from poll to poll, and is told again when it has doubled', async (t) => {
  const memory = new MapMemory()
  const poll = (...rows: Row[]): LookoutEvent[] => read(file(...rows), settings(), tools({ memory })).events
  const first = line(3, { frp: 20 })
  const pass = line(4, { frp: 20, lon: -116.895, time: '2026-07-31 2105' })
  const told = (events: LookoutEvent[]): unknown =>
    events.map(({ thread_id, revision, lifecycle, data }) => [thread_id.slice(6), revision, lifecycle, data.material])
  const id = 'T2026-07-31T09:13_44.1_-116.9'
  t.same(told(poll(...first)), [[id, '2026-07-31T09:13/0', 'new', 'x0']])
  t.same(told(poll(...first)), [[id, '2026-07-31T09:13/0', 'update', 'x0']], 'the same listing is the same message')
  t.same(told(poll(...first, ...pass.slice(0, 2))), [[id, '2026-07-31T21:05/0', 'update', 'x0']], 'five are not six')
  t.same(told(poll(...first, ...pass)), [[id, '2026-07-31T21:05/1', 'update', 'x1']], 'seven are twice three')
  t.same(told(poll(...pass)), [[id, '2026-07-31T21:05/1', 'update', 'x1']], 'its first pixels leave the window')
  const strong = pass.map((row) => ({ ...row, frp: 60 }))
  t.same(
    told(poll(...strong)),
    [[id, '2026-07-31T21:05/1+', 'update', 'x1|strong']],
    'its power has not doubled, but passed a mark'
  )
  const far = line(3, { lat: 45 })
  t.same(
    told(poll(...far)),
    [['T2026-07-31T09:13_45_-116.9', '2026-07-31T09:13/0', 'new', 'x0']],
    'elsewhere is another one'
  )
  const weekLater = line(3, { time: '2026-08-07 0913' })
  t.same(
    told(poll(...weekLater)),
    [['T2026-08-07T09:13_44.1_-116.9', '2026-08-07T09:13/0', 'new', 'x0']],
    'a week later too'
  )
  t.equal(memory.entries('cluster:').length, 1, 'what nobody has seen for long is forgotten')
})

t.test('two clusters are never one, whichever the order of the listing', async (t) => {
  const memory = new MapMemory()
  const rows = [...line(3), ...line(4, { lon: -116.87 })]
  const poll = (...list: Row[]): string[] =>
    read(file(...list), settings(), tools({ memory }))
      .events.map(({ id }) => id)
      .sort()
  const first = poll(...rows)
  t.equal(first.length, 2)
  t.same(poll(...rows.toReversed()), first)
  const bridge = [1, 2, 3].map((step) => ({ lon: -116.9 + 0.0075 * step, time: '2026-07-31 1000' }))
  const joined = poll(...rows, ...bridge)
  t.same([joined.length, first.includes(joined[0] ?? '')], [1, true], 'joined they are one of the two')
})

t.test('clusters are those of comparing every pixel with every other', async () => {
  const pixel = fc.record({
    lat: fc.double({ min: 60, max: 60.05, noNaN: true }),
    lon: fc.double({ min: 20, max: 20.1, noNaN: true }),
    time: fc.integer({ min: 0, max: 48 }).map((hour) => hour * 3_600_000),
    frp: fc.constant(1),
    satellite: fc.constant('T')
  })
  fc.assert(
    fc.property(fc.array(pixel, { maxLength: 40 }), (pixels: Pixel[]) => {
      const steps = clusterPixels(pixels, { km: 1.5, hours: 24 })
      let step = steps.next()
      while (step.done !== true) step = steps.next()
      const groups = step.value.map((cluster) => cluster.pixels.map((one) => pixels.indexOf(one)).sort((a, b) => a - b))
      const expected = everyPair(pixels)
      const order = (a: number[], b: number[]): number => (a[0] ?? 0) - (b[0] ?? 0)
      return JSON.stringify(groups.sort(order)) === JSON.stringify(expected.sort(order))
    }),
    { numRuns: 300 }
  )
})

function everyPair(pixels: readonly Pixel[]): number[][] {
  const group = pixels.map((_, index) => index)
  for (const [a, one] of pixels.entries()) {
    for (const [b, other] of pixels.entries()) {
      if (Math.abs(one.time - other.time) > 24 * 3_600_000 || nearKm(one, other) > 1.5) continue
      const [from, to] = [group[a], group[b]]
      for (const [index, name] of group.entries()) if (name === from) group[index] = to ?? 0
    }
  }
  const named = new Map<number, number[]>()
  for (const [index, name] of group.entries()) named.set(name, [...(named.get(name) ?? []), index])
  return [...named.values()]
}

t.test('the area API is asked per product, for the box of the coverage, and its key is shown nowhere', async (t) => {
  const areas = [
    { name: 'Home', circle: { lat: 44, lon: -117, radius_km: 50 } },
    { name: 'B', bbox: [-116, 42, -115, 43] }
  ]
  const polled = pollTools(() => file(...line(3)), { areas })
  t.same(
    lives(await firmsSource.poll(settings(), polled)),
    ['T2026-07-31T09:13_44.1_-116.9 new'],
    'one fire, seen by three'
  )
  t.same(
    polled.asked.map(({ url }) => url.replace(KEY, 'KEY')),
    ['VIIRS_NOAA20_NRT', 'VIIRS_NOAA21_NRT', 'VIIRS_SNPP_NRT'].map(
      (product) => `https://firms.modaps.eosdis.nasa.gov/api/area/csv/KEY/${product}/-117.63,42,-115,44.46/2`
    )
  )
  const leak = new AppError('unavailable', note(`GET https://x/api/area/csv/${KEY}/P failed`), {
    cause: new Error(KEY)
  })
  const error = await firmsSource
    .poll(
      settings(),
      pollTools(() => leak, { areas })
    )
    .then(
      () => null,
      (reason: unknown) => reason
    )
  t.match(error, { code: 'unavailable', message: 'GET https://x/api/area/csv/[redacted]/P failed', cause: undefined })
  const bbox = pollTools(() => file(), { areas })
  await firmsSource.poll(settings({ bbox: [170, -10, -170, 10], products: ['MODIS_NRT'], days: 1 }), bbox)
  t.match(bbox.asked[0]?.url, /\/MODIS_NRT\/-180,-10,180,10\/1$/)
  const coded = pollTools(() => file(), { areas: [{ name: 'Idaho', codes: ['ID'] }] })
  await t.rejects(firmsSource.poll(settings(), coded), { code: 'config-refused', message: /set bbox/ })
  t.match(inWords(firmsSource.missing?.(settings({ map_key: '' }))), /^map_key is missing/)
  t.equal(firmsSource.missing?.(settings()), null)
  t.equal(firmsSource.missing?.(settings({ map_key: '', url: 'https://x.example/24h.csv' })), null)
})

t.test('when one product has changed the others are fetched too; when none has, nothing is', async (t) => {
  const areas = [{ name: 'Home', bbox: [-118, 43, -116, 45] }]
  const of = settings({ products: ['VIIRS_NOAA20_NRT', 'VIIRS_SNPP_NRT'] })
  const half = (product: string): string => file(...line(2, { lat: product === 'VIIRS_SNPP_NRT' ? 44.11 : 44.1 }))
  const one = pollTools(
    ({ url, conditional }) =>
      url.includes('SNPP') && conditional !== false ? null : half(url.includes('SNPP') ? 'VIIRS_SNPP_NRT' : ''),
    { areas }
  )
  t.match(await firmsSource.poll(of, one), { events: [{ data: { pixels: 4 } }], items: 4 })
  t.equal(one.asked.length, 3)
  t.equal(
    await firmsSource.poll(
      of,
      pollTools(() => null, { areas })
    ),
    'unchanged'
  )
})

t.test('a day of the world is read in small steps', async (t) => {
  const rows = Array.from({ length: 20_000 }, (_, index) =>
    modis({
      lat: (index % 1000) * 0.06 - 30,
      lon: Math.floor(index / 1000) * 0.002 + 20,
      time: `2026-07-31 ${String(index % 24).padStart(2, '0')}00`
    })
  )
  let turns = 0
  let running = true
  const turn = (): void => {
    turns++
    if (running) setImmediate(turn)
  }
  setImmediate(turn)
  const polled = pollTools(() => `${MODIS}\n${rows.join('\n')}\n`)
  const reading = await firmsSource.poll(settings({ url: 'https://x.example/24h.csv' }), polled)
  running = false
  t.match(reading, { items: 20_000, events: { length: 1000 } })
  t.ok(turns > 80, `the event loop turned ${turns} times meanwhile`)
  const abort = new AbortController()
  const given = { ...polled, signal: abort.signal }
  const waiting = firmsSource.poll(settings({ url: 'https://x.example/24h.csv' }), given)
  abort.abort()
  await t.rejects(waiting, { name: 'AbortError' })
})

t.test('the recorded files give the numbers they were studied with', async (t) => {
  const table: [string, number, number, number, number][] = [
    ['MODIS_C6_1_Global_24h.csv', 13_069, 1716, 4405, 3856],
    ['world_fires_1_day.csv', 3125, 276, 1406, 916]
  ]
  for (const [name, items, events, doubtful, small] of table) {
    const body = fixtureBytes(t, `feeds/firms/${name}`)
    if (body === null) continue
    const memory = new MapMemory()
    const reading = firmsSource.read(body, settings(), tools({ memory }))
    t.same([reading.items, reading.events.length], [items, events], name)
    t.same(inWords(reading.skipped.map(({ reason }) => reason)), [
      `${doubtful} pixels of low confidence`,
      `${small} clusters of too few and too weak pixels`
    ])
    t.equal(new Set(reading.events.map(({ id }) => id)).size, events, 'every cluster has an id of its own')
    const again = firmsSource.read(body, settings(), tools({ memory }))
    const names = (of: SourceReading): string[] =>
      of.events.map(({ id, revision, data }) => `${id} ${revision} ${data.material}`)
    t.same(names(again), names(reading), 'the same file again says nothing new')
    // Of a file the first lines, which are of the same form as the rest.
    const part = body.subarray(0, 60_000)
    survivesDamage(t, firmsSource, part, settings({ min_pixels: 1 }), { name })
  }
})
