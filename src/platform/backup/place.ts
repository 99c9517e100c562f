import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../files/atomic-file.ts'
import { namesIn } from '../files/names-in.ts'

/** A backup that is being read into the data folder, file by file; nothing looks at it. */
export const RESTORE_NEW = 'restore.new'
/** It is whole, and takes its place at the next start. */
export const RESTORE_READY = 'restore.ready'
/** The old data are put aside, and the new ones move up. */
const RESTORE_MOVING = 'restore.moving'
/** A backup that somebody uploads, and that waits to be read in. */
export const RESTORE_UPLOAD = 'restore.upload'
/** The data as they were before a restore. */
const ASIDE = 'before-restore-'

const LOCK = /^lookout\.lock/
/** Of this machine, or large and in hardly any backup: they stay, unless the backup has them. */
const STAYS = /^(update|backup-state\.json|archives|zim|maps|addresses\.sqlite.*|backups|reserve\.bin)$/
const OURS = /^(lookout\.lock.*|before-restore-.*|restore\.(new|ready|moving|upload))$/

/**
 * Puts a restored backup in the place of the data, before anything of them is open: the old ones are moved aside, none is deleted. Done
 * again after a power cut it goes on where it was. Answers the folder of the old data; null when there was nothing to do. Rejects as
 * the disk does. @param at epoch milliseconds, for the name of that folder
 */
export async function placeRestored(dataFolder: string, at: number): Promise<string | null> {
  const names = await readdir(dataFolder)
  let aside: string | null = null
  if (names.includes(RESTORE_READY)) {
    aside = `${ASIDE}${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
    await putAside(dataFolder, names, aside)
    await rename(join(dataFolder, RESTORE_READY), join(dataFolder, RESTORE_MOVING))
    await syncFolder(dataFolder)
  } else if (!names.includes(RESTORE_MOVING)) return null
  const moving = join(dataFolder, RESTORE_MOVING)
  for (const name of await readdir(moving))
    if (!LOCK.test(name)) await rename(join(moving, name), join(dataFolder, name))
  await syncFolder(dataFolder)
  await rm(moving, { recursive: true })
  // The backup that was read in came from there, or the file is an older one.
  await rm(join(dataFolder, RESTORE_UPLOAD), { recursive: true, force: true })
  return (
    aside ??
    names
      .filter((name) => name.startsWith(ASIDE))
      .sort()
      .at(-1) ??
    ''
  )
}

async function putAside(dataFolder: string, names: readonly string[], aside: string): Promise<void> {
  const brought = new Set(await namesIn(join(dataFolder, RESTORE_READY)))
  await mkdir(join(dataFolder, aside), { recursive: true, mode: 0o700 })
  for (const name of names)
    if (!OURS.test(name) && (brought.has(name) || !STAYS.test(name)))
      await rename(join(dataFolder, name), join(dataFolder, aside, name))
  await syncFolder(join(dataFolder, aside))
}
