import { existsSync } from 'node:fs'
import type { LookoutEvent } from '../../model/event.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import { type Database, openDatabaseNow, openMemory } from '../../platform/database/database.ts'
import { putAside, removeDatabase, removeLeftCopies } from '../../platform/database/put-aside.ts'
import { loadDriver } from '../../platform/database/sqlite-driver.ts'
import { FAULTS, StorageError, type StorageFault, storageFaultOf } from '../../platform/database/storage-fault.ts'
import { errorText } from '../../platform/errors.ts'
import type { Delivery } from './delivery.ts'
import { type Heard, HeardLog } from './heard-log.ts'
import { copyToMemory, type MemoryCopy, type ToldFromMemory } from './memory-copy.ts'
import { putBackLost } from './put-back.ts'
import { PAUSE_MS, readBeside } from './read-beside.ts'
import { ReserveUpkeep } from './reserve-upkeep.ts'
import { ReturnProbe } from './return-probe.ts'
import { beginAnew, type Salvaged, salvageHere } from './salvage.ts'
import { ledgerMigrations } from './schema.ts'
import { fileOptions, IN_PLACE, type Place, placeOf, quietly, readable, tellMigration } from './storage-files.ts'
import type { StorageOptions } from './storage-options.ts'
import { intoFile, intoFileNow, madeAnew, makeAnewNow } from './way-back.ts'

export type { ToldFromMemory }

/**
 * The pause between two looks whether the file is still where it was, besides the one before every commit of events.
 */
const LOOK_MS = 5000
const RETRY_MS = 10_000
const RETRY_AT_MOST_MS = 60_000
/** A file that ends whoever reads it is made anew without what it holds. */
const SALVAGE_TRIES = 3

/**
 * `lookout.db`, and what there is in its place while it cannot be used (contract §6): a database in memory that knows what could
 * be read. Everybody goes on with the same `db`; when the disk works again what was told is written down, and the file is used
 * again. A damaged file is put aside and read as far as that goes, beside the radios.
 */
export class LedgerStorage {
  readonly db: Database
  readonly #o: StorageOptions
  #memory: MemoryCopy | null = null
  /** The file that is read while the rest of it goes into memory. */
  #behind: Database | null = null
  #failedSalvages = 0
  #fault: StorageFault | null = null
  #place: Place = { file: null, folder: null }
  #cancelLook: () => void = () => undefined
  #cancelRetry: () => void = () => undefined
  #retryMs = RETRY_MS
  readonly #reserve: ReserveUpkeep
  readonly #probe: ReturnProbe
  #closed = false
  #isReturning = false
  readonly #heard: HeardLog | null

  /** @throws AppError `unavailable` when the file is of a newer program; what is the matter with the disk is no reason not to begin. */
  static async open(options: StorageOptions): Promise<LedgerStorage> {
    await loadDriver()
    let file: Database | null = null
    let fault: StorageFault | null = null
    try {
      if (existsSync(options.path)) removeLeftCopies(options.path)
      file = openDatabaseNow({ ...fileOptions(options.path), onMigrate: tellMigration(options.log) })
      await putBackLost(file, { path: options.path, now: options.clock.now(), log: options.log })
    } catch (error) {
      fault = storageFaultOf(error)
      if (fault === null || options.path === ':memory:') throw error
    }
    const storage = new LedgerStorage(file ?? openMemory(ledgerMigrations), options)
    await storage.#heard?.load()
    // The first one in memory costs the most: nobody waits for it now.
    if (file !== null) openMemory(ledgerMigrations).close()
    if (fault !== null) await storage.#beginInMemory(fault)
    return storage
  }

