import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../platform/clock/clock.ts'
import { errorCode, writeFileAtomic } from '../platform/files/atomic-file.ts'
import { CLAIM_CARD_FILE } from '../platform/sessions/claim-code.ts'
import { addressForPhones } from './claim-picture.ts'

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

const LOOK_MS = 5000
/** A cable that is plugged in later is found by its name. */
const LOOKS = 360

interface Kept {
  code: string
  /** The address the station listens at; it may be one for every network. */
  url: string
  clock: Pick<Clock, 'after'>
  interfaces?: () => string | null
  /** Of this machine. */
  name?: string
  onError: (error: unknown) => void
}

/**
 * Keeps the code in its file with an address that somebody can type: until a network is up the name of this machine, then its address there,
 * looked for during half an hour. Ends when somebody has taken the file away. Rejects as the disk does at the first time.
 */
export async function keepClaim(file: string, { code, url, clock, onError, ...rest }: Kept): Promise<void> {
  const { interfaces = () => addressForPhones(url), name = hostname() } = rest
  const found = interfaces()
  await writeClaimFile(file, { code, url: found ?? addressByName(url, name) })
  const look = (left: number): void => {
    if (left === 0 || !existsSync(file)) return
    const address = interfaces()
    if (address === null) clock.after(LOOK_MS, () => look(left - 1))
    else writeClaimFile(file, { code, url: address }).catch(onError)
  }
  if (found === null && isForAll(url)) clock.after(LOOK_MS, () => look(LOOKS))
}

/** `http://0.0.0.0:8080` is no address of anybody: the name that the board answers to (RFC 6762) is. */
function addressByName(url: string, name: string): string {
  if (!isForAll(url)) return url
  const { protocol, port } = new URL(url)
  const [own = name] = name.split('.')
  return `${protocol}//${own}.local${port === '' ? '' : `:${port}`}`
}

const isForAll = (url: string): boolean => ['0.0.0.0', '[::]'].includes(new URL(url).hostname)

/** Takes the file away once somebody has claimed the station. Rejects as the disk does, except where there is none. */
export async function removeClaimFile(file: string): Promise<void> {
  if (!existsSync(dirname(file))) return
  try {
    await unlink(file)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
