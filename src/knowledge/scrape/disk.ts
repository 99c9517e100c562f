import { statfs } from 'node:fs/promises'
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
  return new AppError(
    'no-space',
    `there is not enough space on the disk: ${megabytes(free)} are free, and ${megabytes(floor)} are kept free (uploads.min_free_bytes). Remove something, then try again`
  )
}
