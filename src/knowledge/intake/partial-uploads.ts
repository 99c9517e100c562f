import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { type Outcome, PartialFiles } from './partial-files.ts'
import { checkSize, expectErrors, explained, type Part } from './parts.ts'
import { DuplicateError, refuseHead, type UploadFacts } from './receive.ts'
import { HEAD_BYTES } from './sniff.ts'

/** An upload nobody continues is forgotten after this. */
export const PARTIAL_LIFE_MS = 24 * 3_600_000
/** More at once are not begun: each keeps space on the disk. */
const MOST_OPEN = 100
const LOOK_AGAIN_BYTES = 16 * 1024 * 1024

/** The taker of what has come whole: the receiver of documents, or whoever takes other files. */
export interface PartialTaker {
  partsFolder: string
  /** `maxBytes` Infinity: no limit but the space. */
  settings: { maxBytes: number }
  checkSpace: (wanted: number) => Promise<void>
  /** The bytes are at `part.path`; it takes them from there, or throws and leaves them. */
  accept: (part: Part, facts: UploadFacts) => Promise<unknown>
  /** Before a byte comes: throws for a file of such a name or length. */
  refuse?: (length: number, facts: UploadFacts) => void
  /** Looks at the first bytes, and throws when the rest need not come; without it as documents are looked at. */
  refuseHead?: (head: Buffer, filename: string) => void
  /** A new upload takes the place of those that are not finished: there is room for one. */
  onlyOne?: boolean
  /** Names the bytes of a file; without it their SHA-256. */
  identify?: (path: string) => Promise<string>
}

/** A resumable upload as it is on the disk. */
export interface PartialUpload {
  id: string
  length: number
  /** Bytes that are here. */
  offset: number
  facts: UploadFacts
  /** Epoch milliseconds. */
  expiresAt: number
  outcome: Outcome | null
}

interface Writer {
  content: Readable
  done: Promise<unknown>
}

/**
 * Uploads that may break off and go on, also after the program was killed: what counts is what is on the disk. Whole, they
 * are hashed and given to the receiver like any other; how that ended is remembered until they expire, so that a client
 * that missed the answer can ask again.
 */
export class PartialUploads {
  readonly #receiver: PartialTaker
  readonly #now: () => number
  readonly #files: PartialFiles
  readonly #writers = new Map<string, Writer>()
  /** One step at a time for each upload. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor({ receiver, now }: { receiver: PartialTaker; now: () => number }) {
    this.#receiver = receiver
    this.#now = now
    this.#files = new PartialFiles(join(receiver.partsFolder, 'resumable'))
  }

  get maxBytes(): number {
    return this.#receiver.settings.maxBytes
  }

  /** @throws AppError `too-large`, `no-space`, `invalid` for nothing at all, `unavailable` when too many are open. */
  async create(length: number, facts: UploadFacts): Promise<PartialUpload> {
    if (length === 0) throw new AppError('invalid', because('upload_empty'))
    this.#receiver.refuse?.(length, facts)
    checkSize(length, this.maxBytes)
    if (this.#receiver.onlyOne === true) for (const id of await this.#files.ids()) await this.#forget(id)
    await this.#receiver.checkSpace(length)
    await this.sweep()
    if ((await this.#files.countOpen()) >= MOST_OPEN) throw new AppError('unavailable', because('too_many_uploads'))
    const id = randomBytes(16).toString('hex')
    await this.#files.begin(id, { length, facts, changedAt: this.#now(), hash: null, outcome: null })
    return this.#read(id)
  }

  /** As it is now; one whose bytes are all here is taken in first. @throws AppError `not-found`, also when it has expired. */
  async get(id: string): Promise<PartialUpload> {
    const found = await this.#read(id)
    if (found.outcome !== null || found.offset < found.length || this.#writers.has(id)) return found
    return this.#inTurn(id, async () => this.#settle(id))
  }

  /**
   * Adds bytes at `offset`. Whoever still writes to this upload is cut off first: its client has come again. @throws AppError
   * `conflict` when `offset` is not where it ends, `bad-input` for too many bytes or when the sender breaks off (what came
   * is kept), `no-space`; and what the receiver throws once it is whole.
   */
  async append(id: string, offset: number, content: Readable): Promise<PartialUpload> {
    expectErrors(content)
    await this.#read(id)
    await this.#interrupt(id)
    return this.#inTurn(id, async () => {
      const found = await this.#read(id)
      if (found.offset !== offset)
        throw new AppError('conflict', because('upload_at_byte', { offset: found.offset, given: offset }))
      if (found.outcome === null) await this.#receive(found, content)
      return this.#settle(id)
    })
  }

  /** Ends an upload and removes what came. @throws AppError `not-found`. */
  async remove(id: string): Promise<void> {
    await this.#read(id)
    await this.#forget(id)
  }

  /** Removes what has expired; answers how many. For the start, and now and then. */
  async sweep(): Promise<number> {
    let removed = 0
    for (const id of await this.#files.ids()) {
      if (this.#writers.has(id) || this.#turns.has(id)) continue
      const note = await this.#files.note(id)
      if (note !== null && this.#now() < note.changedAt + PARTIAL_LIFE_MS) continue
      await this.#files.forget(id)
      removed++
    }
    return removed
  }

  async #forget(id: string): Promise<void> {
    await this.#interrupt(id)
    await this.#inTurn(id, () => this.#files.forget(id))
  }

  async #receive(found: PartialUpload, content: Readable): Promise<void> {
    const { id } = found
    const handle = await open(this.#files.bytes(id), 'a')
    const done = this.#fill(handle, found, content)
    this.#writers.set(id, { content, done: done.catch(() => undefined) })
    try {
      await done
    } catch (error) {
      throw explained(error)
    } finally {
      this.#writers.delete(id)
      await handle.sync()
      await handle.close()
      await this.#files.update(id, { changedAt: this.#now() })
    }
  }

  async #fill(handle: FileHandle, { id, length, offset, facts }: PartialUpload, content: Readable): Promise<void> {
    let at = offset
    let unchecked = LOOK_AGAIN_BYTES
    for await (const chunk of unbroken(content)) {
      if (at + chunk.length > length) throw new AppError('bad-input', because('upload_more_than_announced', { length }))
      unchecked += chunk.length
      if (unchecked >= LOOK_AGAIN_BYTES) {
        await this.#receiver.checkSpace(0)
        unchecked = 0
      }
      await handle.appendFile(chunk)
      const looked = at >= HEAD_BYTES
      at += chunk.length
      if (!looked && at >= HEAD_BYTES) await this.#look(id, facts)
    }
  }

  /** The first bytes may say that the rest need not come. */
  async #look(id: string, facts: UploadFacts): Promise<void> {
    const handle = await open(this.#files.bytes(id), 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      const look = this.#receiver.refuseHead ?? refuseHead
      look(buffer.subarray(0, bytesRead), facts.filename)
    } catch (error) {
      await this.#refused(id, error)
      throw error
    } finally {
      await handle.close()
    }
  }

  /** Gives an upload that is whole to the receiver, once. */
  async #settle(id: string): Promise<PartialUpload> {
    const found = await this.#read(id)
    if (found.outcome !== null || found.offset < found.length) return found
    try {
      await this.#accept(found)
    } catch (error) {
      await this.#refused(id, error)
      throw error
    }
    return this.#read(id)
  }

