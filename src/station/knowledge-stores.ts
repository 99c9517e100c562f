import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Catalogue } from '../knowledge/catalogue/catalogue.ts'
import { knowledgeMigrations } from '../knowledge/catalogue/schema.ts'
import { UploadStore } from '../knowledge/catalogue/uploads.ts'
import { Receiver } from '../knowledge/intake/receive.ts'
import { JobStore } from '../knowledge/jobs/store.ts'
import { HealthStore } from '../knowledge/keys/health-store.ts'
import { KeyStore } from '../knowledge/keys/key-store.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { openOrAnew } from '../platform/database/database-anew.ts'
import { StorageError } from '../platform/database/storage-fault.ts'
import type { Log } from '../platform/log/log.ts'
import type { Profile } from '../settings/profile.ts'
import type { Config } from '../settings/schema.ts'

export interface KnowledgeStores {
  db: Database
  jobs: JobStore
  catalogue: Catalogue
  uploads: UploadStore
  keys: KeyStore
  health: HealthStore
}

/** Rows of `knowledge.db` and the file of keys, as every process of the program opens them. */
export async function openKnowledgeStores({
  dataFolder,
  clock,
  log,
  anew = false,
  made = false
}: {
  dataFolder: string
  clock: Clock
  /** A damaged file is put aside and made anew. */
  anew?: boolean
  /** The station has made it: where it is missing another folder stands in the place of the data folder. */
  made?: boolean
  log: Pick<Log, 'error'>
}): Promise<KnowledgeStores> {
  const now = (): number => clock.now()
  const options = {
    path: join(dataFolder, 'knowledge.db'),
    migrations: knowledgeMigrations,
    synchronous: 'FULL'
  } as const
  if (made && !existsSync(options.path)) throw new StorageError('gone')
  // Only the station itself may replace it: its side processes start when it stands.
  const db = await (anew ? openOrAnew(options, { now, log, shared: true }) : openDatabase(options))
  const jobs = new JobStore({ db, now })
  const health = new HealthStore({
    db,
    clock,
    onError: (error) => log.error({ err: error }, 'how keys fare could not be stored')
  })
  return {
    db,
    jobs,
    catalogue: new Catalogue({ db, jobs, now }),
    uploads: new UploadStore({ db, jobs, now }),
    keys: new KeyStore({ folder: dataFolder, health, now }),
    health
  }
}

/** Takes files in, within the limits of the configuration and the profile. */
export function stationReceiver({
  dataFolder,
  stores,
  config,
  profile,
  clock,
  onArrival,
  ownParts
}: {
  dataFolder: string
  stores: KnowledgeStores
  config: () => Pick<Config, 'uploads'>
  profile: Profile
  clock: Clock
  onArrival: () => void
  /** See `Receiver`. */
  ownParts?: string
}): Receiver {
  return new Receiver({
    folder: dataFolder,
    catalogue: stores.catalogue,
    uploads: stores.uploads,
    settings: () => {
      const { max_bytes, min_free_bytes } = config().uploads
      return { maxBytes: max_bytes ?? profile.tuning.upload_max_bytes, minFreeBytes: min_free_bytes }
    },
    now: () => clock.now(),
    onArrival,
    ...(ownParts === undefined ? {} : { ownParts })
  })
}

/** Name, languages and source by which documents are fetched, and the most that the parser of a page may have. */
export function webOf(
  { knowledge }: Pick<Config, 'knowledge'>,
  { userAgent, profile }: { userAgent: string; profile: Profile }
) {
  const memoryBytes = profile.tuning.job_memory_mb * 2 ** 20
  return { userAgent, languages: knowledge.allowed_languages, videoPlatform: knowledge.video_platform, memoryBytes }
}
