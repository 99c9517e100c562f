import { rm } from 'node:fs/promises'
import { bulkJob } from '../knowledge/intake/bulk/job.ts'
import { BulkStore } from '../knowledge/intake/bulk/store.ts'
import type { JobKind } from '../knowledge/jobs/job.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Log } from '../platform/log/log.ts'
import type { Profile } from '../settings/profile.ts'
import type { Config } from '../settings/schema.ts'
import { userAgent } from '../warning/feeds/polling/user-agent.ts'
import { type KnowledgeStores, stationReceiver, webOf } from './knowledge-stores.ts'

/** Bytes under way in the worker: apart from those of the station, whose leftovers only the station knows. */
const PARTS = 'worker'

interface Parts {
  dataFolder: string
  version: string
  stores: KnowledgeStores
  current: () => Config
  profile: Profile
  clock: Clock
  log: Log
  /** A file has arrived. */
  wake: () => void
}

/** Lists of addresses and folders, as the worker takes them in. */
export interface BulkWork {
  kinds: JobKind[]
  /** Once, before jobs are begun: what a kill left of files under way goes. */
  recover: () => Promise<void>
}

/** Everything that takes in many documents at once is made of. */
export function bulkWork({ dataFolder, version, stores, current, profile, clock, log, wake }: Parts): BulkWork {
  const { db, jobs, uploads } = stores
  const receiver = stationReceiver({
    dataFolder,
    stores,
    config: current,
    profile,
    clock,
    onArrival: wake,
    ownParts: PARTS
  })
  const web = () => webOf(current(), { userAgent: userAgent(version, current().station.contact), profile })
  const store = new BulkStore({ db, jobs, now: () => clock.now() })
  return {
    kinds: [bulkJob({ store, uploads, receiver, dataFolder, web, clock, log })],
    recover: () => rm(receiver.partsFolder, { recursive: true, force: true })
  }
}
