import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database, openDatabaseNow } from '../lib/database.ts'
import { errorText } from '../lib/errors.ts'
import { storageFaultOf } from '../lib/storage-fault.ts'
import { copyRows, tablesOf } from './rescue.ts'
import { ledgerMigrations } from './schema.ts'

export interface Place {
  file: string | null
  folder: string | null
}

export function fileOptions(path: string): Parameters<typeof openDatabaseNow>[0] {
  return { path, migrations: ledgerMigrations, synchronous: 'FULL' }
}

/** Until the next start: what was open before may still remove a log of this name. */
export const IN_PLACE = { journal: 'TRUNCATE' } as const

/** What stands at the path: another inode is another file. */
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

/** A file that was taken away by hand is made anew from memory. */
export function copyAll(from: Database, into: Database): void {
  into.transaction(() => {
    for (const table of tablesOf(into)) {
      const rows = copyRows(from, into, { table })
      for (let step = rows.next(); step.done !== true; ) step = rows.next()
    }
  })
}

/** Closing writes what it can; a disk that fails may refuse that too. Closed twice is closed. */
export function quietly(db: Database): void {
  try {
    db.close()
  } catch (error) {
    if (storageFaultOf(error) === null && !/not open/.test(errorText(error))) throw error
  }
}
