import { readFileSync } from 'node:fs'
import t from 'tap'
import * as v from 'valibot'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { configSchema } from '../../../src/settings/schema.ts'
import { nwsSourceSchema } from '../../../src/warning/feeds/nws/settings.ts'
import { nwsSource } from '../../../src/warning/feeds/nws/source.ts'
import { BufferedMemory } from '../../../src/warning/feeds/polling/memory.ts'
import { TransientStore } from '../../../src/warning/feeds/polling/transient-store.ts'
import type { Fetched, FetchRequest, PollTools, ReadTools, SourceReading } from '../../../src/warning/feeds/source.ts'
import { usgsSourceSchema } from '../../../src/warning/feeds/usgs/settings.ts'
import { usgsSource } from '../../../src/warning/feeds/usgs/source.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { nwsFeature, nwsListing, quakeFeature } from './samples.ts'

const ORIGIN = 1_760_000_000_000
const HOUR = 3_600_000

type Bodies = Record<string, string | 'unchanged'>

/** A source with its memory; each poll is answered by the first body whose key stands in the address. */
function station(source: string) {
  const store = new TransientStore()
  const asked: FetchRequest[] = []
  const { station: who, coverage } = v.parse(configSchema, {})
  const base = (receivedAt: number, memory: BufferedMemory): ReadTools => ({
    source,
    receivedAt,
    memory,
    coverage,
    station: who,
    inForce: () => []
  })
  return {
    asked,
    store,
    read: (receivedAt = ORIGIN) => base(receivedAt, new BufferedMemory(store, source)),
    /** `save` false: the process dies before the memory is written. */
    poll: async <S>(
      kind: { poll(settings: S, tools: PollTools): Promise<SourceReading | 'unchanged'> },
      settings: S,
      bodies: Bodies,
      { at = ORIGIN, save = true } = {}
    ): Promise<SourceReading | 'unchanged'> => {
      const memory = new BufferedMemory(store, source)
      const fetch = async (request: FetchRequest): Promise<Fetched> => {
        asked.push(request)
        const body = Object.entries(bodies).find(([part]) => request.url.includes(part))?.[1]
        if (body === undefined) throw new AppError('unavailable', note(`nothing for ${request.url}`))
        if (body === 'unchanged') return { state: 'unchanged' }
        return { state: 'new', body: Buffer.from(body), contentType: '', url: request.url }
      }
      const reading = await kind.poll(settings, { ...base(at, memory), fetch, signal: new AbortController().signal })
      if (save) store.save(source, { memory: memory.takeChanges() })
      return reading
    }
  }
}

function events(reading: SourceReading | 'unchanged'): LookoutEvent[] {
  return reading === 'unchanged' ? [] : reading.events
}

const nws = (settings: object) => v.parse(nwsSourceSchema, { kind: 'nws', ...settings })
const usgs = (settings: object = {}) => v.parse(usgsSourceSchema, { kind: 'usgs', ...settings })

t.test('NWS is asked per state, zone and place, and what two of them bring is told once', async (t) => {
  const s = station('noaa')
  const settings = nws({ area: ['mt', 'ID', 'ID'], zones: ['idz014'], point: { lat: 43.6, lon: -116.123456 } })
  const [a, b, c] = [1, 2, 3].map((id) => nwsFeature({ id: `urn:oid:${id}`, event: `Event ${id}` }))
  const reading = await s.poll(nwsSource, settings, {
    'area=': nwsListing(a, b),
    'zone=': nwsListing(b),
    'point=': nwsListing(b, c)
  })
  const api = 'https://api.weather.gov/alerts/active?status=actual'
  t.same(
    s.asked.map(({ url }) => url),
    [`${api}&area=ID,MT`, `${api}&zone=IDZ014`, `${api}&point=43.6,-116.1235`]
  )
  t.match(s.asked[0]?.headers, { Accept: 'application/geo+json' })
  t.same(
    events(reading).map(({ id, source }) => [id, source]),
    [
      ['urn:oid:1', 'noaa'],
      ['urn:oid:2', 'noaa'],
      ['urn:oid:3', 'noaa']
    ]
  )
  t.match(reading, { items: 5 })
  const half = await s.poll(nwsSource, settings, {
    'area=': 'unchanged',
    'zone=': 'unchanged',
    'point=': nwsListing(c)
  })
  t.match(half, { items: 4, events: { length: 1 } }, 'what did not change still counts as listed')
  const none = { 'area=': 'unchanged', 'zone=': 'unchanged', 'point=': 'unchanged' } as const
  t.equal(await s.poll(nwsSource, settings, none), 'unchanged')
  t.equal(
    ((await s.poll(nwsSource, nws({ area: ['ID'] }), { 'area=': nwsListing() })) as SourceReading).events.length,
    0,
    'gone from the list ends nothing'
  )
})

