import t from 'tap'
import * as v from 'valibot'
import { AppError } from '../../../src/platform/errors.ts'
import { bcWildfireSource } from '../../../src/warning/feeds/bc-wildfire/bc-wildfire.ts'
import { type BcWildfireSettings, bcWildfireSourceSchema } from '../../../src/warning/feeds/bc-wildfire/settings.ts'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { fireTime } from '../../../src/warning/feeds/wfigs/fire.ts'
import { type WfigsSettings, wfigsSourceSchema } from '../../../src/warning/feeds/wfigs/settings.ts'
import { wfigsSource } from '../../../src/warning/feeds/wfigs/wfigs.ts'
import { stationSchema } from '../../../src/warning/station-settings.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { bytes, fixtureBytes, lives, MapMemory, pollTools, survivesDamage, textOf, tools } from './source-harness.ts'

const settings = (change: Record<string, unknown> = {}): WfigsSettings =>
  v.parse(wfigsSourceSchema, { kind: 'wfigs', ...change })
const HOUR = 3_600_000
const NOW = Date.parse('2026-07-31T12:00:00Z')
const A = '{0E4350FA-651A-4E0D-97A2-D99D481CE2F6}'
const B = '{17400B93-8F32-48E1-B16F-782B002EAE57}'
const ID = A.slice(1, -1)

type Change = Record<string, unknown>

/** A fire among the locations. */
function incident(id: string, change: Change = {}, at: unknown = [-116.9, 44.1]): object {
  const properties = {
    OBJECTID: 7,
    IrwinID: id,
    IncidentName: 'Two Barrel',
    IncidentTypeCategory: 'WF',
    IncidentSize: 240,
    PercentContained: 0,
    FireOutDateTime: null,
    ModifiedOnDateTime_dt: NOW - HOUR,
    POOCounty: 'Malheur',
    POOState: 'US-OR',
    POOFips: '41045',
    ...change
  }
  return { type: 'Feature', id: 7, geometry: at === null ? null : { type: 'Point', coordinates: at }, properties }
}

const RING = [
  [-117, 44],
  [-116.8, 44],
  [-116.8, 44.2],
  [-117, 44.2],
  [-117, 44]
]

/** The same fire among the perimeters: every name has a prefix there. */
function perimeter(id: string, change: Change = {}, ring: unknown = RING): object {
  const own = {
    GISAcres: 251.3,
    DateCurrent: NOW - 2 * HOUR,
    IncidentName: 'Two Barrel drawn',
    FeatureCategory: 'Wildfire Daily Fire Perimeter'
  }
  const attributes = {
    IrwinID: id,
    IncidentName: 'Two Barrel',
    IncidentTypeCategory: 'WF',
    IncidentSize: 240,
    PercentContained: 0,
    ModifiedOnDateTime_dt: NOW - HOUR,
    ...change
  }
  const prefixed = (prefix: string, bag: object): [string, unknown][] =>
    Object.entries(bag).map(([key, value]) => [prefix + key, value])
  const properties = Object.fromEntries([...prefixed('poly_', own), ...prefixed('attr_', attributes)])
  return { type: 'Feature', geometry: ring === null ? null : { type: 'Polygon', coordinates: [ring] }, properties }
}

const page = (features: object[], change: Change = {}): string =>
  JSON.stringify({ type: 'FeatureCollection', features, ...change })
const read = (features: object[], of = settings(), with_ = tools({ receivedAt: NOW })): SourceReading =>
  wfigsSource.read(bytes(page(features)), of, with_)

/** A poll of both layers. */
function poll(incidents: object[] | null, perimeters: object[] | null, memory = new MapMemory(), at = NOW) {
  const answer = pollTools(
    ({ url, conditional }) => {
      const features = url.includes('Perimeters') ? perimeters : incidents
      return features === null && conditional !== false ? null : page(features ?? [])
    },
    { memory, receivedAt: at }
  )
  return wfigsSource.poll(settings(), answer)
}

