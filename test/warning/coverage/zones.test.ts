import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { Geometry } from '../../../src/model/geojson.ts'
import { findCountyAtlas, openZoneFiles } from '../../../src/warning/atlas/zone-files.ts'
import { zoneShapesFromPack } from '../../../src/warning/coverage/zone-pack.ts'
import { combineZoneShapes, zoneShapesFromMap } from '../../../src/warning/coverage/zones.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { areasOf, at, box, indexOf, point, polygon } from './harness.ts'

const silent = () => undefined
const square = polygon(box(0, 0, 1, 1))
const other = polygon(box(5, 5, 6, 6))

/** Two squares side by side that share an arc, quantised: the left one COZ001, the right one 08013. */
const topology = {
  type: 'Topology',
  transform: { scale: [0.5, 0.5], translate: [10, 20] },
  objects: {
    zones: {
      type: 'GeometryCollection',
      geometries: [
        { type: 'Polygon', id: 'COZ001', arcs: [[0, 1]], properties: { name: 'left' } },
        { type: 'Polygon', arcs: [[2, -1]], properties: { FIPS: '08013' } },
        { type: 'Polygon', id: 'COZ002', arcs: [[77]] }
      ]
    }
  },
  arcs: [
    [
      [2, 0],
      [0, 2]
    ],
    [
      [2, 2],
      [-2, 0],
      [0, -2],
      [2, 0]
    ],
    [
      [2, 0],
      [2, 0],
      [0, 2],
      [-2, 0]
    ]
  ]
}

t.test('a map of outlines knows every spelling of a code', async (t) => {
  const zones = zoneShapesFromMap({ '08013': square, ' coz039': other, nonsense: square })
  t.same(zones.shape('COC013'), square)
  t.same(zones.shape('COZ039'), other)
  t.equal(zones.shape('COC014'), null)
})

t.test('of several sources the first that knows a code answers', async (t) => {
  const zones = combineZoneShapes(
    zoneShapesFromMap({ COZ001: square }),
    zoneShapesFromMap({ COZ001: other, COZ002: other })
  )
  t.same(zones.shape('COZ001'), square)
  t.same(zones.shape('COZ002'), other)
  t.equal(zones.shape('COZ003'), null)
})

t.test('a GeoJSON pack carries its codes in any of the usual places', async (t) => {
  const places: [string, object][] = [
    ['COZ001', { id: 'COZ001' }],
    ['COZ002', { id: 'https://example.org/zones/forecast/COZ002' }],
    ['COZ003', { id: 'feature-3', properties: { UGC: 'coz003' } }],
    ['COZ004', { properties: { STATE: 'CO', ZONE: '004', STATE_ZONE: 'CO004' } }],
    ['COC005', { properties: { FIPS: '08005' } }],
    ['COC006', { properties: { SAME: '008006' } }],
    ['COZ007', { properties: { code: 'COZ007', fips: '08999' } }],
    ['COZ008', { id: 8, properties: { zone: 'COZ008' } }],
    ['ALC009', { id: 1009 }],
    ['CO', { id: '08' }]
  ]
  const features = places.map(([, where]) => ({ type: 'Feature', geometry: square, ...where }))
  const zones = zoneShapesFromPack({ type: 'FeatureCollection', features }, silent)
  for (const [code, where] of places) t.same(zones.shape(code), square, JSON.stringify(where))
})

t.test('a code on several features has the outlines of all of them', async (t) => {
  const features = [square, other].map((geometry) => ({ type: 'Feature', id: 'COZ001', geometry }))
  const zones = zoneShapesFromPack({ type: 'FeatureCollection', features }, silent)
  t.same(zones.shape('COZ001'), { type: 'GeometryCollection', geometries: [square, other] })
  const index = indexOf(areasOf({ a: { codes: ['COZ001'] } }), zones)
  t.same(index.match(at({ geometry: point(5.5, 5.5) })).names, ['a'])
})

t.test('a TopoJSON pack is decoded outline by outline, and a broken one is reported', async (t) => {
  const problems: string[] = []
  const zones = zoneShapesFromPack(topology, (message) => problems.push(message))
  t.same(
    zones.shape('COZ001'),
    polygon([
      [11, 20],
      [11, 21],
      [10, 21],
      [10, 20],
      [11, 20]
    ])
  )
  t.same(
    zones.shape('COC013'),
    polygon([
      [11, 20],
      [12, 20],
      [12, 21],
      [11, 21],
      [11, 20]
    ])
  )
  t.same(problems, [])
  t.equal(zones.shape('COZ002'), null)
  t.match(problems, [/COZ002.*arc 77/])
})

t.test('an outline that names one arc over and over is broken: it would grow with its square', async (t) => {
  const problems: string[] = []
  const repeated = (code: string, times: number) => ({ type: 'Polygon', id: code, arcs: [Array(times).fill(0)] })
  const arc = Array.from({ length: 1000 }, (_, n) => [n % 7, n % 5])
  const geometries = [repeated('COZ001', 1), repeated('COZ002', 5000)]
  const zones = zoneShapesFromPack(
    { type: 'Topology', objects: { zones: { type: 'GeometryCollection', geometries } }, arcs: [arc] },
    (message) => problems.push(message)
  )
  t.match(zones.shape('COZ001'), { type: 'Polygon' })
  t.equal(zones.shape('COZ002'), null)
  t.match(problems, [/COZ002 is broken: arc 0 stands in it more than 2 times/])
})

