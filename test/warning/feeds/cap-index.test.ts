import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { ipawsSource } from '../../../src/warning/feeds/cap/ipaws.ts'
import { type IpawsSettings, ipawsSourceSchema } from '../../../src/warning/feeds/cap/ipaws-settings.ts'
import { meteoalarmSource } from '../../../src/warning/feeds/cap/meteoalarm.ts'
import { type MeteoalarmSettings, meteoalarmSourceSchema } from '../../../src/warning/feeds/cap/meteoalarm-settings.ts'
import { type CapSettings, capSourceSchema } from '../../../src/warning/feeds/cap/settings.ts'
import { capSource } from '../../../src/warning/feeds/cap/source.ts'
import { capStreamSource } from '../../../src/warning/feeds/cap/stream.ts'
import { type CapStreamSettings, capStreamSourceSchema } from '../../../src/warning/feeds/cap/stream-settings.ts'
import { AlertSplitter, MAX_ALERT_BYTES } from '../../../src/warning/feeds/cap/stream-splitter.ts'
import type { FetchRequest, ReadTools, SourceReading } from '../../../src/warning/feeds/source.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { bodyOf, pushHarness } from './push-harness.ts'
import { capDocument, capInfo } from './samples.ts'
import { bytes, fixtureBytes, lives, MapMemory, pollTools, type Tap, tools } from './source-harness.ts'

const NOW = Date.parse('2026-01-15T18:30:00Z')
const INDEX = 'https://cap.example/feed'
const at = (change: Partial<ReadTools> = {}) => ({ receivedAt: NOW, source: 'alerts', ...change })
const cap = (change: object = {}): CapSettings => v.parse(capSourceSchema, { kind: 'cap', url: INDEX, ...change })
const meteo = (change: object = {}): MeteoalarmSettings =>
  v.parse(meteoalarmSourceSchema, { kind: 'meteoalarm', country: 'germany', ...change })
const ipaws = (change: object = {}): IpawsSettings => v.parse(ipawsSourceSchema, { kind: 'ipaws', ...change })
const stream = (change: object = {}): CapStreamSettings =>
  v.parse(capStreamSourceSchema, { kind: 'cap_stream', ...change })
const readCapBody = (body: string, change: object = {}, of = tools(at())) =>
  capSource.read(bytes(body), cap(change), of)

interface EntrySample {
  id?: string
  code?: string
  area?: string
  more?: string
  severity?: string
  urgency?: string
  type?: string
  status?: string
  expires?: string
  title?: string
  link?: string
  sent?: string
}

/** An entry in the shape of MeteoAlarm: no sender, no references, codes only. */
function entry(sample: EntrySample = {}): string {
  const {
    id = 'W-1',
    code = 'XX001',
    area = `Area ${code}`,
    more = '',
    severity = 'Severe',
    sent = '2026-01-15T18:00:00Z'
  } = sample
  const { urgency = 'Expected', type = 'Alert', status = 'Actual', expires = '2026-01-16T06:00:00Z' } = sample
  return `<entry><cap:geocode><valueName>EMMA_ID</valueName><value>${code}</value></cap:geocode>
<link href="https://example.org/?geocode=${code}" hreflang="en"/><cap:areaDesc>${area}</cap:areaDesc><cap:event>Wind</cap:event>
<cap:sent>${sent}</cap:sent><cap:expires>${expires}</cap:expires><cap:severity>${severity}</cap:severity>
<cap:urgency>${urgency}</cap:urgency><cap:certainty>Likely</cap:certainty><cap:message_type>${type}</cap:message_type>
<cap:status>${status}</cap:status><cap:identifier>${id}</cap:identifier>${more}
<link href="${sample.link ?? `/alert/${id}`}" type="application/cap+xml"/><author><name>example.org</name></author>
<id>https://cap.example/entry/${id}?area=${code}</id><title>${sample.title ?? `Orange Wind Warning - ${area}`}</title></entry>`
}

