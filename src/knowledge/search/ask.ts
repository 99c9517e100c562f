import { because } from '../../model/reason.ts'
import type { Item } from '../catalogue/document.ts'
import type { LanguageModel } from '../enrich/llm/model.ts'
import { type Answer, answerFrom, strangeNumber } from './answer.ts'
import type { Excerpt, Excerpts, Wanted } from './excerpt.ts'
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
  excerpts: Pick<Excerpts, 'wanted' | 'best' | 'sayable'>
  answerMs?: number
}

interface Asked {
  question: string
  passages: readonly AskPassage[]
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
    const wanted = this.#o.excerpts.wanted(question)
    const excerpt = wanted === null ? null : this.#o.excerpts.best(wanted, passages)
    const model = this.#o.model()
    if (model !== null && passages.length > 0 && this.#busy >= MAX_AT_ONCE) {
      const reason = because('model_is_busy')
      return {
        question,
        ...this.#told({ answer: null, reason, citations: [] }, { question, wanted, excerpt, passages }),
        model: model.name,
        passages
      }
    }
    this.#busy++
    try {
      const limitSignal = AbortSignal.timeout(this.#o.answerMs ?? ANSWER_MS)
      const stop = signal === undefined ? limitSignal : AbortSignal.any([signal, limitSignal])
      const answer = await answerFrom({ question, passages, model, signal: stop })
      const told = this.#told(answer, { question, wanted, excerpt, passages })
      return { question, ...told, ...(model === null ? {} : { model: model.name }), passages }
    } finally {
      this.#busy--
    }
  }

  /** An answer of the model in which the rarest word of the question is missing is none, however well it reads. */
  #told(
    { answer, reason, citations }: Answer,
    { question, wanted, excerpt, passages }: Asked & { wanted: Wanted | null; excerpt: Excerpt | null }
  ): Answer & Pick<AskAnswer, 'excerpt'> {
    const said = excerpt === null ? {} : { excerpt }
    const isBacked = wanted === null || this.#isBacked({ answer, citations }, { wanted, question, passages })
    if (answer !== null && isBacked) return { answer, citations, ...said }
    const [nearest] = passages
    const why =
      wanted !== null && excerpt === null && nearest !== undefined
        ? because('not_found_nearest', { title: nearest.title, page: nearest.page })
        : (reason ?? because('passages_do_not_answer'))
    return { answer: null, reason: why, citations: [], ...said }
  }

  /** Each of its numbers must stand in a sentence or an item, of those it cites, that could be said by itself. */
  #isBacked(
    { answer, citations }: Pick<Answer, 'answer' | 'citations'>,
    { wanted, question, passages }: Asked & { wanted: Wanted }
  ): boolean {
    const { excerpts } = this.#o
    if (answer === null || excerpts.sayable(wanted, answer).length === 0) return false
    const cited = passages.filter(({ n }) => citations.some((one) => one.n === n))
    return strangeNumber(answer, [question, ...cited.flatMap(({ text }) => excerpts.sayable(wanted, text))]) === null
  }

  #passages({ results }: SearchAnswer): AskPassage[] {
    const texts = new Map(this.#o.items(results.map(({ item_id }) => item_id)).map(({ id, content }) => [id, content]))
    return results.map(({ hash, title, snippet, score, badge, page, item_id, citation }, index) => {
      const text = texts.get(item_id) ?? snippet
      return { n: index + 1, hash, title, text, snippet, score, badge, page, item_id, citation }
    })
  }
}
