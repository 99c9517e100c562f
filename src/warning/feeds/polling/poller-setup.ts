import type { LookoutEvent } from '../../../model/event.ts'
import { because, type Reason } from '../../../model/reason.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { CoverageConfig } from '../../coverage/settings.ts'
import type { StationConfig } from '../../station-settings.ts'
import type { SourceSettings } from '../common-settings.ts'
import type { FeedArrival } from '../deliver.ts'
import type { SourceKind } from '../source.ts'
import type { SourceStatus } from '../status.ts'
import type { Connectivity } from './connectivity.ts'
import type { FeedStore } from './feed-store.ts'
import type { FetchSetup } from './polite-fetch.ts'

/** The parts that every poller is made with. */
export interface PollerSetup extends FetchSetup {
  store: FeedStore
  connectivity: Connectivity
  random: () => number
  log: Log
  station: () => StationConfig
  coverage: () => CoverageConfig
  inForce: (family: string) => LookoutEvent[]
  families: () => ReadonlySet<string>
  /** Resolves once the events and everything decided about them are stored. */
  accept: (arrivals: FeedArrival[]) => Promise<unknown>
  /** Of the profile: everything is asked this many times less often. */
  intervalFactor: number
  /** The reason why a source that is asked this rarely rests, under strain; null while it does not. */
  restsFor?: (intervalMs: number) => Reason | null
  /** Of the program: another one may read the same listing otherwise. */
  version: string
  /** The start of this process, epoch milliseconds. */
  startedAt: number
  coldStartGraceMs: () => number
  onChange: (status: SourceStatus) => void
}

export interface PolledSource {
  name: string
  kind: SourceKind
  settings: SourceSettings
  /** True: this process has read a whole listing of it before; it only got other settings for what follows. */
  known: boolean
}

/** The reason why a source may not be asked, null when it may. */
export function whyBlocked(
  { kind, settings }: Pick<PolledSource, 'kind' | 'settings'>,
  contact: string
): Reason | null {
  if (kind.needsContact && contact.trim() === '') return because('wants_contact')
  return kind.missing?.(settings) ?? null
}

export type PollOrder =
  | { asked: true }
  | { asked: false; why: 'early' | 'blocked' | 'stopped'; reason: Reason; waitMs: number }
