import { readFileSync } from 'node:fs'
import t from 'tap'
import { parseCap } from '../../../src/warning/feeds/cap/parse.ts'
import { parseNwsAlerts } from '../../../src/warning/feeds/nws/parse.ts'
import { decodeText } from '../../../src/warning/feeds/reading/xml.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { inWords } from '../../helpers/in-words.ts'
import { capDocument, capInfo, NWS_SENDER, nwsFeature, nwsListing } from './samples.ts'

const options = { receivedAt: Date.UTC(2026, 0, 15, 18, 1) }
const parse = (sample: Parameters<typeof capDocument>[0]) => parseCap(capDocument(sample), options)
const SQUARE = '<areaDesc>A; B</areaDesc><polygon>43.0,-114.0 43.0,-113.0 44.0,-113.0 43.0,-114.0</polygon>'
const geocode = (name: string, value: string) =>
  `<geocode><valueName>${name}</valueName><value>${value}</value></geocode>`
const code = (value: string) => `<eventCode><valueName>SAME</valueName><value>${value}</value></eventCode>`

t.test('a CAP alert becomes an event; latitude comes first in CAP and last in GeoJSON', async (t) => {
  const more =
    '<headline>Leave now</headline><description>Fire is near.<br/>Really.</description><senderName>Town</senderName>'.replace(
      '<br/>',
      '&lt;br/&gt;'
    )
  const { events, updated } = parse({
    infos: [
      capInfo({ event: 'Evacuation Immediate', more: more + code('EVI'), area: SQUARE + geocode('SAME', '016013') })
    ]
  })
  t.equal(updated, '2026-01-15T18:00:00.000Z')
  t.match(events, [
    {
      id: 'A-1',
      source: 'cap',
      category: 'emergency_evacuation',
      family: 'emergency',
      severity: 'immediate',
      title: 'Leave now',
      body: 'Fire is near.\nReally.',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-114, 43],
            [-113, 43],
            [-113, 44],
            [-114, 43]
          ]
        ]
      },
      same: ['016013'],
      expires: '2026-01-16T18:00:00.000Z',
      sent_at: '2026-01-15T18:00:00.000Z',
      thread_id: 'cap:civil@example.org,A-1',
      lifecycle: 'new',
      data: { places: ['A', 'B'], attribution: 'Town', detail: 'Fire is near.' }
    }
  ])
})

t.test('what a text says of it: level by colour, magnitude, a service as source, places that are names', async (t) => {
  const dataOf = (sample: Parameters<typeof capInfo>[0], sender = 'k.name@meteo.example') =>
    parse({ sender, infos: [capInfo(sample)] }).events[0]?.data
  const german = dataOf({
    event: 'gale-force gusts',
    more: '<headline>Orange Wind Warning issued for Germany</headline>',
    area: `<areaDesc>Kreis Lindau</areaDesc>${geocode('EMMA_ID', 'DE001')}`
  })
  t.match(german, { awareness: 'orange', attribution: 'meteo.example' })
  t.equal(dataOf({ event: 'Red Flag Warning', area: SQUARE })?.awareness, undefined, 'no colour of MeteoAlarm')
  const quake = dataOf({
    event: 'Earthquake',
    more: '<onset>2026-01-15T17:00:00-00:00</onset><headline>Green alert (Magnitude 5.2M, Depth:596.85km) in [unknown]</headline>',
    area: SQUARE.replace('A; B', 'Polygon')
  })
  t.match(quake, { magnitude: 5.2, depth_km: 596.85, origin_time: '2026-01-15T17:00:00.000Z', places: [] })
})

t.test('only actual, public alerts, updates and cancels come through', async (t) => {
  const table: [object, string][] = [
    [{ status: 'Test' }, 'test'],
    [{ status: 'Exercise' }, 'test'],
    [{ status: 'Draft' }, 'test'],
    [{ status: 'System' }, 'status System'],
    [{ msgType: 'Ack' }, 'msgType Ack'],
    [{ scope: 'Private' }, 'scope Private'],
    [{ id: '' }, 'no identifier or no sender'],
    [{ infos: [capInfo({ more: code('RMT') })] }, 'test']
  ]
  for (const [sample, reason] of table) {
    const { events, skipped } = parse(sample)
    t.same(events, [])
    t.match(inWords(skipped), [{ reason }])
  }
})

