import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { importPack } from '../../../src/warning/atlas/import-pack.ts'
import { thinned } from '../../../src/warning/atlas/thin.ts'
import { openZoneFiles, readPack } from '../../../src/warning/atlas/zone-files.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { shapefile, zip } from './shapefile.ts'

const BOX: [number, number][] = [
  [-115, 43],
  [-115, 44],
  [-114, 44],
  [-114, 43],
  [-115, 43]
]
const polygon = { type: 'Polygon' as const, coordinates: [BOX] }
const folder = (): string => mkdtempSync(join(tmpdir(), 'lookout-zones-'))

async function run(content: Uint8Array | string, name = 'pack.json', tolerance = 0) {
  const zonesFolder = join(folder(), 'zones')
  const file = join(folder(), name)
  writeFileSync(file, content)
  const skipped: string[] = []
  const pack = await importPack({ file, zonesFolder, tolerance, onSkipped: (reason) => skipped.push(reason) })
  const shapes = openZoneFiles({ zonesFolder, atlasFile: null, onProblem: (at, why) => t.fail(`${at}: ${why}`) })
  return { pack, skipped, shapes, zonesFolder }
}

t.test('GeoJSON, TopoJSON and zipped shapefiles become packs the station reads', async (t) => {
  const features = [
    { type: 'Feature', id: 'IDZ014', properties: {}, geometry: polygon },
    { type: 'Feature', properties: { STATE_ZONE: 'ID015' }, geometry: polygon },
    { type: 'Feature', properties: { NAME: 'nowhere' }, geometry: polygon }
  ]
  const collection = JSON.stringify({ type: 'FeatureCollection', features })
  const topology = JSON.stringify({
    type: 'Topology',
    objects: { zones: { type: 'GeometryCollection', geometries: [{ type: 'Polygon', id: 'IDZ014', arcs: [[0]] }] } },
    arcs: [BOX]
  })
  const { shp, dbf } = shapefile([
    { ring: BOX, fields: { STATE_ZONE: 'ID014', NAME: 'Camas' } },
    { ring: BOX, fields: { STATE_ZONE: '', NAME: 'nameless' } }
  ])
  const geographic = Buffer.from('GEOGCS["GCS_North_American_1983"]')
  const kinds: [string, Uint8Array | string, string, number][] = [
    ['GeoJSON', collection, 'zones.geojson', 2],
    ['GeoJSON, gzipped', gzipSync(collection), 'zones.geojson.gz', 2],
    ['TopoJSON', topology, 'zones.topojson', 1],
    ['shapefile', zip({ 'z/a.shp': shp, 'z/a.dbf': dbf, 'z/a.prj': geographic }), 'z_18mr25.zip', 1]
  ]
  for (const [name, content, file, codes] of kinds) {
    const { pack, shapes, zonesFolder } = await run(content, file)
    t.equal(pack.codes, codes, name)
    t.match(shapes.shape('IDZ014'), polygon, `${name} keeps the outline`)
    t.equal(shapes.shape('IDZ099'), null)
    t.strictSame(readdirSync(zonesFolder).length, 1, 'nothing else is left behind')
  }
})

