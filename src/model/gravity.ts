import type { LookoutEvent } from './event.ts'
import { ACRES_PER_HECTARE } from './units.ts'

type Facts = Pick<LookoutEvent, 'family' | 'category' | 'data'>

/** One measure of a hazard: how it is read, and how much more of it a listener would want to know at once. */
interface Measure {
  /** Categories it measures, by what they begin with; the empty text is every category of the family. */
  categories: readonly string[]
  /** `add`: risen by as much; `times`: to as many times as much. */
  step: { add: number } | { times: number }
  read: (data: LookoutEvent['data']) => number | null
}

const STAGES = ['none', 'action', 'minor', 'moderate', 'major']
const ONE_MORE = { add: 1 } as const

const MAGNITUDE: Measure = { categories: ['earthquake_'], step: { add: 0.5 }, read: (data) => number(data.magnitude) }
const STAGE: Measure = { categories: ['stream_'], step: ONE_MORE, read: (data) => stage(data['stage']) }
const HEAT: Measure = {
  categories: ['new_ignition', 'unattributed_hotspot', 'wildfire_hotspot'],
  step: { times: 2 },
  read: (data) => number(data['frp_mw'])
}
const SIZE: Measure = { categories: [''], step: { times: 2 }, read: (data) => acres(data) }
/** R3, S2 and G4 (NOAA). */
const SCALE: Measure = { categories: [''], step: ONE_MORE, read: (data) => digit(data['scale']) }
const DANGER: Measure = { categories: [''], step: ONE_MORE, read: (data) => number(data['danger_level']) }
/** Nothing is read: a sender's own `gravity` is a category or a stage of one to five. */
const STATED: Measure = { categories: [''], step: ONE_MORE, read: () => null }

const MEASURES: Readonly<Record<string, readonly Measure[]>> = {
  seismic: [MAGNITUDE, STAGE],
  fire: [HEAT, SIZE],
  rf_propagation: [SCALE],
  avalanche: [DANGER]
}

/**
 * The gravity of an event by the measure of its hazard: magnitude, stage, acres, level; null where it has none.
 * `data.gravity` stands before what a source's other facts say. Only events of one category compare (docs/interface.md
 * §4 rule 4).
 */
export function gravityOf(event: Facts): number | null {
  return number(event.data.gravity) ?? measureOf(event).read(event.data)
}

/** True when the event is graver than `before` by its family's step, so that a cooldown does not hold it. */
export function hasRisen(event: Facts, before: number | null): boolean {
  const now = gravityOf(event)
  if (now === null || before === null) return false
  const { step } = measureOf(event)
  return 'add' in step ? now >= before + step.add - 1e-9 : now > before && now >= before * step.times
}

function measureOf({ family, category }: Pick<Facts, 'family' | 'category'>): Measure {
  const measures = MEASURES[family] ?? []
  return measures.find(({ categories }) => categories.some((start) => category.startsWith(start))) ?? STATED
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** `stage` of a gauge is a name; of another sender it may be a height, which has no steps of its own. */
function stage(value: unknown): number | null {
  const rank = typeof value === 'string' ? STAGES.indexOf(value) : -1
  return rank < 0 ? null : rank
}

function acres(data: LookoutEvent['data']): number | null {
  const hectares = number(data['hectares'])
  return number(data['acres']) ?? (hectares === null ? null : hectares * ACRES_PER_HECTARE)
}

function digit(value: unknown): number | null {
  const found = typeof value === 'string' ? /^[RSG]([1-5])$/.exec(value)?.[1] : undefined
  return found === undefined ? null : Number(found)
}
