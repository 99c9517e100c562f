import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import type { Tokenizer } from '@huggingface/tokenizers'
import { because, type Reason } from '../../../model/reason.ts'
import { normalised } from './hash.ts'
import { MOST_BYTES, TABLE, TOKENIZER } from './model-files.ts'
import { openSafetensors, type SafetensorsFile, type TensorTable } from './safetensors.ts'
import { isBounded, unknownToken } from './tokenizer-file.ts'

/** As model2vec cuts: the beginning tells what a text is about. */
const [MOST_TOKENS, MOST_CHARACTERS] = [512, 8000]
/** So many pieces of a table, spread over all of it, tell two tables apart: reading all of one takes a board seconds. */
const [SAMPLES, SAMPLE_BYTES] = [256, 4096]

/** A file that is missing, or none of a model. */
export class NoModel extends Error {
  readonly reason: Reason

  constructor(reason: Reason, cause?: unknown) {
    super(reason.code, { cause })
    this.reason = reason
  }
}

/** A file, and what people are told of where it is. */
export interface ModelPlace {
  path: string
  said: string
}
export type ModelPlaces = Readonly<Record<typeof TABLE | typeof TOKENIZER, ModelPlace>>

export interface OpenedModel {
  places: ModelPlaces
  /** Short, and the same for the same files: a copy of them elsewhere makes the same vectors. */
  fingerprint: string
  tokenizer: Tokenizer
  /** The token of what the vocabulary does not have. */
  unknown: number | null
  file: SafetensorsFile
  embeddings: TensorTable
  weights: TensorTable | null
  mapping: TensorTable | null
}

/** Opens both files; that of the table stays open until `file.close`. @throws NoModel */
export async function openModel(places: ModelPlaces): Promise<OpenedModel> {
  const words = wordsOf(places[TOKENIZER])
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const tokenizer = understood(places[TOKENIZER], () => new Tokenizer(words.json, {}))
  const place = places[TABLE]
  const file = understood(place, () => openSafetensors(place.path))
  try {
    const { tables } = file
    const embeddings = tables.get('embeddings') ?? (tables.size === 1 ? [...tables.values()][0] : undefined)
    if (embeddings === undefined || embeddings.rows === 0) throw damaged(place)
    const [weights, mapping] = [tables.get('weights') ?? null, tables.get('mapping') ?? null]
    const rows = mapping?.rows ?? embeddings.rows
    const size = tokenizer.get_vocab().size
    if (size > rows) throw new NoModel(because('embedding_words_without_rows', { file: place.said, words: size, rows }))
    const fingerprint = understood(place, () => fingerprintOf(words.bytes, place.path))
    return { places, fingerprint, tokenizer, unknown: words.unknown, file, embeddings, weights, mapping }
  } catch (error) {
    file.close()
    throw error
  }
}

/** @throws NoModel for a row that is not there, or holds what is no number */
export function meanOf(model: OpenedModel, text: string): Float32Array {
  const { places, tokenizer, unknown, embeddings, weights, mapping } = model
  const words = understood(places[TOKENIZER], (): { ids: number[] } =>
    tokenizer.encode(text.slice(0, MOST_CHARACTERS), { add_special_tokens: false })
  )
  const sum = new Float64Array(embeddings.columns)
  understood(places[TABLE], () => {
    for (const id of words.ids.filter((one) => one !== unknown).slice(0, MOST_TOKENS)) {
      const row = embeddings.row(mapping?.row(id)[0] ?? id)
      const weight = weights?.row(id)[0] ?? 1
      for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + weight * (row[at] ?? 0)
    }
  })
  // The length of the sum makes no difference to its direction.
  return normalised(Float32Array.from(sum))
}

function fingerprintOf(tokenizer: Buffer, table: string): string {
  const { size } = statSync(table)
  const hash = createHash('sha256').update(tokenizer).update(String(size))
  const piece = Buffer.alloc(SAMPLE_BYTES)
  const step = Math.max(SAMPLE_BYTES, Math.floor(size / SAMPLES))
  const fd = openSync(table, 'r')
  try {
    for (let at = 0; at < size; at += step) hash.update(piece.subarray(0, readSync(fd, piece, 0, SAMPLE_BYTES, at)))
  } finally {
    closeSync(fd)
  }
  return hash.digest('hex').slice(0, 8)
}

interface Words {
  json: object
  bytes: Buffer
  unknown: number | null
}

function wordsOf(place: ModelPlace): Words {
  return understood(place, () => {
    if (statSync(place.path).size > MOST_BYTES[TOKENIZER]) throw damaged(place)
    const bytes = readFileSync(place.path)
    const json: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof json !== 'object' || json === null || !isBounded(json)) throw damaged(place)
    return { json, bytes, unknown: unknownToken(json) }
  })
}

const damaged = ({ said }: ModelPlace, cause?: unknown): NoModel =>
  new NoModel(because('embedding_file_damaged', { file: said }), cause)

/** Whatever a parser throws on a file of somebody else's is a fault of that file. */
function understood<T>(place: ModelPlace, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof NoModel ? error : damaged(place, error)
  }
}
