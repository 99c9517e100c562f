import fc from 'fast-check'
import t from 'tap'
import { familyKeys } from '../../../src/model/families.ts'
import { parseTime, utcOrNull } from '../../../src/model/time.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { eventFromFeature, taggableEvent } from '../../../src/warning/events/feature.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'

const NOW = Date.UTC(2026, 6, 1, 12)
const NOW_TEXT = '2026-07-01T12:00:00.000Z'
const options = { now: NOW, families: familyKeys({ river: {} }) }
const minimal = { id: 'a', source: 'me', title: 'Rain', family: 'weather' }

function refused(input: unknown): readonly { path: string; message: string }[] {
  try {
    parseEventInput(input, options)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return error.issues
    throw error
  }
  throw new Error('the event was accepted')
}

t.test('four fields are enough; the rest has its default', async (t) => {
  t.same(parseEventInput(minimal, options), {
    ...minimal,
    revision: '',
    category: '',
    severity: 'routine',
    summary: '',
    body: '',
    geometry: null,
    bbox: null,
    circle: null,
    lat: null,
    lon: null,
    zones: [],
    same: [],
    onset: null,
    expires: null,
    sent_at: NOW_TEXT,
    received_at: NOW_TEXT,
    thread_id: 'me:a',
    lifecycle: 'new',
    region: null,
    regions: [],
    data: {}
  })
})

t.test('a known category brings family and severity; an unknown one needs a family', async (t) => {
  const { family: _, ...bare } = minimal
  const event = parseEventInput({ ...bare, category: 'wildfire_spotting' }, options)
  t.match(event, { family: 'fire', severity: 'immediate' })
  t.equal(parseEventInput({ ...bare, category: 'wildfire_spotting', severity: 'routine' }, options).severity, 'routine')
  t.match(parseEventInput({ ...bare, category: 'river_ice' }, options), { family: 'river', severity: 'routine' })
  t.match(parseEventInput({ ...minimal, category: 'made_up' }, options), { category: 'made_up', family: 'weather' })
  t.match(refused({ ...bare, category: 'made_up' }), [{ path: '/category' }])
  t.match(refused(bare), [{ path: '/family' }])
  t.match(refused({ ...minimal, family: 'space' }), [{ path: '/family', message: /unknown family space/ }])
})

t.test('every refusal names its place', async (t) => {
  const table: [object, string][] = [
    [{ id: undefined }, '/id'],
    [{ id: '  ' }, '/id'],
    [{ id: 'x'.repeat(257) }, '/id'],
    [{ id: 5 }, '/id'],
    [{ source: null }, '/source'],
    [{ title: 'x'.repeat(501) }, '/title'],
    [{ body: 'x'.repeat(20_001) }, '/body'],
    [{ severity: 'high' }, '/severity'],
    [{ lifecycle: 'over' }, '/lifecycle'],
    [{ lat: Number.NaN }, '/lat'],
    [{ lat: 91 }, '/lat'],
    [{ lon: '7' }, '/lon'],
    [{ lon: Number.POSITIVE_INFINITY }, '/lon'],
    [{ bbox: [1, 2, 3] }, '/bbox/3'],
    [{ bbox: [1, 2, 'x', 3] }, '/bbox/2'],
    [{ circle: { lat: 1, lon: 2, radius_km: -1 } }, '/circle/radius_km'],
    [{ geometry: 'POINT(1 2)' }, '/geometry'],
    [{ geometry: {} }, '/geometry/type'],
    [{ zones: ['IDZ001', 7] }, '/zones/1'],
    [{ same: '016013' }, '/same'],
    [{ sent_at: '2026-07-01T12:00:00' }, '/sent_at'],
    [{ expires: '2026-02-30T12:00:00Z' }, '/expires'],
    [{ onset: 1 }, '/onset'],
    [{ regions: ['North', ''] }, '/regions/1'],
    [{ regions: Array.from({ length: 1001 }, (_, at) => `R${at}`) }, '/regions'],
    [{ data: [] }, '/data'],
    [{ data: { places: 'Hailey' } }, '/data/places'],
    [{ data: { magnitude: 'big' } }, '/data/magnitude'],
    [{ places: [1] }, '/places/0']
  ]
  for (const [patch, path] of table) t.equal(refused({ ...minimal, ...patch })[0]?.path, path, JSON.stringify(patch))
  for (const input of [null, 5, 'x', [], [minimal]]) t.match(refused(input), [{ path: '' }])
  t.match(refused({ source: 'me', family: 'weather' }), [{ path: '/id', message: 'is required' }, { path: '/title' }])
})

t.test('times become UTC, received_at is ours, null means default', async (t) => {
  const event = parseEventInput(
    {
      ...minimal,
      sent_at: '2026-07-01t05:00:00-07:00',
      expires: '2026-07-01T23:59:60Z',
      received_at: 'whatever',
      onset: null
    },
    options
  )
  t.match(event, { sent_at: NOW_TEXT, expires: '2026-07-01T23:59:59.000Z', received_at: NOW_TEXT, onset: null })
})

t.test('unknown keys are kept in data, next to what was posted there; odd names do no harm', async (t) => {
  const input = JSON.parse(JSON.stringify({ ...minimal, depth: 3, data: { depth: 4, event_name: null, note: null } }))
  t.same(parseEventInput(input, options).data, { depth: 4, note: null })
  const odd = JSON.parse(
    '{"id":"a","source":"me","title":"x","family":"weather","__proto__":{"polluted":1},"constructor":2}'
  )
  parseEventInput(odd, options)
  t.equal(({} as { polluted?: number }).polluted, undefined)
})

