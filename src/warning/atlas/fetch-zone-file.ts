import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { because } from '../../model/reason.ts'
import { sha256Hex } from '../../platform/bytes/hash.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { httpGet } from '../../platform/net/fetch.ts'
import { importCommand, type ZoneSource } from './zone-sources.ts'

/** Municipalities of Japan at full detail are 200 MB. */
const MAX_BYTES = 512 * 1024 * 1024
const TOTAL_MS = 30 * 60_000

export interface FetchedFile {
  path: string
  bytes: number
  /** SHA-256 as hex digits: what another station compares its file with. */
  sha256: string
  /** Removes it. */
  remove(): Promise<void>
}

/**
 * Downloads the file of a source into a folder of its own below `zonesFolder`; `from` where it has another address by now.
 * @throws AppError `usage` where it cannot be downloaded so, `unavailable` without a network or an answer: both say what to do by hand.
 */
export async function fetchZoneFile(
  source: ZoneSource,
  {
    zonesFolder,
    userAgent,
    from,
    signal
  }: { zonesFolder: string; userAgent: string; from?: string; signal: AbortSignal }
): Promise<FetchedFile> {
  const address = from ?? source.address
  const command = importCommand(source)
  if (!source.direct && from === undefined)
    throw new AppError('usage', because('zone_file_by_hand', { address, command }))
  const body = await bodyOf(address, { userAgent, signal }).catch((error: unknown) => {
    const why = reasonOf(error)
    throw new AppError('unavailable', because('zone_file_not_fetched', { address, command, why }), { cause: error })
  })
  await mkdir(zonesFolder, { recursive: true })
  const folder = await mkdtemp(join(zonesFolder, '.fetch-'))
  const path = join(folder, source.file)
  await writeFile(path, body)
  return {
    path,
    bytes: body.length,
    sha256: sha256Hex(body),
    remove: () => rm(folder, { recursive: true, force: true })
  }
}

async function bodyOf(url: string, asked: { userAgent: string; signal: AbortSignal }): Promise<Uint8Array> {
  const { status, body } = await httpGet({ url, ...asked, maxBytes: MAX_BYTES, totalMs: TOTAL_MS })
  if (status !== 200) throw new AppError('unavailable', because('zone_file_status', { status }))
  return body
}