const atom = (...entries: string[]): string =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:cap="urn:oasis:names:tc:emergency:cap:1.2">
<title>Warnings</title><updated>2026-01-15T18:20:00Z</updated>${entries.join('')}</feed>`
const POLYGON = '<areaDesc>Coast</areaDesc><polygon>43,-114 43,-113 44,-113 43,-114</polygon>'
const detail = (id: string, sample: Parameters<typeof capDocument>[0] = {}): string =>
  capDocument({ id, infos: [capInfo({ area: POLYGON })], ...sample })

/** Answers the index with `index`, and each detail with what `details` holds of it. */
function site(index: () => string | null | Error, details: Record<string, string | Error> = {}) {
  return ({ url }: FetchRequest): string | null | Error => {
    if (url === INDEX) return index()
    const id = decodeURIComponent(url.split('/').at(-1) ?? '')
    return Object.hasOwn(details, id) ? (details[id] ?? null) : detail(id)
  }
}

const details = (asked: readonly FetchRequest[]): string[] =>
  asked.filter(({ url }) => url !== INDEX).map(({ url }) => url.split('/').at(-1) ?? '')
const reasons = (reading: SourceReading | 'unchanged'): string[] =>
  reading === 'unchanged' ? [] : reading.skipped.map(({ reason }) => sentenceOf(reason))

t.test('an index lists an alert once per area; it is one event with all areas', async (t) => {
  const body = atom(
    entry({ code: 'XX001' }),
    entry({ code: 'XX002' }),
    entry({ id: 'W-2', code: 'XX003' }),
    entry({ code: 'XX002' })
  )
  const reading = readCapBody(body)
  t.same(lives(reading), ['W-1 new', 'W-2 new'])
  t.equal(reading.items, 2)
  t.equal(reading.updated, '2026-01-15T18:20:00.000Z')
  t.match(reading.events[0], {
    source: 'alerts',
    title: 'Orange Wind Warning',
    severity: 'priority',
    expires: '2026-01-16T06:00:00.000Z',
    data: {
      event_name: 'Wind',
      places: ['Area XX001', 'Area XX002'],
      geocodes: ['EMMA_ID:XX001', 'EMMA_ID:XX002']
    }
  })
  t.equal(reading.events[1]?.title, 'Orange Wind Warning - Area XX003', 'of one area the title names it')
})

t.test('of several languages one is told, also where the index does not name them', async (t) => {
  const named = (language: string, event: string) =>
    entry({ more: `<cap:language>${language}</cap:language>` }).replace('<cap:event>Wind', `<cap:event>${event}`)
  const events = (body: string, language = 'en') =>
    readCapBody(body, { language }).events.map(({ data }) => data.event_name)
  const both = atom(named('de-DE', 'Sturm'), named('en-GB', 'Gale'))
  t.same([events(both), events(both, 'de'), events(both, 'fr')], [['Gale'], ['Sturm'], ['Gale']])
  t.same(events(atom(entry(), entry().replace('<cap:event>Wind', '<cap:event>Vent'))), ['Wind'], 'the first stays')
})

t.test('a detail is fetched for what the entry cannot place, and only once', async (t) => {
  const memory = new MapMemory()
  const poll = async (body: string | null) => {
    const tool = pollTools(
      site(() => body),
      at({ memory })
    )
    return { reading: await capSource.poll(cap(), tool), asked: tool.asked }
  }
  const first = await poll(atom(entry(), entry({ code: 'XX002' }), entry({ id: 'W-2' })))
  t.same(lives(first.reading), ['W-1 new', 'W-2 new'])
  t.match(first.reading, { events: [{ geometry: { type: 'Polygon' }, data: { places: ['Coast'] } }, {}] })
  t.same(
    first.asked.map(({ url, conditional }) => [url, conditional]),
    [
      [INDEX, true],
      ['https://cap.example/alert/W-1', false],
      ['https://cap.example/alert/W-2', false]
    ]
  )
  const second = await poll(atom(entry(), entry({ id: 'W-3' })))
  t.same([lives(second.reading), details(second.asked)], [['W-3 new'], ['W-3']])
  t.same(lives((await poll(null)).reading), ['unchanged'])
  const changed = await poll(atom(entry({ sent: '2026-01-15T18:25:00Z' })))
  t.same(details(changed.asked), ['W-1'], 'a new time of sending is a new message')
})

t.test('an entry with an outline or a code of a county, and all else, is told without its detail', async (t) => {
  const whole = entry({ id: 'W-1', more: '<georss:polygon>43 -114 43 -113 44 -113 43 -114</georss:polygon>' })
  const county = entry({ id: 'W-2' }).replace('EMMA_ID</valueName><value>XX001', 'SAME</valueName><value>016013 016025')
  const update = entry({ id: 'W-3', type: 'Update', more: '<cap:circle>43.5,-114 10</cap:circle>' })
  const ask = async (change: object) => {
    const tool = pollTools(
      site(() => atom(whole, county, update)),
      at({ memory: new MapMemory() })
    )
    const reading = await capSource.poll(cap(change), tool)
    return { reading, asked: details(tool.asked) }
  }
  const usual = await ask({})
  t.same(usual.asked, ['W-3'], 'a change names what it changes in its detail only')
  t.match(usual.reading, {
    events: [{ geometry: { coordinates: [[[-114, 43], {}, {}, {}]] } }, { same: ['016013', '016025'] }, {}]
  })
  t.same((await ask({ details: 'never' })).asked, [])
  t.same((await ask({ details: 'always' })).asked.sort(), ['W-1', 'W-2', 'W-3'])
})

t.test(
  'at most so many details a poll, gravest first; the rest comes next time although the index did not change',
  async (t) => {
    const memory = new MapMemory()
    const body = atom(
      entry({ id: 'minor', severity: 'Minor' }),
      entry({ id: 'extreme', severity: 'Extreme' }),
      entry({ id: 'severe' })
    )
    const told: string[][] = []
    const conditional: unknown[] = []
    for (let poll = 0; poll < 3; poll++) {
      const tool = pollTools(
        site(() => body),
        at({ memory })
      )
      await capSource.poll(cap({ max_details: 2 }), tool)
      told.push(details(tool.asked))
      conditional.push(tool.asked[0]?.conditional)
    }
    t.same(told, [['extreme', 'severe'], ['minor'], []])
    t.same(conditional, [true, false, true])
  }
)

t.test(
  'tests, what is over, elsewhere or too small are left out without asking; changes are always looked at',
  async (t) => {
    const body = atom(
      entry({ id: 'test', status: 'Test' }),
      entry({ id: 'over', expires: '2026-01-15T18:00:00Z' }),
      entry({ id: 'far', code: 'YY001' }),
      entry({ id: 'small', severity: 'Minor' }),
      entry({ id: 'change', code: 'YY001', severity: 'Minor', type: 'Update' }),
      entry({ id: 'wanted' })
    )
    const change = { min_severity: 'priority', geocodes: ['XX*'] }
    const tool = pollTools(
      site(() => body, {
        change: detail('change', { msgType: 'Update', infos: [capInfo().replace('Severe', 'Minor')] })
      }),
      at({ memory: new MapMemory() })
    )
    const reading = await capSource.poll(cap(change), tool)
    t.same(details(tool.asked).sort(), ['change', 'wanted'])
    t.same(lives(reading), ['wanted new'])
    t.same(reasons(reading).sort(), ['another area', 'below priority', 'below priority', 'over', 'test'])
  }
)

t.test('an alert that was told is followed below the level and out of the area; its end is always told', async (t) => {
  const memory = new MapMemory()
  const change = { min_severity: 'priority', geocodes: ['016013'] }
  const place = (code: string) =>
    `<areaDesc>A</areaDesc><geocode><valueName>SAME</valueName><value>${code}</value></geocode>`
  const read = (sample: Parameters<typeof capDocument>[0]) =>
    lives(readCapBody(capDocument(sample), change, tools(at({ memory }))))
  const references = 'civil@example.org,A-1,2026-01-15T11:00:00-07:00'
  const minor = [capInfo({ area: place('016025') }).replace('Severe', 'Minor')]
  t.same(read({ id: 'U-0', msgType: 'Update', references, infos: minor }), [], 'nobody heard of the first')
  t.same(read({ id: 'A-1', infos: [capInfo({ area: place('016013') })] }), ['A-1 new'])
  t.same(read({ id: 'U-1', msgType: 'Update', references, infos: minor }), ['U-1 update'])
  t.same(read({ id: 'B-1', infos: minor }), [])
  t.same(read({ id: 'C-1', msgType: 'Cancel', references: 'civil@example.org,Z-9,2026-01-15T11:00:00Z', infos: [] }), [
    'C-1 cancel'
  ])
})

t.test('a detail that fails is asked for again; after three times the index has to do', async (t) => {
  const memory = new MapMemory()
  const broken = { 'W-1': '<html><body>Busy</body></html>', 'W-2': new AppError('unavailable', note('gone')) }
  const poll = async () => {
    const tool = pollTools(
      site(() => atom(entry(), entry({ id: 'W-2' })), broken),
      at({ memory })
    )
    return capSource.poll(cap(), tool)
  }
  for (let attempt = 1; attempt < 3; attempt++) {
    const reading = await poll()
    t.same(lives(reading), [])
    t.match(reasons(reading), [/its detail failed: .*<html>/, /gone/])
  }
  t.same(lives(await poll()), ['W-1 new', 'W-2 new'])
  t.same(lives(await poll()), [], 'and no more')
})

t.test('a host that fails three times in a row is left alone until the next poll', async (t) => {
  const away = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`W-${n}`, new AppError('unavailable', note('away'))]))
  const body = atom(...Object.keys(away).map((id) => entry({ id })))
  const tool = pollTools(
    site(() => body, away),
    at({ memory: new MapMemory() })
  )
  const reading = await capSource.poll(cap(), tool)
  t.equal(details(tool.asked).length, 3)
  t.equal(reasons(reading).filter((reason) => reason === 'its detail waits for the next poll').length, 2)
})

t.test('a poll that breaks off remembers nothing, and repeated it says the same again', async (t) => {
  const memory = new MapMemory()
  const body = atom(entry(), entry({ id: 'W-2' }))
  const bug = pollTools(
    site(() => body, { 'W-2': new Error('bug') }),
    at({ memory })
  )
  await t.rejects(capSource.poll(cap(), bug), { message: 'bug' })
  t.equal(memory.dump, '[]')
  for (const wrong of ['<html/>', '', atom(entry()).slice(0, 200), '{"a":1}', '<feed><entry></feed>']) {
    await t.rejects(
      capSource.poll(
        cap(),
        pollTools(
          site(() => wrong),
          at({ memory })
        )
      ),
      { code: 'bad-input' },
      wrong
    )
    t.equal(memory.dump, '[]')
  }
  const fresh = (): Promise<SourceReading | 'unchanged'> =>
    capSource.poll(
      cap(),
      pollTools(
        site(() => body),
        at({ memory: new MapMemory() })
      )
    )
  t.same(await fresh(), await fresh())
})

t.test('what is not listed any more is forgotten after two days, what is listed stays known for ever', async (t) => {
  const memory = new MapMemory()
  const poll = async (day: number, body: string) => {
    const tool = pollTools(
      site(() => body),
      at({ memory, receivedAt: NOW + day * 86_400_000 })
    )
    await capSource.poll(cap(), tool)
    return details(tool.asked)
  }
  const long = entry({ expires: '2027-01-01T00:00:00Z' })
  t.same(await poll(0, atom(long, entry({ id: 'W-2' }))), ['W-1', 'W-2'])
  for (const day of [1.5, 3, 4.5, 40]) t.same(await poll(day, atom(long)), [])
  t.same(
    memory.entries('entry:').map(([key]) => key),
    ['entry:W-1']
  )
})

t.test('an alert whose sender keeps the identifier and changes it is an update with a revision', async (t) => {
  const memory = new MapMemory()
  const list = (sent: string) =>
    JSON.stringify([
      {
        identifier: 'M-1',
        sender: 'x@example.org',
        sent,
        status: 'Actual',
        msgType: 'Alert',
        scope: 'Public',
        info: [{ event: 'Fire', severity: 'Severe', urgency: 'Immediate' }]
      }
    ])
  const read = (sent: string) => readCapBody(list(sent), {}, tools(at({ memory }))).events
  t.match(read('2026-01-15T10:00:00Z'), [{ id: 'M-1', revision: '', lifecycle: 'new' }])
  t.match(read('2026-01-15T10:00:00Z'), [{ id: 'M-1', revision: '', lifecycle: 'new' }])
  t.match(read('2026-01-15T11:00:00Z'), [{ id: 'M-1', revision: '2026-01-15T11:00:00.000Z', lifecycle: 'update' }])
  t.match(read('2026-01-15T11:00:00Z'), [{ id: 'M-1', revision: '2026-01-15T11:00:00.000Z', lifecycle: 'update' }])
})

t.test(
  'RSS leads to its alerts by a link that says so, else by the plain one; odd addresses are not followed',
  async (t) => {
    const item = (id: string, inner: string) =>
      `<item><title>${id}</title><guid isPermaLink="false">${id}</guid><pubDate>Thu, 15 Jan 2026 18:00:00 GMT</pubDate>${inner}</item>`
    const body = `<rss version="2.0"><channel><title>R</title><pubDate>Thu, 15 Jan 2026 18:10:00 GMT</pubDate>
