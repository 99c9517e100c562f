import { join } from 'node:path'
import type { ModelsPort, ModelsState, ModelView } from '../dashboard/server/models.ts'
import { MODEL_FOLDER } from '../knowledge/enrich/embed/create-embedder.ts'
import type { ModelFacts } from '../knowledge/enrich/embed/inspect-model.ts'
import {
  isModelFile,
  isModelName,
  MODEL_FILES,
  MOST_BYTES,
  type ModelFile,
  TABLE,
  TOKENIZER
} from '../knowledge/enrich/embed/model-files.ts'
import { ModelShelf, type ShelvedModel } from '../knowledge/enrich/embed/model-shelf.ts'
import type { ModelPlaces } from '../knowledge/enrich/embed/opened-model.ts'
import { looksLikeTable } from '../knowledge/enrich/embed/safetensors.ts'
import { PARTIAL_LIFE_MS, PartialUploads } from '../knowledge/intake/partial-uploads.ts'
import { checkSpace } from '../knowledge/intake/parts.ts'
import { because, type Reason } from '../model/reason.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError, reasonOf } from '../platform/errors.ts'
import { makeBelow } from '../platform/files/make-below.ts'
import type { Log } from '../platform/log/log.ts'
import type { Config } from '../settings/schema.ts'

/** More are not listed. */
const MOST_LISTED = 100

interface Options {
  dataFolder: string
  current: () => Config
  clock: Clock
  log: Log
  /** Opens a model in another process. @throws AppError `invalid` with what is wrong */
  inspect: (places: ModelPlaces) => Promise<ModelFacts>
  /** Other files lie under the name of a model. */
  onChange: (name: string) => void
}

/** The facts that were found out about a model, as it was then. */
interface Verdict {
  stamp: string
  facts: ModelFacts | null
  refused: Reason | null
}

/**
 * The models of meaning that the owner brings by the page: two files, tried together before they take the place of anything. One step
 * at a time: a vocabulary takes memory while it is read.
 */
export class StationModels implements ModelsPort {
  readonly uploads: PartialUploads
  readonly #o: Options
  readonly #shelf: ModelShelf
  readonly #verdicts = new Map<string, Verdict>()
  #turn: Promise<unknown> = Promise.resolve()
  #looking = false

  constructor(options: Options) {
    this.#o = options
    this.#shelf = new ModelShelf(join(options.dataFolder, MODEL_FOLDER))
    this.uploads = new PartialUploads({
      now: () => options.clock.now(),
      receiver: {
        partsFolder: this.#shelf.partsFolder,
        settings: { maxBytes: MOST_BYTES[TABLE] },
        checkSpace: (wanted) => this.#checkSpace(wanted),
        refuse: (length, { filename, title = '' }) => refuseFile(filename, title, length),
        refuseHead: refuseOtherFormat,
        accept: ({ path }, { filename, title = '' }) => this.#inTurn(() => this.#take(title, filename, path))
      }
    })
  }

  /** Mends what a kill has left, and forgets uploads that nobody goes on with. Never rejects: what fails is logged. */
  async start(): Promise<void> {
    try {
      await this.#mend()
      await this.uploads.sweep()
    } catch (error) {
      this.#o.log.error({ err: error }, 'the folder of models could not be put in order')
    }
  }