t.test('a fire has its figures, its place and its thread', async (t) => {
  const [event] = read([incident(A, { IncidentSize: 1943, PercentContained: 80 })]).events
  t.match(event, {
    id: ID,
    source: 'test',
    category: 'wildfire_declared',
    family: 'fire',
    severity: 'priority',
    title: 'Two Barrel: wildfire, 786 ha, 80 % contained',
    geometry: { type: 'Point', coordinates: [-116.9, 44.1] },
    lat: 44.1,
    lon: -116.9,
    same: [],
    sent_at: '2026-07-31T11:00:00.000Z',
    thread_id: `irwin:${ID}`,
    lifecycle: 'new',
    data: {
      incident_name: 'Two Barrel',
      acres: 1943,
      contained_percent: 80,
      places: ['Malheur County, OR'],
      attribution: 'WFIGS',
      until_further_notice: true,
      material: 'priority||a1943|c75'
    }
  })
  t.equal(
    event && textOf(event, '2026-07-31T12:00:00Z'),
    'FIRE Two Barrel 786ha 80% cont. 10km NNE Ontario OR (DN14nc). Upd 5:00a. WFIGS'
  )
})

t.test('on a station of miles its size is acres', async (t) => {
  const imperial = tools({ receivedAt: NOW, station: v.parse(stationSchema, { units: 'imperial' }) })
  const [event] = read([incident(A, { IncidentSize: 1943 })], settings(), imperial).events
  t.equal(event?.title, 'Two Barrel: wildfire, 1943 acres, 0 % contained')
  t.equal(event?.data['acres'], 1943, 'what the source says is stored as it says it, whatever is told')
})

t.test('perimeters and locations are one fire, whichever comes first', async (t) => {
  const both = await poll([incident(A), incident(B)], [perimeter(A)])
  t.match(both, {
    items: 3,
    events: [{ id: ID, geometry: { type: 'Polygon' }, lat: 44.1 }, { geometry: { type: 'Point' } }]
  })
  for (const [name, first, second] of [
    ['location first', [[incident(A)], []], [[incident(A)], [perimeter(A)]]],
    ['perimeter first', [[], [perimeter(A)]], [[incident(A)], [perimeter(A)]]]
  ] as const) {
    const memory = new MapMemory()
    const before = await poll([...first[0]], [...first[1]], memory)
    const after = await poll([...second[0]], [...second[1]], memory)
    if (before === 'unchanged' || after === 'unchanged') throw new Error('both are new')
    t.same([lives(before), lives(after)], [[`${ID} new`], [`${ID} update`]], name)
    t.equal(after.events[0]?.thread_id, before.events[0]?.thread_id)
    t.equal(after.events[0]?.data.material, before.events[0]?.data.material, 'an outline alone is not told again')
    if (name === 'location first')
      t.not(after.events[0]?.revision, before.events[0]?.revision, 'but looked at: it may reach a new region')
  }
  const newer = await poll(
    [incident(A, { IncidentSize: 300 })],
    [perimeter(A, { IncidentSize: 900, ModifiedOnDateTime_dt: NOW })]
  )
  t.match(newer, { events: [{ data: { acres: 900 }, sent_at: '2026-07-31T12:00:00.000Z' }] }, 'the newer figures count')
  const sizes = (reported: number | null, mapped: number | null) =>
    poll(
      [incident(A, { IncidentSize: reported })],
      [perimeter(A, { IncidentSize: reported, GISAcres: mapped, ModifiedOnDateTime_dt: 1 })]
    )
  const large = { severity: 'priority', data: { acres: 9456.7, severity_inside_region: 'critical' } }
  t.match(await sizes(0.1, 9456.7), { events: [large] }, 'the grade follows')
  t.match(await sizes(2059, 346.5), { events: [{ data: { acres: 2059 } }] }, 'the map is older')
  t.match(await sizes(240, 251.3), { events: [{ data: { acres: 240 } }] }, 'where both agree, what is reported')
  t.match(await sizes(240, 6_000_000), { events: [{ data: { acres: 240 } }] }, 'no fire is that large')
  const silent = await poll(
    [incident(A, { IncidentSize: null, IncidentName: '' })],
    [perimeter(A, { IncidentSize: null, ModifiedOnDateTime_dt: 1 })]
  )
  t.match(silent, { events: [{ data: { acres: 251.3, incident_name: 'Two Barrel' } }] })
})

