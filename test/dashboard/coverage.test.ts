import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { canonicalJson, revisionOf } from '../../src/platform/bytes/canonical-json.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { stationPlaces } from '../../src/station/places.ts'
import { findCountyAtlas, openZoneFiles } from '../../src/warning/atlas/zone-files.ts'
import { partInWords } from '../../web/shared/area-words.js'
import { FROM_AFAR, fire, NOW, type Station, station } from './harness.ts'

const COVERAGE = '/api/coverage'
const PREVIEW = '/api/coverage/preview'
const box = (name: string | null, west = -117) => ({ name, west, south: 42, east: west + 2, north: 49 })
const long = (name: string | null, west = -117) => ({ name, parts: [{ bbox: [west, 42, west + 2, 49] }] })
const cell = { mt: 3, mc: null }

/** The county atlas and no packs, as on a fresh station. */
function places(packs: string): ReturnType<typeof stationPlaces> {
  const files = openZoneFiles({ zonesFolder: packs, atlasFile: findCountyAtlas(import.meta.url) })
  const zones = { ...files, known: files, stop: async () => undefined }
  return stationPlaces({ zones, log: createLog({ level: 'error', destination: { write: () => undefined } }) })
}

function covered(t: Test, config: object, packs = '/nowhere'): Promise<Station> {
  return station(t, { config, context: { places: places(packs) } })
}

t.test('the coverage is served in its long form, with the revision of exactly that document', async (t) => {
  const { ask } = await covered(t, { coverage: { region_tagging: true, areas: [box('North')] } })
  const { status, body, headers } = await ask(COVERAGE)
  t.equal(status, 200)
  t.same(body, {
    enabled: true,
    region_tagging: true,
    excluded_sources: [],
    zones_online: true,
    areas: [long('North')]
  })
  t.equal(headers.etag, `"${revisionOf(body)}"`)
})

t.test(
  'saving changes the coverage and nothing else: spelling, order and unknown keys of everything stay',
  async (t) => {
    const text = `{
  "notifications": { "enabled": true, "mine": [1, 2.50] },
  "coverage": {
    "note": "drawn by Ada",
    "areas": [
      { "name": "North", "west": -117.0, "south": 42, "east": -115, "north": 49, "why": "ridge" },
      { "codes": ["idc001"], "name": "Ada" }
    ]
  }
}
`
    const { ask, file } = await station(t, { text })
    const { body: served, headers } = await ask(COVERAGE)
    t.same(served.note, 'drawn by Ada')
    const areas = [served.areas[1], served.areas[0], long(' South ', -113)]
    const answer = await ask({
      path: COVERAGE,
      body: { ...served, areas },
      headers: { 'if-match': String(headers.etag) }
    })
    t.equal(answer.status, 200)
    t.match(answer.body, {
      ok: true,
      warnings: [],
      saved: { areas: [{ name: 'Ada' }, { name: 'North' }, { name: 'South' }] }
    })
    t.equal(answer.headers.etag, `"${answer.body.revision}"`)
    t.same((await ask(COVERAGE)).body, answer.body.saved)
    const raw = JSON.parse(file())
    t.same(raw.notifications, { enabled: true, mine: [1, 2.5] })
    t.match(file(), /"mine": \[1, 2\.50\]/, 'numbers as they were written')
    t.same(Object.keys(raw), ['notifications', 'coverage'])
    t.same(
      raw.coverage.areas[0],
      { codes: ['idc001'], name: 'Ada' },
      'an area that stays what it was keeps its short form'
    )
    t.same(raw.coverage.areas[1].why, 'ridge')
    t.same(raw.coverage.areas[2], long('South', -113))
  }
)

t.test('what is wrong is refused with its place, and the file stays', async (t) => {
  const { ask, file } = await covered(t, { coverage: { areas: [box('North')] } })
  const before = file()
  for (const [body, path] of [
    [{}, '/areas'],
    [{ areas: null }, '/areas'],
    [{ areas: [{ name: 'X' }] }, '/areas/0/parts'],
    [{ areas: [{ name: 'X', parts: [] }] }, '/areas/0/parts'],
    [{ areas: [{ name: 'X', parts: [{ codes: [] }] }] }, '/areas/0/parts/0/codes'],
    [{ areas: [{ name: 'X', parts: [{ circle: { lat: 91, lon: 0, radius_km: 1 } }] }] }, '/areas/0/parts/0/circle/lat'],
    [{ areas: [{ name: 'X', bbox: [0, 50, 1, 40] }] }, '/areas/0/bbox'],
    [{ areas: [], enabled: 'yes' }, '/enabled'],
    [{ areas: [], rename: { North: '' } }, '/rename/North']
  ] as const) {
    const { status, body: problem } = await ask({ path: COVERAGE, body })
    t.equal(status, 422, canonicalJson(body))
    t.equal(problem.errors[0].path, path, canonicalJson(body))
  }
  t.equal(file(), before)
})

