import { readFileSync } from 'node:fs'
import t from 'tap'
import * as v from 'valibot'
import { georssSource } from '../../../src/warning/feeds/georss/georss.ts'
import { type GeorssSettings, georssSourceSchema } from '../../../src/warning/feeds/georss/settings.ts'
import { shapeIn } from '../../../src/warning/feeds/georss/shape.ts'
import { parseXml } from '../../../src/warning/feeds/reading/xml.ts'
import { sourceKindOf } from '../../../src/warning/feeds/recognise.ts'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { inWords } from '../../helpers/in-words.ts'
import { bytes, lives, MapMemory, pollTools, survivesDamage, textOf, tools } from './source-harness.ts'

const NOW = '2026-08-01T12:00:00Z'
const settings = (change: Record<string, unknown> = {}): GeorssSettings =>
  v.parse(georssSourceSchema, { kind: 'georss', url: 'https://fires.example/feed.xml', ...change })
const read = (body: string, change: Record<string, unknown> = {}, with_ = tools()): SourceReading =>
  georssSource.read(bytes(body), settings(change), with_)

const NAMESPACES =
  'xmlns:georss="http://www.georss.org/georss" xmlns:gml="http://www.opengis.net/gml" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#" xmlns:cap="urn:oasis:names:tc:emergency:cap:1.2"'
const rss = (...items: string[]): string =>
  `<?xml version="1.0"?><rss version="2.0" ${NAMESPACES}><channel><title>Fires of Example</title><pubDate>Sat, 01 Aug 2026 11:50:00 GMT</pubDate>${items.join('')}</channel></rss>`
const item = (change: Record<string, string | null> = {}): string => {
  const elements: Record<string, string | null> = {
    title: 'Bushfire at Smith Road',
    guid: 'f1',
    pubDate: 'Sat, 01 Aug 2026 21:30:00 +1000',
    'georss:point': '-32.25 149.12',
    ...change
  }
  return `<item>${Object.entries(elements)
    .map(([name, text]) => (text === null ? '' : `<${name}>${text}</${name}>`))
    .join('')}</item>`
}
const shape = (xml: string) => shapeIn(parseXml(`<item>${xml}</item>`, 'test'))

t.test('a place is read in every way GeoRSS writes it, latitude first', async (t) => {
  const point = { lat: 45.25, lon: -71.5 }
  for (const xml of [
    '<georss:point>45.25 -71.5</georss:point>',
    '<georss:point>45.25, -71.5</georss:point>',
    '<georss:where><gml:Point><gml:pos>45.25 -71.5</gml:pos></gml:Point></georss:where>',
    '<gml:Point><gml:pos>45.25 -71.5</gml:pos></gml:Point>',
    '<geo:lat>45.25</geo:lat><geo:long>-71.5</geo:long>',
    '<geo:Point><geo:lat>45.25</geo:lat><geo:long>-71.5</geo:long></geo:Point>'
  ])
    t.match(shape(xml), { ...point, geometry: null, circle: null, bbox: null }, xml)
  const ring = [
    [10, 1],
    [11, 1],
    [11, 2],
    [10, 1]
  ]
  for (const xml of [
    '<georss:polygon>1 10 1 11 2 11 1 10</georss:polygon>',
    '<georss:polygon>1,10 1,11 2,11</georss:polygon>',
    '<georss:where><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>1 10 1 11 2 11 1 10</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></georss:where>'
  ])
    t.same(shape(xml).geometry, { type: 'Polygon', coordinates: [ring] }, xml)
  t.same(shape('<georss:line>1 10 2 11</georss:line>').geometry, {
    type: 'LineString',
    coordinates: [
      [10, 1],
      [11, 2]
    ]
  })
  t.same(shape('<georss:box>1 10 2 11</georss:box>').bbox, [10, 1, 11, 2])
  const envelope =
    '<gml:Envelope><gml:lowerCorner>1 10</gml:lowerCorner><gml:upperCorner>2 11</gml:upperCorner></gml:Envelope>'
  t.same(shape(`<georss:where>${envelope}</georss:where>`).bbox, [10, 1, 11, 2])
  t.same(shape('<georss:circle>1 10 2500</georss:circle>').circle, { lat: 1, lon: 10, radius_km: 2.5 }, 'metres')
  t.same(shape('<cap:circle>1,10 2.5</cap:circle>').circle, { lat: 1, lon: 10, radius_km: 2.5 }, 'kilometres')
  const both = shape('<georss:point>1.5 10.5</georss:point><georss:polygon>1 10 1 11 2 11 1 10</georss:polygon>')
  t.match(both, { geometry: { type: 'Polygon' }, lat: 1.5, lon: 10.5 }, 'an area is more than a point')
  const two = '<georss:polygon>1 10 1 11 2 11 1 10</georss:polygon><georss:polygon>3 10 3 11 4 11 3 10</georss:polygon>'
  t.equal(shape(two).geometry?.type, 'MultiPolygon')
})