t.test(
  'levels: critical inside a region while large and loose, priority from 100 acres, a prescribed burn never',
  async (t) => {
    const table: [Change, string, string | undefined][] = [
      [{ IncidentSize: 99 }, 'routine', undefined],
      [{ IncidentSize: 100 }, 'priority', undefined],
      [{ IncidentSize: 100, PercentContained: 100 }, 'routine', undefined],
      [{ IncidentSize: 1000, PercentContained: 49 }, 'priority', 'critical'],
      [{ IncidentSize: 1000, PercentContained: 50 }, 'priority', undefined],
      [{ IncidentSize: 1000, PercentContained: null }, 'priority', 'critical'],
      [{ IncidentSize: 999, PercentContained: 0 }, 'priority', undefined],
      [{ IncidentSize: 50_000, IncidentTypeCategory: 'RX' }, 'routine', undefined],
      [{ IncidentSize: 50_000, IncidentTypeCategory: 'CX' }, 'priority', 'critical'],
      [{ IncidentSize: 3, IncidentShortDescription: 'Evacuations in effect for Croy Creek' }, 'critical', undefined],
      [{ IncidentSize: 3, IncidentShortDescription: 'All evacuations lifted' }, 'routine', undefined],
      [{ IncidentSize: 3, IncidentShortDescription: 'No evacuations' }, 'routine', undefined]
    ]
    for (const [change, severity, inside] of table) {
      const [event] = read([incident(A, change)]).events
      t.same([event?.severity, event?.data.severity_inside_region], [severity, inside], JSON.stringify(change))
    }
    const own = settings({ priority_from: 5, critical_from: 10, critical_below_contained: 90 })
    t.match(read([incident(A, { IncidentSize: 10, PercentContained: 80 })], own).events, [
      { severity: 'priority', data: { severity_inside_region: 'critical' } }
    ])
    const burn = incident(A, { IncidentTypeCategory: 'RX', IncidentName: 'Green RX' })
    const [event] = read([burn]).events
    t.match(event, { category: 'wildfire_incident', title: 'Green RX: prescribed burn, 97 ha, 0 % contained' })
    t.match(event && textOf(event, '2026-07-31T12:00:00Z'), /^PRESCRIBED BURN Green RX 97ha .* WFIGS$/)
    t.same(inWords(read([burn], settings({ prescribed: false })).skipped), [{ id: ID, reason: 'a prescribed burn' }])
  }
)

t.test(
  'told again: twice the size, a thousand acres more, a quarter of containment; not what lies between',
  async (t) => {
    const memory = new MapMemory()
    const steps: [acres: number | null, contained: number | null, told: boolean, why: string][] = [
      [4, 0, true, 'first sight'],
      [9, 0, false, 'doubled, but a spot fire'],
      [19, 0, true, 'ten acres and more than doubled'],
      [37, 0, false, 'not twice 19'],
      [38, 0, true, 'twice 19'],
      [null, null, false, 'no figures in this report'],
      [38, 24, false, 'below a quarter'],
      [38, 25, true, 'a quarter'],
      [38, 23, false, 'swings about the quarter'],
      [38, 27, false, 'and back'],
      [38, 15, true, 'clearly lost'],
      [38, 80, true, 'three quarters'],
      [5000, 80, true, 'far more'],
      [5999, 80, false, 'less than a thousand more'],
      [6000, 80, true, 'a thousand more'],
      [5200, 80, false, 'a better map'],
      [5200, 100, true, 'contained']
    ]
    let before = ''
    for (const [IncidentSize, PercentContained, told, why] of steps) {
      const turn = () =>
        read([incident(A, { IncidentSize, PercentContained })], settings(), tools({ receivedAt: NOW, memory }))
          .events[0]
      const material = String(turn()?.data.material)
      t.equal(material !== before, told, `${IncidentSize} ac ${PercentContained} %: ${why}`)
      t.equal(turn()?.data.material, material, 'the same again')
      before = material
    }
  }
)