t.test('somebody who was faster is not written over; who may not write is told so', async (t) => {
  const { ask, edit, file } = await covered(t, { coverage: { areas: [box('North')] } })
  const { body, headers } = await ask(COVERAGE)
  edit(JSON.stringify({ coverage: { areas: [box('Theirs')] } }))
  const before = file()
  const stale = await ask({ path: COVERAGE, body, headers: { 'if-match': String(headers.etag) } })
  t.equal(stale.status, 412)
  t.equal((await ask({ path: COVERAGE, body, headers: FROM_AFAR })).status, 401)
  t.equal(file(), before)
  edit('{ "coverage": ')
  t.match(await ask({ path: COVERAGE, body }), { status: 409, body: { detail: /config\.json:1:15/ } })
})

const everywhere = {
  coverage: { areas: [box('North'), box('South', -113)] },
  notifications: {
    region_routes: {
      enabled: true,
      cells: { fire: { North: cell, South: { mt: 4 } }, weather: { Other: cell, North: { mt: 1, x: 1 } } }
    },
    toggles: { fire: { regions: ['South', 'North'] } },
    rules: [{ name: 'r', region_scope: ['North'] }],
    broadcasts: [{ name: 'd', what: 'digest', at: ['07:00'], region: 'North', mt: 1 }]
  },
  sources: [
    { kind: 'satpass', name: 'sat', observers: [{ name: 'North', lat: 43, lon: -116 }] },
    { kind: 'mesh_health', name: 'mesh', regions: ['North'], nodes: [{ node: '!a1b2c3d4', regions: ['South'] }] }
  ]
}

t.test('a region is renamed wherever it is named, in the same write', async (t) => {
  const { ask, file, context } = await covered(t, everywhere)
  context.reactions.silences.add({
    family: null,
    region: 'North',
    threadId: null,
    includesImmediate: false,
    author: 'Ada',
    reason: 'drill',
    from: NOW - 1,
    until: NOW + 3_600_000
  })
  const areas = [long('Panhandle'), long('South', -113)]
  const plain = await ask({ path: PREVIEW, body: { coverage: { areas } } })
  t.match(plain.body.warnings, [
    {
      code: 'orphan_region',
      message:
        /"North".*the matrix \(fire\), the matrix \(weather\), the policy of fire, the rule r, the broadcast d, the source satpass, the source mesh_health/
    }
  ])
  const { status, body } = await ask({ path: COVERAGE, body: { areas, rename: { North: 'Panhandle' } } })
  t.equal(status, 200)
  t.same(
    body.warnings.map(({ code }: { code: string }) => code),
    ['orphan_region', 'silence_keeps_name']
  )
  const { notifications, sources, coverage } = JSON.parse(file())
  t.same(notifications.region_routes.cells.fire, { Panhandle: cell, South: { mt: 4 } })
  t.same(notifications.region_routes.cells.weather, { Other: cell, Panhandle: { mt: 1, x: 1 } })
  t.same(notifications.toggles.fire.regions, ['South', 'Panhandle'])
  t.same(notifications.rules[0].region_scope, ['Panhandle'])
  t.equal(notifications.broadcasts[0].region, 'Panhandle')
  t.equal(sources[0].observers[0].name, 'Panhandle')
  t.same(sources[1], { ...everywhere.sources[1], regions: ['Panhandle'] })
  t.notOk('rename' in coverage)
})

