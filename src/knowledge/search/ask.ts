import { because } from '../../model/reason.ts'
import type { Item } from '../catalogue/document.ts'
import type { LanguageModel } from '../enrich/llm/model.ts'
import { answerFrom } from './answer.ts'
import type { AskAnswer, AskPassage, AskQuery, SearchAnswer, SearchQuery } from './service.ts'

/** Questions a model answers at the same time: more wait for nothing, they get their passages at once. */
const MAX_AT_ONCE = 2
/** Somebody waits for it, on the radio too. Milliseconds. */
const ANSWER_MS = 60_000

export interface AskerOptions {
  search: (query: SearchQuery) => Promise<SearchAnswer>
  /** Whole texts of what was found; what is gone meanwhile is left out. */
  items: (ids: readonly number[]) => readonly Pick<Item, 'id' | 'content'>[]
  model: () => LanguageModel | null
  answerMs?: number
}

/** Answers questions from the library: the best passages, and what a language model makes of them, if there is one. */
export class Asker {
  readonly #o: AskerOptions
  #busy = 0

  constructor(options: AskerOptions) {
    this.#o = options
  }

  /** Always has the passages; `reason` says why there is no answer. @throws AppError of the search. */
  async ask({ question, limit, ...links }: AskQuery, signal?: AbortSignal): Promise<AskAnswer> {
    const found = await this.#o.search({ ...links, q: question, limit, offset: 0 })
    const passages = this.#passages(found)
    const model = this.#o.model()
    if (model !== null && passages.length > 0 && this.#busy >= MAX_AT_ONCE) {
      const reason = because('model_is_busy')
      return { question, answer: null, reason, model: model.name, citations: [], passages }
    }
    this.#busy++
    try {
      const limitSignal = AbortSignal.timeout(this.#o.answerMs ?? ANSWER_MS)
      const stop = signal === undefined ? limitSignal : AbortSignal.any([signal, limitSignal])
      const answer = await answerFrom({ question, passages, model, signal: stop })
      return { question, ...answer, ...(model === null ? {} : { model: model.name }), passages }
    } finally {
      this.#busy--
    }
  }

  #passages({ results }: SearchAnswer): AskPassage[] {
    const texts = new Map(this.#o.items(results.map(({ item_id }) => item_id)).map(({ id, content }) => [id, content]))
    return results.map(({ hash, title, snippet, score, badge, page, item_id, citation }, index) => {
      const text = texts.get(item_id) ?? snippet
      return { n: index + 1, hash, title, text, snippet, score, badge, page, item_id, citation }
    })
  }
}
