import { booleanIntersects } from '@turf/boolean-intersects'
import fc from 'fast-check'
import t from 'tap'
import type { Geometry } from '../../../src/model/geojson.ts'
import type { Locatable } from '../../../src/warning/coverage/locate.ts'
import type { Match } from '../../../src/warning/coverage/region-index.ts'
import type { AreaPart } from '../../../src/warning/coverage/settings.ts'
import { type ZoneShapes, zoneShapesFromMap } from '../../../src/warning/coverage/zones.ts'
import { CODE_CASES, ZONES } from './cases-codes.ts'
import { CASES } from './cases-table.ts'
import { areasOf, at, box, drawn, indexOf, point, polygon } from './harness.ts'

t.test('each rule of the geometry semantics holds', async (t) => {
  const zones = zoneShapesFromMap(ZONES)
  for (const { title, areas, event, expect } of [...CASES, ...CODE_CASES]) {
    t.same(indexOf(areasOf(areas), zones).match(event).names, expect, title)
  }
})

t.test('names come in configuration order, once, and never from nameless areas', async (t) => {
  const here: AreaPart = { bbox: [-110, 40, -109, 41] }
  const away: AreaPart = { bbox: [0, 0, 1, 1] }
  const index = indexOf([
    { name: 'Zulu', parts: [away, here] },
    { name: null, parts: [here] },
    { name: 'Alpha', parts: [here, here] },
    { name: 'Mike', parts: [away] },
    { name: 'Zulu', parts: [here] }
  ])
  const match = index.match(drawn(point(-109.5, 40.5)))
  t.same(match.names, ['Zulu', 'Alpha'])
  t.same(match.areas, [0, 1, 2, 4])
})

t.test('a match says by what the event was located', async (t) => {
  const index = indexOf(areasOf({ a: { bbox: [0, 0, 1, 1] } }), zoneShapesFromMap(ZONES))
  const cases: [Partial<Locatable>, Match['how'], boolean][] = [
    [{ geometry: point(5, 5) }, 'geometry', true],
    [{ circle: { lat: 5, lon: 5, radius_km: 1 } }, 'circle', true],
    [{ bbox: [5, 5, 6, 6] }, 'bbox', true],
    [{ lat: 5, lon: 5 }, 'point', true],
    [{ lat: 5 }, 'none', false],
    [{ zones: ['IDC001'] }, 'codes', true],
    [{ zones: ['MTZ999'] }, 'codes', false],
    [{ zones: ['nonsense'], same: ['000000'] }, 'none', false],
    [{}, 'none', false]
  ]
  for (const [event, how, located] of cases) {
    const match = index.match(at(event))
    t.same({ how: match.how, located: match.located }, { how, located }, JSON.stringify(event))
  }
  const coded = indexOf(areasOf({ a: { codes: ['IDC001'] } }))
  t.equal(coded.match(at({ zones: ['MTZ999'] })).located, true, 'a coded region could match any code')
})

t.test('county codes stand in for zones nobody can draw, and only then', async (t) => {
  const index = indexOf(areasOf({ first: { bbox: [-116, 43, -115.5, 44] } }), zoneShapesFromMap(ZONES))
  const unknown = index.match(at({ zones: ['IDZ099'], same: ['016001'] }))
  t.match(unknown, { names: ['first'], byCounty: true, located: true, unknownCodes: ['IDZ099'] })
  const north = indexOf(areasOf({ north: { bbox: [-116, 43.6, -115, 44] } }), zoneShapesFromMap(ZONES))
  const known = north.match(at({ zones: ['IDZ014'], same: ['016001'] }))
  t.match(known, { names: [], byCounty: false, located: true, unknownCodes: [] }, 'the zone ends south of the region')
  t.match(
    north.match(at({ same: ['016001'] })),
    { names: ['north'], byCounty: false },
    'counties alone are no stand-in'
  )
  const lost = index.match(at({ zones: ['IDZ099'], same: ['016999'] }))
  t.match(lost, { names: [], byCounty: false, located: false, unknownCodes: ['IDZ099', 'IDC999'] })
  const coded = indexOf(areasOf({ county: { codes: ['16001'] } }))
  t.match(coded.match(at({ zones: ['IDZ014'], same: ['016001'] })), { names: ['county'], byCounty: true })
})

t.test('outlines of event codes are asked for when first needed, and unknown ones again each time', async (t) => {
  const asked: string[] = []
  const known = zoneShapesFromMap(ZONES)
  const zones: ZoneShapes = {
    shape(code) {
      asked.push(code)
      return known.shape(code)
    }
  }
  const index = indexOf(areasOf({ a: { bbox: [-116, 43, -115, 44] }, b: { codes: ['IDZ014'] } }), zones)
  t.same(asked.splice(0), ['IDZ014'], 'compiling asks for the codes of regions only')
  index.match(at({ zones: ['IDC001'] }))
  index.match(at({ zones: ['IDC001'] }))
  t.same(asked.splice(0), ['IDC001'], 'an outline is used once')
  index.match(at({ zones: ['IDZ098'] }))
  index.match(at({ zones: ['IDZ098'] }))
  t.same(asked.splice(0), ['IDZ098', 'ID', 'IDZ098'], 'and its state, once, for who may be meant')
  index.match(drawn(point(0, 0)))
  t.same(asked, [], 'a drawn event needs no outlines of codes')
})

