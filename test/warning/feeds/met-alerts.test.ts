import { readFileSync } from 'node:fs'
import t from 'tap'
import * as v from 'valibot'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { metAlertsSource } from '../../../src/warning/feeds/met-alerts/met-alerts.ts'
import { metAlertsSourceSchema } from '../../../src/warning/feeds/met-alerts/settings.ts'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { request } from '../messages/samples.ts'
import { bytes, faults, reasons, type Setup, server, setup } from './geo-harness.ts'

const NOW = Date.parse('2026-03-07T06:00:00Z')
const HOUR = 3_600_000
const AREA = {
  type: 'Polygon',
  coordinates: [
    [
      [5, 60],
      [6, 60],
      [6, 61],
      [5, 60]
    ]
  ]
}
const settings = (change: object = {}) => v.parse(metAlertsSourceSchema, { kind: 'met_alerts', ...change })

const met = (properties: object = {}, rest: object = {}): object => ({
  type: 'Feature',
  geometry: AREA,
  properties: {
    id: '2.49.0.1.578.0.260306220000.0833_1_0',
    area: 'Hordaland',
    event: 'rainFlood',
    eventAwarenessName: 'Heavy rain and floods',
    awareness_level: '3; orange; Severe',
    awareness_type: '10; Rain',
    severity: 'Severe',
    certainty: 'Likely',
    status: 'Actual',
    type: 'Alert',
    title: 'Heavy rain, orange level, Hordaland',
    description: 'Very heavy rain, 90 mm in 12 hours. More later.',
    instruction: 'Keep away from rivers.',
    ...properties
  },
  when: { interval: ['2026-03-07T20:00:00+00:00', '2026-03-08T10:00:00+00:00'] },
  ...rest
})
const listing = (features: unknown[], lang = 'en') =>
  bytes({ type: 'FeatureCollection', lang, lastChange: '2026-03-07T05:17:01+00:00', features })
const read = (features: unknown[], room: Setup = setup('met_alerts'), now = NOW, change = {}): SourceReading => {
  const reading = metAlertsSource.read(listing(features), settings(change), room.tools(now))
  room.save(reading)
  return reading
}
const short = ({ lifecycle, severity, category }: LookoutEvent) => `${lifecycle} ${severity} ${category}`

t.test('an alert of MET Norway has its place in the event, and its identifier may tell when it was sent', async (t) => {
  const reading = read([met()])
  t.match(reading, { updated: '2026-03-07T05:17:01.000Z', items: 1 })
  const [event] = reading.events
  t.match(event, {
    id: '2.49.0.1.578.0.260306220000.0833_1_0',
    category: 'weather_flood_warning',
    family: 'weather',
    severity: 'priority',
    title: 'Heavy Rain And Floods Warning: Hordaland',
    geometry: AREA,
    onset: '2026-03-07T20:00:00.000Z',
    expires: '2026-03-08T10:00:00.000Z',
    sent_at: '2026-03-07T05:17:01.000Z',
    lifecycle: 'new',
    data: {
      places: ['Hordaland'],
      detail: 'Very heavy rain, 90 mm in 12 hours.',
      instruction: 'Keep away from rivers.',
      attribution: 'MET Norway',
      material: 'priority|2026-03-08T10:00:00.000Z'
    }
  })
  if (event === undefined) return
  const [text] = composeMessage(request({ event, nowMs: NOW })).parts
  t.match(text, /^ORANGE HEAVY RAIN AND FLOODS WARN Hordaland from/)
  const long = met({ id: '2.49.0.1.578.0.20260306192210.079' })
  t.equal(read([long]).events[0]?.sent_at, '2026-03-06T19:22:10.000Z')
  const given = met({ id: 'x', sent: '2026-03-07T04:00:00+01:00' })
  t.match(read([given]).events[0], { sent_at: '2026-03-07T03:00:00.000Z', revision: '2026-03-07T03:00:00.000Z' })
  t.match(read([met({ id: 'x' })]).events[0], { sent_at: '2026-03-07T05:17:01.000Z', revision: '' })
})

