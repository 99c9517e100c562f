import t from 'tap'
import * as v from 'valibot'
import { capSourceSchema } from '../../../src/warning/feeds/cap/settings.ts'
import { capSource } from '../../../src/warning/feeds/cap/source.ts'
import { nwpsSource } from '../../../src/warning/feeds/gauges/nwps.ts'
import { nwpsSourceSchema } from '../../../src/warning/feeds/gauges/nwps-settings.ts'
import { gdacsSource } from '../../../src/warning/feeds/gdacs/gdacs.ts'
import { gdacsSourceSchema } from '../../../src/warning/feeds/gdacs/settings.ts'
import { georssSource } from '../../../src/warning/feeds/georss/georss.ts'
import { georssSourceSchema } from '../../../src/warning/feeds/georss/settings.ts'
import { jmaSource } from '../../../src/warning/feeds/jma/jma.ts'
import { jmaSourceSchema } from '../../../src/warning/feeds/jma/settings.ts'
import { metAlertsSource } from '../../../src/warning/feeds/met-alerts/met-alerts.ts'
import { metAlertsSourceSchema } from '../../../src/warning/feeds/met-alerts/settings.ts'
import { nwsSourceSchema } from '../../../src/warning/feeds/nws/settings.ts'
import { nwsSource } from '../../../src/warning/feeds/nws/source.ts'
import { restSource } from '../../../src/warning/feeds/rest/rest.ts'
import { restSourceSchema } from '../../../src/warning/feeds/rest/settings.ts'
import { open511Source } from '../../../src/warning/feeds/roads/open511.ts'
import { open511SourceSchema } from '../../../src/warning/feeds/roads/settings.ts'
import type { FetchRequest } from '../../../src/warning/feeds/source.ts'
import { wfigsSourceSchema } from '../../../src/warning/feeds/wfigs/settings.ts'
import { wfigsSource } from '../../../src/warning/feeds/wfigs/wfigs.ts'
import { StepMeter } from '../../helpers/step-meter.ts'
import { LARGE_LISTINGS, type LargeListing, listing, many, ring, words } from './large-listings.ts'
import { nwsFeature } from './samples.ts'
import { pollTools } from './source-harness.ts'

/** Contract §6, *Warnings before work*: a listing of megabytes is parsed and read a little at a time, whatever kind of source it is of. */
const MOST_MS = 25
/** The least of some tries counts: the first of them compiles, and others use this machine too. */
const TRIES = 4
/** A step this short is enough to stop trying: a board is four to ten times slower. */
const WANTED_MS = 15
const MIB = 1024 * 1024
const SENT = '2026-08-01T11:00:00Z'

const alert = (n: number): string =>
  `<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>A${n}</identifier><sender>civil@example.org</sender><sent>2026-08-01T11:00:00-00:00</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope><info><language>en</language><category>Met</category><event>Flood Warning</event><urgency>Immediate</urgency><severity>Severe</severity><certainty>Observed</certainty><expires>2026-08-01T18:00:00-00:00</expires><headline>Flood ${n}</headline><description>${words}</description><area><areaDesc>Valley ${n}</areaDesc><polygon>${ring(
    n,
    80
  )
    .map(([x, y]) => `${y},${x}`)
    .join(' ')}</polygon></area></info></alert>`

