import type { LookoutEvent } from '../../../model/event.ts'
import { formatTime } from '../../../model/time.ts'
import type { Units } from '../../../model/units.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { clip } from '../reading/prose.ts'
import type { ReadTools } from '../source.ts'
import { convert, figureIn, type GaugeReading, isFlow, shortGaugeName } from './reading.ts'
import { type Episode, type Stage, stageLevel, stageRank, stageWords, waitingLevel } from './stages.ts'

interface Context {
  kind: string
  attribution: string
  tools: ReadTools
  /** The stage before this reading. */
  before: Stage
}

/**
 * The event of an episode as it stands. It is repeated at every poll with the same revision until the stage changes; the
 * reading itself is no news. Below action stage it is the end of the thread.
 */
export function gaugeEvent(reading: GaugeReading, episode: Episode, context: Context): LookoutEvent {
  const { stage, since, id } = episode
  const { units } = context.tools.station
  const over = stage === 'none'
  const name = reading.name || reading.site
  const words = stageWords(stage)
  // An end is told at the level the stage had, so that it reaches where it was told.
  const told = over ? context.before : stage
  return feedEvent(
    {
      id,
      revision: `${stage}@${formatTime(since)}`,
      category: stageRank(told) >= stageRank('minor') ? 'stream_flood_warning' : 'stream_high_water',
      severity: isFalling(told, context.before) ? waitingLevel(told) : stageLevel(told),
      title: clip(over ? `${name}: ${words}` : `${name}: ${words}, ${figure(reading, units)}`, 500),
      summary: sentence(reading, episode, units),
      ...position(reading),
      onset: over ? null : formatTime(since),
      sent_at: formatTime(reading.time),
      thread_id: `${context.kind}:${id}`,
      lifecycle: lifecycleOf(episode),
      data: {
        event_name: 'River gauge',
        detail: sentence(reading, episode, units),
        attribution: context.attribution,
        gauge: clip(shortGaugeName(name), 60),
        ...(episode.trend === '' ? {} : { trend: episode.trend }),
        ...heights(reading),
        material: stage,
        site: reading.site,
        stage,
        since: formatTime(since)
      }
    },
    context.tools
  )
}

/** Behind the crest, as with the flood warnings of the NWS: who was woken for the rise sleeps through the fall. */
function isFalling(stage: Stage, before: Stage): boolean {
  return stageRank(stage) < stageRank(before)
}

function lifecycleOf({ stage, first }: Episode): 'new' | 'update' | 'cancel' {
  if (stage === 'none') return 'cancel'
  return first ? 'new' : 'update'
}

function position({ lat, lon }: GaugeReading): Pick<LookoutEvent, 'geometry' | 'lat' | 'lon'> {
  if (lat === null || lon === null || Math.abs(lat) > 90) return { geometry: null, lat: null, lon: null }
  return { geometry: { type: 'Point', coordinates: [lon, lat] }, lat, lon }
}

function figure({ value, unit }: GaugeReading, units: Units): string {
  return value === null ? 'no figure' : figureIn(value, unit, units)
}

/** `Above moderate flood stage`, with the flow where that is what is measured: a stage has keys of its own. */
function sentence(reading: GaugeReading, { stage }: Episode, units: Units): string {
  const words = stageWords(stage)
  const head = stage === 'none' ? capitalised(words) : `At ${words}`
  return reading.value !== null && isFlow(reading.unit) ? `${head}, flow ${figure(reading, units)}.` : `${head}.`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Facts of the river template: stage, flood stage (where minor flooding begins) and crest, in feet and metres. */
function heights({ value, unit, thresholds, crest }: GaugeReading): Record<string, number | string> {
  if (isFlow(unit)) return {}
  const facts: Record<string, number | string> = {}
  const entries = [
    ['stage', value],
    ['flood_stage', thresholds.minor ?? null],
    ['crest', crest?.value ?? null]
  ] as const
  for (const [name, height] of entries) {
    const feet = height === null ? null : convert(height, unit, 'ft')
    const metres = height === null ? null : convert(height, unit, 'm')
    if (feet === null || metres === null) continue
    facts[`${name}_ft`] = feet
    facts[`${name}_m`] = metres
  }
  return crest === null ? facts : { ...facts, crest_time: formatTime(crest.time) }
}
