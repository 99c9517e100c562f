import t from 'tap'
import * as v from 'valibot'
import { nhcSource } from '../../../src/warning/feeds/nhc/nhc.ts'
import { type NhcSettings, nhcSourceSchema } from '../../../src/warning/feeds/nhc/settings.ts'
import { sourceKindOf } from '../../../src/warning/feeds/recognise.ts'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { stationSchema } from '../../../src/warning/station-settings.ts'
import { bytes, lives, MapMemory, pollTools, survivesDamage, textOf, tools } from './source-harness.ts'

const NOW = '2026-08-01T12:00:00Z'
const settings = (change: Record<string, unknown> = {}): NhcSettings =>
  v.parse(nhcSourceSchema, { kind: 'nhc', ...change })
const read = (body: string, change = {}, with_ = tools()): SourceReading =>
  nhcSource.read(bytes(body), settings(change), with_)

/** A storm as CurrentStorms.json has it: most numbers are texts, speeds are knots. */
const storm = (change: Record<string, unknown> = {}) => ({
  id: 'al042026',
  binNumber: 'AT4',
  name: 'Delta',
  classification: 'HU',
  intensity: '85',
  pressure: '972',
  latitude: '25.4N',
  longitude: '88.2W',
  latitudeNumeric: 25.4,
  longitudeNumeric: -88.2,
  movementDir: 315,
  movementSpeed: 12,
  lastUpdate: '2026-08-01T09:00:00.000Z',
  publicAdvisory: { advNum: '014', issuance: '2026-08-01T09:00:00.000Z', url: 'https://www.nhc.noaa.gov/text/x.shtml' },
  ...change
})
const json = (...storms: unknown[]): string => JSON.stringify({ activeStorms: storms })

