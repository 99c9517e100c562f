import type { Test } from 'tap'
import type { LanguageModel } from '../../../src/knowledge/enrich/llm/model.ts'
import { Asker } from '../../../src/knowledge/search/ask.ts'
import { Excerpts } from '../../../src/knowledge/search/excerpt.ts'
import { inWords } from '../../helpers/in-words.ts'
import { labelledShelf } from './shelf.ts'

/** The library of the labelled passages with one more text, and whoever asks it. */
export async function asking(t: Test, text: string, model: LanguageModel | null = null) {
  const made = await labelledShelf(t)
  await made.file([text], { title: 'Water Procurement' })
  await made.file(['Bleach whitens linen. Keep it out of the eyes.'], { title: 'Laundry' })
  const excerpts = await Excerpts.open(made.index.lexical)
  t.teardown(() => excerpts.close())
  const asker = new Asker({
    passages: (query) => made.searcher.passages(query),
    model: () => model,
    excerpts
  })
  return async (question: string) => {
    const { reason, ...answer } = await asker.ask({ question, limit: 5 })
    return { ...answer, said: String(inWords(reason)) }
  }
}