t.test('capitals, blanks behind commas and times without an offset are read as they are meant', async (t) => {
  const info = capInfo({
    more: '<expires>2026-01-15T21:00:00+0100</expires>',
    area: '<areaDesc>Coast</areaDesc><polygon>43, -114 43 ,-113 44, -113 43, -114</polygon>'
  })
  const document = capDocument({ status: 'ACTUAL', msgType: 'ALERT', scope: 'PUBLIC', infos: [info] })
    .replace(/<severity>[^<]*</, '<severity>EXTREME<')
    .replace(/<urgency>[^<]*</, '<urgency>immediate<')
    .replace(/<sent>[^<]*</, '<sent>2026-01-15T18:00:00<')
  const { events } = parseCap(document, { receivedAt: Date.parse('2026-01-15T18:30:00Z') })
  t.match(events, [
    { severity: 'immediate', lifecycle: 'new', sent_at: '2026-01-15T18:00:00.000Z', geometry: { type: 'Polygon' } }
  ])
  t.equal(events[0]?.expires, '2026-01-15T20:00:00.000Z')
  t.match(inWords(parseCap(document.replace('ACTUAL', 'TEST'), { receivedAt: 0 }).skipped), [{ reason: 'test' }])
})

t.test('one language is read: the wanted one, else English, else the first', async (t) => {
  const infos = ['de-CH', 'fr-CH', 'en-GB'].map((language) =>
    capInfo({ language, more: `<headline>${language}</headline>` })
  )
  const title = (wanted: string | undefined, list: string[]) =>
    parseCap(capDocument({ infos: list }), {
      ...options,
      ...(wanted === undefined ? {} : { language: wanted })
    }).events.map((event) => event.title)
  t.same(title(undefined, infos), ['en-GB'])
  t.same(title('fr', infos), ['fr-CH'])
  t.same(title('it', infos), ['en-GB'])
  t.same(title('it', infos.slice(0, 2)), ['de-CH'])
  t.same(
    title(undefined, [
      capInfo({ more: '<headline>x</headline>' }).replace('<language>en-US</language>', ''),
      ...infos.slice(0, 2)
    ]),
    ['x']
  )
})

t.test('several infos of one language are pieces of one event; a repeated one counts once', async (t) => {
  const [north, south] = ['North', 'South'].map((name) => capInfo({ area: `<areaDesc>${name}</areaDesc>` }))
  const { events } = parse({ infos: [north ?? '', south ?? '', north ?? ''] })
  t.same(
    events.map(({ id, thread_id }) => [id, thread_id]),
    [
      ['A-1', 'cap:civil@example.org,A-1'],
      ['A-1#2', 'cap:civil@example.org,A-1']
    ]
  )
})

t.test('updates and cancels join the earliest message they refer to, never themselves', async (t) => {
  const references =
    'civil@example.org,A-3,2026-01-15T09:00:00Z civil@example.org,A-2,2026-01-15T08:00:00Z civil@example.org,A-4,2026-01-15T08:00:00Z'
  t.match(parse({ id: 'A-4', msgType: 'Update', references }).events, [
    { thread_id: 'cap:civil@example.org,A-2', lifecycle: 'update', data: { references: ['A-3', 'A-2'] } }
  ])
  t.match(parse({ msgType: 'Cancel', references, infos: [] }).events, [
    {
      thread_id: 'cap:civil@example.org,A-2',
      lifecycle: 'cancel',
      severity: 'routine',
      family: 'emergency',
      data: { material: 'cancel' }
    }
  ])
  t.match(parse({ references: 'civil@example.org,A-1,2026-01-15T08:00:00Z' }).events, [
    { thread_id: 'cap:civil@example.org,A-1', lifecycle: 'new' }
  ])
})

t.test('an update that only gives the all-clear ends the event; a partial one leaves the rest running', async (t) => {
  const clear = capInfo({ more: '<responseType>AllClear</responseType>' })
  t.match(parse({ msgType: 'Update', infos: [clear] }).events, [{ lifecycle: 'cancel', severity: 'routine' }])
  t.match(parse({ infos: [clear] }).events, [{ lifecycle: 'new', severity: 'routine' }])
  const partial = parse({ msgType: 'Update', infos: [clear, capInfo({ area: SQUARE })] })
  t.match(partial.events, [{ lifecycle: 'update', severity: 'priority' }])
  t.equal(partial.skipped.length, 1)
})

