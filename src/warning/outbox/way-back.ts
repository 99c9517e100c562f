import { renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Database, openDatabaseNow } from '../../platform/database/database.ts'
import { removeDatabase, syncNames } from '../../platform/database/put-aside.ts'
import { copyPages } from './copy-pages.ts'
import type { MemoryCopy } from './memory-copy.ts'
import { putBack } from './put-back.ts'
import { tablesOf } from './rescue.ts'
import { fileOptions, IN_PLACE, placeOf, quietly } from './storage-files.ts'

/** Work on the file between two looks at the radios. */
const SLICE_MS = 3

/** Lets others go on; false: it is not wanted any more. */
export type Pause = () => Promise<boolean>

/**
 * The rows of memory go into the file that is there, in steps; the last of them is the caller's: `memory.changes.finish`, in one go
 * with taking the file. False: it is not wanted any more.
 */
export function intoFile(memory: MemoryCopy, file: Database, path: string, pause: Pause): Promise<boolean> {
  return inSteps(file, memory.changes.most(file, placeOf(path).file), { memory, pause })
}

/** The same at once: where nobody waits. */
export function intoFileNow(memory: MemoryCopy, file: Database, path: string): void {
  for (const steps = memory.changes.most(file, placeOf(path).file); !step(file, steps, memory); );
  memory.changes.finish(file)
}

/**
 * A file that was taken away by hand is made anew beside its place, from memory and from the log of what was heard; what comes
 * meanwhile is decided in memory, and goes in with the last step: `place`. Null: it is not wanted any more.
 */
export async function madeAnew(memory: MemoryCopy, path: string, pause: Pause): Promise<{ place: () => void } | null> {
  const renewed = `${path}.new`
  removeDatabase(renewed)
  // Nothing of it is synced before all of it is there: until it has its name a power cut costs nothing.
  const fresh = openDatabaseNow({ ...fileOptions(renewed), ...IN_PLACE, synchronous: 'OFF' })
  try {
    if (!(await pause())) return null
    if (!(await inSteps(fresh, fromMemory(memory, fresh, path), { memory, pause }))) return null
    if (!(await intoFile(memory, fresh, renewed, pause))) return null
  } finally {
    quietly(fresh)
  }
  const file = await open(renewed, 'r+')
  await file.sync().finally(() => file.close())
  return { place: () => place(memory, renewed, path) }
}

/** The same at once: at the end of the program. */
export function makeAnewNow(memory: MemoryCopy, path: string): void {
  const renewed = `${path}.new`
  removeDatabase(renewed)
  const fresh = openDatabaseNow({ ...fileOptions(renewed), ...IN_PLACE })
  try {
    for (const steps = fromMemory(memory, fresh, path); !step(fresh, steps, memory); );
    intoFileNow(memory, fresh, renewed)
  } finally {
    quietly(fresh)
  }
  place(memory, renewed, path)
}

function* fromMemory(memory: MemoryCopy, fresh: Database, path: string): Generator<undefined, void> {
  for (const table of tablesOf(fresh)) yield* copyPages(memory.db, fresh, { table, upTo: memory.changes.baseOf(table) })
  yield* putBack(fresh, path)
}

function place(memory: MemoryCopy, renewed: string, path: string): void {
  const fresh = openDatabaseNow({ ...fileOptions(renewed), ...IN_PLACE })
  try {
    memory.changes.finish(fresh)
  } finally {
    quietly(fresh)
  }
  renameSync(renewed, path)
  // Its journal, which is empty.
  removeDatabase(renewed)
  syncNames(dirname(path))
}

async function inSteps(
  file: Database,
  steps: Generator<undefined, void>,
  { memory, pause }: { memory: MemoryCopy; pause: Pause }
): Promise<boolean> {
  while (!step(file, steps, memory)) if (!(await pause())) return false
  return true
}

/** One slice in a transaction of its own. True: that was the last. */
function step(file: Database, steps: Generator<undefined, void>, { changes }: MemoryCopy): boolean {
  const undo = changes.mark()
  try {
    return file.transaction(() => {
      const until = performance.now() + SLICE_MS
      for (;;) {
        if (steps.next().done === true) return true
        if (performance.now() >= until) return false
      }
    })
  } catch (error) {
    undo()
    throw error
  }
}
