import { because, type Reason } from '../../model/reason.ts'
import { DISK_WAIT_MS, waitsForDisk } from '../../platform/database/storage-fault.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'
import type { Job } from './job.ts'
import { LONE_AFTER } from './order.ts'

/** A program that is missing is installed by somebody, who may release the job; one that cannot be started now may be the next time. Milliseconds. */
const WAITS: Partial<Record<ErrorCode, number>> = { missing: 60 * 60_000, unavailable: 5 * 60_000 }

/** How long a job waits where the machine is to blame and not its file, in milliseconds; null: the file may be. */
export function waitOf(error: unknown): number | null {
  if (waitsForDisk(error)) return DISK_WAIT_MS
  return error instanceof AppError ? (WAITS[error.code] ?? null) : null
}

/** The reason why a job that is left waits; null while it runs, was given up, or is the next. */
export function waitOfJob(
  { state, reason, dueAt, deaths }: Job,
  { now, ahead }: { now: number; ahead: () => number }
): Reason | null {
  if (state === 'held') return reason
  if (state !== 'waiting') return null
  if (deaths >= LONE_AFTER) return because('runs_alone', { times: deaths })
  if (dueAt > now)
    return reason === null
      ? because('rests_until', { until: dueAt })
      : because('rests_until_because', { until: dueAt, why: reason })
  const count = ahead()
  return count === 0 ? null : because('behind_others', { count })
}