t.test('an NWS alert is the same event with the same level in CAP and in JSON', async (t) => {
  const vtec = '/O.CON.KPIH.WS.W.0001.000000T0000Z-260117T0100Z/'
  const parameter = (name: string, value: string) =>
    `<parameter><valueName>${name}</valueName><value>${value}</value></parameter>`
  const info = capInfo({ event: 'Winter Storm Warning', more: parameter('VTEC', vtec), area: geocode('UGC', 'IDC013') })
  const [cap] = parse({ sender: NWS_SENDER, infos: [info] }).events
  const [json] = parseNwsAlerts(nwsListing(nwsFeature({ vtec: [vtec], messageType: 'Update' })), options).events
  for (const key of ['thread_id', 'severity', 'category', 'family', 'lifecycle'] as const)
    t.equal(cap?.[key], json?.[key], key)
  t.equal(cap?.data.attribution, json?.data.attribution)
  const ended = (code: string): unknown[] => {
    const told = parse({ sender: NWS_SENDER, infos: [info.replace(vtec, code)] }).events[0]
    const listed = parseNwsAlerts(nwsListing(nwsFeature({ vtec: [code], ends: null })), options).events[0]
    t.strictSame([told?.expires, told?.data.until_further_notice], [listed?.expires, listed?.data.until_further_notice])
    return [told?.expires, told?.data.until_further_notice]
  }
  // The message is replaced within hours; its hazard ends by VTEC, also where the listing leaves `ends` out.
  t.strictSame(ended(vtec), ['2026-01-17T01:00:00.000Z', undefined])
  t.strictSame(ended('/O.CON.KPIH.FL.W.0001.000000T0000Z-000000T0000Z/'), [null, true])
  const statement = capInfo({
    event: 'Special Weather Statement',
    area: geocode('UGC', 'IDC025') + geocode('UGC', 'IDC013')
  })
  const [plain] = parse({ sender: NWS_SENDER, infos: [statement] }).events
  t.equal(
    plain?.thread_id,
    parseNwsAlerts(nwsListing(nwsFeature({ event: 'Special Weather Statement' })), options).events[0]?.thread_id
  )
})

t.test('areas are joined: one circle stays a circle, codes win where an area has nothing else', async (t) => {
  const place = (area: string) => parse({ infos: [capInfo({ area })] }).events[0]
  const two = (first: string, second: string) => place(`${first}</area><area>${second}`)
  const circle = '<areaDesc>C</areaDesc><circle>43.5,-114.5 12.5</circle>'
  t.match(place(circle), { geometry: null, circle: { lat: 43.5, lon: -114.5, radius_km: 12.5 } })
  const joined = two(SQUARE, circle)?.geometry
  t.match(joined, { type: 'MultiPolygon', coordinates: { length: 2 } })
  const ring = joined?.type === 'MultiPolygon' ? (joined.coordinates[1]?.[0] ?? []) : []
  t.equal(ring.length, 65)
  t.ok(ring.every(([lon = 0, lat = 0]) => Math.abs(lat - 43.5) < 0.113 && Math.abs(lon + 114.5) < 0.156))
  t.match(two(SQUARE, '<areaDesc>D</areaDesc>'), { geometry: { type: 'Polygon' } })
  const coded = two(SQUARE + geocode('UGC', 'idc013'), geocode('FIPS6', '016025'))
  t.match(coded, { geometry: null, zones: ['IDC013'], same: ['016025'] })
  t.same(two(SQUARE, geocode('EMMA_ID', 'EI807'))?.data['cap'] && place(geocode('EMMA_ID', 'EI807'))?.zones, [])
  for (const wrong of [
    '<polygon>1,2 3,4</polygon>',
    '<polygon>1,2 a,b 3,4 1,2</polygon>',
    '<circle>95,1 5</circle>',
    '<circle>1,2</circle>'
  ])
    t.match(place(wrong), { geometry: null, circle: null }, wrong)
})

