import type { LookoutEvent } from '../../events/event.ts'
import { formatTime } from '../../events/time.ts'
import type { SkippedItem } from '../feed.ts'
import { feedEvent } from '../feed-event.ts'
import { asBag, textOf, textsOf } from '../json.ts'
import { looseNumber, looseTime, remember } from '../loose.ts'
import type { ReadTools } from '../source.ts'
import { type RoadReport, roadEvent, type WorkRule, whyNotTold } from './report.ts'

/** A listing as read, before it is known what was told before. */
export interface RoadListing {
  reports: RoadReport[]
  skipped: SkippedItem[]
  items: number
  /** RFC 3339 UTC. */
  updated: string | null
}

/** Missing from this many complete listings in a row, a thing is over. */
const MISSES = 2
/** How long it is remembered that a thing was over, so that its return is news. */
const KEEP_GONE_MS = 7 * 24 * 3_600_000

/** What is remembered of a thing that was told. */
interface Told {
  state: 'told' | 'gone'
  missed: number
  /** How often it came back after its end. */
  again: number
  /** When its end was told, epoch milliseconds. */
  goneAt: number
  revision: string
  category: string
  severity: string
  title: string
  expires: string | null
  lat: number | null
  lon: number | null
  road: string
  places: string[]
  name: string
  attribution: string
}

/**
 * The events of a complete listing: what it lists, and the end of what was told and is missing for the second time, or
 * is said to be over.
 */
export function readRoads(
  listing: RoadListing,
  work: WorkRule,
  tools: ReadTools
): { events: LookoutEvent[]; skipped: SkippedItem[] } {
  const events: LookoutEvent[] = []
  const skipped = [...listing.skipped]
  const listed = new Set(listing.skipped.map(({ id }) => id))
  for (const report of listing.reports) {
    if (listed.has(report.id)) {
      skipped.push({ id: report.id, reason: 'listed twice' })
      continue
    }
    listed.add(report.id)
    const result = readReport(report, work, tools)
    if (!('reason' in result)) events.push(result)
    else {
      skipped.push(result)
      // Told as closed and now open beside the work: as if it were missing, so that one garbled listing ends nothing.
      listed.delete(report.id)
    }
  }
  return { events: [...events, ...countMissing(listed, tools)], skipped }
}

/** The same listing once more: what was missing from it is missing again. */
export function readSameAgain(tools: ReadTools): LookoutEvent[] {
  const present = remembered(tools).filter(({ told }) => told.missed === 0)
  return countMissing(new Set(present.map(({ id }) => id)), tools)
}

function readReport(report: RoadReport, work: WorkRule, tools: ReadTools): LookoutEvent | SkippedItem {
  const { id } = report
  const before = recall(tools.memory.get(key(id)))
  const isTold = before?.state === 'told'
  if (report.over) return isTold ? endOf(id, before, tools) : { id, reason: 'over' }
  const reason = whyNotTold(report, work, tools.receivedAt)
  if (reason !== null) {
    if (isTold && reason.startsWith('over')) tools.memory.delete(key(id))
    return { id, reason }
  }
  const again = (before?.again ?? 0) + (before?.state === 'gone' ? 1 : 0)
  const event = roadEvent(report, tools)
  const told = again === 0 ? event : { ...event, revision: `${event.revision}/again${again}` }
  remember(tools.memory, key(id), { ...summaryOf(told), again })
  return told
}

function countMissing(listed: ReadonlySet<string>, tools: ReadTools): LookoutEvent[] {
  const ends: LookoutEvent[] = []
  for (const { id, told } of remembered(tools)) {
    if (told.state === 'gone') {
      if (tools.receivedAt - told.goneAt > KEEP_GONE_MS) tools.memory.delete(key(id))
    } else if (!listed.has(id)) {
      const missed = told.missed + 1
      if (missed >= MISSES) ends.push(endOf(id, told, tools))
      else tools.memory.set(key(id), { ...told, missed })
    }
  }
  return ends
}

/** The end of a thing: silent when it was due, else told where it was told. */
function endOf(id: string, told: Told, tools: ReadTools): LookoutEvent {
  const due = looseTime(told.expires)
  const lifecycle = due !== null && due <= tools.receivedAt ? 'expire' : 'cancel'
  tools.memory.set(key(id), { ...told, state: 'gone', goneAt: tools.receivedAt })
  const { road, places, attribution } = told
  const severity =
    (['priority', 'critical', 'immediate'] as const).find((level) => level === told.severity) ?? 'routine'
  return feedEvent(
    {
      id,
      revision: `${told.revision}/over`,
      category: told.category,
      severity,
      title: told.title,
      lat: told.lat,
      lon: told.lon,
      expires: told.expires,
      sent_at: formatTime(tools.receivedAt),
      thread_id: `${tools.source}:${id}`,
      lifecycle,
      data: {
        event_name: told.name,
        ...(road === '' ? {} : { road }),
        ...(places.length === 0 ? {} : { places }),
        ...(attribution === '' ? {} : { attribution }),
        material: 'over'
      }
    },
    tools
  )
}

function key(id: string): string {
  return `road:${id}`
}

function remembered(tools: ReadTools): { id: string; told: Told }[] {
  return tools.memory.entries('road:').flatMap(([name, value]) => {
    const told = recall(value)
    return told === null ? [] : [{ id: name.slice('road:'.length), told }]
  })
}

function summaryOf(event: LookoutEvent): Told {
  const { revision, category, severity, title, expires, lat, lon, data } = event
  return {
    state: 'told',
    missed: 0,
    again: 0,
    goneAt: 0,
    revision,
    category,
    severity,
    title,
    expires,
    lat,
    lon,
    road: textOf(data['road']),
    places: data.places ?? [],
    name: data.event_name ?? '',
    attribution: data.attribution ?? ''
  }
}

function recall(value: unknown): Told | null {
  const bag = asBag(value)
  if (bag === null) return null
  return {
    state: bag['state'] === 'gone' ? 'gone' : 'told',
    missed: looseNumber(bag['missed']) ?? 0,
    again: looseNumber(bag['again']) ?? 0,
    goneAt: looseNumber(bag['goneAt']) ?? 0,
    revision: textOf(bag['revision']),
    category: textOf(bag['category']),
    severity: textOf(bag['severity']),
    title: textOf(bag['title']),
    expires: textOf(bag['expires']) || null,
    lat: looseNumber(bag['lat']),
    lon: looseNumber(bag['lon']),
    road: textOf(bag['road']),
    places: textsOf(bag['places']),
    name: textOf(bag['name']),
    attribution: textOf(bag['attribution'])
  }
}
