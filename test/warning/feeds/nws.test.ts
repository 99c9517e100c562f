import { readFileSync } from 'node:fs'
import t from 'tap'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { parseNwsAlerts } from '../../../src/warning/feeds/nws/parse.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { NWS_SENDER, nwsFeature, nwsListing } from './samples.ts'

const options = { receivedAt: Date.UTC(2026, 0, 15, 18, 1) }
const parse = (...features: unknown[]) => parseNwsAlerts(nwsListing(...features), options)
const only = (feature: unknown): LookoutEvent => {
  const { events, skipped } = parse(feature)
  const [event] = events
  if (event === undefined) throw new Error(`no event: ${JSON.stringify(skipped)}`)
  return event
}
const NEW = '/O.NEW.KPIH.WS.W.0001.260116T0100Z-260117T0100Z/'

t.test('every field of an alert has its place in the event', async (t) => {
  const geometry = { type: 'Polygon', coordinates: [[]] }
  const event = only(
    nwsFeature({
      vtec: [NEW],
      geometry,
      parameters: { NWSheadline: ['SNOW\nTONIGHT'], CMAMtext: ['NWS: SNOW'], maxWindGust: ['60 MPH'] }
    })
  )
  t.match(event, {
    id: 'urn:oid:1',
    source: 'nws',
    revision: '',
    category: 'weather_winter_warning',
    family: 'weather',
    severity: 'priority',
    title: 'Winter Storm Warning: Blaine, ID; Camas, ID',
    summary: 'SNOW TONIGHT',
    geometry,
    zones: ['IDC013', 'IDC025'],
    same: ['016013', '016025'],
    onset: '2026-01-16T01:00:00.000Z',
    expires: '2026-01-17T01:00:00.000Z',
    sent_at: '2026-01-15T18:00:00.000Z',
    received_at: '2026-01-15T18:01:00.000Z',
    thread_id: 'vtec:KPIH.WS.W.0001.2026',
    lifecycle: 'new',
    region: null
  })
  t.match(event.data, {
    event_name: 'Winter Storm Warning',
    places: ['Blaine, ID', 'Camas, ID'],
    detail: 'Heavy snow. Ten inches expected.',
    instruction: 'Stay home if you can.',
    attribution: 'NWS PIH',
    short_text: 'NWS: SNOW',
    vtec: { key: 'KPIH.WS.W.0001.2026', action: 'NEW' },
    material: 'priority|2026-01-17T01:00:00.000Z',
    nws: { maxWindGust: '60 MPH', severity: 'Severe' }
  })
})

t.test('VTEC, not the message type, says whether something is over', async (t) => {
  const table: [string, string, string, string][] = [
    ['NEW', 'Alert', 'new', 'priority|2026-01-17T01:00:00.000Z'],
    ['CON', 'Alert', 'update', 'priority|2026-01-17T01:00:00.000Z'],
    ['EXB', 'Alert', 'update', 'priority|2026-01-17T01:00:00.000Z'],
    ['EXP', 'Update', 'expire', 'EXP'],
    ['UPG', 'Cancel', 'expire', 'UPG'],
    ['CAN', 'Cancel', 'cancel', 'CAN']
  ]
  for (const [action, messageType, lifecycle, material] of table) {
    const event = only(nwsFeature({ messageType, vtec: [NEW.replace('NEW', action)] }))
    t.match(event, { lifecycle, thread_id: 'vtec:KPIH.WS.W.0001.2026', data: { material } }, action)
    t.equal(
      event.data.instruction === undefined,
      lifecycle === 'cancel' || lifecycle === 'expire',
      'no advice for what is over'
    )
  }
  t.equal(only(nwsFeature({ messageType: 'Update' })).lifecycle, 'update')
  t.equal(only(nwsFeature({ messageType: 'Cancel' })).lifecycle, 'cancel')
})

t.test('what ended is never raised by its name or by WEA handling', async (t) => {
  const tornado = { event: 'Tornado Warning', parameters: { WEAHandling: ['Imminent Threat'] } }
  t.equal(only(nwsFeature({ ...tornado, vtec: [NEW] })).severity, 'immediate')
  t.equal(
    only(nwsFeature({ ...tornado, vtec: [NEW.replace('NEW', 'CAN')], severity: 'Minor', urgency: 'Past' })).severity,
    'routine'
  )
})

