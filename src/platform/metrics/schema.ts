import type { Migration } from '../database/database.ts'

/** `metrics.db`: one row per kind of measurement and moment. A few days of it may be lost with the power; nothing else hangs on it. */
export const metricsMigrations: readonly Migration[] = [
  `
  CREATE TABLE points (
    type TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (type, at)
  ) STRICT, WITHOUT ROWID;
  `
]
