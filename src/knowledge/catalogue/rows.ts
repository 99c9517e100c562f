import { isReason, type Reason } from '../../model/reason.ts'
import type { Row } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { reasonText, storedReason } from '../../platform/database/stored-reason.ts'
import {
  type Document,
  type DocumentKind,
  type Metadata,
  type Page,
  type Provenance,
  type Review,
  TAXONOMY,
  UNSORTED
} from './document.ts'
import type { DocumentStatus, Stage } from './states.ts'

/** The fields of a document that a stage may write; `changedAt` is set by the catalogue. */
export type Changes = Partial<Omit<Document, 'id' | 'hash' | 'createdAt' | 'changedAt'>>

/** A document as it is filed. What is left out is empty, null or zero; `domain` is then `Unsorted`. */
export type NewDocument = Metadata &
  Pick<Document, 'hash' | 'kind' | 'filename' | 'source' | 'category' | 'sizeBytes' | 'status'> &
  Changes

type Field = Exclude<keyof Document, 'id'>

const COLUMN: Readonly<Record<Field, string>> = {
  hash: 'hash',
  kind: 'kind',
  filename: 'filename',
  title: 'title',
  author: 'author',
  edition: 'edition',
  year: 'year',
  provenance: 'provenance',
  source: 'source',
  sourceId: 'source_id',
  category: 'category',
  url: 'url',
  path: 'path',
  sizeBytes: 'size_bytes',
  language: 'language',
  domain: 'domain',
  taxonomy: 'taxonomy',
  review: 'review',
  status: 'status',
  reason: 'reason',
  failedStage: 'failed_stage',
  warnings: 'warnings',
  copyAsked: 'copy_asked',
  modelWarning: 'model_warning',
  pageCount: 'page_count',
  ocrPages: 'ocr_pages',
  itemCount: 'item_count',
  vectorCount: 'vector_count',
  textHash: 'text_hash',
  simhash: 'simhash',
  createdAt: 'created_at',
  changedAt: 'changed_at',
  extractedAt: 'extracted_at',
  enrichedAt: 'enriched_at',
  completedAt: 'completed_at'
}

const columns: ReadonlyMap<string, string> = new Map(Object.entries(COLUMN))

function columnOf(field: string): string {
  const column = columns.get(field)
  if (column === undefined) throw new Error(`a document has no field ${field}`)
  return column
}

function sqlValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  return isReason(value) ? reasonText(value) : JSON.stringify(value)
}

/** `a = ?, b = ?` and the values for it, in the order of the table, so that equal changes are one prepared statement. */
export function assignments(changes: object): { sql: string; columns: string[]; values: SqlValue[] } {
  const given = Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => ({ column: columnOf(field), value: sqlValue(value) }))
    .sort((a, b) => (a.column < b.column ? -1 : 1))
  return {
    sql: given.map(({ column }) => `${column} = ?`).join(', '),
    columns: given.map(({ column }) => column),
    values: given.map(({ value }) => value)
  }
}

/** A row as it is stored first, everything filled in. */
export function completed(doc: NewDocument, now: number): Omit<Document, 'id'> {
  return {
    provenance: { chosen: {}, said: {} },
    sourceId: null,
    url: null,
    path: null,
    language: null,
    domain: UNSORTED,
    taxonomy: TAXONOMY,
    review: null,
    reason: null,
    failedStage: null,
    warnings: [],
    copyAsked: false,
    modelWarning: null,
    pageCount: 0,
    ocrPages: 0,
    itemCount: 0,
    vectorCount: 0,
    textHash: null,
    simhash: null,
    extractedAt: doc.status === 'extracted' ? now : null,
    enrichedAt: null,
    completedAt: null,
    ...doc,
    createdAt: now,
    changedAt: now
  }
}

const text = (value: SqlValue | undefined): string => String(value)
const textOrNull = (value: SqlValue | undefined): string | null => (value === null ? null : String(value))
const numberOrNull = (value: SqlValue | undefined): number | null => (value === null ? null : Number(value))
/** Only this program writes these columns. */
const parsed = <T>(value: SqlValue | undefined): T => JSON.parse(String(value)) as T

export function documentFromRow(row: Row): Document {
  return {
    id: Number(row['id']),
    hash: text(row['hash']),
    kind: text(row['kind']) as DocumentKind,
    filename: text(row['filename']),
    title: text(row['title']),
    author: text(row['author']),
    edition: text(row['edition']),
    year: text(row['year']),
    provenance: parsed<Provenance>(row['provenance']),
    source: text(row['source']),
    sourceId: numberOrNull(row['source_id']),
    category: text(row['category']),
    url: textOrNull(row['url']),
    path: textOrNull(row['path']),
    sizeBytes: Number(row['size_bytes']),
    language: textOrNull(row['language']),
    domain: text(row['domain']),
    taxonomy: Number(row['taxonomy']),
    review: row['review'] === null ? null : parsed<Review>(row['review']),
    status: text(row['status']) as DocumentStatus,
    reason: storedReason(row['reason']),
    failedStage: row['failed_stage'] === null ? null : (text(row['failed_stage']) as Stage),
    warnings: parsed<Reason[]>(row['warnings']),
    copyAsked: row['copy_asked'] === 1,
    modelWarning: storedReason(row['model_warning']),
    pageCount: Number(row['page_count']),
    ocrPages: Number(row['ocr_pages']),
    itemCount: Number(row['item_count']),
    vectorCount: Number(row['vector_count']),
    textHash: textOrNull(row['text_hash']),
    simhash: textOrNull(row['simhash']),
    createdAt: Number(row['created_at']),
    changedAt: Number(row['changed_at']),
    extractedAt: numberOrNull(row['extracted_at']),
    enrichedAt: numberOrNull(row['enriched_at']),
    completedAt: numberOrNull(row['completed_at'])
  }
}

export function pageFromRow(row: Row): Page {
  return {
    number: Number(row['number']),
    text: text(row['text']),
    method: text(row['method']),
    startSeconds: numberOrNull(row['start_seconds'])
  }
}
