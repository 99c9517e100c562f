import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder with more entries than this is too full to be looked at often, and for our purposes. */
const MAX_ENTRIES = 100_000

/**
 * Bytes of all files below, links not followed; files that go while we look count as nothing. A folder with more than
 * 100,000 entries counts as infinitely large.
 */
export async function folderBytes(folder: string): Promise<number> {
  const waiting = [folder]
  let sum = 0
  let entries = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      if (++entries > MAX_ENTRIES) return Number.POSITIVE_INFINITY
      const path = join(next, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isFile())
        sum += await lstat(path).then(
          ({ size }) => size,
          () => 0
        )
    }
  }
  return sum
}
