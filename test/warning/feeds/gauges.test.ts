import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { nwisSource } from '../../../src/warning/feeds/gauges/nwis.ts'
import { nwisSourceSchema } from '../../../src/warning/feeds/gauges/nwis-settings.ts'
import { nwpsSource } from '../../../src/warning/feeds/gauges/nwps.ts'
import { nwpsSourceSchema } from '../../../src/warning/feeds/gauges/nwps-settings.ts'
import { convert, isNoData, shortGaugeName } from '../../../src/warning/feeds/gauges/reading.ts'
import { STAGES, type Stage, stageOf, stageRank } from '../../../src/warning/feeds/gauges/stages.ts'
import type { ReadTools, SourceReading } from '../../../src/warning/feeds/source.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import { stationSchema } from '../../../src/warning/station-settings.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { inWords } from '../../helpers/in-words.ts'
import { request } from '../messages/samples.ts'
import { bytes, faults, reasons, type Setup, server, setup } from './geo-harness.ts'

const START = Date.parse('2026-06-01T12:00:00Z')
const QUARTER = 900_000
const at = (quarters: number): number => START + quarters * QUARTER
const iso = (ms: number): string => new Date(ms).toISOString()
const imperial = (): ReadTools => ({
  ...setup('nwps').tools(at(0)),
  station: v.parse(stationSchema, { units: 'imperial' })
})
const STAGE_LIMITS = { action: 9, minor: 11, moderate: 13, major: 15 }
const nwis = (change: object = {}) =>
  v.parse(nwisSourceSchema, {
    kind: 'nwis',
    sites: [{ id: '13247500', name: 'Payette River at Horseshoe Bend', ...STAGE_LIMITS }],
    ...change
  })

const feature = (value: unknown, time: string, properties: object = {}): object => ({
  type: 'Feature',
  id: 'x',
  geometry: { type: 'Point', coordinates: [-116.2, 43.94] },
  properties: {
    monitoring_location_id: 'USGS-13247500',
    parameter_code: '00065',
    unit_of_measure: 'ft',
    time,
    value,
    ...properties
  }
})
const ogc = (...features: object[]) => bytes({ type: 'FeatureCollection', features, numberReturned: features.length })

/** One quarter of an hour after the other, each reading stored as the core does. */
function series(values: (number | string)[], room: Setup = setup('nwis')): SourceReading[] {
  return values.map((value, index) => {
    const reading = nwisSource.read(ogc(feature(String(value), iso(at(index)))), nwis(), room.tools(at(index)))
    room.save(reading)
    return reading
  })
}
const short = ({ lifecycle, severity, category, data }: LookoutEvent) =>
  `${lifecycle} ${severity} ${category} ${data['stage']}`
const told = (readings: SourceReading[]): string[] => {
  const seen = new Set<string>()
  return readings.flatMap(({ events }) =>
    events.flatMap((event) => {
      const identity = `${event.id}|${event.revision}`
      if (seen.has(identity)) return []
      seen.add(identity)
      return [short(event)]
    })
  )
}

t.test('a river is told when its stage changes, not when its value does', async (t) => {
  const readings = series([8, 9.2, 9.8, 11, 12.9, 13.4, 15.1, 14.2, 12, 10, 8.2])
  t.same(told(readings), [
    'new routine stream_high_water action',
    'update priority stream_flood_warning minor',
    'update critical stream_flood_warning moderate',
    'update immediate stream_flood_warning major',
    'update priority stream_flood_warning moderate', // its fall wakes nobody who was woken for its rise
    'update priority stream_flood_warning minor',
    'update routine stream_high_water action',
    'cancel routine stream_high_water none'
  ])
  const threads = new Set(readings.flatMap(({ events }) => events.map(({ thread_id }) => thread_id)))
  t.same([...threads], [`nwis:13247500:${iso(at(1))}`], 'one thread from action stage to below it')
  t.same(inWords(readings[0]?.skipped), [{ id: '13247500', reason: 'below action stage' }])
  t.match(readings[4]?.events[0], {
    family: 'seismic',
    lat: 43.94,
    lon: -116.2,
    geometry: { type: 'Point', coordinates: [-116.2, 43.94] },
    sent_at: iso(at(4)),
    data: {
      material: 'minor',
      stage_ft: 12.9,
      stage_m: 3.9319,
      flood_stage_ft: 11,
      trend: 'rising',
      attribution: 'USGS'
    }
  })
})

