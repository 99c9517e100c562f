/** The files of a model of static token embeddings, as model2vec names them. */
export const [TABLE, TOKENIZER] = ['model.safetensors', 'tokenizer.json'] as const
export const MODEL_FILES = [TABLE, TOKENIZER] as const
export type ModelFile = (typeof MODEL_FILES)[number]

/** Bytes. Half a million words in many languages take 256 MB of numbers and 20 MB of vocabulary. */
export const MOST_BYTES: Readonly<Record<ModelFile, number>> = { [TABLE]: 512 * 2 ** 20, [TOKENIZER]: 40_000_000 }

/** A folder below that of the models, by its name alone. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u
/** The name of a file is at most so many bytes on the file systems of boards, with a mark behind it. */
const MOST_NAME_BYTES = 240

export const isModelName = (name: string): boolean => NAME.test(name) && Buffer.byteLength(name) <= MOST_NAME_BYTES

export const isModelFile = (name: string): name is ModelFile => MODEL_FILES.some((one) => one === name)