const CASES: Record<string, LargeListing> = {
  ...LARGE_LISTINGS,
  nws: listing(
    nwsSource,
    v.parse(nwsSourceSchema, { kind: 'nws', area: ['ID'] }),
    JSON.stringify({
      type: 'FeatureCollection',
      features: many(800, (n) => ({
        ...nwsFeature({ id: `urn:oid:${n}` }),
        geometry: { type: 'Polygon', coordinates: [ring(n, 150)] }
      }))
    })
  ),
  cap: listing(
    capSource,
    v.parse(capSourceSchema, { kind: 'cap', url: 'https://a.example/alerts.xml' }),
    `<alerts>${many(1200, alert).join('')}</alerts>`
  ),
  georss: listing(
    georssSource,
    v.parse(georssSourceSchema, { kind: 'georss', url: 'https://a.example/feed.xml' }),
    `<rss version="2.0" xmlns:georss="http://www.georss.org/georss"><channel><title>Fires</title>${many(
      3000,
      (n) =>
        `<item><title>Fire ${n}</title><guid>f${n}</guid><pubDate>Sat, 01 Aug 2026 11:00:00 GMT</pubDate><description>${words}${words}</description><georss:point>44 ${-114 - n / 1e4}</georss:point></item>`
    ).join('')}</channel></rss>`
  ),
  nwps: listing(
    nwpsSource,
    v.parse(nwpsSourceSchema, { kind: 'nwps', bbox: [-120, 40, -100, 48] }),
    JSON.stringify({
      gauges: many(8000, (n) => ({
        lid: `g${n}`,
        name: `River ${n} ${words}`.slice(0, 300),
        latitude: 44,
        longitude: -114,
        status: {
          observed: { primary: 12 + (n % 4), primaryUnit: 'ft', floodCategory: 'minor', validTime: SENT },
          forecast: { primary: 14, primaryUnit: 'ft', validTime: '2026-08-02T11:00:00Z' }
        },
        flood: {
          stageUnits: 'ft',
          categories: { action: { stage: 9 }, minor: { stage: 11 }, moderate: { stage: 13 }, major: { stage: 15 } }
        }
      }))
    })
  ),
  open511: listing(
    open511Source,
    v.parse(open511SourceSchema, { kind: 'open511', work: 'all' }),
    JSON.stringify({
      events: many(2500, (n) => ({
        id: `x.example/R-${n}`,
        headline: 'INCIDENT',
        status: 'ACTIVE',
        created: SENT,
        updated: SENT,
        description: words,
        event_type: 'INCIDENT',
        severity: 'MAJOR',
        areas: [{ name: 'Cariboo' }],
        geography: { type: 'LineString', coordinates: ring(n, 12) },
        roads: [{ name: `Highway ${n}`, from: 'Quesnel', to: 'Wells', direction: 'BOTH' }]
      }))
    })
  ),
  wfigs: listing(
    wfigsSource,
    v.parse(wfigsSourceSchema, { kind: 'wfigs' }),
    JSON.stringify({
      type: 'FeatureCollection',
      features: many(150, (n) => ({
        type: 'Feature',
        geometry: { type: 'Polygon', coordinates: [ring(n, 1000)] },
        properties: {
          attr_IrwinID: `{0E4350FA-651A-4E0D-97A2-D99D481C${String(n).padStart(4, '0')}}`,
          poly_GISAcres: 900,
          attr_IncidentName: `Two Barrel ${n}`,
          attr_IncidentTypeCategory: 'WF',
          attr_IncidentSize: 900 + n,
          poly_DateCurrent: Date.parse(SENT),
          attr_ModifiedOnDateTime_dt: Date.parse(SENT)
        }
      }))
    })
  ),
  rest: listing(
    restSource,
    v.parse(restSourceSchema, {
      kind: 'rest',
      url: 'https://a.example/list.json',
      mapping: {
        list: '/items',
        fields: {
          id: '/id',
          title: '/t',
          summary: '/s',
          sent_at: '/at',
          lat: '/y',
          lon: '/x',
          family: { value: 'fire' }
        }
      }
    }),
    JSON.stringify({ items: many(4000, (n) => ({ id: `i${n}`, t: `Fire ${n}`, s: words, at: SENT, y: 44, x: -114 })) })
  )
}

t.test('no listing of megabytes holds the thread of the radios for longer than 25 ms', async (t) => {
  const meter = new StepMeter()
  t.teardown(() => meter.close())
  for (const [kind, { body, poll, beside = {} }] of Object.entries(CASES)) {
    t.ok(body.length > 1.5 * MIB, `${kind}: ${body.length}`)
    const bytes = Buffer.from(body)
    const others = Object.entries(beside)
    const answer = ({ url }: FetchRequest) => others.find(([part]) => url.includes(part))?.[1] ?? bytes
    meter.begin()
    const steps: number[] = []
    for (let n = 0; n < TRIES && !(Math.min(...steps) <= meter.limit(WANTED_MS).ms); n++) {
      const { ms } = await meter.longest(async () => {
        const reading = await poll(pollTools(answer))
        t.match(reading, { items: Number }, kind)
      })
      steps.push(ms)
    }
    const longest = Math.min(...steps)
    const told = steps.map((ms) => ms.toFixed(1)).join(', ')
    const limit = meter.limit(MOST_MS)
    t.comment(`${kind}, ${(body.length / MIB).toFixed(1)} MiB: ${told} ms of CPU, ${limit.why}`)
    t.ok(longest <= limit.ms, `${kind}: ${longest.toFixed(1)} ms`)
  }
})

/** As many bytes as a poll takes. */
const MOST_BYTES = 8 * MIB
const DEEP = 200_000