t.test('a river at its threshold is told once: a stage ends a tenth of a foot below', async (t) => {
  t.same(told(series([10.9, 11, 10.95, 11.02, 10.91, 11.3, 10.9])), [
    'new routine stream_high_water action',
    'update priority stream_flood_warning minor'
  ])
  t.same(told(series([11, 10.89])).at(-1), 'update routine stream_high_water action')
  t.same(told(series([9, 8.95, 8.85])), [
    'new routine stream_high_water action',
    'cancel routine stream_high_water none'
  ])
})

t.test('after its end the next rise is a new thread, and the low water in between was remembered', async (t) => {
  const readings = series([9.5, 8, 9.5])
  const [first, , second] = readings.map(({ events }) => events[0]?.thread_id)
  t.not(first, second)
  t.equal(readings[2]?.events[0]?.lifecycle, 'new')
})

t.test('values that stand for none, old readings and strangers change nothing', async (t) => {
  const room = setup('nwis')
  series([12], room)
  const read = (...features: object[]) => nwisSource.read(ogc(...features), nwis(), room.tools(at(20)))
  const rows: [object, string][] = [
    [feature('-999999', iso(at(19))), 'no value'],
    [feature(-9999, iso(at(19))), 'no value'],
    [feature(null, iso(at(19))), 'no value'],
    [feature('Ice', iso(at(19))), 'no value'],
    [feature('8', iso(at(20) - 4 * 3_600_000)), 'the reading is … h old'],
    [feature('8', iso(at(40))), 'the reading is from the future'],
    [feature('8', 'yesterday'), 'no time of the reading'],
    [feature('8', '2026-06-01'), 'a daily value says nothing about now'],
    [feature('8', iso(at(19)), { monitoring_location_id: 'USGS-1' }), 'no flood stages are set for it'],
    [feature('8', iso(at(19)), { unit_of_measure: 'ft^3/s' }), 'measured in ft3/s, flood stages are in ft'],
    [feature('8', iso(at(19)), { unit_of_measure: 'deg C' }), 'neither a stage nor a flow'],
    [{ type: 'Feature' }, 'no site or no parameter']
  ]
  for (const [entry, reason] of rows) {
    const reading = read(entry)
    t.same(reading.events, [])
    t.same(Object.keys(reasons(reading)), [reason])
  }
  t.same(
    told([read(feature('12.2', iso(at(20))))]),
    ['new priority stream_flood_warning minor'],
    'it is still in flood'
  )
  t.same(reasons(nwisSource.read(ogc(feature('8', iso(at(-1)))), nwis(), room.tools(at(1)))), {
    'older than the reading before': 1
  })
})

t.test('of two sensors the newer reading counts, of equally new ones the higher', async (t) => {
  const now = iso(at(0))
  const both = nwisSource.read(ogc(feature('8', now), feature('12', now)), nwis(), setup('nwis').tools(at(0)))
  t.equal(both.events[0]?.data['stage'], 'minor')
  const newer = nwisSource.read(ogc(feature('12', iso(at(-1))), feature('8', now)), nwis(), setup('nwis').tools(at(0)))
  t.same(newer.events, [])
})