  private constructor(db: Database, options: StorageOptions) {
    this.#o = options
    this.db = db
    this.#place = placeOf(options.path)
    this.#reserve = new ReserveUpkeep(options.reserve, options.log)
    const { clock, log, probe } = options
    this.#probe = new ReturnProbe({ clock, log, probe, onAnswer: () => this.#retry() })
    this.#heard = options.path === ':memory:' ? null : new HeardLog(options.path, options.log)
    if (options.path === ':memory:') return
    db.useRefuge((fault) => this.#takeRefuge(fault))
    this.#lookAgain()
  }

  /** The reason why nothing is stored at present; null while it is. */
  get fault(): StorageFault | null {
    return this.#fault
  }

  /** The answer to whoever brings what is not sent from memory. */
  refusal(): StorageError | null {
    return this.#fault === null ? null : new StorageError(this.#fault)
  }

  /** Whatever is lost of the file, this event is not news again; of the grave ones of this process all is known. */
  remember(heard: Heard): void {
    this.#heard?.note(heard)
  }

  /** A message has left a radio: of a grave one that is remembered twice as well. */
  told(delivery: Delivery): void {
    this.#heard?.noteTold(delivery)
    this.committed()
  }

  /** Writes down what was heard, now that it is committed. */
  committed(): void {
    if (this.#memory === null) this.#heard?.write()
    else this.#memory.changes.cut()
  }

  /**
   * True when the disk knows this event while memory stands in for the file: the log of what was heard, or the file
   * itself.
   */
  knownOnDisk(event: Pick<LookoutEvent, 'source' | 'id' | 'revision'>): boolean {
    if (this.#fault === null) return false
    const { source, id, revision } = event
    if (this.#heard?.knows(event) === true) return true
    const asked = 'SELECT 1 AS one FROM events WHERE source = ? AND id = ? AND revision = ?'
    try {
      return this.#behind?.sql(asked).get(source, id, revision) !== undefined
    } catch (error) {
      if (storageFaultOf(error) === null) throw error
      return false
    }
  }

  /** @throws StorageError while nothing is stored. */
  demand(): void {
    const refusal = this.refusal()
    if (refusal !== null) throw refusal
  }

  /** A transaction that is going to be acknowledged: the file must still be where it was. */
  commit<T>(work: () => T): T {
    this.look()
    return this.db.transaction(work)
  }

  /** Before anything is acknowledged: a file that was taken away still takes what is written, and loses it. */
  look(): void {
    if (this.#memory !== null || this.#o.path === ':memory:') return
    const now = placeOf(this.#o.path)
    if (now.file !== this.#place.file) this.#takeRefuge('gone')
  }

  /** Writes down what was told from memory, if that can be done at once. */
  close(): void {
    this.#closed = true
    this.#o.onClosed?.()
    this.#cancelLook()
    this.#cancelRetry()
    this.#probe.stop()
    if (this.#memory !== null && this.#fault !== 'damaged') this.#writeNow(this.#memory)
    this.#heard?.close()
    if (this.#memory === null) this.db.close()
    else {
      this.#o.log.error(
        { fault: this.#fault },
        'the memory of what was sent since storing failed ends with this program'
      )
      this.#memory.close()
      this.#memory = null
    }
  }

  #lookAgain(): void {
    this.#cancelLook = this.#o.clock.after(LOOK_MS, () => {
      this.#memory?.changes.cut()
      this.look()
      if (this.#memory === null) this.#reserve.look()
      this.#lookAgain()
    })
  }

  async #beginInMemory(fault: StorageFault): Promise<void> {
    const left = await readable(this.#o.path, fault)
    quietly(this.#goOn(fault, left?.db ?? null, () => left?.close()))
  }

  #takeRefuge(fault: StorageFault): boolean {
    if (this.#memory !== null || this.#closed) return false
    this.db.abandonGroup()
    if (fault === 'full' && this.#reserve.release()) return true
    const before = this.db.plain()
    this.#goOn(fault, before, () => quietly(before))
    return true
  }

  /** Answers what the database stood on before. `close` is called when `readable` is not needed any more. */
  #goOn(fault: StorageFault, readable: Database | null, close: () => void): Database {
    const { clock, log, onFailed } = this.#o
    this.#memory = this.#copy(readable)
    const before = this.db.moveTo(this.#memory.db)
    this.#heard?.close()
    this.#fault = fault
    this.#retryMs = RETRY_MS
    log.error(
      { fault, known: !this.#memory.incomplete },
      `${sentenceOf(FAULTS[fault])}: critical and above is sent from memory, which the next restart loses; the rest is refused`
    )
    onFailed(fault)
    this.#readRest(this.#memory, readable, close)
    this.#cancelRetry = clock.after(fault === 'damaged' ? 0 : this.#retryMs, () => this.#retry())
    if (fault !== 'damaged') this.#probe.start()
    return before
  }

  /** Beside the radios: what a warning does not wait for. Over when the memory is. */
  #readRest(memory: MemoryCopy, readable: Database | null, close: () => void): void {
    this.#behind = readable
    readBeside(memory, {
      clock: this.#o.clock,
      log: this.#o.log,
      isWanted: () => this.#memory === memory,
      onOver: () => {
        if (this.#behind === readable) this.#behind = null
        close()
      }
    })
  }

  /** A fault of the copying itself must not take the last way from a warning. */
  #copy(readable: Database | null): MemoryCopy {
    const known = { now: this.#o.clock.now(), remembered: this.#heard?.grave ?? [] }
    try {
      return copyToMemory(readable, known)
    } catch (error) {
      this.#o.log.error({ err: error }, 'what was sent before could not be read')
      return copyToMemory(null, known)
    }
  }

  #retry(): void {
    const memory = this.#memory
    if (memory === null || this.#closed || this.#isReturning) return
    this.#cancelRetry()
    this.#isReturning = true
    const work = this.#fault === 'damaged' ? this.#renew(memory) : this.#goBack(memory)
    work.then(
      () => this.#tried(null),
      (error: unknown) => this.#tried(error)
    )
  }

  #tried(error: unknown): void {
    this.#isReturning = false
    if (this.#memory === null || this.#closed) return
    const fault = error === null || this.#fault === 'damaged' ? null : storageFaultOf(error)
    if (fault !== null) this.#suffer(fault)
    this.#later(fault === null ? error : null)
  }

  #later(error: unknown): void {
    if (error !== null)
      this.#o.log.error({ err: error }, `what was sent could not be written down: ${errorText(error)}`)
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_AT_MOST_MS)
    this.#cancelRetry = this.#o.clock.after(this.#retryMs, () => this.#retry())
  }

  /** The file is used again, once all of it is written down. Over without that while the disk does not take it. */
  async #goBack(memory: MemoryCopy): Promise<void> {
    const { path } = this.#o
    if (!this.#mayUse()) return this.#suffer('gone')
    const pause = (): Promise<boolean> => this.#pause(memory)
    if (!existsSync(path)) {
      const fresh = await madeAnew(memory, path, pause)
      if (fresh === null || !this.#isWanted(memory)) return
      // Put there by somebody else meanwhile: that one is looked at first.
      if (existsSync(path)) return
      fresh.place()
      return this.#return(openDatabaseNow({ ...fileOptions(path), ...IN_PLACE }))
    }
    const file = this.#opened()
    try {
      if (!(await intoFile(memory, file, path, pause)) || !this.#isWanted(memory)) return quietly(file)
      memory.changes.finish(file)
    } catch (error) {
      quietly(file)
      throw error
    }
    this.#return(file)
  }

  /** At the end of the program: as far as that can be done at once. */
  #writeNow(memory: MemoryCopy): void {
    const { path, log } = this.#o
    try {
      if (!this.#mayUse()) return
      if (!existsSync(path)) makeAnewNow(memory, path)
      const file = this.#opened()
      try {
        intoFileNow(memory, file, path)
      } catch (error) {
        quietly(file)
        throw error
      }
      this.#return(file)
    } catch (error) {
      if (storageFaultOf(error) === null) log.error({ err: error }, 'what was sent could not be written down')
    }
  }

  /** An empty folder may be where a disk belongs: nothing is begun there. */
  #mayUse(): boolean {
    const { path, mayStore } = this.#o
    const isKnown = this.#place.folder !== null && placeOf(path).folder === this.#place.folder
    return (existsSync(path) || isKnown) && mayStore?.() !== false
  }

  #opened(): Database {
    const { path } = this.#o
    const isSame = placeOf(path).file === this.#place.file
    return openDatabaseNow({ ...fileOptions(path), ...(isSame ? {} : IN_PLACE) })
  }

  #isWanted(memory: MemoryCopy): boolean {
    return this.#memory === memory && !this.#closed
  }

  #pause(memory: MemoryCopy): Promise<boolean> {
    return new Promise((resolve) => {
      this.#o.clock.after(PAUSE_MS, () => resolve(this.#isWanted(memory)))
    })
  }

  /** It may turn out to be something else than what was met first. */
  #suffer(fault: StorageFault): void {
    if (fault === this.#fault) return
    this.#fault = fault
    if (!this.#closed) this.#o.onFailed(fault)
  }

  /** Saves what can be read of the damaged file into a new one, which then takes its place. */
  async #renew(memory: MemoryCopy): Promise<void> {
    const { path, clock, log } = this.#o
    const renewed = `${path}.new`
    try {
      const { rows, lost } = await this.#salvage(renewed)
      if (!this.#isWanted(memory)) return
      const fresh = openDatabaseNow({ ...fileOptions(renewed), ...IN_PLACE })
      try {
        const pause = (): Promise<boolean> => this.#pause(memory)
        if (!(await intoFile(memory, fresh, renewed, pause)) || !this.#isWanted(memory)) return
        memory.changes.finish(fresh)
      } finally {
        quietly(fresh)
      }
      const aside = putAside(path, clock.now(), renewed)
      log.error(
        { aside, rows, lost },
        'lookout.db was damaged: it is put aside, what can be read of it is in the new one'
      )
      this.#return(openDatabaseNow({ ...fileOptions(path), ...IN_PLACE }))
    } finally {
      removeDatabase(renewed)
    }
  }

  async #salvage(renewed: string): Promise<Salvaged> {
    const { path, log, salvage = (from, to) => salvageHere(from, to, () => this.#closed) } = this.#o
    if (this.#failedSalvages < SALVAGE_TRIES) {
      this.#failedSalvages++
      return salvage(path, renewed)
    }
    log.error({ tries: SALVAGE_TRIES }, 'nothing of lookout.db can be read: it is made anew without')
    return beginAnew(path, renewed, () => this.#closed)
  }

  #return(file: Database): void {
    const memory = this.#memory
    const told = memory?.told() ?? []
    this.db.moveTo(file)
    memory?.close()
    this.#memory = null
    this.#fault = null
    this.#failedSalvages = 0
    this.#probe.stop()
    this.#place = placeOf(this.#o.path)
    this.#heard?.close()
    this.#heard?.write()
    // It may be another disk than the one that was read at the start.
    this.#heard?.load().catch((error: unknown) => this.#o.log.error({ err: error }, 'what was heard could not be read'))
    this.#o.log.warn({ told: told.length }, 'storing works again: what was sent meanwhile is written down')
    if (!this.#closed) this.#o.onReturned(told)
  }
}