t.test('what is no position is no place', async (t) => {
  for (const xml of [
    '<georss:point>0 0</georss:point>',
    '<georss:point>0.0 0.000</georss:point>',
    '<georss:point>95 10</georss:point>',
    '<georss:point>1 2 3</georss:point>',
    '<georss:point>north 12</georss:point>',
    '<georss:point></georss:point>',
    '<georss:polygon>1 10 1 11</georss:polygon>',
    '<georss:polygon>1 10 1 11 2 NaN 1 10</georss:polygon>',
    '<georss:box>1 10 2</georss:box>',
    '<georss:circle>1 10 -5</georss:circle>'
  ])
    t.same(shape(xml), { geometry: null, circle: null, bbox: null, lat: null, lon: null }, xml)
})

t.test('an outline of a whole country is thinned', async (t) => {
  const corners = Array.from({ length: 60_000 }, (_, at) => {
    const angle = (at / 60_000) * 2 * Math.PI
    return `${(Math.sin(angle) * 10).toFixed(5)} ${(100 + Math.cos(angle) * 10).toFixed(5)}`
  })
  const { geometry } = shape(`<georss:polygon>${corners.join(' ')}</georss:polygon>`)
  t.equal(geometry?.type, 'Polygon')
  t.ok(JSON.stringify(geometry).length < 500_000)
})

t.test('an item of RSS becomes an event: id, time, place, category and who says so', async (t) => {
  const { events, updated, items } = read(rss(item()))
  t.match(events, [
    {
      id: 'f1',
      source: 'test',
      title: 'Bushfire at Smith Road',
      category: 'fire_warning',
      family: 'fire',
      severity: 'priority',
      sent_at: '2026-08-01T11:30:00.000Z',
      thread_id: 'test:f1',
      lat: -32.25,
      lon: 149.12,
      data: { attribution: 'Fires of Example' }
    }
  ])
  t.same([updated, items], ['2026-08-01T11:50:00.000Z', 1])
})