t.test('the colour of the awareness level makes the level; what is not actual or over is skipped', async (t) => {
  const rows: [object, string, string][] = [
    [{ awareness_level: '2; yellow; Moderate' }, 'new routine weather_flood_warning', ''],
    [{ awareness_level: '3; orange; Severe' }, 'new priority weather_flood_warning', ''],
    [{ awareness_level: '4; red; Extreme' }, 'new critical weather_flood_warning', ''],
    [{ awareness_level: '4; red; Extreme', urgency: 'Immediate' }, 'new immediate weather_flood_warning', ''],
    [{ awareness_level: undefined, severity: 'Extreme' }, 'new critical weather_flood_warning', ''],
    [{ awareness_level: undefined, riskMatrixColor: 'Red' }, 'new critical weather_flood_warning', ''],
    [{ awareness_level: undefined, severity: undefined }, 'new priority weather_flood_warning', ''],
    [{ awareness_level: '1; green; Minor' }, '', 'awareness level green'],
    [{ event: 'forestFire', eventAwarenessName: 'Forest fire danger' }, 'new priority fire_weather_warning', ''],
    [{ status: 'Test' }, '', 'test'],
    [{ type: 'Ack' }, '', 'message type Ack'],
    [{ type: 'Update' }, 'update priority weather_flood_warning', ''],
    [{ type: 'Cancel' }, 'cancel priority weather_flood_warning', ''],
    [{ event: undefined }, '', 'no id or no event']
  ]
  for (const [change, expected, reason] of rows) {
    const reading = read([met(change)])
    t.same(
      [reading.events.map(short).join(), Object.keys(reasons(reading)).join()],
      [expected, reason],
      JSON.stringify(change)
    )
  }
  t.same(reasons(read([met({}, { when: { interval: ['2026-03-06T00:00:00Z', '2026-03-07T05:00:00Z'] } })])), {
    'over since …': 1
  })
  t.same(reasons(read([null, 4, { type: 'Feature' }])), { 'no properties': 3 })
  t.match(read([met({}, { when: null, geometry: { type: 'Polygon' } })]).events, [{ geometry: null, expires: null }])
})

t.test('names are English whatever the language of the listing', async (t) => {
  const norwegian = metAlertsSource.read(
    listing([met({ event: 'gale', eventAwarenessName: 'Kuling' })], 'no'),
    settings(),
    setup('m').tools(NOW)
  )
  t.equal(norwegian.events[0]?.data.event_name, 'Gale Warning')
})

t.test(
  'a listing in Norwegian is told whole in Norwegian on an English channel, and without its prose on a German one',
  async (t) => {
    const kuling = { event: 'gale', eventAwarenessName: 'Kuling', awareness_level: '2; yellow; Moderate' }
    const said = { description: 'Østlig sterk kuling 20 m/s.', instruction: 'Ikke dra ut i småbåt.', area: 'A2' }
    const [event] = metAlertsSource.read(
      listing([met({ ...kuling, ...said })], 'no'),
      settings(),
      setup('m').tools(NOW)
    ).events
    const station = { ...request().station, timezone: 'Europe/Oslo', time_format: '24h' as const }
    const told = (language: 'en' | 'de', kind: 'new' | 'update' = 'new') =>
      composeMessage(request({ ...(event === undefined ? {} : { event }), kind, station, language, nowMs: NOW }))
        .parts[0] ?? ''
    t.match(told('en'), /^GULT: KULING A2 (?:fra .* )?til .*\. Østlig sterk kuling 20 m\/s\. Ikke dra ut i småbåt/)
    t.match(told('en', 'update'), /^GULT: KULING OPPD\. A2 /)
    t.match(told('de'), /^WARNSTUFE GELB: STURM AUF SEE A2 ab /)
    t.notMatch(told('de'), /kuling|småbåt/i)
  }
)

t.test('an alert that says from when it counts, not when it was sent, was sent by then', async (t) => {
  const sent = (effective: string): unknown => {
    const body = bytes({ type: 'FeatureCollection', features: [met({ id: 'x', effective })] })
    return metAlertsSource.read(body, settings(), setup('met_alerts').tools(NOW)).events[0]?.sent_at
  }
  t.equal(sent('2026-03-07T03:00:00Z'), '2026-03-07T03:00:00.000Z')
  t.equal(sent('2026-03-07T09:00:00Z'), '2026-03-07T06:00:00.000Z', 'never later than it came')
})

t.test('an update joins the thread of the message it takes the place of, a cancel ends it', async (t) => {
  const room = setup('met_alerts')
  const thread = (reading: SourceReading) =>
    reading.events.map(({ thread_id, lifecycle }) => `${lifecycle} ${thread_id}`)
  const [first] = thread(read([met({ id: 'a' })], room))
  t.same(thread(read([met({ id: 'a' })], room)), [first])
  const [second] = thread(read([met({ id: 'b', type: 'Update' })], room))
  t.equal(second, first?.replace('new', 'update'))
  const [third] = thread(read([met({ id: 'c', type: 'Update' })], room))
  t.equal(third, second)
  t.same(thread(read([met({ id: 'c', type: 'Update' })], room)), [third])
  t.same(thread(read([met({ id: 'd', type: 'Cancel' })], room)), [first?.replace('new', 'cancel')])
})

