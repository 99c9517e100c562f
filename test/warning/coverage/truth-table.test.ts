import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Geometry } from '../../../src/model/geojson.ts'
import type { Locatable } from '../../../src/warning/coverage/locate.ts'
import type { AreaPart } from '../../../src/warning/coverage/settings.ts'
import { zoneShapesFromMap } from '../../../src/warning/coverage/zones.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { at, indexOf } from './harness.ts'

/** The table of `geo-cases/1`, as far as it is read here. */
interface Table {
  geometries: Record<string, Geometry>
  zones: Record<string, string>
  regionSets: Record<string, { name: string | null; parts: Part[] }[]>
  cases: { id: string; regions: string; event: Place; expect: string[] }[]
}
interface Place {
  geometry?: string
  center?: [number, number]
  radiusM?: number
  codes?: string[]
}
interface Part extends Place {
  bbox?: [number, number, number, number]
}

t.test('every case of the truth table gives exactly the expected names', async (t) => {
  const file = needsFixture(t, 'geo/cases.json')
  if (file === null) return
  const table: Table = JSON.parse(readFileSync(file, 'utf8'))
  const geometry = (id: string): Geometry => table.geometries[id]!
  const circle = ({ center: [lon, lat] = [0, 0], radiusM = 0 }: Place) => ({ lat, lon, radius_km: radiusM / 1000 })
  const part = (given: Part): AreaPart => {
    if (given.geometry) return { geometry: geometry(given.geometry) } as AreaPart
    if (given.center) return { circle: circle(given) }
    if (given.bbox) return { bbox: given.bbox }
    return { codes: given.codes ?? [] }
  }
  const event = ({ codes = [], ...place }: Place): Locatable =>
    at({
      geometry: place.geometry ? geometry(place.geometry) : null,
      circle: place.center ? circle(place) : null,
      zones: codes.filter((code) => !/^\d/.test(code)),
      same: codes.filter((code) => /^\d/.test(code))
    })
  const zones = zoneShapesFromMap(
    Object.fromEntries(Object.entries(table.zones).map(([code, id]) => [code, geometry(id)]))
  )
  const indices = new Map(
    Object.entries(table.regionSets).map(([id, areas]) => [
      id,
      indexOf(
        areas.map(({ name, parts }) => ({ name, parts: parts.map(part) })),
        zones
      )
    ])
  )
  for (const { id, regions, event: place, expect } of table.cases) {
    t.same(indices.get(regions)?.match(event(place)).names, expect, id)
  }
  t.ok(table.cases.length >= 200, 'the table is whole')
})
