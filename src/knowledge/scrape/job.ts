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
  createdAt: number
  startedAt: number | null
  completedAt: number | null
}