t.test('of WaterML series the newest value that is one counts', async (t) => {
  const series = (...values: [string, number][]): Uint8Array =>
    bytes({
      value: {
        timeSeries: [
          {
            sourceInfo: {
              siteName: 'Payette',
              siteCode: [{ value: '13247500' }],
              geoLocation: { geogLocation: { latitude: 43.9, longitude: -116.2 } }
            },
            variable: { variableCode: [{ value: '00065' }], unit: { unitCode: 'ft' }, noDataValue: -999999 },
            values: [{ value: values.map(([value, quarters]) => ({ value, dateTime: iso(at(quarters)) })) }]
          }
        ]
      }
    })
  const frozen = nwisSource.read(series(['12.2', -1], ['-999999', 0]), nwis(), setup('nwis').tools(at(0)))
  t.match(frozen.events, [{ data: { stage: 'minor' } }])
  t.same(reasons(nwisSource.read(series(['-999999', 0]), nwis(), setup('nwis').tools(at(0)))), { 'no value': 1 })
})

t.test('thresholds may be metres or flows', async (t) => {
  const metric = nwis({ sites: [{ id: 'USGS-13247500', minor: 3, unit: 'm', parameter: '00065' }] })
  const stage = nwisSource.read(ogc(feature('10', iso(at(0)))), metric, setup('nwis').tools(at(0)))
  t.match(stage.events[0], { severity: 'priority', data: { stage_m: 3.048, stage_ft: 10, gauge: 'USGS 13247500' } })
  const flows = nwis({ sites: [{ id: '13247500', moderate: 300, unit: 'm3/s' }] })
  const body = ogc(feature('12000', iso(at(0)), { parameter_code: '00060', unit_of_measure: 'ft^3/s' }))
  const flow = nwisSource.read(body, flows, setup('nwis').tools(at(0))).events[0]
  t.match(flow, { severity: 'critical', data: { detail: 'At moderate flood stage, flow 340 m3/s.' } })
  t.notOk('stage_ft' in (flow?.data ?? {}))
})

t.test('a crash before the memory was saved tells nothing twice', async (t) => {
  const room = setup('nwis')
  const [before] = series([12], room)
  const later = (value: string, quarters: number) =>
    nwisSource.read(ogc(feature(value, iso(at(quarters)))), nwis(), room.tools(at(quarters)))
  const first = later('13.5', 1)
  room.crash()
  t.same(later('13.5', 1), first, 'the same poll again gives the same events')
  room.crash(first)
  const again = later('13.6', 2)
  t.equal(again.events[0]?.thread_id, before?.events[0]?.thread_id)
  t.equal(again.events[0]?.revision, first.events[0]?.revision)
})

t.test('a crash after the first event of an episode joins its thread', async (t) => {
  const room = setup('nwis')
  const first = nwisSource.read(ogc(feature('12', iso(at(0)))), nwis(), room.tools(at(0)))
  room.crash(first)
  const second = nwisSource.read(ogc(feature('12.1', iso(at(1)))), nwis(), room.tools(at(1)))
  t.equal(second.events[0]?.id, first.events[0]?.id)
  t.equal(second.events[0]?.revision, first.events[0]?.revision)
})

t.test('the requests name the sites of the settings, for either service', async (t) => {
  const room = setup('nwis')
  const empty = { type: 'FeatureCollection', features: [] }
  const keyed = server(room.tools(at(0)), [[/./, empty]])
  const reading = await nwisSource.poll(nwis({ api_key: 'abc' }), keyed.tools)
  t.match(reading, { items: 0, events: [] })
  const [asked] = keyed.asked
  t.match(asked?.url, /^https:\/\/api\.waterdata\.usgs\.gov\/ogcapi\/v0\/collections\/latest-continuous\/items\?/)
  t.match(decodeURIComponent(asked?.url ?? ''), /monitoring_location_id=USGS-13247500&parameter_code=00065/)
  t.same(asked?.headers, { 'X-Api-Key': 'abc' })
  t.notMatch(asked?.url, /abc/, 'the key is not in the address')
  const old = server(room.tools(at(0)), [[/waterservices/, 'unchanged']])
  t.equal(await nwisSource.poll(nwis({ api: 'waterservices' }), old.tools), 'unchanged')
  t.match(old.asked[0]?.url, /\/nwis\/iv\/\?format=json&sites=13247500&parameterCd=00065&siteStatus=active/)
  const many = nwis({
    sites: Array.from({ length: 120 }, (_, index) => ({ id: String(10_000_000 + index), minor: 1 }))
  })
  const chunks = server(room.tools(at(0)), [[/./, empty]])
  await nwisSource.poll(many, chunks.tools)
  t.equal(chunks.asked.length, 3)
  t.type(inWords(nwisSource.missing?.(nwis({ sites: [] }))), 'string')
  t.equal(nwisSource.missing?.(nwis()), null)
})

