import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { because } from '../model/reason.ts'
import { revisionMatches, revisionOf } from '../platform/bytes/canonical-json.ts'
import { type Clock, systemClock } from '../platform/clock/clock.ts'
import { nextTurn } from '../platform/clock/slices.ts'
import { parseWith } from '../platform/config/issues.ts'
import type { JsonObject } from '../platform/config/json.ts'
import { maskSecrets } from '../platform/config/masked.ts'
import { fileSignature } from '../platform/config/signature.ts'
import { watchFile } from '../platform/config/watch.ts'
import { AppError } from '../platform/errors.ts'
import { removeLeftovers } from '../platform/files/atomic-file.ts'
import { KnownFolder } from '../platform/files/known-folder.ts'
import type { Log } from '../platform/log/log.ts'
import { Observers } from '../platform/observers.ts'
import {
  ChangedOnDisk,
  ConfigFile,
  type ConfigFileSystem,
  GONE,
  type GoodReading,
  type Reading,
  readAtStart,
  refusal
} from './adapter.ts'
import { type ConfigProblem, deepFreeze, placelessProblem, problemText } from './document.ts'
import { type Config, configSchema } from './schema.ts'

export const CONFIG_FILE = 'config.json'
const ATTEMPTS = 3
export interface ConfigStoreOptions {
  /** The data folder; made when it is missing. */
  folder: string
  log?: Log
  /** True: hand edits are noticed at once, without anybody asking. */
  watch?: boolean
  clock?: Clock
  fs?: ConfigFileSystem
}

export interface ConfigStatus {
  /** True: the file on disk is not what the program runs by; `problem` says why. */
  stale: boolean
  problem: ConfigProblem | null
  /** True: changes are refused until the file is repaired. One that is gone is written anew with the first change. */
  locked: boolean
  /** True: the file was not usable at start, so `config.json.bak` is in force. */
  usingBackup: boolean
  /** Since when `stale`, epoch milliseconds. */
  since: number | null
  /** Of the whole raw document (contract §1). */
  revision: string
}

export interface UpdateOptions {
  /** An `If-Match` field; the change is made only when it names the present revision. */
  ifMatch?: string
  /** The document that revision is of; without it the whole raw configuration. */
  revisionOf?: (config: Config, raw: JsonObject) => unknown
  /** The name of whoever changes it, for `onEdit`. */
  by?: string
}

/** A configuration took the place of another. */
export interface ConfigEdit {
  before: JsonObject
  after: JsonObject
  /** Null: somebody wrote the file by hand. */
  by: string | null
}

type Changed = JsonObject | undefined
/** A change of large documents takes its turns itself. */
export type ConfigChange = (raw: JsonObject) => Changed | Promise<Changed>
export type ConfigListener = (config: Config, status: ConfigStatus) => void

interface Good {
  raw: JsonObject
  config: Config
}

interface Shown {
  raw: JsonObject
  revision: string
}

/** Of the document without its secrets: it goes out to everybody, and must not let anybody try passwords at home. */
const shownOf = (raw: JsonObject): Shown => ({ raw, revision: revisionOf(maskSecrets(raw)) })

/**
 * The one door to `config.json`. Reads follow the file; changes are read-modify-write on the raw document, one at a
 * time, so that unknown keys and key order survive; a file that is invalid is reported and never written over (contract §12).
 */
export class ConfigStore {
  readonly #file: ConfigFile
  readonly #folder: KnownFolder
  readonly #db: Low<JsonObject>
  readonly #clock: Clock
  readonly #log: Log | undefined
  readonly #observers: Observers<{ change: Good; edit: ConfigEdit }>
  #good: Good
  #shown: Shown | null = null
  #problem: ConfigProblem | null = null
  #since: number | null = null
  #usingBackup = false
  #goodText: string | null = null
  #signature: string | null = null
  #toldUnkept = false
  #queue: Promise<unknown> = Promise.resolve()
  #endWatch: () => void = () => undefined