t.test('an end is a date of being out, told, or two days of absence, silent', async (t) => {
  const memory = new MapMemory()
  const at = (hours: number, incidents: object[] | null, perimeters: object[] | null = []) =>
    poll(incidents, perimeters, memory, NOW + hours * HOUR)
  t.same(lives(await at(0, [incident(A), incident(B)])), [`${ID} new`, `${B.slice(1, -1)} new`])
  t.same(lives(await at(1, [incident(B)])), [`${B.slice(1, -1)} update`])
  t.same(lives(await at(48, [incident(B)])), [`${B.slice(1, -1)} update`], '47 hours')
  t.same(lives(await at(48.5, [incident(B), incident(A)])), [`${B.slice(1, -1)} update`, `${ID} update`], 'it is back')
  t.same(lives(await at(49, [])), [], 'an empty listing ends nothing')
  t.same(lives(await at(96, [])), [])
  const gone = await at(97, null, null)
  t.same(lives(gone).sort(), [`${ID} expire`, `${B.slice(1, -1)} expire`].sort(), 'not even changed since')
  t.match(gone, {
    events: [
      {
        revision: 'gone',
        category: 'wildfire_closed',
        thread_id: `irwin:${ID}`,
        data: { material: 'gone', incident_name: 'Two Barrel' }
      },
      {}
    ]
  })
  t.equal(await at(98, null, null), 'unchanged')

  const out = new MapMemory()
  await poll([incident(A)], [], out)
  const over = incident(A, { FireOutDateTime: NOW + HOUR, ModifiedOnDateTime_dt: NOW + HOUR })
  const ended = await poll([over], [], out, NOW + 2 * HOUR)
  t.match(ended, {
    events: [
      {
        lifecycle: 'cancel',
        category: 'wildfire_closed',
        sent_at: '2026-07-31T13:00:00.000Z',
        data: { material: 'out' }
      }
    ]
  })
  t.same((await poll([over], [], out, NOW + 3 * HOUR)) === 'unchanged', false)
  await poll([], [], out, NOW + 4 * HOUR)
  t.same(lives(await poll([], [], out, NOW + 60 * HOUR)), [], 'what was told to be out just disappears')
  t.equal(out.entries('fire:').length, 0)
  t.same(inWords(read([over]).skipped), [{ id: ID, reason: 'out already' }], 'and what was never told does not end')
})

t.test('a fire of one layer is not missed in a reading of the other', async (t) => {
  const memory = new MapMemory()
  const at = (hours: number, features: object[]): string[] =>
    lives(read(features, settings(), tools({ memory, receivedAt: NOW + hours * HOUR })))
  at(0, [incident(A)])
  at(1, [perimeter(B)])
  at(2, [perimeter(B)])
  t.same(at(60, [perimeter(B)]), [`${B.slice(1, -1)} update`], 'the locations have not been read since')
  t.same(at(61, [incident(B)]), [`${B.slice(1, -1)} update`])
  t.same(at(110, [incident(B)]), [`${B.slice(1, -1)} update`, `${ID} expire`])
})

t.test('an error report, a web page and half a page change nothing', async (t) => {
  const memory = new MapMemory()
  await poll([incident(A)], [perimeter(A)], memory)
  const before = memory.dump
  const failing = [
    '{"error":{"code":400,"message":"","details":["\'Invalid expression\'"]}}',
    '<html>',
    '',
    page([incident(A)]).slice(0, 200),
    '{"features":[]}',
    '[]'
  ]
  for (const body of failing) {
    const answer = pollTools(({ url }) => (url.includes('Perimeters') ? body : page([incident(A)])), {
      memory,
      receivedAt: NOW + 60 * HOUR
    })
    await t.rejects(wfigsSource.poll(settings(), answer), { code: 'bad-input' }, body.slice(0, 30))
    t.equal(memory.dump, before)
  }
})