t.test('an event of more than 20,000 vertices is thinned, marked and still matched', async (t) => {
  const ring = (count: number, radius: number) => {
    const corners = Array.from({ length: count }, (_, corner) => {
      const angle = (2 * Math.PI * corner) / count
      return [-100 + radius * Math.cos(angle), 40 + radius * Math.sin(angle)]
    })
    return polygon([...corners, corners[0]!])
  }
  const index = indexOf(
    areasOf({
      in: { bbox: [-100, 40, -99, 41] },
      rim: { bbox: [-90.1, 39, -89.9, 41] },
      out: { bbox: [-89, 39, -88, 41] }
    })
  )
  t.match(index.match(drawn(ring(19_999, 10))), { names: ['in', 'rim'], thinned: false })
  t.match(index.match(drawn(ring(45_000, 10))), { names: ['in', 'rim'], thinned: true })
  const many = { type: 'MultiPoint', coordinates: Array.from({ length: 25_000 }, () => [-99.5, 40.5]) }
  t.match(index.match(drawn(many)), { names: ['in'], thinned: true })
})

t.test('a geometry that nests without end or has countless members is cut, not followed', async (t) => {
  const index = indexOf(areasOf({ a: { bbox: [0, 0, 1, 1] } }))
  let deep: unknown = point(0.5, 0.5)
  for (let depth = 0; depth < 50_000; depth++) deep = { type: 'GeometryCollection', geometries: [deep] }
  t.match(index.match(drawn(deep)), { names: [], located: false })
  const wide = { type: 'GeometryCollection', geometries: Array.from({ length: 20_000 }, () => point(0.5, 0.5)) }
  t.match(index.match(drawn(wide)), { names: ['a'], thinned: true })
})

const everything = indexOf(
  areasOf({
    box: { bbox: [-110, 40, -100, 50] },
    across: { bbox: [170, 50, -170, 60] },
    circle: { circle: { lat: 45, lon: -105, radius_km: 200 } },
    pole: { circle: { lat: 90, lon: 0, radius_km: 500 } },
    hole: { geometry: polygon(box(0, 0, 10, 10), box(4, 4, 6, 6)) },
    empty: { geometry: { type: 'Polygon', coordinates: [] } },
    coded: { codes: ['IDC001', 'MT'] }
  }),
  zoneShapesFromMap(ZONES)
)

t.test('no event, whatever it holds, makes matching throw', async (t) => {
  const number = fc.oneof(
    fc.double(),
    fc.integer({ min: -400, max: 400 }),
    fc.constantFrom(1e300, -1e300, 180, -180, 90)
  )
  const position = fc.oneof(
    { weight: 6, arbitrary: fc.array(number, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.anything() }
  )
  const lists = fc.letrec<{ list: unknown }>((tie) => ({
    list: fc.oneof({ depthSize: 'medium', maxDepth: 5 }, position, fc.array(tie('list'), { maxLength: 6 }))
  })).list
  const type = fc.constantFrom(
    'Point',
    'MultiPoint',
    'LineString',
    'MultiLineString',
    'Polygon',
    'MultiPolygon',
    'toString',
    7
  )
  const geometry = fc.letrec<{ geometry: unknown }>((tie) => ({
    geometry: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      fc.record({ type, coordinates: lists }),
      fc.anything(),
      fc.record({ type: fc.constant('GeometryCollection'), geometries: fc.array(tie('geometry'), { maxLength: 4 }) })
    )
  })).geometry
  const junk = fc.record({
    geometry,
    bbox: fc.oneof(fc.array(number, { minLength: 4, maxLength: 4 }), fc.anything()),
    circle: fc.oneof(fc.record({ lat: number, lon: number, radius_km: number }), fc.anything()),
    lat: fc.oneof(number, fc.anything()),
    lon: fc.oneof(number, fc.anything()),
    zones: fc.oneof(fc.array(fc.constantFrom('IDC001', 'MTZ001', 'x', 'ID')), fc.anything()),
    same: fc.anything()
  })
  fc.assert(
    fc.property(junk, (event) => {
      const { areas } = everything.match(event as unknown as Locatable)
      return areas.every((area, at) => at === 0 || area > areas[at - 1]!)
    }),
    { numRuns: 2000 }
  )
  t.pass('2,000 events of junk, and the areas are in order each time')
})