t.test(
  'a geocode may hold several codes, in one value or as several pairs; codes of other systems are kept, at most 500',
  async (t) => {
    const pairs = `<geocode><valueName>FIPS6</valueName><value>016013 016025</value><valueName>UGC</valueName><value>idc013</value>
<valueName>NUTS3</valueName><value>Two Words</value></geocode>`
    const many = Array.from({ length: 600 }, (_, at) => geocode('profile:CAP-CP:Location:0.3', String(3_500_000 + at)))
    const [event] = parse({ infos: [capInfo({ area: `<areaDesc>A</areaDesc>${pairs}${many.join('')}` })] }).events
    t.match(event, { same: ['016013', '016025'], zones: ['IDC013'] })
    const codes = event?.data.geocodes ?? []
    t.same([codes.length, codes.slice(0, 2)], [500, ['NUTS3:Two Words', 'profile:CAP-CP:Location:0.3:3500000']])
  }
)

t.test('outlines with more corners than anybody needs are thinned, evenly, and stay closed', async (t) => {
  const ring = (corners: number, lon: number): string =>
    Array.from({ length: corners + 1 }, (_, at) => {
      const angle = ((at % corners) / corners) * 2 * Math.PI
      return `${(45 + Math.sin(angle)).toFixed(6)},${(lon + Math.cos(angle)).toFixed(6)}`
    }).join(' ')
  const shape = (...rings: string[]) => {
    const area = rings.map((text) => `<polygon>${text}</polygon>`).join('')
    return parse({ infos: [capInfo({ area: `<areaDesc>A</areaDesc>${area}` })] }).events[0]?.geometry
  }
  const usual = shape(ring(9000, -110))
  t.equal(usual?.type === 'Polygon' ? usual.coordinates[0]?.length : 0, 9001, 'left as it is')
  const huge = shape(ring(60_000, -110), ring(30_000, -100), ring(5, -90))
  const rings = huge?.type === 'MultiPolygon' ? huge.coordinates.map(([outer = []]) => outer) : []
  t.equal(rings.length, 3)
  t.ok(rings.flat().length <= 10_010 && rings.flat().length > 9000, `${rings.flat().length} corners`)
  for (const [number, outer] of rings.entries()) {
    t.same(outer[0], outer.at(-1), 'closed')
    const lon = [-110, -100, -90][number] ?? 0
    t.ok(
      outer.every(([x = 0, y = 0]) => Math.abs(Math.hypot(x - lon, y - 45) - 1) < 1e-5),
      'every corner is one of the outline'
    )
  }
  const crowd = shape(...Array.from({ length: 1200 }, (_, at) => ring(at < 100 ? 3 : 6, -110)))
  t.equal(crowd?.type === 'MultiPolygon' ? crowd.coordinates.length : 0, 1000)
})

t.test('a network with a scale of its own sets the level; null means that nothing is to be expected', async (t) => {
  const read = (sample: object, level: 'immediate' | null) =>
    parseCap(capDocument(sample), { ...options, level: () => level })
  t.match(read({}, 'immediate').events, [{ severity: 'immediate', data: { material: /^immediate/ } }])
  t.match(inWords(read({}, null)), { events: { length: 0 }, skipped: [{ reason: 'nothing is to be expected' }] })
  const references = 'civil@example.org,A-0,2026-01-15T09:00:00Z'
  t.match(read({ msgType: 'Update', references }, null).events, [{ lifecycle: 'cancel', severity: 'routine' }])
  t.match(
    read({ msgType: 'Cancel', references, infos: [] }, null).events,
    [{ lifecycle: 'cancel' }],
    'a bare Cancel has no info'
  )
})

t.test('an alert without an end holds for the hours given, from its effect', async (t) => {
  const expires = (more: string) =>
    parseCap(capDocument({ infos: [capInfo({ more })] }), { ...options, defaultExpiresHours: 2 }).events[0]?.expires
  t.equal(expires(''), '2026-01-15T20:00:00.000Z')
  t.equal(expires('<effective>2026-01-15T20:00:00Z</effective>'), '2026-01-15T22:00:00.000Z')
  t.equal(expires('<expires>2026-01-15T19:00:00Z</expires>'), '2026-01-15T19:00:00.000Z')
})

t.test('an alert that is assumed to end past the last year that can be written has no end', async (t) => {
  const sent = (text: string): string => capDocument().replace('2026-01-15T11:00:00-07:00', text)
  t.equal(parseCap(sent('9999-12-31T23:59:59Z'), options).events[0]?.expires, null)
  t.equal(parseCap(sent('9999-12-01T00:00:00Z'), options).events[0]?.expires?.slice(0, 4), '9999')
})

