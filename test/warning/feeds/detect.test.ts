import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { AppError } from '../../../src/platform/errors.ts'
import { parseFeedFile } from '../../../src/warning/feeds/detect.ts'
import { fixture } from '../../helpers/fixtures.ts'
import { inWords } from '../../helpers/in-words.ts'
import { capDocument, nwsFeature, nwsListing, quakeFeature, quakeListing } from './samples.ts'

const options = { receivedAt: Date.UTC(2026, 0, 15, 18) }
const event = { id: 'a', source: 'me', title: 'Rain', family: 'weather' }
const feature = { type: 'Feature', id: 'f', geometry: { type: 'Point', coordinates: [0, 0] }, properties: {} }

t.test('the kind of a file is found in its content', async (t) => {
  const emptyNws = {
    '@context': ['x', { wx: 'https://api.weather.gov/ontology#' }],
    type: 'FeatureCollection',
    features: []
  }
  const table: [string, string, number][] = [
    [nwsListing(nwsFeature()), 'nws', 1],
    [JSON.stringify(emptyNws), 'nws', 0],
    [JSON.stringify({ '@graph': [] }), 'nws', 0],
    [JSON.stringify(nwsFeature()), 'nws', 1],
    [quakeListing(quakeFeature('us1')), 'usgs', 1],
    [quakeListing(), 'usgs', 0],
    [capDocument(), 'cap', 1],
    [`\n<!-- a comment -->${capDocument().replace(/^<\?.*\?>/, '')}`, 'cap', 1],
    [JSON.stringify(event), 'events', 1],
    [JSON.stringify([event, feature]), 'events', 2],
    ['[]', 'events', 0],
    [`${JSON.stringify(event)}\n\n${JSON.stringify({ ...event, id: 'b' })}\n`, 'events', 2],
    [JSON.stringify(feature), 'events', 1]
  ]
  for (const [text, kind, count] of table) {
    const feed = parseFeedFile(text, options)
    t.same([feed.kind, feed.events.length], [kind, count], text.slice(0, 60))
    t.equal(parseFeedFile(Buffer.from(text), options).kind, kind, 'bytes are decoded')
  }
})

t.test('what is of no known kind is refused, and the kinds are named', async (t) => {
  const table = [
    '',
    '  ',
    'hello',
    '{}',
    '[1,2]',
    '{"type":"FeatureCollection","features":[]}',
    '<html></html>',
    '<feed/>',
    '{"a":'
  ]
  for (const text of table)
    t.throws(() => parseFeedFile(text, options), { code: 'bad-input', message: /nws, usgs, cap, events/ }, text)
  t.throws(() => parseFeedFile(nwsListing(), { ...options, as: 'rss' }), {
    code: 'bad-input',
    message: /nws, usgs, cap, events/
  })
  t.equal(parseFeedFile(nwsListing(), { ...options, as: 'NWS' }).kind, 'nws')
  t.throws(() => parseFeedFile(nwsListing(), { ...options, as: 'cap' }), { code: 'bad-input' })
})

t.test('a broken line among events is skipped with its number', async (t) => {
  const text = `${JSON.stringify(event)}\n{"id":\n${JSON.stringify({ ...event, severity: 'high' })}`
  t.match(inWords(parseFeedFile(text, options)), {
    events: [{ id: 'a' }],
    skipped: [{ id: 'line 2' }, { id: 'line 3', reason: /severity/ }]
  })
  t.match(
    parseFeedFile(JSON.stringify({ ...event, family: 'river' }), { ...options, families: new Set(['river']) }).events,
    [{ family: 'river' }]
  )
})

t.test('a Feature that names a family nobody knows is skipped as an event is', async (t) => {
  const named = (family: string) => JSON.stringify({ ...feature, properties: { title: 'X', family } })
  t.match(inWords(parseFeedFile(named('aliens'), options)), {
    events: [],
    skipped: [{ id: 'item 1', reason: 'unknown family "aliens"' }]
  })
  const own = { ...options, families: new Set(['aliens']) }
  t.match(parseFeedFile(named('aliens'), own).events, [{ family: 'aliens' }])
  t.match(parseFeedFile(JSON.stringify(feature), { ...options, as: 'events' }).events, [{ family: '' }])
})

