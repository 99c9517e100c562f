import type { ScrapeService } from '../dashboard/server/scraper.ts'
import type { Shed } from '../model/shedding.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { StorageError, type StorageFault, storageFaultOf } from '../platform/database/storage-fault.ts'
import { errorText } from '../platform/errors.ts'
import type { Log } from '../platform/log/log.ts'
import type { Measured } from '../platform/metrics/point.ts'
import { backoff } from '../platform/net/backoff.ts'
import type { Library } from '../warning/commands/ask.ts'
import type { StationKnowledge } from './knowledge.ts'
import type { StationLibrary } from './library.ts'

/** Documents, and what has its rows beside theirs. */
export interface OpenKnowledge {
  knowledge: StationKnowledge
  /** Null where the profile has none. */
  library: StationLibrary | null
  scraper: ScrapeService | null
}

export interface LateKnowledgeOptions {
  /** Null, and nothing of it loaded, where the profile has it off. */
  open: () => Promise<OpenKnowledge | null>
  clock: Clock
  log: Log
  random: () => number
}

const RETRY_MS = { min: 5000, max: 600_000 }

/**
 * Warnings never wait for `knowledge.db`: where it cannot be opened at the start the station goes on without documents, says so, and
 * tries again until it can (contract §6).
 */
export class LateKnowledge {
  readonly #o: LateKnowledgeOptions
  #parts: OpenKnowledge | null = null
  #fault: StorageFault | null = null
  #failures = 0
  #cancel: () => void = () => undefined
  #opening: Promise<void> = Promise.resolve()
  #started = false
  #shed: ReadonlySet<Shed> = new Set()
  #stopped = false

  constructor(options: LateKnowledgeOptions) {
    this.#o = options
  }

  /** The fault of the disk for which it is closed; null while it is open, or off in this profile. */
  get fault(): StorageFault | null {
    return this.#fault
  }

  /** Null where the profile has it off. @throws StorageError while it cannot be opened. */
  get parts(): OpenKnowledge | null {
    if (this.#fault !== null) throw new StorageError(this.#fault)
    return this.#parts
  }

  /** For `!ask`, from now on. */
  readonly library: Library = {
    documents: () => (this.#fault === null ? (this.#parts?.knowledge.library.documents() ?? 0) : null),
    ask: async (question, signal) => this.#opened().knowledge.library.ask(question, signal),
    codeOf: (passage) => this.#parts?.knowledge.library.codeOf(passage) ?? null
  }

  /** The first try; what it meets of the disk is tried again beside everything else. */
  open(): Promise<void> {
    this.#cancel()
    this.#opening = this.#opening.then(() => this.#try())
    return this.#opening
  }

  /** Works from now on, or from when it is open. */
  start(): void {
    this.#started = true
    this.#parts?.knowledge.start()
    this.#parts?.library?.start()
  }

  measured(): Measured {
    return this.#parts?.knowledge.measured() ?? {}
  }

  /** See `SideProcesses.give`; one that is opened later is told then. */
  give(shed: ReadonlySet<Shed>): void {
    this.#shed = shed
    this.#parts?.knowledge.give(shed)
  }

  configChanged(): void {
    this.#parts?.knowledge.configChanged()
  }

  /** Storing works again. */
  diskIsBack(): void {
    if (this.#fault !== null) this.#again(0)
    this.#parts?.knowledge.diskIsBack()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancel()
    await this.#opening
    const parts = this.#parts
    this.#parts = null
    await parts?.library?.stop()
    await parts?.knowledge.stop()
  }

  #opened(): OpenKnowledge {
    const { parts } = this
    if (parts === null) throw new StorageError('gone')
    return parts
  }

  async #try(): Promise<void> {
    if (this.#stopped || this.#parts !== null) return
    const { open, log } = this.#o
    try {
      this.#parts = await open()
      if (this.#shed.size > 0) this.give(this.#shed)
    } catch (error) {
      const fault = storageFaultOf(error)
      if (fault === null) throw error
      if (this.#fault !== fault)
        log.error({ err: error }, `the station goes on without its knowledge, and tries again: ${errorText(error)}`)
      this.#fault = fault
      this.#again(backoff(this.#failures++, { ...RETRY_MS, random: this.#o.random }))
      return
    }
    if (this.#fault !== null) log.info('knowledge could be opened')
    this.#fault = null
    if (this.#started) this.start()
  }

  #again(ms: number): void {
    this.#cancel()
    if (this.#stopped) return
    const { clock, log } = this.#o
    this.#cancel = clock.after(ms, () => {
      this.open().catch((error: unknown) => log.error({ err: error }, 'knowledge failed unexpectedly'))
    })
  }
}
