import type { Catalogue } from '../../knowledge/catalogue/catalogue.ts'
import type { Domain } from '../../knowledge/catalogue/document.ts'
import type { UploadStore } from '../../knowledge/catalogue/uploads.ts'
import type { DetectorState } from '../../knowledge/enrich/detector.ts'
import type { CheckedFolder, Place } from '../../knowledge/intake/bulk/places.ts'
import type { BulkStore } from '../../knowledge/intake/bulk/store.ts'
import type { PartialUploads } from '../../knowledge/intake/partial-uploads.ts'
import type { Receiver } from '../../knowledge/intake/receive.ts'
import type { AddressAsk, TakenAddress } from '../../knowledge/intake/take-address.ts'
import type { ToolReport } from '../../knowledge/intake/tools.ts'
import type { JobStore } from '../../knowledge/jobs/store.ts'
import type { PassageCodes } from '../../knowledge/search/codes.ts'
import type { SearchService } from '../../knowledge/search/service.ts'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { ModelsPort } from './models.ts'

/** The state of the process that works on documents. */
export interface WorkerView {
  /** `asleep`: not started, or ended because nothing was to be done. `failing`: it crashed and is started again later. */
  state: 'asleep' | 'working' | 'failing' | 'off'
  /** The reason why it fails or is off; null otherwise. */
  reason: Reason | null
}

/** Many documents at once, as the web sees it: one row is written here, the work is done by the worker. */
export interface BulkService {
  store: BulkStore
  /** Sticks and folders that documents may be taken from, as they are now. */
  places: () => Promise<Place[]>
  /** @throws AppError when nothing may be taken from there, or it cannot be read. */
  check: (folder: string) => Promise<CheckedFolder>
}

/** Documents, as the web sees them: rows are read here, work is done by other processes. */
export interface KnowledgeContext {
  /** The data folder: `acquired/`, `processing/`, `library/`. */
  folder: string
  catalogue: Catalogue
  uploads: UploadStore
  jobs: JobStore
  /** Takes files in. */
  receiver: Receiver
  /** Somebody has decided where a document belongs: the row, and its files on the shelf. */
  decideDomain: (id: number, domain: Domain) => Promise<void>
  /** Fetches what stands at an address and takes it in. */
  takeAddress: (ask: AddressAsk) => Promise<TakenAddress>
  /** Lists of addresses and folders that are taken in as one job. */
  bulk: BulkService
  /** Uploads that go on after a break. */
  partials: PartialUploads
  search: SearchService
  /** The owner's models of meaning. */
  models: ModelsPort
  /** The passages behind the codes told over the radio. */
  codes: Pick<PassageCodes, 'resolve'>
  /** Tells the worker that there is work. */
  wake: () => void
  /** The programs that read files of each kind here. */
  tools: () => Promise<readonly ToolReport[]>
  /** Asking starts nothing. */
  worker: () => WorkerView
  /** Of languages; as the worker last told, else the one that would be used. */
  detector: () => DetectorState
}

interface Part {
  /** Null when the profile has it off. */
  knowledge: KnowledgeContext | null
}

/** The knowledge of this station. @throws AppError `not-found` when the profile has it off. */
export function knowledgeOf({ knowledge }: Part): KnowledgeContext {
  if (knowledge !== null) return knowledge
  throw new AppError('not-found', because('profile_no_knowledge'))
}

/** The same, for routes that change documents or work on them. @throws AppError `unavailable` in preview. */
export function writableKnowledge({ knowledge, mode }: Part & { mode: 'run' | 'preview' }): KnowledgeContext {
  const found = knowledgeOf({ knowledge })
  if (mode === 'preview') throw new AppError('unavailable', because('preview_changes_nothing'))
  return found
}
