import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { METRES_PER_FOOT } from '../../../model/units.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, textOf } from '../reading/json.ts'
import { looseNumber, looseTime } from '../reading/loose.ts'
import type { ReadTools } from '../source.ts'
import { gaugeEvent } from './event.ts'
import { type GaugeReading, isFlow } from './reading.ts'
import { type Episode, type Stage, stageNamed, stageOf, stageRank } from './stages.ts'

export interface GaugeRules {
  /** The feet below its threshold at which a stage ends. */
  marginFeet: number
  /** Older readings say nothing about now. */
  maxAgeMs: number
  kind: string
  attribution: string
}

/** Of a flow threshold: there is no tenth of a foot in cubic feet per second. */
const FLOW_MARGIN = 0.02

/** The meaning of a reading after those before: an event, or why there is none. Remembers the reading. */
export function readGauge(reading: GaugeReading, rules: GaugeRules, tools: ReadTools): LookoutEvent | SkippedItem {
  const age = tools.receivedAt - reading.time
  if (age > rules.maxAgeMs)
    return { id: reading.site, reason: because('reading_is_old', { hours: Math.round(age / 3_600_000) }) }
  if (age < -3_600_000) return { id: reading.site, reason: because('reading_from_future') }
  const before = recall(reading.site, tools)
  if (reading.time < before.time) return { id: reading.site, reason: because('older_than_reading') }
  const stage = newStage(reading, before, rules)
  const now = next(reading, before, stage)
  tools.memory.set(key(reading.site), { ...now, ...(stage === 'none' ? { id: '' } : {}) })
  if (now.id === '') return { id: reading.site, reason: because('below_action_stage') }
  return gaugeEvent(reading, now, { ...rules, tools, before: before.stage })
}

function key(site: string): string {
  return `gauge:${site}`
}

/** The episode as remembered; what was stored later, before a crash could lose the memory of it, is known by its event. */
function recall(site: string, tools: ReadTools): Episode {
  const kept = remembered(asBag(tools.memory.get(key(site))))
  const told = tools.inForce('seismic').find(({ source, data }) => source === tools.source && data['site'] === site)
  const at = told === undefined ? null : looseTime(told.sent_at)
  const stage = stageNamed(told?.data['stage'])
  if (told === undefined || at === null || stage === null || at <= kept.time) return kept
  const since = looseTime(told.data['since']) ?? at
  const first = told.lifecycle === 'new'
  return { id: told.id, stage, since, time: at, value: null, floor: null, first, trend: '' }
}

function remembered(bag: ReturnType<typeof asBag>): Episode {
  const time = looseNumber(bag?.['time'])
  return {
    id: textOf(bag?.['id']),
    stage: stageNamed(bag?.['stage']) ?? 'none',
    since: looseNumber(bag?.['since']) ?? 0,
    time: time ?? Number.NEGATIVE_INFINITY,
    value: looseNumber(bag?.['value']),
    floor: looseNumber(bag?.['floor']),
    first: bag?.['first'] === true,
    trend: textOf(bag?.['trend'])
  }
}

function newStage(reading: GaugeReading, before: Episode, { marginFeet }: GaugeRules): Stage {
  const { value, thresholds, category, unit } = reading
  const length = unit === 'm' ? marginFeet * METRES_PER_FOOT : marginFeet
  if (value !== null && Object.keys(thresholds).length > 0)
    return stageOf(value, thresholds, before.stage, (threshold) => (isFlow(unit) ? threshold * FLOW_MARGIN : length))
  const said = category ?? 'none'
  if (stageRank(said) >= stageRank(before.stage) || value === null || before.floor === null) return said
  // The threshold is not known, but it is not above the lowest value that was once of this category.
  const margin = isFlow(unit) ? before.floor * FLOW_MARGIN : length
  return value >= before.floor - margin ? before.stage : said
}

function next(reading: GaugeReading, before: Episode, stage: Stage): Episode {
  const { value, time, category, site } = reading
  const changed = stage !== before.stage
  const begins = before.stage === 'none' && stage !== 'none'
  const isOfStage = category === null || category === stage
  const lowest = [changed ? null : before.floor, isOfStage ? value : null].filter((number) => number !== null)
  return {
    id: begins ? `${site}:${formatTime(time)}` : before.id,
    stage,
    since: changed ? time : before.since,
    time,
    value,
    floor: lowest.length === 0 ? null : Math.min(...lowest),
    first: begins || (before.first && !changed),
    trend: trendOf(reading, before)
  }
}

function trendOf({ value, time }: GaugeReading, before: Episode): string {
  if (value === null || before.value === null || time === before.time) return before.trend
  if (value === before.value) return 'steady'
  return value > before.value ? 'rising' : 'falling'
}
