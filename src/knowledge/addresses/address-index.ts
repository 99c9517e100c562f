import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import { paced, readersTurn, Slices } from '../../platform/clock/slices.ts'
import type { Database } from '../../platform/database/database.ts'
import { openReadOnlyDatabase } from '../../platform/database/database-read-only.ts'
import { putAside } from '../../platform/database/put-aside.ts'
import { storageFaultOf } from '../../platform/database/storage-fault.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { AddressAnswer } from './address.ts'
import { findSteps, type Question } from './find.ts'
import { type AddressFile, inspectAddresses } from './inspect.ts'
import { type Suggestion, suggestSteps } from './suggest.ts'
import type { AddressTable } from './table.ts'

/** The answer of `GET /api/address-db/health` (contract §10). */
export type AddressHealth =
  | { ok: true; row_count: number | null; file_size_bytes: number; indexed_countries: string[] }
  | { ok: false; reason: Reason }

/** Read by everybody who may read the dashboard: they name no path. */
const ABSENT = because('addresses_absent')
/** Some of its pages. */
const DAMAGED = because('addresses_damaged')
const PUT_ASIDE = because('addresses_put_aside')
const UNREADABLE = because('addresses_unreadable')

interface Open {
  db: Database
  table: AddressTable
  file: AddressFile
  /** Lookups under way: a file that was replaced is closed after the last of them. */
  asking: number
  replaced: boolean
}

/**
 * The address file: opened at the first question, and again when another one stands in its place. Every question runs
 * through indexes and reads a bounded number of rows, in small steps with others in between, so it may run where
 * everything else runs.
 */
export class AddressIndex {
  readonly path: string
  readonly #log: Log
  #open: Open | null = null
  #reason: Reason = ABSENT
  /** The file that `#open` or `#reason` is about. */
  #stamp: string | null = null
  /** Made by us, in our folder: one that cannot be read at all is put aside. */
  readonly #own: boolean
  #damaged = false
  #opening: Promise<void> = Promise.resolve()

  constructor({ file, log, own = false }: { file: string; log: Log; own?: boolean }) {
    this.path = file
    this.#log = log
    this.#own = own
  }

  /** Best first. @throws AppError `unavailable` when there is no file to look in, saying why. */
  async lookup(question: Question): Promise<AddressAnswer> {
    return this.#asked((table) => findSteps(table, question))
  }

  /** At most ten. @throws AppError `unavailable` as `lookup` does. */
  async suggest(typed: string): Promise<Suggestion[]> {
    return this.#asked((table) => suggestSteps(table, typed))
  }

  async #asked<T>(steps: (table: AddressTable) => Generator<void, T>): Promise<T> {
    const open = await this.#ready()
    const slices = new Slices(readersTurn)
    open.asking++
    try {
      return await paced(steps(open.table), () => slices.pause())
    } catch (error) {
      throw this.#failed(error)
    } finally {
      open.asking--
      closeUnused(open)
    }
  }

  /** Addresses on other pages are found all the same. */
  #failed(error: unknown): unknown {
    if (storageFaultOf(error) === null) return error
    if (!this.#damaged) this.#log.error({ file: this.path, err: error }, sentenceOf(DAMAGED))
    this.#damaged = true
    return new AppError('unavailable', DAMAGED, { cause: error })
  }

  /** Never scans the file. */
  async health(): Promise<AddressHealth> {
    const file = await this.inspect()
    if ('code' in file) return { ok: false, reason: file }
    if (this.#damaged) return { ok: false, reason: DAMAGED }
    return {
      ok: true,
      row_count: file.rowCount,
      file_size_bytes: file.bytes,
      indexed_countries: file.countries
    }
  }

  /** The facts about the file, or why there is none. */
  async inspect(): Promise<AddressFile | Reason> {
    await this.#refresh()
    return this.#open?.file ?? this.#reason
  }

  close(): void {
    this.#retire()
    this.#open = null
    this.#stamp = null
  }

  #retire(): void {
    if (this.#open === null) return
    this.#open.replaced = true
    closeUnused(this.#open)
  }

  async #ready(): Promise<Open> {
    await this.#refresh()
    if (this.#open === null) throw new AppError('unavailable', this.#reason)
    return this.#open
  }

  /** One at a time: two questions at once must not open the file twice. */
  #refresh(): Promise<void> {
    this.#opening = this.#opening.then(() => this.#reopen())
    return this.#opening
  }

  async #reopen(): Promise<void> {
    const stamp = stampOf(this.path)
    if (stamp === this.#stamp) return
    const opened = stamp === '' ? ABSENT : await this.#openFile()
    // A failure for a reason that may pass is tried again at the next question.
    this.#stamp = opened === UNREADABLE ? null : opened === PUT_ASIDE ? '' : stamp
    this.#damaged = false
    this.#retire()
    if ('code' in opened) {
      this.#open = null
      this.#reason = opened
      if (stamp !== '' && opened !== UNREADABLE) this.#log.warn({ file: this.path }, sentenceOf(opened))
    } else {
      this.#open = opened
      this.#tell(opened.file)
    }
  }

  async #openFile(): Promise<Open | Reason> {
    let db: Database
    try {
      db = await openReadOnlyDatabase(this.path)
    } catch (error) {
      return storageFaultOf(error) === 'damaged' && this.#own ? this.#putAside() : this.#unreadable(error)
    }
    const found = this.#inspected(db)
    if (!('code' in found)) return { db, ...found, asking: 0, replaced: false }
    db.close()
    return found
  }

  #inspected(db: Database): ReturnType<typeof inspectAddresses> {
    try {
      return inspectAddresses(db, this.path)
    } catch (error) {
      if (storageFaultOf(error) === null) throw error
      return this.#unreadable(error)
    }
  }

  #unreadable(error: unknown): Reason {
    this.#log.warn({ file: this.path, err: error }, sentenceOf(UNREADABLE))
    return UNREADABLE
  }

  #putAside(): Reason {
    try {
      const aside = basename(putAside(this.path, Date.now()))
      this.#log.error({ file: this.path, aside }, sentenceOf(PUT_ASIDE))
      return PUT_ASIDE
    } catch (error) {
      if (storageFaultOf(error) === null) throw error
      return this.#unreadable(error)
    }
  }

  #tell({ edition, rowCount, advice }: AddressFile): void {
    this.#log.info({ file: this.path, edition, rows: rowCount }, 'addresses can be looked up')
    for (const { sql, speeds } of advice)
      this.#log.warn({ file: this.path, sql }, `the address file lacks an index that would speed up ${speeds}`)
  }
}

function closeUnused({ db, asking, replaced }: Open): void {
  if (replaced && asking === 0) db.close()
}

/** Changes when another file stands at the path; empty when none does. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.dev}:${found.ino}:${found.size}:${found.mtimeMs}`
}
