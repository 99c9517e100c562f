import { join } from 'node:path'
import { errorCode } from '../../platform/files/atomic-file.ts'
import type { Log } from '../../platform/log/log.ts'
import { type IntakeFileSystem, intakeFileSystem } from './file-moves.ts'

/** The folder of what was not taken in, relative to the data folder. */
export const REJECTED = 'rejected'
/** Whoever sent a file has this long to look after it, however much there is. */
export const REJECTED_DAYS = 7
const DAY_MS = 86_400_000

interface Kept {
  name: string
  bytes: number
  since: number
}

/**
 * Bounds `rejected/`: while it holds more than `maxBytes`, what has lain there longest goes, once it is a week old. Its record
 * and the reason stay. @returns how much went.
 */
export async function trimRejected({
  folder,
  maxBytes,
  now,
  log,
  fs = intakeFileSystem
}: {
  folder: string
  maxBytes: number
  now: number
  log: Pick<Log, 'info'>
  fs?: IntakeFileSystem
}): Promise<{ folders: number; bytes: number }> {
  const root = join(folder, REJECTED)
  const kept = await Promise.all((await namesIn(fs, root)).map((name) => lookAt(fs, root, name)))
  let total = kept.reduce((sum, { bytes }) => sum + bytes, 0)
  const gone = { folders: 0, bytes: 0 }
  for (const { name, bytes, since } of kept.toSorted((a, b) => a.since - b.since)) {
    if (total <= maxBytes || now - since < REJECTED_DAYS * DAY_MS) break
    await fs.rm(join(root, name), { recursive: true, force: true })
    total -= bytes
    gone.folders += 1
    gone.bytes += bytes
    log.info({ folder: `${REJECTED}/${name}`, bytes }, 'a rejected file was removed: there are too many of them')
  }
  return gone
}

async function lookAt(fs: IntakeFileSystem, root: string, name: string): Promise<Kept> {
  const path = join(root, name)
  const found = await fs.stat(path)
  // Set by the system when it was put here; whatever the file itself says of its age.
  const kept = { name, bytes: found.isDirectory() ? 0 : found.size, since: found.ctimeMs }
  if (!found.isDirectory()) return kept
  for (const file of await fs.readdir(path)) kept.bytes += (await fs.stat(join(path, file))).size
  return kept
}

async function namesIn(fs: IntakeFileSystem, path: string): Promise<string[]> {
  try {
    return await fs.readdir(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
