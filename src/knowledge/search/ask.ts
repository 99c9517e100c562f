import { because } from '../../model/reason.ts'
import type { LanguageModel } from '../enrich/llm/model.ts'
import { type Answer, answerFrom, strangeNumber } from './answer.ts'
import type { Wanted } from './evidence.ts'
import type { Confidence, Excerpt, Excerpts } from './excerpt.ts'
import type { AskAnswer, AskPassage, AskQuery } from './service.ts'

/** Questions a model answers at the same time: more wait for nothing, they get their passages at once. */
const MAX_AT_ONCE = 2
/** Somebody waits for it, on the radio too. Milliseconds. */
const ANSWER_MS = 60_000

export interface AskerOptions {
  /** The best passages, best first. */
  passages: (query: AskQuery) => Promise<AskPassage[]>
  model: () => LanguageModel | null
  excerpts: Pick<Excerpts, 'wanted' | 'best' | 'nearest' | 'sayable'>
  answerMs?: number
}

interface Asked {
  question: string
  passages: readonly AskPassage[]
}

/** The words of the passages that answer a question. */
interface Quoted extends Asked {
  wanted: Wanted | null
  excerpt: Excerpt | null
  confidence: Confidence
}

/** Answers questions from the library: the best passages, and what a language model makes of them, if there is one. */
export class Asker {
  readonly #o: AskerOptions
  #busy = 0

  constructor(options: AskerOptions) {
    this.#o = options
  }

  /** Always has the passages; `reason` says why there is no answer. @throws AppError of the search. */
  async ask(query: AskQuery, signal?: AbortSignal): Promise<AskAnswer> {
    const { question } = query
    const passages = await this.#o.passages(query)
    const quoted = this.#quoted({ question, passages })
    const model = this.#o.model()
    if (model !== null && passages.length > 0 && this.#busy >= MAX_AT_ONCE) {
      const reason = because('model_is_busy')
      const told = this.#told({ answer: null, reason, citations: [] }, quoted)
      return { question, ...told, model: model.name, passages }
    }
    this.#busy++
    try {
      const limitSignal = AbortSignal.timeout(this.#o.answerMs ?? ANSWER_MS)
      const stop = signal === undefined ? limitSignal : AbortSignal.any([signal, limitSignal])
      const answer = await answerFrom({ question, passages, model, signal: stop })
      const told = this.#told(answer, quoted)
      return { question, ...told, ...(model === null ? {} : { model: model.name }), passages }
    } finally {
      this.#busy--
    }
  }

  #quoted({ question, passages }: Asked): Quoted {
    const wanted = this.#o.excerpts.wanted(question)
    const best = wanted === null ? null : this.#o.excerpts.best(wanted, passages)
    return { question, passages, wanted, excerpt: best?.excerpt ?? null, confidence: best?.confidence ?? 'not_found' }
  }

  /** An answer of the model in which the rarest word of the question is missing is none, however well it reads. */
  #told(
    { answer, reason, citations }: Answer,
    quoted: Quoted
  ): Answer & Pick<AskAnswer, 'excerpt' | 'nearest' | 'confidence'> {
    const { wanted, excerpt, confidence, passages } = quoted
    const said = excerpt === null ? {} : { excerpt }
    const isBacked = wanted === null || this.#isBacked({ answer, citations }, { ...quoted, wanted })
    // A model's words were checked for their numbers, not for their sense.
    if (answer !== null && isBacked)
      return { answer, citations, confidence: confidence === 'found' ? 'found' : 'perhaps', ...said }
    const [nearest] = passages
    if (wanted === null || excerpt !== null || nearest === undefined)
      return { answer: null, reason: reason ?? because('passages_do_not_answer'), citations: [], confidence, ...said }
    const why = because('not_found_nearest', { title: nearest.title, page: nearest.page })
    const words = this.#o.excerpts.nearest(wanted, nearest)
    return { answer: null, reason: why, citations: [], confidence, ...(words === null ? {} : { nearest: words }) }
  }

  /** Each of its numbers must stand in a sentence or an item, of those it cites, that could be said by itself. */
  #isBacked(
    { answer, citations }: Pick<Answer, 'answer' | 'citations'>,
    { wanted, question, passages }: Asked & { wanted: Wanted }
  ): boolean {
    const { excerpts } = this.#o
    if (answer === null || excerpts.sayable(wanted, { text: answer }).length === 0) return false
    const cited = passages.filter(({ n }) => citations.some((one) => one.n === n))
    return strangeNumber(answer, [question, ...cited.flatMap((one) => excerpts.sayable(wanted, one))]) === null
  }
}
