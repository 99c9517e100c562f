import { rename, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { errorCode, syncFolder } from '../../platform/files/atomic-file.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import { namesIn } from '../../platform/files/names-in.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { UploadState } from '../catalogue/states.ts'
import { exists, INTAKE_FOLDERS, isInIntake } from '../catalogue/status.ts'
import type { UploadStore } from '../catalogue/uploads.ts'
import { uploadOf } from './arrival.ts'
import { type Drop, factsOf, listDrops, STILL_MS } from './drops.ts'
import { cleanName } from './names.ts'
import { checkSize, hashFile, removeFile } from './parts.ts'
import { DuplicateError, type Receiver, type UploadFacts } from './receive.ts'
import { TRANSCRIPT_TYPES, UPLOAD_TYPES } from './upload-type.ts'

const DAY_MS = 86_400_000
const TYPES = [...UPLOAD_TYPES, ...TRANSCRIPT_TYPES]
/**
 * Errors of files that cannot be taken, ever; anything else that is thrown is a passing trouble, and the file stays
 * where it is.
 */
const FINAL: ReadonlySet<string> = new Set(['unsupported', 'invalid', 'too-large'])

interface Options {
  /** The data folder. */
  folder: string
  catalogue: Catalogue
  uploads: UploadStore
  receiver: Receiver
  now: () => number
  log: Pick<Log, 'info' | 'warn'>
}

/** The result of one look at the folders. */
export interface Look {
  taken: number
  /** Moved to `rejected/`: cannot be read, or here already. */
  aside: number
  /** Not yet still, or not to be read at the moment: look again in a while. */
  waiting: number
}

/**
 * Files that people or programs put into the intake folders by themselves: a drop is an upload. Its content and name are
 * treated like any stranger's; nothing is ever deleted, what cannot be taken is moved to `rejected/<hash>/`.
 */
export class IntakeFolders {
  readonly #options: Options
  #looking: Promise<Look> | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** Makes the folders, so that people see where to put files. */
  async prepare(): Promise<void> {
    for (const name of INTAKE_FOLDERS) await makeBelow(this.#options.folder, join(this.#acquired, name))
  }

  /** True when there is a file no record knows: cheap, reads no content. */
  async hasNews(): Promise<boolean> {
    return (await listDrops(this.#acquired)).some((drop) => !this.#isKnown(drop))
  }

  /** Takes in every file that has been still for 10 s. Asked twice at the same time it looks once. */
  look(): Promise<Look> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async #look(): Promise<Look> {
    const look: Look = { taken: 0, aside: 0, waiting: 0 }
    for (const drop of await listDrops(this.#acquired)) {
      if (this.#isKnown(drop)) continue
      look[await this.#take(drop)]++
    }
    return look
  }

  get #acquired(): string {
    return join(this.#options.folder, 'acquired')
  }

  #isKnown({ namedHash }: Drop): boolean {
    const state = namedHash === null ? undefined : this.#options.uploads.get(namedHash)?.state
    return state === 'pending' || state === 'processing'
  }

  async #take(drop: Drop): Promise<keyof Look> {
    const { now, log } = this.#options
    // A time ahead of ours is none of a write that goes on: it was set, or the clock was.
    if (Math.abs(now() - drop.changedAt) < STILL_MS) return 'waiting'
    try {
      return await this.#receive(drop)
    } catch (error) {
      if (errorCode(error) === '' && !(error instanceof AppError)) throw error
      log.warn({ err: error, file: drop.name }, 'a file in an intake folder cannot be read now')
      return 'waiting'
    }
  }

  async #receive(drop: Drop): Promise<keyof Look> {
    const { receiver, log } = this.#options
    const facts = await factsOf(drop)
    const hash = await hashFile(drop.path)
    // It may have been touched while it was read.
    const after = await stat(drop.path)
    if (after.size !== drop.size || Math.max(after.ctimeMs, after.mtimeMs) > drop.changedAt) return 'waiting'
    try {
      checkSize(drop.size, receiver.settings.maxBytes)
      await receiver.accept({ path: drop.path, size: drop.size, hash }, facts, TYPES)
    } catch (error) {
      if (!(error instanceof AppError) || !(error instanceof DuplicateError || FINAL.has(error.code))) throw error
      await this.#putAside(drop, hash, facts, error)
      log.info({ file: drop.name, reason: error.message }, 'a file in an intake folder was put aside')
      return 'aside'
    }
    // Its facts stand in the sidecar beside the new name.
    if (drop.sidecarPath !== null && drop.namedHash !== hash) await removeFile(drop.sidecarPath)
    log.info({ file: drop.name, hash }, 'a file was taken from an intake folder')
    return 'taken'
  }

  async #putAside(drop: Drop, hash: string, facts: UploadFacts, error: AppError): Promise<void> {
    const { folder, uploads } = this.#options
    const aside = join(folder, 'rejected', hash)
    await makeBelow(folder, aside)
    // The record comes first: a crash in between leads to the same once more.
    const record = this.#recordOf(drop, hash, facts)
    const known = uploads.get(hash)
    if (error instanceof DuplicateError) {
      // The record of the same bytes is the record of the original.
      const duplicateOf = error.existing.hash
      if (known === null && duplicateOf !== hash)
        uploads.put({ ...record, state: 'duplicate', reason: error.reason, duplicateOf })
    } else uploads.put({ ...record, state: 'rejected', reason: error.reason, duplicateOf: null })
    if (drop.sidecarPath !== null && drop.namedHash === null)
      await rename(drop.sidecarPath, join(aside, `${cleanName(drop.name)}.meta.json`))
    await rename(drop.path, join(aside, cleanName(drop.name)))
    await syncFolder(aside)
  }

  #recordOf({ size, name, place }: Drop, hash: string, facts: UploadFacts): ReturnType<typeof uploadOf> {
    const sidecar = {
      ...facts.more,
      original_filename: cleanName(facts.filename),
      category: facts.category ?? '',
      title: facts.title ?? '',
      source: facts.source ?? 'folder',
      source_type: place,
      uploaded_at: new Date(this.#options.now()).toISOString()
    }
    return uploadOf({ hash, size }, extname(name).toLowerCase(), sidecar)
  }

  /**
   * Brings rows and files together after the program was down, for whatever reason: a file without a record gets one, a
   * record that waits for a file that is gone says so, bytes of uploads nobody goes on with are removed. To be run before
   * the work on documents begins.
   */
  async reconcile(): Promise<Look> {
    await this.prepare()
    await this.#checkPending()
    await this.#sweepParts()
    return this.look()
  }

  async #checkPending(): Promise<void> {
    const { uploads, catalogue, folder } = this.#options
    for (const { hash } of uploads.list({ state: 'pending', limit: -1 })) {
      const isHere = (await isInIntake(hash, folder)) || (await exists(join(folder, 'processing', hash)))
      if (isHere || catalogue.byHash(hash) !== null) uploads.expect(hash)
      else this.#end(hash, 'rejected', because('file_vanished'))
    }
  }

  #end(hash: string, state: UploadState, reason: Reason): void {
    this.#options.catalogue.transaction(() => {
      this.#options.uploads.setState(hash, state, { reason })
      this.#options.uploads.dropJob(hash)
    })
  }

  async #sweepParts(): Promise<void> {
    const { receiver, now } = this.#options
    for (const name of await namesIn(receiver.partsFolder)) {
      const path = join(receiver.partsFolder, name)
      const found = await stat(path)
      if (found.isFile() && now() - found.mtimeMs > DAY_MS) await removeFile(path)
    }
  }
}