t.test('an entry of Atom becomes the same', async (t) => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom" ${NAMESPACES} xml:lang="en-AU"><title>Alerts</title><updated>2026-08-01T11:50:00Z</updated>
    <entry><id>tag:1</id><title type="html">Grass fire &amp;amp; smoke</title><category term="Advice"/><updated>2026-08-01T21:00:00+10:00</updated>
    <content type="html">Alert Level: Advice&lt;br/&gt;Current Status: Going&lt;br/&gt;Details: Stay informed.</content><georss:point>-27.5, 152.9</georss:point></entry></feed>`
  t.match(read(atom).events, [
    {
      id: 'tag:1',
      title: 'Grass fire & smoke',
      sent_at: '2026-08-01T11:00:00.000Z',
      lat: -27.5,
      data: { language: 'en-AU', detail: /^Advice\. Going\b/ }
    }
  ])
})

t.test(
  'rules say what words of an item mean; category and level each come from the first rule that names one',
  async (t) => {
    const rules = [
      { words: 'alert level: emergency warning', severity: 'immediate' },
      { words: 'Watch and Act', severity: 'critical' },
      { words: 'hazard reduction', off: true },
      { words: 'fire', category: 'wildfire_incident' },
      { words: 'fire', severity: 'routine' }
    ]
    const of = (description: string): string => rss(item({ description: `<![CDATA[ALERT LEVEL: ${description}]]>` }))
    const level = (description: string) =>
      read(of(description), { rules }).events.map((event) => [event.category, event.severity])
    t.same(level('Emergency Warning<br/>STATUS: Out of control'), [['wildfire_incident', 'immediate']])
    t.same(level('Watch and Act'), [['wildfire_incident', 'critical']])
    t.same(level('Advice'), [['wildfire_incident', 'routine']])
    t.match(inWords(read(of('Hazard Reduction'), { rules }).skipped), [{ id: 'f1', reason: 'left out by a rule' }])
  }
)

t.test('a category that was guessed from a title wakes nobody; one that was chosen brings its level', async (t) => {
  const body = rss(item({ title: 'Evacuation centre at the school has closed' }))
  t.match(read(body).events, [{ category: 'emergency_evacuation', severity: 'priority' }])
  t.match(read(body, { category: 'emergency_evacuation' }).events, [{ severity: 'immediate' }])
  t.match(read(body, { severity: 'routine' }).events, [{ severity: 'routine' }])
})

t.test('a title that orders people to leave or to stay inside wakes, although nobody chose a category', async (t) => {
  const level = (title: string): string | undefined => read(rss(item({ title }))).events[0]?.severity
  for (const title of [
    'Evacuation Order for Croy Creek',
    'EVACUATION ORDER - Smith Road and Mill Lane',
    'Evacuation Alert issued for the Okanagan shore',
    'Evacuation Warning: Zones 12 and 14',
    'Mandatory evacuations in effect west of the river',
    'Level 3 (GO) evacuation for Pine Hollow',
    'Evacuate now: dam failing above Oldtown',
    'Residents of Mill Lane told to evacuate',
    'Evacuations ordered near Coolagolite',
    'Shelter in place for downtown Oldtown',
    'Shelter-in-place order, chemical release at the harbour',
    'Take shelter now - Evacuation no longer possible. Shelter in place at Smith Road',
    'Evacuation order lifted for Zone A; evacuation order for Zone B in effect',
    'Evacuation order issued for Smith Road, reception centre open at the school',
    'Evacuation Order: Drill Hall Road, do not return',
    'Evacuation Order - May 5 - Training Camp Road',
    'Evakuierung der Altstadt angeordnet',
    'Ordre d’évacuation : Vallée du Nord',
    'Orden de evacuación para Valle Alto'
  ])
    t.equal(level(title), 'critical', title)
})

t.test('a title that takes such an order back, practises it or speaks of one that is none wakes nobody', async (t) => {
  const level = (title: string): string => read(rss(item({ title }))).events[0]?.severity ?? 'none'
  for (const title of [
    'Evacuation order lifted for Croy Creek',
    'Evacuation Orders for Smith Road have been rescinded',
    'Evacuation order downgraded to alert for Zone 4',
    'Mandatory evacuation cancelled',
    'Shelter in place lifted',
    'Shelter-in-place order has ended for Oldtown',
    'Evacuation shelter opens at the high school',
    'Evacuation centre at the school has closed',
    'Emergency evacuation centre open in Newtown',
    'Evacuation drill on Tuesday',
    'Evacuation order exercise, Saturday 10 am',
    'Shelter-in-place drill at three schools',
    'This is a test: Evacuation order for Oldtown',
    'Anniversary of the evacuation of Oldtown',
    'Ten years after the evacuation order: Oldtown remembers',
    'What does an evacuation order mean?',
    'How to shelter in place',
    'Know your zone before an evacuation order',
    'Evacuation orders possible later this week',
    'Evacuation warning may be issued tonight',
    'No evacuation orders at this time',
    'Evacuees return to Croy Creek after evacuation order',
    'Council approves evacuation plan',
    'Evacuation route signs replaced on Mill Lane',
    'Evakuierung aufgehoben',
    'Boil water advisory for Oldtown'
  ])
    t.ok(['routine', 'priority'].includes(level(title)), `${title}: ${level(title)}`)
})

t.test('a category nobody knows is refused with what to do; one of the configuration is taken', async (t) => {
  t.throws(() => read(rss(item()), { category: 'bushfire' }), /no category "bushfire"\. Name one/)
  const own = tools({ families: () => new Set(['river']) })
  t.match(read(rss(item()), { category: 'river_high' }, own).events, [{ family: 'river', category: 'river_high' }])
})

t.test('CAP elements in an item bring level, end and instruction', async (t) => {
  const cap = item({
    'cap:event': 'Heavy Rain',
    'cap:urgency': 'Immediate',
    'cap:severity': 'Severe',
    'cap:certainty': 'Observed',
    'cap:category': 'Met',
    'cap:expires': '2026-08-01T18:00:00Z',
    'cap:instruction': 'Move to higher ground.',
    'cap:areaDesc': 'Coast'
  })
  const [event] = read(rss(cap)).events
  t.match(event, {
    id: 'f1',
    severity: 'critical',
    family: 'weather',
    expires: '2026-08-01T18:00:00.000Z',
    lat: -32.25,
    data: { event_name: 'Heavy Rain', instruction: 'Move to higher ground.', places: ['Coast'] }
  })
  const open = item({ 'cap:event': 'Heavy Rain', 'cap:urgency': 'Future', 'cap:severity': 'Minor' })
  t.equal(read(rss(open)).events[0]?.expires, null, 'an end that nobody named is none')
  const test = item({ 'cap:event': 'Rain', 'cap:urgency': 'Future', 'cap:severity': 'Minor', 'cap:status': 'Test' })
  t.match(inWords(read(rss(test))), { events: [], skipped: [{ id: 'f1', reason: 'test' }] })
})

t.test('earthquakes go by their magnitude', async (t) => {
  const quake = (title: string, description = '') => rss(item({ title, description, guid: title }))
  t.match(read(quake('2026-08-01 09:14:08 UTC - Magnitude(ML) 4.6 - 1 km NE Norcia (PG)')).events, [
    {
      category: 'earthquake_event',
      severity: 'priority',
      data: { magnitude: 4.6, origin_time: '2026-08-01T09:14:08.000Z', places: ['1 km NE Norcia (PG)'] }
    }
  ])
  const spanish = 'Se ha producido un terremoto de magnitud 3.6 en SW EL PINAR'
  t.match(read(quake('-Info.terremoto: 18/03/2026 19:34:55', spanish)).events, [
    { severity: 'routine', data: { magnitude: 3.6, severity_inside_region: 'priority' } }
  ])
})

t.test('the text of a fire service read aloud', async (t) => {
  const description =
    '<![CDATA[ALERT LEVEL: Watch and Act<br />LOCATION: Smith Road, Oldtown<br />STATUS: Out of control<br />TYPE: Bush fire<br />SIZE: 120 ha<br />ADVICE: Leave now toward Newtown.]]>'
  const rules = [{ words: 'watch and act', severity: 'critical', category: 'wildfire_incident' }]
  const [event] = read(rss(item({ description })), { rules }).events
  t.ok(event)
  if (event === undefined) return
  const text = textOf({ ...event, lat: null, lon: null }, NOW)
  t.match(text, /^Bushfire at Smith Road 120ha, Oldtown/)
  t.match(text, /Watch and Act/)
  t.match(text, /Leave now toward Newtown/)
})

t.test('what changed is an update of the same thing; the same feed made anew is not', async (t) => {
  const [first] = read(rss(item())).events
  const [again] = read(rss(item({ pubDate: 'Sat, 01 Aug 2026 21:40:00 +1000' }))).events
  const [changed] = read(rss(item({ title: 'Bushfire at Smith Road under control' }))).events
  t.equal(first?.revision, again?.revision)
  t.not(first?.revision, changed?.revision)
  t.equal(first?.thread_id, changed?.thread_id)
})

t.test('missing twice from a feed of what goes on, a thing is over; from a feed of news it is only old', async (t) => {
  const memory = new MapMemory()
  const bodies: (string | null)[] = [rss(item(), item({ guid: 'f2' })), rss(item({ guid: 'f2' })), null]
  const step = async (index: number, change = {}) =>
    georssSource.poll(
      settings({ ends_when_gone: true, ...change }),
      pollTools(() => bodies[index] ?? null, { memory })
    )
  t.same(lives(await step(0)), ['f1 new', 'f2 new'])
  t.same(lives(await step(1)), ['f2 new'])
  const last = await step(2)
  t.same(lives(last), ['f1 cancel'], 'the same listing once more')
  t.match(last === 'unchanged' ? [] : last.events, [{ thread_id: 'test:f1', title: 'Bushfire at Smith Road' }])
  t.same(lives(await step(0)), ['f1 new', 'f2 new'])
  const news = new MapMemory()
  for (const index of [0, 1, 2, 1]) {
    const reading = await georssSource.poll(
      settings(),
      pollTools(() => bodies[index] ?? null, { memory: news })
    )
    t.notOk(lives(reading).some((life) => life.endsWith('cancel')))
  }
  t.equal(news.dump, '[]', 'nothing is remembered of news')
})

t.test('a feed that is empty all at once ends nothing until it has stayed so', async (t) => {
  const memory = new MapMemory()
  const step = async (body: string | null) =>
    lives(
      await georssSource.poll(
        settings({ ends_when_gone: true }),
        pollTools(() => body, { memory })
      )
    )
  t.same(await step(rss(item())), ['f1 new'])
  for (const body of [rss(), null, rss(), null, null]) t.notOk((await step(body)).includes('f1 cancel'))
  t.same(await step(null), ['f1 cancel'])
})

t.test('an item that says that it is over ends what was told, and nothing else', async (t) => {
  const memory = new MapMemory()
  const rules = [{ words: 'status: safe', ends: true }]
  const over = rss(item({ description: 'STATUS: Safe' }))
  t.match(read(over, { rules }, tools({ memory })), { events: [], skipped: [{ id: 'f1' }] })
  read(rss(item()), { rules }, tools({ memory }))
  t.same(lives(read(over, { rules }, tools({ memory }))), ['f1 cancel'])
})

t.test('items in another language are left out where that is asked for', async (t) => {
  const body = rss(item({ 'dc:language': 'fr' }), item({ guid: 'f2', 'dc:language': 'en-CA' }), item({ guid: 'f3' }))
  t.same(lives(read(body, { language: 'en' })), ['f2 new', 'f3 new'])
  t.equal(read(body).events.length, 3)
})

t.test('a time that cannot be is none, and one ahead is now', async (t) => {
  const at = (pubDate: string | null) => read(rss(item({ pubDate }))).events[0]?.sent_at
  for (const pubDate of ['Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday', null])
    t.equal(at(pubDate), '2026-08-01T12:00:00.000Z')
  t.equal(at('Sun, 01 Aug 2027 00:00:00 GMT'), '2026-08-01T12:00:00.000Z')
})

t.test('an item without an id, a title or listed twice spoils nothing', async (t) => {
  const long = item({ guid: 'x'.repeat(5000) })
  const { events, skipped } = read(rss(item({ guid: null }), item({ title: '', guid: 'f0' }), item(), item(), long))
  t.equal(events.length, 2)
  t.ok(events.every(({ id }) => id.length <= 256))
  t.same(inWords(skipped.map(({ reason }) => reason)), ['no id and no link', 'no title', 'listed twice'])
})

t.test('a point concerns whom the settings say', async (t) => {
  t.same(read(rss(item()), { radius_km: 20 }).events[0]?.circle, { lat: -32.25, lon: 149.12, radius_km: 20 })
  t.equal(read(rss(item())).events[0]?.circle, null)
})

t.test('hostile documents are refused, each with what came', async (t) => {
  const bomb = '<!DOCTYPE r [<!ENTITY a "aaaa">]><rss><channel><item><title>&a;</title></item></channel></rss>'
  t.throws(() => read(bomb), /DOCTYPE/)
  t.throws(() => read(rss(item({ title: '&undefined;' }))), /well-formed/)
  t.throws(() => read('<!DOCTYPE html><html></html>'), /web page/)
  t.throws(() => read('<alert/>'), /neither RSS nor Atom/)
  t.throws(() => read(''), /empty/)
  t.throws(() => read(rss(...Array.from({ length: 5001 }, (_, at) => item({ guid: `${at}` })))), /more than 5000 items/)
  t.throws(() => read(`<rss>${'<a>'.repeat(100)}${'</a>'.repeat(100)}</rss>`), /nested too deep/)
})

t.test('damage ends nothing', async (t) => {
  const body = bytes(rss(item({ description: 'STATUS: Going' }), item({ guid: 'f2' })))
  survivesDamage(t, georssSource, body, settings({ ends_when_gone: true }), { name: 'georss' })
})

t.test('a file tells its kind: CAP and GDACS keep theirs', async (t) => {
  const plain = '<rss xmlns:georss="http://www.georss.org/georss"><channel/></rss>'
  t.equal(sourceKindOf(plain), 'georss')
  t.equal(sourceKindOf('<feed xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#"/>'), 'georss')
  t.equal(sourceKindOf(plain.replace('<channel/>', '<channel><item><cap:event/></item></channel>')), 'cap')
  t.equal(sourceKindOf('<rss xmlns:gdacs="http://www.gdacs.org" xmlns:georss="g"/>'), 'gdacs')
  t.equal(sourceKindOf('<rss/>'), 'cap')
})

t.test('the example of docs/sources.md reads as it stands there', async (t) => {
  const page = readFileSync(new URL('../../../docs/sources.md', import.meta.url), 'utf8')
  const json = /```json\n(\{\n {2}"kind": "georss"[\s\S]*?)```/.exec(page)?.[1] ?? ''
  const example = v.parse(georssSourceSchema, JSON.parse(json))
  const level = (said: string) =>
    georssSource.read(bytes(rss(item({ description: `ALERT LEVEL: ${said}` }))), example, tools()).events[0]?.severity
  t.same(['Emergency Warning', 'Watch and Act', 'Advice', 'Planned Burn', 'Hazard Reduction'].map(level), [
    'immediate',
    'critical',
    'priority',
    'routine',
    undefined
  ])
})

t.test(
  'seismologists who name the scale are read: `Mw 6.9  GREECE`, with place and time of their own elements',
  async (t) => {
    const quake = item({
      title: 'Mw 6.9  GREECE',
      guid: null,
      link: 'https://quakes.example/2',
      pubDate: null,
      'georss:point': null,
      ...{ 'geo:lat': '37.71', 'geo:long': '23.22', 'emsc:time': '2026-08-01 10:50:10 UTC' }
    })
    const { events } = read(rss(quake))
    t.match(events, [
      {
        category: 'earthquake_event',
        severity: 'critical',
        sent_at: '2026-08-01T10:50:10.000Z',
        data: { magnitude: 6.9, places: ['GREECE'], origin_time: '2026-08-01T10:50:10.000Z' }
      }
    ])
    const plain = `<rss version="2.0" xmlns:geo="http://www.w3.org/2003/01/geo/"><channel><title>E</title>${quake}</channel></rss>`
    t.equal(sourceKindOf(plain), 'georss', 'whatever the namespace of geo is called')
  }
)

t.test('a place in the text is a place; InciWeb leaves out the sign of the west', async (t) => {
  const text = (at: string) =>
    `Last updated: 2026-07-31 The type of incident is Wildfire.\n---\nIncident Overview - The fire is 900 acres.\nCoordinates:\n${at}`
  const whereIs = (at: string, attribution: string) => {
    const [event] = read(rss(item({ title: 'Wapiti Fire', 'georss:point': null, description: text(at) })), {
      attribution
    }).events
    return { lat: event?.lat, lon: event?.lon, detail: event?.data.detail }
  }
  const detail = 'The fire is 900 acres.'
  t.same(whereIs('Latitude: 44° 12 36 Longitude: 115° 13 12', 'InciWeb'), { lat: 44.21, lon: -115.22, detail })
  t.same(whereIs('Latitude: -33.5 Longitude: 150.25', 'RFS'), { lat: -33.5, lon: 150.25, detail })
  t.same(whereIs("Latitude: 44° 12' N Longitude: 115° 30' W", ''), { lat: 44.2, lon: -115.5, detail })
  for (const none of ['Latitude: 0 Longitude: 0', 'Latitude: 144 Longitude: 1', 'Latitude: 44 Longitude: x'])
    t.match(whereIs(none, ''), { lat: null, lon: null })
})

t.test('a fire that somebody lights is no warning', async (t) => {
  const level = (title: string) =>
    read(rss(item({ title }))).events.map(({ category, severity }) => [category, severity])
  t.same(level('Croy Creek Prescribed Fire'), [['wildfire_incident', 'routine']])
  t.same(level('Planned burn at Smith Road, fire crews on scene'), [['wildfire_incident', 'routine']])
  t.same(level('Fire at Smith Road'), [['fire_warning', 'priority']])
})
