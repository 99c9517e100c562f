/**
 * The work the station gives up under strain, in this order, the first one first. Warnings are not in it: they are never given up.
 */
export const SHED_ORDER = ['models', 'ocr', 'crawls', 'search', 'slow_feeds', 'dashboard'] as const
export type Shed = (typeof SHED_ORDER)[number]

/** The values by which a machine tells its strain. */
export const STRAINS = ['temperature', 'memory', 'own_memory', 'memory_pressure', 'battery', 'failed_starts'] as const
export type Strain = (typeof STRAINS)[number]

/**
 * The measurements of one look; null where the machine does not tell.
 * `temperature`: °C. `memory`: percent still available. `own_memory`: percent of the service's limit in use. `memory_pressure`: percent of the last
 * ten seconds in which somebody waited for memory. `battery`: percent left while it is being used up. `failed_starts`: in a row.
 */
export type Strained = Readonly<Record<Strain, number | null>>

interface Row {
  /** The value from which each step of the order is given up. */
  from: readonly [number, number, number, number, number, number]
  /** So far on the good side of a step it has to be before that step is taken up again. */
  back: number
  /** True when a small value is the bad one. */
  low?: true
}

/**
 * The one table. A Pi lowers its clock from 80 °C and stops at 85; the kernel ends programs when nothing is available; a battery must last for
 * radios and warnings until somebody comes. After four starts that failed at once the same work is not begun again first.
 */
export const SHEDDING: Readonly<Record<Strain, Row>> = {
  temperature: { from: [75, 77, 78, 80, 82, 84], back: 4 },
  memory: { from: [15, 12, 10, 8, 6, 4], back: 4, low: true },
  own_memory: { from: [80, 84, 87, 90, 93, 96], back: 8 },
  memory_pressure: { from: [10, 15, 20, 30, 45, 60], back: 8 },
  battery: { from: [50, 45, 40, 30, 20, 10], back: 5, low: true },
  failed_starts: { from: [4, 4, 4, 5, 8, 12], back: 0.5 }
}

export interface ShedState {
  /** The number of steps of the order that are given up. */
  level: number
  /** The values that ask for that many; empty at level 0. */
  causes: readonly { strain: Strain; value: number }[]
}

export const NOTHING_SHED: ShedState = { level: 0, causes: [] }

/** How many steps this one value asks for, given how many are given up: a step is taken up again only `back` past its limit. */
export function levelOf(strain: Strain, value: number, before: number): number {
  const { from, back, low } = SHEDDING[strain]
  const sign = low === true ? -1 : 1
  let level = 0
  for (const [step, limit] of from.entries()) {
    const slack = step < before ? back : 0
    if (sign * (value - limit) >= -slack) level = step + 1
  }
  return level
}

/** The state after one more look. Strain is answered at once, relief one step a look: what comes back must not bring the strain back with it. */
export function shed(values: Strained, before: ShedState): ShedState {
  const asked = STRAINS.flatMap((strain) => {
    const value = values[strain]
    return value === null ? [] : [{ strain, value, level: levelOf(strain, value, before.level) }]
  })
  const wanted = Math.max(0, ...asked.map(({ level }) => level))
  const level = Math.max(wanted, before.level - 1)
  if (level === 0) return NOTHING_SHED
  const causes = asked
    .filter((one) => one.level === wanted && wanted > 0)
    .map(({ strain, value }) => ({ strain, value }))
  return { level, causes: causes.length > 0 ? causes : before.causes }
}

/** The steps that are given up at this level. */
export function shedAt(level: number): readonly Shed[] {
  return SHED_ORDER.slice(0, level)
}
