import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundBundle } from '../dashboard/server/update.ts'
import { errorCode } from '../platform/files/atomic-file.ts'
import { statOrNull } from '../platform/files/names-in.ts'

/** Where a stick is: our own one (deploy/systemd/lookout-stick), and where desktops and people mount theirs. */
export const STICKS = ['/run/lookout-stick', '/media', '/mnt']

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
