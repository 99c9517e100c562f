/**
 * Recorded listings as a poll reads them: parsed, tagged, decided and stored. Each in a process of its own: how fast, and
 * how much memory one listing takes at most, above what the process holds at rest.
 *
 *   node --import=tsx scripts/bench-feeds.ts [--quick] [--help]
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import * as v from 'valibot'
import type { LookoutEvent } from '../src/model/event.ts'
import { familyKeys } from '../src/model/families.ts'
import { VirtualClock } from '../src/platform/clock/clock.ts'
import { type Config, configSchema } from '../src/settings/schema.ts'
import { Core } from '../src/station/core.ts'
import { findCountyAtlas, openZoneFiles } from '../src/warning/atlas/zone-files.ts'
import { Locator } from '../src/warning/coverage/locator.ts'
import { kindOf } from '../src/warning/feeds/create.ts'
import { deliver } from '../src/warning/feeds/deliver.ts'
import { BufferedMemory } from '../src/warning/feeds/polling/memory.ts'
import { TransientStore } from '../src/warning/feeds/polling/transient-store.ts'
import { type SourceConfig, sourceSchema } from '../src/warning/feeds/settings.ts'
import type { SourceReading } from '../src/warning/feeds/source.ts'
import { fixture } from '../test/helpers/fixtures.ts'
import { answer, atMost, inBenchFolder, median, memoryInUse, type Row } from './bench-part.ts'

if (process.argv.includes('--help')) {
  console.log(
    'node --import=tsx scripts/bench-feeds.ts [--quick]\nSpeed and memory of recorded listings, as JSON rows. Linux only.'
  )
  process.exit(0)
}
const quick = process.argv.includes('--quick')
const PEAK_MB = 60
/** Of one kind of memory the least of so many processes counts: what others do on the machine only adds. */
const PROCESSES = quick ? 1 : 3
const ROUNDS = quick ? 5 : 20

interface Listing {
  name: string
  file: string
  at: string
  settings: Record<string, unknown>
}

const LISTINGS: Record<string, Listing> = {
  nws: {
    name: 'NWS, the whole country, 529 alerts, 1.75 MB',
    file: 'feeds/nws-geojson/active-2025-12-15-northwest.json',
    at: '2025-12-15T21:56:00Z',
    settings: { kind: 'nws', area: ['WA', 'PZ'] }
  },
  firms: {
    name: 'FIRMS, a day of the world, 13,069 pixels, 1.0 MB',
    file: 'feeds/firms/MODIS_C6_1_Global_24h.csv',
    at: '2025-04-23T22:00:00Z',
    settings: { kind: 'firms', map_key: 'x'.repeat(32) }
  },
  usgs: {
    name: 'USGS, a week, 1,405 earthquakes, 1.0 MB',
    file: 'feeds/usgs-quakes/1.0_week-2022-04-04.geojson',
    at: '2022-04-04T22:00:00Z',
    settings: { kind: 'usgs' }
  }
}

/** Whole states, counties, boxes and circles; every family to both networks. */
function config(): Config {
  const areas = [
    ...'WA OR ID MT WY NV UT CA AZ NM CO TX KS NE ND SD MN WI AK HI'
      .split(' ')
      .map((state) => ({ name: state, codes: [state] })),
    { name: 'Puget', codes: ['WAC033', 'WAC053', 'WAC061'] },
    { name: 'Sierra', bbox: [-120.9, 38.7, -119.2, 40.2] },
    { name: 'Desert', circle: { lat: 33.8, lon: -116.4, radius_km: 90 } },
    { name: 'Cascades', circle: { lat: 46.9, lon: -121.7, radius_km: 120 } }
  ]
  const row = Object.fromEntries(areas.map(({ name }, at) => [name, { mt: at % 8, mc: `ch-${at}` }]))
  const cells = Object.fromEntries(
    ['weather', 'fire', 'seismic', 'avalanche', 'emergency'].map((family) => [family, row])
  )
  return v.parse(configSchema, {
    coverage: { enabled: true, region_tagging: true, areas },
    notifications: { region_routes: { enabled: true, cells } }
  })
}

interface Measured {
  items: number
  events: number
  parseMs: number
  tagMs: number
  routeMs: number
  idleMb: number
  peakMb: number
  sends: number
}

