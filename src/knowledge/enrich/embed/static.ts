import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { errorCode } from '../../../platform/files/atomic-file.ts'
import type { Embedder } from './embedder.ts'
import { isModelName, MODEL_FILES, type ModelFile, TABLE, TOKENIZER } from './model-files.ts'
import { type ModelPlace, meanOf, NoModel, type OpenedModel, openModel } from './opened-model.ts'

const PROVIDER = 'static'

/**
 * Static token embeddings of a folder of the owner (the format of model2vec): a text is the mean of the vectors of its tokens. It
 * needs no server and a few megabytes: rows are read from the file as they are needed.
 */
export class StaticEmbedder implements Embedder {
  readonly provider = PROVIDER
  readonly #models: string
  readonly #name: string
  /** `stamp`: of both files, as they were when they were opened. */
  #opened: { stamp: string; model: OpenedModel } | null = null

  /** `models`: the folder of folders; `name`: that of the model. */
  constructor(models: string, name: string) {
    this.#models = models
    this.#name = name.trim()
  }

  /** The name of the folder and what is in it: another model makes other vectors. */
  get model(): string {
    const model = this.#current()
    return model === null ? '' : `${this.#name}-${model.fingerprint}`
  }

  get dims(): number | null {
    return this.#current()?.embeddings.columns ?? null
  }

  /** @throws AppError `unavailable` when the folder, a file or the name of the model is missing, or a file is none of a model */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    try {
      const model = await this.#open()
      return texts.map((text) => {
        signal.throwIfAborted()
        return meanOf(model, text)
      })
    } catch (error) {
      if (!(error instanceof NoModel)) throw error
      throw new AppError('unavailable', because('embedding_failed', { provider: PROVIDER, said: error.reason }), {
        cause: error
      })
    }
  }

  /** Null once its files were replaced: nobody is told of a model that is not there any more. */
  #current(): OpenedModel | null {
    return this.#opened !== null && this.#opened.stamp === this.#stamp() ? this.#opened.model : null
  }

  async #open(): Promise<OpenedModel> {
    if (!isModelName(this.#name)) throw new NoModel(because('embedding_no_folder_named'))
    const stamp = this.#stamp()
    if (this.#opened?.stamp === stamp) return this.#opened.model
    this.#opened?.model.file.close()
    this.#opened = null
    for (const file of MODEL_FILES) {
      const { path, said } = this.#place(file)
      if (!existsSync(path)) throw new NoModel(because('embedding_file_missing', { file: said }))
    }
    const model = await openModel({ [TABLE]: this.#place(TABLE), [TOKENIZER]: this.#place(TOKENIZER) })
    this.#opened = { stamp, model }
    return model
  }

  #place(file: ModelFile): ModelPlace {
    const path = join(this.#models, this.#name, file)
    return { path, said: path }
  }

  /** Told by the place, the length and the time of both files: they are looked at before each use. */
  #stamp(): string {
    return MODEL_FILES.map((file) => stampOf(this.#place(file).path)).join(' ')
  }
}

function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch (error) {
    // A file that cannot be looked at cannot be opened either, and that is told.
    return errorCode(error)
  }
}
