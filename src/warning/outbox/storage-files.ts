import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database, openDatabaseNow } from '../../platform/database/database.ts'
import { openReadOnlyDatabase } from '../../platform/database/database-read-only.ts'
import { type StorageFault, storageFaultOf } from '../../platform/database/storage-fault.ts'
import { AppError, errorText } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import { type DamagedFile, openDamaged } from './damaged-file.ts'
import { ledgerMigrations } from './schema.ts'

export interface Place {
  file: string | null
  folder: string | null
}

export function fileOptions(path: string): Parameters<typeof openDatabaseNow>[0] {
  return { path, migrations: ledgerMigrations, synchronous: 'FULL' }
}

/** Half a second or so for each MiB of the slowest board: who waits for the start of a large file is told why. */
const TOLD_BYTES = 2 * 1024 * 1024

/** Tells, before and after, that a file of an older version is being rewritten. */
export function tellMigration(log: Pick<Log, 'warn'>): (bytes: number) => () => void {
  return (bytes) => {
    const begun = performance.now()
    const megabytes = Math.ceil(bytes / 2 ** 20)
    if (bytes > TOLD_BYTES)
      log.warn(
        { megabytes },
        'lookout.db is brought into the form of this version, once: warnings wait until it is done'
      )
    return () => {
      const seconds = Math.round((performance.now() - begun) / 100) / 10
      if (bytes > TOLD_BYTES) log.warn({ megabytes, seconds }, 'lookout.db is in the form of this version')
    }
  }
}

/** Until the next start: what was open before may still remove a log of this name. */
export const IN_PLACE = { journal: 'TRUNCATE' } as const

/** The identity of the file at the path: another inode is another file. */
export function placeOf(path: string): Place {
  const identity = (at: string): string | null => {
    try {
      const { dev, ino } = statSync(at)
      return `${dev}:${ino}`
    } catch (error) {
      if (storageFaultOf(error) === null) throw error
      return null
    }
  }
  return { file: identity(path), folder: identity(dirname(path)) }
}

/** The readable part of a file that cannot be used; null when that is nothing. */
export async function readable(path: string, fault: StorageFault): Promise<DamagedFile | null> {
  if (fault === 'damaged') return openDamaged(path)
  const db = await openReadOnlyDatabase(path).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
  return db === null ? null : { db, close: () => quietly(db) }
}

/** Closing writes what it can; a disk that fails may refuse that too. Closed twice is closed. */
export function quietly(db: Database): void {
  try {
    db.close()
  } catch (error) {
    if (storageFaultOf(error) === null && !/not open/.test(errorText(error))) throw error
  }
}