${item('1', '<link>https://cap.example/page</link><gdacs:cap>https://cap.example/alert/one</gdacs:cap>')}
${item('2', '<link>https://cap.example/page</link><enclosure url="alert/two" type="application/cap+xml" length="1"/>')}
${item('3', '<atom:link href="/alert/self" rel="hub"/><link>/alert/three</link>')}
${item('4', '<link>javascript:alert(1)</link>')}
${item('5', '<link>file:///etc/passwd</link>')}</channel></rss>`
    const tool = pollTools(
      site(() => body),
      at({ memory: new MapMemory() })
    )
    const reading = await capSource.poll(cap(), tool)
    t.same(details(tool.asked).sort(), ['one', 'three', 'two'])
    t.same(lives(reading).sort(), ['one new', 'three new', 'two new'])
    t.match(reasons(reading), [/does not say the status/, /does not say the status/])
    t.equal(reading === 'unchanged' ? '' : reading.updated, '2026-01-15T18:10:00.000Z')
    const rdf = `<rdf:RDF><channel/>${item('1', '<link>https://cap.example/alert/rdf</link>')}</rdf:RDF>`
    const other = pollTools(
      site(() => rdf),
      at({ memory: new MapMemory() })
    )
    t.same(lives(await capSource.poll(cap(), other)), ['rdf new'])
  }
)

t.test(
  'the Canadian way: facts as categories, shapes as GeoRSS, the identifier in the name of the entry',
  async (t) => {
    const category = (term: string) => `<category term="${term}"/>`
    const terms = [
      'status=Actual',
      'msgType=Alert',
      'scope=Public',
      'language=en-CA',
      'severity=Severe',
      'urgency=Immediate',
      'event=tornado'
    ]
    const naad = `<feed><entry><id>tag:rss.example,2026:feed.atom/urn:oid:2.49.0.1.124.7</id><title>Tornado</title>