t.test('what is no pack is refused with a sentence, and the pack of the same name stays', async (t) => {
  const { shp, dbf } = shapefile([{ ring: BOX, fields: { STATE_ZONE: 'ID014' } }])
  const projected = Buffer.from('PROJCS["NAD_1983_UTM_Zone_11N"]')
  const bad: [string, Uint8Array | string, RegExp][] = [
    ['a web page', '<html>', /neither JSON nor a zip/],
    ['JSON of something else', '{"a":1}', /no zone pack/],
    [
      'no codes',
      JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry: polygon }] }),
      /code/
    ],
    ['cut off', zip({ 'a.shp': shp, 'a.dbf': dbf }).subarray(0, 200), /not a readable zip/],
    ['no .dbf', zip({ 'a.shp': shp }), /a \.shp and a \.dbf/],
    ['two shapefiles', zip({ 'a.shp': shp, 'a.dbf': dbf, 'b.shp': shp }), /several shapefiles/],
    ['empty members', zip({ 'a.shp': Buffer.alloc(0), 'a.dbf': Buffer.alloc(0) }), /\.shp or \.dbf cannot be read/],
    [
      'members of something else',
      zip({ 'a.shp': Buffer.alloc(500, 7), 'a.dbf': dbf }),
      /\.shp or \.dbf cannot be read/
    ],
    ['projected', zip({ 'a.shp': shp, 'a.dbf': dbf, 'a.prj': projected }), /EPSG:4326/]
  ]
  for (const [name, content, message] of bad) await t.rejects(run(content), { code: 'bad-input', message }, name)
  await t.rejects(importPack({ file: '/nowhere', zonesFolder: folder(), tolerance: 0, onSkipped: () => undefined }), {
    code: 'missing'
  })
  const { zonesFolder } = await run(zip({ 'a.shp': shp, 'a.dbf': dbf }), 'keep.zip')
  const broken = join(folder(), 'keep.zip')
  writeFileSync(broken, '<html>')
  await t.rejects(importPack({ file: broken, zonesFolder, tolerance: 0, onSkipped: () => undefined }))
  t.strictSame(readdirSync(zonesFolder), ['keep.zones.ndjson.gz'])
})

t.test('a broken outline is left out, and the others are kept', async (t) => {
  const geometries = [polygon, { type: 'Polygon', coordinates: 5 }, { type: 'MultiPolygon', coordinates: [[3]] }]
  const features = geometries.map((geometry, n) => ({ type: 'Feature', id: `IDZ01${n}`, properties: {}, geometry }))
  const { pack, skipped } = await run(JSON.stringify({ type: 'FeatureCollection', features }), 'pack.json', 0.001)
  t.equal(pack.codes, 1)
  t.strictSame(skipped, ['the outline of IDZ011 is broken', 'the outline of IDZ012 is broken'])
})

t.test('a new pack counts after a refresh', async (t) => {
  const zonesFolder = folder()
  const shapes = openZoneFiles({ zonesFolder, atlasFile: null })
  t.equal(shapes.shape('IDZ014'), null)
  writeFileSync(
    join(zonesFolder, 'a.ndjson'),
    `${JSON.stringify({ code: 'IDZ014', geometry: polygon })}\n{"code":"IDZ0`
  )
  t.equal(shapes.shape('IDZ014'), null)
  shapes.refresh()
  t.match(shapes.shape('IDZ014'), polygon)
})

t.test('thinning leaves nothing further from the outline than it may, and closes every ring', async (t) => {
  const point = fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true }))
  const tolerance = 0.05
  fc.assert(
    fc.property(fc.array(point, { minLength: 3, maxLength: 60 }), (points) => {
      const ring = [...points, points[0] ?? [0, 0]]
      const lean = thinned({ type: 'Polygon', coordinates: [ring] }, tolerance)
      const [kept = []] = lean.type === 'Polygon' ? lean.coordinates : []
      const closed = JSON.stringify(kept[0]) === JSON.stringify(kept.at(-1))
      return (
        closed && kept.length >= Math.min(4, ring.length) && ring.every((at) => distance(at, kept) <= tolerance + 2e-4)
      )
    })
  )
  t.pass()
})

t.test('the recorded zones come out whole, small and near', async (t) => {
  const file = needsFixture(t, 'zones/nws-zones.topojson.gz')
  if (file === null) return
  const zonesFolder = folder()
  const pack = await importPack({ file, zonesFolder, tolerance: 0.0015, onSkipped: () => undefined })
  const before = readPack(file, () => undefined)
  t.equal(pack.codes, before.codes.length)
  t.ok(pack.bytes < 4 * readFileSync(file).length, `${pack.bytes} bytes`)
})

function distance([x = 0, y = 0]: readonly number[], ring: readonly (readonly number[])[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let at = 1; at < ring.length; at++) {
    const [[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]] = [ring[at - 1] ?? [], ring[at] ?? []]
    const [dx, dy] = [x2 - x1, y2 - y1]
    const length = dx * dx + dy * dy
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length))
    least = Math.min(least, Math.hypot(x - x1 - share * dx, y - y1 - share * dy))
  }
  return least
}
