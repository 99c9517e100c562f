import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { StartOptions } from '../cli/verb.ts'
import type { BackupPort, BackupState, FoundBackup, ReadProgress } from '../dashboard/server/backups.ts'
import type { PartialUploads } from '../knowledge/intake/partial-uploads.ts'
import { because, type Reason } from '../model/reason.ts'
import { BACKUP_STATE, type KeptState, readBackupState } from '../platform/backup/kept-state.ts'
import { BackupFolder } from '../platform/backup/manifest.ts'
import { type BackupFile, backupFile } from '../platform/backup/one-file.ts'
import { RESTORE_NEW } from '../platform/backup/place.ts'
import type { BackupConfig } from '../platform/backup/settings.ts'
import { type Clock, systemClock } from '../platform/clock/clock.ts'
import { isClockSet } from '../platform/clock/clock-set.ts'
import type { Stopper } from '../platform/clock/stopper.ts'
import { AppError, reasonOf } from '../platform/errors.ts'
import { errorCode, writeFileAtomic } from '../platform/files/atomic-file.ts'
import type { Log } from '../platform/log/log.ts'
import { type BackupFacts, BackupUpload } from './backup-upload.ts'
import {
  type BackupMade,
  type BackupWish,
  backUpBeside,
  type JudgeWish,
  judgeBeside,
  putReadyBeside,
  type RestoreWish
} from './backup-work.ts'
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
  putReady?: (wish: RestoreWish, onProgress: (progress: ReadProgress) => void) => Promise<void>
  judge?: (wish: JudgeWish) => Promise<BackupFacts>
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
  #progress: ReadProgress | null = null
  #fileFailed: Reason | null = null
  #notRestored: Reason | null = null
  readonly #upload: BackupUpload
  #tidied: Promise<void> | null = null
  #cancel: () => void

  constructor(options: BackupsOptions) {
    const clock = options.clock ?? systemClock
    const make = (wish: BackupWish): Promise<BackupMade> => backUpBeside({ clock, log: options.log }, wish)
    const putReady = (wish: RestoreWish, onProgress: (progress: ReadProgress) => void): Promise<void> =>
      putReadyBeside({ clock, log: options.log }, wish, onProgress)
    const judge = (wish: JudgeWish): Promise<BackupFacts> => judgeBeside({ clock, log: options.log }, wish)
    this.#o = { stick: STICK, sticks: STICKS, make, putReady, judge, ...options, clock }
    this.#upload = new BackupUpload({
      dataFolder: options.dataFolder,
      clock,
      log: options.log,
      judge: (file) => this.#o.judge({ file, version: options.version }),
      refuseWhileBusy: () => this.#refuseWhileReading()
    })
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
      progress: this.#progress,
      fileFailed: this.#fileFailed,
      uploaded: this.#upload.staged,
      judging: this.#upload.judging,
      notRestored: this.#notRestored,
      ...this.#kept
    }
  }

  get uploads(): PartialUploads {
    return this.#upload.uploads
  }

  begin(): void {
    this.#begin(() => this.#run())
  }

  beginFile(): void {
    this.#begin(() => this.#runFile())
  }

  #begin(work: () => Promise<void>): void {
    if (this.#busy) throw new AppError('conflict', because('backup_running'))
    this.#busy = true
    work()
      .catch((error: unknown) => this.#o.log.error({ err: error }, 'the state of backups could not be stored'))
      .finally(() => (this.#busy = false))
  }

  find(): Promise<FoundBackup[]> {
    return findBackups([this.state().folder, this.#downloads, ...this.#o.sticks])
  }

  async restore(one: FoundBackup): Promise<void> {
    this.#refuseWhileReading()
    await this.#refuseUnknown(one)
    this.#read({ folder: one.folder }, one.stamp)
  }

  async restoreUploaded(): Promise<void> {
    this.#refuseWhileReading()
    this.#refuseWhileJudging()
    const facts = this.#upload.staged?.facts ?? null
    if (facts === null) throw new AppError('not-found', because('backup_none_uploaded'))
    this.#read({ file: this.#upload.file }, facts.stamp)
  }

  async discardUploaded(): Promise<void> {
    this.#refuseWhileReading()
    this.#refuseWhileJudging()
    await this.#upload.discard()
  }

  async file(one: FoundBackup): Promise<BackupFile> {
    await this.#refuseUnknown(one)
    return backupFile(new BackupFolder(one.folder), one.stamp)
  }

  /** @throws AppError `not-found`: only what was found is read, wherever a request points. */
  async #refuseUnknown({ folder, stamp }: FoundBackup): Promise<void> {
    const known = (await this.find()).some((one) => one.folder === folder && one.stamp === stamp)
    if (!known) throw new AppError('not-found', because('bundle_not_found', { path: join(folder, stamp) }))
  }

  /** @throws AppError `conflict` */
  #refuseWhileReading(): void {
    if (this.#busy || this.#restore !== null) throw new AppError('conflict', because('backup_running'))
  }

  #refuseWhileJudging(): void {
    if (this.#upload.judging) throw new AppError('conflict', because('backup_looked_at'))
  }

  #read(from: RestoreWish['from'], stamp: string): void {
    this.#restore = 'reading'
    this.#notRestored = null
    const { dataFolder, version, log } = this.#o
    const done = async (): Promise<void> => {
      await this.#tidied
      await this.#o.putReady({ dataFolder, from, stamp, version }, (progress) => {
        this.#progress = progress
      })
      // It is on the disk twice by now.
      if ('file' in from) await this.#upload.discard()
    }
    done().then(
      () => {
        this.#restore = 'ready'
        log.info({ ...from, stamp }, 'a backup was read in and takes its place at the next start')
        this.#o.onReady()
      },
      (error: unknown) => {
        this.#restore = null
        this.#progress = null
        this.#notRestored = reasonOf(error)
        log.warn({ err: error }, 'a backup could not be put back')
      }
    )
  }

  /** The one that is made to be downloaded. */
  get #downloads(): string {
    return join(this.#o.dataFolder, 'backup-file')
  }

  /** Takes up an upload that an earlier start has taken in, and removes the remains of a reading that was cut off. */
  async open(): Promise<void> {
    await this.#upload.open()
    this.#tidied = rm(join(this.#o.dataFolder, RESTORE_NEW), { recursive: true, force: true })
    await this.#tidied
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

  /** One on the same card is no backup of the card: it is not told as a good one. */
  async #runFile(): Promise<void> {
    const { dataFolder, version, make, log } = this.#o
    this.#fileFailed = null
    try {
      await make({ dataFolder, folder: join(this.#downloads, BACKUPS), keep: 1, version })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.#fileFailed = reasonOf(error)
      log.warn({ err: error }, 'a backup to be downloaded could not be made')
    }
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
export async function openBackups(
  options: BackupsOptions & { mode: StartOptions['mode'] },
  stopper: Stopper
): Promise<Backups | null> {
  if (options.mode === 'preview') return null
  const backups = new Backups(options)
  await backups.open()
  stopper.add('backups', () => backups.close())
  return backups
}
