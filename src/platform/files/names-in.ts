import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { errorCode } from './atomic-file.ts'

/** Names in a folder; none when it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await unlessMissing(readdir(folder))) ?? []
}

/** Null for what is not there. `look` is `lstat` where a link counts as itself. */
export function statOrNull(path: string, look: (path: string) => Promise<Stats> = stat): Promise<Stats | null> {
  return unlessMissing(look(path))
}

async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