const megabytes = (field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024

/** One listing in a fresh process, for the first time: as after a start. Then again and again, for the speed. */
async function measure({ file, at, settings }: Listing, folder: string): Promise<Measured> {
  const document = config()
  const source = v.parse(sourceSchema, settings)
  const clock = new VirtualClock(Date.parse(at))
  const kind = await kindOf(source.kind)
  const zones = openZoneFiles({ zonesFolder: '/nowhere', atlasFile: findCountyAtlas(import.meta.url) })
  const core = await openCore(document, { folder, clock, zones })
  const read = (): SourceReading =>
    kind.read(new Uint8Array(readFileSync(file)), source as never, readTools(document, source, clock))
  const { rss: idleMb } = await memoryInUse()
  // proc(5): VmHWM begins anew at what is resident now.
  writeFileSync('/proc/self/clear_refs', '5')

  const reading = read()
  let sends = 0
  core.observers.on('decided', ({ decision }) => {
    sends += decision?.sends.length ?? 0
  })
  const store = deliver(reading.events, {
    accept: (arrivals) => core.accept(arrivals),
    overrides: {},
    coldStart: false,
    signal: new AbortController().signal
  })
  const begun = performance.now()
  await turning(clock, store)
  const routeMs = performance.now() - begun
  const peakMb = megabytes('VmHWM')

  const locator = new Locator(zones)
  const parseMs = medianOf(read)
  const tagMs = medianOf(() => {
    for (const event of reading.events) locator.locate(event, document.coverage)
  })
  await Promise.all([core.close(), clock.runTo(clock.now() + 5000)])
  return { items: reading.items, events: reading.events.length, parseMs, tagMs, routeMs, idleMb, peakMb, sends }
}

async function openCore(
  document: Config,
  { folder, clock, zones }: { folder: string; clock: VirtualClock; zones: ConstructorParameters<typeof Locator>[0] }
): Promise<Core> {
  return Core.open({
    databasePath: join(folder, `feeds-${process.pid}.db`),
    config: () => document,
    configFor: () => document,
    zones,
    radios: [],
    clock,
    log: pino({ level: 'warn' }, pino.destination(2)),
    commitWindowMs: 0,
    transmit: false,
    retentionDays: { events: 30, deliveries: 30, traces: 14 }
  })
}

function readTools(document: Config, source: SourceConfig, clock: VirtualClock) {
  return {
    source: source.kind,
    receivedAt: clock.now(),
    memory: new BufferedMemory(new TransientStore(), source.kind),
    station: document.station,
    coverage: document.coverage,
    inForce: (): LookoutEvent[] => [],
    families: () => familyKeys(document.families)
  }
}

/** Lets the clock turn until the work is done. */
async function turning(clock: VirtualClock, work: Promise<unknown>): Promise<void> {
  let done = false
  const end = work.finally(() => {
    done = true
  })
  while (!done) await clock.runTo(clock.now() + 1)
  await end
}

function medianOf(work: () => unknown): number {
  return median(
    Array.from({ length: ROUNDS }, () => {
      const begun = performance.now()
      work()
      return performance.now() - begun
    })
  )
}

function inProcess(listing: string): Measured {
  const args = ['--import=tsx', fileURLToPath(import.meta.url), '--listing', listing, ...(quick ? ['--quick'] : [])]
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit']
  })
  if (status !== 0) throw new Error(`${listing}: the process ended with ${status}`)
  return JSON.parse(stdout) as Measured
}

function rowsOf(key: string, { name }: Listing): Row[] {
  const all = Array.from({ length: PROCESSES }, () => inProcess(key))
  const of = (value: (one: Measured) => number): number => median(all.map(value))
  const { items, events, sends } = all[0]!
  return [
    { what: name, value: `${events.toLocaleString('en')} events, ${sends} messages`, unit: '' },
    { what: '  entries parsed', value: items / (of(({ parseMs }) => parseMs) / 1000), unit: '/s' },
    { what: '  events tagged, 24 areas', value: events / (of(({ tagMs }) => tagMs) / 1000), unit: '/s' },
    {
      what: '  events routed: tagged, decided and stored',
      value: events / (of(({ routeMs }) => routeMs) / 1000),
      unit: '/s'
    },
    { what: '  process at rest, TypeScript loader included', value: of(({ idleMb }) => idleMb), unit: 'MiB' },
    atMost(
      '  peak of one listing above that',
      of(({ idleMb, peakMb }) => peakMb - idleMb),
      'MiB',
      PEAK_MB
    )
  ]
}

const wanted = process.argv[process.argv.indexOf('--listing') + 1]
const listing = process.argv.includes('--listing') ? LISTINGS[wanted ?? ''] : undefined
if (listing === undefined) {
  const there = Object.entries(LISTINGS).filter(([, { file }]) => fixture(file) !== null)
  const none: Row = {
    what: 'the recordings are not beside the repository',
    value: '',
    unit: '',
    target: 'recordings',
    ok: false
  }
  answer(there.length === 0 ? [none] : there.flatMap(([key, one]) => rowsOf(key, one)))
} else {
  const file = fixture(listing.file)
  if (file === null) throw new Error(`${listing.file} is not there`)
  await inBenchFolder(async (folder) => {
    process.stdout.write(JSON.stringify(await measure({ ...listing, file }, folder)))
  })
}