t.test('two alerts for one area at once stay two threads; references join over other names', async (t) => {
  const room = setup('met_alerts')
  const threads = (reading: SourceReading) => reading.events.map(({ thread_id }) => thread_id)
  const [a, b] = threads(read([met({ id: 'a' }), met({ id: 'b' })], room))
  t.not(a, b)
  const [a2, c] = threads(read([met({ id: 'a' }), met({ id: 'c', type: 'Update' })], room))
  t.same([a2, c], [a, b], 'the one that is not listed any more is the one that was updated')
  t.same(
    threads(
      read(
        [met({ id: 'x', type: 'Update', event: 'snow', references: 'noreply@met.no,a,2026-03-06T22:00:00-00:00' })],
        room
      )
    ),
    [a]
  )
  const fresh = threads(read([met({ id: 'n', type: 'Update' })], setup('m')))
  t.same(fresh, ['m:n'], 'an update of something never seen starts its own')
  const late = threads(
    read([met({ id: 'l', type: 'Update', sent: '2026-03-09T00:00:00Z' }, { when: null })], room, NOW + 48 * HOUR)
  )
  t.notOk([a, b].includes(late[0]), 'what ended long ago is not gone on with')
})

const eccc = (properties: object = {}, rest: object = {}): object => ({
  type: 'Feature',
  id: 'f1',
  geometry: AREA,
  properties: {
    alert_code: 'STQ',
    alert_type: 'warning',
    alert_name_en: 'severe thunderstorm warning',
    alert_short_name_en: 'Severe thunderstorm (warning)',
    alert_name_fr: 'avertissement d’orages violents',
    publication_datetime: '2026-03-07T05:50:00.270Z',
    validity_datetime: '2026-03-07T05:50:00.270Z',
    expiration_datetime: '2026-03-07T13:59:52.270Z',
    event_end_datetime: '2026-03-07T13:00:00.000Z',
    alert_text_en: 'Large hail is possible. Take cover.',
    risk_colour_en: 'orange',
    feature_name_en: 'Apsley - Woodview',
    province: 'ON',
    status_en: 'issued',
    ...properties
  },
  ...rest
})

t.test('an alert of Canada is read by the same reader', async (t) => {
  const room = setup('eccc')
  const collection = (features: unknown[]) =>
    bytes({ type: 'FeatureCollection', features, timeStamp: '2026-03-07T05:59:00Z' })
  const one = (feature: object, now = NOW): SourceReading => {
    const reading = metAlertsSource.read(collection([feature]), settings({ provider: 'eccc' }), room.tools(now))
    room.save(reading)
    return reading
  }
  const [event] = one(eccc()).events
  t.match(event, {
    id: 'f1',
    revision: '2026-03-07T05:50:00.270Z',
    category: 'weather_thunderstorm_warning',
    severity: 'priority',
    title: 'Severe Thunderstorm Warning: Apsley - Woodview',
    onset: '2026-03-07T05:50:00.270Z',
    expires: '2026-03-07T13:00:00.000Z',
    sent_at: '2026-03-07T05:50:00.270Z',
    data: { places: ['Apsley - Woodview'], detail: 'Large hail is possible.', attribution: 'ECCC' }
  })
  const later = { publication_datetime: '2026-03-07T06:20:00Z' }
  const [next] = one(eccc({ ...later, status_en: 'continued' }), NOW + HOUR).events
  t.same([next?.thread_id, next?.lifecycle], [event?.thread_id, 'update'])
  const [over] = one(eccc({ publication_datetime: '2026-03-07T07:20:00Z', status_en: 'ended' }), NOW + 2 * HOUR).events
  t.match(over, { lifecycle: 'cancel', thread_id: event?.thread_id, data: { material: 'cancel' } })
  t.not(over?.revision, next?.revision)
  const again = { publication_datetime: '2026-03-09T07:20:00Z', event_end_datetime: '2026-03-09T13:00:00Z' }
  t.not(one(eccc(again), NOW + 49 * HOUR).events[0]?.thread_id, event?.thread_id, 'the next storm is another thread')
  const rows: [object, string][] = [
    [{ alert_name_en: 'tornado warning', risk_colour_en: 'red' }, 'new immediate weather_tornado_warning'],
    [{ risk_colour_en: 'red' }, 'new critical weather_thunderstorm_warning'],
    [{ risk_colour_en: 'yellow' }, 'new routine weather_thunderstorm_warning'],
    [
      { alert_name_en: 'severe thunderstorm watch', alert_type: 'watch', risk_colour_en: null },
      'new routine weather_thunderstorm_watch'
    ],
    [
      { alert_name_en: 'special weather statement', alert_type: 'statement', risk_colour_en: 'grey' },
      'new routine weather_statement'
    ],
    [{ alert_name_en: null, risk_colour_en: null }, 'new priority weather_thunderstorm_warning']
  ]
  for (const [change, expected] of rows) {
    const reading = metAlertsSource.read(collection([eccc(change)]), settings(), setup('x').tools(NOW))
    t.same(reading.events.map(short), [expected], JSON.stringify(change))
  }
})

