import type { Document, Page } from '../../knowledge/catalogue/document.ts'
import { badgeOf } from '../../knowledge/catalogue/listing.ts'
import { messageOf } from '../../knowledge/catalogue/status.ts'

const timeOrNull = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** A document as the API shows it; times are RFC 3339. Its schema stands with the routes, which are held to it. */
export function documentView(document: Document) {
  const { hash, status, reason } = document
  const base = `/api/documents/${hash}`
  return {
    hash,
    kind: document.kind,
    badge: badgeOf(document.kind),
    filename: document.filename,
    title: document.title,
    author: document.author,
    edition: document.edition,
    year: document.year,
    domain: document.domain,
    category: document.category,
    language: document.language,
    source: document.source,
    source_id: document.sourceId,
    url: document.url,
    size_bytes: document.sizeBytes,
    status,
    message: messageOf(status, reason),
    reason,
    failed_stage: document.failedStage,
    warnings: document.warnings,
    review: document.review,
    page_count: document.pageCount,
    ocr_pages: document.ocrPages,
    item_count: document.itemCount,
    vector_count: document.vectorCount,
    created_at: timeOrNull(document.createdAt),
    changed_at: timeOrNull(document.changedAt),
    extracted_at: timeOrNull(document.extractedAt),
    enriched_at: timeOrNull(document.enrichedAt),
    completed_at: timeOrNull(document.completedAt),
    page_url: `/documents/${hash}`,
    original_url: document.path === null ? null : `${base}/original`,
    ...(status === 'failed' || status === 'skipped' ? { retry_url: `${base}/retry` } : {})
  }
}

export function pageView({ number, text, method, startSeconds }: Page) {
  return { number, text, method, start_seconds: startSeconds }
}
