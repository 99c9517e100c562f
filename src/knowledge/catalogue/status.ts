import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { because, type Reason, type ReasonCode } from '../../model/reason.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'
import { namesIn } from '../../platform/files/names-in.ts'
import type { JobStore } from '../jobs/store.ts'
import type { Catalogue } from './catalogue.ts'
import type { Document, Upload } from './document.ts'
import { STAGES, type UploadStatus } from './states.ts'
import type { UploadStore } from './uploads.ts'

/** Folders below `acquired/` that files come in by. */
export const INTAKE_FOLDERS = ['pdf', 'text', 'transcript'] as const
export type IntakeFolder = (typeof INTAKE_FOLDERS)[number]

/** The answer of `GET /api/upload/:hash/status` (contract §8). Times are RFC 3339. */
export interface UploadStatusView {
  /** As asked for: of what was uploaded, or of what it was converted to. */
  hash: string
  filename: string
  status: UploadStatus
  /** One sentence for people. */
  message: Reason
  reason: Reason | null
  /** The work's own words, such as `page 3 of 90`. */
  progress: Reason | null
  /** Hash of the document it is a copy of. */
  duplicate_of: string | null
  /** Once there is one. */
  document: { hash: string; title: string; domain: string; pages: number; items: number; vectors: number } | null
}

interface Places {
  catalogue: Catalogue
  uploads: UploadStore
  jobs: JobStore
  /** The data folder. */
  folder: string
}

const MESSAGES: Readonly<Record<UploadStatus, Reason>> = {
  pending: because('status_pending'),
  processing: because('status_processing'),
  needs_review: because('status_needs_review'),
  rejected: because('status_rejected'),
  duplicate: because('status_duplicate'),
  queued: because('status_queued'),
  extracting: because('status_extracting'),
  extracted: because('status_extracted'),
  enriching: because('status_enriching'),
  enriched: because('status_enriched'),
  embedding: because('status_embedding'),
  complete: because('status_complete'),
  skipped: because('status_skipped'),
  failed: because('status_failed')
}

const MESSAGES_WHY = {
  pending: 'status_pending_why',
  processing: 'status_processing_why',
  needs_review: 'status_needs_review_why',
  rejected: 'status_rejected_why',
  duplicate: 'status_duplicate_why',
  queued: 'status_queued_why',
  extracting: 'status_extracting_why',
  extracted: 'status_extracted_why',
  enriching: 'status_enriching_why',
  enriched: 'status_enriched_why',
  embedding: 'status_embedding_why',
  complete: 'status_complete_why',
  skipped: 'status_skipped_why',
  failed: 'status_failed_why'
} as const satisfies Readonly<Record<UploadStatus, ReasonCode>>

/** A reason goes on in the middle of the sentence: "It cannot be taken in: the PDF is damaged". */
export function messageOf(status: UploadStatus, why: Reason | null): Reason {
  return why === null ? MESSAGES[status] : because(MESSAGES_WHY[status], { why })
}

/** States in which a document waits for a job. */
const WORKED_ON: ReadonlySet<UploadStatus> = new Set([
  ...(['queued', 'extracting', 'extracted', 'enriching', 'enriched', 'embedding'] as const)
])

/**
 * Finds an uploaded file: the documents row, else the intake folders, else the processing folder, else what its record
 * says (contract §8). Null: nobody has heard of this hash.
 */
export async function uploadStatus(hash: string, places: Places): Promise<UploadStatusView | null> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return null
  const found = places.catalogue.byHash(hash)
  if (found !== null) return ofDocument(hash, found, places)
  const upload = places.uploads.get(hash)
  if (await isInIntake(hash, places.folder)) return ofUpload(hash, 'pending', upload, places)
  const isOver = upload !== null && (upload.state === 'rejected' || upload.state === 'duplicate')
  // A folder that a crash left beside a finished record says nothing.
  if (!isOver && (await exists(join(places.folder, 'processing', hash))))
    return ofUpload(hash, 'processing', upload, places)
  if (upload === null) return null
  // The row went a moment ago, and its record with it: asked between the two.
  return ofUpload(hash, upload.state === 'filed' ? 'processing' : upload.state, upload, places)
}

function ofDocument(hash: string, found: Document, { jobs }: Places): UploadStatusView {
  const { status } = found
  const work = STAGES.map((stage) => jobs.get(stage, String(found.id)))
  const held = work.find((job) => job?.state === 'held')
  // A held job says what it waits for.
  const reason = found.reason ?? (WORKED_ON.has(status) ? (held?.reason ?? null) : null)
  const running = work.find((job) => job?.state === 'running')
  return {
    hash,
    filename: found.filename,
    status,
    message: messageOf(status, reason),
    reason,
    progress: running?.progress ?? null,
    duplicate_of: found.review?.duplicate_of ?? null,
    document: {
      hash: found.hash,
      title: found.title,
      domain: found.domain,
      pages: found.pageCount,
      items: found.itemCount,
      vectors: found.vectorCount
    }
  }
}

function ofUpload(hash: string, status: UploadStatus, upload: Upload | null, { jobs }: Places): UploadStatusView {
  const job = jobs.get('dispatch', hash)
  const over = status === 'rejected' || status === 'duplicate' || status === 'needs_review'
  // A held job says what it waits for.
  const reason = (over ? upload?.reason : job?.reason) ?? null
  return {
    hash,
    filename: upload?.filename ?? '',
    status,
    message: messageOf(status, reason),
    reason,
    progress: job?.progress ?? null,
    duplicate_of: upload?.duplicateOf ?? null,
    document: null
  }
}

/** True when content of this hash, other than the file `except`, lies in one of the intake folders. */
export async function isInIntake(hash: string, folder: string, except = ''): Promise<boolean> {
  for (const name of INTAKE_FOLDERS) {
    const place = join(folder, 'acquired', name)
    const found = (await namesIn(place)).filter((file) => file.startsWith(`${hash}.`) && file !== `${hash}.meta.json`)
    if (found.some((file) => join(place, file) !== except)) return true
  }
  return false
}

/** True when a file or folder is there. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (errorCode(error) === '') throw error
    return false
  }
}