t.test('settings refuse thresholds that do not rise, and sites without any', async (t) => {
  for (const site of [{ id: '13247500' }, { id: '13247500', action: 12, minor: 11 }, { id: 'a b', minor: 1 }])
    t.notOk(v.safeParse(nwisSourceSchema, { kind: 'nwis', sites: [site] }).success, JSON.stringify(site))
})

t.test('what is not a listing is refused with what came instead', async (t) => {
  const rows: [unknown, RegExp][] = [
    ['', /empty/],
    ['<html></html>', /web page/],
    [{ code: 'OVER_RATE_LIMIT', description: 'slow down' }, /slow down/],
    [{ type: 'FeatureCollection' }, /neither features nor time series/],
    [{ error: { message: 'key' } }, /key/]
  ]
  for (const [body, message] of rows)
    t.throws(() => nwisSource.read(bytes(body), nwis(), setup('nwis').tools(at(0))), { code: 'bad-input', message })
  t.throws(() => nwpsSource.read(bytes({ code: 5, message: 'not found' }), nwps(), setup('nwps').tools(at(0))), {
    message: /not found/
  })
})

const nwps = (change: object = {}) => v.parse(nwpsSourceSchema, { kind: 'nwps', gauges: ['hsbi1'], ...change })
const gauge = (observed: object, rest: object = {}): object => ({
  lid: 'HSBI1',
  usgsId: '13247500',
  name: 'Payette River near Horseshoe Bend',
  latitude: 43.94,
  longitude: -116.2,
  status: {
    observed: { primary: 12.4, primaryUnit: 'ft', floodCategory: 'minor', validTime: iso(at(0)), ...observed },
    forecast: { primary: 13.1, primaryUnit: 'ft', floodCategory: 'moderate', validTime: iso(at(60)) }
  },
  flood: {
    stageUnits: 'ft',
    flowUnits: 'kcfs',
    categories: {
      action: { stage: 9, flow: -9999 },
      minor: { stage: 11, flow: -9999 },
      moderate: { stage: 13, flow: -9999 },
      major: { stage: -9999, flow: -9999 }
    }
  },
  ...rest
})

t.test('a gauge of the prediction service brings its flood stages and its crest', async (t) => {
  const [event] = nwpsSource.read(bytes(gauge({})), nwps(), setup('nwps').tools(at(0))).events
  t.match(event, {
    id: `HSBI1:${iso(at(0))}`,
    severity: 'priority',
    category: 'stream_flood_warning',
    title: 'Payette River near Horseshoe Bend: minor flood stage, 3.78 m',
    data: { flood_stage_ft: 11, crest_ft: 13.1, crest_time: iso(at(60)), attribution: 'NWPS' }
  })
  if (event === undefined) return
  const text = composeMessage(request({ event, nowMs: at(0), station: { ...request().station, units: 'imperial' } }))
    .parts[0]
  t.match(text, /^RIVER Payette nr Horseshoe Bend 12\.4ft, FLOOD 11\.0, crest 13\.1 /)
})

