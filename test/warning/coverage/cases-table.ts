import type { Geometry } from '../../../src/model/geojson.ts'
import type { Locatable } from '../../../src/warning/coverage/locate.ts'
import type { AreaPart } from '../../../src/warning/coverage/settings.ts'
import { at, box, drawn, point, polygon } from './harness.ts'

/** Hand-made truths, one or more for each rule of the geometry semantics: areas by name, an event, the names expected. */
export interface Case {
  title: string
  areas: Record<string, AreaPart>
  event: Locatable
  expect: string[]
}

const square: AreaPart = { bbox: [-110, 40, -109, 41] }
const drawnSquare: AreaPart = { geometry: polygon(box(-110, 40, -109, 41)) }
const ring: AreaPart = { geometry: polygon(box(0, 0, 10, 10), box(4, 4, 6, 6)) }
const bowTie: AreaPart = {
  geometry: polygon([
    [0, 0],
    [4, 4],
    [4, 0],
    [0, 4],
    [0, 0]
  ])
}
const aleutians: AreaPart = { bbox: [172, 50, -160, 56] }
const acrossUnsplit: AreaPart = { geometry: polygon(box(179, 50, -179, 52)) }
const acrossBeyond: AreaPart = { geometry: polygon(box(179, 50, 181, 52)) }
const split: AreaPart = {
  geometry: { type: 'MultiPolygon', coordinates: [[box(179, 50, 180, 52)], [box(-180, 50, -179, 52)]] }
}
const across = { unsplit: acrossUnsplit, beyond: acrossBeyond, split }
const boise: AreaPart = { circle: { lat: 43.6, lon: -116.2, radius_km: 50 } }
const line = (...coordinates: number[][]): Geometry => ({ type: 'LineString', coordinates })

