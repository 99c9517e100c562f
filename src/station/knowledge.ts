import { join } from 'node:path'
import type { KeysContext } from '../dashboard/server/context.ts'
import type { BulkService, KnowledgeContext } from '../dashboard/server/knowledge.ts'
import type { Catalogue } from '../knowledge/catalogue/catalogue.ts'
import { checkFolder, listPlaces } from '../knowledge/intake/bulk/places.ts'
import { BulkStore } from '../knowledge/intake/bulk/store.ts'
import { FileMoves } from '../knowledge/intake/file-moves.ts'
import { IntakeFolders } from '../knowledge/intake/folders.ts'
import { PartialUploads } from '../knowledge/intake/partial-uploads.ts'
import { removeCutOff } from '../knowledge/intake/parts.ts'
import { Shelver } from '../knowledge/intake/shelve.ts'
import { takeAddress } from '../knowledge/intake/take-address.ts'
import { toolReport } from '../knowledge/intake/tools.ts'
import { watchFolders } from '../knowledge/intake/watch-folders.ts'
import { KeyTester } from '../knowledge/keys/key-test.ts'
import { PassageCodes } from '../knowledge/search/codes.ts'
import { indexLags } from '../knowledge/search/lag.ts'
import type { Database } from '../platform/database/database.ts'
import { errorText } from '../platform/errors.ts'
import type { Measured } from '../platform/metrics/point.ts'
import type { Library } from '../warning/commands/ask.ts'
import { userAgent } from '../warning/feeds/polling/user-agent.ts'
import { openKnowledgeStores, stationReceiver, webOf } from './knowledge-stores.ts'
import { inspectBeside } from './model-work.ts'
import { StationModels } from './models.ts'
import { SEARCHER_HEAP_MIB, type SideParts, SideProcesses, workerHeapMib } from './side-processes.ts'

/** Somebody waits for it on the page; a list has more time for each. */
const ADDRESS_MS = 2 * 60_000

/** The knowledge of a station as the rest of it sees it. Documents are read, converted and searched in other processes. */
export interface StationKnowledge {
  context: KnowledgeContext
  /** `knowledge.db`: the library has its rows there too. */
  db: Database
  keys: KeysContext
  /** For `!ask`. */
  library: Library
  measured: () => Measured
  /** Looks for work that is left, and for files in the intake folders, from now on. */
  start: () => void
  /** To be told of every change of the configuration: another embedding provider makes all vectors again. */
  configChanged: () => void
  /** Storing works again. */
  diskIsBack: () => void
  /** See `SideProcesses.give`. */
  give: SideProcesses['give']
  stop: () => Promise<void>
}
/** Opens the rows and prepares the side processes; starts none of them. */
export async function openKnowledge(parts: SideParts): Promise<StationKnowledge> {
  const { options, profile, current, works, clock, log } = parts
  const { dataFolder } = options
  const stores = await openKnowledgeStores({ dataFolder, clock, log, anew: works })
  const side = new SideProcesses(parts, stores)
  const receiver = stationReceiver({
    dataFolder,
    stores,
    config: current,
    profile,
    clock,
    onArrival: () => side.wake()
  })
  const { catalogue, uploads, jobs, db, keys } = stores
  const now = (): number => clock.now()
  const agent = (): string => userAgent(options.version, current().station.contact)
  const codes = new PassageCodes({ db, now })
  const shelver = new Shelver({ db, catalogue, moves: new FileMoves({ db, folder: dataFolder, now }), log })
  const folders = new IntakeFolders({ folder: dataFolder, catalogue, uploads, receiver, now, log })
  const partials = new PartialUploads({ receiver, now })
  if (works) await removeCutOff(join(dataFolder, 'acquired'))
  const models = modelsOf(parts, side)
  const watch = (): (() => void) =>
    watchFolders({
      acquired: join(dataFolder, 'acquired'),
      clock,
      hasNews: async () => {
        await partials.sweep()
        return folders.hasNews()
      },
      onNews: () => side.wake(),
      onError: (error) => log.warn({ err: error }, 'the intake folders could not be looked at')
    })
  let stopped = false
  let stopWatch = (): void => undefined
  return {
    context: {
      folder: dataFolder,
      catalogue,
      uploads,
      jobs,
      receiver,
      codes,
      partials,
      search: side.search,
      models,
      decideDomain: (id, domain) => shelver.decideDomain(id, domain),
      takeAddress: (ask) =>
        takeAddress(ask, { ...webOf(current(), { userAgent: agent(), profile }), receiver, totalMs: ADDRESS_MS }),
      bulk: bulkService({ db, jobs, now }, { dataFolder, current }),
      wake: () => side.wake(),
      tools: () => toolReport(),
      worker: () => side.view(),
      detector: () => side.detector()
    },
    db,
    keys: { store: keys, tester: new KeyTester({ keys, config: () => current().knowledge, now, userAgent: agent }) },
    library: libraryOf({ catalogue, codes }, side),
    measured: () => measured(catalogue),
    start: () => {
      if (!works) return
      side.followJobs()
      void models.start()
      // After a restore there may be nothing to do but to make again what is searched.
      indexLags({ knowledge: db, path: join(dataFolder, 'search.db'), ...current().knowledge }).then(
        (lags) => {
          if (lags) side.wake()
        },
        (error: unknown) => log.error({ err: error }, `the search index could not be looked at: ${errorText(error)}`)
      )
      // The folders are there for people to put files into.
      folders.prepare().then(
        () => {
          if (!stopped) stopWatch = watch()
        },
        (error: unknown) => log.error({ err: error }, 'the intake folders could not be made')
      )
    },
    ...ordersFor(side),
    stop: async () => {
      stopped = true
      stopWatch()
      await side.stop()
      stores.health.flush()
      db.close()
    }
  }
}

