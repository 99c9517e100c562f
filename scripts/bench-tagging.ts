/**
 * Measures tagging against a plain loop over @turf/boolean-intersects and against flatbush + turf, in one run, at
 * 1,000 regions. Exits 1 when a target is missed.
 *
 *   node --import=tsx scripts/bench-tagging.ts [--json] [--quick] [--help]
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { booleanIntersects } from '@turf/boolean-intersects'
import Flatbush from 'flatbush'
import type { Geometry as GeoJson } from 'geojson'
import type { Geometry } from '../src/model/geojson.ts'
import { findCountyAtlas } from '../src/warning/atlas/zone-files.ts'
import { buildAreas } from '../src/warning/coverage/area.ts'
import type { Locatable } from '../src/warning/coverage/locate.ts'
import { buildRegionIndex, type RegionIndex } from '../src/warning/coverage/region-index.ts'
import { NO_ZONE_SHAPES } from '../src/warning/coverage/zones.ts'
import { fixture } from '../test/helpers/fixtures.ts'
import { boxOf, eventsFrom, KINDS, type Kind, MIX, outlinesOf, shuffled, size } from './bench-tagging-data.ts'
import { emptyStartMs } from './bench-yardstick.ts'

const REGIONS = 1000
const TARGETS = { naive: 1000, flatbush: 10, megabytes: 8, p99Starts: 0.1 }
/** CPU seconds spent on the slow ways, for each kind of event. */
const SLOW_SECONDS = process.argv.includes('--quick') ? 2 : 6

if (process.argv.includes('--help')) {
  console.log(
    'node --import=tsx scripts/bench-tagging.ts [--json] [--quick]\nMeasures region tagging; exits 1 below its targets.'
  )
  process.exit(0)
}
setFlagsFromString('--expose-gc')
const gc: () => void = runInNewContext('gc')

/** Seconds of CPU an event, over as many repeats as fit in so many seconds. */
function secondsEach(events: readonly Geometry[], seconds: number, tag: (event: Geometry) => number): number {
  const before = process.cpuUsage()
  let done = 0
  for (;;) {
    for (const event of events) {
      tag(event)
      done++
      if (done % 16 !== 0 && seconds < 2) continue
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1e6 > seconds) return (user + system) / 1e6 / done
    }
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

const located = (geometry: Geometry): Locatable => ({
  geometry,
  bbox: null,
  circle: null,
  lat: null,
  lon: null,
  zones: [],
  same: []
})

function compile(outlines: readonly Geometry[]): RegionIndex {
  const areas = outlines.map((geometry, at) => ({ name: `region ${at}`, parts: [{ geometry } as never] }))
  return buildRegionIndex(buildAreas({ areas }), NO_ZONE_SHAPES)
}

function heldBytes(): number {
  gc()
  gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function measureMemory(outlines: readonly Geometry[]): { megabytes: number; vertices: number } {
  const before = heldBytes()
  const index = compile(outlines)
  const megabytes = (heldBytes() - before) / 2 ** 20
  if (index.match(located(outlines[0]!)).areas.length === 0) throw new Error('the index does not work')
  return { megabytes, vertices: outlines.reduce((sum, outline) => sum + size(outline), 0) }
}

function measureCompile(outlines: readonly Geometry[]): number {
  const areas = buildAreas({
    areas: outlines.map((geometry, at) => ({ name: `region ${at}`, parts: [{ geometry } as never] }))
  })
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    buildRegionIndex(areas, NO_ZONE_SHAPES)
    return performance.now() - start
  })
  return percentile(times, 0.5)
}

/** Milliseconds one event takes: the best of three, which leaves out other programs and the scheduler. */
function millisecondsFor(index: RegionIndex, geometry: Geometry): number {
  const event = located(geometry)
  return Math.min(...[0, 1, 2].map(() => timed(() => index.match(event))))
}

/** One time for each of 1,000 events of the mix. */
function measureTail(index: RegionIndex, events: Record<Kind, Geometry[]>): number[] {
  return KINDS.flatMap((kind) =>
    Array.from({ length: 1000 * MIX[kind] }, (_, at) => millisecondsFor(index, events[kind][at % events[kind].length]!))
  )
}