t.test('the request names states, a box or the coverage, and thins the outlines', async (t) => {
  const where = async (change: Change, areas: unknown[] = []): Promise<Record<string, string>> => {
    const answer = pollTools(() => page([]), { areas })
    await wfigsSource.poll(settings(change), answer)
    t.equal(answer.asked.length, 2)
    const [first, second] = answer.asked.map(({ url }) => Object.fromEntries(new URL(url).searchParams))
    t.match(first?.['outFields'], /^OBJECTID,IrwinID,/)
    t.match(second, {
      outFields: /attr_IrwinID.*poly_GISAcres/,
      maxAllowableOffset: '0.0005',
      geometryPrecision: '5',
      f: 'geojson'
    })
    return second ?? {}
  }
  t.match(await where({ states: ['id', 'US-MT'] }), { where: "attr_POOState IN ('US-ID','US-MT')" })
  t.match(await where({ bbox: [-117, 42, -111, 49] }), {
    where: '1=1',
    geometry: '-117,42,-111,49',
    geometryType: 'esriGeometryEnvelope'
  })
  t.match(await where({ bbox: [170, 50, -130, 72] }), { geometry: '-180,50,180,72' })
  t.match(
    await where({}, [
      { name: 'a', bbox: [-117, 42, -116, 43] },
      { name: 'b', geometry: { type: 'Polygon', coordinates: [RING] } }
    ]),
    { geometry: '-117,42,-116,44.2' }
  )
  t.match(await where({}, [{ name: 'a', codes: ['IDC013', 'IDZ014', '30063', '053033'] }]), {
    where: "attr_POOState IN ('US-ID','US-MT','US-WA')"
  })
  t.match(
    await where({}, [
      { name: 'a', codes: ['ID'] },
      { name: 'b', bbox: [1, 2, 3, 4] }
    ]),
    { where: '1=1' }
  )
  t.notOk('geometry' in (await where({})), 'without coverage it is the whole country')
})

t.test('pages are fetched to the last one; without an end they are refused', async (t) => {
  const ids = [A, B, '{3BCBC4E8-BA26-4C9D-AC5A-CF2E0D3D651F}']
  const memory = new MapMemory()
  const paged = (change: Parameters<typeof pollTools>[1] = {}) =>
    pollTools(
      ({ url }) => {
        const offset = Number(new URL(url).searchParams.get('resultOffset'))
        if (url.includes('Perimeters')) return page([])
        return page([incident(ids[offset] ?? A)], { properties: { exceededTransferLimit: offset < 2 } })
      },
      { memory, receivedAt: NOW, ...change }
    )
  const first = paged()
  t.equal(lives(await wfigsSource.poll(settings(), first)).length, 3)
  t.same(
    first.asked.map(({ conditional }) => conditional),
    [false, false, false, false]
  )
  const again = paged()
  await wfigsSource.poll(settings(), again)
  t.ok(
    again.asked.every(({ conditional }) => conditional === false),
    'several pages are never asked for conditionally'
  )
  const endless = pollTools(() => page([incident(A)], { exceededTransferLimit: true }))
  await t.rejects(wfigsSource.poll(settings(), endless), { code: 'bad-input', message: /set states or bbox/ })
  const stuck = pollTools(() => page([], { exceededTransferLimit: true }))
  await t.rejects(wfigsSource.poll(settings(), stuck), { code: 'bad-input' })
  t.equal(stuck.asked.length, 1)
})

