/**
 * The yardsticks of `npm run bench`, so that its targets hold on any board: an empty Node start, and a bare SQLite
 * insert of the same bytes, both on this machine and beside whatever else it does.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { openDatabase } from '../src/platform/database/database.ts'
import { median, percentile, type Row } from './bench-part.ts'

const STARTS = 7
const INSERTS = 300

let start: number | null = null

/** Milliseconds of a Node process that does nothing, from its start to its end; measured once a part. */
export function emptyStartMs(): number {
  start ??= median(
    Array.from({ length: STARTS }, () => {
      const begun = performance.now()
      spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' })
      return performance.now() - begun
    })
  )
  return start
}

/** A time with a limit in empty Node starts; `share` of a core it had. Its milliseconds stand behind it. */
export function atMostStarts(what: string, ms: number, limit: number, share = 1): Row[] {
  const times = ms / (emptyStartMs() / share)
  return [
    { what: `${what}, in empty Node starts`, value: times, unit: '×', target: `<= ${limit} ×`, ok: times <= limit },
    { what, value: ms, unit: 'ms' }
  ]
}

/** As `atMostStarts`, against bare inserts: `bare` is what one of them takes. */
export function atMostInserts(what: string, ms: number, bare: number, limit: number): Row[] {
  const times = ms / bare
  return [
    { what: `${what}, in bare inserts`, value: times, unit: '×', target: `<= ${limit} ×`, ok: times <= limit },
    { what, value: ms, unit: 'ms' }
  ]
}

/** One row of these bytes with one key, durable, `together` of them in a commit. Milliseconds for one. */
export async function bareInsert(
  folder: string,
  bytes: number,
  together: number
): Promise<{ p99Ms: number; medianMs: number; cpuMs: number }> {
  const db = await openDatabase({
    path: join(folder, `bare-${bytes}-${together}.db`),
    migrations: ['CREATE TABLE bare (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;'],
    synchronous: 'FULL'
  })
  const body = 'x'.repeat(bytes)
  const insert = db.sql('INSERT INTO bare VALUES (?, ?)')
  const times: number[] = []
  const before = process.cpuUsage()
  for (let commit = 0; commit < INSERTS; commit++) {
    const begun = performance.now()
    db.transaction(() => {
      for (let at = 0; at < together; at++) insert.run(`urn:bench:${(commit * 7919) % 9973}.${at}`, body)
    })
    times.push((performance.now() - begun) / together)
  }
  const { user, system } = process.cpuUsage(before)
  db.close()
  const cpuMs = (user + system) / 1000 / INSERTS / together
  return { p99Ms: percentile(times, 0.99), medianMs: median(times), cpuMs }
}