function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function run() {
  const atlas = findCountyAtlas(import.meta.url)
  if (atlas === null) throw new Error('us-atlas is not installed: run npm ci')
  const counties = outlinesOf(atlas, 'counties')
  const packs = ['zones/nws-zones.topojson.gz', 'zones/nws-counties.topojson.gz'].map(fixture)
  const zones = new Map(packs.flatMap((file) => (file === null ? [] : [...outlinesOf(file, 'zones')])))
  const all = [...(zones.size > 0 ? zones : counties).values()]
  const half = zones.size > 0 ? REGIONS / 2 : REGIONS
  const zoneOutlines = shuffled([...zones.values()])
  const regions = [...shuffled([...counties.values()]).slice(0, half), ...zoneOutlines.slice(0, REGIONS - half)]
  const events = eventsFrom(all, zones)

  const memory = measureMemory(zones.size > 0 ? zoneOutlines.slice(0, REGIONS) : regions)
  const compileMs = measureCompile(regions)
  const index = compile(regions)
  const boxes = new Flatbush(regions.length)
  for (const region of regions) boxes.add(...boxOf(region))
  boxes.finish()
  const meets = (event: Geometry, region: Geometry) => booleanIntersects(event as GeoJson, region as GeoJson)
  const naive = (event: Geometry) => regions.filter((region) => meets(event, region)).length
  const indexed = (event: Geometry) => boxes.search(...boxOf(event), (at) => meets(event, regions[at]!)).length

  const rows = KINDS.map((kind) => {
    const list = events[kind]
    secondsEach(list, 0.5, (event) => index.match(located(event)).areas.length)
    const ours = secondsEach(list, 1.5, (event) => index.match(located(event)).areas.length)
    return {
      kind,
      ours,
      naive: secondsEach(list, SLOW_SECONDS, naive),
      flatbush: secondsEach(list, SLOW_SECONDS / 2, indexed)
    }
  })
  const mixed = (way: 'ours' | 'naive' | 'flatbush') => rows.reduce((sum, row) => sum + MIX[row.kind] * row[way], 0)
  rows.push({ kind: 'mix' as Kind, ours: mixed('ours'), naive: mixed('naive'), flatbush: mixed('flatbush') })
  const tail = measureTail(index, events)
  const largest = events.union.toSorted((a, b) => size(b) - size(a))[0]!
  const largestMs = percentile(
    Array.from({ length: 200 }, () => millisecondsFor(index, largest)),
    0.99
  )
  return {
    zones: zones.size > 0,
    regions: regions.length,
    compileMs,
    memory,
    rates: rows.map((row) => ({
      kind: row.kind,
      ours: 1 / row.ours,
      naive: 1 / row.naive,
      flatbush: 1 / row.flatbush,
      overNaive: row.naive / row.ours,
      overFlatbush: row.flatbush / row.ours
    })),
    p99Ms: percentile(tail, 0.99),
    largest: { vertices: size(largest), p99Ms: largestMs }
  }
}

/** CPU milliseconds, told in empty Node starts. */
function inStarts(what: string, ms: number): { what: string; value: number; ok: boolean; target: string } {
  const value = ms / emptyStartMs()
  return {
    what: `empty Node starts, ${what}`,
    value,
    ok: value <= TARGETS.p99Starts,
    target: `<= ${TARGETS.p99Starts}`
  }
}

const result = run()
const mix = result.rates.at(-1)!
const checks = [
  {
    what: 'times naive turf, mix',
    value: mix.overNaive,
    ok: mix.overNaive >= TARGETS.naive,
    target: `>= ${TARGETS.naive}`
  },
  {
    what: 'times flatbush + turf, mix',
    value: mix.overFlatbush,
    ok: mix.overFlatbush >= TARGETS.flatbush,
    target: `>= ${TARGETS.flatbush}`
  },
  {
    what: 'MB for 1,000 regions',
    value: result.memory.megabytes,
    ok: result.memory.megabytes <= TARGETS.megabytes,
    target: `<= ${TARGETS.megabytes}`
  },
  inStarts('99 % of the mix', result.p99Ms),
  inStarts(`99 % of the union of ${result.largest.vertices} vertices`, result.largest.p99Ms)
]
if (process.argv.includes('--json')) console.log(JSON.stringify({ ...result, checks }))
else {
  const number = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 }).padStart(12)
  console.log(
    `${result.regions} regions (${result.zones ? 'counties and NWS zones' : 'counties only'}); events per second of CPU`
  )
  console.log(
    `${''.padEnd(10)}${['ours', 'naive', 'flatbush', 'x naive', 'x flatbush'].map((head) => head.padStart(12)).join('')}`
  )
  for (const row of result.rates) {
    console.log(
      row.kind.padEnd(10) + [row.ours, row.naive, row.flatbush, row.overNaive, row.overFlatbush].map(number).join('')
    )
  }
  console.log(`compile ${number(result.compileMs).trim()} ms; memory measured over ${result.memory.vertices} vertices`)
  for (const { what, value, ok, target } of checks)
    console.log(`${ok ? 'ok  ' : 'MISS'} ${number(value)} ${what} (target ${target})`)
}
process.exitCode = checks.every(({ ok }) => ok) ? 0 : 1
