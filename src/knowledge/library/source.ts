import type { Reason } from '../../model/reason.ts'
/** An archive (ZIM file) of the library (contract §9). Times are epoch milliseconds. */
export interface LibrarySource {
  id: number
  /** Name of the file in the folder of archives, unique: `wikem_2026-05.zim`. */
  filename: string
  /** UUID of the archive's header, as the library server knows it: 36 characters, lower case. */
  uuid: string
  title: string
  description: string
  /** As the archive says, ISO 639-3: `eng`, `eng,fra`. */
  language: string
  /** Title made unique: `Title`, `Title (2026-05)`, `Title (2)`. */
  category: string
  sizeBytes: number
  mtime: number
  /** HTML articles without redirects. */
  articleCount: number
  /**
   * `missing`: the file is gone, or is being looked at anew. `damaged`: the library of the format would not open it either.
   * `removing`: a removal has begun and is finished at the next start at the latest.
   */
  state: SourceState
  reason: Reason | null
  /** Of a damaged file: the UUID that its header tells, if it does. */
  claimedUuid: string
  ingestEnabled: boolean
  /** Entry of the archive from which reading goes on. */
  checkpoint: number
  readToEnd: boolean
  detectedAt: number
  changedAt: number
  startedAt: number | null
  completedAt: number | null
}

export const SOURCE_STATES = ['present', 'missing', 'damaged', 'removing'] as const
export type SourceState = (typeof SOURCE_STATES)[number]

/** The sums over a source's documents and articles. */
export interface SourceCounts {
  /** HTML articles of the archive, redirects excluded. */
  articles: number
  /** Articles whose text was read into a document. */
  extracted: number
  /** Documents of the source without the skipped ones. */
  total: number
  in_vector_store: number
  skipped: number
  failed: number
}

/** `EMPTY`: read to its end, and there is nothing in it to search. */
export type SourceStatusName = 'DETECTED' | 'EXTRACTING' | 'PROCESSING' | 'EMPTY' | 'COMPLETE'
