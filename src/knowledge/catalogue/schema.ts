import type { Migration } from '../../platform/database/database.ts'
import { JOBS_ORDER, JOBS_TABLE } from '../jobs/schema.ts'
import { OLD_SENTENCES } from './old-sentences.ts'

/** Columns in which sentences stood. */
const HELD_SENTENCES = [
  ['jobs', 'reason'],
  ['jobs', 'progress'],
  ['uploads', 'reason'],
  ['documents', 'reason'],
  ['documents', 'model_warning'],
  ['windows', 'reason'],
  ['key_health', 'quarantine'],
  ['library_sources', 'reason'],
  ['archive_articles', 'reason'],
  ['scrape_jobs', 'message']
] as const

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A sentence as a reason: by its code, where it has one, else as a note. */
const asReason = (said: string): string =>
  `coalesce((SELECT json_object('code', code, 'params', json_object()) FROM old_sentences WHERE said = ${said}),
    json_object('code', 'note', 'params', json_object('text', ${said})))`

/**
 * `knowledge.db`: every file that came in, every document and its text, and the work that is left. Files follow rows. What
 * is searched stands in `search.db`, which can be made again from this file. Times are epoch milliseconds; lists are JSON.
 */
export const knowledgeMigrations: readonly Migration[] = [
  `
  ${JOBS_TABLE}

  CREATE TABLE uploads (
    hash TEXT PRIMARY KEY,
    filename TEXT NOT NULL, extension TEXT NOT NULL, size INTEGER NOT NULL,
    category TEXT NOT NULL, title TEXT NOT NULL, source TEXT NOT NULL, source_type TEXT NOT NULL, sidecar TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'processing', 'filed', 'needs_review', 'rejected', 'duplicate')),
    reason TEXT, duplicate_of TEXT,
    received_at INTEGER NOT NULL, changed_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX uploads_state ON uploads (state, received_at);

  CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('pdf', 'text', 'web', 'wiki', 'transcript')),
    filename TEXT NOT NULL, title TEXT NOT NULL, author TEXT NOT NULL, edition TEXT NOT NULL, year TEXT NOT NULL,
    provenance TEXT NOT NULL,
    source TEXT NOT NULL, source_id INTEGER, category TEXT NOT NULL,
    url TEXT, path TEXT, size_bytes INTEGER NOT NULL,
    language TEXT, domain TEXT NOT NULL, taxonomy INTEGER NOT NULL, review TEXT,
    status TEXT NOT NULL, reason TEXT, failed_stage TEXT, warnings TEXT NOT NULL DEFAULT '[]',
    page_count INTEGER NOT NULL DEFAULT 0, ocr_pages INTEGER NOT NULL DEFAULT 0,
    item_count INTEGER NOT NULL DEFAULT 0, vector_count INTEGER NOT NULL DEFAULT 0,
    text_hash TEXT, simhash TEXT,
    created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
    extracted_at INTEGER, enriched_at INTEGER, completed_at INTEGER
  ) STRICT;
  CREATE INDEX documents_status ON documents (status, changed_at);
  CREATE INDEX documents_source ON documents (source_id, status);
  CREATE INDEX documents_listed ON documents (created_at, id);
  CREATE INDEX documents_review ON documents (id) WHERE review IS NOT NULL;
  CREATE INDEX documents_title ON documents (title, author);
  CREATE INDEX documents_text ON documents (text_hash) WHERE text_hash IS NOT NULL;

  CREATE TABLE document_hashes (
    hash TEXT PRIMARY KEY, document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX document_hashes_document ON document_hashes (document_id);

  CREATE TABLE pages (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    number INTEGER NOT NULL, text TEXT NOT NULL, method TEXT NOT NULL, start_seconds REAL,
    PRIMARY KEY (document_id, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE windows (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    number INTEGER NOT NULL, first_page INTEGER NOT NULL, last_page INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('done', 'failed')), reason TEXT, provider TEXT NOT NULL,
    PRIMARY KEY (document_id, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    window INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('extract', 'llm')),
    first_page INTEGER NOT NULL, last_page INTEGER NOT NULL,
    title TEXT NOT NULL, summary TEXT NOT NULL, content TEXT NOT NULL, details TEXT NOT NULL,
    UNIQUE (document_id, window, origin, ordinal)
  ) STRICT;

  CREATE TABLE file_moves (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL, from_path TEXT NOT NULL, to_path TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('planned', 'done')), at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX file_moves_planned ON file_moves (id) WHERE state = 'planned';

  CREATE TABLE passage_codes (
    code TEXT PRIMARY KEY, document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    page INTEGER NOT NULL, item_id INTEGER, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE key_health (
    id TEXT PRIMARY KEY,
    calls INTEGER NOT NULL DEFAULT 0, errors INTEGER NOT NULL DEFAULT 0, last_used INTEGER,
    valid INTEGER, last_validated INTEGER,
    cool_until INTEGER NOT NULL DEFAULT 0, strikes INTEGER NOT NULL DEFAULT 0, quarantine TEXT
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE library_sources (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    filename TEXT NOT NULL UNIQUE, uuid TEXT NOT NULL,
    title TEXT NOT NULL, description TEXT NOT NULL, language TEXT NOT NULL, category TEXT NOT NULL UNIQUE,
    size_bytes INTEGER NOT NULL, mtime INTEGER NOT NULL,
    article_count INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('present', 'missing', 'removing')), reason TEXT,
    ingest_enabled INTEGER NOT NULL DEFAULT 0, checkpoint INTEGER NOT NULL DEFAULT 0, read_to_end INTEGER NOT NULL DEFAULT 0,
    detected_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, started_at INTEGER, completed_at INTEGER
  ) STRICT;
  CREATE INDEX library_sources_uuid ON library_sources (uuid);

  CREATE TABLE archive_articles (
    source_id INTEGER NOT NULL REFERENCES library_sources (id) ON DELETE CASCADE,
    path TEXT NOT NULL, title TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('document', 'duplicate', 'skipped', 'failed')), reason TEXT,
    document_id INTEGER, text_hash TEXT,
    PRIMARY KEY (source_id, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX archive_articles_text ON archive_articles (source_id, text_hash);
  CREATE INDEX archive_articles_state ON archive_articles (source_id, state);

  CREATE TABLE scrape_jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    url TEXT NOT NULL, title TEXT NOT NULL, language TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'scraping', 'registering', 'completed', 'failed', 'cancelled')),
    engine TEXT, crawl_mode TEXT, limits TEXT NOT NULL,
    page_count INTEGER NOT NULL DEFAULT 0, total INTEGER, message TEXT,
    archive TEXT, source_id INTEGER, cancel_requested INTEGER NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL, started_at INTEGER, completed_at INTEGER
  ) STRICT;
  CREATE INDEX scrape_jobs_status ON scrape_jobs (status, id);
  `,
  // The station itself asks this while radios wait: never a look at every row of a large library.
  `
  CREATE INDEX documents_totals ON documents (status, item_count, vector_count);
  CREATE INDEX documents_category ON documents (category);
  CREATE INDEX documents_domain ON documents (domain);
  CREATE INDEX documents_kind ON documents (kind);
  `,
  // Names are searched in the index alone: a tenth of the bytes of the rows.
  `
  DROP INDEX documents_title;
  CREATE INDEX documents_names ON documents (title, author, filename);
  `,
  // The jobs decide by columns of their own; the warnings are for people.
  `
  ALTER TABLE documents ADD COLUMN copy_asked INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE documents ADD COLUMN model_warning TEXT;
  UPDATE documents SET copy_asked = 1
    WHERE EXISTS (SELECT 1 FROM json_each(warnings) WHERE value LIKE 'It was held as a probable copy of%');
  UPDATE documents SET
    model_warning = (SELECT value FROM json_each(warnings) WHERE value LIKE 'The language model wrote nothing for pages%'),
    warnings = (SELECT json_group_array(value) FROM json_each(warnings)
                WHERE value NOT LIKE 'The language model wrote nothing for pages%')
    WHERE warnings LIKE '%"The language model wrote nothing for pages%';
  `,
  // Rows hold reasons, not sentences (docs/decisions/0024): a sentence of an older version stays as a note, or gets its code.
  `
  CREATE TABLE old_sentences (said TEXT PRIMARY KEY, code TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO old_sentences VALUES ${OLD_SENTENCES.map(([said, code]) => `(${quoted(said)}, ${quoted(code)})`).join(', ')};
  ${HELD_SENTENCES.map(
    ([table, column]) => `UPDATE ${table} SET ${column} = ${asReason(column)} WHERE ${column} IS NOT NULL;`
  ).join('\n  ')}
  UPDATE documents SET warnings = (SELECT json_group_array(json(${asReason('value')})) FROM json_each(warnings))
    WHERE warnings <> '[]';
  UPDATE documents SET review = json_set(review, '$.reason', json(${asReason("json_extract(review, '$.reason')")}))
    WHERE json_extract(review, '$.reason') IS NOT NULL;
  DROP TABLE old_sentences;
  `,
  // The findings of a crawl beside its archive: what it could not fetch, what it cut, the documents it brought.
  `
  ALTER TABLE scrape_jobs ADD COLUMN resumed_pages INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE scrape_jobs ADD COLUMN resumed_after TEXT;
  ALTER TABLE scrape_jobs ADD COLUMN resumed_times INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE scrape_jobs ADD COLUMN missed_count INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE scrape_jobs ADD COLUMN capped_count INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE scrape_jobs ADD COLUMN document_count INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE scrape_findings (
    job_id INTEGER NOT NULL REFERENCES scrape_jobs (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('missed', 'capped', 'document')),
    address TEXT NOT NULL, reason TEXT, pages INTEGER NOT NULL DEFAULT 0, kept INTEGER NOT NULL DEFAULT 0,
    state TEXT CHECK (state IN ('taken', 'here', 'refused')), hash TEXT,
    PRIMARY KEY (job_id, kind, address)
  ) STRICT, WITHOUT ROWID;
  `,
  // A damaged archive is not one that is missing. Those that were taken before are looked at once more: a time that no file has
  // makes them news. The column is changed by another of its name: its table is one that others point to.
  `
  ALTER TABLE library_sources ADD COLUMN standing TEXT NOT NULL DEFAULT 'missing'
    CHECK (standing IN ('present', 'missing', 'damaged', 'removing'));
  UPDATE library_sources SET standing = state;
  ALTER TABLE library_sources DROP COLUMN state;
  ALTER TABLE library_sources RENAME COLUMN standing TO state;
  ALTER TABLE library_sources ADD COLUMN claimed_uuid TEXT NOT NULL DEFAULT '';
  UPDATE library_sources SET mtime = 0;
  `,
  // Small files first, and what ended the worker last.
  `
  ${JOBS_ORDER}
  UPDATE jobs SET weight = (SELECT size FROM uploads WHERE hash = subject) WHERE kind = 'dispatch';
  UPDATE jobs SET weight = (SELECT max(size_bytes, page_count * 3000) FROM documents WHERE id = CAST(subject AS INTEGER))
    WHERE kind IN ('extract', 'enrich', 'embed');
  `,
  // Copies are found by what their texts have in common: a sketch of each, and its smallest numbers to look for.
  `
  CREATE TABLE text_sketches (
    document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    words INTEGER NOT NULL, hashes BLOB NOT NULL
  ) STRICT;
  CREATE TABLE text_sketch_keys (
    value INTEGER NOT NULL, document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    PRIMARY KEY (value, document_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX text_sketch_keys_document ON text_sketch_keys (document_id);
  `,
  // Lists of addresses and folders that are taken in as one job. The station writes one row, and thousands of entries are the worker's
  // business: no reference, because with one the row would take them along. Counts stand in the row, so that no page counts.
  `
  CREATE TABLE bulk_jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('addresses', 'folder')),
    place TEXT NOT NULL, disk TEXT, list TEXT NOT NULL, category TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'listing', 'taking', 'paused', 'stopped', 'done', 'failed')),
    reason TEXT, current TEXT, stop_asked INTEGER NOT NULL DEFAULT 0, retry_asked INTEGER NOT NULL DEFAULT 0, waits INTEGER NOT NULL DEFAULT 0,
    listed INTEGER NOT NULL DEFAULT 0, repeated INTEGER NOT NULL DEFAULT 0, left_out INTEGER NOT NULL DEFAULT 0,
    found INTEGER NOT NULL DEFAULT 0, taken INTEGER NOT NULL DEFAULT 0, duplicate INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, ended_at INTEGER
  ) STRICT;

  CREATE TABLE bulk_entries (
    id INTEGER PRIMARY KEY,
    bulk_id INTEGER NOT NULL,
    what TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('left', 'taken', 'duplicate', 'refused', 'failed')),
    hash TEXT, duplicate_of TEXT, reason TEXT,
    attempts INTEGER NOT NULL DEFAULT 0, due_at INTEGER NOT NULL DEFAULT 0,
    UNIQUE (bulk_id, what)
  ) STRICT;
  CREATE INDEX bulk_entries_of ON bulk_entries (bulk_id);
  CREATE INDEX bulk_entries_state ON bulk_entries (bulk_id, state);
  CREATE INDEX bulk_entries_hash ON bulk_entries (bulk_id, hash) WHERE hash IS NOT NULL;
  `
]
