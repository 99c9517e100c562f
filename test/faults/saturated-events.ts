import type { Network } from '../../src/warning/radios/radio.ts'

/** The targets of the events of a saturated run: three channels of one network each, and one region of both. */
export const CELLS: Record<string, { mt: number | null; mc: string | null }> = {
  M1: { mt: 1, mc: null },
  M2: { mt: 2, mc: null },
  M3: { mt: 0, mc: null },
  C1: { mt: null, mc: 'north' },
  C2: { mt: null, mc: 'south' },
  C3: { mt: null, mc: 'Public' },
  Both: { mt: 5, mc: 'east' }
}
const REGIONS: Record<Network, readonly string[]> = { mt: ['M1', 'M2', 'M3'], mc: ['C1', 'C2', 'C3'] }

/** Nothing is held back but by the queue: what waits is what the radios cannot take. Texts use the whole of their limits. */
export const SATURATED_CONFIG = {
  messages: { target_bytes: 200 },
  notifications: {
    coalesce_seconds: 0,
    toggles: { fire: { cooldown_seconds: 0, freshness_seconds: 0 } },
    region_routes: { enabled: true, cells: { fire: CELLS } }
  }
}

export interface SaturatedEvent {
  id: string
  source: string
  family: string
  severity: 'routine' | 'immediate'
  title: string
  regions: string[]
  thread_id: string
  data: { detail: string }
}

const WORDS =
  'smoke seen from the ridge road wind gusting out of the west crews on their way stay clear of the canyon and keep the pass open'.split(
    ' '
  )

/** Makes events whose text carries a token that no other has. */
export class SaturatedMaker {
  readonly #random: () => number
  #count = 0

  constructor(random: () => number) {
    this.#random = random
  }

  routine(network: Network): SaturatedEvent {
    const regions = REGIONS[network]
    return this.#event('R', 'routine', regions[this.#below(regions.length)] ?? '')
  }

  immediate(): SaturatedEvent {
    return this.#event('I', 'immediate', 'Both')
  }

  #event(letter: string, severity: SaturatedEvent['severity'], region: string): SaturatedEvent {
    const id = `${letter}${String(++this.#count).padStart(6, '0')}`
    const words = Array.from({ length: 4 + this.#below(36) }, () => WORDS[this.#below(WORDS.length)])
    return {
      id,
      source: 'saturated',
      family: 'fire',
      severity,
      title: `Fire ${id}`,
      regions: [region],
      thread_id: id,
      data: { detail: words.join(' ') }
    }
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }
}

/** The token of a text, and null for a text that is none of the run's. */
export function tokenOf(text: string): string | null {
  return /\b[RI]\d{6}\b/i.exec(text)?.[0].toUpperCase() ?? null
}