t.test('alerts of the NWS with county codes only are apart, each in a thread of its counties', async (t) => {
  const thread = (code: string) =>
    parse({ sender: NWS_SENDER, id: code, infos: [capInfo({ area: geocode('SAME', code) })] }).events[0]?.thread_id
  t.not(thread('016013'), thread('016025'))
})

t.test('prefixes, versions and order do not matter; DTDs, entities and other documents are refused', async (t) => {
  const prefixed = capDocument()
    .replace(/<(\/?)([a-z])/gi, '<$1cap:$2')
    .replace('xmlns=', 'xmlns:cap=')
    .replace('<cap:?', '<?')
  t.equal(parseCap(prefixed, options).events.length, 1)
  t.equal(parseCap(`\uFEFF${capDocument()}`, options).events.length, 1)
  const entity = '<?xml version="1.0"?><!DOCTYPE alert [<!ENTITY x "xxxx">]><alert>&x;</alert>'
  const table: [string, RegExp][] = [
    [entity, /DOCTYPE/],
    ['<alert>&unknown;</alert>', /well-formed/],
    ['<feed/>', /<feed>/],
    ['', /empty/],
    [capDocument().slice(0, 200), /well-formed/],
    [`<alert>${'<a>'.repeat(100)}${'</a>'.repeat(100)}</alert>`, /too deep/]
  ]
  for (const [body, message] of table) t.throws(() => parseCap(body, options), { code: 'bad-input', message })
})

t.test('bytes are decoded as their mark or declaration says', async (t) => {
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\u00e9</a>', 'latin1')
  t.match(decodeText(latin), /é/)
  t.match(decodeText(Buffer.from('\uFEFF<a>é</a>', 'utf8')), /^<a>é/)
  t.match(decodeText(Buffer.from('\uFEFF<a>é</a>', 'utf16le')), /^<a>é/)
  const wide = '<?xml version="1.0" encoding="UTF-16"?><a>\u00e9</a>'
  t.equal(decodeText(Buffer.from(wide, 'utf16le')), wide, 'without a mark')
  t.equal(decodeText(Buffer.from(wide, 'utf16le').swap16()), wide)
  t.equal(decodeText(Buffer.from(wide)), wide, 'UTF-16 by name, UTF-8 in truth')
  t.throws(() => decodeText(Buffer.from('<?xml version="1.0" encoding="klingon"?><a/>')), { code: 'bad-input' })
})

t.test('the captured alerts read as they were studied', async (t) => {
  const table: [string, object | null][] = [
    ['alertswiss-POA-1216107687-4.xml', { severity: 'routine', lifecycle: 'new', geometry: { type: 'Polygon' } }],
    ['alertswiss-TEST-1163.xml', null],
    ['australia.cap', { family: 'fire', circle: { lat: -35.3888, lon: 147.0598, radius_km: 25 }, lifecycle: 'new' }],
    [
      'canada.cap',
      { title: 'severe thunderstorm watch', severity: 'routine', lifecycle: 'cancel', thread_id: /a3f342a4/ }
    ],
    [
      'ie-2.49.0.1.372.0.250413231648.N_Norm002_SmallCraft.xml',
      { severity: 'routine', geometry: null, data: { attribution: 'Met Éireann' } }
    ],
    ['kz-2.49.0.0.398.0-20250306-133701-0284797-00-EN.xml', { severity: 'routine', geometry: { type: 'Polygon' } }],
    ['mo-cap_monsoon.xml', { title: /^Strong monsoon/, lifecycle: 'cancel', severity: 'routine' }],
    [
      'noaa-2.49.0.1.840.0.bde6c30c43ead9c23c42bea7977652a7de76d87d.002.1.xml',
      {
        zones: ['MDZ021', 'MDZ022', 'MDZ023', 'MDZ024'],
        geometry: { type: 'MultiPolygon' },
        data: { attribution: 'NWS AKQ' }
      }
    ],
    [
      'nws-weather-2010.cap',
      { thread_id: 'vtec:KTFX.FF.A.0003.2010', severity: 'priority', lifecycle: 'update', same: ['030049'] }
    ]
  ]
  for (const [name, expected] of table) {
    const file = needsFixture(t, `feeds/cap/${name}`)
    if (file === null) continue
    const { events, skipped } = parseCap(decodeText(readFileSync(file)), options)
    if (expected === null)
      t.match(inWords({ events, skipped }), { events: { length: 0 }, skipped: [{ reason: 'test' }] }, name)
    else t.match(events, [expected], name)
    t.equal(events.length, expected === null ? 0 : 1, `${name}: one event`)
  }
})

