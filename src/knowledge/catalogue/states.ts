/** The life of a file, from its arrival to search; this table is what the program, the status page and the documentation follow. */

/** Of an upload record; `filed`: a document row tells the rest. */
export const UPLOAD_STATES = ['pending', 'processing', 'filed', 'needs_review', 'rejected', 'duplicate'] as const
export type UploadState = (typeof UPLOAD_STATES)[number]

/** Of a document. `needs_review`: probably a copy of another one, indexed only once somebody has decided. */
export const DOCUMENT_STATES = [
  'needs_review',
  'queued',
  'extracting',
  'extracted',
  'enriching',
  'enriched',
  'embedding',
  'complete',
  'skipped',
  'failed'
] as const
export type DocumentStatus = (typeof DOCUMENT_STATES)[number]

/** The states that `GET /api/upload/:hash/status` may answer (contract §8). */
export type UploadStatus = Exclude<UploadState, 'filed'> | DocumentStatus

/** Work on a document, in order. A retry goes back to the stage that failed. */
export const STAGES = ['extract', 'enrich', 'embed'] as const
export type Stage = (typeof STAGES)[number]

/** True for a kind of job whose subject is the id of a document; those of archives, crawls and lists count theirs by themselves. */
export function isDocumentJob(kind: string): boolean {
  return kind === 'remove' || STAGES.some((stage) => stage === kind)
}

interface StageRow {
  /** The document waits for this stage in this state. */
  from: DocumentStatus
  /** While it runs. */
  during: DocumentStatus
  /** The state once it is done. */
  to: DocumentStatus
}

export const STAGE_TABLE: Readonly<Record<Stage, StageRow>> = {
  extract: { from: 'queued', during: 'extracting', to: 'extracted' },
  enrich: { from: 'extracted', during: 'enriching', to: 'enriched' },
  embed: { from: 'enriched', during: 'embedding', to: 'complete' }
}
