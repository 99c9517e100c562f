import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { readMessage } from '../../../src/warning/feeds/reading/mapping.ts'
import { mappingSchema } from '../../../src/warning/feeds/reading/mapping-settings.ts'
import { valueAt } from '../../../src/warning/feeds/reading/pointer.ts'
import { restSource } from '../../../src/warning/feeds/rest/rest.ts'
import { restSourceSchema } from '../../../src/warning/feeds/rest/settings.ts'
import type { FetchRequest, PollTools } from '../../../src/warning/feeds/source.ts'
import { inWords } from '../../helpers/in-words.ts'
import { bodyOf, readTools } from './push-harness.ts'

const NOW = Date.parse('2026-06-01T18:00:00Z')
const tools = { source: 'mine', receivedAt: NOW }

const mappingOf = (mapping: unknown) => v.parse(mappingSchema, mapping)
const base = { id: '/id', title: '/name', family: { value: 'roads' } }
const withFields = (fields: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  mappingOf({ fields: { ...base, ...fields }, ...more })
const read = (body: unknown, mapping?: ReturnType<typeof mappingOf>) =>
  readMessage(JSON.stringify(body), mapping, tools)
/** The one event of a thing with these members. */
const one = (fields: Record<string, unknown>, item: Record<string, unknown>) => {
  const { events, skipped } = read({ id: 1, name: 'Closed', ...item }, withFields(fields))
  return events[0] ?? skipped[0]?.reason
}

t.test('a pointer leads to members of the data and to nothing else', async (t) => {
  const root: unknown = JSON.parse('{"a":[{"b/c":1,"d~e":2,"":3}],"__proto__":{"x":4},"length":5}')
  const table: [string, unknown][] = [
    ['', root],
    ['/a/0/b~1c', 1],
    ['/a/0/d~0e', 2],
    ['/a/0/', 3],
    ['/length', 5],
    ['/a/length', undefined],
    ['/a/00', undefined],
    ['/a/-', undefined],
    ['/a/1', undefined],
    ['/toString', undefined],
    ['/a/0/b~1c/toFixed', undefined],
    ['/constructor/prototype', undefined]
  ]
  for (const [pointer, value] of table) t.same(valueAt(root, pointer), value, pointer)
})

t.test('fields come from pointers, constants, templates and tables', async (t) => {
  const mapping = mappingOf({
    list: '/result/items',
    fields: {
      id: { template: 'site-{/site/no}-{/kind}' },
      title: { template: '{/site/name}: {/kind}' },
      category: { pointer: '/kind', table: { flood: 'stream_flood_warning' }, otherwise: 'stream_flow' },
      severity: { pointer: '/level', table: { 1: 'routine', RED: 'critical' } },
      summary: ['/text/en', '/text/de'],
      lat: '/site/lat',
      lon: '/site/lon',
      expires: '/until',
      sent_at: '/at',
      zones: '/zones',
      data: { detail: '/text/de', places: '/site/name', attribution: { value: 'Water Office' }, level_m: '/m' }
    }
  })
  const body = {
    result: {
      items: [
        {
          site: { no: 7, name: 'Wood River', lat: '43.5', lon: -114 },
          kind: 'Flood',
          level: 'red',
          text: { de: 'Hochwasser' },
          until: 1_780_400_000,
          at: '2026-06-01T17:00:00+02:00',
          zones: 'idz014, IDZ015',
          m: 2.1
        },
        { site: { no: 8, name: 'Camas Creek' }, kind: 'gauge', level: 1 }
      ]
    }
  }
  const { events, skipped, items } = read(body, mapping)
  t.same([items, skipped], [2, []])
  t.match(events[0], {
    id: 'site-7-Flood',
    source: 'mine',
    title: 'Wood River: Flood',
    family: 'seismic',
    category: 'stream_flood_warning',
    severity: 'critical',
    summary: 'Hochwasser',
    lat: 43.5,
    lon: -114,
    expires: '2026-06-02T11:33:20.000Z',
    sent_at: '2026-06-01T15:00:00.000Z',
    zones: ['IDZ014', 'IDZ015'],
    thread_id: 'mine:site-7-Flood',
    lifecycle: 'new',
    data: { detail: 'Hochwasser', places: ['Wood River'], attribution: 'Water Office', level_m: 2.1 }
  })
  t.match(events[1], { id: 'site-8-gauge', severity: 'routine', category: 'stream_flow', lat: null, expires: null })
  t.equal(events[1]?.sent_at, new Date(NOW).toISOString(), 'on arrival when the source does not say')
})

t.test('times come as ISO 8601 or as epoch in seconds or milliseconds', async (t) => {
  const expected = '2026-06-01T12:00:00.000Z'
  const spellings = [
    '2026-06-01T12:00:00Z',
    '2026-06-01T14:00:00+02:00',
    '2026-06-01 12:00:00',
    '2026-06-01T12:00',
    1_780_315_200,
    1_780_315_200_000,
    '1780315200',
    '1780315200000'
  ]
  for (const at of spellings) t.match(one({ onset: '/at' }, { at }), { onset: expected }, String(at))
  for (const at of ['', null, undefined]) t.match(one({ onset: '/at' }, { at }), { onset: null }, 'nothing is no time')
  for (const at of ['noon', {}, [], true, 1e300, '2026-13-01']) {
    t.equal(inWords(one({ onset: '/at' }, { at })), '/at: is not a time', JSON.stringify(at))
  }
})

t.test('a value that does not fit is refused by its pointer, and spoils only its own item', async (t) => {
  const table: [Record<string, unknown>, Record<string, unknown>, string][] = [
    [{ lat: '/y', lon: '/x' }, { y: 'north', x: 1 }, '/y: is not a number'],
    [{ lat: '/y', lon: '/x' }, { y: 95, x: 1 }, '/y: latitude is between -90 and 90 (lat)'],
    [{ radius_km: '/radius' }, { radius: 5 }, '/radius: a radius needs lat and lon'],
    [{ severity: { pointer: '/s', table: { a: 'routine' } } }, { s: 'b' }, '/s: "b" is not in its table'],
    [{ lifecycle: '/l' }, { l: 'gone' }, '/l: a lifecycle is one of new, update, cancel, expire (lifecycle)'],
    [{ geometry: '/g' }, { g: { type: 'Polygon', coordinates: [1] } }, '/g: is not a GeoJSON geometry'],
    [{ bbox: '/box' }, { box: [1, 2, 3] }, '/box: is not [west, south, east, north]'],
    [{ summary: '/text' }, { text: { en: 'x' } }, '/text: is not a text'],
    [{ zones: '/z' }, { z: [{}] }, '/z: is not a list of texts'],
    [{ data: { own: '/d' } }, { d: { deep: 1 } }, '/d: is not a text, a number or a list of them'],
    [{ data: { magnitude: '/d' } }, { d: 'big' }, '/d: is not a number'],
    [{}, { id: null }, '/id: nothing is here (id)'],
    [{ id: { template: '{/a}-{/b}' } }, { a: 1 }, '/a: nothing is here (id)'],
    [{ family: '/f' }, { f: 'nonsense' }, '/f: unknown family nonsense']
  ]
  for (const [fields, item, reason] of table) {
    const mapping = withFields(fields)
    const good = { id: 9, name: 'Good', a: 1, b: 2, f: 'fire', s: 'a', y: 1, x: 1, l: 'new', d: '1', z: 'A' }
    const { events, skipped } = read([{ id: 1, name: 'Bad', ...item }, good], mapping)
    const said = skipped[0] === undefined ? '' : sentenceOf(skipped[0].reason)
    t.ok(said.startsWith(reason), `${reason} ← ${said}`)
    t.equal(events.length, 1, 'the other item is an event')
  }
})

t.test('a circle comes from a position and a radius, truth values and numbers become texts', async (t) => {
  t.match(one({ lat: '/y', lon: '/x', radius_km: '/r' }, { y: 43, x: -114, r: '12.5' }), {
    circle: { lat: 43, lon: -114, radius_km: 12.5 }
  })
  t.match(
    one({ summary: '/open', data: { detail: '/n', open: '/open', list: '/l' } }, { open: false, n: 4, l: [1, 'b'] }),
    {
      summary: 'false',
      data: { detail: '4', open: false, list: ['1', 'b'] }
    }
  )
  const closing = one(
    { lifecycle: { pointer: '/closed', table: { true: 'cancel' }, otherwise: 'new' } },
    { closed: true }
  )
  t.match(closing, { lifecycle: 'cancel' })
  t.match(one({ title: '/long' }, { long: 'x'.repeat(900) }), { title: /^x{499}…$/ })
})

t.test('a repeat has the same revision; it changes with what is told, not with when', async (t) => {
  const mapping = withFields({ summary: '/s', sent_at: '/at' })
  const revision = (item: Record<string, unknown>) => read({ id: 1, name: 'A', ...item }, mapping).events[0]?.revision
  const first = revision({ s: 'x', at: 1_780_315_200 })
  t.match(first, /^[0-9a-f]{16}$/)
  t.equal(revision({ at: 1_780_315_260, s: 'x', unmapped: 5 }), first)
  t.not(revision({ s: 'y', at: 1_780_315_200 }), first)
  t.match(one({ revision: '/v' }, { v: 3 }), { revision: '3' })
})

t.test('each GeoJSON Feature is an event with its geometry', async (t) => {
  const mapping = mappingOf({ format: 'geojson', fields: { family: { value: 'fire' }, summary: '/properties/note' } })
  const feature = (id: unknown, properties: unknown) => ({
    type: 'Feature',
    id,
    geometry: { type: 'Point', coordinates: [-114, 43] },
    properties
  })
  const body = { type: 'FeatureCollection', features: [feature('a', { name: 'Croy', note: 'n' }), feature(2, null)] }
  const { events, skipped } = read(body, mapping)
  t.match(events, [{ id: 'a', title: 'Croy', summary: 'n', geometry: { type: 'Point', coordinates: [-114, 43] } }])
  t.same(inWords(skipped), [{ id: '2', reason: '/properties/title: nothing is here (title)' }])
  t.equal(read(feature('b', { title: 'One' }), mapping).events.length, 1, 'a single Feature')
  t.throws(() => read({ features: 5 }, mapping), { code: 'bad-input', message: /no GeoJSON Features/ })
})

t.test('without a mapping messages are Events: one, a list, one a line, or Features', async (t) => {
  const event = { id: 'a', title: 'Smoke', family: 'fire' }
  const ids = (text: string) => readMessage(text, undefined, tools).events.map(({ id, source }) => `${source}/${id}`)
  t.same(ids(JSON.stringify(event)), ['mine/a'])
  t.same(ids(JSON.stringify([event, { ...event, id: 'b', source: 'hub' }])), ['mine/a', 'hub/b'])
  const lines = `${JSON.stringify(event)}\r\n\n{"id":"cut\n${JSON.stringify({ ...event, id: 'c' })}\n`
  t.same(ids(`${JSON.stringify(event)}\n${JSON.stringify({ ...event, id: 'c' })}\n`), ['mine/a', 'mine/c'])
  t.same(inWords(readMessage(lines.replace('\n\n', '\n'), undefined, tools).skipped), [
    { id: 'item 2', reason: 'is not an object' }
  ])
  const feature = { type: 'Feature', id: 7, properties: { title: 'Fire', family: 'fire' }, geometry: null }
  t.same(ids(JSON.stringify({ type: 'FeatureCollection', features: [feature] })), ['mine/7'])
  const { skipped } = readMessage(JSON.stringify([{ id: 'x', family: 'fire' }, 5]), undefined, tools)
  t.same(inWords(skipped), [
    { id: 'x', reason: 'The event is refused. /title: is required' },
    { id: 'item 2', reason: 'is not an object' }
  ])
  const families = new Set(['river'])
  t.equal(readMessage('{"id":"r","title":"R","family":"river"}', undefined, { ...tools, families }).events.length, 1)
})

t.test('a mapping may name a family of its own', async (t) => {
  t.match(one({ family: { value: 'river' } }, {}), { family: 'river' })
  t.match(one({ family: { pointer: '/f', table: { x: 'river' } } }, { f: 'X' }), { family: 'river' })
})

t.test('a message that is no list of things is refused whole', async (t) => {
  const mapping = withFields({}, { list: '/data/items' })
  const refused: [string, RegExp][] = [
    ['', /empty/],
    ['<html></html>', /web page/],
    ['{"data":{"items":[{"id":1,', /not complete JSON/],
    ['{"data":{}}', /^\/data\/items: neither a list nor an object/],
    ['{"data":{"items":"none"}}', /^\/data\/items: neither/],
    [`{"data":{"items":${'['.repeat(80)}${']'.repeat(80)}}}`, /nested deeper than 64/],
    [`{"data":{"items":[${Array(5001).fill('1').join()}]}}`, /more than 5000/]
  ]
  for (const [body, message] of refused)
    t.throws(() => readMessage(body, mapping, tools), { code: 'bad-input', message })
  t.throws(() => readMessage('{"id":1\n{"id":2', undefined, tools), { code: 'bad-input' })
  t.throws(() => readMessage('['.repeat(100_000), undefined, tools), { code: 'bad-input' })
})

t.test('whatever comes, nothing but a refusal is thrown and no prototype is touched', async (t) => {
  const mapping = withFields({ severity: '/s', lat: '/y', lon: '/x', zones: '/z', geometry: '/g', data: { own: '/o' } })
  const item = fc.record({ id: fc.jsonValue(), name: fc.jsonValue(), s: fc.jsonValue(), y: fc.jsonValue() })
  const body = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.array(item).map((all) => JSON.stringify(all)),
    fc.string()
  )
  const check = fc.check(
    fc.property(body, fc.boolean(), (text, mapped) => {
      try {
        const { events, skipped, items } = readMessage(text, mapped ? mapping : undefined, tools)
        return events.length + skipped.length === items && events.every(({ id, title }) => id !== '' && title !== '')
      } catch (error) {
        return error instanceof AppError && error.code === 'bad-input'
      }
    }),
    { numRuns: 500 }
  )
  t.notOk(check.failed, JSON.stringify(check.counterexample))
  readMessage(
    '{"id":"p","title":"P","family":"fire","__proto__":{"polluted":1},"data":{"__proto__":{"polluted":1}}}',
    undefined,
    tools
  )
  t.notOk('polluted' in {})
})