t.test(
  'one layer that has not changed is fetched again for the join; a renamed attribute is found by asking for all',
  async (t) => {
    const memory = new MapMemory()
    t.match(await poll([incident(A)], [perimeter(A)], memory), { events: [{ geometry: { type: 'Polygon' } }] })
    const answer = pollTools(
      ({ url, conditional }) =>
        url.includes('Perimeters')
          ? conditional === false
            ? page([perimeter(A)])
            : null
          : page([incident(A, { IncidentSize: 800 })]),
      { memory, receivedAt: NOW }
    )
    t.match(await wfigsSource.poll(settings(), answer), {
      events: [{ geometry: { type: 'Polygon' }, data: { acres: 800 } }]
    })
    t.same(
      answer.asked.map(({ conditional }) => conditional),
      [true, true, false]
    )
    t.equal(await poll(null, null, memory), 'unchanged')
    const renamed = pollTools(({ url }) =>
      url.includes('outFields=*') || !url.includes('Perimeters')
        ? page([])
        : '{"error":{"code":400,"message":"","details":["\'Invalid field: attr_POOFips\' parameter is invalid"]}}'
    )
    t.match(await wfigsSource.poll(settings(), renamed), { events: [] })
    t.equal(renamed.asked.length, 3)
    const down = pollTools(() => new AppError('unavailable', note('no answer')))
    await t.rejects(wfigsSource.poll(settings(), down), { code: 'unavailable' })
    t.equal(down.asked.length, 1)
  }
)

t.test('a broken feature is skipped with its reason; what is missing is not', async (t) => {
  const table: [object, string | null][] = [
    [incident('none'), 'no IRWIN id'],
    [{ type: 'Feature' }, 'no properties'],
    [incident(A, { IncidentTypeCategory: 'FA' }), 'not a fire: FA'],
    [perimeter(A, {}, null), 'no location'],
    [incident(A, {}, null), null],
    [incident(A, { POOFips: null, InitialLatitude: 44, InitialLongitude: -116 }, null), null],
    [
      incident(A, { IncidentSize: '12.5', PercentContained: '30', ModifiedOnDateTime_dt: '2026/07/31 11:00:00+00' }),
      null
    ],
    [perimeter(A, {}, [['x']]), 'no location']
  ]
  for (const [feature, reason] of table) {
    const { events, skipped } = read([feature, incident(B)])
    t.same(
      inWords([events.length, skipped[0]?.reason ?? null]),
      [reason === null ? 2 : 1, reason],
      JSON.stringify(feature).slice(0, 80)
    )
  }
  t.match(read([incident(A, {}, null)]).events, [{ geometry: null, lat: null, same: ['41045'] }], 'a county will do')
  t.match(inWords(read([incident(A), incident(A, { ModifiedOnDateTime_dt: NOW, IncidentSize: 500 })])), {
    events: [{ data: { acres: 500 } }],
    skipped: [{ reason: /listed twice/ }]
  })
  const described = incident(A, { IncidentShortDescription: '12 Miles S from Mayo, FL' })
  t.same(read([described]).events[0]?.data.places, ['12 mi S of Mayo, FL'])
  t.match(read([incident(A, { IncidentSize: 0.01, ModifiedOnDateTime_dt: NOW + 90 * HOUR })]).events, [
    { data: { acres: 0.1 }, sent_at: '2026-07-31T12:00:00.000Z' }
  ])
})

t.test('dates are epoch milliseconds, or text as in downloads', async (t) => {
  const ms = Date.parse('2025-03-12T14:33:20Z')
  const table: [unknown, number | null][] = [
    [ms, ms],
    ['2025-03-12T14:33:20Z', ms],
    ['2025/03/12 14:33:20+00', ms],
    ['3/12/2025 2:33:20 PM', ms],
    ['03/12/2025, 14:33:20', ms],
    ['3/12/2025', Date.parse('2025-03-12')],
    ['12:00', null],
    ['', null],
    [0, null],
    [1e18, null],
    [{}, null]
  ]
  for (const [value, expected] of table) t.equal(fireTime(value), expected, String(value))
})

