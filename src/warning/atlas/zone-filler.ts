import { appendFile, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Geometry } from '../../model/geojson.ts'
import { because } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { Slices } from '../../platform/clock/slices.ts'
import { AppError, errorText } from '../../platform/errors.ts'
import { writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import type { Log } from '../../platform/log/log.ts'
import { backoff } from '../../platform/net/backoff.ts'
import { zoneShapesFromLines } from '../coverage/zone-pack.ts'
import type { ZoneShapes } from '../coverage/zones.ts'
import { DEFAULT_TOLERANCE } from './import-pack.ts'
import { thinned } from './thin.ts'

export interface ZoneFillerOptions {
  /** The file of outlines that were fetched. */
  file: string
  /** The answer to one polite GET: its status and body. Rejects when there is none. */
  get: (url: string) => Promise<{ status: number; body: Uint8Array }>
  /** The reason why nothing may be asked at present (no contact, switched off), or null. */
  blocked: () => string | null
  clock: Clock
  log: Log
  random: () => number
  /** New outlines are there: what was computed without them is out of date. */
  onArrived: () => void
}

const API = 'https://api.weather.gov/zones'
/** The service is asked at most this often, whatever the queue. */
const PACE_MS = 5000
const RETRY_MS = { min: 60_000, max: 3_600_000 }
const MAX_WAITING = 500
/** Outlines change a few times a year. */
const KEEP_MS = 365 * 86_400_000
/** Many outlines arrive one after the other: the index is made anew once for all of them. */
const TELL_MS = 60_000

interface Kept {
  code: string
  /** Null: the service does not know the code. */
  geometry: Geometry | null
  fetchedAt: number
}

/**
 * Fetches single outlines that no pack has, one request in 5 s, and keeps them for a year. Until one is there its code is
 * unknown, and counties stand in. Nothing is read before a code is asked for.
 */
export class ZoneFiller implements ZoneShapes {
  readonly #o: ZoneFillerOptions
  #kept: Map<string, Kept> | null = null
  readonly #waiting = new Set<string>()
  #cancel: () => void = () => undefined
  #cancelTelling: () => void = () => undefined
  #busy = false
  #running = true
  #failures = 0
  /** The file may end within a line: a power cut or a full disk cut it off. */
  #isTorn = false
  #foundOnDisk = false
  #work: Promise<void> = Promise.resolve()
  #loading: Promise<void> | null = null
  #looking: Promise<void> = Promise.resolve()

  constructor(options: ZoneFillerOptions) {
    this.#o = options
  }

  /** The outline if it was fetched before; else null, and it is asked for in its turn. */
  shape(code: string): Geometry | null {
    if (!/^[A-Z]{2}[CZ]\d{3}$/.test(code) || !this.#running) return null
    const kept = this.#kept?.get(code)
    if (kept === undefined || this.#o.clock.now() - kept.fetchedAt > KEEP_MS) this.#ask(code)
    return kept?.geometry ?? null
  }

  /** The outline if it was fetched before, and nothing is asked for: for people who only look. */
  known(code: string): Geometry | null {
    if (this.#kept === null && this.#running)
      this.#looking = this.#load().catch((error: unknown) =>
        this.#o.log.error({ err: error }, 'kept zone outlines cannot be read')
      )
    return this.#kept?.get(code)?.geometry ?? null
  }

  /** Resolves when what is under way, a step or a first look at what was kept, is done. */
  async settled(): Promise<void> {
    await this.#looking
    await this.#work
  }

  /** Asks nothing more; what was fetched is on disk then. */
  async stop(): Promise<void> {
    this.#running = false
    this.#cancel()
    this.#cancelTelling()
    await this.#work
    this.#cancel()
  }

  #ask(code: string): void {
    if (this.#waiting.size >= MAX_WAITING || this.#o.blocked() !== null) return
    this.#waiting.add(code)
    if (!this.#busy) this.#next(PACE_MS)
  }

  #next(ms: number): void {
    this.#busy = true
    this.#cancel = this.#o.clock.after(ms, () => {
      this.#work = this.#step().catch((error: unknown) => {
        this.#o.log.error({ err: error }, 'fetching zone outlines failed')
        this.#busy = false
      })
    })
  }

  async #step(): Promise<void> {
    await this.#load()
    const code = [...this.#waiting].find((one) => !this.#isFresh(one))
    if (code === undefined || this.#o.blocked() !== null || !this.#running) {
      // Whatever was kept from before is known now.
      if (this.#foundOnDisk && this.#running) this.#tell()
      this.#foundOnDisk = false
      this.#waiting.clear()
      this.#busy = false
      return
    }
    this.#next(await this.#fetch(code))
  }

  #isFresh(code: string): boolean {
    const kept = this.#kept?.get(code)
    return kept !== undefined && this.#o.clock.now() - kept.fetchedAt <= KEEP_MS
  }

  /** Milliseconds until the next request. */
  async #fetch(code: string): Promise<number> {
    try {
      const { status, body } = await this.#o.get(`${API}/${code[2] === 'C' ? 'county' : 'forecast'}/${code}`)
      if (status !== 200 && status !== 404)
        throw new AppError('unavailable', because('zone_service_status', { status }))
      await this.#keep({ code, geometry: status === 404 ? null : outlineIn(body), fetchedAt: this.#o.clock.now() })
      this.#failures = 0
      this.#tell()
      return PACE_MS
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // One outline the service cannot give must not keep all others waiting: its next turn comes after theirs.
      this.#waiting.delete(code)
      this.#waiting.add(code)
      const wait = backoff(this.#failures++, { ...RETRY_MS, random: this.#o.random })
      this.#o.log.warn({ code, error: errorText(error) }, 'the outline of a zone could not be fetched')
      return wait
    }
  }

  async #keep(kept: Kept): Promise<void> {
    const replaces = this.#kept?.has(kept.code) === true
    this.#kept?.set(kept.code, kept)
    // `zones/online` in the data folder.
    const folder = dirname(this.#o.file)
    await makeBelow(dirname(dirname(folder)), folder)
    // Behind a torn line the next one would be lost with it: then all of them are written anew.
    if (replaces || this.#isTorn)
      await writeFileAtomic(this.#o.file, [...(this.#kept?.values() ?? [])].map(lineOf).join(''))
    else {
      this.#isTorn = true
      await appendFile(this.#o.file, lineOf(kept))
    }
    this.#isTorn = false
  }

  #tell(): void {
    this.#cancelTelling()
    this.#cancelTelling = this.#o.clock.after(TELL_MS, () => this.#o.onArrived())
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read()
    return this.#loading
  }

  async #read(): Promise<void> {
    this.#kept = new Map()
    let text = ''
    try {
      text = await readFile(this.#o.file, 'utf8')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      return
    }
    this.#isTorn = text !== '' && !text.endsWith('\n')
    const slices = new Slices()
    for (const line of text.split('\n')) {
      const kept = readLine(line)
      if (kept !== null) this.#kept.set(kept.code, kept)
      await slices.pause()
    }
    this.#foundOnDisk = this.#kept.size > 0
  }
}

function lineOf({ code, geometry, fetchedAt }: Kept): string {
  return `${JSON.stringify({ code, geometry, fetched_at: new Date(fetchedAt).toISOString() })}\n`
}

/** A line cut off by a power cut is left out, and fetched again. */
function readLine(line: string): Kept | null {
  const found = /^\{"code":"([A-Z0-9]+)","geometry":(null|\{.*\}),"fetched_at":"([^"]+)"\}$/.exec(line)
  const [, code = '', geometry, fetched = ''] = found ?? []
  if (found === null) return null
  const fetchedAt = Date.parse(fetched)
  if (geometry === 'null') return { code, geometry: null, fetchedAt }
  return { code, geometry: zoneShapesFromLines(line, () => undefined).shape(code), fetchedAt }
}

function outlineIn(body: Uint8Array): Geometry {
  const text = new TextDecoder().decode(body)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError('unavailable', because('zone_service_not_json', { said: errorText(error) }))
  }
  const geometry = typeof value === 'object' && value !== null && 'geometry' in value ? value.geometry : null
  if (!isOutline(geometry)) throw new AppError('unavailable', because('zone_service_no_outline'))
  return thinned(geometry, DEFAULT_TOLERANCE)
}

/** Recognises the types that the service draws zones with; whoever reads the coordinates checks them. */
function isOutline(value: unknown): value is Geometry {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  if (value.type === 'GeometryCollection') return 'geometries' in value && Array.isArray(value.geometries)
  const isArea = value.type === 'Polygon' || value.type === 'MultiPolygon'
  return isArea && 'coordinates' in value && isNested(value.coordinates)
}

function isNested(coordinates: unknown): boolean {
  return Array.isArray(coordinates) && coordinates.every((ring) => Array.isArray(ring) && ring.every(Array.isArray))
}
