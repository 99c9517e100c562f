/** The world of `bench-storm.ts` and `bench-latency.ts`: eight areas, a matrix over four families, and a storm's events. */
import { pino } from 'pino'
import * as v from 'valibot'
import { Counters } from '../src/dashboard/server/counters.ts'
import { Live } from '../src/dashboard/server/live.ts'
import type { LookoutEvent } from '../src/model/event.ts'
import { familyKeys } from '../src/model/families.ts'
import type { Clock } from '../src/platform/clock/clock.ts'
import { type Config, configSchema } from '../src/settings/schema.ts'
import { Core } from '../src/station/core.ts'
import { findCountyAtlas, openZoneFiles } from '../src/warning/atlas/zone-files.ts'
import { parseEventInput } from '../src/warning/events/input.ts'
import type { Radio } from '../src/warning/radios/radio.ts'
import type { Arrival } from '../src/warning/routing/accepted.ts'

const FAMILIES = {
  weather: ['weather_warning', 'weather_watch', 'weather_advisory'],
  fire: ['wildfire_incident', 'fire_warning'],
  seismic: ['earthquake_event'],
  emergency: ['emergency_evacuation', 'emergency_civil']
} as const
type FamilyKey = keyof typeof FAMILIES
const FAMILY_KEYS = Object.keys(FAMILIES) as FamilyKey[]
/** Of 100 events. */
const SEVERITIES = [
  ...Array.from({ length: 40 }, () => 'routine'),
  ...Array.from({ length: 35 }, () => 'priority'),
  ...Array.from({ length: 20 }, () => 'critical'),
  ...Array.from({ length: 5 }, () => 'immediate')
]

const WEST = -117
const SOUTH = 42
/** Six outlines of 40 corners in a row of 1° cells, a circle over two of them, and three counties by code. */
const AREAS = [
  ...Array.from({ length: 6 }, (_, at) => ({
    name: `Valley ${at + 1}`,
    geometry: {
      type: 'Polygon',
      coordinates: [ring(WEST + 0.5 + (at % 3), SOUTH + 0.5 + Math.floor(at / 3), 0.5, 40)]
    }
  })),
  { name: 'River', circle: { lat: SOUTH + 1, lon: WEST + 1, radius_km: 45 } },
  { name: 'Counties', codes: ['IDC001', 'IDC027', 'IDC039'] }
]

function ring(x: number, y: number, reach: number, corners: number): [number, number][] {
  const open = Array.from({ length: corners }, (_, corner): [number, number] => {
    const angle = (2 * Math.PI * corner) / corners
    const wobble = reach * (0.85 + 0.15 * Math.sin(5 * angle))
    return [x + wobble * Math.cos(angle), y + wobble * Math.sin(angle)]
  })
  return [...open, open[0]!]
}

/** Every family × every area has both channels. `coalesce_seconds` is left at its default. */
export function benchConfig(): Config {
  const rows = FAMILY_KEYS.map((family, row) => [
    family,
    Object.fromEntries(AREAS.map(({ name }, at) => [name, { mt: (row + at) % 8, mc: `${family}-${at}` }]))
  ])
  return v.parse(configSchema, {
    coverage: { enabled: true, region_tagging: true, areas: AREAS },
    notifications: { region_routes: { enabled: true, cells: Object.fromEntries(rows) } }
  })
}

export interface BenchCore {
  core: Core
  counters: Counters
  close: () => Promise<void>
}

/** The walk as `start` runs it, with the observers of the web attached: their work is part of the price. */
export async function openBenchCore(options: {
  databasePath: string
  config: Config
  radios: Radio[]
  clock: Clock
  commitWindowMs: number
}): Promise<BenchCore> {
  const { config, clock } = options
  const core = await Core.open({
    ...options,
    config: () => config,
    configFor: () => config,
    zones: openZoneFiles({ zonesFolder: '/nowhere', atlasFile: findCountyAtlas(import.meta.url) }),
    log: pino({ level: 'warn' }, pino.destination(2)),
    transmit: true,
    retentionDays: { events: 30, deliveries: 30, traces: 14 }
  })
  const live = new Live({ observers: core.observers, clock })
  const counters = new Counters(core.observers)
  core.start()
  const close = async (): Promise<void> => {
    live.close()
    counters.close()
    await core.close()
  }
  return { core, counters, close }
}

/** Repeatable chance. */
export function seeded(start: number): () => number {
  let seed = start >>> 0
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
}

interface Thread {
  id: string
  family: FamilyKey
  category: string
  severity: string
  place: Record<string, unknown>
  messages: number
  newest: Record<string, unknown>
}