t.test('the recorded locations and two days of perimeters', async (t) => {
  const florida = fixtureBytes(t, 'feeds/wfigs-incidents/incidents-fl.geojson')
  if (florida !== null) {
    const reading = wfigsSource.read(florida, settings(), tools())
    t.same([reading.items, reading.events.length, reading.skipped.length], [14, 14, 0])
    t.equal(reading.events.filter(({ title }) => title.includes('prescribed burn')).length, 4)
    survivesDamage(t, wfigsSource, florida, settings(), { name: 'incidents-fl.geojson' })
  }
  const [first, second, broken] = [
    'perimeters-2025-03-12.geojson',
    'perimeters-2025-03-13.geojson',
    'error-200.json'
  ].map((name) => fixtureBytes(t, `feeds/wfigs-perimeters/${name}`))
  if (first == null || second == null || broken == null) return
  const memory = new MapMemory()
  const on = (body: Uint8Array, time: string): SourceReading =>
    wfigsSource.read(body, settings(), tools({ memory, receivedAt: Date.parse(time) }))
  const before = on(first, '2025-03-12T12:00:00Z')
  t.same([before.items, before.events.length, before.skipped.length], [33, 33, 0])
  const left = memory.dump
  t.throws(() => on(broken, '2025-03-12T18:00:00Z'), { code: 'bad-input', message: /Invalid field: POOState/ })
  t.equal(memory.dump, left, 'the error between changes nothing')
  const after = on(second, '2025-03-13T12:00:00Z')
  const kinds = (of: SourceReading, lifecycle: string): number =>
    of.events.filter((event) => event.lifecycle === lifecycle).length
  t.same([after.items, kinds(after, 'new'), kinds(after, 'update')], [39, 11, 28])
  const known = new Map(before.events.map((event) => [event.id, event]))
  const stayed = after.events.filter(({ id }) => known.has(id))
  const changed = stayed.filter(({ id, revision }) => known.get(id)?.revision !== revision)
  t.same(changed.map(({ data }) => data['incident_name']).sort(), [
    'BSP - Devils Jumps',
    'Blackthorn Drive',
    'COTTAM',
    'Covington Drive Compact',
    'Iron Horse Pond Fire',
    'Sevier - East Parkway'
  ])
  t.same(
    stayed.filter(({ id, data }) => known.get(id)?.data.material !== data.material),
    [],
    'and none of it is worth telling'
  )
  const gone = on(second, '2025-03-15T12:00:00Z')
  t.same(
    gone.events
      .filter(({ lifecycle }) => lifecycle === 'expire')
      .map(({ data }) => data['incident_name'])
      .sort(),
    ['Diamond Lake', 'FD05007', 'Ocean Front', 'Okoboji View Wildfire', 'Rest Stop']
  )
  t.equal(kinds(on(second, '2025-03-16T12:00:00Z'), 'expire'), 0)
  for (const [name, body] of [
    ['12', first],
    ['13', second],
    ['error', broken]
  ] as const)
    survivesDamage(t, wfigsSource, body, settings(), { name })
})

const bcSettings = (change: Change = {}): BcWildfireSettings =>
  v.parse(bcWildfireSourceSchema, { kind: 'bc_wildfire', ...change })

function bcIncident(id: string, change: Change = {}): object {
  return {
    incidentGuid: id,
    incidentNumberLabel: 'V10755',
    incidentName: 'Ainslie Creek',
    incidentLocation: 'South Ainslie',
    stageOfControlCode: 'OUT_CNTRL',
    fireOfNoteInd: false,
    incidentSizeEstimatedHa: 50,
    lastUpdatedTimestamp: NOW - HOUR,
    latitude: '49.95',
    longitude: '-121.46',
    ...change
  }
}
const bcRead = (incidents: object[], memory = new MapMemory(), at = NOW): SourceReading =>
  bcWildfireSource.read(
    bytes(JSON.stringify({ collection: incidents, totalPageCount: 1 })),
    bcSettings(),
    tools({ memory, receivedAt: at })
  )