const rss = (...items: string[]): string =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:gml="http://www.opengis.net/gml" xmlns:nhc="https://www.nhc.noaa.gov"><channel><title>NHC Atlantic</title><pubDate>Sat, 01 Aug 2026 09:05:00 GMT</pubDate>${items.join('')}</channel></rss>`
const summary = (change: Record<string, string> = {}): string => {
  const fields = {
    center: '21.7, -95.6',
    type: 'TROPICAL STORM',
    name: 'ALBERTO',
    wallet: 'AT1',
    atcf: 'AL012026',
    datetime: '4:00 AM CDT Sat Aug 1',
    movement: 'WSW at 9 mph',
    pressure: '995 mb',
    wind: '40 mph',
    headline: ' ...HEAVY RAIN NEARS VERACRUZ... ...THIS IS THE FIRST ADVISORY...',
    ...change
  }
  const cyclone = Object.entries(fields).map(([name, text]) => `<nhc:${name}>${text}</nhc:${name}>`)
  return `<item><title>Summary</title><guid>summary-al012026-202608010855</guid><pubDate>Sat, 01 Aug 2026 08:55:00 GMT</pubDate><gml:Point><gml:pos>21.7 -95.6</gml:pos></gml:Point><nhc:Cyclone>${cyclone.join('')}</nhc:Cyclone></item>`
}
const OUTLOOK =
  '<item><title>Tropical Weather Outlook</title><guid>two</guid><pubDate>Sat, 01 Aug 2026 09:00:00 GMT</pubDate></item>'

t.test('a storm of CurrentStorms.json has its class, winds, movement, place and advisory', async (t) => {
  const { events, items, updated } = read(json(storm()))
  t.match(events, [
    {
      id: 'AL042026',
      revision: '14/1785574800000',
      category: 'weather_tropical_statement',
      title: 'Hurricane Delta',
      thread_id: 'nhc:AL042026',
      sent_at: '2026-08-01T09:00:00.000Z',
      circle: { lat: 25.4, lon: -88.2, radius_km: 500 },
      data: {
        event_name: 'Hurricane Delta',
        detail: 'Category 2, winds 155 km/h, moving NW at 23 km/h',
        gravity: 2,
        nhc: { wind_mph: 100, pressure_mb: 972, advisory: '14' }
      }
    }
  ])
  t.same([items, updated], [1, '2026-08-01T09:00:00.000Z'])
  const imperial = tools({ station: v.parse(stationSchema, { units: 'imperial' }) })
  t.equal(read(json(storm()), {}, imperial).events[0]?.data.detail, 'Category 2, winds 100 mph, moving NW at 14 mph')
})

t.test('a summary of a basin brings the same, and a headline', async (t) => {
  const { events, items } = read(rss(OUTLOOK, summary()))
  t.match(events, [
    {
      id: 'AL012026',
      title: 'Tropical Storm Alberto',
      lat: 21.7,
      lon: -95.6,
      circle: { radius_km: 350 },
      sent_at: '2026-08-01T08:55:00.000Z',
      data: {
        detail: 'Winds 65 km/h, moving WSW at 14 km/h. HEAVY RAIN NEARS VERACRUZ. THIS IS THE FIRST ADVISORY',
        severity_inside_region: 'priority'
      }
    }
  ])
  t.equal(items, 2)
  t.equal(read(rss(summary({ center: '' }))).events[0]?.lat, 21.7, 'the point of GML where there is no centre')
  t.match(read(rss(summary({ movement: 'STATIONARY' }))).events[0]?.data.detail, /stationary/)
})

t.test('the level goes by class, and only for regions it is near to', async (t) => {
  const level = (classification: string) => {
    const [event] = read(json(storm({ classification }))).events
    return [event?.severity, event?.data.severity_inside_region, event?.circle?.radius_km]
  }
  t.same(level('HU'), ['routine', 'critical', 500])
  t.same(level('TS'), ['routine', 'priority', 350])
  t.same(level('STS'), ['routine', 'priority', 350])
  for (const low of ['TD', 'STD', 'PC', 'PTC']) t.same(level(low), ['routine', 'routine', 200], low)
  t.equal(read(json(storm()), { hurricane_km: 100 }).events[0]?.circle?.radius_km, 100)
})

t.test('the category is that of the winds', async (t) => {
  const category = (knots: string) => read(json(storm({ intensity: knots }))).events[0]?.data.gravity
  t.same(['65', '85', '100', '115', '140'].map(category), [1, 2, 3, 4, 5])
  t.equal(read(json(storm({ classification: 'TS', intensity: '60' }))).events[0]?.data.gravity, undefined)
})

t.test('an advisory that changes nothing a listener would act on is no update', async (t) => {
  const material = (change: Record<string, unknown>) => read(json(storm(change))).events[0]?.data.material
  t.equal(material({}), material({ latitudeNumeric: 25.9, pressure: '970', publicAdvisory: { advNum: '015' } }))
  t.not(material({}), material({ intensity: '100' }))
  t.not(material({}), material({ movementDir: 0 }))
  t.not(material({}), material({ classification: 'TS' }))
})

t.test('that the advisories ended is no all-clear: the end is silent', async (t) => {
  const memory = new MapMemory()
  const bodies = [json(storm(), storm({ id: 'al052026', name: 'Gert' })), json(storm()), null]
  const step = async (index: number) =>
    nhcSource.poll(
      settings(),
      pollTools(() => bodies[index] ?? null, { memory })
    )
  t.same(lives(await step(0)), ['AL042026 new', 'AL052026 new'])
  t.same(lives(await step(1)), ['AL042026 new'])
  t.same(lives(await step(2)), ['AL052026 expire'])
})

t.test('the text read aloud: what, where, how strong, where to, who says so', async (t) => {
  const [event] = read(json(storm())).events
  t.ok(event)
  if (event === undefined) return
  const text = textOf({ ...event, regions: ['Gulf Coast'], region: 'Gulf Coast' }, NOW)
  t.equal(
    text,
    'HURRICANE DELTA Gulf Coast, 25.4N 88.2W (3:00a). Category 2, winds 155 km/h, moving NW at 23 km/h. NHC'
  )
})

t.test('a storm without a number, a centre, a class or a time is skipped, and spoils nothing', async (t) => {
  const broken = [
    storm({ id: '' }),
    storm({ id: 'al012026', latitudeNumeric: 0, longitudeNumeric: 0 }),
    storm({ id: 'al022026', latitudeNumeric: 'x', latitude: 'y' }),
    storm({ id: 'al032026', classification: 'XX' }),
    storm({ id: 'al052026', lastUpdate: '1970-01-01T00:00:00Z' }),
    storm({ id: 'al062026', name: 7, classification: null }),
    null,
    'storm',
    storm(),
    storm()
  ]
  const { events, skipped } = read(json(...broken))
  t.same(
    events.map(({ id }) => id),
    ['AL042026']
  )
  t.equal(skipped.length, 9)
  t.match(read(json(storm({ intensity: '9999', pressure: -5, movementSpeed: 'x' }))).events, [
    { data: { detail: '', nhc: { wind_mph: null, pressure_mb: null } } }
  ])
  const text = storm({ latitudeNumeric: null, longitudeNumeric: undefined })
  t.match(read(json(text)).events, [{ lat: 25.4, lon: -88.2 }], 'positions with the side of the world')
})

t.test('a body that is no listing is refused and says what to do', async (t) => {
  t.throws(() => read('{}'), /no list activeStorms\. Is url that of CurrentStorms\.json/)
  t.throws(() => read('{"activeStorms":{}}'), /no list activeStorms/)
  t.throws(() => read('{"activeStorms":['), /cut off/)
  t.throws(() => read('<feed/>'), /not an RSS feed\. Look at the address/)
  t.throws(() => read('<!DOCTYPE html><html/>'), /web page/)
  t.same(read(json()).events, [], 'no storms at all is an answer')
})

t.test('damage ends nothing', async (t) => {
  survivesDamage(t, nhcSource, bytes(json(storm(), storm({ id: 'al052026' }))), settings(), { name: 'nhc json' })
  survivesDamage(t, nhcSource, bytes(rss(OUTLOOK, summary())), settings(), { name: 'nhc rss' })
})

t.test('a file tells its kind', async (t) => {
  t.equal(sourceKindOf(json()), 'nhc')
  t.equal(sourceKindOf(rss(summary())), 'nhc')
})
