import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode, writeFileAtomic } from '../platform/files/atomic-file.ts'
import { CLAIM_CARD_FILE } from '../platform/sessions/claim-code.ts'

/** The file for the claim code: the named one (`off`: none), else one on the boot partition where there is one. */
export function claimFile(named: string | undefined, boot = dirname(CLAIM_CARD_FILE)): string | null {
  if (named === 'off') return null
  if (named !== undefined) return named
  return existsSync(boot) ? join(boot, basename(CLAIM_CARD_FILE)) : null
}

/** Writes the code and where it is typed in. Rejects as the disk does: the boot partition often belongs to root. */
export async function writeClaimFile(file: string, { code, url }: { code: string; url: string }): Promise<void> {
  const text = `Lookout: nobody has chosen the passphrase of this station yet.\r\nClaim code: ${code}\r\nType it in at ${url}/sign-in\r\n`
  await writeFileAtomic(file, text, { mode: 0o600 })
}

/** Takes the file away once somebody has claimed the station. Rejects as the disk does, except where there is none. */
export async function removeClaimFile(file: string): Promise<void> {
  if (!existsSync(dirname(file))) return
  try {
    await unlink(file)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
