import { readdir, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sizeIfThere } from './copy.ts'
import { lock } from './make.ts'
import type { BackupFolder } from './manifest.ts'

export interface Pruned {
  stamps: string[]
  /** Contents that no manifest names any more. */
  objects: number
  bytes: number
}

/**
 * Keeps the newest `keep` complete stamps and what they name; everything older goes, its manifest first. Nothing is removed
 * when a manifest that stays cannot be read. @throws AppError `bad-input`, `conflict`.
 */
export async function prune(folder: BackupFolder, keep: number): Promise<Pruned> {
  const release = await lock(folder)
  try {
    const { complete } = await folder.stamps()
    const old = complete.slice(0, Math.max(0, complete.length - keep))
    const named = new Set<string>()
    for (const stamp of complete.slice(old.length))
      for (const file of (await folder.manifest(stamp)).files) if (file.stored === 'objects') named.add(file.hash)
    for (const stamp of old) {
      await unlink(folder.manifestPath(stamp))
      await rm(folder.stampFolder(stamp), { recursive: true })
    }
    return { stamps: old, ...(await sweep(folder, named)) }
  } finally {
    release()
  }
}

async function sweep(folder: BackupFolder, named: ReadonlySet<string>): Promise<{ objects: number; bytes: number }> {
  let [objects, bytes] = [0, 0]
  for (const name of await readdir(folder.objects)) {
    if (named.has(name) || !/^[0-9a-f]{64}$/.test(name)) continue
    const path = join(folder.objects, name)
    bytes += (await sizeIfThere(path)) ?? 0
    await unlink(path)
    objects++
  }
  return { objects, bytes }
}
