import { because, type Reason } from '../model/reason.ts'
import { asides } from '../platform/database/put-aside.ts'
import { storageFaultOf } from '../platform/database/storage-fault.ts'
import { roomOf } from '../platform/files/data-folder.ts'
import type { Config } from '../settings/schema.ts'
import type { SourceStatus } from '../warning/feeds/status.ts'
import { judge } from '../warning/readiness/checks.ts'
import type { RadioFact, SourceFact, StationFacts } from '../warning/readiness/facts.ts'
import type { Readiness } from '../warning/readiness/problem.ts'
import type { SelfReport } from '../warning/readiness/self-report.ts'
import type { Core } from './core.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS

export interface ReadinessParts {
  mode: 'run' | 'preview'
  dataFolder: string
  startedAt: number
  now: () => number
  core: Pick<Core, 'radioStatus' | 'ledger'> & { reactions: Pick<Core['reactions'], 'keys'> }
  /** Without what the profile adds: nobody chose that. */
  saved: () => Config
  configStale: () => boolean
  demoOffered: () => boolean
  unmadeRadios: readonly Reason[]
  /** The sign of a proxy that ended the rights of this machine; null while there is none. */
  proxySign: () => string | null
  sources: () => readonly SourceStatus[]
  /** The database of documents cannot be opened. */
  knowledgeClosed: () => boolean
  /** See `Shedding.reason`. */
  shed: () => Reason | null
  /** Why backups that should be made are not; null while they are. */
  backup: () => Reason | null
  /** The voltage of the supply is too low now. */
  undervoltage: () => boolean
  /** Starts before this one that failed at once, in a row. */
  failedStarts: number
  report: SelfReport
}

/** The state of the station now, put together from those who know, and judged. Contract §13. */
export function stationReadiness(parts: ReadinessParts): () => Readiness {
  return () => judge(factsOf(parts))
}

function factsOf(parts: ReadinessParts): StationFacts {
  const { mode, core, report, startedAt, unmadeRadios } = parts
  const now = parts.now()
  const preview = mode === 'preview'
  const self = report.facts(now)
  const room = roomOf(parts.dataFolder)
  return {
    now,
    preview,
    demo: parts.demoOffered(),
    drill: core.ledger.incidents.isDrillRunning(now),
    config: parts.saved(),
    configStale: parts.configStale(),
    radios: preview ? [] : radioFacts(core.radioStatus(), parts.saved().radios),
    unmadeRadios,
    proxySign: parts.proxySign(),
    changedKeys: core.reactions.keys.changedSince(now - WEEK_MS),
    sources: preview ? [] : parts.sources().flatMap((source) => sourceFact(source, startedAt)),
    failedMessages: core.ledger.incidents.failedSince(now - HOUR_MS),
    untold: core.ledger.incidents.untoldSince(now - 24 * HOUR_MS),
    unplaced: core.ledger.incidents.unplacedSince(now - 24 * HOUR_MS),
    ...self,
    disk: room.freeBytes === null ? null : { freeBytes: room.freeBytes },
    putAside: asidesIn(parts.dataFolder),
    knowledgeClosed: parts.knowledgeClosed(),
    shed: parts.shed(),
    backup: parts.backup(),
    undervoltage: parts.undervoltage(),
    failedStarts: parts.failedStarts,
    storage: self.storage ?? (room.problem === null ? null : { ...room.problem, since: now })
  }
}

/** A folder that cannot be looked at is a problem of its own. */
function asidesIn(dataFolder: string): string[] {
  try {
    return asides(dataFolder)
  } catch (error) {
    if (storageFaultOf(error) === null) throw error
    return []
  }
}

/** A radio that was chosen this moment is not made yet, one that was taken away counts no more. */
const UNSTARTED = because('radio_just_chosen')

function radioFacts(running: ReturnType<Core['radioStatus']>, configured: Config['radios']): RadioFact[] {
  const facts = running.map(({ id, network, link, state, reason, missing_channels }) => ({
    id,
    network,
    link,
    state,
    reason,
    missing: missing_channels
  }))
  // Without any in the configuration the profile simulates them.
  if (configured.length === 0) return facts
  return configured.map(({ id, network, link }): RadioFact => {
    const found = facts.find((one) => one.network === network && one.link === link)
    return found ?? { id, network, state: 'down', reason: UNSTARTED, missing: [] }
  })
}

/** A source that was switched on a moment ago and has not had its turn is no news. */
function sourceFact(source: SourceStatus, startedAt: number): SourceFact[] {
  const { name, kind, state, last_ok, last_attempt, interval_seconds } = source
  const reason = source.reason ?? source.error
  if (state === 'off' || (state === 'waiting' && last_attempt === null && reason === null)) return []
  const heardAt = last_ok === null ? startedAt : Date.parse(last_ok)
  return [{ name, kind, state, reason, heardAt, answered: last_ok !== null, intervalSeconds: interval_seconds }]
}