  async #accept({ id, length, facts }: PartialUpload): Promise<void> {
    const { identify } = this.#receiver
    const path = this.#files.bytes(id)
    const hash = await (identify === undefined ? this.#files.hash(id) : identify(path))
    await this.#files.update(id, { hash })
    await this.#receiver.accept({ path, size: length, hash }, facts)
    await this.#conclude(id, { hash, code: null })
  }

  /** A file that cannot be taken stays refused; a passing trouble, such as a full disk, is no outcome. */
  async #refused(id: string, error: unknown): Promise<void> {
    if (!(error instanceof AppError) || error.code === 'no-space' || error.code === 'unavailable') return
    const existing = error instanceof DuplicateError ? error.existing : null
    await this.#conclude(id, { hash: null, code: error.code, reason: error.reason, existing })
  }

  async #conclude(id: string, outcome: Outcome): Promise<void> {
    await this.#files.update(id, { outcome, changedAt: this.#now() })
    await this.#files.dropBytes(id)
  }

  async #interrupt(id: string): Promise<void> {
    const writer = this.#writers.get(id)
    if (writer === undefined) return
    writer.content.destroy(new Error('the client came again'))
    await writer.done
  }

  async #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    while (this.#turns.has(id)) await this.#turns.get(id)
    const running = work()
    this.#turns.set(
      id,
      running.catch(() => undefined)
    )
    try {
      return await running
    } finally {
      this.#turns.delete(id)
    }
  }

  async #read(id: string): Promise<PartialUpload> {
    const note = await this.#files.note(id)
    if (note === null || this.#now() >= note.changedAt + PARTIAL_LIFE_MS)
      throw new AppError('not-found', because('no_such_upload'))
    const { length, facts, changedAt, hash } = note
    const size = await this.#files.size(id)
    const arrived: Outcome | null = size === null && hash !== null ? { hash, code: null } : null
    const outcome = note.outcome ?? arrived
    const offset = outcome === null ? (size ?? 0) : length
    return { id, length, offset, facts, outcome, expiresAt: changedAt + PARTIAL_LIFE_MS }
  }
}

async function* unbroken(content: Readable): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch (cause) {
    throw new AppError('bad-input', because('upload_cut_off_go_on'), { cause })
  }
}
