import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { TABLE } from './model-files.ts'
import { type ModelPlaces, meanOf, NoModel, type OpenedModel, openModel } from './opened-model.ts'

/** Words of the vocabulary itself that make up the text to try it with. */
const TRIED_WORDS = 64

/** The facts of a model that was opened and used. */
export interface ModelFacts {
  /** Numbers in a vector. */
  dims: number
  /** Tokens of the vocabulary. */
  words: number
}

/**
 * Opens a model as the search will, and makes the vector of a text. It holds up whoever waits for this process: a vocabulary of 20 MB
 * is parsed in one go. @throws AppError `invalid` with what is wrong with which file
 */
export async function inspectModel(places: ModelPlaces): Promise<ModelFacts> {
  try {
    const model = await openModel(places)
    try {
      return factsOf(model)
    } finally {
      model.file.close()
    }
  } catch (error) {
    if (error instanceof NoModel) throw new AppError('invalid', error.reason, { cause: error })
    throw error
  }
}

function factsOf(model: OpenedModel): ModelFacts {
  const { tokenizer, embeddings, places } = model
  const vocabulary = [...tokenizer.get_vocab().keys()]
  const step = Math.max(1, Math.floor(vocabulary.length / TRIED_WORDS))
  const text = vocabulary.filter((_, at) => at % step === 0).join(' ')
  checkMapping(model, vocabulary.length)
  // A vector of nothing has nothing near it.
  if (!meanOf(model, text).some((value) => value !== 0))
    throw new NoModel(because('embedding_no_vector', { file: places[TABLE].said }))
  return { dims: embeddings.columns, words: vocabulary.length }
}

/** A word whose row is not there would be found out by the first document that has it. */
function checkMapping({ mapping, embeddings, places }: OpenedModel, words: number): void {
  for (let at = 0; mapping !== null && at < words; at++) {
    const row = mapping.row(at)[0] ?? -1
    if (!Number.isInteger(row) || row < 0 || row >= embeddings.rows)
      throw new NoModel(because('embedding_file_damaged', { file: places[TABLE].said }))
  }
}
