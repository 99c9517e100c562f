import { stat } from 'node:fs/promises'

/** Within one tick of a file system's clock two saves look alike. FAT ticks every 2 s. */
const RACY_MS = 2000

/** Tells one state of a file from another without reading it; null when that cannot be told: it was saved just now, or cannot be seen. */
export async function fileSignature(path: string, now: number): Promise<string | null> {
  try {
    const { ino, size, mtimeNs, mtimeMs, ctimeNs } = await stat(path, { bigint: true })
    return Math.abs(now - Number(mtimeMs)) < RACY_MS ? null : [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    // Whoever reads the file next finds out what is wrong with it, and says so.
    return null
  }
}