t.test('event codes of Canada and Germany are read; a Gefahrendurchsage is of what its headline says', async (t) => {
  const code = (system: string, value: string) =>
    `<eventCode><valueName>${system}</valueName><value>${value}</value></eventCode>`
  const eventOf = (more: string, change: (info: string) => string = (info) => info) => {
    const info = change(capInfo({ event: 'Gefahrendurchsage', more }))
    const [event] = parseCap(capDocument({ infos: [info] }), { receivedAt: 0 }).events
    return `${event?.category} ${event?.severity}`
  }
  const canada = 'profile:CAP-CP:Event:0.4'
  t.equal(eventOf(code(canada, 'amber')), 'emergency_amber immediate')
  t.equal(eventOf(code(canada, 'industryFire')), 'fire_warning priority')
  const broken = '<parameter><valueName>layer:SOREM:1.0:Broadcast_Immediately</valueName><value>Yes</value></parameter>'
  t.equal(eventOf(code(canada, 'drinkingWate') + broken), 'emergency_water immediate')
  t.equal(eventOf(code('HMCEVE', 'AMBER')), 'emergency_civil priority', 'a code of another system')
  t.equal(eventOf(code('profile:DE-BBK-EVENTCODE:01.00R', 'BBK-EVC-077')), 'fire_warning priority')
  t.equal(eventOf('<headline>Waldbrand am Hochstaufen</headline>'), 'fire_warning priority')
  const kinds = ['Geo', 'Rescue', 'Fire', 'Infra', 'CBRNE', 'Other']
    .map((kind) => `<category>${kind}</category>`)
    .join('')
  const many = (info: string) => info.replace('<category>Safety</category>', kinds)
  t.equal(
    eventOf('<headline>Grossbrand</headline>', many),
    'emergency_civil priority',
    'not the first that stands there'
  )
  t.same(
    parseCap(capDocument({ infos: [capInfo({ more: code(canada, 'testMessage') })] }), { receivedAt: 0 }).events,
    []
  )
})

t.test('an earthquake of Japan, Taiwan or Indonesia has its magnitude', async (t) => {
  const magnitudeOf = (event: string, headline: string) => {
    const info = capInfo({ event, more: `<headline>${headline}</headline>` })
    return parseCap(capDocument({ infos: [info] }), { receivedAt: 0 }).events[0]?.data.magnitude
  }
  t.equal(magnitudeOf('地震情報', 'マグニチュード5.4'), 5.4)
  t.equal(magnitudeOf('地震報告', '規模 6.1'), 6.1)
  t.equal(magnitudeOf('Gempabumi', 'Mag:5.2, Kedalaman 10 km'), 5.2)
  t.equal(magnitudeOf('Earthquake', 'M 4.8 near the coast'), 4.8)
})

t.test('a bare hazard is of the level its headline names: Canada, CAP 1.1', async (t) => {
  const categoryOf = (event: string, headline: string) => {
    const info = capInfo({ event })
      .replace(/<category>[^<]*<\/category>/, '<category>Met</category>')
      .replace(/<headline>[^<]*<\/headline>/, '')
      .replace('</event>', `</event><headline>${headline}</headline>`)
    return parseCap(capDocument({ infos: [info] }), { receivedAt: 0 }).events[0]?.category
  }
  t.equal(categoryOf('tornado', 'red warning - tornado - in effect'), 'weather_tornado_warning')
  t.equal(categoryOf('SEVERE THUNDERSTORM', 'SEVERE THUNDERSTORM WARNING'), 'weather_thunderstorm_warning')
  t.equal(categoryOf('blizzard', 'blizzard warning ended'), 'weather_winter_warning')
  t.equal(categoryOf('weather', 'special weather statement'), 'weather_statement')
})