t.test(
  'a station of miles is told feet, and one of kilometres metres, in the unit of the gauge where that is its own',
  async (t) => {
    const title = (unit: string, value: number, told: ReadTools) =>
      nwpsSource.read(bytes(gauge({ primary: value, primaryUnit: unit })), nwps(), told).events[0]?.title
    t.match(title('ft', 12.4, imperial()), /, 12\.4 ft$/)
    t.match(title('ft', 12.4, setup('nwps').tools(at(0))), /, 3\.78 m$/)
  }
)

t.test('without stages the category of the service counts, with the same tenth of a foot', async (t) => {
  const room = setup('nwps')
  const read = (primary: number, floodCategory: string, quarters: number): SourceReading => {
    const entry = gauge({ primary, floodCategory, validTime: iso(at(quarters)) }, { flood: { categories: [] } })
    const reading = nwpsSource.read(bytes({ gauges: [entry] }), nwps(), room.tools(at(quarters)))
    room.save(reading)
    return reading
  }
  t.same(told([read(11.3, 'minor', 0), read(11.02, 'minor', 1), read(10.97, 'action', 2), read(10.9, 'action', 3)]), [
    'new priority stream_flood_warning minor',
    'update routine stream_high_water action'
  ])
  t.same(told([read(8, 'no_flooding', 4)]), ['cancel routine stream_high_water none'])
})

t.test('gauges that say nothing about now are skipped with the reason', async (t) => {
  const rows: [object, string][] = [
    [gauge({ floodCategory: 'obs_not_current', validTime: '0001-01-01T00:00:00Z' }), 'its readings are not current'],
    [gauge({ floodCategory: 'out_of_service' }), 'out of service'],
    [gauge({ floodCategory: 'not_defined' }, { flood: null }), 'no flood categories are defined for it'],
    [gauge({ validTime: '0001-01-01T00:00:00Z' }), 'no time of the reading'],
    [gauge({ validTime: iso(at(-20)) }), 'the reading is … h old'],
    [gauge({ primary: -999, floodCategory: 'unknown' }), 'no category and no flood stages'],
    [gauge({}, { status: {} }), 'no reading'],
    [gauge({}, { lid: '' }), 'no name'],
    [gauge({ primary: 3, floodCategory: 'no_flooding' }), 'below action stage'],
    [gauge({ primary: 3, floodCategory: 'low_threshold' }), 'below action stage']
  ]
  for (const [entry, reason] of rows) {
    const reading = nwpsSource.read(bytes({ gauges: [entry] }), nwps(), setup('nwps').tools(at(0)))
    t.same([reading.events.length, Object.keys(reasons(reading))], [0, [reason]])
  }
  const garbage = nwpsSource.read(bytes({ gauges: [null, 3, [], {}, gauge({})] }), nwps(), setup('nwps').tools(at(0)))
  t.same([garbage.events.length, garbage.skipped.length, garbage.items], [1, 4, 5])
})

t.test('a gauge that measures flow is judged by the flows of its categories', async (t) => {
  const flood = {
    flowUnits: 'kcfs',
    categories: { minor: { stage: -9999, flow: 20 }, major: { stage: -9999, flow: 40 } }
  }
  const body = bytes(gauge({ primary: 45, primaryUnit: 'kcfs', floodCategory: 'major' }, { flood }))
  t.match(nwpsSource.read(body, nwps(), setup('nwps').tools(at(0))).events[0], {
    severity: 'immediate',
    data: { detail: 'At major flood stage, flow 1274 m3/s.' }
  })
  t.match(nwpsSource.read(body, nwps(), imperial()).events[0], {
    data: { detail: 'At major flood stage, flow 45 kcfs.' }
  })
})

