import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { isReason, type Reason } from '../../model/reason.ts'
import { looseObject } from '../config/object.ts'
import { errorCode } from '../files/atomic-file.ts'

/** In the data folder: the last good backup, and what came in the way of the newest. */
export const BACKUP_STATE = 'backup-state.json'

const stateSchema = looseObject({
  last: v.nullable(v.object({ at: v.number(), folder: v.string(), files: v.number(), bytes: v.number() })),
  failed: v.nullable(v.object({ at: v.number(), reason: v.custom<Reason>(isReason) }))
})

/** Times are epoch milliseconds. */
export interface KeptState {
  /** The newest that was read back and found whole. */
  last: { at: number; folder: string; files: number; bytes: number } | null
  /** The reason why the newest try failed; null when it did not. */
  failed: { at: number; reason: Reason } | null
}

/** How the newest backup went, from the file; nothing is known where it cannot be read. */
export function readBackupState(dataFolder: string): KeptState {
  try {
    const value: unknown = JSON.parse(readFileSync(join(dataFolder, BACKUP_STATE), 'utf8'))
    if (v.is(stateSchema, value)) return { last: value.last, failed: value.failed }
  } catch (error) {
    if (errorCode(error) === '' && !(error instanceof SyntaxError)) throw error
  }
  return { last: null, failed: null }
}
