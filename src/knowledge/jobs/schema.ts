import { TURN } from './order.ts'

/** Table of the durable jobs; part of `knowledge.db` (catalogue/schema.ts). Times are epoch milliseconds. */
export const JOBS_TABLE = `
  CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL, subject TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'held', 'dead')),
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    lease_owner TEXT, lease_until INTEGER,
    reason TEXT, progress TEXT,
    created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
    UNIQUE (kind, subject)
  ) STRICT;
  CREATE INDEX jobs_due ON jobs (kind, due_at, id) WHERE state = 'waiting';
  CREATE INDEX jobs_leased ON jobs (lease_until) WHERE state = 'running';
  CREATE INDEX jobs_held ON jobs (due_at) WHERE state = 'held';
`

/**
 * `weight`: bytes of what is worked on, null where nobody knows. `deaths`: how often the worker ended by itself while the job ran; `death`: how, the last time.
 */
export const JOBS_ORDER = `
  ALTER TABLE jobs ADD COLUMN weight INTEGER;
  ALTER TABLE jobs ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN death TEXT;
  DROP INDEX jobs_due;
  CREATE INDEX jobs_due ON jobs (kind, due_at) WHERE state = 'waiting';
  CREATE INDEX jobs_turn ON jobs (kind, ${TURN}, id) WHERE state = 'waiting';
`