<updated>2026-01-15T18:00:00Z</updated><georss:polygon>45 -76 45 -75 46 -75 45 -76</georss:polygon>
<author><name>Environment Canada</name></author><link type="application/cap+xml" href="https://cap.example/alert/7"/>${terms.map(category).join('')}</entry></feed>`
    t.match(readCapBody(naad).events, [
      {
        id: 'urn:oid:2.49.0.1.124.7',
        severity: 'critical',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [-76, 45],
              [-75, 45],
              [-75, 46],
              [-76, 45]
            ]
          ]
        },
        data: { event_name: 'tornado' }
      }
    ])
    const round = naad.replace(/<georss:polygon>.*<\/georss:polygon>/, '<georss:circle>45 -76 5000</georss:circle>')
    t.match(readCapBody(round).events, [{ circle: { lat: 45, lon: -76, radius_km: 5 } }])
  }
)

t.test('whole alerts come as JSON, in one <alerts>, inside of entries, or alone', async (t) => {
  const alert = {
    identifier: 'J-1',
    sender: 'x@example.org',
    sent: '2026-01-15T18:00:00+00:00',
    status: 'Actual',
    msgType: 'Alert',
    scope: 'Public',
    info: [
      {
        language: 'en',
        event: 'Flood',
        category: ['Met'],
        severity: 'Severe',
        urgency: 'Expected',
        parameter: [{ valueName: 'awareness_level', value: '4; red; Extreme' }],
        area: [
          {
            areaDesc: 'Valley',
            polygon: '43,-114 43,-113 44,-113 43,-114',
            geocode: [{ valueName: 'NUTS3', value: 'XX111' }]
          }
        ]
      }
    ]
  }
  const expected = [{ id: 'J-1', severity: 'priority', geometry: { type: 'Polygon' }, data: { places: ['Valley'] } }]
  for (const body of [{ warnings: [{ uuid: 'u', alert }] }, [alert], alert, { alerts: [alert] }])
    t.match(readCapBody(JSON.stringify(body)).events, expected)
  t.match(meteoalarmSource.read(bytes(JSON.stringify({ warnings: [{ alert }] })), meteo(), tools(at())).events, [
    { severity: 'critical' }
  ])
  const odd = readCapBody(JSON.stringify({ warnings: [{ alert }, 7, { alert: {} }, null] }))
  t.same([odd.events.length, odd.items, reasons(odd)], [1, 4, Array(3).fill('not a CAP alert')])
  const plain = (id: string) => capDocument({ id }).replace(/<\?xml.*?\?>/, '')
  const signed = plain('S-2').replace(
    '</alert>',
    '<Signature xmlns="x"><SignedInfo>AAAA</SignedInfo></Signature></alert>'
  )
  t.same(lives(readCapBody(`<ns1:alerts xmlns:ns1="http://example.org/">${plain('S-1')}${signed}</ns1:alerts>`)), [
    'S-1 new',
    'S-2 new'
  ])
  t.same(lives(readCapBody('<ns1:alerts xmlns:ns1="http://example.org/"></ns1:alerts>')), [])
  t.same(lives(readCapBody(atom(`<entry><id>x</id><content type="text/xml">${plain('E-1')}</content></entry>`))), [
    'E-1 new'
  ])
  t.same(lives(readCapBody(plain('D-1'))), ['D-1 new'])
})

t.test('the German system writes longitude first, and characters as entities', async (t) => {
  const alert = (polygon: string): object => ({
    identifier: 'DE-BY-A-W083-1',
    sender: 'DE-BY-A-W083',
    sent: '2026-01-15T18:00:00Z',
    status: 'Actual',
    msgType: 'Alert',
    scope: 'Public',
    info: [
      {
        language: 'DE',
        category: ['Fire'],
        event: 'Gefahrenmitteilung',
        urgency: 'Immediate',
        severity: 'Severe',
        certainty: 'Observed',
        headline: 'Rauch &amp; Ru\u00df',
        description: 'Fenster<br/>zu &lt;sofort&gt;',
        area: [{ areaDesc: 'Stadt', polygon: [polygon] }]
      }
    ]
  })
  const ring = [
    [11.5, 48.1],
    [11.6, 48.1],
    [11.6, 48.2],
    [11.5, 48.1]
  ]
  for (const polygon of [ring.map(String).join(' '), ring.map(([lon, lat]) => `${lat},${lon}`).join(' ')]) {
    const { events } = await readCapBody(JSON.stringify([alert(polygon)]))
    t.match(events, [{ family: 'fire', title: 'Rauch & Ru\u00df', body: 'Fenster\nzu <sofort>' }])
    t.strictSame(events[0]?.geometry, { type: 'Polygon', coordinates: [ring] })
  }
  // Elsewhere latitude is first, also where it is small.
  const yemen = await readCapBody(JSON.stringify([alert('12.5,45 12.6,45 12.6,45.1 12.5,45')]))
  t.match(yemen.events[0]?.geometry, { coordinates: [[[45, 12.5]]] })
})

t.test(
  'what MeteoAlarm tells is weather, also where the index names no category; its types speak English',
  async (t) => {
    const classOf = async (event: string, more = ''): Promise<string | undefined> => {
      const sample = entry({ more }).replace('<cap:event>Wind<', `<cap:event>${event}<`)
      const { events } = await meteoalarmSource.read(bytes(atom(sample)), meteo(), tools(at()))
      return `${events[0]?.family} ${events[0]?.category}`
    }
    const type = (text: string): string =>
      `<cap:parameter><valueName>awareness_type</valueName><value>${text}</value></cap:parameter>`
    t.equal(await classOf('Yellow Wind warning'), 'weather weather_wind_warning')
    t.equal(await classOf('Vent'), 'weather weather_statement')
    t.equal(await classOf('Orange Forest-Fire Warning'), 'fire fire_warning')
    t.equal(await classOf('Valanghe', type('9; avalanches')), 'avalanche avalanche_advisory')
    const irish = entry()
      .replace('EMMA_ID', 'FIPS')
      .replace('<cap:event>Wind<', '<cap:event>Yellow Low Temperature/Ice<')
    const { events } = await meteoalarmSource.read(bytes(atom(irish)), meteo(), tools(at()))
    t.equal(events[0]?.family, 'weather', 'also with codes of a system of its own')
  }
)

t.test('alerts are found in any envelope', async (t) => {
  const inner = capDocument({ infos: [capInfo()] }).replace(/^<\?xml[^>]*\?>/, '')
  const envelopes = [
    `<feed xmlns="urn:x">${inner}</feed>`,
    `<EDXLDistribution><contentObject><xmlContent><embeddedXMLContent>${inner}</embeddedXMLContent></xmlContent></contentObject></EDXLDistribution>`,
    `<ns3:feedResponse xmlns:ns3="urn:y">${inner}</ns3:feedResponse>`
  ]
  for (const envelope of envelopes) t.equal((await readCapBody(envelope)).events.length, 1, envelope.slice(0, 20))
  t.equal((await readCapBody('<alerts/>')).events.length, 0)
  await t.rejects(async () => readCapBody('<html><body>no</body></html>'), { code: 'bad-input' })
})

t.test('the order of sending decides, not that of the list; a broken alert spoils no other', async (t) => {
  const later = capDocument({ id: 'B', msgType: 'Update' }).replace('11:00:00', '12:00:00')
  const parts = [later, capDocument({ id: 'A' }), capDocument({ id: '' })].map((text) =>
    text.replace(/<\?xml.*?\?>/, '')
  )
  const reading = readCapBody(`<alerts>${parts.join('')}</alerts>`)
  t.same(lives(reading), ['A new', 'B update'])
  t.same(reasons(reading), ['no identifier or no sender'])
})

t.test(
  'filters: senders by name or ending, codes with or without their system, alerts without codes always',
  async (t) => {
    const place = (name: string, value: string) =>
      `<areaDesc>A</areaDesc><geocode><valueName>${name}</valueName><value>${value}</value></geocode>`
    const told = (area: string, change: object) =>
      readCapBody(capDocument({ infos: [capInfo({ area })] }), change).events.length
    const table: [object, number][] = [
      [{ geocodes: ['DE356'] }, 1],
      [{ geocodes: ['emma_id:de356'] }, 1],
      [{ geocodes: ['DE*'] }, 1],
      [{ geocodes: ['EMMA_ID:DE3*'] }, 1],
      [{ geocodes: ['NUTS3:DE356'] }, 0],
      [{ geocodes: ['DE35'] }, 0],
      [{ senders: ['civil@example.org'] }, 1],
      [{ senders: ['@EXAMPLE.org', 'x'] }, 1],
      [{ senders: ['other@example.org'] }, 0]
    ]
    for (const [change, count] of table) t.equal(told(place('EMMA_ID', 'DE356'), change), count, JSON.stringify(change))
    t.equal(told('<areaDesc>Somewhere</areaDesc>', { geocodes: ['DE356'] }), 1)
  }
)

t.test('an alert without an end holds as long as the source is set to', async (t) => {
  const ends = (change: object) => readCapBody(capDocument(), change).events.map(({ expires }) => expires)
  t.same(ends({}), ['2026-01-16T18:00:00.000Z'])
  t.same(ends({ default_expires_hours: 6 }), ['2026-01-16T00:00:00.000Z'])
})

t.test('the set format is the only one taken; anything else is refused in plain words', async (t) => {
  const body = atom(entry())
  t.equal(readCapBody(body, { index: 'atom' }).events.length, 1)
  const table: [string, object, RegExp][] = [
    [body, { index: 'rss' }, /format atom; the source is set to rss/],
    ['<!DOCTYPE html><html></html>', {}, /a web page came instead of a feed/],
    ['<!DOCTYPE feed [<!ENTITY a "b">]><feed/>', {}, /DOCTYPE/],
    ['<html><body/></html>', {}, /<html>: neither an index nor an alert/],
    ['{"status":503,"title":"Busy"}', {}, /answered with an error: Busy/],
    ['{"features":[]}', {}, /no list of alerts/],
    ['{"warnings":[', {}, /not complete JSON/],
    ['plain', {}, /well-formed/]
  ]
  for (const [text, change, message] of table)
    t.throws(() => readCapBody(text, change), { code: 'bad-input', message }, text)
})

t.test('MeteoAlarm: the colour is the level; green is none, and ends what it updates', async (t) => {
  const read = (level: string, sample: { msgType?: string; urgency?: string; headline?: string } = {}) => {
    const parameter =
      level === '' ? '' : `<parameter><valueName>awareness_level</valueName><value>${level}</value></parameter>`
    const info = capInfo({ more: `<headline>${sample.headline ?? ''}</headline>${parameter}` }).replace(
      'Expected',
      sample.urgency ?? 'Expected'
    )
    const references = 'civil@example.org,A-0,2026-01-15T09:00:00Z'
    const body = capDocument({
      msgType: sample.msgType ?? 'Alert',
      references: sample.msgType === undefined ? '' : references,
      infos: [info]
    })
    const { events, skipped } = meteoalarmSource.read(bytes(body), meteo(), tools(at()))
    return events.map(({ severity, lifecycle }) => `${severity} ${lifecycle}`).join() || skipped[0]?.reason
  }
  const table: [string, object, string][] = [
    ['2; yellow; Moderate', {}, 'routine new'],
    ['3; Orange; Severe', {}, 'priority new'],
    ['4; red; Extreme', {}, 'critical new'],
    ['4; red; Extreme', { urgency: 'Immediate' }, 'immediate new'],
    ['3', {}, 'priority new'],
    ['1; green; Minor', {}, 'nothing is to be expected'],
    ['1; green; Minor', { msgType: 'Update' }, 'routine cancel'],
    ['2; yellow; Moderate', { msgType: 'Update' }, 'routine update'],
    ['2; yellow; Moderate', { msgType: 'Cancel' }, 'routine cancel'],
    ['', { headline: 'Red Wind Warning issued for Poland' }, 'critical new'],
    ['', {}, 'priority new']
  ]
  for (const [level, sample, expected] of table)
    t.equal(inWords(read(level, sample)), expected, `${level} ${JSON.stringify(sample)}`)
})

t.test('MeteoAlarm is asked by country, as Atom or as JSON', async (t) => {
  const asked = async (change: object) => {
    const tool = pollTools(() => atom(), at({ memory: new MapMemory() }))
    await meteoalarmSource.poll(meteo(change), tool)
    return tool.asked[0]?.url
  }
  t.equal(await asked({}), 'https://feeds.meteoalarm.org/feeds/meteoalarm-legacy-atom-germany')
  t.equal(await asked({ format: 'json' }), 'https://feeds.meteoalarm.org/api/v1/warnings/feeds-germany')
  t.equal(await asked({ url: 'https://mirror.example/x' }), 'https://mirror.example/x')
})

t.test('IPAWS is asked for what came since the newest alert, with half an hour of overlap', async (t) => {
  const memory = new MapMemory()
  const poll = async (receivedAt: number, body: string) => {
    const tool = pollTools(() => body, at({ memory, receivedAt }))
    await ipawsSource.poll(ipaws({ feed: 'eas' }), tool)
    return tool.asked[0]?.url
  }
  const base = 'https://apps.fema.gov/IPAWSOPEN_EAS_SERVICE/rest/eas/recent'
  const alerts = `<ns1:alerts xmlns:ns1="x">${capDocument().replace(/<\?xml.*?\?>/, '')}</ns1:alerts>`
  t.equal(await poll(NOW, alerts), `${base}/2026-01-15T06:30:00Z`)
  t.equal(await poll(NOW + 120_000, alerts), `${base}/2026-01-15T17:30:00Z`)
  t.equal(await poll(NOW + 240_000, alerts), `${base}/2026-01-15T17:30:00Z`, 'the address stays, and so its validators')
  t.equal(await poll(NOW + 48 * 3_600_000, alerts), `${base}/2026-01-17T06:30:00Z`, 'never further back than set')
})

t.test('what a source cannot do without is said before anything is asked', async (t) => {
  t.match(inWords(capSource.missing?.(cap({ url: '' }))), /Set url/)
  t.equal(capSource.missing?.(cap()), null)
  t.match(inWords(meteoalarmSource.missing?.(meteo({ country: '' }))), /Set country/)
  t.match(inWords(capStreamSource.missing?.(stream())), /Set host/)
  t.throws(() => cap({ url: 'ftp://example.org/' }))
  t.throws(() => meteo({ country: 'Germany/../x' }))
})

const FIXTURES: [string, 'cap' | 'meteoalarm', string[], string[]][] = [
  ['cap/alertswiss-POA-1216107687-4.xml', 'cap', ['routine new'], []],
  ['cap/alertswiss-TEST-1163.xml', 'cap', [], ['test']],
  ['cap/australia.cap', 'cap', ['routine new'], []],
  ['cap/canada.cap', 'cap', ['routine cancel'], []],
  ['cap/ie-2.49.0.1.372.0.250413231648.N_Norm002_SmallCraft.xml', 'meteoalarm', ['routine new'], []],
  ['cap/kz-2.49.0.0.398.0-20250306-133701-0284797-00-EN.xml', 'cap', ['routine new'], []],
  ['cap/mo-cap_monsoon.xml', 'cap', ['routine cancel'], []],
  ['cap/noaa-2.49.0.1.840.0.bde6c30c43ead9c23c42bea7977652a7de76d87d.002.1.xml', 'cap', ['routine new'], []],
  ['cap/nws-weather-2010.cap', 'cap', ['priority update'], []],
  ['cap/nws-weather_index-2010.atom', 'cap', ['routine new', 'routine new'], []],
  ['gdacs/gdacs-cap_1001150.xml', 'cap', ['routine new'], []],
  ['gdacs/gdacs-cap_1470644.xml', 'cap', ['routine new'], []],
  ['gdacs/gdacs-rss-24h.xml', 'cap', [], Array(21).fill('the index does not say the status; only the detail does')],
  ['meteoalarm/legacy-atom-poland.xml', 'meteoalarm', ['routine new', 'routine new'], []],
  ['meteoalarm/uk_detail.xml', 'meteoalarm', ['routine new'], []]
]

t.test('every recording gives its events, and damage to it ends nothing', async (t) => {
  for (const [path, kind, expected, skipped] of FIXTURES) {
    const body = fixtureBytes(t, `feeds/${path}`)
    if (body === null) continue
    const read = (input: Uint8Array): SourceReading =>
      kind === 'cap' ? capSource.read(input, cap(), tools(at())) : meteoalarmSource.read(input, meteo(), tools(at()))
    const reading = read(body)
    t.same(
      reading.events.map(({ severity, lifecycle }) => `${severity} ${lifecycle}`),
      expected,
      path
    )
    t.same(reasons(reading), skipped, path)
    damaged(t, path, body, read)
  }
})

t.test('the index of Germany: 381 entries are 21 alerts, each told once, in every place', async (t) => {
  const body = fixtureBytes(t, 'feeds/meteoalarm/legacy-atom-germany.xml')
  if (body === null) return
  const read = (input: Uint8Array): SourceReading => meteoalarmSource.read(input, meteo(), tools(at()))
  const { events, items, skipped } = read(body)
  t.same([events.length, items, skipped], [21, 21, []])
  const count = (text: string) => events.filter(({ severity, lifecycle }) => `${severity} ${lifecycle}` === text).length
  t.same(['routine new', 'routine update', 'priority new', 'priority update'].map(count), [9, 1, 9, 2])
  const codes = events.flatMap(({ data }) => data.geocodes ?? [])
  t.equal(codes.length, 381)
  damaged(t, 'germany', body, read)
})

t.test('the distinct codes of two areas of one name never get lost, and unplaced NWS alerts stay apart', async (t) => {
  const body = fixtureBytes(t, 'feeds/cap/nws-weather_index-2010.atom')
  if (body === null) return
  const { events } = capSource.read(body, cap(), tools(at()))
  t.equal(new Set(events.map(({ thread_id }) => thread_id)).size, 2)
  t.same(
    events.map(({ same }) => same.length),
    [5, 4]
  )
})

/**
 * Cut off, and bytes changed: nothing but AppError, and not one end more than in the whole. A slice of what
 * `node scripts/faults.js damage` does to them.
 */
function damaged(
  t: Tap.Test,
  name: string,
  body: Uint8Array,
  read: (body: Uint8Array) => SourceReading,
  flips = 15
): void {
  const ends = (input: Uint8Array): number => {
    try {
      return read(input).events.filter(({ lifecycle }) => lifecycle === 'cancel' || lifecycle === 'expire').length
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return 0
    }
  }
  const allowed = ends(body)
  for (let percent = 0; percent < 100; percent += 10)
    if (ends(body.subarray(0, Math.floor((body.length * percent) / 100))) > 0) t.fail(`${name} cut at ${percent} %`)
  const flip = fc.tuple(fc.nat(body.length - 1), fc.integer({ min: 0, max: 255 }))
  fc.assert(
    fc.property(flip, ([place, value]) => {
      const copy = Uint8Array.from(body)
      copy[place] = value
      return ends(copy) <= allowed
    }),
    { numRuns: flips }
  )
  t.ok(true, `${name}: ${10 + flips} damaged copies`)
}

t.test('a stream is cut into its documents, however the network cuts it', async () => {
  const documents = [
    capDocument({ id: 'é-1' }),
    capDocument({ id: 'B' }).replaceAll(/<(\/?)(alert|identifier)/g, '<$1cap:$2'),
    capDocument({ id: 'C' }).replace(/<\?xml.*?\?>\n/, '')
  ]
  const wire = Buffer.from(
    `half of one</info></alert>\r\n${documents.join('\r\n\r\n')}<?xml version="1.0"?><alert><identifier>half`
  )
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 60 }), (sizes) => {
      const splitter = new AlertSplitter()
      const found: string[] = []
      for (let at = 0, turn = 0; at < wire.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1
        found.push(...splitter.push(wire.subarray(at, at + size)).map((part) => Buffer.from(part).toString()))
        at += size
      }
      return JSON.stringify(found) === JSON.stringify(documents) && splitter.flush().length === 0
    })
  )
})

t.test('a document without end is dropped, and the next one is read', async (t) => {
  const splitter = new AlertSplitter()
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  splitter.push(Buffer.from('<alert>'))
  for (let sent = 0; sent <= MAX_ALERT_BYTES; sent += chunk.length) t.same(splitter.push(chunk), [])
  t.equal(splitter.push(Buffer.from(`</alert>${capDocument()}`)).length, 1)
})

const HEARTBEAT = (references: string): string =>
  capDocument({ id: 'hb', sender: 'NAADS-Heartbeat', status: 'System', references, infos: [] })

/** A server that keeps its connections, and lets a test wait for the next one. */
async function tcpServer(t: Tap.Test & { teardown(fn: () => unknown): void }) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, sockets }
}

/** Lets real I/O happen until `done`; the fake clock stands still meanwhile. */
async function until(done: () => boolean): Promise<void> {
  // By the clock on the wall: a fast processor turns fifty thousand times while a slow disk answers once.
  for (const begun = performance.now(); !done(); ) {
    if (performance.now() - begun > 20_000) throw new Error('it never happened')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

t.test(
  'a stream of alerts: taken one by one, heartbeats told nobody, back after a loss and after a silence',
  async (t) => {
    const { port, sockets } = await tcpServer(t)
    const harness = pushHarness({ start: NOW })
    const open = await capStreamSource.open(stream({ host: '127.0.0.1', port }), harness.tools)
    t.teardown(() => open.close())
    await until(() => sockets.length === 1)
    sockets[0]?.write(
      `${HEARTBEAT('')}${capDocument({ id: 'S-1' })}${capDocument({ id: 'S-2', status: 'Test' })}<alert><broken></alert>`
    )
    await until(() => harness.counted.length === 4)
    t.same(
      harness.events.map(({ id, source }) => [id, source]),
      [['S-1', 'pushed']]
    )
    t.match(
      harness.counted.map(({ refused = '' }) => refused),
      ['', '', '', /well-formed/]
    )
    sockets[0]?.destroy()
    await until(() => harness.reports.at(-1)?.state === 'down')
    await harness.run(5, 1)
    await until(() => sockets.length === 2 && harness.reports.at(-1)?.state === 'ready')
    sockets[1]?.write(capDocument({ id: 'S-3' }))
    await until(() => harness.events.length === 2)
    await harness.run(181, 30)
    await until(() => /silent for 180 s/.test(harness.reports.at(-1)?.reason ?? ''))
    await harness.run(10, 1)
    await until(() => sockets.length === 3)
    t.same(
      harness.events.map(({ id }) => id),
      ['S-1', 'S-3']
    )
    t.same(harness.requests, [], 'without an archive nothing is fetched')
  }
)

t.test('alerts that a heartbeat names and nobody sent are fetched from the archive, each once', async (t) => {
  const { port, sockets } = await tcpServer(t)
  const harness = pushHarness({ start: NOW })
  harness.answer = ({ url }) => {
    if (url.includes('lost')) throw new AppError('unavailable', note('HTTP 404'))
    return bodyOf(capDocument({ id: 'urn:oid:missed' }))
  }
  const settings = stream({ host: '127.0.0.1', port, archive_url: 'http://archive.example/' })
  const open = await capStreamSource.open(settings, harness.tools)
  t.teardown(() => open.close())
  await until(() => sockets.length === 1)
  const references = [
    'c@example.org,urn:oid:had,2026-01-15T18:00:00-00:00',
    'c@example.org,urn:oid:missed,2026-01-15T18:10:00-00:00',
    'c@example.org,urn:oid:lost,2026-01-15T18:11:00+00:00',
    'c@example.org,urn:oid:old,2026-01-10T18:10:00-00:00'
  ].join(' ')
  sockets[0]?.write(capDocument({ id: 'urn:oid:had' }) + HEARTBEAT(references) + HEARTBEAT(references))
  await until(() => harness.counted.length === 4)
  t.same(
    harness.events.map(({ id }) => id),
    ['urn:oid:had', 'urn:oid:missed']
  )
  t.same(
    harness.requests.map(({ url }) => url),
    [
      'http://archive.example/2026-01-15/2026_01_15T18_10_00_00_00Iurn_oid_missed.xml',
      'http://archive.example/2026-01-15/2026_01_15T18_11_00p00_00Iurn_oid_lost.xml'
    ]
  )
})

t.test('a recorded message of a stream is read like one that comes', async (t) => {
  t.same(lives(capStreamSource.read(bytes(capDocument()), stream(), tools(at()))), ['A-1 new'])
})
