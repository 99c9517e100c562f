import type { Reason } from '../../model/reason.ts'
/** The life of an archiving (contract §9); this table decides what may be done when. */
export const SCRAPE_STATES = ['pending', 'scraping', 'registering', 'completed', 'failed', 'cancelled'] as const
export type ScrapeState = (typeof SCRAPE_STATES)[number]
export type ScrapeAction = 'cancel' | 'retry' | 'delete'

const OFFERED: Readonly<Record<ScrapeState, readonly ScrapeAction[]>> = {
  pending: ['cancel'],
  scraping: ['cancel'],
  registering: ['cancel'],
  completed: ['delete'],
  failed: ['retry', 'delete'],
  cancelled: ['delete']
}

/** The actions that a person may take on a job in this state; anything else is a 409. */
export function actionsOf(state: ScrapeState): readonly ScrapeAction[] {
  return OFFERED[state]
}

/** Most of what one archiving may take. */
export interface ScrapeLimits {
  maxPages: number
  maxBytes: number
  maxMinutes: number
  scope: 'host' | 'prefix' | 'domain'
  /** Seconds between two pages of a host. */
  delay: number
  /** Patterns of paths: where there are any, only pages that one fits belong to the site, beside the first. */
  include: readonly string[]
  /** Patterns of paths: pages that one fits do not belong to it. */
  exclude: readonly string[]
  /** Pages of one pattern come after all others beyond this part of `maxPages`. 100: no such limit. */
  patternPercent: number
  /** Linked PDFs and EPUBs go into the document library. */
  documents: boolean
  maxDocuments: number
  maxDocumentBytes: number
}

/** A crawl that was interrupted and went on. */
export interface Resumed {
  /** Pages it had, the last time. */
  pages: number
  /** The reason of the interruption. */
  after: Reason
  times: number
}

/** So many things a crawl left out, or took beside its archive; the lists are in `scrape_findings`. */
export interface FindingCounts {
  /** Pages and documents that could not be fetched, or that robots.txt forbids. */
  missed: number
  /** Patterns of pages that were cut. */
  capped: number
  /** Linked PDFs and EPUBs, whatever became of them. */
  documents: number
}

export interface ScrapeJob {
  id: number
  url: string
  title: string
  /** ISO 639-3. */
  language: string
  status: ScrapeState
  /** The engine that did it, chosen by what the machine can: null before it began. */
  engine: 'container' | 'built-in' | null
  limits: ScrapeLimits
  /** Pages so far. */
  pageCount: number
  /** Pages known of; null when nobody can say. */
  total: number | null
  message: Reason | null
  /** Name of the archive's file. */
  archive: string | null
  sourceId: number | null
  cancelRequested: boolean
  /** The number of times it was begun. */
  attempt: number
  /** Null when nothing interrupted it. */
  resumed: Resumed | null
  findings: FindingCounts
  createdAt: number
  startedAt: number | null
  completedAt: number | null
}