const OPEN_THREADS = 2000

/**
 * A storm without end: a quarter of the events starts a thread; half says something new about one of the last 2,000 threads, a tenth
 * says nothing new about one, a tenth is a listing's exact repeat, the rest lies outside every area. A twentieth of the updates cancels.
 */
export class Storm {
  readonly #random: () => number
  readonly #families: ReadonlySet<string>
  readonly #now: () => number
  readonly #threads: Thread[] = []
  #count = 0

  constructor({ config, now }: { config: Config; now: () => number }) {
    this.#random = seeded(7)
    this.#families = familyKeys(config.families)
    this.#now = now
  }

  /** Events as the API takes them, read by the API's own parser: that is part of the price too. */
  next(count: number): Arrival[] {
    return Array.from({ length: count }, () => {
      const event = parseEventInput(this.#message(), { now: this.#now(), families: this.#families })
      return { event }
    })
  }

  #message(): Record<string, unknown> {
    this.#count++
    const kind = this.#random()
    if (this.#threads.length < 50 || kind < 0.25) return this.#begin(false)
    if (kind >= 0.95) return this.#begin(true)
    const thread = this.#threads[Math.floor(this.#random() * this.#threads.length)]!
    if (kind < 0.35) return thread.newest
    return this.#follow(thread, kind < 0.45)
  }

  #begin(outside: boolean): Record<string, unknown> {
    const family = this.#pick(FAMILY_KEYS)
    const thread: Thread = {
      id: `urn:bench:${this.#count}`,
      family,
      category: this.#pick(FAMILIES[family]),
      severity: this.#pick(SEVERITIES),
      place: this.#place(outside ? 20 : 0),
      messages: 0,
      newest: {}
    }
    const message = this.#write(thread, 'new', `observed near mile ${this.#count % 97}`)
    if (outside) return message
    this.#threads.push(thread)
    if (this.#threads.length > OPEN_THREADS) this.#threads.splice(Math.floor(this.#random() * 100), 1)
    return message
  }

  #follow(thread: Thread, nothingNew: boolean): Record<string, unknown> {
    if (nothingNew) return this.#write(thread, 'update', String(thread.newest['detail']))
    const lifecycle = this.#random() < 0.05 ? 'cancel' : 'update'
    return this.#write(thread, lifecycle, `report ${thread.messages + 1}: now at mile ${this.#count % 97}`)
  }

  #write(thread: Thread, lifecycle: string, detail: string): Record<string, unknown> {
    thread.messages++
    const now = this.#now()
    const title = `${thread.category.replaceAll('_', ' ')} ${thread.id.slice(10)}`
    thread.newest = {
      id: `${thread.id}.${thread.messages}`,
      source: 'bench',
      thread_id: thread.id,
      lifecycle,
      title,
      family: thread.family,
      category: thread.category,
      severity: thread.severity,
      summary: `${title}: ${detail}`,
      body: `${title}. ${detail}. ${'Take shelter now and stay away from windows. '.repeat(12)}`,
      ...thread.place,
      sent_at: new Date(now).toISOString(),
      expires: new Date(now + 3_600_000 - (now % 600_000)).toISOString(),
      detail,
      places: ['Boise', 'Mountain Home', 'Grand View'],
      instruction: 'Take shelter now.',
      references: thread.messages > 1 ? [`${thread.id}.1`] : []
    }
    return thread.newest
  }

  #place(offset: number): Record<string, unknown> {
    const lon = WEST + offset + this.#random() * 3
    const lat = SOUTH + this.#random() * 2
    const kind = this.#random()
    if (kind < 0.4) return { lat, lon }
    if (kind < 0.6) return { zones: ['IDC001', 'IDC027', 'IDC073'] }
    return { geometry: { type: 'Polygon', coordinates: [ring(lon, lat, 0.1 + 0.3 * this.#random(), 12)] } }
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)]!
  }
}

/** An `immediate` event that goes to one channel of each radio, in one part. */
export function latencyEvent(config: Config, number: number, now: number): LookoutEvent {
  const input = {
    id: `urn:bench:latency:${number}`,
    source: 'bench',
    title: 'Tornado Warning',
    family: 'weather',
    category: 'weather_warning',
    severity: 'immediate',
    summary: `Tornado near mile ${number}`,
    lat: SOUTH + 0.5,
    lon: WEST + 0.5,
    sent_at: new Date(now).toISOString(),
    expires: new Date(now + 1_800_000).toISOString()
  }
  return parseEventInput(input, { now, families: familyKeys(config.families) })
}