const whole = (min: number, max: number) => fc.integer({ min, max })
const ringOf = (x: fc.Arbitrary<number>, y: fc.Arbitrary<number>) =>
  fc.array(fc.tuple(x, y), { minLength: 3, maxLength: 9 }).map((ring) => [...ring, ring[0]!])

t.test('whole turns of an event or a region change nothing', async (t) => {
  const half = (value: number) => value / 2
  const ring = ringOf(whole(-420, 420).map(half), whole(-60, 60).map(half))
  const turns = whole(-2, 2).map((turn) => turn * 360)
  const moved = (coordinates: number[][], by: number) => coordinates.map(([x = 0, y = 0]) => [x + by, y])
  const lone = fc.tuple(whole(-400, 400).map(half), whole(-60, 60).map(half))
  fc.assert(
    fc.property(ring, ring, lone, turns, turns, (region, event, [x, y], there, here) => {
      const plain = indexOf(areasOf({ a: { geometry: polygon(region) } }))
      const turned = indexOf(areasOf({ a: { geometry: polygon(moved(region, there)) } }))
      const areaEqual =
        plain.match(drawn(polygon(event))).names.length ===
        turned.match(drawn(polygon(moved(event, here)))).names.length
      const pointEqual =
        plain.match(drawn(point(x, y))).names.length === turned.match(drawn(point(x + here, y))).names.length
      return areaEqual && pointEqual
    }),
    { numRuns: 1000 }
  )
  t.pass('1,000 pairs of rings, many of them across the antimeridian')
})

t.test('a point inside a convex polygon is in its region', async (t) => {
  const angles = fc
    .uniqueArray(whole(0, 359), { minLength: 5, maxLength: 60 })
    .map((degrees) => degrees.map((degree) => (degree * Math.PI) / 180))
  const centre = fc.tuple(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.double({ min: -70, max: 70, noNaN: true })
  )
  const weights = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 60, maxLength: 60 })
  fc.assert(
    fc.property(
      angles,
      centre,
      fc.double({ min: 0.01, max: 15, noNaN: true }),
      weights,
      (list, [x, y], radius, shares) => {
        const sorted = list.toSorted((a, b) => a - b)
        const corners = sorted.map((angle): [number, number] => [
          x + radius * Math.cos(angle),
          y + radius * Math.sin(angle)
        ])
        const total = corners.reduce((sum, _, at) => sum + shares[at]!, 0)
        const inside = corners.reduce(
          ([px, py], [cx, cy], at) =>
            [px + (cx * shares[at]!) / total, py + (cy * shares[at]!) / total] as [number, number],
          [0, 0] as [number, number]
        )
        return (
          indexOf(areasOf({ a: { geometry: polygon([...corners, corners[0]!]) } })).match(drawn(point(...inside))).names
            .length === 1
        )
      }
    ),
    { numRuns: 500 }
  )
  t.pass('500 polygons')
})

/** A ring that does not cross itself: what a reference library and the even-odd rule agree about. */
const star = fc
  .tuple(whole(-40, 40), whole(-40, 40), fc.array(whole(3, 30), { minLength: 5, maxLength: 40 }))
  .map(([x, y, reaches]) => {
    const ring = reaches.map((reach, at) => {
      const angle = (2 * Math.PI * at) / reaches.length
      return [Math.round((x + reach * Math.cos(angle)) * 8) / 8, Math.round((y + reach * Math.sin(angle)) * 8) / 8]
    })
    return [...ring, ring[0]!]
  })

t.test('polygons, lines and points meet exactly when the reference library says so', async (t) => {
  const place = fc.tuple(whole(-320, 320), whole(-320, 320)).map(([x, y]) => [x / 8, y / 8])
  const event: fc.Arbitrary<Geometry> = fc.oneof(
    star.map((ring): Geometry => polygon(ring)),
    place.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
    fc
      .array(place, { minLength: 2, maxLength: 12 })
      .map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
    fc
      .array(star, { minLength: 1, maxLength: 4 })
      .map((rings): Geometry => ({ type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) }))
  )
  let met = 0
  fc.assert(
    fc.property(fc.array(star, { minLength: 1, maxLength: 5 }), event, (rings, geometry) => {
      const regions = rings.map((ring) => polygon(ring))
      const areas = Object.fromEntries(
        regions.map((region, at): [string, AreaPart] => [`r${at}`, { geometry: region }])
      )
      const expected = regions.flatMap((region, at) =>
        booleanIntersects(region as never, geometry as never) ? [at] : []
      )
      const { areas: found } = indexOf(areasOf(areas)).match(drawn(geometry))
      met += found.length
      return found.length === expected.length && found.every((area, at) => area === expected[at])
    }),
    { numRuns: 800 }
  )
  t.ok(met > 400, `${met} of the pairs met`)
})