  private constructor(file: ConfigFile, options: ConfigStoreOptions) {
    this.#file = file
    this.#folder = new KnownFolder(options.folder)
    this.#db = new Low<JsonObject>(file, {})
    this.#clock = options.clock ?? systemClock
    this.#log = options.log
    this.#observers = new Observers((error) =>
      this.#log?.error({ err: error }, 'a part could not follow the new configuration')
    )
    this.#good = deepFreeze({ raw: {}, config: parseWith(configSchema, {}, 'the empty configuration') })
  }

  /**
   * Without a file and without a backup all defaults count, and nothing is written. A file that is invalid or gone is replaced
   * in memory by `config.json.bak`. @throws AppError `config-refused`, naming file, line and pointer, when there is no good copy.
   */
  static async open(options: ConfigStoreOptions): Promise<ConfigStore> {
    await mkdir(options.folder, { recursive: true })
    const file = new ConfigFile(join(options.folder, CONFIG_FILE), options.fs)
    const store = new ConfigStore(file, options)
    await removeLeftovers(file.path, store.#clock.now())
    await store.#start()
    if (options.watch === true) {
      store.#endWatch = watchFile(options.folder, CONFIG_FILE, {
        clock: store.#clock,
        log: options.log,
        onChange: () => store.#refreshInBackground()
      })
    }
    return store
  }

  /** The last good configuration, frozen. */
  current(): Config {
    return this.#good.config
  }

  /** The last good document as it was written, unknown keys included, frozen. */
  raw(): JsonObject {
    return this.#good.raw
  }

  status(): ConfigStatus {
    return {
      stale: this.#problem !== null,
      problem: this.#problem,
      locked: this.#problem !== null && this.#problem.code !== 'missing',
      usingBackup: this.#usingBackup,
      since: this.#since,
      revision: this.#shownRevision()
    }
  }

  #shownRevision(): string {
    const { raw } = this.#good
    if (this.#shown?.raw !== raw) this.#shown = shownOf(raw)
    return this.#shown.revision
  }

  /** Reads the file again if it changed. Never throws for what stands in it: `status()` tells. */
  refresh(): Promise<void> {
    return this.#enqueue(async () => {
      const known = this.#signature
      if (known === null || (await fileSignature(this.#file.path, Date.now())) !== known) await this.#load()
    })
  }

  /**
   * Changes the raw document (in place, or by answering a new one), checks the whole and saves it. `change` may run again
   * when somebody saves at the same moment, so it must depend on nothing but the document it is given.
   * @throws AppError `stale` (If-Match), `invalid` (the result, with pointers), `conflict` (the file on disk is invalid),
   * `no-space`, `unavailable`. The file is unchanged then.
   */
  update(change: ConfigChange, options: UpdateOptions = {}): Promise<Config> {
    return this.#enqueue(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#updateOnce(change, options)
        } catch (error) {
          if (!(error instanceof ChangedOnDisk) || attempt === ATTEMPTS) throw error
        }
      }
    })
  }

  /** Hears of every new configuration, and of every change of `stale`. Answers how to stop listening. */
  onChange(listener: ConfigListener): () => void {
    return this.#observers.on('change', ({ config }) => listener(config, this.status()))
  }

  /** Hears of every edit, with what was. Answers how to stop listening. */
  onEdit(listener: (edit: ConfigEdit) => void): () => void {
    return this.#observers.on('edit', listener)
  }

  /** Ends watching. Changes under way are finished by whoever awaits them. */
  close(): void {
    this.#endWatch()
  }

  async #start(): Promise<void> {
    const { good, problem } = await readAtStart(this.#file)
    if (good !== null) this.#take(good)
    else if ((await this.#file.readBackup()).kind === 'bad') {
      const { path: file, backupPath: backup } = this.#file
      this.#log?.warn({ file, backup }, 'there is no configuration, and its backup cannot be used: the defaults count')
    }
    this.#usingBackup = problem !== null
    this.#setProblem(problem)
  }

  /** In turns: a document with large outlines takes a while, and the radios go on meanwhile. */
  async #updateOnce(change: ConfigChange, options: UpdateOptions): Promise<Config> {
    this.#folder.demand()
    await this.#load()
    const reading = this.#file.reading
    if (reading.kind === 'bad') throw refusal(reading.problems[0])
    this.#checkRevision(options)
    await nextTurn()
    const before = JSON.stringify(this.#good.raw)
    await nextTurn()
    const draft: JsonObject = JSON.parse(before)
    await nextTurn()
    const changed = (await change(draft)) ?? draft
    await nextTurn()
    const after = JSON.stringify(changed)
    if (after === before && this.#problem === null) return this.#good.config
    await nextTurn()
    const next: JsonObject = JSON.parse(after)
    await nextTurn()
    parseWith(configSchema, next, 'the configuration')
    this.#db.data = next
    await nextTurn()
    await this.#db.write()
    this.#signature = null
    await this.#apply(this.#file.reading, options.by ?? 'station')
    return this.#good.config
  }

  #checkRevision({ ifMatch, revisionOf: documentOf }: UpdateOptions): void {
    if (ifMatch === undefined) return
    const { config, raw } = this.#good
    const revision = revisionOf(documentOf === undefined ? raw : documentOf(config, raw))
    if (revisionMatches(ifMatch, revision)) return
    throw new AppError('stale', because('changed_meanwhile', { revision }))
  }

  async #load(): Promise<void> {
    // Taken before the file is read: a save in between is then seen as a change.
    this.#signature = await fileSignature(this.#file.path, Date.now())
    const reading = await this.#file.look()
    await this.#apply(reading, null)
    // The last good text may exist only in memory now; a restart must find it.
    if (reading.kind !== 'good' && this.#goodText !== null && !this.#usingBackup)
      await this.#saveLastGood(this.#goodText)
  }

  async #saveLastGood(text: string): Promise<void> {
    try {
      this.#folder.demand()
      await this.#file.keepBackup(text)
      this.#toldUnkept = false
    } catch (error) {
      // Asked again with every page: told once.
      if (this.#toldUnkept) return
      this.#toldUnkept = true
      this.#log?.error({ err: error, file: this.#file.backupPath }, 'the last good configuration could not be kept')
    }
  }

  /** Whoever runs by the configuration hears at once that it is another, whoever keeps a record of edits in the next turn. */
  async #apply(reading: Reading, by: string | null): Promise<void> {
    const before = this.#good.raw
    if (reading.kind === 'bad') this.#setProblem(reading.problems[0])
    else if (reading.kind === 'missing') this.#applyMissing()
    else await this.#applyGood(reading)
    const after = this.#good.raw
    if (after === before) return
    await nextTurn()
    this.#observers.tell('edit', { before, after, by })
  }

  #applyMissing(): void {
    const message = this.#usingBackup
      ? GONE
      : 'the file is gone: put it back, or save any setting; the last good configuration stays in force'
    this.#setProblem(this.#goodText === null ? null : placelessProblem(this.#file.path, 'missing', message))
  }

  async #applyGood(reading: GoodReading): Promise<void> {
    const changed = reading.judged.text !== this.#goodText || this.#usingBackup
    if (changed) {
      await nextTurn()
      this.#shown = shownOf(reading.judged.raw)
      await nextTurn()
    }
    this.#usingBackup = false
    if (changed) this.#take(reading)
    this.#setProblem(null, changed)
  }

  #take({ judged }: GoodReading): void {
    this.#good = deepFreeze({ raw: judged.raw, config: judged.config })
    this.#goodText = judged.text
  }

  #setProblem(problem: ConfigProblem | null, configChanged = false): void {
    const before = this.#problem
    const told = before === null ? '' : problemText(before)
    this.#problem = problem
    if ((before === null) !== (problem === null)) this.#since = problem === null ? null : this.#clock.now()
    const news = problem === null ? '' : problemText(problem)
    if (told !== news) this.#logProblem(problem)
    if (configChanged || told !== news) this.#observers.tell('change', this.#good)
  }

  #logProblem(problem: ConfigProblem | null): void {
    if (problem === null) this.#log?.info({ file: this.#file.path }, 'the configuration is valid again')
    else
      this.#log?.error(
        { problem, using_backup: this.#usingBackup },
        problem.code === 'missing'
          ? 'the configuration file is gone: the last good one stays in force'
          : 'the configuration file is not valid: the last good one stays in force'
      )
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => undefined)
    return result
  }

  #refreshInBackground(): void {
    this.refresh().catch((error: unknown) =>
      this.#log?.error({ err: error }, 'the configuration could not be read again')
    )
  }
}