t.test('an end until further notice is not news each time the message is renewed', async (t) => {
  const vtec = ['/O.CON.KPIH.FL.W.0001.000000T0000Z-000000T0000Z/']
  const materials = ['2026-01-15T20:00:00Z', '2026-01-16T20:00:00Z'].map(
    (expires) => only(nwsFeature({ vtec, ends: null, expires })).data.material
  )
  t.same(materials, ['priority|open', 'priority|open'])
})

t.test('tests, drafts and the like are skipped; one broken entry does not spoil the rest', async (t) => {
  const { events, skipped } = parse(
    nwsFeature({ id: 'urn:good' }),
    nwsFeature({ id: 'urn:good' }),
    nwsFeature({ id: 'urn:test', status: 'Test' }),
    nwsFeature({ id: 'urn:exercise', status: 'Exercise' }),
    nwsFeature({ id: 'urn:draft', status: 'Draft' }),
    nwsFeature({ id: 'urn:oid:KEEPALIVE-1' }),
    nwsFeature({ id: 'urn:weekly', eventCode: { SAME: ['RWT'] } }),
    nwsFeature({ id: 'urn:vtec', vtec: [NEW.replace('/O', '/T')] }),
    nwsFeature({ id: 'urn:when', sent: 'yesterday' }),
    nwsFeature({ id: 'urn:what', event: null }),
    { type: 'Feature', properties: null },
    null,
    7
  )
  t.same(
    events.map(({ id }) => id),
    ['urn:good']
  )
  t.equal(skipped.filter(({ reason }) => reason.code === 'only_a_test').length, 6)
  t.equal(skipped.length, 12)
})

t.test('without VTEC a message joins what it refers to, else sender, event and zones', async (t) => {
  const first = nwsFeature({ id: 'urn:1', event: 'Special Weather Statement' })
  const second = nwsFeature({ id: 'urn:2', references: [{ identifier: 'urn:1', sent: '2026-01-15T10:00:00-07:00' }] })
  const third = nwsFeature({
    id: 'urn:3',
    references: [
      { identifier: 'urn:0', sent: '2026-01-14T10:00:00-07:00' },
      { identifier: 'urn:00', sent: '2026-01-13T10:00:00-07:00' }
    ]
  })
  const { events } = parse(first, second, third)
  t.match(events[0]?.thread_id, /^nws:[0-9a-f]{16}$/)
  t.equal(events[1]?.thread_id, events[0]?.thread_id)
  t.equal(events[2]?.thread_id, `cap:${NWS_SENDER},urn:00`)
  const shuffled = nwsFeature({
    id: 'urn:9',
    event: 'Special Weather Statement',
    geocode: { UGC: ['IDC025', 'IDC013'] }
  })
  t.equal(only(shuffled).thread_id, events[0]?.thread_id)
  const expired = `${NWS_SENDER},urn:old,2026-01-01T00:00:00-07:00 broken`
  t.same(only(nwsFeature({ parameters: { expiredReferences: [expired] } })).data['references'], ['urn:old'])
})

