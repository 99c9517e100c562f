import { because, type Reason } from '../../model/reason.ts'
import { AppError, errorText } from '../errors.ts'

/**
 * The reason why a file cannot be relied on: `full` no room, `io` the disk failed, `read_only` it takes nothing, `gone`
 * file or folder are not where they were, `damaged` the bytes make no sense.
 */
export type StorageFault = 'full' | 'io' | 'read_only' | 'gone' | 'damaged'

/** Primary result codes of SQLite (sqlite3.h): the low byte of an extended one. */
const BY_CODE: Readonly<Record<number, StorageFault>> = {
  8: 'read_only',
  10: 'io',
  11: 'damaged',
  13: 'full',
  14: 'gone',
  26: 'damaged'
}

/** SQLite's own words, for a driver that passes on no code from the middle of a query. */
const BY_WORDS: readonly [RegExp, StorageFault][] = [
  [/database or disk is full/, 'full'],
  [/disk I\/O error/, 'io'],
  [/attempt to write a readonly database/, 'read_only'],
  [/database disk image is malformed|file is not a database|malformed database schema|malformed JSON/, 'damaged'],
  [/unable to open database file/, 'gone']
]

const BY_SYSTEM: Readonly<Record<string, StorageFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EIO: 'io',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
  ENOENT: 'gone',
  ENOTDIR: 'gone'
}

/** A row that makes no sense any more, although SQLite gives it without complaint. */
export class UnreadableRow extends Error {
  constructor(cause: unknown) {
    super('a stored row is damaged', { cause })
  }
}

/** The fault of the disk that an error speaks of; null when it is about something else. */
export function storageFaultOf(error: unknown): StorageFault | null {
  if (error instanceof StorageError) return error.fault
  if (error instanceof UnreadableRow) return 'damaged'
  if (!(error instanceof Error)) return null
  if ('errcode' in error && typeof error.errcode === 'number') return BY_CODE[error.errcode & 0xff] ?? null
  if ('code' in error && typeof error.code === 'string' && error.code in BY_SYSTEM) return BY_SYSTEM[error.code] ?? null
  const text = errorText(error)
  const said = BY_WORDS.find(([words]) => words.test(text))?.[1]
  return said ?? (error.cause === undefined ? null : storageFaultOf(error.cause))
}

/** True when work is to wait and go on by itself: the disk took or gave nothing, and the work is not to blame. */
export function waitsForDisk(error: unknown): boolean {
  if (error instanceof AppError && error.code === 'no-space') return true
  const fault = storageFaultOf(error)
  return fault === 'full' || fault === 'io' || fault === 'read_only'
}

/** The pause before such work is tried again. */
export const DISK_WAIT_MS = 60_000

/** The faults as reasons, without the remedy. */
export const FAULTS: Readonly<Record<StorageFault, Reason>> = {
  full: because('fault_full'),
  io: because('fault_io'),
  read_only: because('fault_read_only'),
  gone: because('fault_gone'),
  damaged: because('fault_damaged')
}

/** Nothing could be stored, and the disk is why. 507 when it is full, else 503. */
export class StorageError extends AppError {
  readonly fault: StorageFault

  constructor(fault: StorageFault, cause?: unknown) {
    const why = FAULTS[fault]
    if (fault === 'full') super('no-space', because('free_some_space', { why }), { cause })
    else super('unavailable', because('stored_nowhere', { why }), { cause })
    this.fault = fault
  }
}
