import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, writeFileAtomic } from '../platform/files/atomic-file.ts'

/** As deploy/hotspot/lookout-hotspot takes them; test/app/hotspot.test.ts holds one to the other. */
export const SSID = /^[A-Za-z0-9._-](?:[A-Za-z0-9 ._-]{0,30}[A-Za-z0-9._-])?$/
export const WIFI_PASSPHRASE = /^[!-:<-[^-~](?:[ -:<-[\]^-~]){6,61}[!-:<-[^-~]$/

/** Written by the station, read by deploy/hotspot/lookout-hotspot. */
const WISH = 'hotspot'
export const hotspotWishFile = (dataFolder: string): string => join(dataFolder, WISH)

/** Written by deploy/hotspot/lookout-hotspot, as root: what became of the wish. */
export const HOTSPOT_STATE = '/run/lookout-hotspot/state'

/** How the hotspot should be. */
export interface HotspotWish {
  on: boolean
  ssid: string
  passphrase: string
  /** Two capitals; empty: as the machine has it. */
  country: string
  channel: number
  /** Its number. */
  asked: number
}

/** The last wish; null when there was none. Lines that we did not write are left out. */
export function readHotspotWish(dataFolder: string): HotspotWish | null {
  const lines = linesOf(hotspotWishFile(dataFolder))
  if (lines === null) return null
  return {
    on: lines['state'] === 'on',
    ssid: lines['ssid'] ?? '',
    passphrase: lines['passphrase'] ?? '',
    country: lines['country'] ?? '',
    channel: Number(lines['channel'] ?? 6),
    asked: Number(lines['asked'] ?? 0)
  }
}

/** Answers the number of the wish. Rejects as the disk does. */
export async function writeHotspotWish(dataFolder: string, wish: Omit<HotspotWish, 'asked'>): Promise<number> {
  const { on, ssid, passphrase, country, channel } = wish
  const asked = (readHotspotWish(dataFolder)?.asked ?? 0) + 1
  const lines = {
    state: on ? 'on' : 'off',
    ssid,
    passphrase,
    ...(country === '' ? {} : { country }),
    channel,
    asked
  }
  const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`)
  await writeFileAtomic(hotspotWishFile(dataFolder), text.join(''), { mode: 0o600 })
  return asked
}

/** Lines `name=value` of a file; null when there is none, or none that may be read. */
export function linesOf(file: string): Record<string, string> | null {
  try {
    const pairs = readFileSync(file, 'utf8').split('\n')
    return Object.fromEntries(
      pairs.flatMap((line) => {
        const at = line.indexOf('=')
        return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)]]
      })
    )
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}
