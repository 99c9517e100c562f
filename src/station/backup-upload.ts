import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as v from 'valibot'
import type { UploadedBackup } from '../dashboard/server/backups.ts'
import { PartialUploads } from '../knowledge/intake/partial-uploads.ts'
import { checkSpace } from '../knowledge/intake/parts.ts'
import { because, isReason, type Reason } from '../model/reason.ts'
import { RESTORE_UPLOAD } from '../platform/backup/place.ts'
import { jsonOr } from '../platform/bytes/json-or.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError, reasonOf } from '../platform/errors.ts'
import { placeFile, writeFileAtomic } from '../platform/files/atomic-file.ts'
import { makeBelow } from '../platform/files/make-below.ts'
import type { Log } from '../platform/log/log.ts'
import { textIfThere } from './update-files.ts'

/** Stays free beside the file and what is unpacked of it. */
const MIN_FREE_BYTES = 64 * 2 ** 20
/** The mark of a tar archive (POSIX.1-1988, ustar) at this byte. */
const MARK = { at: 257, text: 'ustar' }

const stagedSchema = v.object({
  name: v.string(),
  size: v.number(),
  facts: v.nullable(
    v.object({ stamp: v.string(), made_by: v.string(), made_at: v.string(), files: v.number(), bytes: v.number() })
  ),
  refused: v.nullable(v.custom<Reason>(isReason))
})

export type BackupFacts = NonNullable<UploadedBackup['facts']>

interface Options {
  dataFolder: string
  clock: Clock
  log: Log
  /** Reads what the file says of itself. @throws AppError for one that is no backup */
  judge: (file: string) => Promise<BackupFacts>
  /** @throws AppError `conflict` while one is read in */
  refuseWhileBusy: () => void
}

/**
 * The backup that somebody uploads: one at a time, in `restore.upload/` of the data folder. There is room for it only when what is
 * unpacked of it has room too. It is judged when it is whole, and nothing of the station changes by that.
 */
export class BackupUpload {
  readonly uploads: PartialUploads
  readonly #o: Options
  readonly #folder: string
  #staged: UploadedBackup | null = null

  constructor(options: Options) {
    this.#o = options
    this.#folder = join(options.dataFolder, RESTORE_UPLOAD)
    this.uploads = new PartialUploads({
      now: () => options.clock.now(),
      receiver: {
        partsFolder: join(this.#folder, '.parts'),
        settings: { maxBytes: Number.POSITIVE_INFINITY },
        onlyOne: true,
        checkSpace: async (wanted) => {
          options.refuseWhileBusy()
          await makeBelow(options.dataFolder, join(this.#folder, '.parts'))
          await checkSpace(this.#folder, 2 * wanted, MIN_FREE_BYTES)
        },
        refuseHead: refuseNoArchive,
        accept: async ({ path, size }, { filename }) => {
          options.refuseWhileBusy()
          await this.#stage(path, { name: basename(filename), size })
        }
      }
    })
  }

  get file(): string {
    return join(this.#folder, 'backup.tar')
  }

  get staged(): UploadedBackup | null {
    return this.#staged
  }

  /** Nobody has found out yet what the file is. */
  get judging(): boolean {
    return this.#staged !== null && this.#staged.facts === null && this.#staged.refused === null
  }

  /** Knows again the file that an earlier start has taken in. One that a kill kept from being judged is judged now. */
  async open(): Promise<void> {
    const value = jsonOr(null, (await textIfThere(this.#note)) ?? '')
    if (!v.is(stagedSchema, value)) return
    this.#staged = value
    if (this.judging) this.#judgeSoon(value)
  }

  async discard(): Promise<void> {
    this.#staged = null
    for (const path of [this.file, this.#note]) await rm(path, { force: true })
  }

  get #note(): string {
    return join(this.#folder, 'backup.json')
  }

  async #stage(part: string, { name, size }: Pick<UploadedBackup, 'name' | 'size'>): Promise<void> {
    await this.discard()
    await placeFile(part, this.file)
    const staged = { name, size, facts: null, refused: null }
    await this.#keep(staged)
    this.#judgeSoon(staged)
  }

  /** A verdict is told once the next start knows it too; one that could not be stored is told all the same. */
  async #keep(staged: UploadedBackup): Promise<void> {
    try {
      await writeFileAtomic(this.#note, `${JSON.stringify(staged)}\n`, { mode: 0o600 })
    } finally {
      this.#staged = staged
    }
  }

  #judgeSoon(staged: UploadedBackup): void {
    this.#judge(staged).catch((error: unknown) =>
      this.#o.log.error({ err: error }, 'what was found out about a backup was not stored')
    )
  }

  async #judge(staged: UploadedBackup): Promise<void> {
    const verdict = await this.#verdict()
    // Another upload has taken its place meanwhile, and has a verdict of its own.
    if (this.#staged !== staged) return
    // A file that is no backup only takes room.
    if (verdict.refused !== null) await rm(this.file, { force: true })
    await this.#keep({ ...staged, ...verdict })
  }

  async #verdict(): Promise<Pick<UploadedBackup, 'facts' | 'refused'>> {
    try {
      return { facts: await this.#o.judge(this.file), refused: null }
    } catch (error) {
      if (!(error instanceof AppError)) this.#o.log.error({ err: error }, 'a backup could not be looked at')
      return { facts: null, refused: reasonOf(error) }
    }
  }
}

function refuseNoArchive(head: Buffer): void {
  const { at, text } = MARK
  if (head.toString('latin1', at, at + text.length) !== text)
    throw new AppError('unsupported', because('backup_file_none'))
}
