import { storageFaultOf } from '../../platform/database/storage-fault.ts'
import { AppError } from '../../platform/errors.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'

/** A part that could not be read: its name, and a code of ours, of the system (`EACCES`) or of SQLite (`sqlite_5`). Never a message: it names paths. */
export interface Unread {
  part: string
  why: string
}

/** Runs one part of the bundle; a broken part is noted in `unread` and answered by null. @throws what is a bug. */
export async function part<T>(name: string, unread: Unread[], read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    unread.push({ part: name, why: whyOf(error) })
    return null
  }
}

function whyOf(error: unknown): string {
  const fault = storageFaultOf(error)
  if (fault !== null) return `storage_${fault}`
  if (error instanceof AppError) return error.reason.code
  const code = errorCode(error)
  if (/^E[A-Z0-9]{2,}$/.test(code)) return code
  // A table that an older or newer program keeps otherwise is a fact about this station, not a bug of this verb.
  if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')
    return `sqlite_${error.errcode & 0xff}`
  throw error
}
