/** The load of a bad day, for `bench-load.ts`: the station's areas and matrix, the events of a seed, and the phones. */
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { seeded } from './bench-world.ts'

const FAMILIES = ['fire', 'weather', 'seismic', 'roads']
const AREAS = Array.from({ length: 8 }, (_, n) => `Valley ${n}`)
const [WEST, SOUTH, NORTH, WIDTH] = [-117, 43, 45, 0.5]
/** The probes have a family of their own, so that nothing of the load speaks for them. */
const PROBES = 'emergency'
export const MC_CHANNELS = AREAS.map((_, n) => `valley-${n}`)

export const matrix = {
  enabled: true,
  cells: Object.fromEntries(
    [...FAMILIES, PROBES].map((family) => [
      family,
      Object.fromEntries(AREAS.map((name, n) => [name, { mt: n % 8, mc: MC_CHANNELS[n], min_severity: 'routine' }]))
    ])
  )
}

export function stationConfig(radios: readonly object[]): object {
  return {
    // The bench posts from the machine itself.
    http: { local_operator: true },
    station: { name: 'Camas Prairie', timezone: 'America/Boise' },
    radios,
    coverage: {
      region_tagging: true,
      areas: AREAS.map((name, n) => ({ name, bbox: [WEST + WIDTH * n, SOUTH, WEST + WIDTH * (n + 1), NORTH] }))
    },
    notifications: { region_routes: matrix }
  }
}

type Sent = Record<string, unknown> & { id: string }

/** Events of a seed: one in ten in no area, one in six an update, an end or a repeat of one before, one in seven with an outline. */
export class Load {
  readonly #random: () => number
  readonly #told: Sent[] = []
  #count = 0
  #probes = 0

  constructor(seed: number) {
    this.#random = seeded(seed)
  }

  batch(size: number): Sent[] {
    return Array.from({ length: size }, () => this.#next())
  }

  /** An evacuation of its own, found by its word. */
  probe(): { word: string; event: Sent } {
    const n = this.#probes++
    const word = `Creek${String(n).padStart(4, '0')}`
    const event = {
      id: word,
      source: 'probe',
      family: PROBES,
      category: 'emergency_evacuation',
      severity: 'immediate',
      title: `Leave ${word} now, go east`,
      lat: 44,
      lon: WEST + WIDTH * (n % AREAS.length) + WIDTH / 2,
      ...times()
    }
    return { word, event }
  }

  #next(): Sent {
    const chance = this.#random()
    const earlier = this.#told[Math.floor(this.#random() * this.#told.length)]
    if (chance < 0.04 && earlier !== undefined) return earlier
    if (chance < 0.16 && earlier !== undefined) return this.#revised(earlier, chance < 0.07 ? 'cancel' : 'update')
    return this.#new()
  }

  #new(): Sent {
    const n = this.#count++
    const lon = WEST + this.#random() * WIDTH * AREAS.length * 1.1
    const lat = SOUTH + 0.1 + this.#random() * 1.8
    const graver = this.#random()
    const event = {
      id: `load-${n}`,
      source: 'load',
      family: FAMILIES[Math.floor(this.#random() * FAMILIES.length)],
      severity: graver < 0.55 ? 'routine' : graver < 0.93 ? 'priority' : 'critical',
      title: `Incident ${n} near mile ${n % 90} of the northern road`,
      summary: 'Moves east with the wind; crews are on their way, the road may close within the hour.',
      ...(this.#random() < 0.15 ? { geometry: outline(lon, lat, 0.2) } : { lat, lon }),
      ...times()
    }
    this.#told.push(event)
    if (this.#told.length > 400) this.#told.shift()
    return event
  }

  #revised(earlier: Sent, lifecycle: string): Sent {
    const revision = Number(earlier['revision'] ?? 1) + 1
    const sent = { ...earlier, revision: String(revision), lifecycle, title: `${earlier['title']}, report ${revision}` }
    this.#told.splice(this.#told.indexOf(earlier), 1, ...(lifecycle === 'cancel' ? [] : [sent]))
    return { ...sent, ...times() }
  }
}

function times(): { sent_at: string; expires: string } {
  const now = Date.now()
  return { sent_at: new Date(now).toISOString(), expires: new Date(now + 3_600_000).toISOString() }
}

function outline(lon: number, lat: number, reach: number): object {
  const ring = Array.from({ length: 24 }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / 24
    return [lon + reach * Math.cos(angle), lat + reach * Math.sin(angle)]
  })
  return { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
}

/** An answer as far as it matters here. */
export interface Answered {
  status: number
  text: string
  ms: number
}

export function ask(port: number, path: string, how: { agent?: Agent; body?: unknown } = {}): Promise<Answered> {
  const begun = performance.now()
  const { agent, body } = how
  return new Promise((resolve) => {
    const took = (status: number, text = ''): void => resolve({ status, text, ms: performance.now() - begun })
    const heard = (res: IncomingMessage): void => {
      let text = ''
      res.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      res.on('end', () => took(res.statusCode ?? 0, text))
      res.on('error', () => took(0))
    }
    const to = { port, host: '127.0.0.1', path, ...(agent === undefined ? {} : { agent }) }
    const json = { 'content-type': 'application/json' }
    const req = body === undefined ? get(to, heard) : request({ ...to, method: 'POST', headers: json }, heard)
    req.on('error', () => took(0))
    req.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** The addresses that a phone opens, in turn: pages with everything they are made of, and what those ask for. */
const PAGES = ['/', '/alerts', '/events', '/mesh-a/routing']
const API = ['/api/status', '/api/deliveries?limit=100', '/api/events?limit=500', '/api/radios', '/api/coverage']
/** Somebody reads between two looks. Milliseconds. */
const PAUSE_MS = 2000

export interface Looks {
  times: number[]
  refused: number
}

/** A phone on the hotspot until `isOver`: a page, its assets, an answer of the API, a pause. */
export async function phone(
  port: number,
  { number, random, isOver, looks }: { number: number; random: () => number; isOver: () => boolean; looks: Looks }
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const look = async (path: string): Promise<string> => {
    const { status, text, ms } = await ask(port, path, { agent })
    if (status === 200) looks.times.push(ms)
    else looks.refused++
    return text
  }
  for (let turn = number; !isOver(); turn++) {
    const page = await look(PAGES[turn % PAGES.length] ?? '/')
    const assets = [...page.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map(([, path]) => path ?? '')
    await Promise.all([...new Set(assets)].map(look))
    await look(API[turn % API.length] ?? '/api/status')
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + random())))
  }
  agent.destroy()
}

/** A client of the live stream; answers what ends it. */
export function listen(port: number): () => void {
  const stream = get({ port, host: '127.0.0.1', path: '/api/stream', agent: false }, (res) => {
    res.resume()
    res.on('error', () => undefined)
  })
  stream.on('error', () => undefined)
  return () => stream.destroy()
}
