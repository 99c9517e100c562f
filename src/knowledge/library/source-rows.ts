import type { Row } from '../../platform/database/database.ts'
import { storedReason } from '../../platform/database/stored-reason.ts'
import { type LibrarySource, SOURCE_STATES } from './source.ts'

export function sourceFromRow(row: Row): LibrarySource {
  const numberOrNull = (name: string): number | null => (row[name] === null ? null : Number(row[name]))
  return {
    id: Number(row['id']),
    filename: String(row['filename']),
    uuid: String(row['uuid']),
    title: String(row['title']),
    description: String(row['description']),
    language: String(row['language']),
    category: String(row['category']),
    sizeBytes: Number(row['size_bytes']),
    mtime: Number(row['mtime']),
    articleCount: Number(row['article_count']),
    state: SOURCE_STATES.find((state) => state === row['state']) ?? 'missing',
    reason: storedReason(row['reason']),
    claimedUuid: String(row['claimed_uuid']),
    ingestEnabled: row['ingest_enabled'] === 1,
    checkpoint: Number(row['checkpoint']),
    readToEnd: row['read_to_end'] === 1,
    detectedAt: Number(row['detected_at']),
    changedAt: Number(row['changed_at']),
    startedAt: numberOrNull('started_at'),
    completedAt: numberOrNull('completed_at')
  }
}

/** `Title`; when another source has it `Title (2026-05)` by the archive's date, else `Title (2)` (contract §9). */
export function uniqueCategory(title: string, date: string, isTaken: (category: string) => boolean): string {
  if (!isTaken(title)) return title
  const month = /^\d{4}-\d{2}/.exec(date)?.[0]
  const dated = `${title} (${month})`
  if (month !== undefined && !isTaken(dated)) return dated
  for (let number = 2; ; number++) {
    const numbered = `${title} (${number})`
    if (!isTaken(numbered)) return numbered
  }
}