t.test(
  'names are exchanged at once; a name in use, an unknown one or a cell that would be lost is refused',
  async (t) => {
    const { ask, file } = await covered(t, everywhere)
    const before = file()
    for (const [names, rename, said] of [
      [['North', 'South'], { North: 'South' }, /an area is still named "North"/],
      [['A', 'South'], { North: 'B' }, /no area is named "B"/],
      [['South', 'South'], { North: 'South' }, /fire × South already/],
      [['constructor', 'South'], { North: 'constructor' }, /cannot be a name/]
    ] as const) {
      const areas = names.map((name) => long(name))
      const { status, body } = await ask({ path: COVERAGE, body: { areas, rename } })
      t.equal(status, 422)
      t.match(body.errors[0], { path: '/rename/North', message: said })
    }
    t.equal(file(), before)
    const areas = [long('South'), long('North', -113)]
    t.equal((await ask({ path: COVERAGE, body: { areas, rename: { North: 'South', South: 'North' } } })).status, 200)
    t.same(JSON.parse(file()).notifications.region_routes.cells.fire, { South: cell, North: { mt: 4 } })
  }
)

t.test('odd shapes are saved, and told; outlines too large to look over are told as that', async (t) => {
  const { ask } = await covered(t, {})
  const crossed = [
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0]
  ]
  const areas = [
    { name: 'A', parts: [{ geometry: { type: 'Polygon', coordinates: [crossed] } }] },
    { name: 'A', bbox: [170, 0, -170, 1] }
  ]
  const { status, body } = await ask({ path: COVERAGE, body: { areas } })
  t.equal(status, 200)
  t.match(body.warnings, [
    { code: 'self_crossing', path: '/areas/0/parts/0/geometry/coordinates/0' },
    { code: 'duplicate_name', path: '/areas/1/name' },
    { code: 'antimeridian', path: '/areas/1/parts/0/bbox' }
  ])
  const zigzag = Array.from({ length: 6000 }, (_, at) => [at % 2, at / 100])
  const large = [{ name: 'Z', parts: [{ geometry: { type: 'Polygon', coordinates: [[...zigzag, zigzag[0]]] } }] }]
  t.match((await ask({ path: COVERAGE, body: { areas: large } })).body.warnings, [{ code: 'too_large' }])
})

const events = [
  { ...fire, id: 'pine', regions: [], lat: 44, lon: -116 },
  { ...fire, id: 'coded', family: 'weather', regions: [], zones: ['IDC001'] },
  { ...fire, id: 'far', regions: [], lat: 10, lon: 10 },
  { ...fire, id: 'nowhere', regions: [] }
]

t.test('a preview tells what the real tagging makes of the last days, and stores nothing', async (t) => {
  const { ask, file, clock } = await covered(t, { coverage: { areas: [box('North')] } })
  t.equal(
    (await ask({ path: '/api/events', body: [{ ...fire, id: 'old', regions: [], lat: 44, lon: -116 }] })).status,
    202
  )
  await clock.runTo(NOW + 8 * 86_400_000)
  await ask({ path: '/api/events', body: events })
  await ask({ path: '/api/events', body: [{ ...events[0], revision: '2', title: 'Fire, larger' }] })
  const before = file()
  const coverage = { areas: [long('East', -113), { name: 'Ada', codes: ['16001'] }, long(null, -120)] }
  const { status, body } = await ask({ path: PREVIEW, body: { coverage }, headers: FROM_AFAR })
  t.equal(status, 200, 'open to everybody')
  t.match(body, {
    since: '2026-07-02T12:00:00.000Z',
    events: 4,
    unlocated: 1,
    areas: [
      { name: 'East', events: 0 },
      { name: 'Ada', events: 1 },
      { name: null, events: 0 }
    ],
    counts: { newly: 0, no_longer: 1, retagged: 1 },
    no_longer: [{ id: 'pine', title: 'Fire, larger', before: ['North'], after: [] }],
    retagged: [{ id: 'coded', before: ['North'], after: ['Ada'] }]
  })
  t.equal(body.inside.length, 1)
  t.equal(body.passed, 2, 'the coded one, and the unlocated one')
  t.equal((await ask({ path: PREVIEW, body: { coverage, days: 14 } })).body.events, 5)
  t.equal(file(), before)
})

