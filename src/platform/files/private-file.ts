import { closeSync, fchmodSync, fstatSync, openSync } from 'node:fs'

/** Readable by its owner alone, also one that an older version made; what SQLite puts beside it takes the same mode. */
export function makePrivate(path: string): void {
  let file: number
  try {
    file = openSync(path, 'a', 0o600)
  } catch {
    // SQLite says better what is wrong with it.
    return
  }
  try {
    const { mode, uid } = fstatSync(file)
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) fchmodSync(file, mode & 0o700)
  } finally {
    closeSync(file)
  }
}
