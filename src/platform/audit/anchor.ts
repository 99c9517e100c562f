import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonOr } from '../bytes/json-or.ts'
import { memberOf } from '../config/json.ts'
import { errorCode } from '../files/atomic-file.ts'

export const AUDIT_ANCHOR = 'audit.head'

/** How far the log of who did what had come: a chain alone cannot tell that lines at one of its ends were taken away. */
export interface Anchor {
  /** Number of the oldest record that is kept. */
  from: number
  /** Number and hash of one that was on the disk at that time. */
  seq: number
  hash: string
}

/** The last anchor of a data folder; null where there is none, or one that nobody can read: it proves nothing then. */
export function readAnchor(folder: string): Anchor | null {
  try {
    const value = jsonOr(null, readFileSync(join(folder, AUDIT_ANCHOR), 'utf8'))
    const [from, seq, hash] = ['from', 'seq', 'hash'].map((name) => memberOf(value, name))
    if (typeof from !== 'number' || typeof seq !== 'number' || typeof hash !== 'string') return null
    return { from, seq, hash }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return null
  }
}

/** True when a generation of the log has the line of this anchor. */
export const isIn = (text: string, { hash }: Anchor): boolean => text.includes(`,"hash":"${hash}"}\n`)

/** To be awaited before an anchor tells of the lines of a file. */
export async function syncLines(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** No sync of its own: whichever anchor a power cut leaves is true, and an empty file is none. */
export function putAnchor(folder: string, anchor: Anchor): void {
  const path = join(folder, AUDIT_ANCHOR)
  writeFileSync(`${path}.tmp`, `${JSON.stringify(anchor)}\n`, { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
}
