import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundBackup } from '../dashboard/server/backups.ts'
import type { FoundBundle } from '../dashboard/server/update.ts'
import { BackupFolder } from '../platform/backup/manifest.ts'
import { errorCode } from '../platform/files/atomic-file.ts'
import { statOrNull } from '../platform/files/names-in.ts'

/** Where a stick is: our own one (deploy/systemd/lookout-stick), and where desktops and people mount theirs. */
export const STICKS = ['/run/lookout-stick', '/media', '/mnt']

/** In the folder that was named: a stick may hold other things too. */
export const BACKUPS = 'lookout-backups'

const BUNDLE = /^lookout-[\w.+-]{1,64}-linux-(?:arm64|x64)\.tar\.xz$/
/** `/media/USER/STICK/`. */
const DEEPEST = 2
/** A stick may hold a life's photographs. */
const MOST_NAMES = 500
const MOST_FOUND = 20

/** Bundles below these folders, by their names; what may not be read is passed over. */
export async function findBundles(folders: readonly string[]): Promise<FoundBundle[]> {
  const found: FoundBundle[] = []
  for (const folder of folders) await lookIn(folder, DEEPEST, found)
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Backups that were made by themselves: below these folders, in one of the name they get. Newest first. */
export async function findBackups(folders: readonly string[]): Promise<FoundBackup[]> {
  const places = new Set<string>()
  for (const folder of folders) await lookForBackups(folder, DEEPEST, places)
  const found: FoundBackup[] = []
  for (const folder of places)
    for (const stamp of (await new BackupFolder(folder).stamps()).complete) found.push({ folder, stamp })
  return found.sort((a, b) => (a.stamp < b.stamp ? 1 : -1)).slice(0, MOST_FOUND)
}

async function lookForBackups(folder: string, deeper: number, places: Set<string>): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (!entry.isDirectory() || places.size >= MOST_FOUND) continue
    const path = join(folder, entry.name)
    if (entry.name === BACKUPS) places.add(path)
    else if (deeper > 0) await lookForBackups(path, deeper - 1, places)
  }
}

async function lookIn(folder: string, deeper: number, found: FoundBundle[]): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (found.length >= MOST_FOUND) return
    const path = join(folder, entry.name)
    if (entry.isDirectory() && deeper > 0) await lookIn(path, deeper - 1, found)
    if (!entry.isFile() || !BUNDLE.test(entry.name)) continue
    const stats = await statOrNull(path)
    if (stats !== null) found.push({ path, size: stats.size })
  }
}

async function entriesOf(folder: string) {
  try {
    return (await readdir(folder, { withFileTypes: true })).slice(0, MOST_NAMES)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return []
  }
}
