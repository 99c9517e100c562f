import type { WorkContext } from '../cli/verb.ts'
import { because } from '../model/reason.ts'
import { makeBackup } from '../platform/backup/make.ts'
import { BackupFolder } from '../platform/backup/manifest.ts'
import { prune } from '../platform/backup/prune.ts'
import { verifyBackups } from '../platform/backup/verify.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log/log.ts'
import { SideProcess } from '../platform/process/side-process.ts'
import { serveSide } from '../platform/process/side-service.ts'

const HEAP_MIB = 96
const IDLE_MS = 2000
/** A first backup of a large library to a slow stick. */
const LONGEST_MS = 6 * 3_600_000

export interface BackupWish {
  dataFolder: string
  folder: string
  keep: number
  version: string
}

export interface BackupMade {
  stamp: string
  files: number
  bytes: number
}

/** Role `backup`: copies and reads everything where nobody waits for it. */
export async function runBackup(_: WorkContext): Promise<number> {
  const side = serveSide({ handlers: { backup: (asked) => backUp(wishOf(asked)) }, idleMs: IDLE_MS })
  return side.ended
}

function wishOf(asked: unknown): BackupWish {
  const { dataFolder, folder, keep, version } = asked as Record<string, unknown>
  if (typeof dataFolder !== 'string' || typeof folder !== 'string' || typeof keep !== 'number')
    throw new AppError('bad-input', because('no_file_named'))
  return { dataFolder, folder, keep, version: typeof version === 'string' ? version : '' }
}

/**
 * Adds a backup, reads it back, and only then removes what is too old: a stick that lies costs no backup that was good.
 * @throws AppError as `makeBackup` does; `bad-input` when it is not whole
 */
export async function backUp({ dataFolder, folder, keep, version }: BackupWish): Promise<BackupMade> {
  const quiet = { tell: () => undefined, onProgress: () => undefined, now: () => Date.now() }
  // With keys: whoever has the stick has the passphrase's hash and the channels anyway, and a station restored without them is half one.
  const made = await makeBackup({
    dataFolder,
    backupFolder: folder,
    withKeys: true,
    withArchives: false,
    version,
    ...quiet
  })
  const backups = new BackupFolder(folder)
  const { damaged } = await verifyBackups(backups, { stamp: made.stamp })
  const [first] = damaged
  if (first !== undefined)
    throw new AppError('bad-input', because('backup_not_whole', { file: first.path, count: damaged.length }))
  await prune(backups, keep)
  return { stamp: made.stamp, files: made.files, bytes: made.bytes }
}

/** Lets another process do it: neither a slow stick nor a large file holds up the radios. */
export async function backUpBeside({ clock, log }: { clock: Clock; log: Log }, wish: BackupWish): Promise<BackupMade> {
  const side = new SideProcess({ name: 'backup', args: ['work', 'backup'], heapMib: HEAP_MIB, clock, log })
  try {
    return await side.request<BackupMade>('backup', { ...wish }, { timeoutMs: LONGEST_MS })
  } finally {
    await side.stop()
  }
}
