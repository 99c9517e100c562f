import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Tokenizer } from '@huggingface/tokenizers'
import { because, type Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Embedder } from './embedder.ts'
import { normalised } from './hash.ts'
import { openSafetensors, type SafetensorsFile, type TensorTable } from './safetensors.ts'
import { isBounded, unknownToken } from './tokenizer-file.ts'

const PROVIDER = 'static'
const [TABLE, TOKENIZER] = ['model.safetensors', 'tokenizer.json']
/** A vocabulary of half a million words in many languages takes 20 MB. */
const MOST_TOKENIZER = 40_000_000
/** As model2vec cuts: the beginning tells what a text is about. */
const [MOST_TOKENS, MOST_CHARACTERS] = [512, 8000]
/** A folder below that of the models, by its name alone. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u

interface Opened {
  folder: string
  /** Of both files, as they were when they were opened. */
  stamp: string
  /** The name of the folder and what is in it: another model makes other vectors. */
  model: string
  tokenizer: Tokenizer
  unknown: number | null
  file: SafetensorsFile
  embeddings: TensorTable
  weights: TensorTable | null
  mapping: TensorTable | null
}

/**
 * Static token embeddings of a folder of the owner (the format of model2vec): a text is the mean of the vectors of its tokens. It
 * needs no server and a few megabytes: rows are read from the file as they are needed.
 */
export class StaticEmbedder implements Embedder {
  readonly provider = PROVIDER
  readonly #models: string
  readonly #name: string
  #opened: Opened | null = null

  /** `models`: the folder of folders; `name`: that of the model. */
  constructor(models: string, name: string) {
    this.#models = models
    this.#name = name.trim()
  }

  get model(): string {
    return this.#opened?.model ?? ''
  }

  get dims(): number | null {
    return this.#opened?.embeddings.columns ?? null
  }

  /** @throws AppError `unavailable` when the folder, a file or the name of the model is missing, or a file is none of a model */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const opened = await this.#open()
    return texts.map((text) => {
      signal.throwIfAborted()
      return meanOf(opened, text)
    })
  }

  async #open(): Promise<Opened> {
    if (!NAME.test(this.#name)) throw failed(because('embedding_no_folder_named'))
    const folder = join(this.#models, this.#name)
    const stamp = [TABLE, TOKENIZER].map((name) => stampOf(folder, name)).join(' ')
    if (this.#opened?.stamp === stamp) return this.#opened
    this.#opened?.file.close()
    this.#opened = null
    this.#opened = await opened(folder, this.#name, stamp)
    return this.#opened
  }
}

const failed = (said: Reason, cause?: unknown): AppError =>
  new AppError('unavailable', because('embedding_failed', { provider: PROVIDER, said }), { cause })

function stampOf(folder: string, name: string): string {
  try {
    const { size, mtimeMs, ino } = statSync(join(folder, name))
    return `${ino} ${size} ${mtimeMs}`
  } catch (error) {
    throw failed(because('embedding_file_missing', { file: join(folder, name) }), error)
  }
}

async function opened(folder: string, name: string, stamp: string): Promise<Opened> {
  const words = tokenizerOf(join(folder, TOKENIZER))
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const tokenizer = understood(join(folder, TOKENIZER), () => new Tokenizer(words.json, {}))
  const path = join(folder, TABLE)
  const file = understood(path, () => openSafetensors(path))
  try {
    const { tables } = file
    const embeddings = tables.get('embeddings') ?? (tables.size === 1 ? [...tables.values()][0] : undefined)
    if (embeddings === undefined || embeddings.rows === 0) throw damaged(path)
    const [weights, mapping] = [tables.get('weights') ?? null, tables.get('mapping') ?? null]
    const rows = mapping?.rows ?? embeddings.rows
    const size = tokenizer.get_vocab().size
    if (size > rows) throw failed(because('embedding_words_without_rows', { file: path, words: size, rows }))
    const model = `${name}-${fingerprint(words.bytes, stamp)}`
    return { folder, stamp, model, tokenizer, unknown: words.unknown, file, embeddings, weights, mapping }
  } catch (error) {
    file.close()
    throw error
  }
}

/** Short and the same for the same files: a copy of them elsewhere makes the same vectors. */
function fingerprint(tokenizer: Buffer, stamp: string): string {
  const [, size = ''] = stamp.split(' ')
  return createHash('sha256').update(tokenizer).update(size).digest('hex').slice(0, 8)
}

interface Words {
  json: object
  bytes: Buffer
  /** The token of what the vocabulary does not have. */
  unknown: number | null
}

function tokenizerOf(path: string): Words {
  return understood(path, () => {
    if (statSync(path).size > MOST_TOKENIZER) throw damaged(path)
    const bytes = readFileSync(path)
    const json: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof json !== 'object' || json === null || !isBounded(json)) throw damaged(path)
    return { json, bytes, unknown: unknownToken(json) }
  })
}

const damaged = (file: string, cause?: unknown): AppError => failed(because('embedding_file_damaged', { file }), cause)

/** Whatever a parser throws on a file of somebody else's is a fault of that file. */
function understood<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof AppError ? error : damaged(file, error)
  }
}

function meanOf({ folder, tokenizer, unknown, embeddings, weights, mapping }: Opened, text: string): Float32Array {
  const words = understood(join(folder, TOKENIZER), (): { ids: number[] } =>
    tokenizer.encode(text.slice(0, MOST_CHARACTERS), { add_special_tokens: false })
  )
  const sum = new Float64Array(embeddings.columns)
  understood(join(folder, TABLE), () => {
    for (const id of words.ids.filter((one) => one !== unknown).slice(0, MOST_TOKENS)) {
      const row = embeddings.row(mapping?.row(id)[0] ?? id)
      const weight = weights?.row(id)[0] ?? 1
      for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + weight * (row[at] ?? 0)
    }
  })
  // The length of the sum makes no difference to its direction.
  return normalised(Float32Array.from(sum))
}
