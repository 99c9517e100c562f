import { closeSync, copyFileSync, existsSync, openSync, readSync, writeSync } from 'node:fs'
import { Database } from '../../platform/database/database.ts'
import { removeDatabase } from '../../platform/database/put-aside.ts'
import { loadedDriver } from '../../platform/database/sqlite-driver.ts'
import { storageFaultOf } from '../../platform/database/storage-fault.ts'

/** A damaged database, opened to be read as far as that goes. */
export interface DamagedFile {
  db: Database
  close: () => void
}

/** SQLite file format §1.3: what every header of ours begins with, up to the counters. 4096 bytes a page, write-ahead log. */
const MAGIC = Buffer.from('SQLite format 3\0', 'latin1')
const HEADER = Buffer.concat([MAGIC, Buffer.from([0x10, 0, 2, 2, 0, 64, 32, 32])])
/** The offset at which the tree of the first page begins, and the types it can have. */
const TREE_AT = 100
const TREE_TYPES = [0x05, 0x0d]

/** No count of pages and no list of free ones, schema format 4, no vacuum, UTF-8: each four bytes at its place. */
const COUNTERS = [
  [28, 0],
  [32, 0],
  [36, 0],
  [44, 4],
  [52, 0],
  [56, 1],
  [64, 0]
] as const

let copies = 0

/** Null when nothing of it can be read. The file itself is not changed. */
export function openDamaged(path: string): DamagedFile | null {
  const direct = opened(path)
  if (direct !== null) return { db: direct, close: () => quietly(direct) }
  const copy = `${path}.reading-${process.pid}-${++copies}`
  removeDatabase(copy)
  const mended = withHeader(path, copy) ? opened(copy) : null
  if (mended === null) removeDatabase(copy)
  if (mended === null) return null
  return {
    db: mended,
    close: () => {
      quietly(mended)
      removeDatabase(copy)
    }
  }
}

function opened(path: string): Database | null {
  let db: Database | null = null
  try {
    db = new Database(new (loadedDriver())(path))
    // The length in the header is not believed: a file that was cut off is read up to its end.
    db.exec('PRAGMA writable_schema = ON; PRAGMA query_only = ON; PRAGMA cache_size = -2000')
    db.sql('SELECT count(*) AS n FROM sqlite_schema').get()
    return db
  } catch (error) {
    if (db !== null) quietly(db)
    if (storageFaultOf(error) === null) throw error
    return null
  }
}

/** A copy with the header that a file of ours has; false when the first page is lost with it. */
function withHeader(path: string, copy: string): boolean {
  const file = openSync(path, 'r')
  const head = Buffer.alloc(TREE_AT + 1)
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  if (!TREE_TYPES.includes(head[TREE_AT] ?? 0)) return false
  copyFileSync(path, copy)
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`)
  const target = openSync(copy, 'r+')
  try {
    writeSync(target, HEADER, 0, HEADER.length, 0)
    const rest = Buffer.alloc(TREE_AT - HEADER.length)
    head.copy(rest, 0, HEADER.length, TREE_AT)
    for (const [at, value] of COUNTERS) rest.writeUInt32BE(value, at - HEADER.length)
    writeSync(target, rest, 0, rest.length, HEADER.length)
  } finally {
    closeSync(target)
  }
  return true
}

/** Closing writes what it can; of a damaged file nothing is expected. */
function quietly(db: Database): void {
  try {
    db.close()
  } catch (error) {
    if (storageFaultOf(error) === null) throw error
  }
}