const HOSTILE: Record<string, LargeListing> = {
  'json: brackets upon brackets': listing(
    metAlertsSource,
    v.parse(metAlertsSourceSchema, { kind: 'met_alerts', provider: 'met_norway' }),
    `{"type":"FeatureCollection","features":${'['.repeat(DEEP)}${' '.repeat(MIB)}${']'.repeat(DEEP)}}`
  ),
  'xml: elements in elements': listing(
    gdacsSource,
    v.parse(gdacsSourceSchema, { kind: 'gdacs' }),
    `<rss><channel>${'<item>'.repeat(DEEP)}${' '.repeat(MIB)}${'</item>'.repeat(DEEP)}</channel></rss>`
  ),
  'json: one text without an end': listing(
    jmaSource,
    v.parse(jmaSourceSchema, { kind: 'jma', products: ['quake'] }),
    `[{"eid":"${'a'.repeat(MOST_BYTES - 100)}`
  )
}

t.test('a listing that is made to hold the station up is refused with a reason, in small steps', async (t) => {
  const meter = new StepMeter()
  t.teardown(() => meter.close())
  for (const [what, { body, poll }] of Object.entries(HOSTILE)) {
    meter.begin()
    const bytes = Buffer.from(body)
    const steps: number[] = []
    for (let n = 0; n < TRIES && !(Math.min(...steps) <= meter.limit(WANTED_MS).ms); n++) {
      const { ms } = await meter.longest(() => t.rejects(poll(pollTools(() => bytes)), { code: 'bad-input' }, what))
      steps.push(ms)
    }
    const limit = meter.limit(MOST_MS)
    t.comment(`${what}: ${steps.map((ms) => ms.toFixed(1)).join(', ')} ms of CPU, ${limit.why}`)
    t.ok(Math.min(...steps) <= limit.ms, `${what}: ${Math.min(...steps).toFixed(1)} ms`)
  }
})

/** One entry as long as the whole listing may be, among others that somebody waits for. */
const GIANT: Record<string, LargeListing> = {
  'a text of 7 MiB': listing(
    metAlertsSource,
    v.parse(metAlertsSourceSchema, { kind: 'met_alerts', provider: 'met_norway' }),
    JSON.stringify({
      type: 'FeatureCollection',
      lang: 'en',
      features: ['giant', 'small'].map((id) => ({
        type: 'Feature',
        geometry: null,
        when: { interval: [SENT, '2026-08-02T11:00:00Z'] },
        properties: {
          id,
          area: 'Valley',
          event: 'rain',
          awareness_level: '3; orange; Severe',
          type: 'Alert',
          description: id === 'giant' ? 'Water over the road. '.repeat((7 * MIB) / 21) : 'Water.'
        }
      }))
    })
  ),
  'an outline of 200,000 corners': listing(
    nwsSource,
    v.parse(nwsSourceSchema, { kind: 'nws', area: ['ID'] }),
    JSON.stringify({
      type: 'FeatureCollection',
      features: [
        { ...nwsFeature({ id: 'urn:oid:1' }), geometry: { type: 'Polygon', coordinates: [ring(1, 150_000)] } },
        nwsFeature({ id: 'urn:oid:2' })
      ]
    })
  ),
  'an item of 5 MiB': listing(
    georssSource,
    v.parse(georssSourceSchema, { kind: 'georss', url: 'https://a.example/feed.xml' }),
    `<rss version="2.0" xmlns:georss="http://www.georss.org/georss"><channel><title>Fires</title>${['1', '2']
      .map(
        (id) =>
          `<item><title>Fire ${id}</title><guid>${id}</guid><pubDate>Sat, 01 Aug 2026 11:00:00 GMT</pubDate><description>${id === '1' ? words.repeat(9000) : words}</description><georss:point>44 -114</georss:point></item>`
      )
      .join('')}</channel></rss>`
  )
}

t.test('one entry of megabytes holds nobody up, and the others are read', async (t) => {
  const meter = new StepMeter()
  t.teardown(() => meter.close())
  for (const [what, { body, poll }] of Object.entries(GIANT)) {
    meter.begin()
    const bytes = Buffer.from(body)
    const steps: number[] = []
    for (let n = 0; n < TRIES && !(Math.min(...steps) <= meter.limit(WANTED_MS).ms); n++) {
      const { ms } = await meter.longest(async () => {
        const reading = await poll(pollTools(() => bytes))
        t.match(reading, { items: 2 }, what)
      })
      steps.push(ms)
    }
    const limit = meter.limit(MOST_MS)
    t.comment(`${what}: ${steps.map((ms) => ms.toFixed(1)).join(', ')} ms of CPU, ${limit.why}`)
    t.ok(Math.min(...steps) <= limit.ms, `${what}: ${Math.min(...steps).toFixed(1)} ms`)
  }
})