t.test('a mapping that can never work is refused with its place', async (t) => {
  const table: [unknown, RegExp][] = [
    [{ fields: { ...base, id: { value: 'one' } } }, /an id must differ/],
    [{ fields: { ...base, id: { template: 'one' } } }, /an id must differ/],
    [{ fields: { ...base, id: { pointer: '/id', otherwise: 'x' } } }, /an id must differ/],
    [{ fields: { ...base, id: { pointer: '/id', table: { a: 'b' } } } }, /an id must differ/],
    [{ fields: { title: '/t', family: '/f' } }, /need an id/],
    [{ fields: { id: '/t', family: '/f' } }, /need a title/],
    [{ fields: { id: '/t', title: '/t' } }, /family or a category/],
    [{ fields: { ...base, title: 'Closed' } }, /JSON pointer/],
    [{ fields: { ...base, title: '/__proto__/x' } }, /pointer/],
    [{ fields: { ...base, title: { template: 'a {b}' } } }, /braces/],
    [{ fields: { ...base, title: { value: 'a', pointer: '/b' } } }, /exactly one/],
    [{ fields: { ...base, severity: { value: 'grave' } } }, /a severity is one of/],
    [{ fields: { ...base, severity: { pointer: '/s', table: { a: 'high' } } } }, /a severity is one of/],
    [{ fields: { ...base, colour: '/c' } }, /colour/],
    [{ fields: { ...base, data: { __proto__x: '/c' } } }, /a key of data/]
  ]
  for (const [mapping, message] of table) {
    const { issues = [], success } = v.safeParse(mappingSchema, mapping)
    t.notOk(success)
    t.ok(
      issues.some((issue) =>
        message.test(JSON.stringify([issue.message, issue.expected, issue.received, v.getDotPath(issue)]))
      ),
      `${message}`
    )
  }
})