t.test('the sentence that says what happens is found in the styles bulletins are written in', async (t) => {
  const table: [string, string, string][] = [
    [
      'Wind Advisory',
      '* WHAT...South winds to 50 mph expected in the\npasses.\n\n* WHERE...Here.',
      'South winds to 50 mph expected in the passes.'
    ],
    [
      'Gale Watch',
      '* WHAT...For the Dense Fog Advisory, fog. For the Gale Watch, east winds 35 kt.\n',
      'East winds 35 kt.'
    ],
    [
      'Severe',
      'At noon, a storm.\n\nHAZARD...60 mph wind gusts and quarter size hail possible.\n\nSOURCE...Radar.',
      'At noon, a storm. 60 mph wind gusts and quarter size hail possible.'
    ],
    [
      'Storm Warning',
      'Coastal Waters Forecast.\n\n.TODAY...NW wind 35 kt. Seas 6 ft.\n.TONIGHT...N wind.',
      'NW wind 35 kt. Seas 6 ft.'
    ],
    [
      'Winter Storm Warning',
      '* WHAT...For the Winter Weather Advisory below 2000 ft, snow. Up to 6 inches. For the Winter Storm Warning above 2000 ft, heavy snow. Up to 12 inches.',
      'Heavy snow. Up to 12 inches.'
    ],
    [
      'Rip Current Statement',
      '* WHAT...For the High Surf Advisory, waves of 7 feet. For the High Rip Current Risk, dangerous rip currents along all beaches.',
      'Dangerous rip currents along all beaches.'
    ],
    ['Beach Hazards Statement', '* WHAT...For both Beach Hazards Statements, sneaker waves.', 'Sneaker waves.'],
    [
      'High Wind Warning',
      '* WHAT...For the first High Wind Warning, gusts up to 70 mph. For the second High Wind Warning, gusts up to 80 mph.',
      'Gusts up to 70 mph.'
    ],
    ['Wind Advisory', '* WHAT...For Tuesday, gusts up to 45 mph.', 'For Tuesday, gusts up to 45 mph.'],
    [
      'Flood Warning',
      '* WHAT...Minor flooding is\nforecast.\n\n* WHERE...Cedar River at\nRenton.\n',
      'Cedar River at Renton: minor flooding forecast'
    ],
    [
      'Flood Warning',
      '* WHAT...Minor flooding is forecast.\n\n* WHERE...Portions of the county, along the river, and others.\n',
      'Minor flooding is forecast.'
    ],
    [
      'Red Flag Warning',
      'The National Weather Service in Boise has issued a Red Flag Warning.\n\n* AFFECTED AREA...Zone 1.\n\n* WINDS...West 30 mph. Gusty.',
      'Wind West 30 mph'
    ],
    [
      'Fire Weather Watch',
      '* Timing... 11am Tuesday.\n\n* Wind... West 30-40 mph.\n\n* Humidity... 15%.',
      'Wind West 30-40 mph, humidity 15 percent'
    ],
    [
      'Flood Watch',
      'The Flood Watch continues for\n\n* Portions of Oregon, including the coast.\n\n* Through Sunday morning\n\n* Heavy rain.',
      'Heavy rain.'
    ],
    [
      'Tornado Watch',
      'THE NATIONAL WEATHER SERVICE HAS ISSUED TORNADO WATCH 9\n\nIN FLORIDA THIS WATCH INCLUDES 1 COUNTY\n\nLEVY\n\nTHIS INCLUDES THE CITY OF BRONSON.\n\nHail too.',
      'Hail too.'
    ],
    [
      'Hydrologic Outlook',
      'ESFMSO\n\nNORTHWEST MONTANA\n\nMuch rain is expected. More later.',
      'Much rain is expected.'
    ],
    ['Statement', 'SPSBOI\n\n...HEADLINE...\n\nNear Mt. Borah snow falls. More later.', 'Near Mt. Borah snow falls.'],
    ['Statement', '.The long event goes on. More later.', 'The long event goes on.']
  ]
  for (const [event, description, detail] of table)
    t.equal(only(nwsFeature({ event, description })).data.detail, detail, detail)
  t.equal(only(nwsFeature({ description: '' })).data.detail, undefined)
  const other = '* WHAT...For the Gale Warning, west winds 40 kt.'
  t.equal(
    only(nwsFeature({ event: 'Frost Advisory', description: other })).data.detail,
    undefined,
    'not of another one'
  )
})

t.test('the office is read from VTEC, else from the WMO heading, else from the sender', async (t) => {
  t.equal(only(nwsFeature({ vtec: ['/O.NEW.TJSJ.RP.S.0007.260116T0100Z-260117T0100Z/'] })).data.attribution, 'NWS SJU')
  t.equal(only(nwsFeature({ parameters: { WMOidentifier: ['WWUS81 KAKQ 281938'] } })).data.attribution, 'NWS AKQ')
  t.equal(only(nwsFeature({ parameters: { AWIPSidentifier: ['SPSBOI'] } })).data.attribution, 'NWS BOI')
  t.equal(only(nwsFeature()).data.attribution, 'NWS Pocatello ID')
})