  async state(): Promise<ModelsState> {
    const shelved = (await this.#shelf.list()).slice(0, MOST_LISTED)
    const models = shelved.map((one) => this.#viewOf(one))
    const unseen = shelved.filter((one) => this.#verdictOf(one) === null)
    if (unseen.length > 0) this.#lookSoon(unseen)
    const halves = (await this.#shelf.halves()).map(({ name, here }) => ({
      name,
      here,
      missing: MODEL_FILES.filter((file) => !here.includes(file))
    }))
    const used = this.#used()
    const absent = used === '' || shelved.some(({ name }) => name === used) ? null : used
    return { models, halves, absent, looking: unseen.length > 0 }
  }

  checkUsable(name: string): Promise<void> {
    return this.#inTurn(async () => {
      const found = await this.#shelf.get(name)
      if (found === null) throw new AppError('not-found', because('model_not_here'))
      const { refused } = this.#verdictOf(found) ?? (await this.#look(found))
      if (refused !== null) throw new AppError('conflict', refused)
    })
  }

  remove(name: string): Promise<void> {
    return this.#inTurn(async () => {
      if ((await this.#shelf.get(name)) === null) {
        const half = (await this.#shelf.halves()).find((one) => one.name === name)
        if (half === undefined) throw new AppError('not-found', because('model_not_here'))
        return this.#shelf.dropHalf(name)
      }
      if (this.#used() === name) throw new AppError('conflict', because('model_in_use'))
      await this.#shelf.remove(name)
    })
  }

  async #mend(): Promise<void> {
    const placed = await this.#inTurn(() => this.#shelf.mend(this.#o.clock.now() - PARTIAL_LIFE_MS))
    for (const name of placed) this.#o.onChange(name)
  }

  async #checkSpace(wanted: number): Promise<void> {
    const { dataFolder, current } = this.#o
    await makeBelow(dataFolder, this.#shelf.partsFolder)
    if (wanted > 0) await this.#mend()
    await checkSpace(this.#shelf.partsFolder, wanted, current().uploads.min_free_bytes)
  }

  /** The second file of a model is tried with the first: neither is kept when they are none. */
  async #take(name: string, filename: string, part: string): Promise<void> {
    const file: ModelFile = filename === TABLE ? TABLE : TOKENIZER
    const otherName = file === TABLE ? TOKENIZER : TABLE
    const other = await this.#shelf.halfFile(name, otherName)
    if (other === null) return this.#shelf.keepHalf(name, file, part)
    const paths = file === TABLE ? { table: part, tokenizer: other } : { table: other, tokenizer: part }
    const facts = await this.#tried(name, paths)
    await this.#shelf.keepHalf(name, file, part)
    await this.#shelf.place(name)
    const placed = await this.#shelf.get(name)
    if (placed !== null) this.#verdicts.set(name, { stamp: placed.stamp, facts, refused: null })
    this.#o.log.info({ model: name, ...facts }, 'a model of meaning was brought')
    this.#o.onChange(name)
  }

  async #tried(name: string, { table, tokenizer }: { table: string; tokenizer: string }): Promise<ModelFacts> {
    try {
      return await this.#o.inspect({
        [TABLE]: { path: table, said: TABLE },
        [TOKENIZER]: { path: tokenizer, said: TOKENIZER }
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid') throw error
      await this.#shelf.dropHalf(name)
      throw new AppError('invalid', because('model_refused', { said: error.reason }), { cause: error })
    }
  }

  #viewOf(shelved: ShelvedModel): ModelView {
    const { facts = null, refused = null } = this.#verdictOf(shelved) ?? {}
    const { name, bytes } = shelved
    return { name, bytes, facts, refused, inUse: name === this.#used() }
  }

  /** Null: nobody has opened it as it is now. */
  #verdictOf({ name, stamp, missing }: ShelvedModel): Verdict | null {
    if (missing !== null) return { stamp, facts: null, refused: because('embedding_file_missing', { file: missing }) }
    const known = this.#verdicts.get(name)
    return known?.stamp === stamp ? known : null
  }

  #lookSoon(unseen: readonly ShelvedModel[]): void {
    if (this.#looking) return
    this.#looking = true
    const lookAll = async (): Promise<void> => {
      for (const one of unseen) await this.#inTurn(() => this.#look(one))
    }
    lookAll()
      .catch((error: unknown) => this.#o.log.error({ err: error }, 'the models of meaning could not be looked at'))
      .finally(() => {
        this.#looking = false
      })
  }

  async #look(shelved: ShelvedModel): Promise<Verdict> {
    const { name, stamp } = shelved
    const verdict = await this.#found(name).then(
      (facts): Verdict => ({ stamp, facts, refused: null }),
      (error: unknown): Verdict => ({ stamp, facts: null, refused: reasonOf(error) })
    )
    const isOther = this.#verdicts.has(name)
    this.#verdicts.set(name, verdict)
    // Somebody has copied other files over those that were known here.
    if (isOther && verdict.facts !== null) this.#o.onChange(name)
    return verdict
  }

  #found(name: string): Promise<ModelFacts> {
    const place = (file: ModelFile) => ({ path: this.#shelf.path(name, file), said: file })
    return this.#o.inspect({ [TABLE]: place(TABLE), [TOKENIZER]: place(TOKENIZER) })
  }

  /** The folder that the settings name; empty: none. */
  #used(): string {
    const { provider, model } = this.#o.current().knowledge.embedding
    return provider === 'static' ? model.trim() : ''
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }
}

function refuseFile(filename: string, name: string, length: number): void {
  if (!isModelName(name)) throw new AppError('invalid', because('model_name_odd'))
  if (!isModelFile(filename)) throw new AppError('invalid', because('model_file_odd', { file: filename.slice(0, 100) }))
  const most = MOST_BYTES[filename]
  if (length > most)
    throw new AppError('too-large', because('model_file_too_large', { file: filename, limit: Math.floor(most / 1e6) }))
}

/** By the first bytes: a page of an error, or a pointer of Git LFS, need not come whole. */
function refuseOtherFormat(head: Buffer, filename: string): void {
  const fits = filename === TABLE ? looksLikeTable(head) : /^\uFEFF?\s*\{/.test(head.toString('utf8'))
  if (!fits) throw new AppError('unsupported', because('embedding_file_damaged', { file: filename }))
}
