import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of this process for parsers that read files; in memory where there is such a place. */
const FOLDER = join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `lookout-fuzz-${process.pid}`)

/** Writes a case where its parser looks for it; answers the path. */
export function scratchFile(name: string, content: string | Uint8Array): string {
  const path = join(FOLDER, name)
  try {
    writeFileSync(path, content)
  } catch {
    // The first case of this process: the next try tells why where it is something else.
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, content)
  }
  return path
}

export function removeScratch(): void {
  rmSync(FOLDER, { recursive: true, force: true })
}
