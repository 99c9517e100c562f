import type { LookoutEvent } from '../../model/event.ts'
import { buildAreas } from '../../warning/coverage/area.ts'
import { gateEvent } from '../../warning/coverage/gate.ts'
import { buildRegionIndex, type RegionIndex } from '../../warning/coverage/region-index.ts'
import type { CoverageConfig } from '../../warning/coverage/settings.ts'
import type { ZoneShapes } from '../../warning/coverage/zones.ts'
import type { StoredEvent } from '../../warning/outbox/stored-event.ts'

/** The change for one event. */
export interface PreviewedEvent {
  seq: number
  id: string
  source: string
  title: string
  family: string
  severity: string
  sent_at: string
  /** Names of the regions it touches by the saved areas, and by the previewed ones. */
  before: string[]
  after: string[]
}

/** The events of some days that a coverage would match. Lists hold the newest; the numbers count all. */
export interface CoveragePreview {
  since: string
  events: number
  unlocated: number
  /** Events the gate would let through: those of excluded sources and unlocated ones too. */
  passed: number
  areas: { name: string | null; events: number }[]
  counts: { newly: number; no_longer: number; retagged: number }
  /** Inside of an area now, and not by the saved coverage. */
  newly: PreviewedEvent[]
  no_longer: PreviewedEvent[]
  /** Inside before and after, of other regions. */
  retagged: PreviewedEvent[]
  /** `seq` of every event that touches an area. */
  inside: number[]
}

export interface PreviewOptions {
  saved: CoverageConfig
  coverage: CoverageConfig
  zones: ZoneShapes
  since: number
  /** Stored events of the span, newest first, page by page. */
  pages: Iterable<readonly StoredEvent[]>
  /** Called between two events: returns when it may go on. */
  pace: () => Promise<void>
}

const LISTED = 100

/** Runs the real tagging and gate over stored events with both coverages. */
export async function previewCoverage(options: PreviewOptions): Promise<CoveragePreview> {
  const { saved, coverage, zones } = options
  const index = buildRegionIndex(buildAreas(coverage), zones)
  await options.pace()
  const before = buildRegionIndex(buildAreas(saved), zones)
  const counts = coverage.areas.map(() => 0)
  const preview: CoveragePreview = {
    since: new Date(options.since).toISOString(),
    events: 0,
    unlocated: 0,
    passed: 0,
    areas: [],
    counts: { newly: 0, no_longer: 0, retagged: 0 },
    newly: [],
    no_longer: [],
    retagged: [],
    inside: []
  }
  const seen = new Set<string>()
  for (const page of options.pages) {
    await options.pace()
    for (const stored of page) {
      const key = JSON.stringify([stored.event.source, stored.event.id])
      // The newest revision stands for all of them.
      if (!seen.has(key)) add(preview, stored, { index, before, coverage, counts })
      seen.add(key)
      await options.pace()
    }
  }
  preview.areas = coverage.areas.map(({ name }, number) => ({ name, events: counts[number] ?? 0 }))
  return preview
}

interface Compared {
  index: RegionIndex
  before: RegionIndex
  coverage: CoverageConfig
  counts: number[]
}

function add(
  preview: CoveragePreview,
  { seq, event }: StoredEvent,
  { index, before, coverage, counts }: Compared
): void {
  const match = index.match(event)
  const was = before.match(event)
  preview.events++
  if (!match.located) preview.unlocated++
  if (gateEvent(event, coverage, match).pass) preview.passed++
  for (const area of match.areas) counts[area] = (counts[area] ?? 0) + 1
  if (match.areas.length > 0) preview.inside.push(seq)
  const change = changeOf(was, match)
  if (change === null) return
  preview.counts[change]++
  if (preview[change].length < LISTED) preview[change].push(viewOf(seq, event, was.names, match.names))
}

type Touched = Pick<ReturnType<RegionIndex['match']>, 'areas' | 'names'>

function changeOf(was: Touched, now: Touched): 'newly' | 'no_longer' | 'retagged' | null {
  if (was.areas.length === 0 && now.areas.length > 0) return 'newly'
  if (was.areas.length > 0 && now.areas.length === 0) return 'no_longer'
  const same = was.names.length === now.names.length && was.names.every((name, at) => name === now.names[at])
  return same ? null : 'retagged'
}

function viewOf(seq: number, event: LookoutEvent, before: readonly string[], after: readonly string[]): PreviewedEvent {
  const { id, source, title, family, severity, sent_at } = event
  return { seq, id, source, title, family, severity, sent_at, before: [...before], after: [...after] }
}
