/** A random generator that gives the same row of numbers for the same seed (mulberry32). 0 ≤ x < 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const SEVERITIES = ['routine', 'priority', 'critical', 'immediate'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Two regions, a channel each on both networks: what the storm's matrix says. */
export const CHANNELS: Record<string, { mt: number; mc: string }> = {
  North: { mt: 1, mc: 'north' },
  South: { mt: 2, mc: 'south' }
}

export const STORM_CONFIG = {
  notifications: {
    coalesce_seconds: 1,
    toggles: { fire: { cooldown_seconds: 0, freshness_seconds: 0 } },
    region_routes: { enabled: true, cells: { fire: CHANNELS } }
  }
}

/** One event of the storm. Its text carries `K00017r2`: thread and revision. */
export interface StormEvent {
  id: string
  source: string
  family: string
  title: string
  severity: Severity
  regions: string[]
  revision: string
  thread_id: string
  lifecycle: 'new' | 'update' | 'cancel'
}

export const isUrgent = (severity: Severity): boolean => SEVERITIES.indexOf(severity) >= 2

/** Radio and channel of every text an event asks for. */
export const channelsOf = ({ regions }: Pick<StormEvent, 'regions'>): string[] =>
  regions.flatMap((region) => {
    const cell = CHANNELS[region]
    return cell === undefined ? [] : [`sim-mt:${cell.mt}`, `sim-mc:${cell.mc}`]
  })

/** Makes the events of a storm: new ones of all severities, some with an update, some of them raised, some cancelled. */
export class StormMaker {
  readonly #random: () => number
  readonly #open: StormEvent[] = []
  #count = 0

  constructor(random: () => number) {
    this.#random = random
  }

  next(): StormEvent {
    const chance = this.#random()
    const index = Math.floor(this.#random() * this.#open.length)
    const earlier = this.#open[index]
    if (earlier === undefined || chance < 0.7) return this.#new()
    if (chance < 0.9 && earlier.lifecycle === 'new') {
      const severity = chance > 0.84 && !isUrgent(earlier.severity) ? 'critical' : earlier.severity
      const update = this.#revised(earlier, { severity, lifecycle: 'update' })
      this.#open[index] = update
      return update
    }
    this.#open.splice(index, 1)
    return this.#revised(earlier, { lifecycle: 'cancel' })
  }

  /** Most are below critical: urgent ones go first, and would leave them no room on the air. */
  #new(): StormEvent {
    this.#count++
    const thread = `K${String(this.#count).padStart(5, '0')}`
    const pick = this.#random()
    const severity = SEVERITIES[pick < 0.3 ? 0 : pick < 0.65 ? 1 : pick < 0.87 ? 2 : 3] ?? 'routine'
    const where = this.#random()
    const event: StormEvent = {
      id: thread,
      source: 'storm',
      family: 'fire',
      title: `Fire ${thread}r1`,
      severity,
      regions: where < 0.4 ? ['North'] : where < 0.8 ? ['South'] : ['North', 'South'],
      revision: '1',
      thread_id: thread,
      lifecycle: 'new'
    }
    this.#open.push(event)
    return event
  }

  #revised(earlier: StormEvent, change: Partial<StormEvent>): StormEvent {
    const revision = String(Number(earlier.revision) + 1)
    return { ...earlier, ...change, revision, title: `Fire ${earlier.thread_id}r${revision}` }
  }
}
