import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077

/**
 * Takes group and others the right to whatever lies at the top of this folder, and to the folder itself: passwords, places and
 * texts of people lie in it. A closed folder hides all that is below it, so that one look at the top will do. Links are left
 * alone, they lead to somebody else's place. Answers the names that stay open: of another user, or on a disk without modes.
 */
export function keepPrivate(folder: string): string[] {
  const uid = process.getuid?.()
  return openToOthers(folder).filter((name) => {
    const path = join(folder, name)
    const facts = look(path)
    if (facts === null || !isOpen(facts)) return false
    if (facts.uid !== uid) return true
    try {
      chmodSync(path, facts.mode & 0o700)
    } catch {
      // Read-only, or without modes: what is seen afterwards counts.
    }
    const after = look(path)
    return after !== null && isOpen(after)
  })
}

/** Names at the top of the folder to which others than the owner have some right; `.` is the folder. @throws as `readdir`. */
export function openToOthers(folder: string): string[] {
  return ['.', ...readdirSync(folder)].filter((name) => {
    const facts = look(join(folder, name))
    return facts !== null && isOpen(facts)
  })
}

function isOpen(facts: Stats): boolean {
  return !facts.isSymbolicLink() && (facts.mode & OTHERS) !== 0
}

function look(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    // Gone meanwhile, or not ours to look at: then nobody's file is open.
    return null
  }
}
