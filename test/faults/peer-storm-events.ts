import { fileURLToPath } from 'node:url'
import { demoEventsAt, demoSteps, loadDemoScenario } from '../../src/warning/feeds/demo/demo.ts'
import type { Network } from '../../src/warning/radios/radio.ts'
import { SEVERITIES, type Severity } from './storm-events.ts'

const DEMO = fileURLToPath(new URL('../../demo', import.meta.url))

interface Cell {
  mt: number | null
  mc: string | null
  min_severity: Severity
}
export type Cells = Record<string, Record<string, Cell>>

/** A text that must be on the air: the token it carries, and where. */
export interface Expected {
  token: string
  network: Network
  channel: number | string
}

/** The events that are posted at once. */
export interface Batch {
  events: object[]
  expected: Expected[]
}

/** The demo's own station, areas and matrix; nothing but the matrix decides what is sent. */
export async function stormConfig(radios: object[]): Promise<{ config: object; cells: Cells }> {
  const { config } = await loadDemoScenario(DEMO)
  const notifications = config['notifications'] as { region_routes: { cells: Cells } }
  const { cells } = notifications.region_routes
  const toggles = Object.fromEntries(
    Object.keys(cells).map((family) => [family, { cooldown_seconds: 0, freshness_seconds: 0 }])
  )
  return { config: { ...config, radios, notifications: { ...notifications, coalesce_seconds: 2, toggles } }, cells }
}

/** Every name of a channel on MC, and every index on MT. */
export function channelsOf(cells: Cells): { mt: number[]; mc: string[] } {
  const all = Object.values(cells).flatMap((row) => Object.values(row))
  return {
    mt: [...new Set(all.flatMap(({ mt }) => (mt === null ? [] : [mt])))],
    mc: [...new Set(all.flatMap(({ mc }) => (mc === null ? [] : [mc])))]
  }
}

/** The demo storm's events, as if they came from their feeds just now, and seeded ones of all its cells between them. */
export class PeerStorm {
  readonly #random: () => number
  readonly #cells: Cells
  readonly #run: string
  #count = 0

  constructor(random: () => number, cells: Cells, seed: number) {
    this.#random = random
    this.#cells = cells
    this.#run = `peer storm ${seed}`
  }

  /** Batches with at least so many events in all: the demo storm once, the seeded ones spread between its steps. */
  async batches(count: number, now: () => number): Promise<(() => Promise<Batch>)[]> {
    const steps = await this.#demo(now())
    const size = steps.reduce((sum, { events }) => sum + events.length, 0)
    const own = Math.max(0, count - size)
    const shares = steps.map(() => Math.floor(own / steps.length))
    for (let left = own % steps.length; left > 0; left--) shares[this.#below(shares.length)]! += 1
    return steps.map(({ index }, at) => async () => {
      const step = (await this.#demo(now()))[index]
      const made = Array.from({ length: shares[at] ?? 0 }, () => this.#own())
      return {
        events: [...(step?.events ?? []), ...made.flatMap(({ events }) => events)],
        expected: made.flatMap(({ expected }) => expected)
      }
    })
  }

  /** Every step as its feed would send it now, whenever in the two minutes of the demo it has its place. */
  async #demo(now: number): Promise<{ index: number; events: object[] }[]> {
    const clockwork = await demoSteps(DEMO, { startMs: now, runId: this.#run })
    return await Promise.all(
      clockwork.map(async ({ atSeconds }, index) => {
        const steps = await demoSteps(DEMO, { startMs: now - atSeconds * 1000, runId: this.#run })
        const step = steps[index]
        return { index, events: step === undefined ? [] : demoEventsAt(step, now) }
      })
    )
  }

  #own(): Batch {
    const families = Object.keys(this.#cells)
    const family = families[this.#below(families.length)] ?? ''
    const row = this.#cells[family] ?? {}
    const regions = this.#some(Object.keys(row))
    const cells = regions.flatMap((region) => row[region] ?? [])
    const least = Math.max(...cells.map(({ min_severity }) => SEVERITIES.indexOf(min_severity)))
    const severity = SEVERITIES[least + this.#below(SEVERITIES.length - least)] ?? 'immediate'
    const token = `K${String(++this.#count).padStart(5, '0')}`
    const event = {
      id: token,
      source: 'peer-storm',
      family,
      title: `Storm ${token}`,
      severity,
      regions,
      thread_id: token,
      // Weather without any place is for nobody.
      lat: 42.6,
      lon: -114.4,
      data: { detail: 'Évacuez à pied – sobald es hell ist ✅' }
    }
    const places = cells.flatMap(({ mt, mc }) => [
      ...(mt === null ? [] : [{ token, network: 'mt' as const, channel: mt }]),
      ...(mc === null ? [] : [{ token, network: 'mc' as const, channel: mc }])
    ])
    const unique = new Map(places.map((place) => [`${place.network} ${place.channel}`, place]))
    return { events: [event], expected: [...unique.values()] }
  }

  #some(regions: string[]): string[] {
    const first = regions[this.#below(regions.length)] ?? ''
    const second = regions[this.#below(regions.length)] ?? ''
    return this.#random() < 0.3 && second !== first ? [first, second] : [first]
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }
}