t.test('the JSON-LD listing and a single Feature are read too', async (t) => {
  const feature = nwsFeature() as { properties: object }
  const graph = (geometry: string) =>
    parseNwsAlerts(JSON.stringify({ '@graph': [{ ...feature.properties, geometry }] }), options).events[0]?.geometry
  t.same(graph('POLYGON((-114 43, -113 43, -113 44, -114 43))'), {
    type: 'Polygon',
    coordinates: [
      [
        [-114, 43],
        [-113, 43],
        [-113, 44],
        [-114, 43]
      ]
    ]
  })
  t.match(graph('MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0)),((2 2, 3 2, 3 3, 2 2)))'), {
    type: 'MultiPolygon',
    coordinates: { length: 2 }
  })
  t.equal(graph('POLYGON((a b))'), null)
  t.equal(parseNwsAlerts(JSON.stringify(feature), options).events.length, 1)
})

t.test('a body that is not a whole listing is refused with what it was', async (t) => {
  const table: [string, RegExp][] = [
    ['', /empty/],
    ['<html>Access denied</html>', /web page/],
    [nwsListing(nwsFeature()).slice(0, -20), /cut off/],
    ['[]', /not an object/],
    ['{"type":"FeatureCollection"}', /neither/],
    ['{"title":"Forbidden","status":403,"detail":"slow down"}', /slow down/]
  ]
  for (const [body, message] of table) t.throws(() => parseNwsAlerts(body, options), { code: 'bad-input', message })
  t.same(parseNwsAlerts(nwsListing(), options).events, [], 'no alerts at all is a good answer')
})

function count(events: readonly LookoutEvent[], key: (event: LookoutEvent) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const event of events) counts[key(event)] = (counts[key(event)] ?? 0) + 1
  return counts
}

const ended = ({ lifecycle }: LookoutEvent): boolean => lifecycle === 'cancel' || lifecycle === 'expire'
const levelOf = (event: LookoutEvent): string => (ended(event) ? 'ended' : event.severity)

t.test('the captured listings give the counts they were studied with', async (t) => {
  const table = [
    {
      file: 'active-2025-12-15-northwest.json',
      skipped: 0,
      levels: { immediate: 1, critical: 5, priority: 299, routine: 220, ended: 4 },
      lives: { new: 356, update: 169, cancel: 2, expire: 2 },
      families: { weather: 527, fire: 2 },
      threads: 395,
      withGeometry: 19
    },
    {
      file: 'alerts-500-part-a.json',
      skipped: 35,
      levels: { critical: 7, priority: 69, routine: 114, ended: 24 },
      lives: { new: 91, update: 99, cancel: 12, expire: 12 },
      families: { weather: 202, fire: 11, avalanche: 1 },
      threads: 89,
      withGeometry: 9
    },
    {
      file: 'active-zone.json',
      skipped: 0,
      levels: { priority: 1 },
      lives: { update: 1 },
      families: { weather: 1 },
      threads: 1,
      withGeometry: 0
    }
  ]
  for (const expected of table) {
    const file = needsFixture(t, `feeds/nws-geojson/${expected.file}`)
    if (file === null) continue
    const { events, skipped } = parseNwsAlerts(readFileSync(file, 'utf8'), options)
    t.same(count(events, levelOf), expected.levels, `${expected.file} levels`)
    t.same(
      count(events, ({ lifecycle }) => lifecycle),
      expected.lives,
      `${expected.file} lifecycles`
    )
    t.same(
      count(events, ({ family }) => family),
      expected.families,
      `${expected.file} families`
    )
    t.equal(new Set(events.map(({ thread_id }) => thread_id)).size, expected.threads)
    t.equal(events.filter(({ geometry }) => geometry !== null).length, expected.withGeometry)
    t.equal(skipped.length, expected.skipped)
    t.ok(skipped.every(({ reason }) => reason.code === 'only_a_test'))
    t.ok(events.every(({ data }) => data.places !== undefined && data.attribution?.startsWith('NWS ')))
  }
})