t.test('NWS needs to know what for, and refuses codes that are none', async (t) => {
  t.match(inWords(nwsSource.missing?.(nws({}))), /name states/)
  for (const settings of [{ area: ['ID'] }, { zones: ['IDC013'] }, { point: { lat: 1, lon: 2 } }])
    t.equal(nwsSource.missing?.(nws(settings)), null)
  for (const bad of [
    { area: ['Idaho'] },
    { zones: ['ID'] },
    { point: { lat: 91, lon: 0 } },
    { url: 'weather.gov' },
    { area: [] as string[], url: 'ftp://x' }
  ])
    t.notOk(v.safeParse(nwsSourceSchema, { kind: 'nws', ...bad }).success, JSON.stringify(bad))
  t.ok(nwsSource.needsContact)
})

t.test('alerts for the sea alone are left out on land, and told where marine codes are named', async (t) => {
  const gale = nwsFeature({ id: 'urn:oid:g', event: 'Gale Warning', geocode: { UGC: ['PZZ110', 'PZZ150'] } })
  const coast = nwsFeature({ id: 'urn:oid:c', event: 'Flood', geocode: { UGC: ['PZZ110', 'WAZ001'] } })
  const body = nwsListing(gale, coast)
  const count = (settings: object): SourceReading =>
    nwsSource.read(Buffer.from(body), nws(settings), station('nws').read())
  t.match(inWords(count({ area: ['WA'] })), {
    items: 2,
    events: { length: 1 },
    skipped: [{ id: 'urn:oid:g', reason: 'marine zones only' }]
  })
  for (const settings of [{ area: ['WA', 'PZ'] }, { zones: ['PZZ110'] }, {}]) t.equal(count(settings).events.length, 2)
})

t.test('a recorded listing is read as a poll would read it', async (t) => {
  const file = needsFixture(t, 'feeds/nws-geojson/active-2025-12-15-northwest.json')
  if (file === null) return
  const body = readFileSync(file)
  const all = nwsSource.read(body, nws({}), station('nws').read())
  const land = nwsSource.read(body, nws({ area: ['WA', 'OR', 'ID'] }), station('nws').read())
  t.equal(all.events.length + all.skipped.length, all.items)
  t.ok(
    land.events.length < all.events.length && land.events.length > 100,
    `${land.events.length} of ${all.events.length}`
  )
})

/** A summary as the service makes it. */
function summary(features: object[], generated = ORIGIN + HOUR): string {
  return JSON.stringify({ type: 'FeatureCollection', metadata: { generated, count: features.length }, features })
}

t.test('USGS: the listing, the floor and the circle are settings', async (t) => {
  const s = station('quakes')
  const features = [quakeFeature('us1', { mag: 5 }), quakeFeature('us2', { mag: 2 })]
  const reading = await s.poll(
    usgsSource,
    usgs({ feed: 'all_hour', floor: 1.5, circle_from: null, url: 'http://mirror.example/' }),
    { all_hour: summary(features) }
  )
  t.equal(s.asked[0]?.url, 'http://mirror.example/all_hour.geojson')
  t.match(events(reading), [{ source: 'quakes', circle: null }, { source: 'quakes' }])
  t.match(await s.poll(usgsSource, usgs(), { '2.5_day': summary(features) }), { items: 2, skipped: [{ id: 'us2' }] })
  t.equal(await s.poll(usgsSource, usgs(), { '2.5_day': 'unchanged' }), 'unchanged')
  t.notOk(v.safeParse(usgsSourceSchema, { kind: 'usgs', feed: '3.0_day' }).success)
})

