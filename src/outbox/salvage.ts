import { closeSync, fsyncSync, openSync } from 'node:fs'
import { openDatabase } from '../lib/database.ts'
import { removeDatabase } from '../lib/put-aside.ts'
import { nextTurn } from '../lib/slices.ts'
import { openDamaged } from './damaged-file.ts'
import { copyRows, tablesOf } from './rescue.ts'
import { fileOptions, quietly } from './storage-files.ts'

/** How many rows a new file has of a damaged one, and the tables of which something is lost. */
export interface Salvaged {
  rows: number
  lost: string[]
}

/** Copies what can be read of the damaged file at `path` into a new one at `renewed`, which then is whole and on the disk. */
export type Salvage = (path: string, renewed: string) => Promise<Salvaged>

const SLICE_MS = 8

/** In slices. A disk that dies takes seconds for a page, so a station with radios lets another process do it. */
export async function salvageHere(
  path: string,
  renewed: string,
  isOver: () => boolean = () => false
): Promise<Salvaged> {
  removeDatabase(renewed)
  const fresh = await openDatabase({ ...fileOptions(renewed), synchronous: 'OFF', journal: 'TRUNCATE' })
  const done: Salvaged = { rows: 0, lost: [] }
  const damaged = openDamaged(path)
  try {
    for (const table of tablesOf(fresh)) {
      if (damaged === null) {
        done.lost.push(table)
        continue
      }
      const rows = copyRows(damaged.db, fresh, { table })
      let step: ReturnType<typeof rows.next> = { done: false, value: undefined }
      while (step.done !== true && !isOver()) {
        step = fresh.transaction(() => {
          const until = performance.now() + SLICE_MS
          let next = rows.next()
          while (next.done !== true && performance.now() < until) next = rows.next()
          return next
        })
        await nextTurn()
      }
      if (step.done !== true) return done
      done.rows += step.value.copied
      if (step.value.lost) done.lost.push(table)
    }
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
