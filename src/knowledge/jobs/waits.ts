import { DISK_WAIT_MS, waitsForDisk } from '../../platform/database/storage-fault.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'

/** A program that is missing is installed by somebody, who may release the job; one that cannot be started now may be the next time. Milliseconds. */
const WAITS: Partial<Record<ErrorCode, number>> = { missing: 60 * 60_000, unavailable: 5 * 60_000 }

/** How long a job waits where the machine is to blame and not its file, in milliseconds; null: the file may be. */
export function waitOf(error: unknown): number | null {
  if (waitsForDisk(error)) return DISK_WAIT_MS
  return error instanceof AppError ? (WAITS[error.code] ?? null) : null
}
