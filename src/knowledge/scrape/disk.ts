import { statfs } from 'node:fs/promises'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'

/** Free bytes of the file system a folder is on; tests pass their own. */
export type FreeBytes = (folder: string) => Promise<number>

export const freeBytes: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** A crawl with less than this beyond the floor is not begun. */
export const ROOM_TO_BEGIN = 100 * 1024 * 1024

export const megabytes = (bytes: number): string => `${Math.max(0, Math.round(bytes / 1e6))} MB`

/** Said when the disk is too full. */
export function diskFull(free: number, floor: number): AppError {
  return new AppError('no-space', because('disk_not_enough_space', { free: megabytes(free), kept: megabytes(floor) }))
}