t.test('a preview costs something: a wrong, a huge and one too many are refused', async (t) => {
  const { ask } = await covered(t, {})
  const bad = await ask({ path: PREVIEW, body: { coverage: { areas: [{ name: 'X', parts: [{ codes: ['?'] }] }] } } })
  t.match(bad, { status: 422, body: { errors: [{ path: '/coverage/areas/0/parts/0/codes/0' }] } })
  const ring = Array.from({ length: 20_001 }, () => [0, 0])
  const huge = { areas: [{ name: 'X', parts: [{ geometry: { type: 'Polygon', coordinates: [ring] } }] }] }
  t.match(await ask({ path: PREVIEW, body: { coverage: huge } }), { status: 422, body: { detail: /20000 vertices/ } })
  const answers: number[] = []
  for (let ask_ = 0; ask_ < 15; ask_++)
    answers.push((await ask({ path: PREVIEW, body: { coverage: { areas: [] } } })).status)
  t.equal(answers[0], 200)
  t.equal(answers.at(-1), 429)
})

t.test('counties, states and zones are found by name and by code', async (t) => {
  const { ask, folder } = await covered(t, {}, join(t.testdirName, 'zones'))
  const geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0]
      ]
    ]
  }
  mkdirSync(join(folder, 'zones'))
  writeFileSync(
    join(folder, 'zones', 'mine.geojson'),
    JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', id: 'IDZ014', geometry }] })
  )
  const find = async (q: string, limit = 5) =>
    (await ask(`/api/atlas/search?limit=${limit}&q=${encodeURIComponent(q)}`)).body.results as {
      code: string
      name: string
      state: string
      kind: string
    }[]
  t.same((await find('Ada, Idaho'))[0], { code: 'IDC001', name: 'Ada', state: 'Idaho', kind: 'county' })
  for (const [q, code] of [
    ['ada id', 'IDC001'],
    ['ADA COUNTY', 'IDC001'],
    ['IDC001', 'IDC001'],
    ['16001', 'IDC001'],
    ['016001', 'IDC001'],
    ['dona ana', 'NMC013'],
    ['idaho', 'ID'],
    ['wy', 'WY'],
    ['IDZ014', 'IDZ014'],
    ['idz0', 'IDZ014']
  ] as const)
    t.equal((await find(q))[0]?.code, code, q)
  t.same(await find('zzzz'), [])
  t.equal((await find('a', 50)).length, 50)
  for (const path of [
    '/api/atlas/search',
    '/api/atlas/search?q=ada&limit=0',
    '/api/atlas/search?q=ada&limit=51',
    `/api/atlas/search?q=${'a'.repeat(81)}`
  ])
    t.equal((await ask(path)).status, 422, path)
  const outline = await ask('/api/zones/016001/outline')
  t.match(outline.body, { type: 'Feature', id: 'IDC001', properties: { name: 'Ada' }, geometry: { type: 'Polygon' } })
  t.equal(
    (await ask({ path: '/api/zones/16001/outline', headers: { 'if-none-match': String(outline.headers.etag) } }))
      .status,
    304
  )
  t.ok(outline.text.length < 20_000)
  for (const code of ['IDZ999', 'nonsense', '%00']) t.equal((await ask(`/api/zones/${code}/outline`)).status, 404, code)
  const many = (await ask('/api/zones/outlines?codes=IDZ014,16001,IDZ999,ID')).body.outlines
  t.same(Object.keys(many).sort(), ['16001', 'ID', 'IDZ014'])
  const tooMany = Array.from({ length: 51 }, (_, at) => `IDC${String(at).padStart(3, '0')}`).join(',')
  t.equal((await ask(`/api/zones/outlines?codes=${tooMany}`)).status, 422)
})

