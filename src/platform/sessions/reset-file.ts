import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '../bytes/hash.ts'
import { errorCode, writeFileAtomic } from '../files/atomic-file.ts'
import { isClaimCode, readClaimCode } from './claim-code.ts'

/** In the data folder: which reset file was obeyed last, for the boot partition is most often read-only to us. */
const OBEYED = 'reset.obeyed'
const MOST_BYTES = 4096

/** A file that somebody put where only whoever holds the card, or root, can. */
export interface ResetFile {
  /** It was not obeyed before: the passphrase is to be forgotten. */
  isNew: boolean
  /** The claim code in its first line; null when there is none of that form. */
  code: string | null
  /** It is never obeyed again, over restarts too. Put there anew, or changed, it is. */
  obeyed: () => Promise<void>
}

/** Looks for the file; null when there is none. @throws the error of a disk that cannot be read. */
export async function findReset(file: string, dataFolder: string): Promise<ResetFile | null> {
  const mark = await markOf(file)
  if (mark === null) return null
  const kept = join(dataFolder, OBEYED)
  const [first = ''] = mark.text.split('\n')
  const before = await readFile(kept, 'utf8').catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
    return ''
  })
  return {
    isNew: before.trim() !== mark.hash,
    code: isClaimCode(first) ? readClaimCode(first) : null,
    obeyed: () => writeFileAtomic(kept, `${mark.hash}\n`, { mode: 0o600 })
  }
}

/** The time of its last change tells one that was put there again from one that was left. */
async function markOf(file: string): Promise<{ text: string; hash: string } | null> {
  try {
    const found = await stat(file)
    if (!found.isFile() || found.size > MOST_BYTES) return null
    const text = await readFile(file, 'utf8')
    return { text, hash: sha256Hex(`${Math.round(found.mtimeMs)}\n${text}`) }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error
    return null
  }
}
