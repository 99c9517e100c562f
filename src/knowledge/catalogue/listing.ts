import type { Database } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { BADGES, type Badge, type Document, type DocumentKind, KINDS_OF_BADGE } from './document.ts'
import { documentFromRow } from './rows.ts'
import { DOCUMENT_STATES, type DocumentStatus } from './states.ts'

export interface ListQuery {
  status?: DocumentStatus | undefined
  badge?: Badge | undefined
  domain?: string | undefined
  category?: string | undefined
  sourceId?: number | undefined
  /** A part of the title, the author or the file name. */
  text?: string | undefined
  /** True: only those somebody must decide about. */
  review?: boolean | undefined
  /** `next` of the answer before. */
  cursor?: number | undefined
  limit: number
}

/** Finished documents and pages in the hours before a moment. */
export interface Throughput {
  /** Documents completed per hour, the hour that runs last; 24 of them. */
  hours: number[]
  /** In the last hour. */
  documents: number
  pages: number
}

const HOUR_MS = 3_600_000
/** Asks nothing but columns of one index, which is read instead of the rows. */
const NAMED = "(title || ' ' || author || ' ' || filename) LIKE ? ESCAPE '\\'"
const KIND_IN = 'kind IN (SELECT value FROM json_each(?))'

export function badgeOf(kind: DocumentKind): Badge {
  return BADGES.find((badge) => KINDS_OF_BADGE[badge].includes(kind)) ?? 'PDF'
}

/** Newest first, page by page. */
export function listDocuments(db: Database, query: ListQuery): { documents: Document[]; next: number | null } {
  const { conditions, values } = conditionsOf(query)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const found = db
    .sql(`SELECT * FROM documents ${where} ORDER BY id DESC LIMIT ?`)
    .all(...values, query.limit + 1)
    .map(documentFromRow)
  const documents = found.slice(0, query.limit)
  return { documents, next: found.length > query.limit ? (documents.at(-1)?.id ?? null) : null }
}

function conditionsOf(query: ListQuery): { conditions: string[]; values: SqlValue[] } {
  const { status, badge, domain, category, sourceId, text, review, cursor } = query
  const equal: [string, SqlValue | undefined][] = [
    ['status = ?', status],
    [KIND_IN, badge === undefined ? undefined : JSON.stringify(KINDS_OF_BADGE[badge])],
    ['domain = ?', domain],
    ['category = ?', category],
    ['source_id = ?', sourceId],
    ['id < ?', cursor]
  ]
  const given = equal.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]))
  const conditions = given.map(({ condition }) => condition)
  const values = given.map(({ value }) => value)
  if (review === true) conditions.push('review IS NOT NULL')
  const words = (text ?? '').split(/\s+/).filter((part) => part !== '')
  if (words.length > 0) {
    conditions.push(`id IN (SELECT id FROM documents WHERE ${words.map(() => NAMED).join(' AND ')})`)
    values.push(...words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`))
  }
  return { conditions, values }
}

/** The number of documents in each state; every state is there. */
export function countDocuments(db: Database, sourceId?: number): Record<DocumentStatus, number> {
  const rows =
    sourceId === undefined
      ? db.sql('SELECT status, count(*) AS n FROM documents GROUP BY status').all()
      : db.sql('SELECT status, count(*) AS n FROM documents WHERE source_id = ? GROUP BY status').all(sourceId)
  const found = new Map(rows.map((row) => [String(row['status']), Number(row['n'])]))
  const counts = DOCUMENT_STATES.map((status) => [status, found.get(status) ?? 0] as const)
  return Object.fromEntries(counts) as Record<DocumentStatus, number>
}

/** Categories in use, of documents and of files under way, the most used first. */
export function listCategories(db: Database): { name: string; count: number }[] {
  return db
    .sql(
      `SELECT name, sum(count) AS n FROM (
         SELECT category AS name, count(*) AS count FROM documents GROUP BY category
         UNION ALL SELECT category, count(*) FROM uploads WHERE state IN ('pending', 'processing') GROUP BY category
       ) WHERE name <> '' GROUP BY name ORDER BY n DESC, name LIMIT 500`
    )
    .all()
    .map((row) => ({ name: String(row['name']), count: Number(row['n']) }))
}

/** The work finished in the 24 hours before `now`. */
export function throughput(db: Database, now: number): Throughput {
  // `changed_at` is the later one of the two, and has an index.
  const rows = db
    .sql(
      `SELECT CAST((?1 - completed_at) / ${HOUR_MS} AS INTEGER) AS age, count(*) AS n, sum(page_count) AS pages FROM documents
       WHERE status = 'complete' AND changed_at > ?1 - ${24 * HOUR_MS} AND completed_at > ?1 - ${24 * HOUR_MS}
       GROUP BY age`
    )
    .all(now)
  const byAge = new Map(rows.map((row) => [Number(row['age']), row]))
  const hours = Array.from({ length: 24 }, (_, index) => Number(byAge.get(23 - index)?.['n'] ?? 0))
  return { hours, documents: hours.at(-1) ?? 0, pages: Number(byAge.get(0)?.['pages'] ?? 0) }
}
