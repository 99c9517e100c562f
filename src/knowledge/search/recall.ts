import type { EmbeddingModel } from '../enrich/embed/embedder.ts'
import type { StoredVectors } from './vectors.ts'

const QUESTIONS = 20
const DEPTH = 10

/**
 * The share that the search by codes finds of what reading every vector finds: recall@10 over 20 stored vectors as
 * questions. 1 is all of it. Reads all vectors 20 times: for diagnostics.
 */
export async function recallCheck(
  vectors: StoredVectors,
  model: EmbeddingModel
): Promise<{ questions: number; recall: number }> {
  const questions = vectors.sample(model, QUESTIONS)
  let wanted = 0
  let found = 0
  for (const question of questions) {
    const exact = vectors.searchExactly(question, { model, k: DEPTH })
    const near = new Set((await vectors.search(question, { model, k: DEPTH })).map(({ itemId }) => itemId))
    wanted += exact.length
    found += exact.filter(({ itemId }) => near.has(itemId)).length
  }
  return { questions: questions.length, recall: wanted === 0 ? 1 : found / wanted }
}