t.test(
  'features that share an id each become an event; a feature without one is named by what and where',
  async (t) => {
    const features = [eccc(), eccc({ feature_name_en: 'Bancroft' }), eccc({ feature_name_en: 'Bancroft' })]
    const reading = metAlertsSource.read(listing(features), settings(), setup('x').tools(NOW))
    t.same(
      reading.events.map(({ id }) => id),
      ['f1|STQ|Apsley - Woodview', 'f1|STQ|Bancroft']
    )
    t.same(reasons(reading), { 'listed twice': 1 })
    const bare = metAlertsSource.read(listing([eccc({}, { id: undefined })]), settings(), setup('x').tools(NOW))
    t.same(
      bare.events.map(({ id }) => id),
      ['STQ|Apsley - Woodview']
    )
  }
)

t.test('each provider is asked at its address, in the language of the settings', async (t) => {
  const empty = { type: 'FeatureCollection', features: [] }
  const rows: [object, string][] = [
    [{}, 'https://api.met.no/weatherapi/metalerts/2.0/current.json?lang=en'],
    [
      { provider: 'eccc', language: 'fr' },
      'https://api.weather.gc.ca/collections/weather-alerts/items?f=json&limit=1000&lang=fr'
    ],
    [{ url: 'https://example.org/a?lang=no' }, 'https://example.org/a?lang=no']
  ]
  for (const [change, url] of rows) {
    const { tools, asked } = server(setup('m').tools(NOW), [[/./, empty]])
    t.match(await metAlertsSource.poll(settings(change), tools), { items: 0, events: [] })
    t.equal(asked[0]?.url, url)
  }
  t.equal(metAlertsSource.needsContact, true, 'MET Norway blocks who does not say who asks')
  const { tools } = server(setup('m').tools(NOW), [[/./, 'unchanged']])
  t.equal(await metAlertsSource.poll(settings(), tools), 'unchanged')
  for (const body of [
    '',
    '<html/>',
    '{}',
    '{"code":"NoApplicableCode","description":"busy"}',
    '{"type":"FeatureCollection","features":[{}'
  ])
    t.throws(() => metAlertsSource.read(bytes(body), settings(), setup('m').tools(NOW)), { code: 'bad-input' })
})

t.test('what is remembered does not grow beyond what is listed and a day of what was', async (t) => {
  const room = setup('met_alerts')
  for (let day = 0; day < 30; day++) {
    const interval = [NOW + day * 24 * HOUR, NOW + (day * 24 + 6) * HOUR].map((ms) => new Date(ms).toISOString())
    read([met({ id: `day${day}` }, { when: { interval } })], room, NOW + day * 24 * HOUR)
  }
  t.ok(room.memory.entries('').length <= 3, `${room.memory.entries('').length} entries`)
})

t.test('the recording of MET Norway, as it is and broken', async (t) => {
  const file = needsFixture(t, 'feeds/met-norway/metno_alerts.json')
  if (file === null) return
  const body = new Uint8Array(readFileSync(file))
  const reading = metAlertsSource.read(body, settings(), setup('met_alerts').tools(NOW))
  const counts = new Map<string, number>()
  for (const event of reading.events) counts.set(short(event), (counts.get(short(event)) ?? 0) + 1)
  t.same(Object.fromEntries(counts), {
    'update routine weather_marine_warning': 27,
    'new routine weather_marine_warning': 2
  })
  t.same([reading.items, reasons(reading)], [29, {}])
  t.ok(
    reading.events.every(
      ({ geometry, expires, sent_at }) => geometry !== null && expires !== null && sent_at < '2026-03-07T05:18'
    )
  )
  t.equal(new Set(reading.events.map(({ thread_id }) => thread_id)).size, reading.events.length)
  t.same(faults(metAlertsSource, { body, settings: settings(), now: NOW }), [])
})
