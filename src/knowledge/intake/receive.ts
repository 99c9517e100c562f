import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document, Upload } from '../catalogue/document.ts'
import type { UploadStatus } from '../catalogue/states.ts'
import { exists, isInIntake } from '../catalogue/status.ts'
import type { NewUpload, UploadStore } from '../catalogue/uploads.ts'
import { arrive, intakeFolderOf, type Sidecar, uploadOf } from './arrival.ts'
import { cleanCategory, cleanName, cleanTitle } from './names.ts'
import { checkSpace, explained, type FreeBytes, freeBytes, type Part, removeFile, storePart } from './parts.ts'
import { refusedByHead, refusedByName, sniff } from './sniff.ts'
import { type IntakeType, UPLOAD_TYPES } from './upload-type.ts'

/** The sender's facts about a file. */
export interface UploadFacts {
  filename: string
  category?: string
  title?: string
  /** Default `dashboard_upload`. */
  source?: string
  /** Default: the intake folder it comes in by. */
  sourceType?: string
  /** RFC 3339; default: now. */
  uploadedAt?: string
  /** The SHA-256 that the sender has announced; other bytes are refused. */
  sha256?: string
  /** More for the sidecar. */
  more?: Record<string, unknown>
}

export interface ReceiverSettings {
  maxBytes: number
  minFreeBytes: number
}

interface Options {
  /** The data folder. */
  folder: string
  catalogue: Catalogue
  uploads: UploadStore
  settings: () => ReceiverSettings
  now: () => number
  /** Called after a file has arrived: there is work. */
  onArrival: () => void
  free?: FreeBytes
  /** Below the folder of parts, for a process whose leftovers it removes itself. */
  ownParts?: string
}

/** The file that is here already. */
export interface Existing {
  hash: string
  filename: string
  status: UploadStatus
  /** Its document has failed, and can be tried again. */
  retryable: boolean
}

/** The same file is here already (contract §8). */
export class DuplicateError extends AppError {
  readonly existing: Existing

  constructor(existing: Existing, hint: Reason | null = null) {
    const { filename, status } = existing
    const here = { filename, status }
    super(
      'conflict',
      hint === null ? because('file_here_already', here) : because('file_here_with_hint', { ...here, hint })
    )
    this.existing = existing
  }
}

/**
 * Takes files in: bytes to disk, hashed on the way, looked at, compared with everything that is here, then put into the
 * intake folder with a sidecar, a record and the job that goes on with it. Nothing is left of a file that is refused.
 */
export class Receiver {
  readonly #options: Options
  /** Hashes that are being placed by this process: of two equal files at the same time the second waits for the first. */
  readonly #placing = new Map<string, Promise<unknown>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** The folder in which bytes under way are kept; on the file system of the intake folders. */
  get partsFolder(): string {
    return join(this.#options.folder, 'acquired', '.parts', this.#options.ownParts ?? '')
  }

  get settings(): ReceiverSettings {
    return this.#options.settings()
  }

  /** Free space where files arrive. */
  get free(): FreeBytes {
    return this.#options.free ?? freeBytes
  }

  /** @throws AppError `no-space` when so many bytes more would leave less than the floor. */
  async checkSpace(wanted: number, minFree = this.settings.minFreeBytes): Promise<void> {
    await makeBelow(this.#options.folder, this.partsFolder)
    await checkSpace(this.partsFolder, wanted, minFree, this.free)
  }

  /**
   * The bytes of one upload, to be given to `accept` or `drop`. @throws AppError `too-large`, `no-space`, `bad-input` when
   * the sender breaks off, `unsupported` as soon as the first bytes say so.
   */
  store(content: AsyncIterable<Uint8Array>, { announced = 0, filename = '' } = {}): Promise<Part> {
    const { maxBytes, minFreeBytes } = this.settings
    const look = (head: Buffer): void => refuseHead(head, filename)
    return storePart(content, this.partsFolder, { maxBytes, minFreeBytes, announced, look }, this.free)
  }

  drop(part: Part): Promise<void> {
    return removeFile(part.path)
  }

  /**
   * Takes the stored bytes in. When it throws, they are where they were: `drop` them. @throws AppError `invalid` when they
   * are none, `unsupported` when they are none of the types, DuplicateError.
   */
  async accept(part: Part, facts: UploadFacts, types: readonly IntakeType[] = UPLOAD_TYPES): Promise<NewUpload> {
    try {
      if (part.size === 0) throw new AppError('invalid', because('upload_empty'))
      if (facts.sha256 !== undefined && facts.sha256 !== part.hash)
        throw new AppError('bad-input', because('upload_hash_differs'))
      const type = await typeOf(part, facts.filename, types)
      return await this.#alone(part.hash, () => this.#place(part, type, facts))
    } catch (error) {
      throw explained(error)
    }
  }

  async #place(part: Part, type: IntakeType, facts: UploadFacts): Promise<NewUpload> {
    const { folder, uploads, onArrival, now } = this.#options
    await this.#checkNew(part)
    const sidecar: Sidecar = {
      ...facts.more,
      original_filename: cleanName(facts.filename),
      category: cleanCategory(facts.category ?? ''),
      title: cleanTitle(facts.title ?? ''),
      source: facts.source ?? 'dashboard_upload',
      source_type: facts.sourceType ?? intakeFolderOf(type),
      uploaded_at: facts.uploadedAt ?? new Date(now()).toISOString()
    }
    await arrive(part, type, sidecar, join(folder, 'acquired'))
    const upload = uploadOf(part, type, sidecar)
    addOnce(uploads, upload)
    onArrival()
    return upload
  }

  /**
   * The file with these bytes that is here already, under whatever name: filed, waiting, in progress. Null: it may come. For
   * whoever knows the hash before the bytes are sent; `accept` decides by the same.
   */
  async find(hash: string): Promise<Existing | null> {
    return (await this.#duplicate({ hash, path: '' }))?.existing ?? null
  }

  /** For a hash that a sender announces before a byte comes. @throws DuplicateError. */
  async demandNew(hash: string | undefined): Promise<void> {
    const existing = hash === undefined ? null : await this.find(hash)
    if (existing !== null) throw new DuplicateError(existing)
  }

  /** @throws DuplicateError when another file with this hash is in the catalogue, in the intake or in progress. */
  async #checkNew(part: Pick<Part, 'hash' | 'path'>): Promise<void> {
    const { uploads } = this.#options
    const { hash } = part
    const duplicate = await this.#duplicate(part)
    if (duplicate !== null) throw duplicate
    const upload = uploads.get(hash)
    if (upload === null || isOver(upload)) return
    // It may have been filed while the folders were looked at. If not, the record claims nothing: its file is nowhere.
    const filed = this.#inCatalogue(hash)
    if (filed !== null) throw filed
    uploads.forget(hash)
  }

  async #duplicate({ hash, path }: Pick<Part, 'hash' | 'path'>): Promise<DuplicateError | null> {
    const { catalogue, uploads } = this.#options
    const filed = this.#inCatalogue(hash)
    if (filed !== null) return filed
    const upload = uploads.get(hash)
    const over = upload !== null && isOver(upload)
    const original = over ? catalogue.byHash(upload.duplicateOf ?? '') : null
    if (original !== null) return duplicateOf(original, because('content_is_same'))
    const status = await this.#placeOf({ hash, path }, over)
    return status === null
      ? null
      : new DuplicateError({ hash, filename: upload?.filename ?? '', status, retryable: false })
  }

