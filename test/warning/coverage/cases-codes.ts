import type { Geometry } from '../../../src/model/geojson.ts'
import type { AreaPart } from '../../../src/warning/coverage/settings.ts'
import type { Case } from './cases-table.ts'
import { at, box, drawn, point, polygon } from './harness.ts'

/** Outlines of the codes used below: two counties side by side, a zone over a strip of the first, their state. */
export const ZONES: Record<string, Geometry> = {
  IDC001: polygon(box(-116, 43, -115, 44)),
  '16003': polygon(box(-115, 43, -114, 44)),
  IDZ014: polygon(box(-116, 43, -115, 43.5)),
  ID: polygon(box(-117, 42, -111, 49))
}

const coded: Record<string, AreaPart> = {
  county: { codes: ['IDC001'] },
  fips: { codes: ['16003'] },
  zone: { codes: ['IDZ014'] },
  state: { codes: ['ID'] },
  unknown: { codes: ['MTZ999'] },
  drawn: { geometry: polygon(box(-115.9, 43.1, -115.8, 43.2)) }
}

const square: AreaPart = { bbox: [-110, 40, -109, 41] }

export const CODE_CASES: Case[] = [
  // Rule 7: codes.
  {
    title: 'a county by its UGC, and the zone in it by its outline',
    areas: coded,
    event: at({ zones: ['idc001 '] }),
    expect: ['county', 'zone', 'state', 'drawn']
  },
  {
    title: 'a county by its SAME code, its first digit ignored',
    areas: coded,
    event: at({ same: ['316003'] }),
    expect: ['fips', 'state']
  },
  {
    title: 'a zone, and the county it lies in by its outline',
    areas: coded,
    event: at({ zones: ['IDZ014'] }),
    expect: ['county', 'zone', 'state', 'drawn']
  },
  {
    title: 'a state means each of its codes',
    areas: coded,
    event: at({ same: ['016000'] }),
    expect: ['county', 'fips', 'zone', 'state', 'drawn']
  },
  { title: 'another state', areas: coded, event: at({ zones: ['MTC001', 'MTZ998'] }), expect: [] },
  { title: 'a code nobody can draw', areas: coded, event: at({ zones: ['MTZ999'] }), expect: ['unknown'] },
  {
    title: 'a sea area by its SAME code',
    areas: { a: { codes: ['AMZ350'] } },
    event: at({ same: ['075350'] }),
    expect: ['a']
  },
  // Rule 8: a geometry decides.
  {
    title: 'a geometry beats the codes beside it',
    areas: coded,
    event: at({ geometry: point(-114.5, 43.5), zones: ['IDC001'] }),
    expect: ['fips', 'state']
  },
  {
    title: 'only a region code that cannot be drawn falls back to the codes',
    areas: coded,
    event: at({ geometry: point(0, 0), zones: ['MTZ999', 'IDC001'] }),
    expect: ['unknown']
  },
  // Rule 9: overlap with drawn regions.
  {
    title: 'touching borders are not enough for a coded event',
    areas: { a: { bbox: [-117, 43, -116, 44] } },
    event: at({ zones: ['IDC001'] }),
    expect: []
  },
  {
    title: 'an overlap of 1 % is not enough',
    areas: { a: { bbox: [-117, 43, -115.99, 44] } },
    event: at({ zones: ['IDC001'] }),
    expect: []
  },
  {
    title: 'an overlap of 3 % is',
    areas: { a: { bbox: [-117, 43, -115.97, 44] } },
    event: at({ zones: ['IDC001'] }),
    expect: ['a']
  },
  {
    title: 'the share is of the smaller area',
    areas: { a: { bbox: [-115.001, 43.5, -114.999, 43.502] } },
    event: at({ zones: ['IDC001'] }),
    expect: ['a']
  },
  {
    title: 'a region that is a point is reached by the county around it',
    areas: { a: { bbox: [-115.5, 43.5, -115.5, 43.5] } },
    event: at({ zones: ['IDC001'] }),
    expect: ['a']
  },
  {
    title: 'a circle is reached by the county around it',
    areas: { a: { circle: { lat: 43.5, lon: -115.5, radius_km: 5 } } },
    event: at({ same: ['16001'] }),
    expect: ['a']
  },
  // Rule 10 and the order of the fields.
  { title: 'no location at all', areas: { a: square }, event: at({}), expect: [] },
  {
    title: 'configuration order',
    areas: { z: square, a: square },
    event: drawn(point(-109.5, 40.5)),
    expect: ['z', 'a']
  },
  {
    title: 'a circle beats box, position and codes',
    areas: { ...coded, a: square },
    event: at({ circle: { lat: 40.5, lon: -109.5, radius_km: 1 }, bbox: [-116, 43, -115, 44], lat: 43.5, lon: -115.5 }),
    expect: ['a']
  },
  {
    title: 'a box beats position',
    areas: { a: square, b: { bbox: [0, 0, 2, 2] } },
    event: at({ bbox: [-110, 40, -109, 41], lat: 1, lon: 1 }),
    expect: ['a']
  },
  {
    title: 'a box event across the antimeridian',
    areas: { a: { bbox: [179, 50, -179, 52] } },
    event: at({ bbox: [179.5, 50.5, -179.5, 51] }),
    expect: ['a']
  },
  {
    title: 'a position beats codes',
    areas: coded,
    event: at({ lat: 43.5, lon: -114.5, zones: ['IDC001'] }),
    expect: ['fips', 'state']
  },
  {
    title: 'an unusable geometry counts as none',
    areas: { a: square },
    event: at({ geometry: point(Number.NaN, 40), lat: 40.5, lon: -109.5 }),
    expect: ['a']
  },
  {
    title: 'an unusable box, circle and position leave the codes',
    areas: coded,
    event: at({
      geometry: polygon(),
      bbox: [1, 2, 3, -4],
      circle: { lat: 95, lon: 0, radius_km: 3 },
      lat: 43.5,
      zones: ['IDC001']
    }),
    expect: ['county', 'zone', 'state', 'drawn']
  }
]