t.test('British Columbia: hectares and a stage of control; out is told, absence is silent', async (t) => {
  const levels: [Change, string, string | undefined][] = [
    [{ incidentSizeEstimatedHa: 2 }, 'routine', undefined],
    [{}, 'priority', undefined],
    [{ stageOfControlCode: 'UNDR_CNTRL' }, 'routine', undefined],
    [{ incidentSizeMappedHa: 400 }, 'priority', 'critical'],
    [{ incidentSizeMappedHa: 400, stageOfControlCode: 'HOLDING' }, 'priority', undefined],
    [{ incidentSizeEstimatedHa: 1, fireOfNoteInd: true }, 'priority', 'critical']
  ]
  for (const [change, severity, inside] of levels) {
    const [event] = bcRead([bcIncident('a', change)]).events
    t.same([event?.severity, event?.data.severity_inside_region], [severity, inside], JSON.stringify(change))
  }
  const memory = new MapMemory()
  const [event] = bcRead([bcIncident('a')], memory).events
  t.equal(
    event && textOf(event, '2026-07-31T12:00:00Z'),
    'FIRE Ainslie Creek 50ha South Ainslie BC. Upd 5:00a. Out of control. BCWS'
  )
  const materials = [
    { incidentSizeEstimatedHa: 99 },
    { incidentSizeEstimatedHa: 100 },
    { incidentSizeEstimatedHa: 100, stageOfControlCode: 'HOLDING' }
  ].map((change) => bcRead([bcIncident('a', change)], memory).events[0]?.data.material)
  t.same(materials, ['priority||a50|OUT_CNTRL', 'priority||a100|OUT_CNTRL', 'priority||a100|HOLDING'])
  t.match(bcRead([bcIncident('a', { stageOfControlCode: 'OUT' })], memory).events, [
    { lifecycle: 'cancel', thread_id: 'bc_wildfire:a' }
  ])
  const absent = new MapMemory()
  bcRead([bcIncident('b')], absent)
  bcRead([], absent, NOW + HOUR)
  t.same(lives(bcRead([], absent, NOW + 49 * HOUR)), ['b expire'])
  const { events, skipped } = bcRead([
    bcIncident('c', { declaredOutDate: NOW }),
    bcIncident('d', { latitude: null }),
    {},
    bcIncident('e')
  ])
  t.same(inWords([events.length, skipped.map(({ reason }) => reason)]), [
    1,
    ['out already', 'no location', 'no incident id']
  ])
  for (const body of ['', '<html>', '{"collection":7}', '[]'])
    t.throws(() => bcWildfireSource.read(bytes(body), bcSettings(), tools()), { code: 'bad-input' })
  const asked = pollTools(() => JSON.stringify({ collection: [bcIncident('a')] }))
  t.same(lives(await bcWildfireSource.poll(bcSettings(), asked)), ['a new'])
  t.match(asked.asked[0]?.url, /publicPublishedIncident\?pageNumber=0&pageRowCount=9999&stageOfControlList=OUT_CNTRL/)
  t.equal(
    await bcWildfireSource.poll(
      bcSettings(),
      pollTools(() => null)
    ),
    'unchanged'
  )
})

t.test('the recorded list of British Columbia', async (t) => {
  const body = fixtureBytes(t, 'feeds/bc-wildfire/wildfire_feed_location_list.json')
  if (body === null) return
  const reading = bcWildfireSource.read(body, bcSettings(), tools())
  t.same(
    [reading.items, reading.events.length, reading.skipped.length, reading.updated],
    [7, 7, 0, '2026-07-07T22:15:00.881Z']
  )
  t.same(reading.events.map(({ severity }) => severity).sort(), [
    'priority',
    'priority',
    'priority',
    'priority',
    'routine',
    'routine',
    'routine'
  ])
  survivesDamage(t, bcWildfireSource, body, bcSettings(), { name: 'wildfire_feed_location_list.json' })
})
