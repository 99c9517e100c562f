import type { LookoutEvent } from '../../../model/event.ts'
import type { Geometry } from '../../../model/geojson.ts'
import { because, type Reason } from '../../../model/reason.ts'
import type { Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { pointIn } from '../reading/loose.ts'
import { clip, oneLine } from '../reading/prose.ts'
import type { ReadTools } from '../source.ts'
import { detailOf, shortRoad } from './words.ts'

export type RoadKind = 'closure' | 'incident' | 'congestion' | 'work'

/** One thing on the roads as a listing tells it, in the terms of all formats. */
export interface RoadReport {
  id: string
  /** Changes with every version the source publishes. */
  revision: string
  kind: RoadKind
  /** Work, or something else that was planned. */
  planned: boolean
  /** A slide, a flood, a fire or an evacuation is behind it. */
  hazard: boolean
  /** The name of the road; `''` when the source names none. */
  road: string
  text: string
  places: string[]
  /** Epoch milliseconds. */
  start: number | null
  end: number | null
  updated: number
  geometry: Geometry | null
  /** The source says that it is over. */
  over: boolean
  attribution: string
}

export type WorkRule = 'off' | 'closures' | 'all'

const CATEGORIES: Record<RoadKind, { category: string; name: string }> = {
  closure: { category: 'road_closure', name: 'Road closure' },
  incident: { category: 'road_incident', name: 'Road incident' },
  congestion: { category: 'traffic_congestion', name: 'Traffic congestion' },
  work: { category: 'work_zone', name: 'Road work' }
}

/** Its end has passed. */
export function isPast({ end }: RoadReport, now: number): boolean {
  return end !== null && end <= now
}

/** The reason why a report is not told, or null. */
export function whyNotTold(report: RoadReport, work: WorkRule, now: number): Reason | null {
  const { kind, planned, start, end } = report
  if (end !== null && isPast(report, now)) return because('item_over_since', { since: formatTime(end) })
  if (!planned || work === 'all') return null
  if (work === 'off' || kind !== 'closure') return because('planned_work')
  return start !== null && start > now ? because('planned_not_begun') : null
}

/** A closure that is older is known to whoever lives there. */
const NEWS_MS = 12 * 3_600_000

/**
 * Full closure of a named road priority, all else routine. With a natural hazard or an evacuation behind it that began within
 * the last hours it is critical, for it may be somebody's way out; so it stays then. Works are planned, whatever they repair.
 */
function roadLevel({ kind, road, hazard, planned, start }: RoadReport, now: number, before: Severity | null): Severity {
  if (kind !== 'closure' || (road === '' && !hazard)) return 'routine'
  const isNews = start === null || now - start <= NEWS_MS || before === 'critical'
  return hazard && !planned && road !== '' && isNews ? 'critical' : 'priority'
}

/**
 * The event of a report; `before` is the level it was told at last. Told again is a change of kind, level or end; other new
 * versions are only stored.
 */
export function roadEvent(report: RoadReport, tools: ReadTools, before: Severity | null): LookoutEvent {
  const { kind, road, end, start, geometry } = report
  const { category, name } = CATEGORIES[kind]
  const severity = roadLevel(report, tools.receivedAt, before)
  const detail = detailOf(report.text, road)
  const point = pointIn(geometry)
  const expires = end === null ? null : formatTime(end)
  return feedEvent(
    {
      id: report.id,
      revision: report.revision,
      category,
      severity,
      title: clip(oneLine([road || report.places[0], name].filter(Boolean).join(': ')), 500),
      summary: clip(detail, 500),
      body: clip(report.text, 4000),
      geometry,
      lat: point?.lat ?? null,
      lon: point?.lon ?? null,
      onset: start === null ? null : formatTime(start),
      expires,
      sent_at: formatTime(report.updated),
      thread_id: `${tools.source}:${report.id}`,
      data: {
        event_name: name,
        ...(road === '' ? {} : { road: clip(shortRoad(road), 60) }),
        ...(report.places.length === 0 ? {} : { places: report.places.slice(0, 10) }),
        ...(detail === '' ? {} : { detail: clip(detail, 240) }),
        ...(report.attribution === '' ? {} : { attribution: report.attribution }),
        ...(end === null ? { until_further_notice: true } : {}),
        material: [category, severity, expires ?? ''].join('|')
      }
    },
    tools
  )
}
