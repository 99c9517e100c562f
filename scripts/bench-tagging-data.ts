/** Regions and events for `bench-tagging.ts`: recorded ones where the recordings are present, made up otherwise. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { Geometry } from '../src/model/geojson.ts'
import { fixture } from '../test/helpers/fixtures.ts'

/** Share of each kind of event in the mix: what a day of feeds looks like. */
export const MIX = { point: 0.6, storm: 0.15, union: 0.2, perimeter: 0.05 } as const
export type Kind = keyof typeof MIX
export const KINDS: readonly Kind[] = ['point', 'storm', 'union', 'perimeter']

let seed = 12345
function random(): number {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
  return seed / 2 ** 32
}

function readJson(file: string) {
  const bytes = readFileSync(file)
  return JSON.parse(String(file.endsWith('.gz') ? gunzipSync(bytes) : bytes))
}

export function outlinesOf(file: string, object: string): Map<string, Geometry> {
  const topology: Topology = readJson(file)
  const { features } = feature(topology, topology.objects[object] as GeometryCollection)
  return new Map(features.map(({ id, geometry }) => [String(id), geometry as Geometry]))
}

export function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

function vertices(geometry: unknown): number {
  if (!Array.isArray(geometry)) return 0
  return typeof geometry[0] === 'number' ? 1 : geometry.reduce((sum: number, inner) => sum + vertices(inner), 0)
}

export const size = (geometry: Geometry) => ('coordinates' in geometry ? vertices(geometry.coordinates) : 0)

export function boxOf(geometry: Geometry): [number, number, number, number] {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  const visit = (item: unknown): void => {
    if (!Array.isArray(item)) return
    if (typeof item[0] !== 'number') {
      item.forEach(visit)
      return
    }
    bounds[0] = Math.min(bounds[0], item[0])
    bounds[1] = Math.min(bounds[1], item[1])
    bounds[2] = Math.max(bounds[2], item[0])
    bounds[3] = Math.max(bounds[3], item[1])
  }
  if ('coordinates' in geometry) visit(geometry.coordinates)
  return bounds
}

/** Outlines joined without dissolving them: how an alert for many zones is drawn. */
function union(outlines: readonly Geometry[]): Geometry {
  const coordinates = outlines.flatMap((outline) => {
    if (outline.type === 'Polygon') return [outline.coordinates]
    return outline.type === 'MultiPolygon' ? outline.coordinates : []
  })
  return { type: 'MultiPolygon', coordinates }
}

/** A rough ring round a place. */
function blob(x: number, y: number, radius: number, corners: number): Geometry {
  const ring = Array.from({ length: corners }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / corners
    const reach = radius * (0.6 + 0.4 * random())
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)]
  })
  return { type: 'Polygon', coordinates: [[...ring, ring[0] ?? []]] }
}

function somewhere(outlines: readonly Geometry[]): [number, number] {
  const [west, south, east, north] = boxOf(outlines[Math.floor(random() * outlines.length)] ?? outlines[0]!)
  return [west + random() * (east - west), south + random() * (north - south)]
}

function geometriesIn(files: readonly string[], types: RegExp): Geometry[] {
  const found = files.flatMap((path) => {
    const file = fixture(path)
    const features: { geometry: Geometry | null }[] = file === null ? [] : readJson(file).features
    return features.flatMap(({ geometry }) => (geometry !== null && types.test(geometry.type) ? [geometry] : []))
  })
  return found
}

function alertUnions(zones: ReadonlyMap<string, Geometry>): Geometry[] {
  const files = ['nws-geojson/active-2025-12-15-northwest.json', 'nws-geojson/alerts-500-part-a.json']
  const alerts = files.flatMap((path) => {
    const file = fixture(`feeds/${path}`)
    return file === null ? [] : (readJson(file).features as { properties: { geocode?: { UGC?: string[] } } }[])
  })
  return alerts
    .map(({ properties }) => (properties.geocode?.UGC ?? []).flatMap((code) => zones.get(code) ?? []))
    .filter((outlines) => outlines.length > 0)
    .map(union)
}

/** Neighbours in the order of their codes, until there are enough vertices. */
function bigUnion(outlines: readonly Geometry[], least: number): Geometry {
  const taken: Geometry[] = []
  for (let total = 0, at = 0; total < least && at < outlines.length; at++) {
    const outline = outlines[at]!
    taken.push(outline)
    total += size(outline)
  }
  return union(taken)
}

export function eventsFrom(all: readonly Geometry[], zones: ReadonlyMap<string, Geometry>): Record<Kind, Geometry[]> {
  const quakes = geometriesIn(['feeds/usgs-quakes/1.0_week-2022-04-04.geojson'], /^Point$/)
  const storms = geometriesIn(
    ['feeds/nws-geojson/active-2025-12-15-northwest.json', 'feeds/nws-geojson/alerts-500-part-a.json'],
    /Polygon$/
  )
  const fires = geometriesIn(
    ['feeds/wfigs-perimeters/perimeters-2025-03-12.geojson', 'feeds/wfigs-perimeters/perimeters-2025-03-13.geojson'],
    /Polygon$/
  )
  const unions = alertUnions(zones)
  const near = (at: number, reach: number) => all.slice(at, at + 1 + Math.floor(random() * reach))
  while (quakes.length < 2000) quakes.push({ type: 'Point', coordinates: somewhere(all) })
  while (storms.length < 140) storms.push(blob(...somewhere(all), 0.1 + random() * 0.6, 8))
  while (unions.length < 400) unions.push(union(near(Math.floor(random() * all.length), 12)))
  while (fires.length < 48)
    fires.push(blob(...somewhere(all), 0.02 + random() * 0.3, 50 + Math.floor(random() ** 3 * 10_000)))
  unions.push(bigUnion(all, 18_000))
  return { point: shuffled(quakes), storm: shuffled(storms), union: shuffled(unions), perimeter: shuffled(fires) }
}