const settingsOf = (given: Record<string, unknown>) =>
  v.parse(restSourceSchema, { kind: 'rest', url: 'https://example.org/items', ...given })
const polled = (answer: PollTools['fetch']): PollTools => ({
  ...readTools(NOW),
  source: 'mine',
  fetch: answer,
  signal: new AbortController().signal
})

t.test('a web service is asked with its headers and its token, and read by the mapping', async (t) => {
  const requests: FetchRequest[] = []
  const answering = (text: string) =>
    polled(async (request) => {
      requests.push(request)
      return bodyOf(text)
    })
  const settings = settingsOf({ mapping: { fields: base }, headers: { 'X-Units': 'si' }, token: 'abc' })
  const reading = await restSource.poll(settings, answering('[{"id":1,"name":"A"},{"name":"B"}]'))
  t.match(reading, { kind: 'rest', items: 2, events: [{ id: '1', source: 'mine' }], skipped: [{ id: 'item 2' }] })
  await restSource.poll(settingsOf({ token: 'abc', token_header: 'X-Api-Key' }), answering('[]'))
  await restSource.poll(settingsOf({ token: 'Basic eA==' }), answering('[]'))
  t.match(requests, [
    { url: 'https://example.org/items', headers: { 'X-Units': 'si', Authorization: 'Bearer abc' } },
    { headers: { 'X-Api-Key': 'abc' } },
    { headers: { Authorization: 'Basic eA==' } }
  ])
  t.equal(
    await restSource.poll(
      settings,
      polled(async () => ({ state: 'unchanged' }))
    ),
    'unchanged'
  )
  t.throws(() => restSource.read(new TextEncoder().encode('[{"name":"B"}]'), settings, readTools(NOW)), {
    code: 'bad-input',
    message: 'None of 1 items can be an event. item 1: /id: nothing is here (id)'
  })
  t.throws(() => settingsOf({ url: 'file:///etc/passwd' }), /address begins with https/)
  t.throws(() => settingsOf({ headers: { 'X-A': 'a\r\nB: c' } }), /one line/)
})