/** A feed or an AppError; anything else that is thrown fails the test. */
function survives(text: string | Uint8Array, as?: string): 'read' | 'refused' {
  try {
    const { events } = parseFeedFile(text, { ...options, ...(as === undefined ? {} : { as }) })
    JSON.stringify(events)
    return 'read'
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-input') return 'refused'
    throw error
  }
}

const RECORDINGS: [string, string][] = [
  ['feeds/nws-geojson/active-2025-12-15-northwest.json', 'nws'],
  ['feeds/nws-geojson/alerts-500-part-a.json', 'nws'],
  ['feeds/nws-geojson/active-zone.json', 'nws'],
  ['feeds/usgs-quakes/1.0_day-2022-04-04.geojson', 'usgs'],
  ['feeds/cap/canada.cap', 'cap'],
  ['feeds/cap/mo-cap_monsoon.xml', 'cap'],
  ['feeds/cap/nws-weather-2010.cap', 'cap'],
  ['feeds/cap/alertswiss-POA-1216107687-4.xml', 'cap']
]

/** Recordings where they are present, and always the hand-made samples. */
function bodies(): [string, Buffer, string][] {
  const samples: [string, Buffer, string][] = [
    ['sample nws', Buffer.from(nwsListing(nwsFeature(), nwsFeature({ id: 'urn:2' }))), 'nws'],
    ['sample usgs', Buffer.from(quakeListing(quakeFeature('us1'), quakeFeature('us2'))), 'usgs'],
    ['sample cap', Buffer.from(capDocument()), 'cap']
  ]
  for (const [path, kind] of RECORDINGS) {
    const file = fixture(path)
    if (file !== null) samples.push([path, readFileSync(file), kind])
  }
  return samples
}

t.test('a body cut off at any percent is refused, never half merged', async (t) => {
  for (const [name, bytes, kind] of bodies()) {
    const end = bytes.toString('utf8').trimEnd().length
    const text = bytes.toString('utf8').slice(0, end)
    const read = Array.from({ length: 100 }, (_, percent) => text.slice(0, Math.floor((end * percent) / 100))).filter(
      (cut) => survives(cut, kind) === 'read' || survives(cut) === 'read'
    )
    t.equal(read.length, 0, name)
  }
})

t.test('flipped bytes never cause anything but a refusal', async (t) => {
  for (const [name, bytes, kind] of bodies()) {
    if (bytes.length > 200_000) continue
    const flip = fc.array(fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 8
    })
    fc.assert(
      fc.property(flip, (flips) => {
        const copy = Buffer.from(bytes)
        for (const [at, mask] of flips) copy[at] = (copy[at] ?? 0) ^ mask
        survives(copy, kind)
        survives(copy)
        return true
      }),
      { numRuns: 60 }
    )
    t.pass(name)
  }
})

t.test('whatever JSON stands where an entry is expected, the listing is read', async () => {
  const properties = fc.dictionary(
    fc.constantFrom(
      'id',
      'event',
      'sent',
      'references',
      'parameters',
      'geocode',
      'ids',
      'mag',
      'time',
      'type',
      'areaDesc',
      'eventCode',
      'updated'
    ),
    fc.jsonValue()
  )
  fc.assert(
    fc.property(fc.jsonValue(), properties, (entry, odd) => {
      const alert = { ...nwsFeature(), properties: { ...(nwsFeature() as { properties: object }).properties, ...odd } }
      const quake = {
        ...quakeFeature('a'),
        properties: { ...(quakeFeature('a') as { properties: object }).properties, ...odd }
      }
      return (
        survives(nwsListing(entry, alert), 'nws') === 'read' && survives(quakeListing(entry, quake), 'usgs') === 'read'
      )
    }),
    { numRuns: 300 }
  )
})