t.test('the box is asked for in one request, named gauges singly', async (t) => {
  const one = server(setup('nwps').tools(at(0)), [[/./, gauge({})]])
  await nwpsSource.poll(nwps({ gauges: ['hsbi1', 'EMMI1'], bbox: [-117, 43, -116, 44] }), one.tools)
  t.same(
    one.asked.map(({ url }) => url.replace('https://api.water.noaa.gov/nwps/v1/gauges', '')),
    ['?bbox.xmin=-117&bbox.ymin=43&bbox.xmax=-116&bbox.ymax=44&srid=EPSG_4326', '/HSBI1', '/EMMI1']
  )
  const same = server(setup('nwps').tools(at(0)), [[/./, 'unchanged']])
  t.equal(await nwpsSource.poll(nwps(), same.tools), 'unchanged')
  t.type(inWords(nwpsSource.missing?.(nwps({ gauges: [] }))), 'string')
})

t.test('names fit into a message', async (t) => {
  const rows: [string, string][] = [
    ['PAYETTE RIVER NR HORSESHOE BEND, ID', 'Payette Nr Horseshoe Bend'],
    ['Payette River at Emmett', 'Payette@Emmett'],
    ['Camas Creek near Fairfield, ID', 'Camas Creek nr Fairfield'],
    ['Big Wood River', 'Big Wood River']
  ]
  for (const [name, expected] of rows) t.equal(shortGaugeName(name), expected)
  t.ok([-999, -9999, -999_999].every((value) => isNoData(value)))
  t.notOk([0, -1.2, -99, -1000.5].some((value) => isNoData(value)))
  t.equal(convert(1, 'ft', 'm3/s'), null)
})

t.test('a stage rises at its threshold and falls only beyond the margin, whatever the values', async (t) => {
  const stage = fc.constantFrom<Stage>(...STAGES)
  const check = (): void =>
    fc.assert(
      fc.property(fc.double({ min: 0, max: 20, noNaN: true }), stage, (value, before) => {
        const margin = () => 0.1
        const now = stageOf(value, STAGE_LIMITS, before, margin)
        const plain = stageOf(value, STAGE_LIMITS, 'none', margin)
        const settled = stageOf(value, STAGE_LIMITS, now, margin) === now
        const higher = stageRank(now) >= stageRank(plain)
        const held =
          now === plain || (now !== 'none' && value >= STAGE_LIMITS[now] - 0.1 && stageRank(now) <= stageRank(before))
        return settled && higher && held
      })
    )
  t.doesNotThrow(check)
})

const FIXTURES: [file: string, now: string, sites: object[], events: number, skipped: Record<string, number>][] = [
  [
    'iv-two-sites.json',
    '2020-08-18T20:50:43Z',
    [
      { id: '01646500', minor: 9000, moderate: 20_000, unit: 'ft3/s' },
      { id: '02458502', action: 100, unit: 'ft3/s' }
    ],
    1,
    { 'below action stage': 1 }
  ],
  [
    'dv-range.json',
    '2020-02-16T00:00:00Z',
    [{ id: '01491000', minor: 100, unit: 'ft3/s' }],
    0,
    {
      'a daily value says nothing about now': 10
    }
  ],
  [
    'ogc-api-samples.json',
    '2026-08-07T19:00:00Z',
    [{ id: '06904500', action: 1.5 }],
    1,
    {
      'no flood stages are set for it': 1
    }
  ]
]

t.test('the recordings of both services, as they are and broken', async (t) => {
  for (const [name, now, sites, events, skipped] of FIXTURES) {
    const file = needsFixture(t, `feeds/nwis/${name}`)
    if (file === null) continue
    const body = new Uint8Array(readFileSync(file))
    const settings = nwis({ sites })
    const reading = nwisSource.read(body, settings, setup('nwis').tools(Date.parse(now)))
    t.equal(reading.events.length, events, name)
    t.same(reasons(reading), skipped, name)
    t.same(faults(nwisSource, { body, settings, now: Date.parse(now), after: false }), [], name)
  }
})

t.test('a gauge of the prediction service, broken', async (t) => {
  t.same(faults(nwpsSource, { body: bytes({ gauges: [gauge({})] }), settings: nwps(), now: at(0), after: false }), [])
})