  #inCatalogue(hash: string): DuplicateError | null {
    const { catalogue } = this.#options
    const owner = catalogue.byHash(hash)
    if (owner === null) return null
    const hint = catalogue.isBeingRemoved(owner.id) ? because('being_removed_try_again') : null
    return duplicateOf(owner, hint)
  }

  async #placeOf({ hash, path }: Pick<Part, 'hash' | 'path'>, over: boolean): Promise<UploadStatus | null> {
    const { uploads, folder } = this.#options
    if (await isInIntake(hash, folder, path)) return 'pending'
    // A folder that a crash left beside a finished record is no claim.
    if (over) return null
    return uploads.isUnderWay(hash) || (await exists(join(folder, 'processing', hash))) ? 'processing' : null
  }

  /** Runs `work` when nobody else in this process works on the same hash. */
  async #alone<T>(hash: string, work: () => Promise<T>): Promise<T> {
    while (this.#placing.has(hash)) await this.#placing.get(hash)?.catch(() => undefined)
    const running = work()
    this.#placing.set(hash, running)
    try {
      return await running
    } finally {
      this.#placing.delete(hash)
    }
  }
}

/** It has come to an end without a document: the same file may come again. */
function isOver({ state }: Pick<Upload, 'state'>): boolean {
  return state === 'rejected' || state === 'duplicate'
}

/** A look at the folders may have seen the file before its record was written, and written the same. */
function addOnce(uploads: UploadStore, upload: NewUpload): void {
  try {
    uploads.add(upload)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'conflict')) throw error
  }
}

function duplicateOf({ hash, filename, status }: Document, hint: Reason | null): DuplicateError {
  const retryable = status === 'failed'
  return new DuplicateError({ hash, filename, status, retryable }, retryable ? because('try_that_one_instead') : hint)
}

/** @throws AppError `unsupported`. */
async function typeOf(part: Part, filename: string, types: readonly IntakeType[]): Promise<IntakeType> {
  const found = await sniffFile(part.path, part.size, filename)
  if (found.type === null) throw unsupported(found.looksLike)
  if (!types.includes(found.type)) throw unsupported(because('looks_like_ending', { ending: found.type }))
  // Only of an upload: whoever puts a file into a folder may call it what they like.
  const misnamed = types === UPLOAD_TYPES ? refusedByName(filename, found.type) : null
  if (misnamed !== null) throw unsupported(misnamed)
  return found.type
}

/** The type of a file on the disk. */
export async function sniffFile(path: string, size: number, filename: string): ReturnType<typeof sniff> {
  const handle = await open(path, 'r')
  try {
    const read = async (from: number, length: number): Promise<Buffer> => {
      if (from < 0 || from >= size) return Buffer.alloc(0)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(length, size - from)), 0, null, from)
      return buffer.subarray(0, bytesRead)
    }
    return await sniff({ size, read }, filename)
  } finally {
    await handle.close()
  }
}

/** @throws AppError `unsupported` when the first bytes say that the rest need not come. */
export function refuseHead(head: Buffer, filename: string): void {
  const looksLike = refusedByHead(head, filename)
  if (looksLike !== null) throw unsupported(looksLike)
}

function unsupported(looksLike: Reason): AppError {
  return new AppError('unsupported', because('not_a_format_taken', { looks_like: looksLike }))
}