export const CASES: Case[] = [
  // Rule 1: longitude and latitude, straight edges.
  { title: 'a point inside a box', areas: { a: square }, event: drawn(point(-109.5, 40.5)), expect: ['a'] },
  {
    title: 'a third ordinate is ignored',
    areas: { a: square },
    event: drawn({ type: 'Point', coordinates: [-109.5, 40.5, 7e9] }),
    expect: ['a']
  },
  {
    title: 'an edge is straight in longitude and latitude, not along the earth',
    areas: { a: { bbox: [-120, 45, -60, 60] } },
    event: drawn(line([-120, 44.99], [-60, 44.99])),
    expect: []
  },
  // Rule 2: longitudes modulo 360.
  {
    title: 'a longitude one turn on',
    areas: { a: square, b: drawnSquare },
    event: drawn(point(250.5, 40.5)),
    expect: ['a', 'b']
  },
  {
    title: 'a box whose west is east of its east crosses the antimeridian',
    areas: { a: aleutians },
    event: drawn(point(-179.99, 53)),
    expect: ['a']
  },
  { title: 'the other side of such a box is outside', areas: { a: aleutians }, event: drawn(point(0, 53)), expect: [] },
  {
    title: 'a box of the whole world',
    areas: { a: { bbox: [-180, -90, 180, 90] } },
    event: drawn(point(77, -89)),
    expect: ['a']
  },
  {
    title: 'rings across the antimeridian, west of it',
    areas: across,
    event: drawn(point(179.5, 51)),
    expect: ['unsplit', 'beyond', 'split']
  },
  {
    title: 'rings across the antimeridian, east of it',
    areas: across,
    event: drawn(point(-179.5, 51)),
    expect: ['unsplit', 'beyond', 'split']
  },
  {
    title: 'on the antimeridian, written either way',
    areas: across,
    event: drawn(point(-180, 51)),
    expect: ['unsplit', 'beyond', 'split']
  },
  {
    title: 'a vertex written one turn on still touches exactly',
    areas: across,
    event: drawn(point(-179, 50)),
    expect: ['unsplit', 'beyond', 'split']
  },
  {
    title: 'an event across the antimeridian',
    areas: { ...across, far: square },
    event: drawn(line([179.9, 49], [-179.9, 53])),
    expect: ['unsplit', 'beyond', 'split']
  },
  // Rule 3: closed sets.
  {
    title: 'a point on an edge',
    areas: { a: square, b: drawnSquare },
    event: drawn(point(-110, 40.5)),
    expect: ['a', 'b']
  },
  {
    title: 'a point on a corner',
    areas: { a: square, b: drawnSquare },
    event: drawn(point(-109, 41)),
    expect: ['a', 'b']
  },
  {
    title: 'a line that ends on an edge',
    areas: { a: square },
    event: drawn(line([-112, 40.5], [-110, 40.5])),
    expect: ['a']
  },
  {
    title: 'a line through, with both ends outside',
    areas: { a: square },
    event: drawn(line([-112, 40.5], [-100, 40.5])),
    expect: ['a']
  },
  {
    title: 'neighbours that share a border',
    areas: { a: square },
    event: drawn(polygon(box(-111, 40, -110, 41))),
    expect: ['a']
  },
  {
    title: 'neighbours that share a corner',
    areas: { a: square },
    event: drawn(polygon(box(-111, 41, -110, 42))),
    expect: ['a']
  },
  {
    title: 'an area around the region',
    areas: { a: square },
    event: drawn(polygon(box(-120, 30, -100, 50))),
    expect: ['a']
  },
  {
    title: 'an area inside the region',
    areas: { a: square },
    event: drawn(polygon(box(-109.6, 40.4, -109.4, 40.6))),
    expect: ['a']
  },
  // Rule 4: holes.
  { title: 'a point in a hole', areas: { a: ring }, event: drawn(point(5, 5)), expect: [] },
  { title: 'a point on the rim of a hole', areas: { a: ring }, event: drawn(point(4, 5)), expect: ['a'] },
  { title: 'an area within a hole', areas: { a: ring }, event: drawn(polygon(box(4.5, 4.5, 5.5, 5.5))), expect: [] },
  {
    title: 'an area that fills the hole exactly',
    areas: { a: ring },
    event: drawn(polygon(box(4, 4, 6, 6))),
    expect: ['a']
  },
  {
    title: 'a region in the hole of an event',
    areas: { a: { bbox: [4.5, 4.5, 5.5, 5.5] } },
    event: drawn(ring.geometry),
    expect: []
  },
  // Rule 5: invalid shapes.
  { title: 'a wing of a bow-tie', areas: { a: bowTie }, event: drawn(point(0.5, 2)), expect: ['a'] },
  { title: 'between the wings of a bow-tie', areas: { a: bowTie }, event: drawn(point(2, 3)), expect: [] },
  {
    title: 'a hole outside its shell counts as area',
    areas: { a: { geometry: polygon(box(0, 0, 1, 1), box(5, 5, 6, 6)) } },
    event: drawn(point(5.5, 5.5)),
    expect: ['a']
  },
  {
    title: 'members are joined, even where they overlap',
    areas: { a: { geometry: { type: 'MultiPolygon', coordinates: [[box(0, 0, 2, 2)], [box(1, 0, 3, 2)]] } } },
    event: drawn(point(1.5, 1)),
    expect: ['a']
  },
  {
    title: 'an open ring is closed',
    areas: { a: { geometry: polygon(box(0, 0, 2, 2).slice(0, 4)) } },
    event: drawn(point(0, 1)),
    expect: ['a']
  },
  {
    title: 'a clockwise ring',
    areas: { a: { geometry: polygon(box(0, 0, 2, 2).toReversed()) } },
    event: drawn(point(1, 1)),
    expect: ['a']
  },
  {
    title: 'a ring without area is a line',
    areas: {
      a: {
        geometry: polygon([
          [0, 0],
          [2, 2],
          [0, 0]
        ])
      }
    },
    event: drawn(point(1, 1)),
    expect: ['a']
  },
  {
    title: 'a ring of one position is a point',
    areas: { a: square },
    event: drawn(polygon([[-109.5, 40.5]])),
    expect: ['a']
  },
  {
    title: 'a collection is the union of its members',
    areas: { a: square, b: ring },
    event: drawn({ type: 'GeometryCollection', geometries: [point(1, 1), line([-112, 40.5], [-100, 40.5])] }),
    expect: ['a', 'b']
  },
  {
    title: 'several points',
    areas: { a: square, b: ring },
    event: drawn({
      type: 'MultiPoint',
      coordinates: [
        [80, 80],
        [1, 1]
      ]
    }),
    expect: ['b']
  },
  // Rule 6: circles.
  { title: 'a point in a circle', areas: { a: boise }, event: drawn(point(-116.2, 44.04)), expect: ['a'] },
  {
    title: 'a point outside a circle, within its box',
    areas: { a: boise },
    event: drawn(point(-115.65, 44)),
    expect: []
  },
  {
    title: 'kilometres are the same to the east',
    areas: { a: boise },
    event: drawn(point(-115.59, 43.6)),
    expect: ['a']
  },
  {
    title: 'a circle over the pole',
    areas: { a: { circle: { lat: 89, lon: 0, radius_km: 300 } } },
    event: drawn(point(180, 89)),
    expect: ['a']
  },
  {
    title: 'a circle across the antimeridian',
    areas: { a: { circle: { lat: 52, lon: 179.9, radius_km: 30 } } },
    event: drawn(point(-179.9, 52)),
    expect: ['a']
  },
  {
    title: 'a long line through a circle with no vertex near',
    areas: { a: boise },
    event: drawn(line([-125, 43.5], [-100, 43.5])),
    expect: ['a']
  },
  { title: 'a long line past a circle', areas: { a: boise }, event: drawn(line([-125, 43], [-100, 43])), expect: [] },
  {
    title: 'an area around a circle',
    areas: { a: boise },
    event: drawn(polygon(box(-125, 35, -100, 50))),
    expect: ['a']
  },
  {
    title: 'a circle event and a box',
    areas: { near: square, far: boise },
    event: at({ circle: { lat: 40.5, lon: -108.8, radius_km: 20 } }),
    expect: ['near']
  },
  {
    title: 'two circles that touch only together',
    areas: { a: boise },
    event: at({ circle: { lat: 44.5, lon: -116.2, radius_km: 51 } }),
    expect: ['a']
  },
  {
    title: 'two circles apart',
    areas: { a: boise },
    event: at({ circle: { lat: 44.5, lon: -116.2, radius_km: 49 } }),
    expect: []
  },
  {
    title: 'a circle without radius is a point',
    areas: { a: { circle: { lat: 1, lon: 1, radius_km: 0 } } },
    event: drawn(polygon(box(0, 0, 2, 2))),
    expect: ['a']
  }
]
