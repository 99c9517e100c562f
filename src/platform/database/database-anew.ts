import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { errorText } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { type Database, type DatabaseOptions, openDatabase, openDatabaseNow, openMemory } from './database.ts'
import { DAMAGED, putAside } from './put-aside.ts'
import { storageFaultOf } from './storage-fault.ts'

interface Anew {
  now: () => number
  log: Pick<Log, 'error'>
  /** Other processes have the file open too: while the station runs it cannot be replaced. */
  shared: boolean
}

/**
 * Opens a database that the station can do without (contract §6): a damaged one is put aside and made anew, at the start or when
 * the damage is met. One that others have open is put aside at the next start; until then whoever asks it gets a StorageError.
 * @throws AppError `unavailable` as `openDatabase` does, for anything but damage.
 */
export async function openOrAnew(options: DatabaseOptions, { now, log, shared }: Anew): Promise<Database> {
  const { path } = options
  const marker = path + DAMAGED
  const name = basename(path)
  const aside = (): void => {
    const to = basename(putAside(path, now()))
    log.error({ aside: to }, `${name} was damaged: it is put aside and made anew`)
  }
  if (existsSync(marker)) {
    if (existsSync(path)) aside()
    rmSync(marker)
  }
  const db = await openDatabase({ ...options, probe: true }).catch((error: unknown) => {
    if (storageFaultOf(error) !== 'damaged') throw error
    aside()
    return openDatabaseNow(options)
  })
  db.useRefuge((fault) => {
    if (fault !== 'damaged') return false
    if (shared) {
      if (!existsSync(marker)) {
        log.error(`${name} is damaged: it is put aside and made anew at the next start`)
        writeFileSync(marker, '')
      }
      return false
    }
    const memory = openMemory(options.migrations)
    closed(db.moveTo(memory))
    aside()
    closed(db.moveTo(openDatabaseNow({ ...options, journal: 'TRUNCATE' })))
    return true
  })
  return db
}

function closed(db: Database): void {
  try {
    db.close()
  } catch (error) {
    if (storageFaultOf(error) === null) throw new Error(`a damaged database could not be closed: ${errorText(error)}`)
  }
}