t.test('a base map is served in pieces, and nothing else of the data folder is', async (t) => {
  const { ask, folder } = await station(t)
  t.same((await ask('/api/maps')).body, { maps: [] }, 'the folder need not be there')
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 256))
  mkdirSync(join(folder, 'maps', 'sub.pmtiles'), { recursive: true })
  for (const name of ['b.pmtiles', 'a b.pmtiles', 'secret.txt', '.hidden.pmtiles'])
    writeFileSync(join(folder, 'maps', name), bytes)
  t.same((await ask('/api/maps')).body, {
    maps: [
      { file: 'a b.pmtiles', size: 1000, url: '/maps/a%20b.pmtiles' },
      { file: 'b.pmtiles', size: 1000, url: '/maps/b.pmtiles' }
    ]
  })
  const whole = await ask('/maps/b.pmtiles')
  t.match(whole, {
    status: 200,
    headers: { 'content-length': '1000', 'accept-ranges': 'bytes', 'content-type': 'application/octet-stream' }
  })
  const etag = String(whole.headers.etag)
  for (const [range, status, content, length] of [
    ['bytes=0-99', 206, 'bytes 0-99/1000', 100],
    ['bytes=990-2000', 206, 'bytes 990-999/1000', 10],
    ['bytes=-5', 206, 'bytes 995-999/1000', 5],
    ['bytes=-5000', 206, 'bytes 0-999/1000', 1000],
    ['bytes=999-', 206, 'bytes 999-999/1000', 1],
    ['bytes=1000-', 416, 'bytes */1000', 0],
    ['bytes=-0', 416, 'bytes */1000', 0],
    ['bytes=5-2', 200, undefined, 1000],
    ['bytes=0-1,4-5', 200, undefined, 1000],
    ['lines=1-2', 200, undefined, 1000]
  ] as const) {
    const answer = await ask({ path: '/maps/b.pmtiles', headers: { range } })
    t.equal(answer.status, status, range)
    t.equal(answer.headers['content-range'], content, range)
    t.equal(answer.headers['content-length'], String(length), range)
  }
  const head = await ask({ method: 'HEAD', path: '/maps/b.pmtiles', headers: { range: 'bytes=0-9' } })
  t.match(head, { status: 206, text: '', headers: { 'content-length': '10' } })
  t.equal((await ask({ path: '/maps/b.pmtiles', headers: { 'if-none-match': etag } })).status, 304)
  const changed = { range: 'bytes=0-9', 'if-range': '"another"' }
  t.equal((await ask({ path: '/maps/b.pmtiles', headers: changed })).status, 200, 'the file was replaced: all of it')
  t.equal((await ask({ path: '/maps/b.pmtiles', headers: { ...changed, 'if-range': etag } })).status, 206)
  t.ok(statSync(join(folder, 'config.json')).isFile())
  for (const path of [
    '/maps/secret.txt',
    '/maps/.hidden.pmtiles',
    '/maps/sub.pmtiles',
    '/maps/..%2fconfig.json',
    '/maps/%2e%2e%2fconfig.json',
    '/maps/c.pmtiles',
    '/maps',
    '/maps/x%00.pmtiles'
  ])
    t.equal((await ask(path)).status, 404, path)
  t.equal((await ask({ method: 'POST', path: '/maps/b.pmtiles' })).status, 405)
})

t.test('the page says every area in words, without a script and in the language of the reader', async (t) => {
  const { ask } = await covered(t, {
    coverage: {
      areas: [
        box('North <b>'),
        {
          name: null,
          parts: [{ circle: { lat: -43.5, lon: 171, radius_km: 30 } }, { codes: ['IDC001', 'ID', 'IDZ999'] }]
        },
        {
          name: 'Hole',
          geometry: {
            type: 'MultiPolygon',
            coordinates: [
              [
                [
                  [0, 0],
                  [1, 0],
                  [1, 1],
                  [0, 0]
                ]
              ],
              [
                [
                  [5, 5],
                  [6, 5],
                  [6, 6],
                  [5, 5]
                ]
              ]
            ]
          }
        }
      ]
    },
    notifications: { region_routes: { enabled: true, cells: { fire: { Gone: cell } } } }
  })
  const { status, text } = await ask('/coverage')
  t.equal(status, 200)
  for (const words of [
    'North &lt;b&gt;',
    'Box from 42° N to 49° N and from 117° W to 115° W',
    'no name: covered, but not a region',
    'Circle of 30 km around 43.5° S, 171° E',
    'Ada (IDC001), Idaho (ID), IDZ999',
    '2 polygons with 6 corners',
    'no area is named &quot;Gone&quot;, which is used by the matrix (fire)',
    'Region tagging is off',
    'aria-current="page"'
  ])
    t.ok(text.includes(words), words)
  t.notMatch(text, /<script(?![^>]*src=)(?![^>]*application\/json)/, 'nothing inline runs')
})

t.test('a corner that was summed up in binary is told as it is read', async (t) => {
  const say = (text: string, params: Record<string, unknown> = {}): string =>
    text.replace(/\{(\w+)\}/g, (_, name) => String(params[name]))
  const said = partInWords(
    say as never,
    { bbox: [-116.4, 43, -117 + 2 * 0.6, 42.4 + 2 * 0.6] },
    { nameOf: () => '', most: 3 }
  )
  t.equal(said, 'Box from 43° N to 43.6° N and from 116.4° W to 115.8° W')
})