/** The documents as commands of the mesh ask them. */
function libraryOf({ catalogue, codes }: { catalogue: Catalogue; codes: PassageCodes }, side: SideProcesses): Library {
  return {
    documents: () => {
      const { complete, enriched, embedding } = catalogue.counts()
      return complete + enriched + embedding
    },
    ask: (question, signal) => side.ask({ question, limit: 5 }, signal),
    codeOf: ({ hash, page, item_id }) => {
      const found = catalogue.byHash(hash)
      return found === null ? null : codes.codeOf({ documentId: found.id, page, itemId: item_id })
    }
  }
}

function bulkService(
  rows: ConstructorParameters<typeof BulkStore>[0],
  { dataFolder, current }: { dataFolder: string; current: SideParts['current'] }
): BulkService {
  const rules = () => ({ dataFolder, folders: current().knowledge.bulk_folders })
  return {
    store: new BulkStore(rows),
    places: () => listPlaces(rules()),
    check: (folder) => checkFolder(folder, rules())
  }
}

/** MiB of the heap that those who use a model need for everything else. */
const BESIDE_MODEL_MIB = 40

/** Opened with no more memory than the smaller of the two processes that use it has left for it. */
function modelsOf({ options, profile, current, clock, log }: SideParts, side: SideProcesses): StationModels {
  const heapMib = Math.min(SEARCHER_HEAP_MIB, workerHeapMib(profile)) - BESIDE_MODEL_MIB
  return new StationModels({
    dataFolder: options.dataFolder,
    current,
    clock,
    log,
    inspect: (places) => inspectBeside({ clock, log, heapMib }, places),
    onChange: (name) => side.modelChanged(name)
  })
}

function ordersFor(side: SideProcesses): Pick<StationKnowledge, 'configChanged' | 'diskIsBack' | 'give'> {
  return {
    configChanged: () => side.followEmbedding(),
    diskIsBack: () => side.diskIsBack(),
    give: (shed) => side.give(shed)
  }
}

type Stores = Awaited<ReturnType<typeof openKnowledgeStores>>

function measured(catalogue: Stores['catalogue']): Measured {
  const counts = catalogue.counts()
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const { complete, failed, skipped, needs_review } = counts
  const { items, vectors } = catalogue.totals()
  return {
    total,
    complete,
    failed,
    skipped,
    in_pipeline: total - complete - failed - skipped - needs_review,
    items,
    vectors
  }
}
