import { closeSync, fsyncSync, openSync } from 'node:fs'
import { nextTurn } from '../../platform/clock/slices.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { removeDatabase } from '../../platform/database/put-aside.ts'
import { type DamagedFile, openDamaged } from './damaged-file.ts'
import { putBack } from './put-back.ts'
import { copyRows, tablesOf } from './rescue.ts'
import { fileOptions, quietly } from './storage-files.ts'

/** The number of rows that a new file has of a damaged one, and the tables of which something is lost. */
export interface Salvaged {
  rows: number
  lost: string[]
}

/** Copies what can be read of the damaged file at `path` into a new one at `renewed`, which then is whole and on the disk. */
export type Salvage = (path: string, renewed: string) => Promise<Salvaged>

const SLICE_MS = 8

/** In slices. A disk that dies takes seconds for a page, so a station with radios lets another process do it. */
export function salvageHere(path: string, renewed: string, isOver?: () => boolean): Promise<Salvaged> {
  return renew(path, renewed, { isOver, open: () => openDamaged(path) })
}

/** Begins anew where nothing can be read: with what the log of what was heard knows alone. */
export function beginAnew(path: string, renewed: string, isOver?: () => boolean): Promise<Salvaged> {
  return renew(path, renewed, { isOver, open: () => null })
}

async function renew(
  path: string,
  renewed: string,
  { isOver = () => false, open }: { isOver: (() => boolean) | undefined; open: () => DamagedFile | null }
): Promise<Salvaged> {
  removeDatabase(renewed)
  const fresh = await openDatabase({ ...fileOptions(renewed), synchronous: 'OFF', journal: 'TRUNCATE' })
  const done: Salvaged = { rows: 0, lost: [] }
  const damaged = open()
  try {
    for (const table of tablesOf(fresh)) {
      if (damaged === null) {
        done.lost.push(table)
        continue
      }
      const result = await inSlices(fresh, copyRows(damaged.db, fresh, { table }), isOver)
      if (result === null) return done
      done.rows += result.copied
      if (result.lost) done.lost.push(table)
    }
    await inSlices(fresh, putBack(fresh, path), isOver)
  } finally {
    damaged?.close()
    quietly(fresh)
  }
  // Nothing of it was synced so far: until it has its name a power cut costs nothing.
  const file = openSync(renewed, 'r+')
  fsyncSync(file)
  closeSync(file)
  return done
}

/** The answer of the work; null when it is over before that. */
async function inSlices<T>(fresh: Database, work: Generator<undefined, T>, isOver: () => boolean): Promise<T | null> {
  while (!isOver()) {
    const step = fresh.transaction(() => {
      const until = performance.now() + SLICE_MS
      let next = work.next()
      while (next.done !== true && performance.now() < until) next = work.next()
      return next
    })
    if (step.done === true) return step.value
    await nextTurn()
  }
  return null
}