t.test('codes are tidied; a preset region is kept and leads regions', async (t) => {
  t.match(parseEventInput({ ...minimal, zones: [' idz001 ', 'IDZ001'], same: ['016013'] }, options), {
    zones: ['IDZ001'],
    same: ['016013']
  })
  t.match(parseEventInput({ ...minimal, region: 'North' }, options), { region: 'North', regions: ['North'] })
  t.match(parseEventInput({ ...minimal, region: 'South', regions: ['North', 'East', 'North'] }, options), {
    region: 'North',
    regions: ['North', 'East']
  })
})

t.test('what nests too deep to be stored is refused, however it comes', async (t) => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
  const event = { id: 'x', source: 's', title: 't', family: 'fire' }
  for (const depth of [100, 100_000]) {
    const parts = [{ geometry: { type: 'Polygon', coordinates: nested(depth) } }, { data: { a: nested(depth) } }]
    for (const part of parts)
      t.throws(() => parseEventInput({ ...event, ...part }, { now: 0, families: familyKeys({}) }), { code: 'invalid' })
  }
  const kept = parseEventInput({ ...event, data: { a: nested(50) } }, { now: 0, families: familyKeys({}) })
  t.ok(JSON.stringify(kept))
})

t.test('geometry is looked at only as far as its type', async (t) => {
  const geometry = { type: 'Polygon', coordinates: [[['x', null]], 5] }
  t.same(parseEventInput({ ...minimal, geometry }, options).geometry, geometry)
})

t.test('whatever JSON is posted, the answer is an event or a refusal with a place', async () => {
  const keys = fc.constantFrom(
    'id',
    'source',
    'title',
    'family',
    'lat',
    'bbox',
    'zones',
    'geometry',
    'data',
    'sent_at',
    'regions',
    'odd'
  )
  fc.assert(
    fc.property(fc.dictionary(keys, fc.oneof(fc.jsonValue(), fc.string())), (patch) => {
      try {
        const event = parseEventInput({ ...minimal, ...patch }, options)
        return (
          options.families.has(event.family) &&
          utcOrNull(event.sent_at) === event.sent_at &&
          JSON.stringify(event) !== ''
        )
      } catch (error) {
        return (
          error instanceof AppError &&
          error.code === 'invalid' &&
          error.issues.every(({ path }) => /^(?:\/.*)?$/.test(path))
        )
      }
    }),
    { numRuns: 500 }
  )
})

t.test('RFC 3339 is read as it stands, and nothing else is', async (t) => {
  const good: [string, number][] = [
    ['2026-07-01T12:00:00Z', NOW],
    ['2026-07-01 12:00:00z', NOW],
    ['2026-07-01T14:30:00.5+02:30', NOW + 500],
    ['2025-03-06T13:37:01-00:00', Date.UTC(2025, 2, 6, 13, 37, 1)],
    ['2024-02-29T00:00:00.1234567Z', Date.UTC(2024, 1, 29) + 123]
  ]
  for (const [text, ms] of good) t.equal(parseTime(text), ms, text)
  const bad = [
    '',
    '2026-07-01',
    '2026-13-01T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-07-01T24:00:00Z',
    '2026-07-01T12:00Z',
    '0000-01-01T00:00:00+01:00'
  ]
  for (const text of bad) t.equal(parseTime(text), null, text)
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') }),
      (date) => {
        return parseTime(date.toISOString()) === date.getTime()
      }
    )
  )
})

t.test('a Feature is an event: place from geometry, else from its codes', async (t) => {
  const point = { type: 'Point', coordinates: [1, 2] }
  const event = eventFromFeature(
    { type: 'Feature', id: 7, geometry: point, properties: { title: 'Here', family: 'fire' } },
    { now: NOW }
  )
  t.match(event, { id: '7', title: 'Here', family: 'fire', geometry: point, sent_at: NOW_TEXT })
  const alert = eventFromFeature(
    {
      type: 'Feature',
      geometry: null,
      properties: {
        '@type': 'wx:Alert',
        id: 'urn:1',
        event: 'Red Flag Warning',
        severity: 'Severe',
        urgency: 'Expected',
        areaDesc: 'A; B',
        geocode: { UGC: ['IDZ422'], SAME: ['016013'] }
      }
    },
    { now: NOW }
  )
  t.match(alert, {
    source: 'nws',
    family: 'fire',
    severity: 'priority',
    zones: ['IDZ422'],
    same: ['016013'],
    geometry: null
  })
  t.same(alert.data.places, ['A', 'B'])
  t.throws(() => eventFromFeature({ type: 'Polygon' }, { now: NOW }), { code: 'bad-input' })
})

t.test('what is to be tagged never fails on a malformed place', async (t) => {
  const broken = {
    id: 'x',
    lat: 'north',
    lon: Number.NaN,
    bbox: [1],
    circle: { lat: 1 },
    geometry: 5,
    zones: 'IDZ001',
    same: [5, '016013']
  }
  t.match(taggableEvent(broken, { now: NOW }), {
    id: 'x',
    lat: null,
    bbox: null,
    circle: null,
    geometry: null,
    zones: [],
    same: ['016013']
  })
  const whole = {
    id: 'x',
    lat: 95,
    lon: 1,
    bbox: [1, 2, 3, 4],
    circle: { lat: 1, lon: 2, radius_km: 3 },
    regions: ['North']
  }
  t.match(taggableEvent(whole, { now: NOW }), {
    lat: 95,
    bbox: [1, 2, 3, 4],
    circle: { radius_km: 3 },
    region: 'North'
  })
  t.throws(() => taggableEvent([], { now: NOW }), { code: 'bad-input' })
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('type', 'properties', 'geometry', 'bbox', 'zones', 'id'), fc.jsonValue()),
      (input) => {
        taggableEvent(input, { now: NOW })
        return true
      }
    )
  )
})
