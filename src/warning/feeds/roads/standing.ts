import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import type { SkippedItem } from '../feed.ts'
import { Standing } from '../reading/standing.ts'
import { eachInTurn } from '../reading/steps.ts'
import type { ReadTools } from '../source.ts'
import { isPast, type RoadReport, roadEvent, type WorkRule, whyNotTold } from './report.ts'

/** A listing as read, before it is known what was told before. */
export interface RoadListing {
  reports: RoadReport[]
  skipped: SkippedItem[]
  items: number
  /** RFC 3339 UTC. */
  updated: string | null
}

/**
 * The events of a complete listing: what it lists, and the end of what was told and is missing for the second time, or
 * is said to be over.
 */
export function* roadSteps(
  listing: RoadListing,
  work: WorkRule,
  tools: ReadTools
): Generator<void, { events: LookoutEvent[]; skipped: SkippedItem[] }> {
  const standing = roadsIn(tools)
  const events: LookoutEvent[] = []
  const skipped = [...listing.skipped]
  const listed = new Set(listing.skipped.map(({ id }) => id))
  yield* eachInTurn(listing.reports, (report) => {
    if (listed.has(report.id)) {
      skipped.push({ id: report.id, reason: because('listed_twice') })
      return
    }
    listed.add(report.id)
    const result = readReport(report, { work, tools, standing })
    if (!('reason' in result)) events.push(result)
    else {
      skipped.push(result)
      // Told as closed and now open beside the work: as if it were missing, so that one garbled listing ends nothing.
      listed.delete(report.id)
    }
  })
  return { events: [...events, ...(yield* standing.missing(listed))], skipped }
}

/** The same listing once more: what was missing from it is missing again. */
export function sameAgainSteps(tools: ReadTools): Generator<void, LookoutEvent[]> {
  return roadsIn(tools).sameAgain()
}

function roadsIn(tools: ReadTools): Standing {
  return new Standing(tools, 'road:')
}

function readReport(
  report: RoadReport,
  { work, tools, standing }: { work: WorkRule; tools: ReadTools; standing: Standing }
): LookoutEvent | SkippedItem {
  const { id } = report
  if (report.over) return standing.end(id) ?? { id, reason: because('is_over') }
  const reason = whyNotTold(report, work, tools.receivedAt)
  if (reason === null) return standing.tell(roadEvent(report, tools, standing.levelOf(id)))
  if (isPast(report, tools.receivedAt) && standing.isTold(id)) standing.forget(id)
  return { id, reason }
}