t.test('an earthquake that vanishes from two listings in a row is withdrawn, once', async (t) => {
  const s = station('usgs')
  const [a, b] = [quakeFeature('us1', { mag: 5, ids: ',us1,ak1,' }), quakeFeature('us2', { mag: 4.6 })]
  const poll = (features: object[], options = {}): Promise<SourceReading | 'unchanged'> =>
    s.poll(usgsSource, usgs(), { '2.5_day': summary(features) }, { at: ORIGIN + HOUR, ...options })
  await poll([a, b])
  t.equal(events(await poll([b])).length, 1, 'once missing means nothing')
  const withdrawn = events(await poll([b], { save: false })).filter(({ lifecycle }) => lifecycle === 'cancel')
  t.match(withdrawn, [
    {
      id: 'us1',
      revision: '1760000060000-withdrawn',
      source: 'usgs',
      lifecycle: 'cancel',
      title: 'Withdrawn: M 5.0 earthquake, 9 km N of Fairfield, Idaho',
      thread_id: 'usgs:ak1',
      family: 'seismic',
      sent_at: new Date(ORIGIN + HOUR).toISOString(),
      data: { material: 'deleted', event_name: 'Earthquake', magnitude: 5 }
    }
  ])
  const again = events(await poll([b])).filter(({ lifecycle }) => lifecycle === 'cancel')
  t.same(again, withdrawn, 'after a crash the same message comes again, and is a duplicate')
  t.equal(events(await poll([b])).filter(({ lifecycle }) => lifecycle === 'cancel').length, 0)
})

t.test('what is only revised, renamed, near the least or out of the window is not withdrawn', async (t) => {
  const cases: [string, string, object[], object[]][] = [
    ['back in the second listing', '2.5_day', [quakeFeature('us1', { mag: 5 })], [quakeFeature('us1', { mag: 5 })]],
    [
      'another network’s name',
      '2.5_day',
      [quakeFeature('us1', { mag: 5, ids: ',us1,ak1,' })],
      [quakeFeature('ak1', { mag: 5, ids: ',us1,ak1,', updated: ORIGIN + 1 })]
    ],
    ['below the floor now', 'all_day', [quakeFeature('us1', { mag: 5 })], [quakeFeature('us1', { mag: 2 })]],
    [
      'a blast after all, and listed as one',
      'all_day',
      [quakeFeature('us1', { mag: 5 })],
      [quakeFeature('us1', { mag: 5, type: 'quarry blast' })]
    ],
    ['near the least of the listing', '2.5_day', [quakeFeature('us1', { mag: 2.9 })], []],
    ['significant is a matter of opinion', 'significant_day', [quakeFeature('us1', { mag: 6 })], []],
    ['left the window', '2.5_day', [quakeFeature('us1', { mag: 5, time: ORIGIN - 23 * HOUR })], []]
  ]
  for (const [name, feed, first, then] of cases) {
    const s = station('usgs')
    const poll = (features: object[]): Promise<SourceReading | 'unchanged'> =>
      s.poll(usgsSource, usgs({ feed }), { [feed]: summary([...features, quakeFeature('other', { mag: 5 })]) })
    await poll(first)
    if (name.startsWith('back')) await poll([])
    for (let i = 0; i < 3; i++)
      t.notOk(
        events(await poll(then)).some(({ lifecycle }) => lifecycle === 'cancel'),
        name
      )
  }
})

t.test('an empty listing after a full one is not believed', async (t) => {
  const s = station('usgs')
  const features = ['us1', 'us2', 'us3'].map((id) => quakeFeature(id, { mag: 5 }))
  await s.poll(usgsSource, usgs(), { '2.5_day': summary(features) })
  for (let i = 0; i < 3; i++)
    await t.rejects(s.poll(usgsSource, usgs(), { '2.5_day': summary([]) }), {
      code: 'bad-input',
      message: /3 were listed just before/
    })
  t.equal(events(await s.poll(usgsSource, usgs(), { '2.5_day': summary(features) })).length, 3)
})

t.test('memory of earthquakes ends with the window', async (t) => {
  const s = station('usgs')
  await s.poll(usgsSource, usgs(), { '2.5_day': summary([quakeFeature('us1', { mag: 5 })]) })
  t.equal(s.store.recallAll('usgs', '').length, 1)
  await s.poll(usgsSource, usgs(), { '2.5_day': summary([], ORIGIN + 25 * HOUR) })
  t.equal(s.store.recallAll('usgs', '').length, 0)
})

t.test('a broken body is refused by both, and never ends anything', async (t) => {
  const s = station('usgs')
  const whole = summary([quakeFeature('us1', { mag: 5 })])
  await s.poll(usgsSource, usgs(), { '2.5_day': whole })
  const before = s.store.recallAll('usgs', '')
  for (const body of ['', '<html>', whole.slice(0, -20), '{"error":{"code":400,"message":"no"}}', '[]']) {
    await t.rejects(s.poll(usgsSource, usgs(), { '2.5_day': body }), { code: 'bad-input' })
    await t.rejects(station('nws').poll(nwsSource, nws({ area: ['ID'] }), { 'area=': body }), { code: 'bad-input' })
  }
  t.same(s.store.recallAll('usgs', ''), before)
})
