import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const found = new Map<string, string>()

/**
 * The absolute path of an installed program, or null. Programs that were found are remembered and looked at again each time;
 * one that is installed while we run is found at the next call.
 */
export function findProgram(name: string, path: string = process.env['PATH'] ?? ''): string | null {
  if (isAbsolute(name)) return isProgram(name) ? name : null
  const key = `${path}\n${name}`
  const known = found.get(key)
  if (known !== undefined && isProgram(known)) return known
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name)
    // An empty or relative entry means the current folder, where untrusted files may lie.
    if (!isAbsolute(folder) || !isProgram(file)) continue
    found.set(key, file)
    return file
  }
  found.delete(key)
  return null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
