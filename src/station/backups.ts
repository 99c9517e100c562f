import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StartOptions } from '../cli/verb.ts'
import type { BackupPort, BackupState, FoundBackup } from '../dashboard/server/backups.ts'
import { because, type Reason } from '../model/reason.ts'
import { BACKUP_STATE, type KeptState, readBackupState } from '../platform/backup/kept-state.ts'
import type { BackupConfig } from '../platform/backup/settings.ts'
import { type Clock, systemClock } from '../platform/clock/clock.ts'
import { isClockSet } from '../platform/clock/clock-set.ts'
import type { Stopper } from '../platform/clock/stopper.ts'
import { AppError, reasonOf } from '../platform/errors.ts'
import { errorCode, writeFileAtomic } from '../platform/files/atomic-file.ts'
import type { Log } from '../platform/log/log.ts'
import { type BackupMade, type BackupWish, backUpBeside, putReadyBeside, type RestoreWish } from './backup-work.ts'
import { BACKUPS, findBackups, STICKS } from './bundle-search.ts'

/** Where deploy/systemd/lookout-stick mounts a stick labelled LOOKOUT. */
export const STICK = '/run/lookout-stick'
const HOUR_MS = 3_600_000
const PERIOD_MS = { daily: 24 * HOUR_MS, weekly: 7 * 24 * HOUR_MS }
/** Not at the start, which has other things to do. */
const FIRST_LOOK_MS = 5 * 60_000
const LOOK_MS = 10 * 60_000
/** A full stick is not tried again at every look: each try reads all documents. */
const AGAIN_MS = HOUR_MS

interface BackupsOptions {
  dataFolder: string
  version: string
  config: () => BackupConfig
  log: Log
  clock?: Clock
  stick?: string
  make?: (wish: BackupWish) => Promise<BackupMade>
  putReady?: (wish: RestoreWish) => Promise<void>
  /** Folders below which sticks are mounted. */
  sticks?: readonly string[]
  /** A backup waits for the next start. */
  onReady: () => void
}

/** Makes backups by itself, as often as the configuration says, and tells how the newest went. */
export class Backups implements BackupPort {
  readonly #o: Required<BackupsOptions>
  #kept: KeptState
  #busy = false
  #restore: BackupState['restore'] = null
  #notRestored: Reason | null = null
  #cancel: () => void

  constructor(options: BackupsOptions) {
    const clock = options.clock ?? systemClock
    const make = (wish: BackupWish): Promise<BackupMade> => backUpBeside({ clock, log: options.log }, wish)
    const putReady = (wish: RestoreWish): Promise<void> => putReadyBeside({ clock, log: options.log }, wish)
    this.#o = { stick: STICK, sticks: STICKS, make, putReady, ...options, clock }
    this.#kept = readBackupState(options.dataFolder)
    this.#cancel = clock.after(FIRST_LOOK_MS, () => this.#look())
  }

  state(): BackupState {
    const { every, folder } = this.#o.config()
    const place = folder === '' ? this.#o.stick : folder
    return {
      every,
      folder: place,
      busy: this.#busy,
      restore: this.#restore,
      notRestored: this.#notRestored,
      ...this.#kept
    }
  }

  begin(): void {
    if (this.#busy) throw new AppError('conflict', because('backup_running'))
    this.#busy = true
    this.#run()
      .catch((error: unknown) => this.#o.log.error({ err: error }, 'the state of backups could not be stored'))
      .finally(() => (this.#busy = false))
  }

  find(): Promise<FoundBackup[]> {
    return findBackups([this.state().folder, ...this.#o.sticks])
  }

  async restore({ folder, stamp }: FoundBackup): Promise<void> {
    if (this.#busy || this.#restore === 'reading') throw new AppError('conflict', because('backup_running'))
    const known = (await this.find()).some((one) => one.folder === folder && one.stamp === stamp)
    if (!known) throw new AppError('not-found', because('bundle_not_found', { path: join(folder, stamp) }))
    this.#restore = 'reading'
    this.#notRestored = null
    const { dataFolder, version, log } = this.#o
    this.#o.putReady({ dataFolder, folder, stamp, version }).then(
      () => {
        this.#restore = 'ready'
        log.info({ folder, stamp }, 'a backup was read in and takes its place at the next start')
        this.#o.onReady()
      },
      (error: unknown) => {
        this.#restore = null
        this.#notRestored = reasonOf(error)
        log.warn({ err: error }, 'a backup could not be put back')
      }
    )
  }

  /** The reason why backups that should be made are not; null when they are, or when nobody wants any. */
  problem(): Reason | null {
    return this.#o.config().every === 'off' ? null : (this.#kept.failed?.reason ?? null)
  }

  close(): void {
    this.#cancel()
  }

  #look(): void {
    this.#cancel = this.#o.clock.after(LOOK_MS, () => this.#look())
    if (!this.#busy && this.#isDue(this.#o.clock.now())) this.begin()
  }

  #isDue(now: number): boolean {
    const { every } = this.#o.config()
    if (every === 'off' || !isClockSet(now)) return false
    const { last, failed } = this.#kept
    if (last !== null && now - last.at < PERIOD_MS[every]) return false
    // Somebody may have plugged the stick in: that is soon found out.
    return failed === null || now - failed.at >= AGAIN_MS || PLACE_CODES.has(failed.reason.code)
  }

  async #run(): Promise<void> {
    const { config, dataFolder, version, clock, make, log } = this.#o
    try {
      const folder = join(this.#place(), BACKUPS)
      const { files, bytes } = await make({ dataFolder, folder, keep: config().keep, version })
      await this.#keep({ last: { at: clock.now(), folder, files, bytes }, failed: null })
      log.info({ folder, files, bytes }, 'a backup was made and found whole')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const reason = reasonOf(error)
      if (this.#kept.failed?.reason.code !== reason.code) log.warn(reason)
      await this.#keep({ last: this.#kept.last, failed: { at: clock.now(), reason } })
    }
  }

  /** @throws AppError `missing`: a folder is never made, for where nothing is mounted that would fill the card. */
  #place(): string {
    const { config, stick } = this.#o
    const { folder } = config()
    if (folder !== '') {
      if (deviceOf(folder) === null) throw new AppError('missing', because('backup_folder_missing', { folder }))
      return folder
    }
    const device = deviceOf(stick)
    if (device === null || device === deviceOf(dirname(stick)))
      throw new AppError('missing', because('backup_stick_missing'))
    return stick
  }

  async #keep(kept: KeptState): Promise<void> {
    this.#kept = kept
    await writeFileAtomic(join(this.#o.dataFolder, BACKUP_STATE), `${JSON.stringify(kept)}\n`, { mode: 0o600 })
  }
}

const PLACE_CODES: ReadonlySet<string> = new Set(['backup_stick_missing', 'backup_folder_missing'])

/** The device that a folder lies on; null where there is none. */
function deviceOf(folder: string): number | null {
  try {
    const stats = statSync(folder)
    return stats.isDirectory() ? stats.dev : null
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}

/** Null in a preview, which writes nothing. */
export function openBackups(
  options: BackupsOptions & { mode: StartOptions['mode'] },
  stopper: Stopper
): Backups | null {
  if (options.mode === 'preview') return null
  const backups = new Backups(options)
  stopper.add('backups', () => backups.close())
  return backups
}
