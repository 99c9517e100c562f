import { JOBS_ORDER, JOBS_TABLE } from '../../../src/knowledge/jobs/schema.ts'
import { JobStore } from '../../../src/knowledge/jobs/store.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'

export const START = Date.UTC(2026, 5, 1)

export interface JobSetup {
  clock: VirtualClock
  db: Database
  store: JobStore
}

/** Jobs alone, beside a table of what their commits left. */
export async function jobSetup(t: { teardown: (task: () => void) => unknown }): Promise<JobSetup> {
  const db = await openDatabase({
    path: ':memory:',
    migrations: [`${JOBS_TABLE} ${JOBS_ORDER} CREATE TABLE done (subject TEXT NOT NULL, by TEXT NOT NULL) STRICT;`],
    synchronous: 'NORMAL'
  })
  t.teardown(() => db.close())
  const clock = new VirtualClock(START)
  return { clock, db, store: new JobStore({ db, now: () => clock.now() }) }
}

/** Subjects whose work was stored, as often as it was. */
export function stored(db: Database): string[] {
  return db
    .sql('SELECT subject FROM done ORDER BY rowid')
    .all()
    .map((row) => String(row['subject']))
}

export function storeDone(db: Database, subject: string, by = ''): void {
  db.sql('INSERT INTO done (subject, by) VALUES (?, ?)').run(subject, by)
}