t.test('what is no pack is refused with a reason', async (t) => {
  const wrong = [
    null,
    7,
    [],
    {},
    { type: 'FeatureCollection' },
    { type: 'FeatureCollection', features: [{ id: 'x', geometry: square }] }
  ]
  for (const pack of wrong)
    t.throws(() => zoneShapesFromPack(pack, silent), { code: 'bad-input' }, JSON.stringify(pack))
})

t.test('zone files are read when first needed, packs before the atlas, and a broken one stops no other', async (t) => {
  const folder = t.testdir({
    'a.geojson': JSON.stringify({ type: 'FeatureCollection', features: [{ id: 'IDC001', geometry: square }] }),
    'broken.json': '{"type":',
    'notes.txt': 'not a pack',
    'useless.json': '{}'
  })
  const problems: string[] = []
  const atlasFile = findCountyAtlas(import.meta.url)
  t.type(atlasFile, 'string')
  const open = (zonesFolder: string) =>
    openZoneFiles({ zonesFolder, atlasFile, onProblem: (file, message) => problems.push(`${file}: ${message}`) })
  const zones = open(folder)
  writeFileSync(join(folder, 'z.topojson.gz'), gzipSync(JSON.stringify(topology)))
  t.same(problems, [], 'nothing was read yet')
  t.same(zones.shape('IDC001'), square, 'a pack beats the atlas')
  t.match(zones.shape('COZ001'), { type: 'Polygon' }, 'a zipped pack')
  t.match(problems.sort(), [/broken\.json: .*JSON/, /useless\.json: .*no zone pack/])
  const ada = zones.shape('IDC003')
  t.ok(ada !== null && JSON.stringify(ada).length > 100, 'a county of the atlas')
  t.ok(zones.shape('ID'), 'a state of the atlas')
  t.equal(zones.shape('IDZ999'), null)
  problems.length = 0
  t.ok(open(join(folder, 'missing')).shape('IDC003'), 'without a folder there is still the atlas')
  t.same(problems, [])
  mkdirSync(join(folder, 'empty'))
  t.equal(openZoneFiles({ zonesFolder: join(folder, 'empty'), atlasFile: null }).shape('IDC003'), null)
  t.equal(openZoneFiles({ zonesFolder: join(folder, 'empty'), atlasFile: join(folder, 'none') }).shape('IDC003'), null)
})

t.test('the atlas locates a quake in its county and state, by code', async (t) => {
  const zones = openZoneFiles({ zonesFolder: join(t.testdir(), 'none'), atlasFile: findCountyAtlas(import.meta.url) })
  const index = indexOf(
    areasOf({
      ada: { codes: ['16001'] },
      canyon: { codes: ['IDC027'] },
      idaho: { codes: ['ID'] },
      oregon: { codes: ['OR'] },
      aleutians: { codes: ['AKC016'] }
    }),
    zones
  )
  t.same(index.match(at({ geometry: point(-116.2, 43.61) })).names, ['ada', 'idaho'])
  t.same(index.match(at({ lat: 52.85, lon: 173.1 })).names, ['aleutians'], 'west of the antimeridian')
  t.same(index.match(at({ lat: 53.88, lon: -166.55 })).names, ['aleutians'], 'and east of it')
})

t.test('a drawn region meets a real zone alert by the outlines of the zone pack', async (t) => {
  const file = needsFixture(t, 'zones/nws-zones.topojson.gz')
  if (file === null) return
  const problems: string[] = []
  const zones = openZoneFiles({
    zonesFolder: join(file, '..'),
    atlasFile: null,
    onProblem: (_, message) => problems.push(message)
  })
  const shape: Geometry | null = zones.shape('COZ039')
  t.ok(shape)
  t.same(problems, [])
  const index = indexOf(areasOf({ boulder: { circle: { lat: 40.0, lon: -105.27, radius_km: 15 } } }), zones)
  t.same(index.match(at({ zones: ['COZ039'] })).names, ['boulder'])
  t.same(index.match(at({ zones: ['COZ001'] })).names, [])
})

t.test('a broken topology tells of the outlines that are whole', async (t) => {
  const spoilt = (change: object): unknown => JSON.parse(JSON.stringify({ ...topology, ...change }))
  const objects = {
    zones: topology.objects.zones,
    text: 'none',
    number: -1,
    none: null,
    list: { type: 'GeometryCollection', geometries: 7 }
  }
  const whole = zoneShapesFromPack(topology, silent).codes
  t.same(zoneShapesFromPack(spoilt({ objects }), silent).codes, whole)
  const members = { type: 'GeometryCollection', geometries: ['', null, 3, ...topology.objects.zones.geometries] }
  t.same(zoneShapesFromPack(spoilt({ objects: { members } }), silent).codes, whole)
  const pack = zoneShapesFromPack(spoilt({ arcs: [...topology.arcs, null, 7, [null], ['a'], [['x', 1]]] }), silent)
  t.not(pack.shape('COZ001'), null)
})
